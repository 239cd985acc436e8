//! One run of the engine: open texts first, everything else from disk.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options::Optimize;
use wirebench_engine::pipeline::{self, Request};

use super::{panic_text, sample};
use crate::disk::DiskFiles;
use crate::state::derived::Computed;
use crate::update::{ComputeJob, Event};

/// Runs the engine; a panic becomes an event.
pub fn run(job: &ComputeJob) -> Event {
    let project = &job.project;
    let has_settings = job.texts.get(&project.settings).is_some_and(|text| !text.is_empty());
    let request = Request {
        input: Input {
            roots: vec![project.schema.to_string()],
            import_roots: Vec::new(),
            settings: has_settings.then(|| project.settings.to_string()),
        },
        optimize: (job.optimize != Optimize::Auto).then_some(job.optimize),
        samples: job.samples.clone(),
    };
    let files = OpenFiles { texts: &job.texts, is_built_in: project.is_built_in };
    match catch_unwind(AssertUnwindSafe(|| pipeline::run(&request, &files))) {
        Ok(output) => Event::Computed(Computed {
            revision: job.revision,
            schema: job.schema.clone(),
            output: Arc::new(output),
        }),
        Err(panic) => Event::ComputeCrashed { revision: job.revision, why: panic_text(&*panic) },
    }
}

/// The texts as edited, before what is on disk.
struct OpenFiles<'a> {
    texts: &'a BTreeMap<Arc<str>, Arc<str>>,
    is_built_in: bool,
}

impl Files for OpenFiles<'_> {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        if let Some(text) = self.texts.get(path) {
            return Ok(Arc::from(text.as_bytes()));
        }
        if self.is_built_in {
            let text = sample::text(path).ok_or_else(|| FileError::NotFound(path.to_owned()))?;
            return Ok(Arc::from(text.as_bytes()));
        }
        DiskFiles.read(path)
    }
}
