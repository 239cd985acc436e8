//! The least, a plausible and the fullest value of every field.

use crate::schema::{EnumId, Field, Kind, Model};
use crate::wire::value::Value;
use crate::wire::varint;

use super::{Choose, Range, plausible};

/// Required fields only, with zeros.
pub(super) struct Least;

impl Choose for Least {
    fn is_set(&mut self, _field: &Field) -> bool {
        false
    }

    fn items(&mut self, _max: Option<u32>) -> u32 {
        0
    }

    fn payload(&mut self, _field: &Field, _max: Option<u32>, _at: u32) -> Vec<u8> {
        Vec::new()
    }

    fn number(&mut self, field: &Field, range: Range, _at: u32) -> Value {
        match field.kind {
            Kind::Double => Value::Double(0.0),
            Kind::Float => Value::Float(0.0),
            Kind::Bool => Value::Bool(false),
            _ => range.value(0),
        }
    }

    fn enumeration(&mut self, model: &Model, id: EnumId, _at: u32) -> i32 {
        model.enumeration(id).values.first().map_or(0, |v| v.number)
    }

    fn member(&mut self, _candidates: usize) -> Option<usize> {
        None
    }
}

/// What a device might send.
pub(super) struct Typical;

impl Choose for Typical {
    fn is_set(&mut self, _field: &Field) -> bool {
        true
    }

    fn items(&mut self, max: Option<u32>) -> u32 {
        max.unwrap_or(2).min(2)
    }

    fn payload(&mut self, field: &Field, max: Option<u32>, at: u32) -> Vec<u8> {
        let max = max.map_or(usize::MAX, |max| max as usize);
        if field.kind == Kind::Bytes {
            // Four bytes that count on are short to read and easy to find again among others.
            return (0..max.min(4) as u32).map(|byte| (at * 4 + byte + 1) as u8).collect();
        }
        let text = plausible::text(&field.proto_name, at);
        text.into_bytes().into_iter().take(max).collect()
    }

    fn number(&mut self, field: &Field, range: Range, at: u32) -> Value {
        match field.kind {
            Kind::Double => Value::Double(plausible::decimal(&field.proto_name, at)),
            Kind::Float => Value::Float(plausible::decimal(&field.proto_name, at) as f32),
            Kind::Bool => Value::Bool(at.is_multiple_of(2)),
            kind => range.value(plausible::integer(&field.proto_name, is_wide(kind), at)),
        }
    }

    fn enumeration(&mut self, model: &Model, id: EnumId, at: u32) -> i32 {
        // The first value mostly says "not specified".
        let values = &model.enumeration(id).values;
        let others = values.len().saturating_sub(1).max(1);
        values.get(1 + at as usize % others).or(values.first()).map_or(0, |v| v.number)
    }

    fn member(&mut self, _candidates: usize) -> Option<usize> {
        Some(0)
    }
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Int64 | Kind::Uint64 | Kind::Sint64 | Kind::Fixed64 | Kind::Sfixed64)
}

/// Everything as long as it can be on the wire.
pub(super) struct Most;

impl Choose for Most {
    fn is_set(&mut self, _field: &Field) -> bool {
        true
    }

    fn items(&mut self, max: Option<u32>) -> u32 {
        max.unwrap_or(2)
    }

    fn payload(&mut self, field: &Field, max: Option<u32>, at: u32) -> Vec<u8> {
        let len = max.map_or(16, |max| max as usize);
        // Different from item to item, because map keys have to be.
        let mark = at.to_string();
        let filling = if field.kind == Kind::Bytes { 0xff } else { b'x' };
        mark.bytes().rev().chain(std::iter::repeat(filling)).take(len).collect()
    }

    fn number(&mut self, field: &Field, range: Range, at: u32) -> Value {
        match field.kind {
            Kind::Double => Value::Double(-1.5 - f64::from(at)),
            Kind::Float => Value::Float(-1.5 - at as f32),
            Kind::Bool => Value::Bool(at.is_multiple_of(2)),
            // Negative varints take ten bytes, and so do the largest unsigned ones.
            _ if range.low < 0 => range.value(range.low + i128::from(at)),
            _ => range.value(range.high - i128::from(at)),
        }
    }

    fn enumeration(&mut self, model: &Model, id: EnumId, _at: u32) -> i32 {
        let declared = model.enumeration(id);
        if !declared.is_closed {
            return -1;
        }
        let longest = declared.values.iter().max_by_key(|v| varint::len(i64::from(v.number) as u64));
        longest.map_or(0, |v| v.number)
    }

    fn member(&mut self, _candidates: usize) -> Option<usize> {
        Some(0)
    }

    fn takes_longest(&self) -> bool {
        true
    }
}
