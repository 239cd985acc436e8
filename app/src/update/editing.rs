//! Typing, undo and redo.

use wirebench_engine::pipeline;

use super::{Effect, results};
use crate::state::State;
use crate::state::notices::Tone;

/// The schema after typing.
pub fn type_schema(state: &mut State, text: String) -> Vec<Effect> {
    let path = state.document.project.schema.clone();
    if state.document.type_text(&path, text, state.now) { results::request(state) } else { Vec::new() }
}

/// The selected message's sample after typing.
pub fn type_sample(state: &mut State, text: String) -> Vec<Effect> {
    let Some(message) = state.session.message.clone() else { return Vec::new() };
    let path = state.document.project.sample_of(&message);
    if !state.document.files.contains_key(&path) {
        // The first typing replaces the sample that was made from the schema, which undo brings back.
        state.document.edit(&path, text, "typing");
        return results::request(state);
    }
    if state.document.type_text(&path, text, state.now) { results::request(state) } else { Vec::new() }
}

/// Replaces the sample by one made from the schema.
pub fn fill_sample(state: &mut State) -> Vec<Effect> {
    let (Some(name), Some(good)) = (state.session.message.clone(), state.derived.good.as_ref()) else {
        return Vec::new();
    };
    let (Some(model), Some(limits)) = (&good.output.model, &good.output.limits) else { return Vec::new() };
    let Some(id) = model.find_message(&name) else { return Vec::new() };
    let typical = pipeline::sample(model, limits, id, &name, None).json;
    let path = state.document.project.sample_of(&name);
    let is_own = state.document.files.contains_key(&path);
    if is_own && state.document.edit(&path, typical, "typical values") {
        results::request(state)
    } else {
        state.notices.say(state.now, Tone::Info, "The message has typical values already");
        Vec::new()
    }
}

/// Takes the last step back.
pub fn undo(state: &mut State) -> Vec<Effect> {
    let Some(title) = state.document.undo() else { return Vec::new() };
    state.notices.note(state.now, format!("undone: {title}"));
    results::request(state)
}

/// Repeats the step that was taken back last.
pub fn redo(state: &mut State) -> Vec<Effect> {
    let Some(title) = state.document.redo() else { return Vec::new() };
    state.notices.note(state.now, format!("redone: {title}"));
    results::request(state)
}
