//! The well-known types, as people write them: times as RFC 3339, durations as `1.5s`, wrappers and
//! `google.protobuf.Value` as the bare value.

use serde_json::{Map, Value as Json};

use crate::schema::{Cardinality, MessageId, Model};
use crate::wire::annotate::annotate;
use crate::wire::encode::encode_bytes;
use crate::wire::scalar;
use crate::wire::value::{MessageValue, Value};

use super::document::{Member, Node, NodeKind};
use super::read::Reader;
use super::times;
use super::write::{MAX_DEPTH, field_json, members, message_json};

/// A type whose JSON is not an object of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WellKnown {
    Timestamp,
    Duration,
    FieldMask,
    Wrapper,
    Struct,
    Value,
    ListValue,
    Any,
}

/// Where `google.protobuf.Any` finds its types.
const TYPE_PREFIX: &str = "type.googleapis.com/";

impl WellKnown {
    pub fn of(model: &Model, id: MessageId) -> Option<WellKnown> {
        let name = model.message(id).full_name.strip_prefix("google.protobuf.")?;
        Some(match name {
            "Timestamp" => WellKnown::Timestamp,
            "Duration" => WellKnown::Duration,
            "FieldMask" => WellKnown::FieldMask,
            "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
            | "BoolValue" | "StringValue" | "BytesValue" => WellKnown::Wrapper,
            "Struct" => WellKnown::Struct,
            "Value" => WellKnown::Value,
            "ListValue" => WellKnown::ListValue,
            "Any" => WellKnown::Any,
            _ => return None,
        })
    }

    /// Reads the special form. `None` after an error.
    pub fn read(self, reader: &mut Reader<'_>, id: MessageId, node: &Node) -> Option<MessageValue> {
        match self {
            WellKnown::Timestamp => {
                let what = "a time like \"2026-11-05T12:30:00Z\"";
                read_time(reader, node, what, times::parse_timestamp)
            }
            WellKnown::Duration => read_time(reader, node, "a duration like \"1.5s\"", times::parse_duration),
            WellKnown::FieldMask => {
                let NodeKind::Text(text) = &node.kind else {
                    return reader.expected("field paths like \"user.displayName,photo\"", node);
                };
                let paths: Vec<Value> =
                    text.split(',').filter(|p| !p.is_empty()).map(to_snake_case).collect();
                let mut value = MessageValue::default();
                if !paths.is_empty() {
                    value.set(1, Value::List(paths));
                }
                Some(value)
            }
            WellKnown::Wrapper => {
                let member =
                    Member { key: "value".to_owned(), key_range: node.range.clone(), value: node.clone() };
                Some(reader.members(id, &[member]))
            }
            WellKnown::Struct | WellKnown::ListValue => {
                let (key, is_right) = match (self, &node.kind) {
                    (WellKnown::Struct, kind) => ("fields", matches!(kind, NodeKind::Object(_))),
                    (_, kind) => ("values", matches!(kind, NodeKind::Array(_))),
                };
                if !is_right {
                    return reader.expected(if key == "fields" { "an object" } else { "a list" }, node);
                }
                let member =
                    Member { key: key.to_owned(), key_range: node.range.clone(), value: node.clone() };
                Some(reader.members(id, &[member]))
            }
            WellKnown::Value => {
                let key = match &node.kind {
                    NodeKind::Null => "nullValue",
                    NodeKind::Bool(_) => "boolValue",
                    NodeKind::Number(_) => "numberValue",
                    NodeKind::Text(_) => "stringValue",
                    NodeKind::Array(_) => "listValue",
                    NodeKind::Object(_) => "structValue",
                };
                let member =
                    Member { key: key.to_owned(), key_range: node.range.clone(), value: node.clone() };
                Some(reader.members(id, &[member]))
            }
            WellKnown::Any => read_any(reader, node),
        }
    }

    /// The special form; `None` where the value is outside of what it can say.
    pub fn write(self, model: &Model, id: MessageId, value: &MessageValue, depth: usize) -> Option<Json> {
        match self {
            WellKnown::Timestamp => {
                times::print_timestamp(signed(value, 1), signed(value, 2)).map(Json::String)
            }
            WellKnown::Duration => {
                times::print_duration(signed(value, 1), signed(value, 2)).map(Json::String)
            }
            WellKnown::FieldMask => {
                let paths: Option<Vec<String>> = list(value, 1).iter().map(to_camel_case).collect();
                Some(Json::String(paths?.join(",")))
            }
            WellKnown::Wrapper | WellKnown::Struct | WellKnown::ListValue => {
                let field = model.message(id).fields.iter().find(|f| f.number == 1)?;
                let empty = match field.cardinality {
                    Cardinality::Singular => scalar::default_value(model, field.kind),
                    Cardinality::Repeated | Cardinality::Map => Value::List(Vec::new()),
                };
                Some(field_json(model, field, value.get(1).unwrap_or(&empty), depth))
            }
            WellKnown::Value => {
                // Exactly one member is set, unless the bytes said otherwise.
                let set = value.fields.last()?;
                let field = model.message(id).fields.iter().find(|f| f.number == set.number)?;
                Some(field_json(model, field, &set.value, depth))
            }
            WellKnown::Any => write_any(model, value, depth),
        }
    }
}

fn read_time(
    reader: &mut Reader<'_>,
    node: &Node,
    what: &str,
    parse: impl Fn(&str) -> Result<(i64, i32), String>,
) -> Option<MessageValue> {
    let NodeKind::Text(text) = &node.kind else { return reader.expected(what, node) };
    match parse(text) {
        Ok((seconds, nanos)) => Some(seconds_and_nanos(seconds, nanos)),
        Err(why) => {
            reader.error(&node.range, format!("expected {what}: {why}"));
            None
        }
    }
}

fn read_any(reader: &mut Reader<'_>, node: &Node) -> Option<MessageValue> {
    let NodeKind::Object(all) = &node.kind else { return reader.expected("an object with \"@type\"", node) };
    if all.is_empty() {
        return Some(MessageValue::default());
    }
    let Some(type_member) = all.iter().find(|m| m.key == "@type") else {
        reader.error(&node.range, "an Any needs \"@type\" with the type's name");
        return None;
    };
    let NodeKind::Text(url) = &type_member.value.kind else {
        return reader.expected("a type name", &type_member.value);
    };
    let name = url.rsplit('/').next().unwrap_or(url);
    let model = reader.model;
    let Some(id) = model.messages.iter().position(|m| &*m.full_name == name).map(|at| MessageId(at as u32))
    else {
        reader.error(&type_member.value.range, format!("no imported file declares the message {name:?}"));
        return None;
    };
    let content = if WellKnown::of(model, id).is_some() {
        let Some(member) = all.iter().find(|m| m.key == "value") else {
            reader.error(&node.range, format!("an Any of {name} needs \"value\""));
            return None;
        };
        reader.message(id, &member.value)?
    } else {
        let rest: Vec<Member> = all.iter().filter(|m| m.key != "@type").cloned().collect();
        reader.members(id, &rest)
    };
    let mut value = MessageValue::default();
    value.set(1, Value::Text(url.clone().into_bytes()));
    let bytes = encode_bytes(model, id, &content);
    if !bytes.is_empty() {
        value.set(2, Value::Bytes(bytes));
    }
    Some(value)
}

fn write_any(model: &Model, value: &MessageValue, depth: usize) -> Option<Json> {
    if depth > MAX_DEPTH || value.fields.is_empty() {
        return None;
    }
    let Some(Value::Text(url)) = value.get(1) else { return None };
    let url = String::from_utf8_lossy(url).into_owned();
    let name = url.strip_prefix(TYPE_PREFIX).or_else(|| url.rsplit('/').next())?;
    let id = MessageId(model.messages.iter().position(|m| &*m.full_name == name)? as u32);
    let bytes: &[u8] = match value.get(2) {
        Some(Value::Bytes(bytes)) => bytes,
        _ => &[],
    };
    // An Any may hold an Any: each level costs stack, so levels count double.
    let content = annotate(model, Some(id), bytes);
    if !content.is_valid() || !content.value.unknown.is_empty() {
        return None;
    }
    let mut out = Map::new();
    out.insert("@type".to_owned(), Json::String(url.clone()));
    if WellKnown::of(model, id).is_some() {
        out.insert("value".to_owned(), message_json(model, id, &content.value, depth + 2));
    } else {
        out.extend(members(model, id, &content.value, depth + 2));
    }
    Some(Json::Object(out))
}

fn seconds_and_nanos(seconds: i64, nanos: i32) -> MessageValue {
    let mut value = MessageValue::default();
    if seconds != 0 {
        value.set(1, Value::Signed(seconds));
    }
    if nanos != 0 {
        value.set(2, Value::Signed(nanos.into()));
    }
    value
}

fn signed(value: &MessageValue, number: u32) -> i64 {
    match value.get(number) {
        Some(Value::Signed(v)) => *v,
        _ => 0,
    }
}

fn list(value: &MessageValue, number: u32) -> &[Value] {
    match value.get(number) {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

fn to_snake_case(path: &str) -> Value {
    let mut out = String::new();
    for c in path.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    Value::Text(out.into_bytes())
}

/// `None` if the name would not come back the same.
fn to_camel_case(path: &Value) -> Option<String> {
    let Value::Text(path) = path else { return None };
    let path = std::str::from_utf8(path).ok()?;
    let mut out = String::new();
    let mut is_after_underscore = false;
    for c in path.chars() {
        match c {
            '_' if is_after_underscore => return None,
            '_' => is_after_underscore = true,
            'A'..='Z' => return None,
            _ if is_after_underscore && !c.is_ascii_lowercase() => return None,
            _ => {
                out.push(if is_after_underscore { c.to_ascii_uppercase() } else { c });
                is_after_underscore = false;
            }
        }
    }
    (!is_after_underscore).then_some(out)
}
