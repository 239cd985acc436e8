//! Values to JSON: fields by number, names as ProtoJSON has them, 64-bit integers as strings.

use serde_json::{Map, Number, Value as Json};

use crate::schema::{Cardinality, Field, Kind, MessageId, Model};
use crate::wire::base64;
use crate::wire::text;
use crate::wire::value::{MessageValue, Value};

use super::well_known::WellKnown;

/// Values nested deeper than this are left out; nothing that was read is.
pub(super) const MAX_DEPTH: usize = 200;

/// Pretty-printed ProtoJSON, two blanks per level, no line break at the end.
///
/// Unknown fields are not in it; invalid UTF-8 is replaced; all NaNs read `"NaN"`.
pub fn print(model: &Model, message: MessageId, value: &MessageValue) -> String {
    format!("{:#}", to_value(model, message, value))
}

/// The same as a JSON value, for results that carry it.
pub fn to_value(model: &Model, message: MessageId, value: &MessageValue) -> Json {
    message_json(model, message, value, 0)
}

/// A message in whatever form its type has in JSON.
pub(super) fn message_json(model: &Model, id: MessageId, value: &MessageValue, depth: usize) -> Json {
    if depth > MAX_DEPTH {
        return Json::Object(Map::new());
    }
    let special = WellKnown::of(model, id).and_then(|known| known.write(model, id, value, depth));
    special.unwrap_or_else(|| Json::Object(members(model, id, value, depth)))
}

/// The fields of a message.
pub(super) fn members(model: &Model, id: MessageId, value: &MessageValue, depth: usize) -> Map<String, Json> {
    let message = model.message(id);
    let mut out = Map::new();
    for field_value in &value.fields {
        let Some(field) = message.fields.iter().find(|f| f.number == field_value.number) else { continue };
        out.insert(field.json_name.clone(), field_json(model, field, &field_value.value, depth));
    }
    out
}

pub(super) fn field_json(model: &Model, field: &Field, value: &Value, depth: usize) -> Json {
    match value {
        Value::List(items) if field.cardinality == Cardinality::Map => map_json(model, field, items, depth),
        Value::List(items) => items.iter().map(|item| one(model, field.kind, item, depth)).collect(),
        value => one(model, field.kind, value, depth),
    }
}

fn map_json(model: &Model, field: &Field, items: &[Value], depth: usize) -> Json {
    let Kind::Message(entry_id) = field.kind else { return Json::Null };
    let part = |number| model.message(entry_id).fields.iter().find(|f| f.number == number);
    let mut out = Map::new();
    for item in items {
        let (Value::Message(entry), Some(value_field)) = (item, part(2)) else { continue };
        let key = match entry.get(1) {
            Some(Value::Text(text)) => String::from_utf8_lossy(text).into_owned(),
            Some(key) => text::of_value(Some(model), Kind::String, key),
            None => String::new(),
        };
        let value = entry.get(2).map_or(Json::Null, |value| one(model, value_field.kind, value, depth));
        out.insert(key, value);
    }
    Json::Object(out)
}

fn one(model: &Model, kind: Kind, value: &Value, depth: usize) -> Json {
    match value {
        Value::Signed(v) if is_wide(kind) => Json::String(v.to_string()),
        Value::Signed(v) => Json::from(*v),
        Value::Unsigned(v) if is_wide(kind) => Json::String(v.to_string()),
        Value::Unsigned(v) => Json::from(*v),
        // The shortest text that reads back as the same float, not its value as a double.
        Value::Float(v) => float_json(v.to_string().parse().unwrap_or(f64::from(*v))),
        Value::Double(v) => float_json(*v),
        Value::Bool(v) => Json::Bool(*v),
        Value::Enum(v) => enum_json(model, kind, *v),
        Value::Text(v) => Json::String(String::from_utf8_lossy(v).into_owned()),
        Value::Bytes(v) => Json::String(base64::encode(v)),
        Value::Message(v) => match kind {
            Kind::Message(id) => message_json(model, id, v, depth + 1),
            _ => Json::Null,
        },
        Value::List(_) => Json::Null,
    }
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Int64 | Kind::Uint64 | Kind::Sint64 | Kind::Fixed64 | Kind::Sfixed64)
}

fn float_json(value: f64) -> Json {
    match Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None if value.is_nan() => Json::String("NaN".to_owned()),
        None if value > 0.0 => Json::String("Infinity".to_owned()),
        None => Json::String("-Infinity".to_owned()),
    }
}

fn enum_json(model: &Model, kind: Kind, number: i32) -> Json {
    let Kind::Enum(id) = kind else { return Json::from(number) };
    let declared = model.enumeration(id);
    if &*declared.full_name == "google.protobuf.NullValue" {
        return Json::Null;
    }
    match declared.values.iter().find(|v| v.number == number) {
        Some(value) => Json::String(value.proto_name.clone()),
        None => Json::from(number),
    }
}
