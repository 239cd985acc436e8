//! The walk over a sample that `cost` prices: how often each step of the codec happens, per field.

use std::collections::HashMap;

use crate::cost::{Event, Events, FieldCount, SampleCount};
use crate::plan::{FieldPlan, Item, Label, MessagePlan, Plan, Scalar, Storage, Style};
use crate::wire::{MessageValue, Value};

/// Bytes a streamed payload moves at once.
const WINDOW: u64 = 32;

/// Deepest nesting that is counted; the plan has no recursive messages.
const DEEPEST: u32 = 100;

/// Events by the style of the message they happen in.
type ByStyle = HashMap<Style, Events>;

/// Counts what encoding and decoding `value` as `message` does. `wire` is the length of its encoding.
pub fn count(plan: &Plan, message: &MessagePlan, value: &MessageValue, wire: u64) -> SampleCount {
    let mut count = SampleCount { wire, ..SampleCount::default() };
    count.frame.entry(message.style).or_default().add(Event::Message, 1);
    for field in &message.fields {
        let mut events = ByStyle::new();
        let wire = count_field(plan, message, field, value.get(field.number), 0, &mut events);
        count.fields.insert(field.number, FieldCount { wire, events });
    }
    count
}

/// Counts one field of one message value; returns its bytes on the wire, tags and lengths included.
fn count_field(
    plan: &Plan,
    message: &MessagePlan,
    field: &FieldPlan,
    value: Option<&Value>,
    depth: u32,
    events: &mut ByStyle,
) -> u64 {
    let style = message.style;
    if !matches!(field.label, Label::Implicit) {
        events.entry(style).or_default().add(Event::Label, 1);
    }
    let Some(value) = value else {
        events.entry(style).or_default().add(Event::Absent, 1);
        return 0;
    };
    let tag = varint_len(u64::from(field.number) << 3);
    let end = if field.is_group { tag } else { 0 };
    match (&field.storage, value) {
        (Storage::List { item, packed: true, .. }, Value::List(values)) => {
            let body: u64 = values.iter().map(|v| count_item(plan, style, item, v, end, depth, events)).sum();
            events.entry(style).or_default().add(Event::Len, 1);
            if values.is_empty() { 0 } else { tag + varint_len(body) + body }
        }
        (Storage::List { item, .. }, Value::List(values)) => {
            values.iter().map(|v| tag + count_item(plan, style, item, v, end, depth, events)).sum()
        }
        (Storage::One(item), value) => tag + count_item(plan, style, item, value, end, depth, events),
        (Storage::Streamed { .. }, Value::Text(payload) | Value::Bytes(payload)) => {
            let len = payload.len() as u64;
            let own = events.entry(style).or_default();
            own.add(Event::Len, 1);
            own.add(Event::Window, len.div_ceil(WINDOW));
            tag + varint_len(len) + len
        }
        // A value of another shape than the plan's belongs to an older revision.
        (Storage::List { .. } | Storage::Streamed { .. }, _) => 0,
    }
}

/// Counts one value; returns its bytes without the tag. `end` is the length of a group's second tag.
fn count_item(
    plan: &Plan,
    style: Style,
    item: &Item,
    value: &Value,
    end: u64,
    depth: u32,
    events: &mut ByStyle,
) -> u64 {
    let own = events.entry(style).or_default();
    match (item, value) {
        (Item::Message(id), Value::Message(nested)) => {
            let Some(message) = plan.message(*id).filter(|_| depth < DEEPEST) else {
                return 0;
            };
            events.entry(message.style).or_default().add(Event::Message, 1);
            let body = message
                .fields
                .iter()
                .map(|field| count_field(plan, message, field, nested.get(field.number), depth + 1, events))
                .sum();
            body + if end == 0 { varint_len(body) } else { end }
        }
        (Item::Text { .. } | Item::Bytes { .. }, Value::Text(bytes) | Value::Bytes(bytes)) => {
            let len = bytes.len() as u64;
            own.add(Event::Len, 1);
            own.add(Event::CopiedByte, len);
            varint_len(len) + len
        }
        _ => {
            let (len, wide) = scalar_len(item, value);
            own.add(if wide { Event::Wide } else { Event::Scalar }, 1);
            if !is_fixed(item) {
                own.add(Event::VarintByte, len - 1);
            }
            len
        }
    }
}

/// Bytes of a scalar without its tag, and whether the codec handles it as 64 bits.
fn scalar_len(item: &Item, value: &Value) -> (u64, bool) {
    let signed = match value {
        Value::Signed(v) => *v,
        Value::Unsigned(v) => *v as i64,
        Value::Enum(v) => i64::from(*v),
        _ => 0,
    };
    let zigzag = ((signed << 1) ^ (signed >> 63)) as u64;
    match item {
        Item::Scalar(Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64) => (8, true),
        Item::Scalar(Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32) => (4, false),
        Item::Scalar(Scalar::Bool) => (1, false),
        Item::Scalar(Scalar::Sint32) => (varint_len(zigzag), false),
        Item::Scalar(Scalar::Sint64) => (varint_len(zigzag), true),
        Item::Scalar(Scalar::Int64 | Scalar::Uint64) => (varint_len(signed as u64), true),
        _ => (varint_len(signed as u64), false),
    }
}

fn is_fixed(item: &Item) -> bool {
    matches!(
        item,
        Item::Scalar(
            Scalar::Double
                | Scalar::Float
                | Scalar::Fixed32
                | Scalar::Fixed64
                | Scalar::Sfixed32
                | Scalar::Sfixed64
        )
    )
}

/// Bytes of a varint: 1 to 10.
fn varint_len(value: u64) -> u64 {
    u64::from((64 - (value | 1).leading_zeros()).div_ceil(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_varint_grows_by_one_byte_every_seven_bits() {
        for (value, len) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, 10)] {
            assert_eq!(varint_len(value), len, "{value}");
        }
    }
}
