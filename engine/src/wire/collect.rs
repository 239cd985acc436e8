//! Spans to values: what a decoder would end up with. The last value wins, messages merge,
//! a oneof keeps its last member, and what the schema does not know is kept as it came.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::diagnostic::Severity::{self, Error, Note};
use crate::schema::{Cardinality, Field, FieldRef, Kind, MessageId, Model, Presence};

use super::problem::{ProblemKind, Problems};
use super::scalar;
use super::span::{self, ByteSpan, Role, Standing};
use super::value::{MessageValue, UnknownField, Value};
use super::varint::{self, WireType};

/// The value of the bytes whose spans these are. Without a type, everything is unknown.
pub(crate) fn message(
    typed: Option<(&Model, MessageId)>,
    bytes: &[u8],
    spans: &[ByteSpan],
    problems: &mut Problems,
) -> MessageValue {
    let mut value = MessageValue::default();
    let all = 0..spans.len();
    match typed {
        Some((model, id)) => {
            let mut collect = Collect { model, bytes, spans, problems, missing: BTreeMap::new() };
            collect.merge(&mut value, id, all);
            collect.note_missing(&value, id, None);
            collect.report_missing();
            finish_maps(model, &mut value, id);
        }
        None => {
            for record in records(spans, all) {
                value.unknown.push(raw(bytes, &spans[record]));
            }
        }
    }
    value
}

struct Collect<'a> {
    model: &'a Model,
    bytes: &'a [u8],
    spans: &'a [ByteSpan],
    problems: &'a mut Problems,
    /// Required fields that are missing, by the message's place, with its last record: a later occurrence of the
    /// message may still bring them.
    missing: BTreeMap<Place, Missing>,
}

/// A message, the same for all its occurrences: numbers down to it, and the record where it is a list item.
type Place = Vec<(u32, u32)>;

struct Missing {
    /// The message's last record; `None` at the top.
    record: Option<usize>,
    names: Vec<String>,
}

/// The records directly in a range of spans.
fn records(spans: &[ByteSpan], mut range: Range<usize>) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        while range.start < range.end {
            let at = range.start;
            range.start = spans[at].after as usize;
            if spans[at].role == Role::Record {
                return Some(at);
            }
        }
        None
    })
}

fn raw(bytes: &[u8], record: &ByteSpan) -> UnknownField {
    UnknownField { number: record.number, bytes: bytes.get(record.range()).unwrap_or_default().to_vec() }
}

impl<'a> Collect<'a> {
    /// Adds the records of a range to a message, which may hold values of an earlier occurrence.
    fn merge(&mut self, into: &mut MessageValue, id: MessageId, range: Range<usize>) {
        // Where each singular field was set in this very occurrence, to say what wins.
        let mut set_at: Vec<(u32, usize)> = Vec::new();
        for at in records(self.spans, range) {
            let record = &self.spans[at];
            let known =
                record.field.filter(|field| record.standing == Standing::Known && field.message == id);
            let Some(field_ref) = known else {
                if record.standing != Standing::Damaged {
                    into.unknown.push(raw(self.bytes, record));
                }
                continue;
            };
            let field = self.model.field(field_ref);
            if field.cardinality != Cardinality::Singular {
                self.append(into, field, at);
                continue;
            }
            self.note_repetition(&mut set_at, id, field, at);
            self.leave_oneof(into, id, field_ref);
            self.set(into, field, at);
        }
    }

    fn set(&mut self, into: &mut MessageValue, field: &Field, at: usize) {
        if let Kind::Message(inner) = field.kind {
            let mut value = match into.take(field.number) {
                Some(Value::Message(value)) => value,
                _ => MessageValue::default(),
            };
            self.merge(&mut value, inner, self.inside(at));
            self.note_missing(&value, inner, Some(at));
            into.set(field.number, Value::Message(value));
            return;
        }
        let Some(value) = self.value(field, at) else { return };
        if field.presence == Presence::Implicit
            && field.oneof.is_none()
            && scalar::is_implicit_default(&value)
        {
            into.clear(field.number);
        } else {
            into.set(field.number, value);
        }
    }

    fn append(&mut self, into: &mut MessageValue, field: &Field, at: usize) {
        let mut items = match into.take(field.number) {
            Some(Value::List(items)) => items,
            _ => Vec::new(),
        };
        if let Kind::Message(inner) = field.kind {
            if field.cardinality == Cardinality::Map && self.has_unknown_value(at) {
                into.unknown.push(raw(self.bytes, &self.spans[at]));
            } else {
                let mut value = MessageValue::default();
                self.merge(&mut value, inner, self.inside(at));
                self.note_missing(&value, inner, Some(at));
                items.push(Value::Message(value));
            }
        } else if self.spans[at].wire_type == WireType::Len && scalar::is_packable(field.kind) {
            for leaf in self.inside(at) {
                let span = &self.spans[leaf];
                let Some(value) = self.bytes.get(span.range()).and_then(|b| scalar::read(field.kind, b))
                else {
                    continue;
                };
                match (span.role, span.standing) {
                    (Role::PackedItem, Standing::Known) => items.push(value),
                    (Role::PackedItem, Standing::UnknownEnumValue) => {
                        into.unknown.push(unpacked(field, &value));
                    }
                    _ => {}
                }
            }
        } else if let Some(value) = self.value(field, at) {
            items.push(value);
        }
        if !items.is_empty() {
            into.set(field.number, Value::List(items));
        }
    }

    /// Remembers which required fields a message has not got yet.
    fn note_missing(&mut self, value: &MessageValue, id: MessageId, at: Option<usize>) {
        let required = self.model.message(id).fields.iter().filter(|f| f.presence == Presence::Required);
        let mut required = required.peekable();
        if required.peek().is_none() {
            return;
        }
        let names =
            required.filter(|f| value.get(f.number).is_none()).map(|f| f.proto_name.clone()).collect();
        self.missing.insert(self.place(at), Missing { record: at, names });
    }

    fn place(&self, at: Option<usize>) -> Place {
        let mut place = Vec::new();
        let mut next = at;
        while let Some(at) = next {
            let span = &self.spans[at];
            let is_item =
                span.field.is_some_and(|f| self.model.field(f).cardinality != Cardinality::Singular);
            place.push((span.number, if is_item { at as u32 + 1 } else { 0 }));
            next = span.parent.map(|parent| parent as usize);
        }
        place.reverse();
        place
    }

    fn report_missing(&mut self) {
        let end = self.bytes.len();
        for Missing { record, names } in std::mem::take(&mut self.missing).into_values() {
            for name in names {
                let words = format!("the required field {name} is missing");
                let range = record.map_or(end..end, |at| self.spans[at].range());
                self.problem(Error, ProblemKind::MissingRequired, range, record, words);
            }
        }
    }

    /// Whether a map entry holds a value a closed enum does not name: the entry counts as unknown then.
    fn has_unknown_value(&self, entry: usize) -> bool {
        records(self.spans, self.inside(entry))
            .any(|at| self.spans[at].standing == Standing::UnknownEnumValue && self.spans[at].number == 2)
    }

    fn inside(&self, record: usize) -> Range<usize> {
        record + 1..self.spans[record].after as usize
    }

    /// The value of a record of one value; an empty payload has no leaf.
    fn value(&self, field: &Field, record: usize) -> Option<Value> {
        let leaf = self.inside(record).rev().map(|at| &self.spans[at]).find(|s| s.role == Role::Value);
        let bytes = match leaf {
            Some(leaf) => self.bytes.get(leaf.range())?,
            None => &[],
        };
        scalar::read(field.kind, bytes)
    }

    fn leave_oneof(&mut self, into: &mut MessageValue, id: MessageId, field: FieldRef) {
        let message = self.model.message(id);
        let Some(oneof) = message.fields[field.index as usize].oneof else { return };
        for other in message.oneofs.get(oneof).map(|o| o.fields.as_slice()).unwrap_or_default() {
            if *other != field.index as usize {
                into.clear(message.fields[*other].number);
            }
        }
    }

    fn note_repetition(&mut self, set_at: &mut Vec<(u32, usize)>, id: MessageId, field: &Field, at: usize) {
        // A oneof's members take each other's place, so they share one entry.
        let fields = &self.model.message(id).fields;
        let oneof = field.oneof.and_then(|oneof| self.model.message(id).oneofs.get(oneof));
        let slot = oneof.and_then(|o| o.fields.first()).map_or(field.number, |first| fields[*first].number);
        let Some((_, earlier)) = set_at.iter_mut().find(|(other, _)| *other == slot) else {
            return set_at.push((slot, at));
        };
        let before = std::mem::replace(earlier, at);
        let earlier = &self.spans[before];
        let offset = self.spans[at].start;
        let words = if earlier.number != field.number {
            let oneof = oneof.map_or("oneof", |o| o.proto_name.as_str());
            format!("the oneof {oneof} is set again at offset {offset}: {} wins", field.proto_name)
        } else if matches!(field.kind, Kind::Message(_)) {
            format!("the message occurs again at offset {offset}: both are merged")
        } else {
            format!("the field occurs again at offset {offset}: the last value wins")
        };
        self.problem(Note, ProblemKind::Repeated, earlier.range(), Some(before), words);
    }

    fn problem(
        &mut self,
        severity: Severity,
        kind: ProblemKind,
        range: Range<usize>,
        at: Option<usize>,
        words: String,
    ) {
        let path = || at.map_or(String::new(), |at| span::path(Some(self.model), self.spans, at));
        self.problems.add(severity, kind, range, at.map(|at| at as u32), path, words);
    }
}

/// Completes the maps of a message and of everything inside it.
fn finish_maps(model: &Model, value: &mut MessageValue, id: MessageId) {
    for field in &model.message(id).fields {
        let Kind::Message(inner) = field.kind else { continue };
        if field.cardinality == Cardinality::Map {
            finish_map(model, value, field.number, inner);
        }
        match value.get_mut(field.number) {
            Some(Value::Message(message)) => finish_maps(model, message, inner),
            Some(Value::List(items)) => {
                for item in items {
                    if let Value::Message(message) = item {
                        finish_maps(model, message, inner);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Missing keys and values are defaults; of entries with one key the last one wins, at the first one's place.
fn finish_map(model: &Model, value: &mut MessageValue, number: u32, entry_id: MessageId) {
    let Some(Value::List(items)) = value.take(number) else { return };
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut kept: Vec<Value> = Vec::new();
    for item in items {
        let Value::Message(mut entry) = item else { continue };
        for part in &model.message(entry_id).fields {
            if entry.get(part.number).is_none() {
                entry.set(part.number, scalar::default_value(model, part.kind));
            }
        }
        let key = entry.get(1).map(map_key).unwrap_or_default();
        match places.get(&key) {
            Some(place) => kept[*place] = Value::Message(entry),
            None => {
                places.insert(key, kept.len());
                kept.push(Value::Message(entry));
            }
        }
    }
    value.set(number, Value::List(kept));
}

/// A packed item as a field of its own.
fn unpacked(field: &Field, value: &Value) -> UnknownField {
    let mut bytes = Vec::new();
    varint::write_tag(&mut bytes, field.number, WireType::Varint);
    varint::write(&mut bytes, scalar::to_raw(field.kind, value).unwrap_or_default());
    UnknownField { number: field.number, bytes }
}

/// Bytes that are equal for equal keys of one map.
pub(crate) fn map_key(value: &Value) -> Vec<u8> {
    match value {
        Value::Signed(v) => v.to_le_bytes().to_vec(),
        Value::Unsigned(v) => v.to_le_bytes().to_vec(),
        Value::Bool(v) => vec![u8::from(*v)],
        Value::Text(v) | Value::Bytes(v) => v.clone(),
        _ => Vec::new(),
    }
}
