//! What the tests of this crate share: a cache folder of the test run, the toolchain, scratch folders.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use wirebench_measure::cache::Cache;
use wirebench_measure::environment::Environment;
use wirebench_measure::progress::{Cancel, Control, Progress};
use wirebench_measure::settings::Core;
use wirebench_measure::toolchain::Toolchain;

/// A folder of this test only, removed with it.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.join(format!("{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The cache all tests of this crate share, so that the core library is built once.
pub fn shared_cache() -> Cache {
    Cache::at(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shared-cache"))
}

/// The bare-metal toolchain. Without one these tests fail: they would prove nothing.
pub fn toolchain() -> Toolchain {
    let environment = Environment::of_this_process();
    Toolchain::find(&environment, Core::default(), None).unwrap_or_else(|error| {
        panic!("these tests build firmware, and {error}; to mend it: {}", error.remedy(&environment))
    })
}

pub fn silent(_: Progress) {}

/// Nobody listens, nobody cancels.
pub fn control(cancel: &Cancel) -> Control<'_> {
    Control { progress: &silent, cancel }
}
