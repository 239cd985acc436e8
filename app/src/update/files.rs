//! Opening and saving.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Effect, dialogs, results};
use crate::state::State;
use crate::state::derived::Derived;
use crate::state::document::Document;
use crate::state::notices::Tone;
use crate::state::project::Project;
use crate::state::session::{AfterUnsaved, Dialog, PathPurpose};
use crate::state::text_file::TextFile;

/// Opens a schema; unsaved changes are asked about first.
pub fn open(state: &mut State, path: &str) -> Vec<Effect> {
    if !path.ends_with(".proto") {
        let text = format!("{path} is no .proto file");
        state.notices.say(state.now, Tone::Warning, text);
        return Vec::new();
    }
    open_project(state, Project::of_schema(path))
}

/// Opens the sample that comes with the program.
pub fn open_sample(state: &mut State) -> Vec<Effect> {
    open_project(state, Project::sample())
}

fn open_project(state: &mut State, project: Project) -> Vec<Effect> {
    if state.document.is_dirty() {
        state.session.dialog = Some(Dialog::Unsaved(AfterUnsaved::Open(project)));
        return Vec::new();
    }
    vec![Effect::Read(project)]
}

/// A project was read: it replaces the one that was open.
pub fn opened(
    state: &mut State,
    project: Project,
    files: Result<BTreeMap<Arc<str>, TextFile>, String>,
) -> Vec<Effect> {
    let files = match files {
        Ok(files) => files,
        Err(why) => {
            if let Some(Dialog::Path { problem, .. }) = &mut state.session.dialog {
                *problem = Some(why.clone());
            }
            state.notices.say(state.now, Tone::Error, why);
            return Vec::new();
        }
    };
    if matches!(state.session.dialog, Some(Dialog::Path { .. } | Dialog::Unsaved(_))) {
        state.session.dialog = None;
    }
    let read_only: Vec<String> = files
        .iter()
        .filter_map(|(path, file)| Some(format!("{path} is {}", file.read_only.as_ref()?)))
        .collect();
    let revision = state.document.revision + 1;
    state.notices.note(state.now, format!("opened {}", project.schema));
    state.document = Document { project, files, revision, ..Document::default() };
    state.derived = Derived::default();
    state.measuring.begin_project();
    state.session.message = None;
    state.session.selected = None;
    state.session.hovered = None;
    state.session.current_problem = None;
    for text in read_only {
        state.notices.say(state.now, Tone::Warning, text);
    }
    results::request(state)
}

/// Writes everything that changed. The built-in sample asks for a place first.
pub fn save(state: &mut State) -> Vec<Effect> {
    if state.document.project.is_built_in {
        return vec![Effect::Pick(PathPurpose::SaveAs)];
    }
    let dirty = state.document.dirty_paths();
    let writes = dirty
        .into_iter()
        .filter_map(|path| {
            let bytes = state.document.files.get(&path)?.to_bytes();
            Some((path, bytes))
        })
        .collect();
    vec![Effect::Write(writes)]
}

/// Files were written.
pub fn saved(state: &mut State, paths: &[Arc<str>], failed: Option<String>) -> Vec<Effect> {
    for path in paths {
        if let Some(file) = state.document.files.get_mut(path) {
            file.mark_saved();
        }
    }
    if !paths.is_empty() {
        let names: Vec<&str> = paths.iter().map(|path| path.rsplit('/').next().unwrap_or_default()).collect();
        state.notices.say(state.now, Tone::Info, format!("Saved {}", names.join(", ")));
    }
    match failed {
        Some(why) => {
            state.session.after_save = None;
            state.notices.say(state.now, Tone::Error, why);
            Vec::new()
        }
        None => dialogs::after_save(state),
    }
}

/// Writes the schema under another name, with its settings and samples beside it.
pub fn save_as(state: &mut State, path: &str, may_overwrite: bool) -> Vec<Effect> {
    let path = if path.ends_with(".proto") { path.to_owned() } else { format!("{path}.proto") };
    if !may_overwrite && std::path::Path::new(&path).exists() && *path != *state.document.project.schema {
        state.session.dialog = Some(Dialog::Overwrite { path });
        return Vec::new();
    }
    state.session.dialog = None;
    let from = state.document.project.clone();
    let project = Project::of_schema(&path);
    let files = state
        .document
        .files
        .iter()
        .filter_map(|(old, file)| Some((moved(&from, &project, old)?, file.to_bytes())))
        .collect();
    vec![Effect::WriteAs { project, files }]
}

/// Where a file of one project stands in another. Settings stay what they are when both share them.
fn moved(from: &Project, to: &Project, path: &Arc<str>) -> Option<Arc<str>> {
    if *path == from.schema {
        Some(to.schema.clone())
    } else if *path == from.settings {
        Some(to.settings.clone())
    } else {
        from.message_of_sample(path).map(|message| to.sample_of(message))
    }
}

/// The schema was written under another name and is now that file.
pub fn saved_as(state: &mut State, project: Project, outcome: Result<(), String>) -> Vec<Effect> {
    if let Err(why) = outcome {
        state.session.after_save = None;
        state.notices.say(state.now, Tone::Error, why);
        return Vec::new();
    }
    let from = std::mem::replace(&mut state.document.project, project.clone());
    let files = std::mem::take(&mut state.document.files);
    for (path, mut file) in files {
        if let Some(path) = moved(&from, &project, &path) {
            file.mark_saved();
            state.document.files.insert(path, file);
        }
    }
    state.document.history = Default::default();
    state.document.revision += 1;
    state.notices.say(state.now, Tone::Info, format!("Saved as {}", project.schema));
    let mut effects = results::request(state);
    effects.extend(dialogs::after_save(state));
    effects
}
