//! Where sources come from: the window's buffers, the disk, a build script or a test.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a source could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("there is no file {0}")]
    NotFound(String),
    /// The file is there, but reading it failed.
    #[error("{path} cannot be read: {why}")]
    Unreadable {
        /// Path as asked for.
        path: String,
        /// The system's words.
        why: String,
    },
}

/// Reads sources by path. Paths use `/` and are what the user sees in diagnostics.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// [`FileError::NotFound`] decides whether the next import root is tried; any other error ends the search.
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError>;

    /// Whether there is such a file.
    fn exists(&self, path: &str) -> bool {
        self.read(path).is_ok()
    }
}

/// Sources held in memory: tests, unsaved buffers, prebuilt samples.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl MemoryFiles {
    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), Arc::from(bytes.into()));
    }

    /// The same as [`MemoryFiles::insert`], for building in one expression.
    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> MemoryFiles {
        self.insert(path, bytes);
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        self.files.get(path).cloned().ok_or_else(|| FileError::NotFound(path.to_owned()))
    }
}

/// What one run of the engine works on: one firmware's schemas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The schema files the user opened, as the [`Files`] knows them: `proj/telemetry.proto`.
    pub roots: Vec<String>,
    /// Folders that answer imports, in order of precedence. The folder of each root is tried last.
    pub import_roots: Vec<String>,
    /// Path of `wirebench.toml`, where there is one.
    pub settings: Option<String>,
}
