//! Asking the engine, and taking in what it found.

use std::sync::Arc;

use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::pipeline::Output;

use super::action::ComputeJob;
use super::{Effect, links};
use crate::state::State;
use crate::state::derived::Computed;
use crate::state::notices::Tone;
use crate::state::project::Project;
use crate::state::view::View;

/// Asks the engine to run on the document as it is.
pub fn request(state: &State) -> Vec<Effect> {
    let document = &state.document;
    if document.schema().is_none() {
        return Vec::new();
    }
    vec![Effect::Compute(ComputeJob {
        revision: document.revision,
        project: document.project.clone(),
        schema: document.text(&document.project.schema),
        // What is not UTF-8 is read from disk by the engine, which says where.
        texts: document
            .files
            .iter()
            .filter(|(_, file)| file.read_only.is_none())
            .map(|(path, file)| (path.clone(), file.text.clone()))
            .collect(),
        optimize: state.session.optimize,
        samples: document.samples(),
    })]
}

/// Takes a result in, unless a newer one is shown already.
pub fn computed(state: &mut State, computed: Computed) -> Vec<Effect> {
    if state.derived.latest.as_ref().is_some_and(|latest| latest.revision >= computed.revision) {
        return Vec::new();
    }
    let output = &computed.output;
    state.derived.crash = None;
    state.derived.problems = problems(output, &state.document.project);
    let is_good = output.planned.is_some();
    if is_good {
        let path = &state.document.project.schema;
        let view = View::build(&computed, path, state.session.message.as_deref());
        let is_first = state.derived.view.is_none();
        state.session.message = view.message.as_ref().map(|message| message.full_name.clone());
        state.derived.view = Some(Arc::new(view));
        state.derived.good = Some(computed.clone());
        if is_first {
            links::reveal_message(state);
        }
    }
    state.derived.latest = Some(computed);
    Vec::new()
}

/// The engine failed as a whole: the last result stays, the user is told.
pub fn crashed(state: &mut State, revision: u64, why: String) -> Vec<Effect> {
    if revision == state.document.revision {
        state.notices.say(state.now, Tone::Error, format!("The engine failed on this text: {why}"));
        state.derived.crash = Some(why);
    }
    Vec::new()
}

/// All problems, errors first; those of samples with the path of the sample's file.
fn problems(output: &Output, project: &Project) -> Arc<[Diagnostic]> {
    let mut all: Vec<Diagnostic> = output.diagnostics.clone();
    let mut samples: Vec<_> = output.samples.iter().collect();
    samples.sort_by_key(|(id, _)| **id);
    for (id, sample) in samples {
        let Some(model) = &output.model else { continue };
        let path = project.sample_of(&model.message(*id).full_name);
        all.extend(sample.diagnostics.iter().cloned().map(|mut diagnostic| {
            if let Some(span) = &mut diagnostic.span {
                span.file = path.clone();
            }
            diagnostic
        }));
    }
    all.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
    all.into()
}
