//! A nanopb `.options` file: lines of a name or pattern and options.
//!
//! ```text
//! # comment      // comment      /* comment */
//! *Config.name   max_size:16     # for strings the NUL counts
//! T.list         max_count:4, int_size:IS_16;
//! ```

use super::nanopb::NanopbOption;
use crate::diagnostic::{Diagnostic, Span};
use crate::schema::SourceText;

/// One line.
#[derive(Clone, Debug)]
pub(super) struct OptionsLine {
    pub pattern: String,
    /// Where the pattern stands.
    pub span: Span,
    pub options: Vec<NanopbOption>,
}

/// Reads an `.options` file: its lines, and what is wrong with them.
pub(super) fn read_options(source: &SourceText) -> (Vec<OptionsLine>, Vec<Diagnostic>) {
    let text = without_comments(&source.text);
    let mut lines = Vec::new();
    let mut found = Vec::new();
    // A blanked comment has no mark left, except one that never ends.
    if let Some(at) = text.find("/*") {
        found.push(Diagnostic::error(
            Some(source.span(at..at + 2)),
            "this comment is never closed".to_owned(),
        ));
    }
    let mut start = 0;
    let readable = text.find("/*").unwrap_or(text.len());
    for line in text[..readable].split('\n') {
        read_line(source, line, start, &mut lines, &mut found);
        start += line.len() + 1;
    }
    (lines, found)
}

fn read_line(
    source: &SourceText,
    line: &str,
    start: usize,
    lines: &mut Vec<OptionsLine>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(indent) = line.find(|c: char| !c.is_whitespace()) else { return };
    let rest = &line[indent..];
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let span = source.span(start + indent..start + indent + len);
    let mut scan = Scan { line, at: indent + len };
    let mut options = Vec::new();
    let problems_before = found.len();
    loop {
        scan.skip(|c| c.is_whitespace() || c == ',' || c == ';');
        if scan.at == line.len() {
            break;
        }
        let name_at = scan.at;
        let name = scan.take(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        scan.skip(char::is_whitespace);
        let has_colon = scan.eat(':');
        scan.skip(char::is_whitespace);
        let value = if has_colon { scan.value() } else { None };
        let here = source.span(start + name_at..start + scan.at.max(name_at + 1).min(line.len()));
        match value {
            Some(value) if !name.is_empty() => options.push(NanopbOption { name, value, span: here }),
            _ => {
                let problem = Diagnostic::error(Some(here), "this is not an option".to_owned());
                found.push(problem.with_help("write name:value, such as max_size:16"));
                break;
            }
        }
    }
    if options.is_empty() && found.len() == problems_before {
        let problem = Diagnostic::error(Some(span.clone()), "a name without options".to_owned());
        found.push(problem.with_help("write an option behind it, such as max_size:16"));
    }
    lines.push(OptionsLine { pattern: rest[..len].to_owned(), span, options });
}

struct Scan<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn take(&mut self, ok: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.line[self.at..];
        let len = rest.find(|c| !ok(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn skip(&mut self, ok: impl Fn(char) -> bool) {
        self.take(ok);
    }

    fn eat(&mut self, c: char) -> bool {
        let is_next = self.line[self.at..].starts_with(c);
        if is_next {
            self.at += c.len_utf8();
        }
        is_next
    }

    /// A number, word or quoted text.
    fn value(&mut self) -> Option<String> {
        for quote in ['"', '\''] {
            if self.eat(quote) {
                let text = self.take(|c| c != quote).to_owned();
                return self.eat(quote).then_some(text);
            }
        }
        let word = self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.'));
        (!word.is_empty()).then(|| word.to_owned())
    }
}

/// The text with comments blanked: same length and lines, so that places stay right. A comment that is
/// never closed stays.
fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    let mut quote: Option<u8> = None;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let len = match (quote, rest[0]) {
            (_, b'\n') => {
                quote = None;
                0
            }
            (Some(open), byte) => {
                if byte == open {
                    quote = None;
                }
                0
            }
            (None, byte @ (b'"' | b'\'')) => {
                quote = Some(byte);
                0
            }
            (None, b'/') if rest.starts_with(b"/*") => {
                match text.get(at + 2..).and_then(|inside| inside.find("*/")) {
                    Some(end) => end + 4,
                    None => break,
                }
            }
            (None, b'#') => line_len(rest),
            (None, b'/') if rest.starts_with(b"//") => line_len(rest),
            _ => 0,
        };
        for byte in &mut bytes[at..at + len] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += len.max(1);
    }
    // Whole comments were blanked, so no character was cut.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn line_len(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &[(&str, &str)])]) {
        let (lines, found) = read_options(&SourceText::from_text("a.options".into(), text));
        let read: Vec<_> = lines
            .iter()
            .map(|line| {
                let options =
                    line.options.iter().map(|o| (o.name.as_str(), o.value.as_str())).collect::<Vec<_>>();
                (line.pattern.as_str(), options)
            })
            .collect();
        let expected: Vec<_> = expected.iter().map(|(name, options)| (*name, options.to_vec())).collect();
        assert_eq!(read, expected, "{found:?}");
    }

    #[test]
    fn comments_marks_and_quotes_are_read_as_nanopb_reads_them() {
        check(
            "# a\r\n// b\n/* c\n d */\n*.p max_size:16 # tail\n T.d\tmax_size:  32;\nT.l max_count:4, int_size:IS_16\nT.q max_length:\"20\"",
            &[
                ("*.p", &[("max_size", "16")]),
                ("T.d", &[("max_size", "32")]),
                ("T.l", &[("max_count", "4"), ("int_size", "IS_16")]),
                ("T.q", &[("max_length", "20")]),
            ],
        );
    }

    #[test]
    fn a_comment_without_end_is_an_error_and_ends_the_file() {
        let (lines, found) =
            read_options(&SourceText::from_text("a.options".into(), "T.a max_size:3\n/* x\nT.b max_size:4"));
        assert_eq!((lines.len(), found.len()), (1, 1));
    }

    #[test]
    fn a_broken_line_is_an_error_at_its_place() {
        let (_, found) = read_options(&SourceText::from_text("a.options".into(), "T.a max_size\n\nT.b"));
        let places: Vec<_> =
            found.iter().filter_map(|d| d.span.as_ref()).map(|s| (s.line, s.column)).collect();
        assert_eq!(places, [(1, 5), (3, 1)]);
    }
}
