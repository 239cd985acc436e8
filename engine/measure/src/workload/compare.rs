//! Statements that compare every field of a decoded message with its value, and absent fields with
//! their default. They stand in a function that returns `Option`: a difference ends it with `None`.

use wirebench_engine::plan::{FieldPlan, Item, Label, MessagePlan, OneofPlan, Plan, Storage};
use wirebench_engine::schema::MessageId;
use wirebench_engine::wire::{MessageValue, Value};

use super::WorkloadError;
use super::fill::{full_name, is_plain};
use super::literal::{bits, byte_string, is_float, scalar, zero};
use super::names::oneof_path;
use super::text::Lines;

/// Prints the statements. `place` is an expression that names the decoded message.
///
/// # Errors
/// A value that is not of its field's kind.
pub fn compare(
    out: &mut Lines,
    plan: &Plan,
    message: &MessagePlan,
    place: &str,
    value: &MessageValue,
) -> Result<(), WorkloadError> {
    Compare { plan, depth: 0 }.message(out, message, place, value)
}

struct Compare<'a> {
    plan: &'a Plan,
    /// Nesting, for names that do not clash.
    depth: usize,
}

impl<'a> Compare<'a> {
    fn message(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        place: &str,
        value: &MessageValue,
    ) -> Result<(), WorkloadError> {
        for field in &message.fields {
            let sent = value.get(field.number);
            match (&field.storage, field.label) {
                (Storage::Streamed { .. }, _) | (_, Label::Oneof { .. }) => {}
                (Storage::List { item, .. }, _) => self.list(out, message, field, *item, place, sent)?,
                (Storage::One(item), Label::Flag { .. }) => {
                    self.flagged(out, message, field, *item, place, sent)?
                }
                (Storage::One(item), _) => {
                    let place = format!("{place}.{}", field.rust_name);
                    self.always(out, *item, &place, sent, &full_name(message, field))?;
                }
            }
        }
        for (at, oneof) in message.oneofs.iter().enumerate() {
            self.oneof(out, message, at, oneof, place, value)?;
        }
        Ok(())
    }

    /// A field that is always there: absent means the default.
    fn always(
        &mut self,
        out: &mut Lines,
        item: Item,
        place: &str,
        sent: Option<&Value>,
        full: &str,
    ) -> Result<(), WorkloadError> {
        let Some(value) = sent else {
            match item {
                Item::Text { .. } | Item::Bytes { .. } => fail_if(out, &format!("!{place}.is_empty()")),
                Item::Message(id) => {
                    let message = self.message_of(id, full)?;
                    self.message(out, message, place, &MessageValue::default())?;
                }
                _ if is_float(item) => fail_if(out, &format!("{place}.to_bits() != 0")),
                _ => fail_if(out, &format!("{place} != {}", zero(self.plan, item))),
            }
            return Ok(());
        };
        self.value(out, item, place, value, full)
    }

    /// Compares what `place` names (a place, or a reference in a variable) with a value.
    fn value(
        &mut self,
        out: &mut Lines,
        item: Item,
        place: &str,
        value: &Value,
        full: &str,
    ) -> Result<(), WorkloadError> {
        let wrong = || WorkloadError::WrongKind { field: full.to_owned() };
        match (item, value) {
            (Item::Text { .. }, Value::Text(bytes)) => {
                fail_if(out, &format!("{place}.as_bytes() != {}", byte_string(bytes)));
            }
            (Item::Bytes { .. }, Value::Bytes(bytes)) => {
                fail_if(out, &format!("{place}[..] != {}[..]", byte_string(bytes)));
            }
            (Item::Message(id), Value::Message(value)) => {
                let message = self.message_of(id, full)?;
                self.message(out, message, place, value)?;
            }
            _ if is_float(item) => {
                let bits = bits(value).ok_or_else(wrong)?;
                fail_if(out, &format!("{place}.to_bits() != {bits}"));
            }
            _ => {
                let literal = scalar(self.plan, item, value, full)?;
                fail_if(out, &format!("{place} != {literal}"));
            }
        }
        Ok(())
    }

    /// A field with presence, behind its getter.
    fn flagged(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        field: &FieldPlan,
        item: Item,
        place: &str,
        sent: Option<&Value>,
    ) -> Result<(), WorkloadError> {
        let full = full_name(message, field);
        let getter = format!("{place}.{}()", field.rust_name);
        let Some(value) = sent else {
            fail_if(out, &format!("{getter}.is_some()"));
            return Ok(());
        };
        let inner = self.variable();
        let result = out.block("", "", |out| {
            out.line(format_args!("let Some({inner}) = {getter} else {{ return None }};"));
            self.value(out, item, &inner, value, &full)
        });
        self.depth -= 1;
        result
    }

    fn oneof(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        at: usize,
        oneof: &OneofPlan,
        place: &str,
        value: &MessageValue,
    ) -> Result<(), WorkloadError> {
        let path = oneof_path(message, oneof);
        let place = format!("{place}.{}", oneof.rust_name);
        let is_member = |f: &&FieldPlan| matches!(f.label, Label::Oneof { oneof, .. } if oneof == at);
        let set = message.fields.iter().filter(is_member).find_map(|f| Some((f, value.get(f.number)?)));
        let Some((field, value)) = set else {
            out.line(format_args!("let {path}::NotSet = {place} else {{ return None }};"));
            return Ok(());
        };
        let (Storage::One(item), full) = (&field.storage, full_name(message, field)) else { return Ok(()) };
        let inner = self.variable();
        let result = out.block("", "", |out| {
            let pattern = format!("{path}::{}({inner})", field.rust_name);
            out.line(format_args!("let {pattern} = &{place} else {{ return None }};"));
            let inner = if is_plain(*item) && !is_float(*item) { format!("*{inner}") } else { inner };
            self.value(out, *item, &inner, value, &full)
        });
        self.depth -= 1;
        result
    }

    fn list(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        field: &FieldPlan,
        item: Item,
        place: &str,
        sent: Option<&Value>,
    ) -> Result<(), WorkloadError> {
        let full = full_name(message, field);
        let place = format!("{place}.{}", field.rust_name);
        let items = match sent {
            None => &[][..],
            Some(Value::List(items)) => items,
            Some(_) => return Err(WorkloadError::WrongKind { field: full }),
        };
        if items.is_empty() {
            fail_if(out, &format!("!{place}.is_empty()"));
            return Ok(());
        }
        if is_plain(item) && !is_float(item) {
            let literals: Result<Vec<_>, _> =
                items.iter().map(|v| scalar(self.plan, item, v, &full)).collect();
            fail_if(out, &format!("{place}[..] != [{}][..]", literals?.join(", ")));
            return Ok(());
        }
        if is_float(item) {
            let bits: Option<Vec<_>> = items.iter().map(bits).collect();
            let bits = bits.ok_or(WorkloadError::WrongKind { field: full })?.join(", ");
            fail_if(out, &format!("{place}.len() != {}", items.len()));
            fail_if(
                out,
                &format!("!{place}.iter().zip([{bits}]).all(|(value, bits)| value.to_bits() == bits)"),
            );
            return Ok(());
        }
        self.depth += 1;
        let names: Vec<String> = (0..items.len()).map(|at| format!("i{}_{at}", self.depth)).collect();
        let result = out.block("", "", |out| {
            out.line(format_args!("let [{}] = &{place}[..] else {{ return None }};", names.join(", ")));
            for (name, value) in names.iter().zip(items) {
                self.value(out, item, name, value, &full)?;
            }
            Ok(())
        });
        self.depth -= 1;
        result
    }

    fn message_of(&self, id: MessageId, full: &str) -> Result<&'a MessagePlan, WorkloadError> {
        self.plan.message(id).ok_or_else(|| WorkloadError::WrongKind { field: full.to_owned() })
    }

    fn variable(&mut self) -> String {
        self.depth += 1;
        format!("v{}", self.depth)
    }
}

fn fail_if(out: &mut Lines, condition: &str) {
    out.line(format_args!("if {condition} {{ return None }}"));
}
