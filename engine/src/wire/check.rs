//! Whether a value fits: its kinds and ranges to the schema, its lengths and counts to the limits.

use crate::diagnostic::{Diagnostic, Span};
use crate::options::{FieldLimits, IntWidth, Limits, StorageChoice};
use crate::schema::{Cardinality, Field, FieldRef, Kind, MessageId, Model};

use super::scalar;
use super::text::count;
use super::value::{MessageValue, Value};

/// Something about a value that the schema or the limits do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The field's path: `peripherals[8].uart`.
    pub path: String,
    /// What is wrong, with both numbers: `device_name holds 33/32 B`.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The field's name in the schema, where the file has text.
    pub span: Option<Span>,
    /// Whether something is lost or refused; else it is a remark.
    pub is_error: bool,
}

impl From<Misfit> for Diagnostic {
    fn from(misfit: Misfit) -> Diagnostic {
        let message = match misfit.path.as_str() {
            "" => misfit.message,
            path => format!("{path}: {}", misfit.message),
        };
        let diagnostic = match misfit.is_error {
            true => Diagnostic::error(misfit.span, message),
            false => Diagnostic::warning(misfit.span, message),
        };
        diagnostic.with_help(misfit.help)
    }
}

/// Values over their limits, one diagnostic each, placed at the field in the schema.
pub fn check_limits(
    model: &Model,
    limits: &Limits,
    message: MessageId,
    value: &MessageValue,
) -> Vec<Diagnostic> {
    misfits(model, Some(limits), message, value).into_iter().map(Diagnostic::from).collect()
}

/// Values of another kind than their field, numbers out of its range, unknown fields of a type.
pub fn check_value(model: &Model, message: MessageId, value: &MessageValue) -> Vec<Diagnostic> {
    misfits(model, None, message, value).into_iter().map(Diagnostic::from).collect()
}

/// What does not fit, with the path apart from the words, for forms that mark the field itself.
pub fn misfits(
    model: &Model,
    limits: Option<&Limits>,
    message: MessageId,
    value: &MessageValue,
) -> Vec<Misfit> {
    let mut checker = Checker { model, limits, path: Vec::new(), found: Vec::new() };
    checker.message(message, value, 0);
    checker.found
}

/// Values nested deeper than this are not looked at; nothing that was read is.
const MAX_NESTING: usize = 200;

struct Checker<'a> {
    model: &'a Model,
    limits: Option<&'a Limits>,
    path: Vec<String>,
    found: Vec<Misfit>,
}

impl Checker<'_> {
    fn message(&mut self, id: MessageId, value: &MessageValue, depth: usize) {
        if depth > MAX_NESTING {
            return;
        }
        let model = self.model;
        for field_value in &value.fields {
            let fields = &model.message(id).fields;
            let Some(index) = fields.iter().position(|f| f.number == field_value.number) else {
                let name = &model.message(id).full_name;
                let words = format!("{name} has no field {}", field_value.number);
                self.add(None, words, "remove it".to_owned(), true);
                continue;
            };
            let field = &fields[index];
            let field_ref = FieldRef { message: id, index: index as u32 };
            let limits = self.limits.and_then(|limits| limits.fields.get(&field_ref));
            self.path.push(field.proto_name.clone());
            self.field(field, limits, &field_value.value, depth);
            self.path.pop();
        }
    }

    fn field(&mut self, field: &Field, limits: Option<&FieldLimits>, value: &Value, depth: usize) {
        if limits.is_some_and(|l| l.storage.value == StorageChoice::Ignored) {
            let help = "remove it, or change the field's storage".to_owned();
            let words = "the field is ignored: generated code leaves it out".to_owned();
            return self.add(Some(field), words, help, false);
        }
        match (field.cardinality, value) {
            (Cardinality::Singular, value) => self.one(field, limits, value, depth),
            (_, Value::List(items)) => {
                let max_count = limits.and_then(|l| l.max_count.as_ref()).map(|max| max.value);
                if let Some(max) = max_count.filter(|max| items.len() > *max as usize) {
                    let words = format!("{}/{max} items", items.len());
                    let remove = count(items.len() as u64 - u64::from(max), "item");
                    let help = format!("remove {remove}, or raise the maximum count to {}", items.len());
                    self.add(Some(field), words, help, true);
                }
                for (at, item) in items.iter().enumerate() {
                    let name = self.path.pop().unwrap_or_default();
                    self.path.push(format!("{name}[{at}]"));
                    self.one(field, limits, item, depth);
                    self.path.pop();
                    self.path.push(name);
                }
            }
            (_, _) => self.add(Some(field), "one value where a list belongs".to_owned(), make_list(), true),
        }
    }

    fn one(&mut self, field: &Field, limits: Option<&FieldLimits>, value: &Value, depth: usize) {
        match (field.kind, value) {
            (Kind::Message(inner), Value::Message(message)) => self.message(inner, message, depth + 1),
            (Kind::String, Value::Text(bytes)) | (Kind::Bytes, Value::Bytes(bytes)) => {
                if field.kind == Kind::String && field.utf8_checked && std::str::from_utf8(bytes).is_err() {
                    let words = "the text is not valid UTF-8".to_owned();
                    self.add(
                        Some(field),
                        words,
                        "make the field bytes, or correct the text".to_owned(),
                        true,
                    );
                }
                let max_len = limits.and_then(|l| l.max_len.as_ref()).map(|max| max.value);
                if let Some(max) = max_len.filter(|max| bytes.len() > *max as usize) {
                    let words = format!("{}/{max} B", bytes.len());
                    let shorten = count(bytes.len() as u64 - u64::from(max), "byte");
                    let help =
                        format!("shorten it by {shorten}, or raise the maximum length to {}", bytes.len());
                    self.add(Some(field), words, help, true);
                }
            }
            (kind, value) => match number(value).filter(|_| scalar::to_raw(kind, value).is_some()) {
                Some(number) => self.range(field, limits, number),
                None if scalar::to_raw(kind, value).is_some() => {}
                None => {
                    let words = "the value is of another kind than the field".to_owned();
                    self.add(Some(field), words, "correct the value".to_owned(), true);
                }
            },
        }
    }

    /// Whether a number fits its kind and the width it is stored in.
    fn range(&mut self, field: &Field, limits: Option<&FieldLimits>, number: i128) {
        let (is_signed, bits) = match field.kind {
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 | Kind::Enum(_) => (true, 32),
            Kind::Uint32 | Kind::Fixed32 => (false, 32),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => (true, 64),
            _ => (false, 64),
        };
        // Enums are stored in 32 bits whatever their limits say.
        let width =
            limits.and_then(|l| l.int_width.as_ref()).filter(|_| !matches!(field.kind, Kind::Enum(_)));
        let stored = width.map_or(bits, |width| match width.value {
            IntWidth::W8 => 8,
            IntWidth::W16 => 16,
            IntWidth::W32 => 32,
            IntWidth::W64 => 64,
        });
        for (bits, is_limit) in [(bits, false), (stored, true)] {
            let (low, high) = match is_signed {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            if (low..=high).contains(&number) {
                continue;
            }
            let help = match is_limit {
                true => format!("use a value from {low} to {high}, or a wider integer"),
                false => format!("use a value from {low} to {high}"),
            };
            self.add(Some(field), format!("{number} does not fit {bits} bits"), help, true);
            return;
        }
    }

    fn add(&mut self, field: Option<&Field>, message: String, help: String, is_error: bool) {
        let span = field.and_then(|f| f.span.clone());
        self.found.push(Misfit { path: self.path.join("."), message, help, span, is_error });
    }
}

fn make_list() -> String {
    "make it a list of one item".to_owned()
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Signed(v) => Some((*v).into()),
        Value::Unsigned(v) => Some((*v).into()),
        Value::Enum(v) => Some((*v).into()),
        _ => None,
    }
}
