//! The comparison suite: the same scenarios for every setting, toolchain and version, as one table.
//!
//! ```text
//! embedded schemas ─▶ check, resolve, lower, print ─▶ workloads ─▶ measure_all ─▶ SuiteResult ─▶ text, Markdown, JSON
//! ```
//!
//! # The JSON contract, version 1
//!
//! One object; keys in this order; sizes in bytes; a figure that a row does not have is `null`:
//!
//! ```json
//! {"version":1,"core":"cortex-m4f","model":"cortex-m4 1",
//!  "settings":{"opt_level":"s","lto":"fat","core_library":"rebuilt","memory_routines":"compiler",
//!              "merge_functions":true,"toolchain":"rustc 1.96.0 (..)","optimize":"auto",
//!              "tool":"wirebench 0.1.0","template":"0a1b2c3d"},
//!  "rows":[{"scenario":"telemetry","shapes":"equal","kind":"round_trip","flash":1222,"cycles":1105,
//!           "encode_cycles":301,"decode_cycles":420,"instructions":900,"stack":220,"message":32,"wire":29,
//!           "evidence":"simulated","checked":true}]}
//! ```
//!
//! | key | meaning |
//! | --- | --- |
//! | `core_library` | `rebuilt` with the firmware at its level, or `prebuilt` by the toolchain's makers |
//! | `memory_routines` | `compiler`, or `small` for the template's |
//! | `tool`, `template` | version of this program; hash of the firmware template |
//! | `scenario` | `telemetry`, `telemetry_batch`, `configuration`, `command`, `firmware_chunk`, `firmware_chunk_streamed`, `growth_1`, `growth_5`, `growth_20` |
//! | `shapes` | `varied` where the growth types differ in order and numbers, else `equal` |
//! | `kind` | `round_trip`: fill, encode, copy, decode, compare · `encode` and `decode`: firmwares of their own · `null`: the round trip with a struct copy in place of the codec |
//! | `flash` | allocated program sections, less the empty firmware's with the same settings |
//! | `cycles`, `instructions` | of one run, the fewest of eight; of the scenario without its call |
//! | `encode_cycles`, `decode_cycles` | of the codec calls inside a round trip; `null` in other rows |
//! | `stack` | deepest stack of the scenario, messages and buffers included |
//! | `message`, `wire` | message structs and bytes on the wire, summed over the scenario's messages; in a null row `wire` is what the copies moved |
//! | `checked` | `false`: a check failed, and every figure of the row is `null` |
//!
//! A new key or row may be added within a version; anything else raises it.

mod scenarios;
mod table;

use serde::{Deserialize, Serialize};
use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::options::{self, Optimize};
use wirebench_engine::plan::{self, Choices, Plan};
use wirebench_engine::wire::json;
use wirebench_engine::{print, schema};

use crate::firmware::template_key;
use crate::measure::{Bench, Figures, MeasureError, Measured, Outcome, Region, Request, measure_all};
use crate::progress::Control;
use crate::workload::{Kind, Piece, Stream, Workload, WorkloadError};

pub use scenarios::{Message, Scenario, Shapes, scenarios};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
}

/// Version of the JSON contract.
pub const VERSION: u32 = 1;

/// Names of the suites there are.
pub const SUITES: [&str; 1] = ["comparison"];

/// The whole table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteResult {
    /// [`VERSION`].
    pub version: u32,
    /// The core: `cortex-m4f`.
    pub core: String,
    /// Version of the timing model.
    pub model: String,
    /// How everything was built.
    pub settings: SuiteSettings,
    /// The rows, in the order of the scenarios; four each.
    pub rows: Vec<SuiteRow>,
    /// Whether every row came from the cache. Not part of the contract.
    #[serde(skip)]
    pub is_from_cache: bool,
    /// The checks that failed. Not part of the contract.
    #[serde(skip)]
    pub failures: Vec<String>,
}

/// How everything was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the module's documentation explains the contract")]
pub struct SuiteSettings {
    pub opt_level: String,
    pub lto: String,
    pub core_library: String,
    pub memory_routines: String,
    pub merge_functions: bool,
    pub toolchain: String,
    pub optimize: String,
    pub tool: String,
    pub template: String,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the module's documentation explains the contract")]
pub struct SuiteRow {
    pub scenario: String,
    pub shapes: Shapes,
    pub kind: String,
    pub flash: Option<u64>,
    pub cycles: Option<u64>,
    pub encode_cycles: Option<u64>,
    pub decode_cycles: Option<u64>,
    pub instructions: Option<u64>,
    pub stack: Option<u64>,
    pub message: Option<u64>,
    pub wire: Option<u64>,
    pub evidence: String,
    pub checked: bool,
}

/// Why the suite has no table.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The embedded schemas do not check: a fault of this program.
    #[error("the comparison's schema {schema} is not usable: {first}")]
    Schema {
        /// File name.
        schema: String,
        /// The first problem.
        first: String,
    },
    /// A scenario cannot be written.
    #[error("{scenario}: {source}")]
    Workload {
        /// Name.
        scenario: String,
        /// Why.
        #[source]
        source: WorkloadError,
    },
    /// It cannot be measured.
    #[error("{0}")]
    Measure(#[from] MeasureError),
}

/// Measures all scenarios with one style setting.
///
/// # Errors
/// Whatever keeps it from a result. A failed check is a row without figures, and stands in
/// [`SuiteResult::failures`].
pub fn suite(bench: &Bench, optimize: Optimize, control: Control) -> Result<SuiteResult, SuiteError> {
    suite_of(&scenarios(), bench, optimize, control)
}

/// [`suite`] with some of the scenarios.
///
/// # Errors
/// As [`suite`].
pub fn suite_of(
    scenarios: &[Scenario],
    bench: &Bench,
    optimize: Optimize,
    control: Control,
) -> Result<SuiteResult, SuiteError> {
    let prepared: Vec<Prepared> =
        scenarios.iter().map(|s| Prepared::of(s, optimize, bench)).collect::<Result<_, _>>()?;
    let requests: Vec<Request> = prepared.iter().map(Prepared::request).collect();
    let measured = measure_all(bench, &requests, control)?;

    let settings = &bench.builder.settings;
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for ((scenario, prepared), measured) in scenarios.iter().zip(&prepared).zip(&measured) {
        rows.extend(rows_of(scenario, prepared, measured));
        if let Outcome::Failed(failure) = &measured.outcome {
            failures.push(failure.to_string());
        }
    }
    Ok(SuiteResult {
        version: VERSION,
        core: settings.core.word().to_owned(),
        model: crate::run::preset(settings.core).model.to_owned(),
        settings: SuiteSettings {
            opt_level: settings.opt_level.word().to_owned(),
            lto: "fat".to_owned(),
            core_library: bench.builder.toolchain.core_library.word().to_owned(),
            memory_routines: settings.memory_routines.word().to_owned(),
            merge_functions: settings.merge_functions,
            toolchain: bench.builder.toolchain.version.clone(),
            optimize: optimize.word().to_owned(),
            tool: concat!("wirebench ", env!("CARGO_PKG_VERSION")).to_owned(),
            template: template_key().short().to_owned(),
        },
        rows,
        is_from_cache: measured.iter().all(|m| m.is_from_cache),
        failures,
    })
}

/// A scenario with its code.
struct Prepared {
    plan: Plan,
    printed: String,
    workload: Workload,
}

impl Prepared {
    fn of(scenario: &Scenario, optimize: Optimize, bench: &Bench) -> Result<Prepared, SuiteError> {
        let unusable = |problems: &[Diagnostic]| SuiteError::Schema {
            schema: scenario.schema.to_owned(),
            first: problems
                .iter()
                .find(|d| d.is_error())
                .map_or_else(|| "no model".to_owned(), Diagnostic::to_string),
        };
        let files = embedded_schemas();
        let settings = Some("wirebench.toml".to_owned());
        let input = Input { roots: vec![scenario.schema.to_owned()], settings, ..Input::default() };
        let checked = schema::check(&input, &files);
        let model = checked.model.as_ref().ok_or_else(|| unusable(&checked.diagnostics))?;
        let mut resolved = options::resolve(model, &input, &files);
        if resolved.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(unusable(&resolved.diagnostics));
        }
        // The firmware uses these messages and no other.
        let ids = scenario.messages.iter().map(|m| model.find_message(&m.full_name));
        let ids: Option<Vec<_>> = ids.collect();
        let ids = ids.ok_or_else(|| unusable(&[]))?;
        resolved.limits.settings.in_use = ids.clone();
        let choices = Choices { optimize: Some(optimize), ..Choices::default() };
        let plan = plan::lower(model, &resolved.limits, &choices).plan;
        let printed = print::print(&plan).text;

        let in_scenario = |source| SuiteError::Workload { scenario: scenario.name.to_owned(), source };
        let mut pieces = Vec::new();
        for (message, id) in scenario.messages.iter().zip(ids) {
            let file = format!("samples/{}.json", message.full_name);
            let sample = embedded_text(&file).unwrap_or_default();
            let sample = json::parse(model, id, &file, sample).map_err(|problems| unusable(&problems))?;
            let mut piece = Piece::of(model, &plan, id, &sample).map_err(in_scenario)?;
            message.write_over(&mut piece);
            pieces.push(piece);
        }
        let ram = bench.builder.settings.memory.ram.length.into();
        let workload = Workload::new(&scenario.full_name(), &plan, pieces, ram).map_err(in_scenario)?;
        Ok(Prepared { plan, printed, workload })
    }

    fn request(&self) -> Request<'_> {
        Request { plan: &self.plan, printed: &self.printed, workload: self.workload.clone() }
    }
}

impl Scenario {
    /// The name that tells equal from varied shapes: `growth_5_varied`.
    pub fn full_name(&self) -> String {
        match self.shapes {
            Shapes::Equal => self.name.to_owned(),
            Shapes::Varied => format!("{}_varied", self.name),
        }
    }
}

impl Message {
    /// The harness's buffer, and what is written by hand.
    fn write_over(&self, piece: &mut Piece) {
        piece.buffer = self.buffer;
        let Some(body) = &self.body else { return };
        piece.fill = body.fill.to_owned();
        piece.compare = body.compare.to_owned();
        if let Some((callbacks, length)) = body.callbacks {
            let (callbacks, callbacks_of_copy) = (callbacks.to_owned(), callbacks.to_owned());
            piece.stream = Some(Stream { length, callbacks, callbacks_of_copy });
        }
    }
}

/// The comparison's schemas, limits and samples.
pub fn embedded_schemas() -> MemoryFiles {
    let mut files = MemoryFiles::default();
    for (path, text) in embedded::SCHEMAS {
        files.insert(*path, text.as_bytes());
    }
    files
}

fn embedded_text(path: &str) -> Option<&'static str> {
    embedded::SCHEMAS.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// The four rows of a scenario.
fn rows_of(scenario: &Scenario, prepared: &Prepared, measured: &Measured) -> Vec<SuiteRow> {
    [Kind::RoundTrip, Kind::Encode, Kind::Decode, Kind::Null]
        .into_iter()
        .map(|kind| match &measured.outcome {
            Outcome::Checked(figures) => checked_row(scenario, prepared, kind, figures),
            Outcome::Failed(_) => empty_row(scenario, kind),
        })
        .collect()
}

fn checked_row(scenario: &Scenario, prepared: &Prepared, kind: Kind, figures: &Figures) -> SuiteRow {
    let row = match kind {
        Kind::RoundTrip | Kind::Regions => &figures.round_trip,
        Kind::Encode => &figures.encode,
        Kind::Decode => &figures.decode,
        Kind::Null => &figures.null,
    };
    let Some(row) = row else { return empty_row(scenario, kind) };
    let in_round_trip = |region: &Option<Region>| {
        region.as_ref().filter(|_| kind == Kind::RoundTrip).map(|region| region.cycles.min)
    };
    SuiteRow {
        flash: Some(row.flash),
        cycles: Some(row.cycles.min),
        encode_cycles: in_round_trip(&figures.encode_region),
        decode_cycles: in_round_trip(&figures.decode_region),
        instructions: Some(row.instructions),
        stack: Some(row.stack),
        message: Some(figures.message),
        wire: Some(if kind == Kind::Null {
            prepared.workload.null_length(&prepared.plan)
        } else {
            figures.wire
        }),
        checked: true,
        ..empty_row(scenario, kind)
    }
}

fn empty_row(scenario: &Scenario, kind: Kind) -> SuiteRow {
    SuiteRow {
        scenario: scenario.name.to_owned(),
        shapes: scenario.shapes,
        kind: kind.word().to_owned(),
        flash: None,
        cycles: None,
        encode_cycles: None,
        decode_cycles: None,
        instructions: None,
        stack: None,
        message: None,
        wire: None,
        evidence: "simulated".to_owned(),
        checked: false,
    }
}
