//! From the plan to readable Rust, with the origin of every line. Cannot fail.

use std::ops::Range;

use crate::origin::OriginId;

/// Generated Rust: one file, and which part of it belongs to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The whole file.
    pub text: String,
    /// Byte ranges of `text` with their origin; nested ranges follow their parent, innermost last.
    pub spans: Vec<CodeSpan>,
}

/// A part of the generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSpan {
    /// Byte range in [`Printed::text`].
    pub range: Range<usize>,
    /// What it belongs to.
    pub origin: OriginId,
}

impl Printed {
    /// The innermost origin at a byte offset.
    pub fn origin_at(&self, offset: usize) -> Option<OriginId> {
        self.spans.iter().rev().find(|s| s.range.contains(&offset)).map(|s| s.origin)
    }
}
