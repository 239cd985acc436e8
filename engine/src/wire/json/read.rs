//! JSON to values, by the schema.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span};
use crate::schema::{Cardinality, EnumId, Field, Kind, Message, MessageId, Model, Presence};
use crate::wire::annotate::MAX_DEPTH;
use crate::wire::base64;
use crate::wire::collect::map_key;
use crate::wire::scalar;
use crate::wire::value::{MessageValue, Value};

use super::document::{self, Member, Node, NodeKind};
use super::numbers;
use super::well_known::WellKnown;

/// Reads a sample of that message type. `file` names the text in diagnostics.
///
/// # Errors
/// All mistakes found, each with its place in the text and the field's path: text that is not JSON (then only
/// that), unknown fields, values that do not fit their field, keys or oneofs set twice.
pub fn parse(
    model: &Model,
    message: MessageId,
    file: &str,
    text: &str,
) -> Result<MessageValue, Vec<Diagnostic>> {
    let mut reader =
        Reader { model, file: Arc::from(file), text, path: Vec::new(), diagnostics: Vec::new(), depth: 0 };
    let root = match document::parse(text) {
        Ok(root) => root,
        Err(error) => {
            let span = Span::of(reader.file, text, error.range);
            let diagnostic = Diagnostic::error(Some(span), error.message);
            return Err(vec![match error.help {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
            }]);
        }
    };
    let value = reader.message(message, &root);
    if reader.diagnostics.is_empty() { Ok(value.unwrap_or_default()) } else { Err(reader.diagnostics) }
}

/// Where the value of a path as [`crate::wire::span_path`] writes it (`peripherals[1].uart.baud`) stands in a
/// sample's text; the innermost part that is there. `None` if the text is not JSON.
pub fn locate(model: &Model, message: MessageId, file: &str, text: &str, path: &str) -> Option<Span> {
    let root = document::parse(text).ok()?;
    let mut node = &root;
    let mut message = Some(message);
    for step in path.split('.') {
        let (name, index) = match step.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (step, None),
        };
        let Some(field) =
            message.and_then(|id| model.message(id).fields.iter().find(|f| f.proto_name == name))
        else {
            break;
        };
        let NodeKind::Object(members) = &node.kind else { break };
        let Some(member) = members.iter().find(|m| m.key == field.json_name || m.key == field.proto_name)
        else {
            break;
        };
        node = &member.value;
        let item = match (&node.kind, index) {
            (NodeKind::Array(items), Some(index)) => items.get(index),
            (NodeKind::Object(entries), Some(index)) => entries.get(index).map(|m| &m.value),
            _ => None,
        };
        node = item.unwrap_or(node);
        message = match field.kind {
            Kind::Message(id) if field.cardinality != Cardinality::Map => Some(id),
            _ => None,
        };
    }
    Some(Span::of(Arc::from(file), text, node.range.clone()))
}

pub(super) struct Reader<'a> {
    pub model: &'a Model,
    file: Arc<str>,
    text: &'a str,
    /// Steps down to the value being read: names, and indexes in brackets.
    path: Vec<String>,
    diagnostics: Vec<Diagnostic>,
    /// Messages around the one being read.
    depth: u8,
}

impl Reader<'_> {
    /// Records an error at a place in the text, after the path of the field being read.
    pub fn error(&mut self, range: &Range<usize>, words: impl Into<String>) {
        self.error_with_help(range, words, None);
    }

    fn error_with_help(&mut self, range: &Range<usize>, words: impl Into<String>, help: Option<String>) {
        let span = Span::of(self.file.clone(), self.text, range.clone());
        let mut path = String::new();
        for step in &self.path {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        let words = words.into();
        let message = if path.is_empty() { words } else { format!("{path}: {words}") };
        let mut diagnostic = Diagnostic::error(Some(span), message);
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }

    /// Reads below one more step of the path.
    pub fn within<T>(&mut self, step: String, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = read(self);
        self.path.pop();
        result
    }

    /// A message in whatever form its type has in JSON. `None` after an error.
    pub fn message(&mut self, id: MessageId, node: &Node) -> Option<MessageValue> {
        if self.depth > MAX_DEPTH {
            self.error(&node.range, format!("nested deeper than {MAX_DEPTH} messages: decoders refuse that"));
            return None;
        }
        self.depth += 1;
        let value = self.message_at_depth(id, node);
        self.depth -= 1;
        value
    }

    fn message_at_depth(&mut self, id: MessageId, node: &Node) -> Option<MessageValue> {
        if let Some(well_known) = WellKnown::of(self.model, id) {
            return well_known.read(self, id, node);
        }
        match &node.kind {
            NodeKind::Object(members) => Some(self.members(id, members)),
            other => {
                let name = &self.model.message(id).full_name;
                self.error(&node.range, format!("expected an object ({name}), found {}", other.words()));
                None
            }
        }
    }

    /// The fields of a message. Those that are wrong are left out and reported.
    pub fn members(&mut self, id: MessageId, members: &[Member]) -> MessageValue {
        let model = self.model;
        let message = model.message(id);
        let mut value = MessageValue::default();
        let mut seen: HashMap<u32, &str> = HashMap::new();
        let mut oneofs: HashMap<usize, &str> = HashMap::new();
        for member in members {
            let Some(field) = find_field(message, &member.key) else {
                self.unknown_field(message, member);
                continue;
            };
            self.within(field.proto_name.clone(), |reader| {
                if let Some(earlier) = seen.insert(field.number, &member.key) {
                    let words = if earlier == member.key {
                        format!("the key \"{earlier}\" stands here twice")
                    } else {
                        format!("\"{earlier}\" and \"{}\" are the same field", member.key)
                    };
                    reader.error(&member.key_range, words);
                    return;
                }
                if member.value.kind == NodeKind::Null && !takes_null(model, field) {
                    return;
                }
                if let Some(oneof) = field.oneof
                    && let Some(earlier) = oneofs.insert(oneof, &field.proto_name)
                {
                    let name = message.oneofs.get(oneof).map_or("the oneof", |o| o.proto_name.as_str());
                    let words = format!("{earlier} is set already, and {name} holds only one of its members");
                    reader.error(&member.key_range, words);
                    return;
                }
                if let Some(read) = reader.field(field, &member.value) {
                    let is_implicit = field.presence == Presence::Implicit && field.oneof.is_none();
                    if !(is_implicit && scalar::is_implicit_default(&read)) {
                        value.set(field.number, read);
                    }
                }
            });
        }
        value
    }

    fn unknown_field(&mut self, message: &Message, member: &Member) {
        let names = message.fields.iter().map(|f| f.json_name.as_str());
        let help = match closest(&member.key, names) {
            Some(name) => Some(format!("did you mean \"{name}\"?")),
            None if message.fields.is_empty() => Some(format!("{} has no fields", message.full_name)),
            None => None,
        };
        let words = format!("{} has no field \"{}\"", message.full_name, member.key);
        self.error_with_help(&member.key_range, words, help);
    }

    fn field(&mut self, field: &Field, node: &Node) -> Option<Value> {
        match field.cardinality {
            Cardinality::Singular => self.one(field.kind, node),
            Cardinality::Repeated => {
                let NodeKind::Array(items) = &node.kind else {
                    self.error(&node.range, format!("expected a list, found {}", node.kind.words()));
                    return None;
                };
                let mut values = Vec::with_capacity(items.len());
                for (at, item) in items.iter().enumerate() {
                    self.within(format!("[{at}]"), |reader| {
                        if item.kind == NodeKind::Null && !takes_null(reader.model, field) {
                            return reader.error(&item.range, "null is not allowed in a list");
                        }
                        values.extend(reader.one(field.kind, item));
                    });
                }
                Some(Value::List(values))
            }
            Cardinality::Map => self.map(field, node),
        }
    }

    fn map(&mut self, field: &Field, node: &Node) -> Option<Value> {
        let Kind::Message(entry) = field.kind else { return None };
        let NodeKind::Object(members) = &node.kind else {
            self.error(&node.range, format!("expected an object (a map), found {}", node.kind.words()));
            return None;
        };
        let model = self.model;
        let part = |number| model.message(entry).fields.iter().find(|f| f.number == number);
        let (key_field, value_field) = (part(1)?, part(2)?);
        let mut keys = HashSet::new();
        let mut entries = Vec::with_capacity(members.len());
        for member in members {
            self.within(format!("[{:?}]", member.key), |reader| {
                let key_node =
                    Node { range: member.key_range.clone(), kind: key_kind(key_field, &member.key) };
                let Some(key) = reader.one(key_field.kind, &key_node) else { return };
                if !keys.insert(map_key(&key)) {
                    return reader.error(&member.key_range, "the map has this key already");
                }
                if member.value.kind == NodeKind::Null && !takes_null(model, value_field) {
                    return reader.error(&member.value.range, "null is not allowed in a map");
                }
                let value = reader.one(value_field.kind, &member.value);
                let Some(value) = value else { return };
                let mut entry = MessageValue::default();
                entry.set(1, key);
                entry.set(2, value);
                entries.push(Value::Message(entry));
            });
        }
        Some(Value::List(entries))
    }

    /// One value. `None` after an error.
    fn one(&mut self, kind: Kind, node: &Node) -> Option<Value> {
        match kind {
            Kind::Double | Kind::Float => self.float(kind, node),
            Kind::Bool => match node.kind {
                NodeKind::Bool(value) => Some(Value::Bool(value)),
                _ => self.expected("true or false", node),
            },
            Kind::String => match &node.kind {
                NodeKind::Text(text) => Some(Value::Text(text.clone().into_bytes())),
                _ => self.expected("a string", node),
            },
            Kind::Bytes => self.bytes(node),
            Kind::Enum(id) => self.enumeration(id, node),
            Kind::Message(id) => self.message(id, node).map(Value::Message),
            _ => self.integer(kind, node),
        }
    }

    pub fn expected<T>(&mut self, what: &str, node: &Node) -> Option<T> {
        self.error(&node.range, format!("expected {what}, found {}", node.kind.words()));
        None
    }

    fn integer(&mut self, kind: Kind, node: &Node) -> Option<Value> {
        let text = match &node.kind {
            NodeKind::Number(text) | NodeKind::Text(text) => text,
            _ => return self.expected("a whole number", node),
        };
        let (name, low, high): (&str, i128, i128) = match kind {
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => ("32 bits", i32::MIN.into(), i32::MAX.into()),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => ("64 bits", i64::MIN.into(), i64::MAX.into()),
            Kind::Uint32 | Kind::Fixed32 => ("unsigned 32 bits", 0, u32::MAX.into()),
            _ => ("unsigned 64 bits", 0, u64::MAX.into()),
        };
        let value = match numbers::integer(text) {
            Ok(value) => value,
            Err(why) => {
                self.error(&node.range, format!("expected a whole number: {why}"));
                return None;
            }
        };
        if !(low..=high).contains(&value) {
            self.error(&node.range, format!("{text} does not fit {name}: {low} to {high}"));
            return None;
        }
        Some(if low < 0 { Value::Signed(value as i64) } else { Value::Unsigned(value as u64) })
    }

    fn float(&mut self, kind: Kind, node: &Node) -> Option<Value> {
        let text = match &node.kind {
            NodeKind::Number(text) | NodeKind::Text(text) => text,
            _ => return self.expected("a number", node),
        };
        let Some(double) = numbers::float(text) else {
            let words = format!("{text:?} is not a number; NaN, Infinity and -Infinity stand in quotes");
            self.error(&node.range, words);
            return None;
        };
        let is_named = matches!(text.as_str(), "NaN" | "Infinity" | "-Infinity");
        if kind == Kind::Double {
            if double.is_infinite() && !is_named {
                self.error(&node.range, format!("{text} is too large for a double"));
                return None;
            }
            return Some(Value::Double(double));
        }
        // Straight from the text: by way of a double it could be rounded twice.
        let float = if is_named { double as f32 } else { text.parse().unwrap_or(double as f32) };
        if float.is_infinite() && !is_named {
            self.error(&node.range, format!("{text} is too large for a float"));
            return None;
        }
        Some(Value::Float(float))
    }

    fn bytes(&mut self, node: &Node) -> Option<Value> {
        let NodeKind::Text(text) = &node.kind else {
            return self.expected("bytes as base64 in a string", node);
        };
        match base64::decode(text) {
            Ok(bytes) => Some(Value::Bytes(bytes)),
            Err((_, why)) => {
                self.error(&node.range, format!("expected base64: {why}"));
                None
            }
        }
    }

    fn enumeration(&mut self, id: EnumId, node: &Node) -> Option<Value> {
        let model = self.model;
        let declared = model.enumeration(id);
        match &node.kind {
            NodeKind::Null if &*declared.full_name == "google.protobuf.NullValue" => Some(Value::Enum(0)),
            NodeKind::Text(name) => match declared.values.iter().find(|v| v.proto_name == *name) {
                Some(value) => Some(Value::Enum(value.number)),
                None => {
                    let names = declared.values.iter().map(|v| v.proto_name.as_str());
                    let help =
                        closest(name, names).map(|near| format!("did you mean \"{near}\"?")).or_else(|| {
                            let all: Vec<&str> =
                                declared.values.iter().take(8).map(|v| v.proto_name.as_str()).collect();
                            let more = if declared.values.len() > all.len() { ", …" } else { "" };
                            Some(format!("it has {}{more}", all.join(", ")))
                        });
                    let words = format!("{} has no value \"{name}\"", declared.full_name);
                    self.error_with_help(&node.range, words, help);
                    None
                }
            },
            NodeKind::Number(text) => {
                let Some(number) = numbers::integer(text).ok().and_then(|v| i32::try_from(v).ok()) else {
                    self.error(&node.range, format!("{text} does not fit an enum's 32 bits"));
                    return None;
                };
                if declared.is_closed && !declared.values.iter().any(|v| v.number == number) {
                    let words = format!("{} has no value {number}, and is closed", declared.full_name);
                    self.error(&node.range, words);
                    return None;
                }
                Some(Value::Enum(number))
            }
            _ => self.expected("the name or number of an enum value", node),
        }
    }
}

fn find_field<'a>(message: &'a Message, key: &str) -> Option<&'a Field> {
    let by_json_name = message.fields.iter().find(|f| f.json_name == key);
    by_json_name.or_else(|| message.fields.iter().find(|f| f.proto_name == key))
}

/// Whether null is a value of the field rather than its absence.
fn takes_null(model: &Model, field: &Field) -> bool {
    if field.cardinality == Cardinality::Map {
        return false;
    }
    match field.kind {
        Kind::Message(id) => &*model.message(id).full_name == "google.protobuf.Value",
        Kind::Enum(id) => &*model.enumeration(id).full_name == "google.protobuf.NullValue",
        _ => false,
    }
}

/// Map keys stand in quotes; what they hold is of the key's kind.
fn key_kind(field: &Field, key: &str) -> NodeKind {
    match (field.kind, key) {
        (Kind::Bool, "true") => NodeKind::Bool(true),
        (Kind::Bool, "false") => NodeKind::Bool(false),
        _ => NodeKind::Text(key.to_owned()),
    }
}

/// The name that is at most two edits away, if one is.
fn closest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .filter(|other| other.len().abs_diff(name.len()) <= 2 && name.len() <= 64)
        .map(|other| (edits(name, other), other))
        .filter(|(edits, other)| *edits <= 2 && *edits * 2 < other.len().max(2))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, other)| other)
}

/// Levenshtein distance, in bytes, ignoring ASCII case.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.bytes().enumerate() {
            let change = diagonal + usize::from(!ca.eq_ignore_ascii_case(&cb));
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
