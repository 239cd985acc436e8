//! Changing one limit in the text of `wirebench.toml`, and nothing else in it: the change is a splice
//! at the place the parser names, so comments, order and line ends stay byte for byte.

use std::ops::Range;

use toml_edit::{Document, Item, Table, TableLike};

use super::limits::{IntWidth, StorageChoice};
use super::settings::read_settings;
use crate::diagnostic::{Diagnostic, Span};
use crate::schema::SourceText;
use crate::syntax::{Edit, apply_edits};

/// A new value for one limit or setting of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitChange {
    /// Longest string or bytes value, in bytes.
    MaxLen(u32),
    /// Most items of a repeated or map field.
    MaxCount(u32),
    /// Where the payload lives.
    Storage(StorageChoice),
    /// Width of the integer in the struct.
    IntWidth(IntWidth),
}

impl LimitChange {
    /// The setting's name in `wirebench.toml`.
    fn key(self) -> &'static str {
        match self {
            LimitChange::MaxLen(_) => "max_len",
            LimitChange::MaxCount(_) => "max_count",
            LimitChange::Storage(_) => "storage",
            LimitChange::IntWidth(_) => "int_width",
        }
    }

    /// The value as `wirebench.toml` spells it.
    fn value(self) -> String {
        match self {
            LimitChange::MaxLen(value) | LimitChange::MaxCount(value) => value.to_string(),
            LimitChange::Storage(StorageChoice::Inline) => "\"inline\"".to_owned(),
            LimitChange::Storage(StorageChoice::Streamed) => "\"streamed\"".to_owned(),
            LimitChange::Storage(StorageChoice::Ignored) => "\"ignored\"".to_owned(),
            LimitChange::IntWidth(IntWidth::W8) => "8".to_owned(),
            LimitChange::IntWidth(IntWidth::W16) => "16".to_owned(),
            LimitChange::IntWidth(IntWidth::W32) => "32".to_owned(),
            LimitChange::IntWidth(IntWidth::W64) => "64".to_owned(),
        }
    }

    /// Refuses values that no field can have, before they are written.
    pub(super) fn check(self) -> Result<(), Diagnostic> {
        match self {
            LimitChange::MaxLen(value) | LimitChange::MaxCount(value)
                if !(1..=super::LARGEST_LIMIT).contains(&value) =>
            {
                let text =
                    format!("{} cannot be {value}: it must be 1 to {}", self.key(), super::LARGEST_LIMIT);
                Err(Diagnostic::error(None, text))
            }
            _ => Ok(()),
        }
    }
}

/// The text of `wirebench.toml` with one limit of one field changed, by full name. An entry of that name
/// is changed in place; without one a line is added to `[fields]`, where an exact name wins over every
/// pattern. An empty text gives a whole new file.
///
/// # Errors
/// A text that is not valid TOML or already wrong at that place, or a value outside of 1 to 65535, is
/// refused with the reason; the text stays as it is.
///
/// ```
/// use wirebench_engine::options::{LimitChange, set_limit};
/// let before = "[fields]\n\"T.name\" = { max_len = 16 } # shown on the display\n";
/// let after = set_limit(before, "T.name", LimitChange::MaxLen(20)).unwrap();
/// assert_eq!(after, "[fields]\n\"T.name\" = { max_len = 20 } # shown on the display\n");
/// ```
pub fn set_limit(text: &str, field: &str, change: LimitChange) -> Result<String, Diagnostic> {
    change.check()?;
    if !field.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
        return Err(Diagnostic::error(None, format!("`{field}` is not the full name of a field")));
    }
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mark, body) = text.split_at(mark);
    let source = SourceText::verbatim("wirebench.toml".into(), body);
    let document = Document::parse(body).map_err(|why| {
        let span = source.span(why.span().unwrap_or(0..0));
        refused(Some(span), why.message().trim())
    })?;
    let place = Place { text: body, newline: if body.contains("\r\n") { "\r\n" } else { "\n" } };
    let edit = place.edit(document.as_table(), field, change);
    let after =
        apply_edits(body, &[edit]).ok_or_else(|| refused(None, "the place of the limit was not found"))?;
    if !says(&after, field, change) {
        return Err(refused(
            None,
            &format!("the entry of `{field}` is written in a way that is not understood"),
        ));
    }
    Ok(format!("{mark}{after}"))
}

fn refused(span: Option<Span>, why: &str) -> Diagnostic {
    Diagnostic::error(span, format!("wirebench.toml was not changed: {why}"))
        .with_help("mend the file by hand, then try again")
}

/// Whether a text gives the field that value.
fn says(text: &str, field: &str, change: LimitChange) -> bool {
    let source = SourceText::verbatim("wirebench.toml".into(), text);
    let Ok(document) = Document::parse(text) else { return false };
    let entry = document.get("fields").and_then(|fields| fields.get(field));
    let value = entry.and_then(|entry| entry.get(change.key())).and_then(Item::as_value);
    let is_written = value.is_some_and(|value| value.to_string().trim() == change.value());
    let is_read = read_settings(&source).fields.iter().any(|(name, _)| name.value == field);
    is_written && is_read
}

struct Place<'a> {
    text: &'a str,
    newline: &'a str,
}

impl Place<'_> {
    /// The one splice that makes the change.
    fn edit(&self, root: &Table, field: &str, change: LimitChange) -> Edit {
        let pair = format!("{} = {}", change.key(), change.value());
        let Some(fields) = root.get("fields") else {
            return self.append(&self.new_section(field, &pair));
        };
        if let Some(entry) = fields.get(field) {
            return self.in_entry(entry, field, change, &pair);
        }
        let line = format!("\"{field}\" = {{ {pair} }}");
        match fields {
            Item::Value(value) => match value.as_inline_table() {
                Some(table) => self.in_braces(table, value.span(), &line),
                None => self.append(&self.new_section(field, &pair)),
            },
            Item::Table(table) if table.is_dotted() => {
                self.line_after(last_end(table), &format!("fields.{line}"))
            }
            Item::Table(table) if table.is_implicit() => {
                self.append(&format!("{0}[fields.\"{field}\"]{0}{pair}", self.newline))
            }
            Item::Table(table) => {
                let header = table.span().map_or(0, |span| span.end);
                self.line_after(own_end(table).unwrap_or(header), &line)
            }
            Item::None | Item::ArrayOfTables(_) => self.append(&self.new_section(field, &pair)),
        }
    }

    /// Changes or adds a setting in the entry of the field.
    fn in_entry(&self, entry: &Item, field: &str, change: LimitChange, pair: &str) -> Edit {
        if let Some(range) = entry.get(change.key()).and_then(Item::span) {
            return Edit::replace(range, change.value());
        }
        match entry {
            Item::Value(value) => match value.as_inline_table() {
                Some(table) => self.in_braces(table, value.span(), pair),
                None => Edit::replace(value.span().unwrap_or(0..0), format!("{{ {pair} }}")),
            },
            Item::Table(table) if table.is_dotted() => {
                // The line above starts with the name, spelled as the user spells it.
                let end = last_end(table);
                let line = self.line_of(end);
                let spelled = self.text[line].split('=').next().unwrap_or("");
                let prefix = spelled
                    .rsplit_once('.')
                    .map_or_else(|| format!("\"{field}\""), |(name, _)| name.to_owned());
                self.line_after(end, &format!("{prefix}.{pair}"))
            }
            Item::Table(table) => {
                let header = table.span().map_or(0, |span| span.end);
                self.line_after(own_end(table).unwrap_or(header), pair)
            }
            Item::None | Item::ArrayOfTables(_) => self.append(""),
        }
    }

    /// Adds to an inline table, behind what it holds.
    fn in_braces(&self, table: &dyn TableLike, span: Option<Range<usize>>, what: &str) -> Edit {
        let span = span.unwrap_or(0..0);
        match table.iter().filter_map(|(_, item)| item.span()).map(|span| span.end).max() {
            Some(end) => Edit::insert(end, format!(", {what}")),
            None => Edit::replace(span, format!("{{ {what} }}")),
        }
    }

    fn line_of(&self, at: usize) -> Range<usize> {
        let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        start..self.text[at..].find('\n').map_or(self.text.len(), |end| at + end)
    }

    /// A new line below the one that holds `at`.
    fn line_after(&self, at: usize, line: &str) -> Edit {
        match self.text[at..].find('\n') {
            Some(end) => Edit::insert(at + end + 1, format!("{line}{}", self.newline)),
            None => Edit::insert(self.text.len(), format!("{0}{line}{0}", self.newline)),
        }
    }

    /// Text at the end, on a line of its own.
    fn append(&self, what: &str) -> Edit {
        let gap = if self.text.is_empty() || self.text.ends_with('\n') { "" } else { self.newline };
        Edit::insert(self.text.len(), format!("{gap}{what}{}", self.newline))
    }

    /// A `[fields]` section, and in front of it what a new file starts with.
    fn new_section(&self, field: &str, pair: &str) -> String {
        let head = match self.text.trim().is_empty() {
            true => format!(
                "# Limits of this project's messages. Lengths are bytes (UTF-8, without NUL), counts are items.{0}\
                 version = 1{0}",
                self.newline
            ),
            false => String::new(),
        };
        format!("{head}{0}[fields]{0}\"{field}\" = {{ {pair} }}", self.newline)
    }
}

/// Where the last value of a table ends, tables under dotted keys included.
fn last_end(table: &Table) -> usize {
    own_end(table).unwrap_or(0)
}

/// Where the last line that belongs to a table itself ends, without tables that have a header.
fn own_end(table: &Table) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, item)| match item {
        Item::Table(inner) if inner.is_dotted() => own_end(inner),
        Item::Value(value) => value.span().map(|span| span.end),
        _ => None,
    });
    ends.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, field: &str, change: LimitChange, expected: &str) {
        let after = set_limit(before, field, change).map_err(|why| why.to_string());
        assert_eq!(after.as_deref(), Ok(expected), "from {before:?}");
        // Line ends of the other kind, and a byte order mark, change nothing.
        let crlf = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
        if before.contains('\n') {
            assert_eq!(set_limit(&crlf(before), field, change).as_deref(), Ok(crlf(expected).as_str()));
        }
    }

    const LEN: LimitChange = LimitChange::MaxLen(20);

    #[test]
    fn an_entry_is_changed_in_place() {
        check(
            "# top\n[fields]\n\"T.a\"  =  {max_count=3,max_len = 16}   # tail\n\"T.b\" = { max_len = 1 }\n",
            "T.a",
            LEN,
            "# top\n[fields]\n\"T.a\"  =  {max_count=3,max_len = 20}   # tail\n\"T.b\" = { max_len = 1 }\n",
        );
    }

    #[test]
    fn a_setting_is_added_to_an_entry() {
        check(
            "[fields]\n\"T.a\" = { max_count = 3 } # x\n",
            "T.a",
            LEN,
            "[fields]\n\"T.a\" = { max_count = 3, max_len = 20 } # x\n",
        );
        check("[fields]\n\"T.a\" = {}\n", "T.a", LEN, "[fields]\n\"T.a\" = { max_len = 20 }\n");
        check(
            "[fields.\"T.a\"] # x\nmax_count = 3 # y\n\n[messages]\n",
            "T.a",
            LEN,
            "[fields.\"T.a\"] # x\nmax_count = 3 # y\nmax_len = 20\n\n[messages]\n",
        );
        check(
            "[fields]\n\"T.a\".max_count = 3\n\"T.b\".max_len = 1\n",
            "T.a",
            LEN,
            "[fields]\n\"T.a\".max_count = 3\n\"T.a\".max_len = 20\n\"T.b\".max_len = 1\n",
        );
    }

    #[test]
    fn an_exact_entry_is_added_under_a_pattern() {
        check(
            "[fields]\n\"T.*\" = { max_len = 1 } # all\n\n# next\n[messages]\n\"T\" = { optimize = \"size\" }\n",
            "T.a",
            LEN,
            "[fields]\n\"T.*\" = { max_len = 1 } # all\n\"T.a\" = { max_len = 20 }\n\n# next\n[messages]\n\"T\" = { optimize = \"size\" }\n",
        );
    }

    #[test]
    fn every_shape_of_the_section_takes_a_new_entry() {
        let line = "\"T.a\" = { max_len = 20 }\n";
        check("[fields]\n", "T.a", LEN, &format!("[fields]\n{line}"));
        check("version = 1\n", "T.a", LEN, &format!("version = 1\n\n[fields]\n{line}"));
        check(
            "version = 1\nfields = {}\n",
            "T.a",
            LEN,
            "version = 1\nfields = { \"T.a\" = { max_len = 20 } }\n",
        );
        check(
            "fields.\"T.b\" = { max_len = 1 }\nversion = 1\n",
            "T.a",
            LEN,
            "fields.\"T.b\" = { max_len = 1 }\nfields.\"T.a\" = { max_len = 20 }\nversion = 1\n",
        );
        check(
            "[fields.\"T.b\"]\nmax_len = 1\n",
            "T.a",
            LEN,
            "[fields.\"T.b\"]\nmax_len = 1\n\n[fields.\"T.a\"]\nmax_len = 20\n",
        );
    }

    #[test]
    fn a_text_without_its_last_line_end_gets_one() {
        check("[fields]", "T.a", LEN, "[fields]\n\"T.a\" = { max_len = 20 }\n");
        check("version = 1", "T.a", LEN, "version = 1\n\n[fields]\n\"T.a\" = { max_len = 20 }\n");
    }

    #[test]
    fn nothing_gives_a_whole_file() {
        let after = set_limit("", "T.a", LimitChange::Storage(StorageChoice::Streamed)).unwrap();
        assert!(after.starts_with("# ") && after.contains("\nversion = 1\n\n[fields]\n"));
        assert!(after.ends_with("\"T.a\" = { storage = \"streamed\" }\n"));
    }

    #[test]
    fn a_change_back_gives_the_text_from_before() {
        let before = "[fields]\r\n'T.a' = { int_width = 16 }#x\r\n";
        let after = set_limit(before, "T.a", LimitChange::IntWidth(IntWidth::W8)).unwrap();
        assert_eq!(set_limit(&after, "T.a", LimitChange::IntWidth(IntWidth::W16)).as_deref(), Ok(before));
    }

    #[test]
    fn what_cannot_be_changed_safely_is_refused() {
        for (text, field, change) in [
            ("[fields\n", "T.a", LEN),
            ("fields = 3\n", "T.a", LEN),
            ("", "T.a", LimitChange::MaxLen(0)),
            ("", "T.a", LimitChange::MaxCount(65_536)),
            ("", "T.\"a", LEN),
        ] {
            assert!(set_limit(text, field, change).is_err(), "{text:?}");
        }
    }
}
