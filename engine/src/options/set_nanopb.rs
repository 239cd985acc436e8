//! Changing one limit in the text of a nanopb `.options` file, and nothing else in it.

use super::limits::{IntWidth, StorageChoice};
use super::nanopb_file::{OptionsLine, read_options};
use super::pattern::matches;
use super::set_limit::LimitChange;
use crate::diagnostic::Diagnostic;
use crate::schema::SourceText;
use crate::syntax::{Edit, apply_edits};

/// The text of an `.options` file with one limit of one field changed, by full name. The line that
/// decides is changed if it names exactly this field; under a pattern an exact line is added, at the
/// end, because later lines win. `is_string` decides how a length is written: nanopb's `max_size` of a
/// string counts the NUL.
///
/// # Errors
/// A value outside of 1 to 65535, and a text in which the new line would not count (a comment without an
/// end), are refused; the text stays as it is.
///
/// ```
/// use wirebench_engine::options::{LimitChange, set_limit_in_options};
/// let after = set_limit_in_options("T.name max_size:17 # shown\n", "T.name", true, LimitChange::MaxLen(20));
/// assert_eq!(after.as_deref(), Ok("T.name max_size:21 # shown\n"));
/// ```
pub fn set_limit_in_options(
    text: &str,
    field: &str,
    is_string: bool,
    change: LimitChange,
) -> Result<String, Diagnostic> {
    change.check()?;
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mark, body) = text.split_at(start);
    let source = SourceText::verbatim("options".into(), body);
    let (lines, _) = read_options(&source);
    let edit = edit(body, &lines, field, is_string, change);
    match apply_edits(body, &[edit]).filter(|after| says(after, field, is_string, change)) {
        Some(after) => Ok(format!("{mark}{after}")),
        None => {
            let text =
                format!("the options file was not changed: a limit of `{field}` would not count in it");
            Err(Diagnostic::error(None, text).with_help("mend the file by hand, then try again"))
        }
    }
}

/// nanopb's names for a setting; of several the first is written where none stands yet.
fn names(change: LimitChange, is_string: bool) -> &'static [&'static str] {
    match change {
        LimitChange::MaxLen(_) if is_string => &["max_length", "max_size"],
        LimitChange::MaxLen(_) => &["max_size"],
        LimitChange::MaxCount(_) => &["max_count"],
        LimitChange::Storage(_) => &["type"],
        LimitChange::IntWidth(_) => &["int_size"],
    }
}

/// Whether the line that decides names exactly the field, and gives it that value.
fn says(text: &str, field: &str, is_string: bool, change: LimitChange) -> bool {
    let (lines, _) = read_options(&SourceText::verbatim("options".into(), text));
    let names = names(change, is_string);
    let decides =
        |line: &&OptionsLine| line.options.iter().any(|option| names.contains(&option.name.as_str()));
    let deciding = lines.iter().filter(|line| matches(&line.pattern, field)).rfind(decides);
    deciding.filter(|line| line.pattern == field).is_some_and(|line| {
        let option = line.options.iter().rfind(|option| names.contains(&option.name.as_str()));
        option.is_some_and(|option| option.value == spelled(&option.name, is_string, change))
    })
}

fn edit(text: &str, lines: &[OptionsLine], field: &str, is_string: bool, change: LimitChange) -> Edit {
    let names = names(change, is_string);
    let decides =
        |line: &&OptionsLine| line.options.iter().any(|option| names.contains(&option.name.as_str()));
    let mut covering = lines.iter().filter(|line| matches(&line.pattern, field));
    let deciding = covering.clone().rfind(decides);
    if let Some(line) = deciding.filter(|line| line.pattern == field)
        && let Some(option) = line.options.iter().rfind(|option| names.contains(&option.name.as_str()))
    {
        let whole = &text[option.span.range.clone()];
        let value = whole.find(':').map_or(whole.len(), |at| at + 1);
        let value = value + whole[value..].len() - whole[value..].trim_start().len();
        let start = option.span.range.start + value;
        return Edit::replace(start..option.span.range.end, spelled(&option.name, is_string, change));
    }
    // Without a pattern in between, the setting joins the field's own line.
    let own = covering.rfind(|line| line.pattern == field);
    let name = names[0];
    let pair = format!("{name}:{}", spelled(name, is_string, change));
    if let (Some(line), None) = (own, deciding)
        && let Some(last) = line.options.last()
    {
        return Edit::insert(last.span.range.end, format!(" {pair}"));
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    Edit::insert(text.len(), format!("{gap}{field} {pair}{newline}"))
}

/// The value as nanopb spells it.
fn spelled(option: &str, is_string: bool, change: LimitChange) -> String {
    match change {
        LimitChange::MaxLen(bytes) if is_string && option == "max_size" => (bytes + 1).to_string(),
        LimitChange::MaxLen(value) | LimitChange::MaxCount(value) => value.to_string(),
        LimitChange::Storage(StorageChoice::Inline) => "FT_STATIC".to_owned(),
        LimitChange::Storage(StorageChoice::Streamed) => "FT_CALLBACK".to_owned(),
        LimitChange::Storage(StorageChoice::Ignored) => "FT_IGNORE".to_owned(),
        LimitChange::IntWidth(IntWidth::W8) => "IS_8".to_owned(),
        LimitChange::IntWidth(IntWidth::W16) => "IS_16".to_owned(),
        LimitChange::IntWidth(IntWidth::W32) => "IS_32".to_owned(),
        LimitChange::IntWidth(IntWidth::W64) => "IS_64".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, is_string: bool, change: LimitChange, expected: &str) {
        assert_eq!(set_limit_in_options(before, "T.a", is_string, change).as_deref(), Ok(expected));
    }

    #[test]
    fn an_exact_line_is_changed_in_place() {
        check(
            "# x\r\nT.a  max_count: 3,max_size:  \"17\"; # y\r\nT.b max_size:3",
            true,
            LimitChange::MaxLen(20),
            "# x\r\nT.a  max_count: 3,max_size:  21; # y\r\nT.b max_size:3",
        );
        check("T.a max_size:16", false, LimitChange::MaxLen(20), "T.a max_size:20");
        check(
            "T.a type:FT_STATIC",
            false,
            LimitChange::Storage(StorageChoice::Streamed),
            "T.a type:FT_CALLBACK",
        );
    }

    /// nanopb's `max_size` of a string is one more than its length.
    #[test]
    fn the_largest_length_is_written_and_read() {
        let after = "T.a max_size:65536";
        check("T.a max_size:3", true, LimitChange::MaxLen(65_535), after);
        let (lines, _) = read_options(&SourceText::verbatim("options".into(), after));
        assert!(super::super::nanopb::check_options(&lines[0].options).is_empty());
    }

    /// Behind an open comment nothing counts, though a pattern above says the same already.
    #[test]
    fn a_line_that_is_not_read_is_not_written() {
        let text = "*.a type:FT_CALLBACK\n/* open\n";
        assert!(
            set_limit_in_options(text, "T.a", true, LimitChange::Storage(StorageChoice::Streamed)).is_err()
        );
    }

    #[test]
    fn a_setting_joins_the_line_of_its_field() {
        check("T.a max_count:3 # y\n", true, LimitChange::MaxLen(20), "T.a max_count:3 max_length:20 # y\n");
    }

    #[test]
    fn an_exact_line_is_added_where_a_pattern_decides() {
        check("T.* max_size:3", true, LimitChange::MaxLen(20), "T.* max_size:3\nT.a max_length:20\n");
        let later = "T.a max_size:3\r\n*.a max_size:9\r\n";
        check(later, false, LimitChange::MaxLen(20), &format!("{later}T.a max_size:20\r\n"));
        check("", false, LimitChange::MaxCount(2), "T.a max_count:2\n");
    }

    #[test]
    fn a_length_that_cannot_be_is_refused() {
        assert!(set_limit_in_options("", "T.a", true, LimitChange::MaxLen(0)).is_err());
    }
}
