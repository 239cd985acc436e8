//! Schemas from the repository or from the test, through the plan to code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files, Input, MemoryFiles};
use wirebench_engine::options::{Limits, Optimize, resolve};
use wirebench_engine::plan::{Choices, Planned, lower};
use wirebench_engine::schema::{Model, check};

/// The engine's own folder.
pub fn engine() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        std::fs::read(self.0.join(path)).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

/// A schema with its limits.
pub struct Schema {
    pub model: Model,
    pub limits: Limits,
}

impl Schema {
    fn load(roots: &[&str], settings: Option<&str>, files: &dyn Files) -> Schema {
        let input = Input {
            roots: roots.iter().map(|r| (*r).to_owned()).collect(),
            settings: settings.map(str::to_owned),
            ..Input::default()
        };
        let checked = check(&input, files);
        let model = checked.model.unwrap_or_else(|| panic!("{roots:?}: {:#?}", checked.diagnostics));
        let limits = resolve(&model, &input, files).limits;
        Schema { model, limits }
    }

    /// Files of `schemas/` with their limits.
    pub fn of_repository(roots: &[&str]) -> Schema {
        Schema::load(roots, Some("wirebench.toml"), &Folder(engine().join("../schemas")))
    }

    /// A schema in the test, with `wirebench.toml`'s text.
    pub fn of_text(text: &str, settings: &str) -> Schema {
        let files = MemoryFiles::default().with("test.proto", text).with("wirebench.toml", settings);
        Schema::load(&["test.proto"], Some("wirebench.toml"), &files)
    }

    /// The plan with every message optimized for one thing.
    pub fn plan(&self, optimize: Optimize) -> Planned {
        lower(&self.model, &self.limits, &Choices { optimize: Some(optimize), ..Choices::default() })
    }
}

/// The folder of this test.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codec")
}
