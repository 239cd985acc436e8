//! Values as Rust text.

use std::fmt::Write as _;

use wirebench_engine::plan::{Item, Plan, Scalar};
use wirebench_engine::wire::Value;

use super::WorkloadError;
use super::names::enum_path;

/// A number, bool or enum value as an expression of the field's type.
///
/// # Errors
/// [`WorkloadError::WrongKind`] for a value of another kind.
pub fn scalar(plan: &Plan, item: Item, value: &Value, field: &str) -> Result<String, WorkloadError> {
    let wrong = || WorkloadError::WrongKind { field: field.to_owned() };
    Ok(match (item, value) {
        (Item::Scalar(Scalar::Float), Value::Float(v)) => float(*v),
        (Item::Scalar(Scalar::Double), Value::Double(v)) => double(*v),
        (Item::Scalar(Scalar::Bool), Value::Bool(v)) => v.to_string(),
        (Item::Scalar(kind), Value::Signed(v)) if is_signed(kind) => v.to_string(),
        (Item::Scalar(kind), Value::Unsigned(v)) if is_unsigned(kind) => v.to_string(),
        (Item::Enum { id, .. }, Value::Enum(v)) => {
            format!("{}({v})", enum_path(plan.enumeration(id).ok_or_else(wrong)?))
        }
        _ => return Err(wrong()),
    })
}

/// The zero of a number, bool or enum.
pub fn zero(plan: &Plan, item: Item) -> String {
    match item {
        Item::Scalar(Scalar::Float | Scalar::Double) => "0.0".to_owned(),
        Item::Scalar(Scalar::Bool) => "false".to_owned(),
        Item::Enum { id, .. } => {
            plan.enumeration(id).map_or_else(|| "0".to_owned(), |e| format!("{}(0)", enum_path(e)))
        }
        _ => "0".to_owned(),
    }
}

/// Whether values are compared by their bits: so NaN equals itself and -0.0 differs from 0.0.
pub fn is_float(item: Item) -> bool {
    matches!(item, Item::Scalar(Scalar::Float | Scalar::Double))
}

/// The bits of a float or double.
pub fn bits(value: &Value) -> Option<String> {
    match value {
        Value::Float(v) => Some(format!("{:#x}", v.to_bits())),
        Value::Double(v) => Some(format!("{:#x}", v.to_bits())),
        _ => None,
    }
}

/// Bytes as a byte string: `b"motor\x00"`.
pub fn byte_string(bytes: &[u8]) -> String {
    let mut text = String::from("b\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                let _ = write!(text, "\\{}", char::from(*byte));
            }
            0x20..0x7f => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('"');
    text
}

fn float(value: f32) -> String {
    if value.is_finite() { format!("{value:?}") } else { format!("f32::from_bits({:#x})", value.to_bits()) }
}

fn double(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { format!("f64::from_bits({:#x})", value.to_bits()) }
}

fn is_signed(kind: Scalar) -> bool {
    use Scalar::{Int32, Int64, Sfixed32, Sfixed64, Sint32, Sint64};
    matches!(kind, Int32 | Int64 | Sint32 | Sint64 | Sfixed32 | Sfixed64)
}

fn is_unsigned(kind: Scalar) -> bool {
    use Scalar::{Fixed32, Fixed64, Uint32, Uint64};
    matches!(kind, Uint32 | Uint64 | Fixed32 | Fixed64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_escaped() {
        assert_eq!(byte_string(b"a\"\\\x00\xff"), "b\"a\\\"\\\\\\x00\\xff\"");
    }

    #[test]
    fn floats_keep_their_bits() {
        assert_eq!(float(-0.0), "-0.0");
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(f32::NAN), "f32::from_bits(0x7fc00000)");
        assert_eq!(float(1e30), "1e30");
    }
}
