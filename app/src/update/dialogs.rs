//! Choosing paths, and asking before unsaved changes are lost.

use std::path::PathBuf;

use super::{Effect, files};
use crate::state::State;
use crate::state::session::{AfterUnsaved, Dialog, PathPurpose};

/// Opens the window's own path box.
pub fn ask_for_path(state: &mut State, purpose: PathPurpose, problem: Option<String>) -> Vec<Effect> {
    let path = match purpose {
        PathPurpose::Open => match state.document.project.is_built_in {
            true => String::new(),
            false => format!("{}/", state.document.project.folder),
        },
        PathPurpose::SaveAs => state.document.project.schema.to_string(),
    };
    state.session.dialog = Some(Dialog::Path { purpose, path, problem });
    Vec::new()
}

/// The system's dialog closed. Where there is none to show, the path box takes its place.
pub fn picked(
    state: &mut State,
    purpose: PathPurpose,
    path: Option<PathBuf>,
    was_shown: bool,
) -> Vec<Effect> {
    match path {
        Some(path) => use_this(state, purpose, &path.to_string_lossy()),
        None if !was_shown => ask_for_path(state, purpose, None),
        None => {
            state.session.after_save = None;
            Vec::new()
        }
    }
}

/// The typed path is meant.
pub fn use_path(state: &mut State) -> Vec<Effect> {
    let Some(Dialog::Path { purpose, path, .. }) = state.session.dialog.clone() else { return Vec::new() };
    let path = path.trim().to_owned();
    if path.is_empty() {
        return ask_for_path(state, purpose, Some("Type the path of a .proto file".to_owned()));
    }
    use_this(state, purpose, &path)
}

fn use_this(state: &mut State, purpose: PathPurpose, path: &str) -> Vec<Effect> {
    match purpose {
        PathPurpose::Open if !path.ends_with(".proto") => {
            state.session.dialog = Some(Dialog::Path {
                purpose,
                path: path.to_owned(),
                problem: Some("This is no .proto file".to_owned()),
            });
            Vec::new()
        }
        PathPurpose::Open => files::open(state, path),
        PathPurpose::SaveAs => files::save_as(state, path, false),
    }
}

/// Closes the window; unsaved changes are asked about first.
pub fn ask_to_close(state: &mut State) -> Vec<Effect> {
    if state.document.is_dirty() {
        state.session.dialog = Some(Dialog::Unsaved(AfterUnsaved::Close));
        return Vec::new();
    }
    go_on(state, AfterUnsaved::Close)
}

/// Saves, and goes on once everything is written.
pub fn save_then(state: &mut State, after: AfterUnsaved) -> Vec<Effect> {
    state.session.dialog = None;
    state.session.after_save = Some(after);
    files::save(state)
}

/// Goes on without saving.
pub fn discard_then(state: &mut State, after: AfterUnsaved) -> Vec<Effect> {
    state.session.dialog = None;
    go_on(state, after)
}

/// Everything is written: what was waiting goes on.
pub fn after_save(state: &mut State) -> Vec<Effect> {
    match state.session.after_save.take() {
        Some(after) => go_on(state, after),
        None => Vec::new(),
    }
}

fn go_on(state: &mut State, after: AfterUnsaved) -> Vec<Effect> {
    match after {
        AfterUnsaved::Close => {
            state.session.is_closing = true;
            vec![Effect::CancelMeasure, Effect::Close]
        }
        AfterUnsaved::Open(project) => vec![Effect::Read(project)],
    }
}
