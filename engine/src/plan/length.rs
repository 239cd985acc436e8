//! Longest encodings, exact: the encoder reaches each of them with some value.

use super::types::{Item, Label, MaxEncoded, Scalar, Storage};
use crate::schema::MessageId;
use crate::units::Bytes;

/// Length of a varint.
pub fn varint(v: u64) -> u64 {
    u64::from(64 - (v | 1).leading_zeros()).div_ceil(7)
}

/// Length of a field's tag.
pub fn tag(number: u32) -> u64 {
    varint(u64::from(number) << 3)
}

/// Longest encoding of a scalar without its tag.
fn scalar(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => 1,
        Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32 => 4,
        Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64 => 8,
        Scalar::Uint32 | Scalar::Sint32 => 5,
        // A negative int32 is sign-extended to 64 bits.
        Scalar::Int32 | Scalar::Int64 | Scalar::Uint64 | Scalar::Sint64 => 10,
    }
}

/// A length and the payload behind it.
fn delimited(payload: u64) -> u64 {
    varint(payload).saturating_add(payload)
}

/// What is known of a longest encoding: bytes, and what streams without a limit add to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Bytes with the payloads of streams that have a limit.
    pub bytes: u64,
    /// Bytes without any streamed payload; their tags and lengths included.
    pub fixed: u64,
    /// Names of streamed fields without a limit.
    pub endless: Vec<String>,
}

impl Longest {
    fn of(bytes: u64) -> Longest {
        Longest { bytes, fixed: bytes, endless: Vec::new() }
    }

    /// Both after one another.
    pub fn and(mut self, other: Longest) -> Longest {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.fixed = self.fixed.saturating_add(other.fixed);
        self.endless.extend(other.endless);
        self
    }

    /// One of both.
    pub fn or(mut self, other: Longest) -> Longest {
        self.bytes = self.bytes.max(other.bytes);
        self.fixed = self.fixed.max(other.fixed);
        self.endless.extend(other.endless);
        self
    }

    /// The plan's form of it.
    pub fn max_encoded(&self) -> MaxEncoded {
        if self.endless.is_empty() {
            MaxEncoded::Bounded(Bytes(self.bytes))
        } else {
            MaxEncoded::FixedPlus { fixed: Bytes(self.fixed), streams: self.endless.clone() }
        }
    }
}

/// Longest encoding of a field, tags included. `message` knows those of nested messages.
pub fn field(
    name: &str,
    number: u32,
    storage: &Storage,
    label: Label,
    is_group: bool,
    message: impl Fn(MessageId) -> Longest,
) -> Longest {
    let tag = tag(number);
    let one = |item: &Item| match item {
        Item::Scalar(kind) => Longest::of(scalar(*kind)),
        Item::Enum { .. } => Longest::of(10),
        Item::Text { cap, .. } | Item::Bytes { cap } => Longest::of(delimited(u64::from(*cap))),
        Item::Message(id) => {
            let body = message(*id);
            if is_group {
                // A second tag in place of the length.
                return Longest::of(tag).and(body);
            }
            let head = varint(if body.endless.is_empty() { body.bytes } else { u64::from(u32::MAX) });
            Longest::of(head).and(body)
        }
    };
    match storage {
        Storage::One(item) => Longest::of(tag).and(one(item)),
        Storage::List { cap, item, packed } => {
            let item = one(item);
            let count = u64::from(*cap);
            if *packed {
                return Longest::of(tag.saturating_add(delimited(count.saturating_mul(item.bytes))));
            }
            Longest {
                bytes: count.saturating_mul(tag.saturating_add(item.bytes)),
                fixed: count.saturating_mul(tag.saturating_add(item.fixed)),
                endless: item.endless,
            }
        }
        Storage::Streamed { max_len, .. } => {
            debug_assert!(label == Label::Stream);
            let head = varint(u64::from(max_len.unwrap_or(u32::MAX)));
            let fixed = tag.saturating_add(head);
            Longest {
                bytes: fixed.saturating_add(max_len.map_or(0, u64::from)),
                fixed,
                endless: if max_len.is_none() { vec![name.to_owned()] } else { Vec::new() },
            }
        }
    }
}
