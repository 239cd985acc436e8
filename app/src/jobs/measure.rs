//! One measurement on its own thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use wirebench_measure::progress::{Cancel, Control, Progress};

use super::panic_text;
use crate::state::measuring::{Failure, Report};
use crate::update::{Event, MeasureJob};

/// Builds and runs measurement firmware.
pub trait Measurer: Send + Sync {
    /// Measures one message. `None` after a cancel.
    fn measure(&self, job: &MeasureJob, control: Control<'_>) -> Option<Result<Report, Failure>>;
}

/// Starts measuring; progress and the result are reported.
pub fn start(
    measurer: Arc<dyn Measurer>,
    job: MeasureJob,
    cancel: Cancel,
    report: impl Fn(Event) + Clone + Send + 'static,
) {
    let subject = job.subject.clone();
    let on_failure = report.clone();
    let failed_subject = subject.clone();
    let work = move || {
        let steps = report.clone();
        let progress = |step: Progress| {
            let (step, fraction) = (words(&step), fraction(&step));
            steps(Event::MeasureStep { subject: subject.clone(), step, fraction });
        };
        let control = Control { progress: &progress, cancel: &cancel };
        let outcome = catch_unwind(AssertUnwindSafe(|| measurer.measure(&job, control)));
        let outcome = outcome.unwrap_or_else(|panic| Some(Err(failure(panic_text(&*panic)))));
        report(Event::Measured { subject: subject.clone(), outcome });
    };
    if let Err(error) = std::thread::Builder::new().name("measure".to_owned()).spawn(work) {
        let outcome = Some(Err(failure(format!("no thread for measuring: {error}"))));
        on_failure(Event::Measured { subject: failed_subject, outcome });
    }
}

fn failure(message: String) -> Failure {
    Failure { message: format!("Measuring failed: {message}"), help: None, is_toolchain: false }
}

/// A step in the few words that fit on the button.
fn words(step: &Progress) -> String {
    match step {
        Progress::Linked { done, of, .. } => format!("built {done} of {of} firmwares"),
        Progress::Running { .. } => "running on the simulated core".to_owned(),
        Progress::FromCache { .. } => "from the cache".to_owned(),
        step => step.to_string(),
    }
}

/// How far a step is, from 0 to 1. The build is most of the time.
fn fraction(step: &Progress) -> f32 {
    match step {
        Progress::Waiting => 0.02,
        Progress::BuildStarted { .. } => 0.05,
        Progress::Compiling { package } if package.contains("firmware") => 0.5,
        Progress::Compiling { .. } => 0.15,
        Progress::Linked { done, of, .. } => 0.5 + 0.4 * *done as f32 / (*of).max(1) as f32,
        Progress::Running { .. } => 0.95,
        Progress::FromCache { .. } => 1.0,
    }
}
