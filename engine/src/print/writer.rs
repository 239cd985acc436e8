//! Text with indentation, and the origin of every part of it.

use super::{CodeSpan, Printed};
use crate::origin::OriginId;

/// Collects lines.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    spans: Vec<CodeSpan>,
    indent: usize,
}

impl Writer {
    /// One line, indented; an empty one has no trailing spaces.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            for _ in 0..self.indent {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// An empty line, unless the last line opened a block or was empty.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("{\n") && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// `head {`, the body one step further in, and `}`.
    pub fn block(&mut self, head: impl AsRef<str>, body: impl FnOnce(&mut Writer)) {
        self.block_ending(head, "}", body);
    }

    /// As [`Writer::block`], with another last line: `};` or `},`.
    pub fn block_ending(&mut self, head: impl AsRef<str>, end: &str, body: impl FnOnce(&mut Writer)) {
        self.line(format!("{} {{", head.as_ref()));
        self.inside(body);
        self.line(end);
    }

    /// The body one step further in.
    pub fn inside(&mut self, body: impl FnOnce(&mut Writer)) {
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    /// Everything the body writes belongs to `origin`.
    pub fn scope(&mut self, origin: OriginId, body: impl FnOnce(&mut Writer)) {
        let at = self.spans.len();
        let start = self.text.len();
        self.spans.push(CodeSpan { range: start..start, origin });
        body(self);
        self.spans[at].range.end = self.text.len();
    }

    /// A schema comment as documentation. What Rust's documentation would take for code stays text.
    pub fn docs(&mut self, comment: &str) {
        for line in comment.lines() {
            let is_direction = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let clean: String = line
                .trim()
                .replace("```", "'''")
                .chars()
                .filter(|c| !is_direction(*c) && !c.is_control())
                .collect();
            self.line(if clean.is_empty() { "///".to_owned() } else { format!("/// {clean}") });
        }
    }

    /// The result.
    pub fn finish(self) -> Printed {
        let mut spans = self.spans;
        spans.retain(|s| !s.range.is_empty());
        Printed { text: self.text, spans }
    }
}
