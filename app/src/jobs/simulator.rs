//! Measuring for real: firmware built with cargo, run on the simulated core.

use wirebench_engine::units::{Bytes, Cycles};
use wirebench_measure::environment::Environment;
use wirebench_measure::measure::{
    self, Bench, Figures, MeasureError, Measured, Outcome, Region, Request, Row,
};
use wirebench_measure::progress::Control;
use wirebench_measure::settings::Settings;

use super::Measurer;
use crate::state::measuring::{Failure, FunctionRow, Report, Run, Subject};
use crate::update::MeasureJob;

/// The simulated Cortex-M4F.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulator;

impl Measurer for Simulator {
    fn measure(&self, job: &MeasureJob, control: Control<'_>) -> Option<Result<Report, Failure>> {
        match run(job, control) {
            Ok(measured) => Some(Ok(report(job.subject.clone(), measured))),
            Err(MeasureError::Cancelled) => None,
            Err(error) => Some(Err(failure(&error))),
        }
    }
}

fn run(job: &MeasureJob, control: Control<'_>) -> Result<Measured, MeasureError> {
    let settings = Settings::default();
    let bench = Bench::new(&Environment::of_this_process(), settings.clone())?;
    let output = &job.output;
    let parts = (&output.model, &output.planned, &output.printed, output.samples.get(&job.message));
    let (Some(model), Some(planned), Some(printed), Some(sample)) = parts else {
        return Err(MeasureError::Cancelled);
    };
    let request =
        Request::message(model, &planned.plan, &printed.text, job.message, &sample.value, &settings)?;
    measure::measure(&bench, &request, control)
}

fn failure(error: &MeasureError) -> Failure {
    let is_toolchain = matches!(error, MeasureError::Toolchain(_));
    Failure { message: error.to_string(), help: None, is_toolchain }
}

fn report(subject: Subject, measured: Measured) -> Report {
    let settings = format!(
        "opt-level {}, fat LTO, core library {}, {}",
        measured.settings.opt_level.word(),
        measured.core_library.word(),
        measured.toolchain
    );
    let mut report = Report {
        subject,
        is_from_cache: measured.is_from_cache,
        preset: measured.preset,
        settings,
        check: Ok(()),
        flash: None,
        message: Bytes(0),
        stack: Bytes(0),
        wire: Bytes(0),
        encode: None,
        decode: None,
        round_trip: None,
        functions: Vec::new(),
    };
    match measured.outcome {
        Outcome::Failed(why) => report.check = Err(why.to_string()),
        Outcome::Checked(figures) => fill(&mut report, &figures),
    }
    report
}

fn fill(report: &mut Report, figures: &Figures) {
    let region =
        |region: &Region| Run { cycles: Cycles(region.cycles.min), instructions: region.instructions };
    let row = |row: &Row| Run { cycles: Cycles(row.cycles.min), instructions: row.instructions };
    report.flash = figures.codec_flash().map(Bytes);
    report.message = Bytes(figures.message);
    report.stack = Bytes(figures.main().map_or(0, |row| row.stack));
    report.wire = Bytes(figures.wire);
    report.encode = figures.encode_region.as_ref().map(region).or(figures.encode.as_ref().map(row));
    report.decode = figures.decode_region.as_ref().map(region).or(figures.decode.as_ref().map(row));
    report.round_trip = figures.round_trip.as_ref().map(row);
    report.functions = functions(figures);
}

/// Functions of the profile with their size from the ELF file, then symbols that never ran.
fn functions(figures: &Figures) -> Vec<FunctionRow> {
    let size = |name: &str| {
        figures.symbols.iter().find(|symbol| symbol.name == name).map_or(0, |symbol| symbol.size)
    };
    let mut rows: Vec<FunctionRow> = figures
        .per_function
        .iter()
        .map(|function| FunctionRow {
            name: function.name.clone(),
            flash: Bytes(size(&function.name)),
            cycles: Cycles(function.cycles_self),
            instructions: function.instructions,
            origin: None,
        })
        .collect();
    for symbol in &figures.symbols {
        if !rows.iter().any(|row| row.name == symbol.name) {
            rows.push(FunctionRow {
                name: symbol.name.clone(),
                flash: Bytes(symbol.size),
                cycles: Cycles(0),
                instructions: 0,
                origin: None,
            });
        }
    }
    rows
}
