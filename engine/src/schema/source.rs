//! One source file as text: what every span refers to, and what saving has to restore.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, whole_characters};

/// Longest source that is read, in bytes. A schema is text written by people: the largest known have under 1 MB.
const MAX_BYTES: usize = 8 << 20;

/// A source as the engine works on it: LF line ends, no byte order mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path as the [`crate::files::Files`] knows it.
    pub path: Arc<str>,
    /// The text that spans refer to. Of a file that is not UTF-8: with replacement characters.
    pub text: Arc<str>,
    /// Whether the file starts with a byte order mark, which saving must keep.
    pub had_bom: bool,
    /// Whether every line ends with CRLF.
    pub crlf: bool,
    /// Whether some lines end with CRLF and others with LF.
    pub mixed_line_ends: bool,
    /// False for a file that may only be looked at: saving it would destroy bytes.
    pub is_utf8: bool,
    /// Where each line starts.
    lines: Arc<[usize]>,
}

impl SourceText {
    /// Reads a file's bytes; the diagnostic says why it cannot be used as a source.
    pub fn from_bytes(path: &str, bytes: &[u8]) -> (SourceText, Option<Diagnostic>) {
        let file: Arc<str> = Arc::from(path);
        if bytes.len() > MAX_BYTES {
            let problem = Diagnostic::error(
                Some(Span::of(file.clone(), "", 0..0)),
                format!("{path} has {} bytes: more than the {MAX_BYTES} a schema may have", bytes.len()),
            );
            return (SourceText::from_text(file, ""), Some(problem));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => (SourceText::from_text(file, text), None),
            Err(why) => {
                let mut source = SourceText::from_text(file, &String::from_utf8_lossy(bytes));
                source.is_utf8 = false;
                let good = String::from_utf8_lossy(&bytes[..why.valid_up_to()]);
                let at = SourceText::from_text(source.path.clone(), &good).text.len();
                let span = Span::of(source.path.clone(), &source.text, at..at);
                let problem = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
                    Diagnostic::error(Some(span), format!("{path} is UTF-16, not UTF-8"))
                } else {
                    let byte = bytes[why.valid_up_to()];
                    Diagnostic::error(
                        Some(span),
                        format!("{path} is not UTF-8: byte 0x{byte:02x} fits nowhere"),
                    )
                };
                (source, Some(problem.with_help("save the file as UTF-8")))
            }
        }
    }

    /// A source from text that may have CRLF line ends and a byte order mark.
    pub fn from_text(path: Arc<str>, text: &str) -> SourceText {
        let had_bom = text.starts_with('\u{feff}');
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let all = text.bytes().filter(|byte| *byte == b'\n').count();
        let with_return = text.matches("\r\n").count();
        let mut source = match with_return {
            0 => SourceText::verbatim(path, text),
            _ => SourceText::verbatim(path, &text.replace("\r\n", "\n")),
        };
        source.had_bom = had_bom;
        source.crlf = with_return > 0 && with_return == all;
        source.mixed_line_ends = with_return > 0 && with_return < all;
        source
    }

    /// A source whose text is taken as it is, so that ranges fit the file's own bytes.
    pub(crate) fn verbatim(path: Arc<str>, text: &str) -> SourceText {
        let line_starts = text.match_indices('\n').map(|(at, _)| at + 1);
        SourceText {
            path,
            text: Arc::from(text),
            had_bom: false,
            crlf: false,
            mixed_line_ends: false,
            is_utf8: true,
            lines: std::iter::once(0).chain(line_starts).collect(),
        }
    }

    /// The span of a byte range of the text: [`Span::of`] without counting lines from the start.
    pub fn span(&self, range: std::ops::Range<usize>) -> Span {
        let range = whole_characters(&self.text, range);
        let line = self.lines.partition_point(|line_start| *line_start <= range.start);
        let column = self.text[self.lines[line - 1]..range.start].chars().count() + 1;
        Span { file: self.path.clone(), range, line: line as u32, column: column as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_byte_is_named_with_its_line() {
        let (source, problem) = SourceText::from_bytes("a.proto", b"\xef\xbb\xbfab\r\n// gr\xfc\n");
        let problem = problem.expect("0xfc alone is not UTF-8");
        assert_eq!(problem.span.map(|span| (span.line, span.column)), Some((2, 6)));
        assert!(problem.message.contains("0xfc") && !source.is_utf8);
    }

    #[test]
    fn spans_are_those_counted_from_the_start() {
        let text = "é\nxß = 1\n\nz";
        let source = SourceText::from_text("a.proto".into(), text);
        for at in 0..text.len() + 2 {
            assert_eq!(source.span(at..at + 1), Span::of("a.proto".into(), text, at..at + 1));
        }
    }

    #[test]
    fn line_ends_and_byte_order_mark_are_remembered() {
        let (source, _) = SourceText::from_bytes("a.proto", b"\xef\xbb\xbfa\r\nb\r\n");
        assert_eq!((&*source.text, source.had_bom, source.crlf), ("a\nb\n", true, true));
        let (source, _) = SourceText::from_bytes("a.proto", b"a\r\nb\n");
        assert_eq!((source.crlf, source.mixed_line_ends), (false, true));
    }
}
