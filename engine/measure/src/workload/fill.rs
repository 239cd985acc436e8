//! Statements that fill a message with the values of a sample, through the generated API.
//!
//! They stand in a function that returns `Option`: a container that is full ends it with `None`.

use wirebench_engine::plan::{FieldPlan, Item, Label, MessagePlan, Plan, Storage};
use wirebench_engine::wire::{MessageValue, Value};

use super::WorkloadError;
use super::literal::{byte_string, scalar};
use super::names::{access, message_path, oneof_path, setter};
use super::text::Lines;

/// Prints the statements. `place` is an expression that names the message: `m`, `m.position`.
///
/// # Errors
/// A value that does not fit its field.
pub fn fill(
    out: &mut Lines,
    plan: &Plan,
    message: &MessagePlan,
    place: &str,
    value: &MessageValue,
) -> Result<(), WorkloadError> {
    Fill { plan, depth: 0 }.message(out, message, place, value)
}

struct Fill<'a> {
    plan: &'a Plan,
    /// Nesting, for names that do not clash.
    depth: usize,
}

impl Fill<'_> {
    fn message(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        place: &str,
        value: &MessageValue,
    ) -> Result<(), WorkloadError> {
        for entry in &value.fields {
            // Ignored fields have no plan: a decoder skips them, an encoder does not know them.
            if let Some(field) = message.field(entry.number) {
                self.field(out, message, field, place, &entry.value)?;
            }
        }
        Ok(())
    }

    fn field(
        &mut self,
        out: &mut Lines,
        message: &MessagePlan,
        field: &FieldPlan,
        place: &str,
        value: &Value,
    ) -> Result<(), WorkloadError> {
        let name = &field.rust_name;
        let full = full_name(message, field);
        match (&field.storage, field.label) {
            (Storage::Streamed { .. }, _) => Ok(()),
            (Storage::List { cap, item, .. }, _) => {
                self.list(out, &format!("{place}.{name}"), *item, *cap, value, &full)
            }
            (Storage::One(item), Label::Oneof { oneof, .. }) => {
                let oneof = &message.oneofs[oneof];
                let variant = format!("{}::{name}", oneof_path(message, oneof));
                let place = format!("{place}.{}", oneof.rust_name);
                if is_plain(*item) {
                    let literal = scalar(self.plan, *item, value, &full)?;
                    out.line(format_args!("{place} = {variant}({literal});"));
                    return Ok(());
                }
                let (inner, new) = (self.variable(), new_value(self.plan, *item));
                let result = out.block("", "", |out| {
                    out.line(format_args!("let mut {inner} = {new};"));
                    self.item(out, *item, &inner, value, &full)?;
                    out.line(format_args!("{place} = {variant}({inner});"));
                    Ok(())
                });
                self.depth -= 1;
                result
            }
            (Storage::One(item), Label::Flag { .. }) if is_plain(*item) => {
                let literal = scalar(self.plan, *item, value, &full)?;
                out.line(format_args!("{place}.{}({literal});", setter(field)));
                Ok(())
            }
            (Storage::One(item), Label::Flag { .. }) => {
                let inner = self.variable();
                let result = out.block("", "", |out| {
                    out.line(format_args!("let {inner} = {place}.{}();", access(field)));
                    self.item(out, *item, &inner, value, &full)
                });
                self.depth -= 1;
                result
            }
            (Storage::One(item), _) => self.item(out, *item, &format!("{place}.{name}"), value, &full),
        }
    }

    /// Fills what `place` names.
    fn item(
        &mut self,
        out: &mut Lines,
        item: Item,
        place: &str,
        value: &Value,
        full: &str,
    ) -> Result<(), WorkloadError> {
        let wrong = || WorkloadError::WrongKind { field: full.to_owned() };
        match (item, value) {
            (Item::Text { cap, .. }, Value::Text(bytes)) => {
                check_length(bytes.len(), cap, full)?;
                let text = std::str::from_utf8(bytes)
                    .map_err(|_| WorkloadError::NotUtf8 { field: full.to_owned() })?;
                out.line(format_args!("{place}.set({text:?}).ok()?;"));
                Ok(())
            }
            (Item::Bytes { cap }, Value::Bytes(bytes)) => {
                check_length(bytes.len(), cap, full)?;
                out.line(format_args!("{place}.set({}).ok()?;", byte_string(bytes)));
                Ok(())
            }
            (Item::Message(id), Value::Message(value)) => {
                let message = self.plan.message(id).ok_or_else(wrong)?;
                self.message(out, message, place, value)
            }
            (Item::Scalar(_) | Item::Enum { .. }, _) => {
                out.line(format_args!("{place} = {};", scalar(self.plan, item, value, full)?));
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    fn list(
        &mut self,
        out: &mut Lines,
        place: &str,
        item: Item,
        cap: u32,
        value: &Value,
        full: &str,
    ) -> Result<(), WorkloadError> {
        let Value::List(items) = value else {
            return Err(WorkloadError::WrongKind { field: full.to_owned() });
        };
        check_length(items.len(), cap, full)?;
        if is_plain(item) {
            let literals: Result<Vec<_>, _> =
                items.iter().map(|v| scalar(self.plan, item, v, full)).collect();
            out.line(format_args!("{place}.extend_from_slice(&[{}]).ok()?;", literals?.join(", ")));
            return Ok(());
        }
        let inner = self.variable();
        for value in items {
            out.block("", "", |out| {
                out.line(format_args!("let {inner} = {place}.grow().ok()?;"));
                self.item(out, item, &inner, value, full)
            })?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn variable(&mut self) -> String {
        self.depth += 1;
        format!("v{}", self.depth)
    }
}

/// Numbers, bools and enums: values that are written as one expression.
pub fn is_plain(item: Item) -> bool {
    matches!(item, Item::Scalar(_) | Item::Enum { .. })
}

/// `comparison.Telemetry.status`, for messages to the user.
pub fn full_name(message: &MessagePlan, field: &FieldPlan) -> String {
    format!("{}.{}", message.full_name, field.proto_name)
}

fn new_value(plan: &Plan, item: Item) -> String {
    match item {
        Item::Text { cap, checked: true } => format!("::wirebench_runtime::Text::<{cap}>::new()"),
        Item::Text { cap, checked: false } => format!("::wirebench_runtime::RawText::<{cap}>::new()"),
        Item::Bytes { cap } => format!("::wirebench_runtime::Blob::<{cap}>::new()"),
        Item::Message(id) => {
            plan.message(id).map_or_else(String::new, |m| format!("{}::new()", message_path(m)))
        }
        Item::Scalar(_) | Item::Enum { .. } => super::literal::zero(plan, item),
    }
}

fn check_length(length: usize, cap: u32, full: &str) -> Result<(), WorkloadError> {
    if length as u64 > u64::from(cap) {
        return Err(WorkloadError::OverLimit { field: full.to_owned(), length: length as u64, limit: cap });
    }
    Ok(())
}
