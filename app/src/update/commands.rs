//! Commands by name.

use wirebench_engine::options::Optimize;

use super::{Action, Effect, dialogs, editing, files, links, measuring, results};
use crate::command::Command;
use crate::state::State;
use crate::state::notices::Tone;
use crate::state::session::{Dialog, Palette, PathPurpose};

/// Runs a command; one that cannot be used now says why instead.
pub fn run(state: &mut State, command: Command) -> Vec<Effect> {
    if let Some(why) = command.unavailable(state) {
        state.notices.say(state.now, Tone::Info, format!("{}: {why}", command.title()));
        return Vec::new();
    }
    if matches!(state.session.dialog, Some(Dialog::Palette(_))) {
        state.session.dialog = None;
    }
    match command {
        Command::Open => vec![Effect::Pick(PathPurpose::Open)],
        Command::OpenPath => dialogs::ask_for_path(state, PathPurpose::Open, None),
        Command::OpenSample => files::open_sample(state),
        Command::Save => files::save(state),
        Command::SaveAs => vec![Effect::Pick(PathPurpose::SaveAs)],
        Command::Quit => dialogs::ask_to_close(state),
        Command::Undo => editing::undo(state),
        Command::Redo => editing::redo(state),
        Command::FillSample => editing::fill_sample(state),
        Command::CopyBytes => copy_bytes(state),
        Command::CopyCode => copy_code(state),
        Command::Palette => dialog(state, Dialog::Palette(Palette::default())),
        Command::Show(pane) => {
            state.session.focus = Some(pane);
            Vec::new()
        }
        Command::NextProblem => links::step_problem(state, 1),
        Command::PreviousProblem => links::step_problem(state, -1),
        Command::NextMessage => links::step_message(state, 1),
        Command::PreviousMessage => links::step_message(state, -1),
        Command::ClearSelection => {
            state.session.selected = None;
            Vec::new()
        }
        Command::ResetLayout => {
            state.session.is_layout_reset = true;
            Vec::new()
        }
        Command::ThemeSystem => theme(state, egui::ThemePreference::System),
        Command::ThemeDark => theme(state, egui::ThemePreference::Dark),
        Command::ThemeLight => theme(state, egui::ThemePreference::Light),
        Command::Measure => measuring::start(state),
        Command::CancelMeasure => measuring::cancel(state),
        Command::Optimize(optimize) => optimize_for(state, optimize),
        Command::Help => dialog(state, Dialog::Help),
        Command::Tour => {
            state.session.is_tour_shown = true;
            Vec::new()
        }
    }
}

fn dialog(state: &mut State, dialog: Dialog) -> Vec<Effect> {
    super::apply(state, Action::Dialog(Some(dialog)))
}

fn theme(state: &mut State, preference: egui::ThemePreference) -> Vec<Effect> {
    state.session.theme = preference;
    Vec::new()
}

fn optimize_for(state: &mut State, optimize: Optimize) -> Vec<Effect> {
    if state.session.optimize == optimize {
        return Vec::new();
    }
    state.session.optimize = optimize;
    // The document is the same, but what is computed from it is not.
    state.document.revision += 1;
    results::request(state)
}

fn copy_bytes(state: &mut State) -> Vec<Effect> {
    let Some(sample) = state.derived.view.as_ref().and_then(|view| view.message.as_ref()?.sample.clone())
    else {
        return Vec::new();
    };
    let hex: Vec<String> = sample.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    state.notices.say(state.now, Tone::Info, format!("{} bytes copied as hex", sample.bytes.len()));
    vec![Effect::Copy(hex.join(" "))]
}

fn copy_code(state: &mut State) -> Vec<Effect> {
    let Some(view) = &state.derived.view else { return Vec::new() };
    state.notices.say(state.now, Tone::Info, format!("{} lines of Rust copied", view.code.count()));
    vec![Effect::Copy(view.code.text.clone())]
}
