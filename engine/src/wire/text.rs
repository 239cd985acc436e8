//! A span's content in a few words, for hovers, lists and the command line.

use crate::schema::{Kind, Model};

use super::readings::{self, ReadAs};
use super::scalar;
use super::span::{ByteSpan, Role, Standing};
use super::value::Value;
use super::varint::{self, WireType};

/// Longest text shown of a string, in characters, and of bytes.
const SHOWN: usize = 40;

/// What a span says: `field 2 device_name, LEN`, `5 bytes`, `"hello"`, `-67`, `WARNING (1)`.
pub(crate) fn of_span(model: Option<&Model>, bytes: &[u8], spans: &[ByteSpan], at: usize) -> String {
    let Some(span) = spans.get(at) else { return String::new() };
    let slice = bytes.get(span.range()).unwrap_or_default();
    let field = span.field.zip(model).map(|(field, model)| model.field(field));
    let wire_type = span.wire_type.name();
    match span.role {
        Role::Record | Role::Tag => match field {
            Some(field) => format!("field {} {}, {wire_type}", span.number, field.proto_name),
            None => format!("field {}, {wire_type}", span.number),
        },
        Role::EndGroup => format!("end of group {}", span.number),
        Role::Length => match varint::read(slice) {
            Ok(length) => count(length.value, "byte"),
            Err(_) => "broken length".to_owned(),
        },
        Role::Garbage => format!("unreadable: {}", hex(slice)),
        Role::Value | Role::PackedItem if span.standing == Standing::Damaged => {
            format!("damaged: {}", hex(slice))
        }
        Role::Value | Role::PackedItem => {
            let is_declared = matches!(span.standing, Standing::Known | Standing::UnknownEnumValue);
            let declared = field.filter(|_| is_declared);
            match declared.and_then(|field| Some((field, scalar::read(field.kind, slice)?))) {
                Some((field, value)) => of_value(model, field.kind, &value),
                None => guessed(span, slice),
            }
        }
    }
}

fn guessed(span: &ByteSpan, slice: &[u8]) -> String {
    let wire_type = match (span.role, slice.len()) {
        // Items of a packed field nobody declared: their size says what they are.
        (Role::PackedItem, 4) if slice[..3].iter().any(|b| b & 0x80 == 0) => WireType::I32,
        (Role::PackedItem, 8) if slice[..7].iter().any(|b| b & 0x80 == 0) => WireType::I64,
        (Role::PackedItem, _) => WireType::Varint,
        _ => span.wire_type,
    };
    readings::readings(wire_type, slice).into_iter().next().map_or_else(|| hex(slice), |r| r.text)
}

/// A value in a few words.
pub(crate) fn of_value(model: Option<&Model>, kind: Kind, value: &Value) -> String {
    match value {
        Value::Signed(v) => v.to_string(),
        Value::Unsigned(v) => v.to_string(),
        Value::Float(v) => float32(*v),
        Value::Double(v) => float64(*v),
        Value::Bool(v) => v.to_string(),
        Value::Enum(v) => {
            let name = match (kind, model) {
                (Kind::Enum(id), Some(model)) => model
                    .enumeration(id)
                    .values
                    .iter()
                    .find(|named| named.number == *v)
                    .map(|n| &n.proto_name),
                _ => None,
            };
            name.map_or_else(|| v.to_string(), |name| format!("{name} ({v})"))
        }
        Value::Text(v) => quoted(v),
        Value::Bytes(v) => hex(v),
        Value::Message(v) => count(v.fields.len() as u64, "field"),
        Value::List(v) => count(v.len() as u64, "item"),
    }
}

/// A payload without declaration, read in one way.
pub(crate) fn of_payload(read_as: ReadAs, payload: &[u8]) -> String {
    match read_as {
        ReadAs::Text => quoted(payload),
        ReadAs::Message => format!("message of {}", count(payload.len() as u64, "byte")),
        ReadAs::PackedVarints => {
            let mut rest = payload;
            let items = std::iter::from_fn(|| {
                let read = varint::read(rest).ok()?;
                rest = &rest[read.len..];
                Some(read.value.to_string())
            });
            listed(items)
        }
        ReadAs::PackedFixed32 => {
            listed(payload.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c).to_string()))
        }
        ReadAs::PackedFixed64 => {
            listed(payload.as_chunks::<8>().0.iter().map(|c| u64::from_le_bytes(*c).to_string()))
        }
        _ => hex(payload),
    }
}

fn listed(mut items: impl Iterator<Item = String>) -> String {
    let shown: Vec<String> = items.by_ref().take(8).collect();
    let more = if items.next().is_some() { ", …" } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

/// `1 byte`, `2 bytes`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(SHOWN / 2).map(|b| format!("{b:02x}")).collect();
    let more = if bytes.len() > shown.len() { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}

/// The shortest text that reads back as the same float; NaN with its bits if it is not the usual one.
pub(crate) fn float32(value: f32) -> String {
    if value.is_nan() && value.to_bits() != f32::NAN.to_bits() {
        return format!("NaN ({:#010x})", value.to_bits());
    }
    decimal(f64::from(value), format!("{value:?}"))
}

/// The same for a double.
pub(crate) fn float64(value: f64) -> String {
    if value.is_nan() && value.to_bits() != f64::NAN.to_bits() {
        return format!("NaN ({:#018x})", value.to_bits());
    }
    decimal(value, format!("{value:?}"))
}

fn decimal(value: f64, debug: String) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() };
    }
    match debug.strip_suffix(".0") {
        Some("-0") | None => debug,
        Some(whole) => whole.to_owned(),
    }
}
