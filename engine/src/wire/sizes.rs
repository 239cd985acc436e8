//! Where the bytes go: tag, length and payload per field, and what share of a message carries no value.

use std::collections::HashMap;

use crate::origin::OriginId;
use crate::schema::FieldRef;

use super::span::{ByteSpan, Role};

/// Bytes of one field, over all places where it occurs in a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldSize {
    /// The field; `None` for all that the schema does not know.
    pub field: Option<FieldRef>,
    /// Its origin.
    pub origin: Option<OriginId>,
    /// How often it occurs as a record.
    pub records: u64,
    /// Bytes of tags, group ends included.
    pub tag: u64,
    /// Bytes of lengths.
    pub length: u64,
    /// Bytes of values that are its own: of nested messages, only what no field of theirs takes.
    pub payload: u64,
}

/// Bytes of a message by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// In the order of first occurrence; garbage and unknown fields together at the end.
    pub fields: Vec<FieldSize>,
    /// All bytes.
    pub total: u64,
    /// Bytes of tags and lengths.
    pub overhead: u64,
}

impl FieldSize {
    /// All its bytes.
    pub fn total(&self) -> u64 {
        self.tag + self.length + self.payload
    }
}

impl Sizes {
    /// Share of tags and lengths, in percent of all bytes; 0 for an empty message.
    pub fn overhead_percent(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.overhead as f64 * 100.0 / self.total as f64 }
    }
}

/// Adds up the leaves of an arena. The fields' totals make up the message's.
pub fn sizes(spans: &[ByteSpan]) -> Sizes {
    let mut sizes = Sizes::default();
    let mut places: HashMap<FieldRef, usize> = HashMap::new();
    let mut unknown = FieldSize::default();
    for span in spans {
        let size = match span.field {
            Some(field) => {
                let at = *places.entry(field).or_insert_with(|| {
                    sizes.fields.push(FieldSize {
                        field: Some(field),
                        origin: span.origin,
                        ..FieldSize::default()
                    });
                    sizes.fields.len() - 1
                });
                &mut sizes.fields[at]
            }
            None => &mut unknown,
        };
        let bytes = u64::from(span.end - span.start);
        match span.role {
            Role::Record => {
                size.records += 1;
                continue;
            }
            Role::Tag | Role::EndGroup => size.tag += bytes,
            Role::Length => size.length += bytes,
            Role::Value | Role::PackedItem | Role::Garbage => size.payload += bytes,
        }
        sizes.total += bytes;
        if matches!(span.role, Role::Tag | Role::EndGroup | Role::Length) {
            sizes.overhead += bytes;
        }
    }
    if unknown.total() > 0 {
        sizes.fields.push(unknown);
    }
    sizes
}
