//! What is wrong with a message's bytes. Problems are collected; none of them ends the decode.

use std::fmt;
use std::ops::Range;

use crate::diagnostic::Severity;

/// One problem or remark about bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Error: a decoder that follows the specification refuses the message. Warning: a value is lost or altered.
    /// Note: legal, but worth knowing.
    pub severity: Severity,
    /// What it is, for code that sorts and counts.
    pub kind: ProblemKind,
    /// The bytes it is about; empty at the end of the input where bytes are missing.
    pub range: Range<usize>,
    /// Index of the span it is about, where there is one.
    pub span: Option<u32>,
    /// The field's path, as [`super::span_path`] writes it; empty at the top.
    pub path: String,
    /// What is wrong, in words that name the values.
    pub message: String,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// The bytes end too early.
    Cut,
    /// A varint of more than ten bytes.
    VarintTooLong,
    /// A varint with bits over 64.
    VarintOver64Bits,
    /// A varint that takes more bytes than it needs.
    OverlongVarint,
    /// Field number 0 or over 2^29-1.
    FieldNumber,
    /// Wire type 6 or 7.
    WireType,
    /// A group without its end, an end without its group, or the end of another group.
    Group,
    /// Nested deeper than decoders go.
    TooDeep,
    /// Packed fixed-size items that do not fill their length.
    PackedLength,
    /// Invalid UTF-8 in a string.
    Utf8,
    /// A required field is missing.
    MissingRequired,
    /// No field has that number.
    UnknownField,
    /// A field with another wire type than declared.
    OtherWireType,
    /// A number the enum does not name.
    UnknownEnumValue,
    /// A value wider than its field.
    WiderThanField,
    /// A singular field that occurs again, a map key that occurs again, or a oneof that switches.
    Repeated,
    /// More problems than are listed.
    LeftOut,
}

/// `offset 12, samples[3].x: message`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}", self.range.start)?;
        if !self.path.is_empty() {
            write!(f, ", {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Most problems listed for one message; the rest are counted.
pub(crate) const MAX_PROBLEMS: usize = 1000;

/// Collects problems up to [`MAX_PROBLEMS`] and counts all of them.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub list: Vec<Problem>,
    pub errors: usize,
    left_out: usize,
}

/// A point in a collection that it can go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    listed: usize,
    pub errors: usize,
    left_out: usize,
}

impl Problems {
    pub fn mark(&self) -> Mark {
        Mark { listed: self.list.len(), errors: self.errors, left_out: self.left_out }
    }

    /// Forgets what was added since.
    pub fn back_to(&mut self, mark: Mark) {
        self.list.truncate(mark.listed);
        self.errors = mark.errors;
        self.left_out = mark.left_out;
    }

    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_PROBLEMS
    }

    /// `path` is asked only if the problem is kept.
    pub fn add(
        &mut self,
        severity: Severity,
        kind: ProblemKind,
        range: Range<usize>,
        span: Option<u32>,
        path: impl FnOnce() -> String,
        message: String,
    ) {
        self.errors += usize::from(severity == Severity::Error);
        if self.is_full() {
            self.left_out += 1;
            return;
        }
        self.list.push(Problem { severity, kind, range, span, path: path(), message });
    }

    /// By offset, and one line for those left out.
    pub fn finish(mut self, end: usize) -> (Vec<Problem>, usize) {
        self.list.sort_by_key(|p| p.range.start);
        if self.left_out > 0 {
            self.list.push(Problem {
                severity: Severity::Warning,
                kind: ProblemKind::LeftOut,
                range: end..end,
                span: None,
                path: String::new(),
                message: format!("{} more problems are not listed", self.left_out),
            });
        }
        (self.list, self.errors)
    }
}
