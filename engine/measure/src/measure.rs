//! From a plan and a sample to measured figures, or to a check that failed.

use serde::{Deserialize, Serialize};
use wirebench_engine::options::Direction;
use wirebench_engine::plan::Plan;
use wirebench_engine::schema::{MessageId, Model};
use wirebench_engine::wire::MessageValue;

use crate::builder::{BuildError, Builder, Built};
use crate::cache::Cache;
use crate::environment::Environment;
use crate::firmware::Firmware;
use crate::image::{Image, Part, SymbolSize};
use crate::key::Key;
use crate::mailbox::State;
use crate::progress::{Control, Progress};
use crate::run::{FunctionCycles, Ran, RunError, preset, run};
use crate::settings::{CoreLibrary, Settings};
use crate::store;
use crate::toolchain::{Toolchain, ToolchainError};
use crate::workload::{Kind, Piece, Workload, WorkloadError};

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The plan of everything the firmware's code holds.
    pub plan: &'a Plan,
    /// The code printed from it.
    pub printed: &'a str,
    /// What the firmware does.
    pub workload: Workload,
}

impl<'a> Request<'a> {
    /// One message with a sample.
    ///
    /// # Errors
    /// A message without code, a sample that does not fit, messages larger than the chip's RAM.
    pub fn message(
        model: &Model,
        plan: &'a Plan,
        printed: &'a str,
        message: MessageId,
        sample: &MessageValue,
        settings: &Settings,
    ) -> Result<Request<'a>, WorkloadError> {
        let name = firmware_name(&model.message(message).full_name);
        let piece = Piece::of(model, plan, message, sample)?;
        let workload = Workload::new(&name, plan, vec![piece], settings.memory.ram.length.into())?;
        Ok(Request { plan, printed, workload })
    }
}

/// A full name as the name of a binary: `comparison.Telemetry` becomes `comparison_Telemetry`.
fn firmware_name(full_name: &str) -> String {
    full_name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A result: of which build, and what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the scenario.
    pub name: String,
    /// Hash of everything that could change the figures: code, runtime, template, workload, settings,
    /// toolchain, core library, timing model. Figures under different keys must not be compared silently.
    pub key: Key,
    /// How the firmware was built.
    pub settings: Settings,
    /// Where its core library came from.
    pub core_library: CoreLibrary,
    /// The compiler: `rustc 1.96.0 (..)`.
    pub toolchain: String,
    /// The simulated core and its memory: `Cortex-M4F, 0 wait states`.
    pub preset: String,
    /// Version of the timing model.
    pub model: String,
    /// What came out.
    pub outcome: Outcome,
    /// Whether it comes from the cache; nothing was built or run then.
    #[serde(skip)]
    pub is_from_cache: bool,
}

/// What came out. No check, no number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every check passed.
    Checked(Box<Figures>),
    /// A check failed; there are no figures.
    Failed(CheckFailure),
}

/// Which check failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum CheckFailure {
    /// The firmware did not get back what it had sent.
    #[error("the firmware of {firmware} did not get back the values it had sent")]
    Values {
        /// Name of the firmware.
        firmware: String,
    },
    /// The host encodes to another length.
    #[error("the firmware of {firmware} wrote {found} bytes, the host writes {expected}")]
    Length {
        /// Name of the firmware.
        firmware: String,
        /// By the host's encoder.
        expected: u64,
        /// By the firmware.
        found: u64,
    },
    /// The host encodes to other bytes.
    #[error(
        "the firmware of {firmware} wrote other bytes than the host (checksum {found:#010x}, not {expected:#010x})"
    )]
    Bytes {
        /// Name of the firmware.
        firmware: String,
        /// By the host's encoder.
        expected: u32,
        /// By the firmware; 0 where it reported none.
        found: u32,
    },
}

/// All figures of a scenario. Sizes are bytes, cycles and instructions those of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Message structs, summed over the scenario's messages: from the plan, exact.
    pub message: u64,
    /// Bytes on the wire, summed likewise: checked against the host's encoder.
    pub wire: u64,
    /// Fill, encode, copy, decode, compare; `None` for messages generated in one direction.
    pub round_trip: Option<Row>,
    /// Fill and encode: a firmware of its own.
    pub encode: Option<Row>,
    /// Decode: a firmware of its own.
    pub decode: Option<Row>,
    /// The same with a struct copy in place of the codec; `None` for messages that are only decoded.
    pub null: Option<Row>,
    /// The encode calls inside the round trip.
    pub encode_region: Option<Region>,
    /// The decode calls inside the round trip.
    pub decode_region: Option<Region>,
    /// Flash of the [`Figures::main`] row's firmware by part, the harness left out.
    pub parts: Vec<(Part, u64)>,
    /// The same by symbol; the largest first.
    pub symbols: Vec<SymbolSize>,
    /// Functions of the same firmware, the most cycles of its own first.
    pub per_function: Vec<FunctionCycles>,
}

impl Figures {
    /// The row of what a program does with the message: the round trip, or the one direction there is.
    pub fn main(&self) -> Option<&Row> {
        self.round_trip.as_ref().or(self.encode.as_ref()).or(self.decode.as_ref())
    }

    /// What the codec adds to the flash: the main row less the null row. A negative difference is 0.
    pub fn codec_flash(&self) -> Option<u64> {
        Some(self.main()?.flash.saturating_sub(self.null.as_ref()?.flash))
    }
}

/// Figures of one firmware.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Allocated program sections, less those of the empty firmware with the same settings.
    pub flash: u64,
    /// Static data in RAM, less that of the empty firmware.
    pub static_ram: u64,
    /// Deepest stack of the scenario, messages and buffers included.
    pub stack: u64,
    /// Cycles.
    pub cycles: Cycles,
    /// Instructions.
    pub instructions: u64,
}

/// Figures of a part of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Cycles.
    pub cycles: Cycles,
    /// Instructions.
    pub instructions: u64,
}

/// Cycles of several runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycles {
    /// The fewest.
    pub min: u64,
    /// The middle one.
    pub median: u64,
    /// All, the first one cold.
    pub samples: Vec<u64>,
}

impl Cycles {
    /// Minimum and median of samples.
    pub fn of(samples: &[u32]) -> Cycles {
        let samples: Vec<u64> = samples.iter().map(|cycles| u64::from(*cycles)).collect();
        let mut sorted = samples.clone();
        sorted.sort_unstable();
        let min = sorted.first().copied().unwrap_or(0);
        Cycles { min, median: sorted.get(sorted.len() / 2).copied().unwrap_or(0), samples }
    }
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// No toolchain.
    #[error("measuring is off: {0}")]
    Toolchain(#[from] ToolchainError),
    /// No place for builds and results.
    #[error("there is no folder to keep builds and results in; set WIREBENCH_CACHE")]
    NoCache,
    /// No firmware can be written.
    #[error("{0}")]
    Workload(#[from] WorkloadError),
    /// It does not build.
    #[error("{0}")]
    Build(#[source] BuildError),
    /// It does not run.
    #[error("{firmware}: {source}")]
    Run {
        /// Name of the firmware.
        firmware: String,
        /// What happened.
        #[source]
        source: RunError,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<BuildError> for MeasureError {
    fn from(error: BuildError) -> MeasureError {
        match error {
            BuildError::Cancelled => MeasureError::Cancelled,
            error => MeasureError::Build(error),
        }
    }
}

/// A toolchain, settings and a cache, ready to measure.
#[derive(Clone, Debug)]
pub struct Bench {
    /// What builds.
    pub builder: Builder,
}

impl Bench {
    /// Finds the toolchain and the cache folder.
    ///
    /// # Errors
    /// [`MeasureError::Toolchain`] or [`MeasureError::NoCache`].
    pub fn new(environment: &Environment, settings: Settings) -> Result<Bench, MeasureError> {
        let cache = Cache::at(environment.cache_root().ok_or(MeasureError::NoCache)?);
        let toolchain = Toolchain::find(environment, settings.core, settings.core_library)?;
        Ok(Bench { builder: Builder { toolchain, settings, cache } })
    }

    /// The result's key.
    fn key(&self, firmwares: &[Firmware]) -> Key {
        let preset = preset(self.builder.settings.core);
        let mut hash = Key::start("result");
        hash.add(store::VERSION).add(preset.name).add(preset.model);
        for firmware in firmwares {
            hash.add(&firmware.key(&self.builder.settings, &self.builder.toolchain).to_string());
        }
        hash.finish()
    }
}

/// Measures one scenario: builds its firmwares, runs them, checks them. From the cache where it was
/// measured before.
///
/// # Errors
/// Whatever keeps it from a result; a failed check is a result.
pub fn measure(bench: &Bench, request: &Request, control: Control) -> Result<Measured, MeasureError> {
    let mut results = measure_all(bench, std::slice::from_ref(request), control)?;
    results.pop().ok_or(MeasureError::Cancelled)
}

/// Measures several scenarios with one build.
///
/// # Errors
/// As [`measure`]; the first error ends the call.
pub fn measure_all(
    bench: &Bench,
    requests: &[Request],
    control: Control,
) -> Result<Vec<Measured>, MeasureError> {
    let jobs: Vec<Job> = requests.iter().map(|request| Job::of(bench, request)).collect();
    let mut results: Vec<Option<Measured>> = jobs.iter().map(|job| job.cached(bench, control)).collect();
    let open: Vec<usize> = (0..jobs.len()).filter(|at| results[*at].is_none()).collect();
    if !open.is_empty() {
        let mut firmwares = vec![Firmware::empty()];
        firmwares.extend(open.iter().flat_map(|at| jobs[*at].firmwares.iter().cloned()));
        let built = bench.builder.build(&firmwares, control)?;
        let (empty, mut built) = built.split_first().ok_or(MeasureError::Cancelled)?;
        let empty = image_of(empty)?;
        for at in &open {
            let (own, others) = built.split_at(jobs[*at].firmwares.len().min(built.len()));
            built = others;
            let measured = jobs[*at].run(bench, own, &empty, control)?;
            // A cache that cannot be written costs the next run its speed, nothing else.
            let _ = store::save(&bench.builder.cache, &measured);
            results[*at] = Some(measured);
        }
    }
    Ok(results.into_iter().flatten().collect())
}

fn image_of(built: &Built) -> Result<Image, MeasureError> {
    let elf = wirebench_sim::Image::load(&built.elf);
    let elf =
        elf.map_err(|source| MeasureError::Run { firmware: built.name.clone(), source: source.into() })?;
    Ok(Image::of(&elf))
}

/// One request with its firmwares and key.
struct Job<'a> {
    request: &'a Request<'a>,
    firmwares: Vec<Firmware>,
    key: Key,
}

impl<'a> Job<'a> {
    fn of(bench: &Bench, request: &'a Request<'a>) -> Job<'a> {
        let firmware = |kind| request.workload.firmware(kind, request.plan, request.printed);
        let firmwares: Vec<Firmware> = request.workload.kinds().iter().map(|kind| firmware(*kind)).collect();
        let key = bench.key(&firmwares);
        Job { request, firmwares, key }
    }

    fn cached(&self, bench: &Bench, control: Control) -> Option<Measured> {
        let measured = store::load(&bench.builder.cache, &self.key)?;
        control.report(Progress::FromCache { name: self.request.workload.name.clone() });
        Some(Measured { is_from_cache: true, ..measured })
    }

    fn run(
        &self,
        bench: &Bench,
        built: &[Built],
        empty: &Image,
        control: Control,
    ) -> Result<Measured, MeasureError> {
        let mut runs = Vec::new();
        for built in built {
            let ran = run(built, &bench.builder.settings, control).map_err(|source| match source {
                RunError::Cancelled => MeasureError::Cancelled,
                source => MeasureError::Run { firmware: built.name.clone(), source },
            })?;
            runs.push(ran);
        }
        let preset = preset(bench.builder.settings.core);
        let outcome = match self.check(&runs) {
            Ok(()) => Outcome::Checked(Box::new(self.figures(&runs, empty))),
            Err(failure) => Outcome::Failed(failure),
        };
        Ok(Measured {
            name: self.request.workload.name.clone(),
            key: self.key.clone(),
            settings: bench.builder.settings.clone(),
            core_library: bench.builder.toolchain.core_library,
            toolchain: bench.builder.toolchain.version.clone(),
            preset: preset.name.to_owned(),
            model: preset.model.to_owned(),
            outcome,
            is_from_cache: false,
        })
    }

    /// Values by the firmware, length and bytes against the host's encoding.
    fn check(&self, runs: &[Ran]) -> Result<(), CheckFailure> {
        let workload = &self.request.workload;
        let (length, checksum) = workload.expected();
        for (kind, ran) in workload.kinds().iter().zip(runs) {
            let firmware = || format!("{}_{}", workload.name, kind.word());
            if ran.mailbox.state != State::Passed {
                return Err(CheckFailure::Values { firmware: firmware() });
            }
            let expected = match kind {
                Kind::Null => workload.null_length(self.request.plan),
                _ => length,
            };
            let found = u64::from(ran.mailbox.wire_length);
            if found != expected {
                return Err(CheckFailure::Length { firmware: firmware(), expected, found });
            }
            let found = ran.mailbox.checksum.unwrap_or(0);
            let encodes = *kind == Kind::Regions && workload.direction != Direction::Decode;
            if encodes && length > 0 && found != checksum {
                return Err(CheckFailure::Bytes { firmware: firmware(), expected: checksum, found });
            }
        }
        Ok(())
    }

    fn figures(&self, runs: &[Ran], empty: &Image) -> Figures {
        let workload = &self.request.workload;
        let ran = |kind: Kind| runs.get(workload.kinds().iter().position(|k| *k == kind)?);
        let row = |kind: Kind| ran(kind).map(|ran| Row::of(ran, empty));
        let regions = ran(Kind::Regions);
        let region = |part: Direction, cycles: fn(&Ran) -> &[u32], instructions: fn(&Ran) -> u64| {
            let is_there = workload.direction == Direction::Both || workload.direction == part;
            let ran = regions.filter(|_| is_there)?;
            Some(Region { cycles: Cycles::of(cycles(ran)), instructions: instructions(ran) })
        };
        // The first kind is what a program has.
        let main = runs.first();
        let parts = [Part::Generated, Part::Runtime, Part::Scenario, Part::Helpers];
        let size = |part| main.map_or(0, |ran| ran.image.part(part));
        let symbols = main.iter().flat_map(|ran| &ran.image.symbols);
        Figures {
            message: workload.message_size(self.request.plan),
            wire: workload.expected().0,
            round_trip: row(Kind::RoundTrip),
            encode: row(Kind::Encode),
            decode: row(Kind::Decode),
            null: row(Kind::Null),
            encode_region: region(
                Direction::Encode,
                |ran| &ran.mailbox.encode,
                |ran| ran.encode_instructions,
            ),
            decode_region: region(
                Direction::Decode,
                |ran| &ran.mailbox.decode,
                |ran| ran.decode_instructions,
            ),
            parts: parts.into_iter().map(|part| (part, size(part))).collect(),
            symbols: symbols.filter(|s| s.part != Part::Harness).cloned().collect(),
            per_function: main.map_or_else(Vec::new, |ran| ran.functions.clone()),
        }
    }
}

impl Row {
    fn of(ran: &Ran, empty: &Image) -> Row {
        Row {
            flash: ran.image.flash.saturating_sub(empty.flash),
            static_ram: ran.image.static_ram.saturating_sub(empty.static_ram),
            stack: ran.peak_stack,
            cycles: Cycles::of(&ran.mailbox.total),
            instructions: ran.instructions,
        }
    }
}
