//! Selection and places: what was clicked in one pane shows in the others.

use std::sync::Arc;

use wirebench_engine::origin::{FieldKey, Origin};

use super::Effect;
use crate::panels::Pane;
use crate::state::State;
use crate::state::notices::Tone;
use crate::state::remap::Remap;
use crate::state::session::SortColumn;
use crate::state::view::View;

/// Selects something and scrolls the other panes to it.
pub fn select(state: &mut State, origin: Origin, from: Pane) -> Vec<Effect> {
    state.session.selected = Some(origin.clone());
    if let Origin::Field(key) = &origin {
        let is_other = state.session.message.as_deref() != Some(&*key.message);
        // A click in the text or the code may be on a field of another message: follow it.
        if is_other && matches!(from, Pane::Schema | Pane::Code) {
            choose_message(state, &key.message.clone());
        }
    }
    let (Some(view), Some(good)) = (state.derived.view.clone(), state.derived.good.clone()) else {
        return Vec::new();
    };
    if from != Pane::Schema
        && let Origin::Field(key) = &origin
        && let Some(declared) = view.declared.iter().find(|declared| declared.key == *key)
    {
        let remap = Remap::new(&good.schema, &state.document.text(&state.document.project.schema));
        state.session.reveal.schema = Some(remap.offset(declared.name.start));
        state.session.reveal.takes_focus = false;
    }
    if from != Pane::Code {
        let line = view.code_origins.iter().position(|at| at.as_ref() == Some(&origin));
        state.session.reveal.code = line;
    }
    if from != Pane::Bytes
        && let Some(message) = &view.message
    {
        let span = message.spans.iter().find(|span| span.origin.as_ref() == Some(&origin));
        state.session.reveal.byte = span.map(|span| span.range.start);
    }
    Vec::new()
}

/// Looks at another message.
pub fn choose_message(state: &mut State, name: &str) -> Vec<Effect> {
    let (Some(view), Some(good)) = (&state.derived.view, &state.derived.good) else { return Vec::new() };
    if !view.messages.iter().any(|row| &*row.full_name == name) {
        return Vec::new();
    }
    let view: View = view.with_message(good, &state.document.project.schema, name);
    state.session.message = Some(name.into());
    state.derived.view = Some(Arc::new(view));
    reveal_message(state);
    Vec::new()
}

/// Scrolls the generated code to the message looked at.
pub fn reveal_message(state: &mut State) {
    let (Some(view), Some(name)) = (&state.derived.view, &state.session.message) else { return };
    let origin = Origin::Message(name.clone());
    state.session.reveal.code = view.code_origins.iter().position(|at| at.as_ref() == Some(&origin));
}

/// The message `by` places after the one looked at, around the end.
pub fn step_message(state: &mut State, by: isize) -> Vec<Effect> {
    let Some(view) = state.derived.view.clone() else { return Vec::new() };
    let now = view.messages.iter().position(|row| Some(&*row.full_name) == state.session.message.as_deref());
    let next = (now.unwrap_or(0) as isize + by).rem_euclid(view.messages.len().max(1) as isize) as usize;
    match view.messages.get(next) {
        Some(row) => choose_message(state, &row.full_name),
        None => Vec::new(),
    }
}

/// Goes to the place of a problem.
pub fn go_to_problem(state: &mut State, at: usize) -> Vec<Effect> {
    let Some(problem) = state.derived.problems.get(at).cloned() else { return Vec::new() };
    let Some(span) = problem.span else {
        state.notices.say(state.now, Tone::Info, "This problem has no place in a file");
        return Vec::new();
    };
    state.session.current_problem = Some(at);
    let project = &state.document.project;
    if *span.file == *project.schema {
        let old = state.derived.latest.as_ref().map(|latest| latest.schema.clone()).unwrap_or_default();
        let remap = Remap::new(&old, &state.document.text(&project.schema));
        state.session.reveal.schema = Some(remap.offset(span.range.start));
        state.session.reveal.takes_focus = true;
        state.session.focus = Some(Pane::Schema);
    } else if let Some(message) = project.message_of_sample(&span.file) {
        let message = message.to_owned();
        state.session.reveal.sample = Some(span.range.start);
        state.session.focus = Some(Pane::Message);
        return choose_message(state, &message);
    } else if *span.file == *project.settings {
        state.session.focus = Some(Pane::Limits);
        let place = format!("{}:{}:{}", span.file, span.line, span.column);
        state.notices.say(state.now, Tone::Info, format!("{place}: limits are edited in the table"));
    } else {
        let place = format!("{}:{}:{}", span.file, span.line, span.column);
        state.notices.say(state.now, Tone::Info, format!("{place} is an imported file"));
    }
    Vec::new()
}

/// The problem `by` places after the last one, around the end.
pub fn step_problem(state: &mut State, by: isize) -> Vec<Effect> {
    let count = state.derived.problems.len() as isize;
    if count == 0 {
        return Vec::new();
    }
    let next = match state.session.current_problem {
        Some(at) => (at as isize + by).rem_euclid(count),
        None if by < 0 => count - 1,
        None => 0,
    };
    go_to_problem(state, next as usize)
}

/// Shows a field's row in the limits table.
pub fn edit_limit(state: &mut State, field: FieldKey) -> Vec<Effect> {
    state.session.focus = Some(Pane::Limits);
    choose_message(state, &field.message.clone());
    state.session.selected = Some(Origin::Field(field));
    Vec::new()
}

/// Sorts the cost table.
pub fn sort(state: &mut State, column: SortColumn) -> Vec<Effect> {
    let sort = &mut state.session.sort;
    if sort.column == column {
        sort.is_descending = !sort.is_descending;
    } else {
        sort.column = column;
        sort.is_descending = !matches!(column, SortColumn::Number | SortColumn::Name);
    }
    Vec::new()
}

/// Forgets a place a pane has scrolled to, and the panes that were brought to the front.
pub fn taken(state: &mut State, reveal: Option<Pane>, focus: bool) {
    let places = &mut state.session.reveal;
    match reveal {
        Some(Pane::Schema) => places.schema = None,
        Some(Pane::Code) => places.code = None,
        Some(Pane::Message) => places.sample = None,
        Some(Pane::Bytes) => places.byte = None,
        _ => {}
    }
    if focus {
        state.session.focus = None;
        state.session.is_layout_reset = false;
    }
}
