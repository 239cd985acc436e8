//! What is wrong with the user's input: where, in which words, and what to do about it.
//!
//! Diagnostics are collected, never thrown; the last good result stays usable beside them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing: a chosen default, a widened direction.
    Note,
    /// Something is probably not as meant; the result is still usable.
    Warning,
    /// The named thing could not be used.
    Error,
}

/// A place in a source file: byte offsets into its text (LF, without byte order mark).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Path as the [`crate::files::Files`] knows it.
    pub file: Arc<str>,
    /// Byte range in the text.
    pub range: Range<usize>,
    /// First line, counted from 1.
    pub line: u32,
    /// First column in characters, counted from 1.
    pub column: u32,
}

impl Span {
    /// The span of `range` in `text`, widened to whole characters. Offsets outside the text are moved to its end.
    pub fn of(file: Arc<str>, text: &str, range: Range<usize>) -> Span {
        let range = whole_characters(text, range);
        let before = &text[..range.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|b| *b == b'\n').count() as u32 + 1;
        let column = before[line_start..].chars().count() as u32 + 1;
        Span { file, range, line, column }
    }
}

/// The range moved into the text, and widened where it begins or ends inside a character.
pub(crate) fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    let mut end = range.end.clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// One problem or remark about the user's input.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where; `None` when it belongs to no place in a file.
    pub span: Option<Span>,
    /// What is wrong, in one sentence that names the thing.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Option<Span>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, span, message: message.into(), help: None }
    }

    /// A warning at `span`.
    pub fn warning(span: Option<Span>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, span, message: message.into(), help: None }
    }

    /// A note at `span`.
    pub fn note(span: Option<Span>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, span, message: message.into(), help: None }
    }

    /// The same with advice on what to do.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// `file:line:column: error: message`, with the help on a second line.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(span) = &self.span {
            write!(f, "{}:{}:{}: ", span.file, span.line, span.column)?;
        }
        let word = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{word}: {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_names_line_and_column_in_characters() {
        let span = Span::of("a.proto".into(), "é\nxß = 1", 6..9);
        assert_eq!((span.line, span.column), (2, 3));
    }

    #[test]
    fn a_span_past_the_end_is_moved_to_the_end() {
        let span = Span::of("a.proto".into(), "ab", 9..12);
        assert_eq!(span.range, 2..2);
    }
}
