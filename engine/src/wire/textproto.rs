//! Values in protobuf's text format, as `protoc --decode` prints them.

use std::fmt::Write;

use crate::schema::{Cardinality, Field, Kind, MessageId, Model};

use super::readings;
use super::text;
use super::value::{MessageValue, Value};
use super::varint::{self, WireType};

/// Values nested deeper than this are left out; nothing that was read is.
const MAX_NESTING: usize = 200;

/// One field per line, two blanks per level. Unknown fields stand at the end of their message by number; they
/// are comments, because other readers refuse them.
pub fn print(model: &Model, message: MessageId, value: &MessageValue) -> String {
    let mut printer = Printer { model, out: String::new() };
    printer.message(message, value, 0);
    printer.out
}

struct Printer<'a> {
    model: &'a Model,
    out: String,
}

impl Printer<'_> {
    fn message(&mut self, id: MessageId, value: &MessageValue, depth: usize) {
        let model = self.model;
        for set in &value.fields {
            let Some(field) = model.message(id).fields.iter().find(|f| f.number == set.number) else {
                continue;
            };
            match &set.value {
                Value::List(items) => items.iter().for_each(|item| self.field(field, item, depth)),
                value if field.cardinality == Cardinality::Singular => self.field(field, value, depth),
                _ => {}
            }
        }
        for unknown in &value.unknown {
            self.unknown(unknown.number, &unknown.bytes, depth);
        }
    }

    fn field(&mut self, field: &Field, value: &Value, depth: usize) {
        // Groups go by the name of their type, extensions by their full name in brackets.
        let name = match field.kind {
            _ if field.json_name.starts_with('[') => &field.json_name,
            Kind::Message(id) if field.delimited => &self.model.message(id).proto_name,
            _ => &field.proto_name,
        };
        let indent = "  ".repeat(depth);
        if let (Kind::Message(id), Value::Message(inner)) = (field.kind, value) {
            if depth >= MAX_NESTING {
                return;
            }
            let _ = writeln!(self.out, "{indent}{name} {{");
            self.message(id, inner, depth + 1);
            let _ = writeln!(self.out, "{indent}}}");
            return;
        }
        let shown = match value {
            Value::Float(v) => float(f64::from(*v), v.to_string()),
            Value::Double(v) => float(*v, v.to_string()),
            Value::Text(v) | Value::Bytes(v) => quoted(v),
            Value::Enum(number) => self.enum_value(field.kind, *number),
            value => text::of_value(Some(self.model), field.kind, value),
        };
        let _ = writeln!(self.out, "{indent}{name}: {shown}");
    }

    fn enum_value(&self, kind: Kind, number: i32) -> String {
        let Kind::Enum(id) = kind else { return number.to_string() };
        let values = &self.model.enumeration(id).values;
        values.iter().find(|v| v.number == number).map_or(number.to_string(), |v| v.proto_name.clone())
    }

    fn unknown(&mut self, number: u32, record: &[u8], depth: usize) {
        let Ok(tag) = varint::read(record) else { return };
        let Some(wire_type) = WireType::from_tag(tag.value) else { return };
        let mut payload = &record[tag.len..];
        if wire_type == WireType::Len {
            let Ok(length) = varint::read(payload) else { return };
            payload = &payload[length.len..];
        }
        let shown = match wire_type {
            WireType::Len => quoted(payload),
            WireType::StartGroup => format!("group of {}", text::count(record.len() as u64, "byte")),
            _ => readings::readings(wire_type, payload).into_iter().next().map_or(String::new(), |r| r.text),
        };
        let _ = writeln!(self.out, "{}# {number}: {shown}", "  ".repeat(depth));
    }
}

fn float(value: f64, decimal: String) -> String {
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        _ => decimal,
    }
}

/// In double quotes; what is not printable ASCII as three octal digits, as protoc does.
fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\'' | b'\\' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}
