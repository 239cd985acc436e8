//! The folder where builds and results are kept.
//!
//! ```text
//! <root>/results/<key>.json   one measured result
//! <root>/elf/<key>.elf        one firmware
//! <root>/build/<key>/         project and target folder of one combination of settings
//! ```
//! Files appear whole or not at all: they are written beside their place and renamed into it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::key::Key;
use crate::progress::{Control, Progress};

/// A cache folder.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache in this folder, which is created when something is put into it.
    pub fn at(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The place of a result.
    pub fn result(&self, key: &Key) -> PathBuf {
        self.root.join("results").join(format!("{key}.json"))
    }

    /// The place of a firmware.
    pub fn elf(&self, key: &Key) -> PathBuf {
        self.root.join("elf").join(format!("{key}.elf"))
    }

    /// The build folder of one combination of settings.
    pub fn build(&self, key: &Key) -> PathBuf {
        self.root.join("build").join(key.to_string())
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// If it cannot be written; then nothing is left of it.
pub fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = file.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!(".new-{}-{number}", std::process::id()));
    let written =
        File::create(&beside).and_then(|mut f| f.write_all(bytes)).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Exclusive use of a build folder, until dropped. Works between processes too.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Waits for the folder; `None` when cancelled before it was free.
    ///
    /// # Errors
    /// If the folder or its lock file cannot be created.
    pub fn take(folder: &Path, control: Control) -> io::Result<Option<FolderLock>> {
        fs::create_dir_all(folder)?;
        let file = File::options().create(true).truncate(false).write(true).open(folder.join("lock"))?;
        let mut is_waiting = false;
        loop {
            if control.cancel.is_cancelled() {
                return Ok(None);
            }
            match file.try_lock() {
                Ok(()) => return Ok(Some(FolderLock { _file: file })),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(why)) => return Err(why),
            }
            if !is_waiting {
                control.report(Progress::Waiting);
                is_waiting = true;
            }
            thread::sleep(Duration::from_millis(40));
        }
    }
}
