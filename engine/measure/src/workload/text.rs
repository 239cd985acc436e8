//! Indented lines.

use std::fmt;

/// Rust text in the making.
#[derive(Default)]
pub struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// One line, or several of the same depth.
    pub fn line(&mut self, text: impl fmt::Display) {
        for line in text.to_string().lines() {
            if !line.is_empty() {
                self.text.extend(std::iter::repeat_n("    ", self.depth));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// `head {`, what `body` prints, `}` and `tail`.
    pub fn block<T>(&mut self, head: impl fmt::Display, tail: &str, body: impl FnOnce(&mut Lines) -> T) -> T {
        let head = head.to_string();
        let gap = if head.is_empty() { "" } else { " " };
        self.line(format_args!("{head}{gap}{{"));
        self.depth += 1;
        let value = body(self);
        self.depth -= 1;
        self.line(format_args!("}}{tail}"));
        value
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }
}
