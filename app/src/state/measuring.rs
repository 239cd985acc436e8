//! Measurements: the one that runs, and the results of all that ran, so that undo shows old figures at once.

use std::collections::HashMap;
use std::sync::Arc;

use wirebench_engine::options::Optimize;
use wirebench_engine::origin::Origin;
use wirebench_engine::units::{Bytes, Cycles};

/// Measurements of this session.
#[derive(Clone, Debug, Default)]
pub struct Measuring {
    /// The one that runs.
    pub running: Option<Running>,
    /// Why the last one gave nothing.
    pub failure: Option<Failure>,
    /// Results by what was measured.
    reports: HashMap<Subject, Arc<Report>>,
    /// Per message: what was measured last.
    last: HashMap<Arc<str>, Subject>,
}

/// What a result belongs to. The same subject gives the same figures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// Full name of the message.
    pub message: Arc<str>,
    /// Style asked for.
    pub optimize: Optimize,
    /// Hash of the generated code and of the sample's bytes.
    pub fingerprint: u64,
}

/// A measurement that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// What is measured.
    pub subject: Subject,
    /// Where it is, in words.
    pub step: String,
    /// How far it is, from 0 to 1.
    pub fraction: f32,
    /// Whether it was asked to stop.
    pub is_cancelling: bool,
}

/// Why a measurement gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In one sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Whether measuring cannot work here until something is installed.
    pub is_toolchain: bool,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What it belongs to.
    pub subject: Subject,
    /// Whether nothing had to be built or run.
    pub is_from_cache: bool,
    /// Core and setting: "Cortex-M4F, 0 wait states".
    pub preset: String,
    /// Optimization level, LTO, core library and toolchain, in words.
    pub settings: String,
    /// What the check of the wire bytes against the host's encoder said. With an error there are no figures to show.
    pub check: Result<(), String>,
    /// What the codec adds to the flash; `None` where there is nothing to compare with.
    pub flash: Option<Bytes>,
    /// Size of the message struct.
    pub message: Bytes,
    /// Peak stack, messages and buffers included.
    pub stack: Bytes,
    /// Encoded sample.
    pub wire: Bytes,
    /// Encoding the sample; `None` for messages that are only decoded.
    pub encode: Option<Run>,
    /// Decoding it; `None` for messages that are only encoded.
    pub decode: Option<Run>,
    /// Filling, encoding, copying, decoding and comparing, as far as the message goes both ways.
    pub round_trip: Option<Run>,
    /// By function, hottest first.
    pub functions: Vec<FunctionRow>,
}

/// Time of one piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Cycles.
    pub cycles: Cycles,
    /// Instructions.
    pub instructions: u64,
}

/// One function of the firmware.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionRow {
    /// Its name, demangled.
    pub name: String,
    /// Its code and constants.
    pub flash: Bytes,
    /// Its own cycles in the round trip.
    pub cycles: Cycles,
    /// Its own instructions in the round trip.
    pub instructions: u64,
    /// What part of the schema it belongs to.
    pub origin: Option<Origin>,
}

impl Measuring {
    /// Another project: results stay, because undoing the switch would need them, but none is the latest any more.
    pub fn begin_project(&mut self) {
        self.failure = None;
        self.last.clear();
    }

    /// Keeps a result.
    pub fn keep(&mut self, report: Report) {
        let report = Arc::new(report);
        self.last.insert(report.subject.message.clone(), report.subject.clone());
        self.reports.insert(report.subject.clone(), report);
    }

    /// The result for exactly this subject.
    pub fn current(&self, subject: &Subject) -> Option<&Arc<Report>> {
        self.reports.get(subject)
    }

    /// The last result of the message, which may be of an older revision.
    pub fn latest(&self, message: &str) -> Option<&Arc<Report>> {
        self.reports.get(self.last.get(message)?)
    }
}
