//! Reading and writing projects.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use wirebench_engine::files::Files;
use wirebench_engine::options;

use super::sample;
use crate::disk::{DiskFiles, write_atomically};
use crate::state::project::Project;
use crate::state::text_file::TextFile;
use crate::update::Event;

/// Samples beside a schema are read up to this number; nobody edits more by hand.
const MOST_SAMPLES: usize = 1000;

/// Reads a schema with its settings and samples.
pub fn read_project(mut project: Project) -> Event {
    if project.is_built_in {
        if !Path::new(&*project.schema).is_file() {
            let files = sample::FILES
                .iter()
                .filter(|(path, _)| {
                    *path == &*project.schema
                        || *path == &*project.settings
                        || project.message_of_sample(path).is_some()
                })
                .map(|(path, text)| (Arc::from(*path), TextFile::read(text.as_bytes())))
                .collect();
            return Event::Opened { project, files: Ok(files) };
        }
        project.is_built_in = false;
    }
    let mut files = BTreeMap::new();
    match DiskFiles.read(&project.schema) {
        Ok(bytes) => files.insert(project.schema.clone(), TextFile::read(&bytes)),
        Err(error) => return Event::Opened { project, files: Err(error.to_string()) },
    };
    if let Some(settings) = options::find_settings(&DiskFiles, &project.schema) {
        project.settings = settings.into();
    }
    if let Ok(bytes) = DiskFiles.read(&project.settings) {
        files.insert(project.settings.clone(), TextFile::read(&bytes));
    }
    if let Ok(entries) = std::fs::read_dir(&*project.samples) {
        for entry in entries.flatten().take(MOST_SAMPLES) {
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
            let path = format!("{}/{name}", project.samples);
            if project.message_of_sample(&path).is_some()
                && let Ok(bytes) = DiskFiles.read(&path)
            {
                files.insert(path.into(), TextFile::read(&bytes));
            }
        }
    }
    Event::Opened { project, files: Ok(files) }
}

/// Writes files one after the other and stops at the first that fails.
pub fn write(files: &[(Arc<str>, Vec<u8>)]) -> Event {
    let mut paths = Vec::new();
    for (path, bytes) in files {
        if let Err(why) = write_one(path, bytes) {
            return Event::Saved { paths, failed: Some(why) };
        }
        paths.push(path.clone());
    }
    Event::Saved { paths, failed: None }
}

/// Writes a project under another name.
pub fn write_as(project: Project, files: &[(Arc<str>, Vec<u8>)]) -> Event {
    let outcome = files.iter().try_for_each(|(path, bytes)| write_one(path, bytes));
    Event::SavedAs { project, outcome }
}

fn write_one(path: &str, bytes: &[u8]) -> Result<(), String> {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| write_atomically(path, bytes))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
