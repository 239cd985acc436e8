//! Notes on bounds that nobody set: never a silent default.

use std::collections::HashSet;

use super::limits::{LimitSource, Limits, Sourced};
use super::resolve::field_name;
use crate::diagnostic::{Diagnostic, Span};
use crate::schema::{FieldRef, Kind, MessageId, Model};

/// Messages the firmware needs: those in use, or all of the root files, and what they hold.
pub(super) fn reachable(model: &Model, in_use: &[MessageId]) -> HashSet<MessageId> {
    let is_root = |id: &MessageId| model.files[model.message(*id).file].is_root;
    let mut waiting: Vec<MessageId> = match in_use {
        [] => model.message_ids().filter(is_root).collect(),
        in_use => in_use.to_vec(),
    };
    let mut seen: HashSet<MessageId> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        for field in &model.message(id).fields {
            if let Kind::Message(inner) = field.kind
                && seen.insert(inner)
            {
                waiting.push(inner);
            }
        }
    }
    seen
}

/// One note per field whose bound was chosen here.
pub(super) fn chosen_notes(model: &Model, limits: &Limits, used: &HashSet<MessageId>) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for id in model.message_ids().filter(|id| used.contains(id)) {
        let message = model.message(id);
        for (index, field) in message.fields.iter().enumerate() {
            let Some(limits) = limits.fields.get(&FieldRef { message: id, index: index as u32 }) else {
                continue;
            };
            let is_chosen = |limit: &Option<Sourced<u32>>| {
                limit.as_ref().filter(|limit| limit.source == LimitSource::Chosen).map(|limit| limit.value)
            };
            let name = &field.proto_name;
            let (text, keys) = match (is_chosen(&limits.max_len), is_chosen(&limits.max_count)) {
                (Some(len), None) => {
                    (format!("`{name}` has no maximum length: {len} bytes chosen"), "max_len")
                }
                (None, Some(count)) => {
                    (format!("`{name}` has no maximum count: {count} items chosen"), "max_count")
                }
                (Some(len), Some(count)) => {
                    let text = format!(
                        "`{name}` has neither maximum length nor count: {len} bytes and {count} items chosen"
                    );
                    (text, "max_len and max_count")
                }
                (None, None) => continue,
            };
            let span = field.span.clone().or_else(|| entry_span(model, id));
            let help = format!("set {keys} of \"{}\" in wirebench.toml", field_name(message, field));
            notes.push(Diagnostic::note(span, text).with_help(help));
        }
    }
    notes
}

/// The map field that a map entry belongs to, for the entry's key and value have no place of their own.
fn entry_span(model: &Model, entry: MessageId) -> Option<Span> {
    let parent = model.message(model.message(entry).parent?);
    parent.fields.iter().find(|field| field.kind == Kind::Message(entry))?.span.clone()
}
