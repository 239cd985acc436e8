//! What every byte is: a flat arena of small records.
//!
//! ```text
//! 1a 02 08 07      record 0..4  field 3 (m)
//! ──               ├ tag    0..1
//!    ──            ├ length 1..2
//!       ─────      └ record 2..4  field 1 (m.k)
//!       ──            ├ tag   2..3
//!          ──         └ value 3..4
//! ```
//! Records hold other spans; all others are leaves, and every byte lies in exactly one leaf.
//! A span is followed by everything inside it ([`ByteSpan::after`] is where that ends), so start offsets never fall.

use std::ops::Range;

use crate::origin::OriginId;
use crate::schema::{Cardinality, FieldRef, Model};

use super::varint::WireType;

/// One record or leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSpan {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
    /// What these bytes are.
    pub role: Role,
    /// How they stand to the schema.
    pub standing: Standing,
    /// Wire type of the record they belong to.
    pub wire_type: WireType,
    /// Messages around it: 0 at the top.
    pub depth: u8,
    /// Field number of the record they belong to; 0 for garbage outside of any.
    pub number: u32,
    /// Which item of a repeated or map field it is (the first, for a packed record); 0 for others.
    pub index: u32,
    /// The record it lies in.
    pub parent: Option<u32>,
    /// Index of the first span after everything inside this one.
    pub after: u32,
    /// The field of the schema with that number, even where the bytes do not fit it.
    pub field: Option<FieldRef>,
    /// Origin of that field.
    pub origin: Option<OriginId>,
}

/// What the bytes of a span are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A field with everything that belongs to it. The only role that is not a leaf.
    Record,
    /// Field number and wire type.
    Tag,
    /// Length of what follows.
    Length,
    /// A number, string or bytes.
    Value,
    /// One item of a packed field.
    PackedItem,
    /// End of a group.
    EndGroup,
    /// Bytes that cannot be read as anything.
    Garbage,
}

/// How a span stands to the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// As declared; or there is no schema and the bytes are well formed.
    Known,
    /// No field has that number.
    Unknown,
    /// The field is declared with another wire type: it counts as unknown.
    OtherWireType,
    /// A number a closed enum does not name: it counts as unknown.
    UnknownEnumValue,
    /// Cut off or malformed: it has no value.
    Damaged,
}

impl ByteSpan {
    /// Its bytes' offsets.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it holds bytes itself and no other spans.
    pub fn is_leaf(&self) -> bool {
        self.role != Role::Record
    }
}

/// Index of the leaf that holds the byte at `offset`.
pub fn leaf_at(spans: &[ByteSpan], offset: usize) -> Option<usize> {
    let after = spans.partition_point(|s| s.start as usize <= offset);
    let at = after.checked_sub(1)?;
    (spans[at].is_leaf() && spans[at].range().contains(&offset)).then_some(at)
}

/// Where a span is, as a person writes it: `samples[3].x`; `#7` for a field the schema does not know.
/// Empty for bytes that belong to no field.
pub fn path(model: Option<&Model>, spans: &[ByteSpan], at: usize) -> String {
    let mut steps = Vec::new();
    let mut next = Some(at as u32);
    let mut below: Option<Role> = None;
    while let Some(span) = next.and_then(|at| spans.get(at as usize)) {
        if span.role == Role::Record {
            let index = match below {
                // An item of a packed record counts on from the record's first.
                Some(Role::PackedItem) => spans[at].index,
                _ => span.index,
            };
            steps.push(step(model, span, index));
        }
        below = Some(span.role);
        next = span.parent;
    }
    steps.reverse();
    steps.join(".")
}

fn step(model: Option<&Model>, span: &ByteSpan, index: u32) -> String {
    match span.field.zip(model) {
        Some((field, model)) => {
            let field = model.field(field);
            match field.cardinality {
                Cardinality::Singular => field.proto_name.clone(),
                Cardinality::Repeated | Cardinality::Map => format!("{}[{index}]", field.proto_name),
            }
        }
        None => format!("#{}", span.number),
    }
}
