//! The canonical encoder: fields by number, packed where the schema says so, no implicit defaults,
//! then unknown fields as they came. Bit patterns are kept. Generated codecs are checked against it.

use crate::schema::{Cardinality, Field, Kind, MessageId, Model, Presence};

use super::annotate;
use super::scalar;
use super::span::{self, ByteSpan};
use super::text;
use super::value::{MessageValue, Value};
use super::varint::{self, WireType};

/// Values nested deeper than this are written as empty messages; no decoder would read them.
const MAX_NESTING: usize = 200;

/// A message's bytes with what each of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// The message.
    pub bytes: Vec<u8>,
    /// The arena; see [`ByteSpan`].
    pub spans: Vec<ByteSpan>,
}

impl Encoded {
    /// Where a span is: `samples[3].x`.
    pub fn path(&self, model: &Model, span: usize) -> String {
        span::path(Some(model), &self.spans, span)
    }

    /// What a span says, in a few words.
    pub fn text(&self, model: &Model, span: usize) -> String {
        text::of_span(Some(model), &self.bytes, &self.spans, span)
    }
}

/// Encodes a value of that message type.
///
/// Values of another kind than their field's are left out; numbers wider than their field keep the low bits:
/// [`super::check_value`] names both.
///
/// ```
/// use wirebench_engine::files::{Input, MemoryFiles};
/// use wirebench_engine::{schema, wire};
/// let files = MemoryFiles::default().with("a.proto", "syntax = \"proto3\"; message T { sint32 rssi = 1; }");
/// let checked = schema::check(&Input { roots: vec!["a.proto".into()], ..Input::default() }, &files);
/// let model = checked.model.expect("a good schema");
/// let t = model.find_message("T").expect("a message");
/// let value = wire::json::parse(&model, t, "sample.json", "{\"rssi\": -67}").expect("a good sample");
/// let encoded = wire::encode(&model, t, &value);
/// assert_eq!(encoded.bytes, [0x08, 0x85, 0x01]);
/// assert_eq!((encoded.path(&model, 2), encoded.text(&model, 2)), ("rssi".to_owned(), "-67".to_owned()));
/// ```
pub fn encode(model: &Model, message: MessageId, value: &MessageValue) -> Encoded {
    let bytes = encode_bytes(model, message, value);
    let spans = annotate::spans_of(model, message, &bytes);
    Encoded { bytes, spans }
}

/// Only the bytes.
pub fn encode_bytes(model: &Model, message: MessageId, value: &MessageValue) -> Vec<u8> {
    let mut encoder = Encoder { model, out: Vec::new() };
    encoder.message(message, value, 0);
    encoder.out
}

struct Encoder<'a> {
    model: &'a Model,
    out: Vec<u8>,
}

impl<'a> Encoder<'a> {
    fn message(&mut self, id: MessageId, value: &MessageValue, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        let message = self.model.message(id);
        let mut fields: Vec<(&Field, &Value)> = Vec::with_capacity(value.fields.len());
        for field_value in &value.fields {
            if let Some(field) = message.fields.iter().find(|f| f.number == field_value.number) {
                fields.push((field, &field_value.value));
            }
        }
        fields.sort_by_key(|(field, _)| field.number);
        for (at, (field, value)) in fields.iter().enumerate() {
            let is_last = fields.get(at + 1).is_none_or(|(next, _)| next.number != field.number);
            if is_last {
                self.field(field, value, message.is_map_entry, depth);
            }
        }
        for unknown in &value.unknown {
            self.out.extend_from_slice(&unknown.bytes);
        }
    }

    fn field(&mut self, field: &Field, value: &Value, in_map_entry: bool, depth: usize) {
        match value {
            Value::List(items) => match field.cardinality {
                Cardinality::Singular => {}
                Cardinality::Map => self.map(field, items, depth),
                Cardinality::Repeated if field.packed && scalar::is_packable(field.kind) => {
                    self.packed(field, items);
                }
                Cardinality::Repeated => {
                    for item in items {
                        self.one(field, item, depth);
                    }
                }
            },
            _ if field.cardinality != Cardinality::Singular => {}
            value => {
                // Map entries write both parts: strict readers exist.
                let is_implicit =
                    field.presence == Presence::Implicit && field.oneof.is_none() && !in_map_entry;
                if !(is_implicit && scalar::is_implicit_default(value)) {
                    self.one(field, value, depth);
                }
            }
        }
    }

    fn one(&mut self, field: &Field, value: &Value, depth: usize) {
        match (field.kind, value) {
            (Kind::Message(inner), Value::Message(message)) if field.delimited => {
                varint::write_tag(&mut self.out, field.number, WireType::StartGroup);
                self.message(inner, message, depth + 1);
                varint::write_tag(&mut self.out, field.number, WireType::EndGroup);
            }
            (Kind::Message(inner), Value::Message(message)) => {
                self.length_delimited(field, |encoder| encoder.message(inner, message, depth + 1));
            }
            (Kind::String, Value::Text(bytes)) | (Kind::Bytes, Value::Bytes(bytes)) => {
                self.length_delimited(field, |encoder| encoder.out.extend_from_slice(bytes));
            }
            (kind, value) => {
                if let Some(raw) = scalar::to_raw(kind, value) {
                    let wire_type = scalar::wire_type_of(kind);
                    varint::write_tag(&mut self.out, field.number, wire_type);
                    self.raw(wire_type, raw);
                }
            }
        }
    }

    fn packed(&mut self, field: &Field, items: &[Value]) {
        if items.is_empty() {
            return;
        }
        let wire_type = scalar::wire_type_of(field.kind);
        self.length_delimited(field, |encoder| {
            for raw in items.iter().filter_map(|item| scalar::to_raw(field.kind, item)) {
                encoder.raw(wire_type, raw);
            }
        });
    }

    fn map(&mut self, field: &Field, items: &[Value], depth: usize) {
        let Kind::Message(entry_id) = field.kind else { return };
        let parts = &self.model.message(entry_id).fields;
        for item in items {
            let Value::Message(entry) = item else { continue };
            if parts.iter().all(|part| entry.get(part.number).is_some()) {
                self.one(field, item, depth);
                continue;
            }
            let mut whole = entry.clone();
            for part in parts.iter().filter(|part| entry.get(part.number).is_none()) {
                whole.set(part.number, scalar::default_value(self.model, part.kind));
            }
            self.one(field, &Value::Message(whole), depth);
        }
    }

    fn raw(&mut self, wire_type: WireType, raw: u64) {
        match wire_type {
            WireType::I32 => self.out.extend_from_slice(&(raw as u32).to_le_bytes()),
            WireType::I64 => self.out.extend_from_slice(&raw.to_le_bytes()),
            _ => varint::write(&mut self.out, raw),
        }
    }

    /// Writes the tag, then the payload, then moves the payload behind its length.
    fn length_delimited(&mut self, field: &Field, payload: impl FnOnce(&mut Self)) {
        varint::write_tag(&mut self.out, field.number, WireType::Len);
        let start = self.out.len();
        payload(self);
        let mut length = Vec::with_capacity(5);
        varint::write(&mut length, (self.out.len() - start) as u64);
        self.out.splice(start..start, length);
    }
}
