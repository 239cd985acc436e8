//! Sources on disk, and a record of every path that was asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files};

/// Largest source that is read; a schema of this size is a mistake.
const LARGEST_SOURCE: u64 = 16 << 20;

/// Reads from the file system and remembers what was asked for, found or not.
#[derive(Debug, Default)]
pub struct RecordingFiles {
    asked: RefCell<BTreeMap<String, bool>>,
}

impl RecordingFiles {
    /// What cargo has to watch: every file that was found, and for each that was looked for in vain the folder
    /// it would appear in. Cargo would take a missing file for a changed one and run the script every time.
    ///
    /// Only folders of files that were found, import roots and what lies in them are watched: cargo looks through
    /// all of a folder. One that holds `output` is left out, because every build changes it.
    pub fn watched(&self, import_roots: &[String], output: &Path) -> Vec<String> {
        let asked = self.asked.borrow();
        let found = || asked.iter().filter(|(_, found)| **found).map(|(path, _)| path.clone());
        let homes: Vec<String> = found()
            .filter_map(|path| existing_folder(&path))
            .chain(import_roots.iter().filter(|root| is_folder(Path::new(root))).cloned())
            .collect();
        let missing = asked.iter().filter(|(_, found)| !**found);
        let folders = missing.filter_map(|(path, _)| existing_folder(path)).filter(|folder| {
            let is_near = homes.iter().any(|home| Path::new(folder).starts_with(home));
            is_near && !holds(folder, output)
        });
        let mut watched: Vec<String> = found().chain(folders).collect();
        watched.sort();
        watched.dedup();
        watched
    }
}

impl Files for RecordingFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        let read = read(path);
        self.asked.borrow_mut().insert(path.to_owned(), !matches!(read, Err(FileError::NotFound(_))));
        read
    }
}

fn read(path: &str) -> Result<Arc<[u8]>, FileError> {
    let unreadable = |why: String| FileError::Unreadable { path: path.to_owned(), why };
    let found = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileError::NotFound(path.to_owned()),
        _ => unreadable(error.to_string()),
    })?;
    if found.is_dir() {
        return Err(unreadable("it is a folder".to_owned()));
    }
    if found.len() > LARGEST_SOURCE {
        return Err(unreadable(format!("it has {} bytes, more than any source should", found.len())));
    }
    std::fs::read(path).map(Arc::from).map_err(|error| unreadable(error.to_string()))
}

/// The innermost folder on the way to a missing file that is there. The working folder is `.`.
fn existing_folder(path: &str) -> Option<String> {
    let folder = Path::new(path).ancestors().skip(1).find(|folder| is_folder(folder))?;
    let text = folder.to_str()?;
    Some(if text.is_empty() { "." } else { text }.to_owned())
}

fn is_folder(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.is_dir()
}

/// Whether `inner` lies in `folder`, links followed. What cannot be resolved counts as inside.
fn holds(folder: &str, inner: &Path) -> bool {
    let resolved = |path: &Path| -> Option<PathBuf> {
        // The output may not be there yet: its nearest existing folder decides.
        path.ancestors().find_map(|part| match part.components().next() {
            None | Some(Component::CurDir) if !path.is_absolute() => Path::new(".").canonicalize().ok(),
            _ => part.canonicalize().ok(),
        })
    };
    match (Path::new(folder).canonicalize().ok(), resolved(inner)) {
        (Some(folder), Some(inner)) => inner.starts_with(folder),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_watched_by_its_folder() {
        let scratch = std::env::temp_dir().join(format!("wirebench-files-{}", std::process::id()));
        std::fs::create_dir_all(scratch.join("proto")).unwrap();
        std::fs::write(scratch.join("proto/a.proto"), "").unwrap();
        let at = |name: &str| scratch.join(name).to_str().unwrap().to_owned();
        let files = RecordingFiles::default();
        for name in ["proto/a.proto", "proto/b.proto", "none/below/c.proto", "wirebench.toml"] {
            assert_eq!(files.exists(&at(name)), name == "proto/a.proto");
        }
        let whole = scratch.to_str().unwrap().to_owned();
        let elsewhere = std::env::temp_dir().join("wirebench-not-there");
        assert_eq!(files.watched(&[], &elsewhere), [at("proto"), at("proto/a.proto")]);
        let roots = [whole.clone()];
        assert_eq!(files.watched(&roots, &elsewhere), [whole, at("proto"), at("proto/a.proto")]);
        let output = scratch.join("target/debug/out");
        assert_eq!(files.watched(&roots, &output), [at("proto"), at("proto/a.proto")]);
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
