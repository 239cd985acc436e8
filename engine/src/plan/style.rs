//! Which shape the code of each message takes.
//!
//! `size`, `balanced` and `speed` say it outright. `auto` follows a rule that reads plan facts only:
//!
//! - a message whose field numbers do not fit a table is straight-line code;
//! - with few fields in all, every message is encoded by calls and decoded by table: calls for so few fields are smaller
//!   than an interpreter that encodes, and faster;
//! - a message with a oneof or with a list of messages is encoded by calls and decoded by table: there the
//!   code is as small as the table and much faster;
//! - everything else is a table.

use super::lower::Choices;
use super::types::{Label, MessagePlan, Plan, Storage, Style};
use crate::options::{Limits, Optimize};

/// Chooses for every message of the plan. The entries of a map are read by their message's code, so they take its style.
pub fn choose(plan: &mut Plan, limits: &Limits, choices: &Choices) {
    let fields = plan.messages.iter().map(|m| m.fields.len()).sum();
    for at in 0..plan.messages.len() {
        if plan.messages[at].is_map_entry {
            continue;
        }
        let message = &plan.messages[at];
        let optimize = choices.optimize.unwrap_or_else(|| limits.message(message.id).optimize);
        let (style, reason) = match choices.styles.get(&message.id) {
            Some(style) => (*style, "chosen for comparison".to_owned()),
            None => match optimize {
                Optimize::Auto => automatic(message, fields),
                Optimize::Size => (Style::Table, "optimized for size".to_owned()),
                Optimize::Balanced => (Style::Calls, "balanced between size and speed".to_owned()),
                Optimize::Speed => (Style::Straight, "optimized for speed".to_owned()),
            },
        };
        let (style, reason) = if style != Style::Straight && !message.fits_table() {
            (
                Style::Straight,
                format!("a field number over {} does not fit a table", super::facts::HIGHEST_IN_TABLE),
            )
        } else {
            (style, reason)
        };
        plan.messages[at].style = style;
        plan.messages[at].style_reason = reason;
    }
    for at in 0..plan.messages.len() {
        let style = plan.messages[at].style;
        let maps = plan.messages[at].fields.iter().filter(|f| f.is_map);
        let entries: Vec<usize> = maps.filter_map(|f| plan.index.get(&f.child()?).copied()).collect();
        for entry in entries {
            plan.messages[entry].style = style;
            plan.messages[entry].style_reason = "as the message whose map it is".to_owned();
        }
    }
}

/// Most fields of all messages together whose calls are smaller than the interpreter's encoding half: about ten bytes of
/// code a field on a Cortex-M4 against 150 to 300.
const FEW_FIELDS: usize = 20;

fn automatic(message: &MessagePlan, fields: usize) -> (Style, String) {
    if fields <= FEW_FIELDS {
        return (
            Style::Calls,
            format!("{fields} fields in all: calls are smaller than an interpreter that encodes"),
        );
    }
    if !message.oneofs.is_empty() {
        return (Style::Calls, "a oneof is as small in code as in a table, and encoded faster".to_owned());
    }
    let has_message_list = message.fields.iter().any(|f| {
        f.label == Label::Repeated && f.child().is_some() && matches!(f.storage, Storage::List { .. })
    });
    if has_message_list {
        return (
            Style::Calls,
            "lists of messages are encoded faster by calls at about the same size".to_owned(),
        );
    }
    (Style::Table, "a table is smallest".to_owned())
}
