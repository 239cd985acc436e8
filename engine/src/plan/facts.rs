//! What follows from the plan and several of its readers need: which messages stream or have required fields, longest
//! encodings without payloads, and what the table interpreter has to know.

use super::length::{self, Longest};
use super::types::{FieldPlan, Item, Label, MessagePlan, Plan, Scalar, Storage, Style};
use crate::options::Direction;
use crate::schema::MessageId;

/// Facts of all messages, by their position in [`Plan::messages`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Has streamed fields, or holds a message that does.
    pub streams: Vec<bool>,
    /// Has required fields, or holds a message that does.
    pub requires: Vec<bool>,
    /// Longest encoding.
    pub longest: Vec<Longest>,
    /// What the interpreter meets while encoding, decoding, measuring.
    pub uses: Uses,
}

/// Masks of the runtime's `table::uses`, by name in [`USE_NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// While encoding.
    pub encode: u32,
    /// While decoding.
    pub decode: u32,
    /// While measuring.
    pub measure: u32,
}

/// Names of the bits of [`Uses`], in the runtime's order.
pub const USE_NAMES: [&str; 26] = [
    "SINT32", "SINT64", "INT32", "INT64", "BOOL", "FIXED32", "FIXED64", "TEXT", "BYTES", "MESSAGE",
    "IMPLICIT", "FLAG", "ONEOF", "LIST", "SCALARS", "CLOSED", "STREAM", "LARGE", "WIDE_TAG", "LONG", "ODD",
    "CODE", "REQUIRED", "MAP", "GROUP", "UNKNOWN",
];

/// The bit of a name in [`USE_NAMES`].
fn bit(name: &str) -> u32 {
    USE_NAMES.iter().position(|n| *n == name).map_or(0, |at| 1 << at)
}

/// The first offset that needs the table's escape.
pub const OFFSET_IN_TABLE: u64 = 0x7ff;

/// The highest field number a table can hold.
pub const HIGHEST_IN_TABLE: u32 = 2047;

impl MessagePlan {
    /// Whether a table can describe it.
    pub fn fits_table(&self) -> bool {
        self.fields.iter().all(|f| f.number <= HIGHEST_IN_TABLE)
    }

    /// Whether its encode half is made.
    pub fn encodes(&self) -> bool {
        self.direction != Direction::Decode
    }

    /// Whether its decode half is made.
    pub fn decodes(&self) -> bool {
        self.direction != Direction::Encode
    }
}

impl FieldPlan {
    /// The item type, unless it is streamed.
    pub fn item(&self) -> Option<Item> {
        match self.storage {
            Storage::One(item) | Storage::List { item, .. } => Some(item),
            Storage::Streamed { .. } => None,
        }
    }

    /// The nested message's id.
    pub fn child(&self) -> Option<MessageId> {
        match self.item() {
            Some(Item::Message(id)) => Some(id),
            _ => None,
        }
    }
}

impl Plan {
    /// Positions in [`Plan::messages`], children before those that hold them.
    pub fn bottom_up(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.messages.len());
        let mut state = vec![0u8; self.messages.len()];
        for root in 0..self.messages.len() {
            let mut stack = vec![root];
            while let Some(at) = stack.last().copied() {
                if state[at] == 0 {
                    state[at] = 1;
                    let inner = self.messages[at].fields.iter().filter_map(FieldPlan::child);
                    stack.extend(
                        inner.filter_map(|id| self.index.get(&id).copied()).filter(|c| state[*c] == 0),
                    );
                } else {
                    stack.pop();
                    if state[at] == 1 {
                        state[at] = 2;
                        order.push(at);
                    }
                }
            }
        }
        order
    }

    /// The facts of all messages.
    pub fn facts(&self) -> Facts {
        let n = self.messages.len();
        let mut facts = Facts {
            streams: vec![false; n],
            requires: vec![false; n],
            longest: vec![Longest::default(); n],
            uses: Uses::default(),
        };
        let order = self.bottom_up();
        for at in &order {
            let message = &self.messages[*at];
            let child = |f: &FieldPlan| f.child().and_then(|id| self.index.get(&id).copied());
            facts.streams[*at] = message
                .fields
                .iter()
                .any(|f| f.label == Label::Stream || child(f).is_some_and(|c| facts.streams[c]));
            facts.requires[*at] = message.fields.iter().any(|f| {
                matches!(f.label, Label::Required { .. }) || child(f).is_some_and(|c| facts.requires[c])
            });
            facts.longest[*at] = message_longest(message, |id| {
                self.index.get(&id).map(|c| facts.longest[*c].clone()).unwrap_or_default()
            });
        }
        // Parents first: a table takes its children along, unless they bring code.
        let mut encode: Vec<bool> =
            self.messages.iter().map(|m| m.style == Style::Table && m.encodes()).collect();
        let mut decode: Vec<bool> =
            self.messages.iter().map(|m| m.style != Style::Straight && m.decodes()).collect();
        let mut measure: Vec<bool> =
            self.messages.iter().map(|m| m.style != Style::Straight && m.encodes()).collect();
        for at in order.iter().rev() {
            let message = &self.messages[*at];
            if message.style == Style::Straight {
                continue;
            }
            for child in message.fields.iter().filter_map(FieldPlan::child) {
                let Some(child) = self.index.get(&child).copied() else { continue };
                if self.messages[child].style != Style::Straight {
                    encode[child] |= encode[*at];
                    decode[child] |= decode[*at];
                    measure[child] |= measure[*at];
                }
            }
        }
        for (at, message) in self.messages.iter().enumerate() {
            let uses = self.message_uses(message, &facts);
            for (mask, is_met) in [
                (&mut facts.uses.encode, encode[at]),
                (&mut facts.uses.decode, decode[at]),
                (&mut facts.uses.measure, measure[at]),
            ] {
                if is_met {
                    *mask |= uses;
                }
            }
        }
        facts
    }

    fn message_uses(&self, message: &MessagePlan, facts: &Facts) -> u32 {
        let mut uses = 0;
        for field in &message.fields {
            uses |= self.field_uses(message, field, facts);
        }
        if let Some(unknown) = &message.unknown {
            uses |= bit("UNKNOWN");
            if unknown.offset >= OFFSET_IN_TABLE {
                uses |= bit("LARGE");
            }
        }
        uses
    }

    fn field_uses(&self, message: &MessagePlan, field: &FieldPlan, facts: &Facts) -> u32 {
        let mut uses = match field.item() {
            Some(Item::Scalar(scalar)) => match scalar {
                Scalar::Uint32 => 0,
                Scalar::Int32 => bit("INT32"),
                Scalar::Sint32 => bit("SINT32"),
                Scalar::Uint64 | Scalar::Int64 => bit("INT64"),
                Scalar::Sint64 => bit("SINT64"),
                Scalar::Bool => bit("BOOL"),
                Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32 => bit("FIXED32"),
                Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64 => bit("FIXED64"),
            },
            Some(Item::Enum { closed: false, .. }) => bit("INT32"),
            Some(Item::Enum { closed: true, .. }) => bit("CLOSED"),
            Some(Item::Text { checked: true, .. }) => bit("TEXT"),
            Some(Item::Text { checked: false, .. } | Item::Bytes { .. }) => bit("BYTES"),
            Some(Item::Message(id)) => {
                let mut uses = bit("MESSAGE");
                if let Some(child) = self.index.get(&id).copied() {
                    let longest = &facts.longest[child];
                    if longest.bytes > 127 || !longest.endless.is_empty() {
                        uses |= bit("LONG");
                    }
                    if !self.messages[child].layout.size.is_multiple_of(4) {
                        uses |= bit("ODD");
                    }
                    if self.messages[child].style == Style::Straight {
                        uses |= bit("CODE");
                    }
                }
                uses
            }
            None => bit("STREAM"),
        };
        uses |= match field.label {
            Label::Implicit if matches!(field.item(), Some(Item::Text { .. } | Item::Bytes { .. })) => {
                bit("IMPLICIT")
            }
            Label::Implicit | Label::Stream => 0,
            Label::Flag { .. } => bit("FLAG"),
            Label::Required { .. } | Label::Always => bit("REQUIRED"),
            Label::Oneof { .. } => bit("ONEOF"),
            Label::Repeated => match field.item() {
                Some(Item::Scalar(_) | Item::Enum { .. }) => bit("SCALARS"),
                _ => bit("LIST"),
            },
        };
        if field.is_group {
            uses |= bit("GROUP");
        }
        if field.is_map {
            uses |= bit("MAP");
        }
        if field.number > 15 {
            uses |= bit("WIDE_TAG");
        }
        if self.is_large(message, field) {
            uses |= bit("LARGE");
        }
        uses
    }

    /// Whether a field needs the table's escape.
    pub fn is_large(&self, message: &MessagePlan, field: &FieldPlan) -> bool {
        if field.label == Label::Stream {
            return false;
        }
        let state = match field.label {
            Label::Flag { bit } | Label::Required { bit } => message.has_offset + u64::from(bit / 8),
            Label::Oneof { oneof, .. } => message.oneofs.get(oneof).map_or(0, |o| o.offset),
            _ => 0,
        };
        let list = match &field.storage {
            Storage::List { cap, item, .. } => u64::from(*cap).max(self.item_layout(item).size),
            _ => 0,
        };
        field.offset >= OFFSET_IN_TABLE || state >= 4096 || list >= 4096
    }

    /// Layout of one value.
    pub fn item_layout(&self, item: &Item) -> super::types::Layout {
        super::layout::item(item, |id| self.message(id).map(|m| m.layout).unwrap_or_default())
    }
}

/// Longest encoding of a message.
pub fn message_longest(message: &MessagePlan, child: impl Fn(MessageId) -> Longest) -> Longest {
    let kept = message.unknown.as_ref().map_or(0, |unknown| u64::from(unknown.cap));
    let mut total = Longest { bytes: kept, fixed: kept, ..Longest::default() };
    let mut oneofs = vec![Longest::default(); message.oneofs.len()];
    for field in &message.fields {
        let field_longest = length::field(
            &field.proto_name,
            field.number,
            &field.storage,
            field.label,
            field.is_group,
            &child,
        );
        match field.label {
            Label::Oneof { oneof, .. } if oneof < oneofs.len() => {
                oneofs[oneof] = std::mem::take(&mut oneofs[oneof]).or(field_longest);
            }
            _ => total = total.and(field_longest),
        }
    }
    oneofs.into_iter().fold(total, Longest::and)
}
