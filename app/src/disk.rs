//! Sources on disk, and what belongs to a schema there: its settings and its samples.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options;

/// Largest source that is read; a schema of this size is a mistake.
const LARGEST_SOURCE: u64 = 16 << 20;

/// Reads sources from the file system, by the paths the user knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
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
}

/// What to run the engine on when the user names one schema: the schema, import roots, nearest `wirebench.toml`.
pub fn input_for(schema: &str, import_roots: &[String]) -> Input {
    let schema = schema.replace('\\', "/");
    Input {
        settings: options::find_settings(&DiskFiles, &schema),
        roots: vec![schema],
        import_roots: import_roots.to_vec(),
    }
}

/// The folder that holds the samples of a schema: `samples/` beside it.
pub fn samples_folder(schema: &str) -> PathBuf {
    Path::new(schema).parent().unwrap_or(Path::new("")).join("samples")
}

/// The saved samples beside a schema, by full message name. A file that cannot be read is left out.
pub fn read_samples(schema: &str) -> HashMap<String, String> {
    let Ok(entries) = std::fs::read_dir(samples_folder(schema)) else {
        return HashMap::new();
    };
    entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned();
            Some((name, std::fs::read_to_string(&path).ok()?))
        })
        .collect()
}

/// Writes a file whole or not at all: beside it first, then renamed over it.
///
/// # Errors
/// Those of creating, writing and renaming; the old file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.partial", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // The partial file may not exist; the first error is the one that matters.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_not_a_source() {
        assert!(matches!(DiskFiles.read("."), Err(FileError::Unreadable { .. })));
    }

    #[test]
    fn a_missing_file_is_told_from_an_unreadable_one() {
        assert_eq!(DiskFiles.read("no/such.proto"), Err(FileError::NotFound("no/such.proto".to_owned())));
    }

    #[test]
    fn a_refused_write_leaves_no_partial_file() {
        let folder = std::env::temp_dir().join(format!("wirebench-disk-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("taken")).unwrap();
        assert!(write_atomically(&folder.join("taken"), b"x").is_err());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
