//! Single values: which wire type they have, how their bytes read, what their default is.

use crate::schema::{Field, Kind, Model};

use super::value::{MessageValue, Value};
use super::varint::{self, WireType};

/// Wire type of one (unpacked) value of a field.
pub(crate) fn wire_type(field: &Field) -> WireType {
    match field.kind {
        Kind::Message(_) if field.delimited => WireType::StartGroup,
        kind => wire_type_of(kind),
    }
}

/// Wire type of a kind; messages as `LEN`.
pub(crate) fn wire_type_of(kind: Kind) -> WireType {
    match kind {
        Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => WireType::I64,
        Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => WireType::I32,
        Kind::String | Kind::Bytes | Kind::Message(_) => WireType::Len,
        _ => WireType::Varint,
    }
}

/// Whether repeated values of a kind may be packed.
pub(crate) fn is_packable(kind: Kind) -> bool {
    wire_type_of(kind) != WireType::Len
}

/// The value of well-formed bytes without tag and length; `None` for messages and malformed bytes.
/// Numbers wider than their kind keep the low bits, as the specification says.
pub(crate) fn read(kind: Kind, bytes: &[u8]) -> Option<Value> {
    match kind {
        Kind::String => Some(Value::Text(bytes.to_vec())),
        Kind::Bytes => Some(Value::Bytes(bytes.to_vec())),
        Kind::Message(_) => None,
        _ => {
            let raw = match wire_type_of(kind) {
                WireType::I64 => u64::from_le_bytes(bytes.try_into().ok()?),
                WireType::I32 => u64::from(u32::from_le_bytes(bytes.try_into().ok()?)),
                _ => varint::read(bytes).ok()?.value,
            };
            Some(of_raw(kind, raw))
        }
    }
}

/// The number, bool or enum value of the bits on the wire.
pub(crate) fn of_raw(kind: Kind, raw: u64) -> Value {
    match kind {
        Kind::Double => Value::Double(f64::from_bits(raw)),
        Kind::Float => Value::Float(f32::from_bits(raw as u32)),
        Kind::Int32 | Kind::Sfixed32 => Value::Signed(i64::from(raw as i32)),
        Kind::Int64 | Kind::Sfixed64 => Value::Signed(raw as i64),
        Kind::Uint32 | Kind::Fixed32 => Value::Unsigned(u64::from(raw as u32)),
        Kind::Sint32 => Value::Signed(varint::unzigzag(u64::from(raw as u32))),
        Kind::Sint64 => Value::Signed(varint::unzigzag(raw)),
        Kind::Bool => Value::Bool(raw != 0),
        Kind::Enum(_) => Value::Enum(raw as i32),
        _ => Value::Unsigned(raw),
    }
}

/// The bits on the wire; `None` if the value is of another kind.
pub(crate) fn to_raw(kind: Kind, value: &Value) -> Option<u64> {
    Some(match (kind, value) {
        (Kind::Double, Value::Double(v)) => v.to_bits(),
        (Kind::Float, Value::Float(v)) => u64::from(v.to_bits()),
        (Kind::Int32, Value::Signed(v)) => i64::from(*v as i32) as u64,
        (Kind::Sfixed32, Value::Signed(v)) => u64::from(*v as u32),
        (Kind::Int64 | Kind::Sfixed64, Value::Signed(v)) => *v as u64,
        (Kind::Sint32, Value::Signed(v)) => varint::zigzag(i64::from(*v as i32)),
        (Kind::Sint64, Value::Signed(v)) => varint::zigzag(*v),
        (Kind::Uint32 | Kind::Fixed32, Value::Unsigned(v)) => u64::from(*v as u32),
        (Kind::Uint64 | Kind::Fixed64, Value::Unsigned(v)) => *v,
        (Kind::Bool, Value::Bool(v)) => u64::from(*v),
        (Kind::Enum(_), Value::Enum(v)) => i64::from(*v) as u64,
        _ => return None,
    })
}

/// The default value of a kind: zero, empty, an enum's first value.
pub(crate) fn default_value(model: &Model, kind: Kind) -> Value {
    match kind {
        Kind::String => Value::Text(Vec::new()),
        Kind::Bytes => Value::Bytes(Vec::new()),
        Kind::Message(_) => Value::Message(MessageValue::default()),
        Kind::Enum(id) => Value::Enum(model.enumeration(id).values.first().map_or(0, |v| v.number)),
        _ => of_raw(kind, 0),
    }
}

/// Whether an implicit field with this value is left out: all bits zero, or empty.
pub(crate) fn is_implicit_default(value: &Value) -> bool {
    match value {
        Value::Signed(v) => *v == 0,
        Value::Unsigned(v) => *v == 0,
        Value::Float(v) => v.to_bits() == 0,
        Value::Double(v) => v.to_bits() == 0,
        Value::Bool(v) => !v,
        Value::Enum(v) => *v == 0,
        Value::Text(v) | Value::Bytes(v) => v.is_empty(),
        Value::Message(_) => false,
        Value::List(v) => v.is_empty(),
    }
}
