//! The only place that changes the state.
//!
//! ```text
//! panels ─▶ Action ─┐
//!                   ├─▶ apply / receive ─▶ state changed, effects for the outside world ─▶ jobs ─▶ Event ─┐
//! jobs ──▶ Event ───┘◀────────────────────────────────────────────────────────────────────────────────────┘
//! ```

mod action;
mod commands;
mod dialogs;
mod editing;
mod files;
mod limits;
mod links;
mod measuring;
mod results;

pub use action::{Action, ComputeJob, Effect, Event, MeasureJob};

use crate::state::State;

/// Carries out what a panel asked for.
pub fn apply(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Run(command) => commands::run(state, command),
        Action::TypeSchema(text) => editing::type_schema(state, text),
        Action::TypeSample(text) => editing::type_sample(state, text),
        Action::SetLimit { field, change } => limits::set(state, &field, change),
        Action::Hover(origin) => {
            state.session.hovered = origin;
            Vec::new()
        }
        Action::Select { origin, from } => links::select(state, origin, from),
        Action::ChooseMessage(name) => links::choose_message(state, &name),
        Action::GoToProblem(at) => links::go_to_problem(state, at),
        Action::EditLimitOf(field) => links::edit_limit(state, field),
        Action::Sort(column) => links::sort(state, column),
        Action::ShowCostBy(table) => {
            state.session.cost_table = table;
            Vec::new()
        }
        Action::Dismiss => {
            state.notices.dismiss();
            Vec::new()
        }
        Action::EndTour => {
            state.session.is_tour_shown = false;
            Vec::new()
        }
        Action::Dialog(dialog) => {
            state.session.dialog = dialog;
            Vec::new()
        }
        Action::UsePath => dialogs::use_path(state),
        Action::Overwrite(path) => files::save_as(state, &path, true),
        Action::SaveThen(after) => dialogs::save_then(state, after),
        Action::DiscardThen(after) => dialogs::discard_then(state, after),
        Action::OpenPath(path) => files::open(state, &path),
        Action::AskToClose => dialogs::ask_to_close(state),
        Action::Taken { reveal, focus } => {
            links::taken(state, reveal, focus);
            Vec::new()
        }
    }
}

/// Takes in what a job reported.
pub fn receive(state: &mut State, event: Event) -> Vec<Effect> {
    match event {
        Event::Computed(computed) => results::computed(state, computed),
        Event::ComputeCrashed { revision, why } => results::crashed(state, revision, why),
        Event::Picked { purpose, path, was_shown } => dialogs::picked(state, purpose, path, was_shown),
        Event::Opened { project, files } => files::opened(state, project, files),
        Event::Saved { paths, failed } => files::saved(state, &paths, failed),
        Event::SavedAs { project, outcome } => files::saved_as(state, project, outcome),
        Event::MeasureStep { subject, step, fraction } => measuring::step(state, &subject, step, fraction),
        Event::Measured { subject, outcome } => measuring::finished(state, &subject, outcome),
    }
}
