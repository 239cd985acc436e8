//! What the engine made of the document. With errors in the text, the last good result stays usable
//! beside the newest problems.

use std::sync::Arc;

use wirebench_engine::diagnostic::{Diagnostic, Severity};
use wirebench_engine::pipeline::Output;

use super::view::View;

/// Results of the engine.
#[derive(Clone, Default)]
pub struct Derived {
    /// The newest result, good or not.
    pub latest: Option<Computed>,
    /// The newest result with a plan; what code, bytes and bars show.
    pub good: Option<Computed>,
    /// What panels draw of `good`, for the selected message.
    pub view: Option<Arc<View>>,
    /// All problems of the newest result, samples included; errors first.
    pub problems: Arc<[Diagnostic]>,
    /// Why the engine gave nothing, when it failed as a whole.
    pub crash: Option<String>,
}

/// A result with what it was computed from.
#[derive(Clone)]
pub struct Computed {
    /// Revision of the document.
    pub revision: u64,
    /// Text of the schema.
    pub schema: Arc<str>,
    /// What came out.
    pub output: Arc<Output>,
}

impl Derived {
    /// Whether what is shown is older than the newest text because that one has errors.
    pub fn is_stale(&self) -> bool {
        match (&self.latest, &self.good) {
            (Some(latest), Some(good)) => latest.revision > good.revision,
            _ => false,
        }
    }

    /// Number of problems of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }
}
