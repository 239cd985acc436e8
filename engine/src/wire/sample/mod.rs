//! Values made from the schema alone: the least, something plausible, everything full, and random.
//! The same input always gives the same value.

mod choices;
mod plausible;
mod seeded;

use crate::options::{FieldLimits, IntWidth, Limits, StorageChoice};
use crate::schema::{Cardinality, EnumId, Field, FieldRef, Kind, MessageId, Model, Presence};

use super::annotate::MAX_DEPTH;
use super::encode::encode_bytes;
use super::scalar;
use super::value::{MessageValue, Value};
use choices::{Least, Most, Typical};
use seeded::Seeded;

/// Largest sample made, in bytes of its values: bounds multiply quickly.
pub const MAX_SAMPLE_BYTES: usize = 4 << 20;

/// The least valid value: required fields only, with zeros.
pub fn minimum(model: &Model, limits: &Limits, message: MessageId) -> MessageValue {
    fill(model, limits, message, &mut Least).0
}

/// A plausible value: every field set, lists of two, the first member of each oneof that holds something.
///
/// ```
/// use wirebench_engine::files::{Input, MemoryFiles};
/// use wirebench_engine::{options, schema, wire};
/// let files = MemoryFiles::default()
///     .with("a.proto", "syntax = \"proto3\"; message Gps { double latitude = 1; string name = 2; }");
/// let input = Input { roots: vec!["a.proto".into()], ..Input::default() };
/// let model = schema::check(&input, &files).model.expect("a good schema");
/// let limits = options::resolve(&model, &input, &files).limits;
/// let gps = model.find_message("Gps").expect("a message");
/// let sample = wire::sample::typical(&model, &limits, gps);
/// let json = wire::json::print(&model, gps, &sample);
/// assert_eq!(json, "{\n  \"latitude\": 48.1374,\n  \"name\": \"sample\"\n}");
/// ```
pub fn typical(model: &Model, limits: &Limits, message: MessageId) -> MessageValue {
    fill(model, limits, message, &mut Typical).0
}

/// Every bound filled: longest texts, fullest lists, widest numbers, of each oneof the member that takes most
/// bytes. `None` if that is more than [`MAX_SAMPLE_BYTES`], if a field has no bound, or if messages nest deeper
/// than decoders go.
///
/// Recursive messages end where their type comes a second time.
pub fn maximum(model: &Model, limits: &Limits, message: MessageId) -> Option<MessageValue> {
    let (value, is_whole) = fill(model, limits, message, &mut Most);
    is_whole.then_some(value)
}

/// A random value within the limits, the same for the same seed.
pub fn random(model: &Model, limits: &Limits, message: MessageId, seed: u64) -> MessageValue {
    fill(model, limits, message, &mut Seeded::new(seed)).0
}

/// Says what a field holds. Called in the order of the fields.
trait Choose {
    /// Whether an optional field (or one of a oneof) is set.
    fn is_set(&mut self, field: &Field) -> bool;
    /// Items of a list of at most `max`.
    fn items(&mut self, max: Option<u32>) -> u32;
    /// Bytes of a text or bytes value of at most `max`.
    fn payload(&mut self, field: &Field, max: Option<u32>, at: u32) -> Vec<u8>;
    /// A number or bool; integers must fit the range.
    fn number(&mut self, field: &Field, range: Range, at: u32) -> Value;
    /// A number of an enum.
    fn enumeration(&mut self, model: &Model, id: EnumId, at: u32) -> i32;
    /// Which member of a oneof is set, of those in `candidates` (never empty); `None` for none.
    fn member(&mut self, candidates: usize) -> Option<usize>;
    /// Whether all members are to be made, and the longest taken.
    fn takes_longest(&self) -> bool {
        false
    }
}

fn fill(model: &Model, limits: &Limits, id: MessageId, choose: &mut dyn Choose) -> (MessageValue, bool) {
    let mut filler =
        Filler { model, limits, choose, path: Vec::new(), left: MAX_SAMPLE_BYTES, is_whole: true };
    let value = filler.message(id);
    (value, filler.is_whole)
}

/// Least and largest value of an integer.
#[derive(Clone, Copy)]
struct Range {
    low: i128,
    high: i128,
}

impl Range {
    fn of(is_signed: bool, bits: u32) -> Range {
        match is_signed {
            true => Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 },
            false => Range { low: 0, high: (1 << bits) - 1 },
        }
    }

    /// The nearest value of the range, in the type of integers of that sign.
    fn value(self, number: i128) -> Value {
        let number = number.clamp(self.low, self.high);
        if self.low < 0 { Value::Signed(number as i64) } else { Value::Unsigned(number as u64) }
    }
}

struct Filler<'a> {
    model: &'a Model,
    limits: &'a Limits,
    choose: &'a mut dyn Choose,
    /// Messages around the one being made; a type is never made inside itself.
    path: Vec<MessageId>,
    /// Bytes that may still be made.
    left: usize,
    is_whole: bool,
}

impl Filler<'_> {
    fn message(&mut self, id: MessageId) -> MessageValue {
        let model = self.model;
        let message = model.message(id);
        self.path.push(id);
        let mut value = MessageValue::default();
        for (index, field) in message.fields.iter().enumerate() {
            if field.oneof.is_some() || self.is_left_out(id, index) {
                continue;
            }
            let is_set = field.presence == Presence::Required || self.choose.is_set(field);
            if is_set && let Some(made) = self.field(id, index) {
                value.set(field.number, made);
            }
        }
        for oneof in &message.oneofs {
            let members: Vec<usize> =
                oneof.fields.iter().copied().filter(|index| !self.is_left_out(id, *index)).collect();
            if let Some((number, made)) = self.oneof(id, &members) {
                value.set(number, made);
            }
        }
        self.path.pop();
        value.fields.retain(|set| {
            let declared = message.fields.iter().find(|f| f.number == set.number);
            let is_implicit = declared.is_some_and(|f| f.presence == Presence::Implicit && f.oneof.is_none());
            message.is_map_entry || !(is_implicit && scalar::is_implicit_default(&set.value))
        });
        value
    }

    fn oneof(&mut self, id: MessageId, members: &[usize]) -> Option<(u32, Value)> {
        if members.is_empty() {
            return None;
        }
        let fields = &self.model.message(id).fields;
        if !self.choose.takes_longest() {
            let index = members[self.choose.member(members.len())?.min(members.len() - 1)];
            return Some((fields[index].number, self.field(id, index)?));
        }
        let mut longest: Option<(usize, u32, Value)> = None;
        for index in members {
            let Some(made) = self.field(id, *index) else { continue };
            let mut alone = MessageValue::default();
            alone.set(fields[*index].number, made.clone());
            let len = encode_bytes(self.model, id, &alone).len();
            if longest.as_ref().is_none_or(|(most, ..)| len > *most) {
                longest = Some((len, fields[*index].number, made));
            }
        }
        longest.map(|(_, number, made)| (number, made))
    }

    /// Ignored fields, and those that would nest a message in itself.
    fn is_left_out(&self, message: MessageId, index: usize) -> bool {
        let field = &self.model.message(message).fields[index];
        let is_ignored =
            self.field_limits(message, index).is_some_and(|l| l.storage.value == StorageChoice::Ignored);
        let inner = inner_message(self.model, field);
        is_ignored || inner.is_some_and(|inner| self.path.contains(&inner))
    }

    fn field_limits(&self, message: MessageId, index: usize) -> Option<&FieldLimits> {
        self.limits.fields.get(&FieldRef { message, index: index as u32 })
    }

    fn field(&mut self, id: MessageId, index: usize) -> Option<Value> {
        let field = &self.model.message(id).fields[index];
        let limits = self.field_limits(id, index);
        let max_len = limits.and_then(|l| l.max_len.as_ref()).map(|max| max.value);
        let max_count = limits.and_then(|l| l.max_count.as_ref()).map(|max| max.value);
        let width = limits.and_then(|l| l.int_width.as_ref()).map(|width| width.value);
        if field.cardinality == Cardinality::Singular {
            return self.one(field, max_len, width, 0);
        }
        if max_count.is_none() && self.choose.takes_longest() {
            self.is_whole = false;
        }
        let mut items = Vec::new();
        for at in 0..self.choose.items(max_count) {
            match self.one(field, max_len, width, at) {
                Some(item) => items.push(item),
                None => break,
            }
        }
        if field.cardinality == Cardinality::Map {
            let mut keys = std::collections::HashSet::new();
            items.retain(|item| match item {
                Value::Message(entry) => keys.insert(entry.get(1).map(super::collect::map_key)),
                _ => false,
            });
        }
        (!items.is_empty()).then_some(Value::List(items))
    }

    /// One value; `None` where nothing more may be made.
    fn one(
        &mut self,
        field: &Field,
        max_len: Option<u32>,
        width: Option<IntWidth>,
        at: u32,
    ) -> Option<Value> {
        let cost = match field.kind {
            Kind::String | Kind::Bytes => max_len.map_or(16, |max| max as usize) + 16,
            _ => 16,
        };
        match self.left.checked_sub(cost) {
            Some(left) => self.left = left,
            None => {
                self.is_whole = false;
                return None;
            }
        }
        if matches!(field.kind, Kind::Message(_)) && self.path.len() > usize::from(MAX_DEPTH) {
            self.is_whole = false;
            return None;
        }
        Some(match field.kind {
            Kind::String | Kind::Bytes => {
                if max_len.is_none() && self.choose.takes_longest() {
                    self.is_whole = false;
                }
                let payload = self.choose.payload(field, max_len, at);
                if field.kind == Kind::String { Value::Text(payload) } else { Value::Bytes(payload) }
            }
            Kind::Enum(id) => Value::Enum(self.choose.enumeration(self.model, id, at)),
            Kind::Message(id) => Value::Message(self.entry_or_message(id, at)),
            kind => {
                let (is_signed, natural) = match kind {
                    Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => (true, 32),
                    Kind::Uint32 | Kind::Fixed32 => (false, 32),
                    Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => (true, 64),
                    _ => (false, 64),
                };
                let bits = bits(width).unwrap_or(natural).min(natural);
                self.choose.number(field, Range::of(is_signed, bits), at)
            }
        })
    }

    /// Map entries need keys of their own, so their parts count on.
    fn entry_or_message(&mut self, id: MessageId, at: u32) -> MessageValue {
        let message = self.model.message(id);
        if !message.is_map_entry {
            return self.message(id);
        }
        let mut entry = MessageValue::default();
        self.path.push(id);
        for (index, part) in message.fields.iter().enumerate() {
            let limits = self.field_limits(id, index);
            let max_len = limits.and_then(|l| l.max_len.as_ref()).map(|max| max.value);
            let width = limits.and_then(|l| l.int_width.as_ref()).map(|width| width.value);
            if let Some(made) = self.one(part, max_len, width, at) {
                entry.set(part.number, made);
            }
        }
        self.path.pop();
        entry
    }
}

/// The message a field leads to, through a map's entry.
fn inner_message(model: &Model, field: &Field) -> Option<MessageId> {
    let Kind::Message(id) = field.kind else { return None };
    if field.cardinality != Cardinality::Map {
        return Some(id);
    }
    model.message(id).fields.iter().find(|f| f.number == 2).and_then(|value| match value.kind {
        Kind::Message(inner) => Some(inner),
        _ => None,
    })
}

fn bits(width: Option<IntWidth>) -> Option<u32> {
    width.map(|width| match width {
        IntWidth::W8 => 8,
        IntWidth::W16 => 16,
        IntWidth::W32 => 32,
        IntWidth::W64 => 64,
    })
}
