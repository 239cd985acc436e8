//! Fits the constants of the cost estimates to measured figures and prints `assets/cost-model.json`.
//!
//! ```text
//! cargo run --release -p wirebench-measure --example refit -- schemas/*.proto > assets/cost-model.json
//! ```
//! Every message of the schemas is measured in each of the three styles with its typical and its largest
//! sample (what is in the cache is not measured again). Messages are dealt alternately: one half fits the
//! constants, the other half says how good they are; both errors go to standard error.

use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use wirebench_engine::cost::{Event, FlashPart, firmware_parts};
use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options::{self, Optimize};
use wirebench_engine::pipeline;
use wirebench_engine::plan::{self, Choices, MessagePlan, Plan, Style};
use wirebench_engine::print;
use wirebench_engine::schema::{self, Model};
use wirebench_engine::wire::{self, MessageValue};
use wirebench_measure::environment::Environment;
use wirebench_measure::measure::{Bench, Figures, Outcome, Request, measure_all};
use wirebench_measure::progress::{Cancel, Control};
use wirebench_measure::settings::Settings;

/// Styles with their name in the file and the setting that asks for them.
const STYLES: [(Style, &str, Optimize); 3] = [
    (Style::Table, "size", Optimize::Size),
    (Style::Calls, "balanced", Optimize::Balanced),
    (Style::Straight, "speed", Optimize::Speed),
];

/// Rounds of the descent; the constants stand still long before.
const ROUNDS: usize = 20_000;

/// Bytes of a table word.
const TABLE_WORD: f64 = 4.0;

/// Messages that are built at once.
const AT_ONCE: usize = 12;

struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        fs::read(path).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

/// One measured figure: how often each constant counts, and the value.
struct Point {
    counts: Vec<f64>,
    value: f64,
}

/// Figures of one style.
#[derive(Default)]
struct Points {
    flash: Vec<Point>,
    encode: Vec<Point>,
    decode: Vec<Point>,
}

fn main() -> ExitCode {
    let schemas: Vec<String> = std::env::args().skip(1).collect();
    let bench = match Bench::new(&Environment::of_this_process(), Settings::default()) {
        Ok(bench) if !schemas.is_empty() => bench,
        Ok(_) => {
            eprintln!("name the schemas to fit to");
            return ExitCode::from(2);
        }
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut styles = Map::new();
    let mut worst_of_nine_in_ten: f64 = 0.0;
    for (style, name, optimize) in STYLES {
        let mut points = Points::default();
        for schema in &schemas {
            measure_schema(&bench, schema, style, optimize, &mut points);
        }
        let parts = FlashPart::ALL.len();
        // Every part is a table word or an instruction at least; what is shared may be nothing.
        let least: Vec<f64> = (0..=2 * parts).map(|at| if at < parts { TABLE_WORD } else { 0.0 }).collect();
        let flash = fit(&points.flash, &least, &format!("{name} flash"), &mut worst_of_nine_in_ten);
        let least = [0.0; Event::ALL.len()];
        let encode = fit(&points.encode, &least, &format!("{name} encode"), &mut worst_of_nine_in_ten);
        let decode = fit(&points.decode, &least, &format!("{name} decode"), &mut worst_of_nine_in_ten);
        styles.insert(
            name.to_owned(),
            json!({
                "runtime_flash": rounded(flash[2 * parts]),
                "first_use": named(&FlashPart::ALL.map(FlashPart::word), &flash[parts..2 * parts]),
                "flash": named(&FlashPart::ALL.map(FlashPart::word), &flash[..parts]),
                "encode": named(&Event::ALL.map(Event::word), &encode),
                "decode": named(&Event::ALL.map(Event::word), &decode),
            }),
        );
    }
    let file = json!({
        "version": 1,
        "fitted": format!("by the example refit of wirebench-measure on {}, simulated {}, opt-level s",
            schemas.iter().map(|s| s.rsplit('/').next().unwrap_or(s)).collect::<Vec<_>>().join(", "),
            wirebench_measure::run::preset(bench.builder.settings.core).name),
        "error_percent": worst_of_nine_in_ten.ceil() as u64,
        "styles": styles,
    });
    // A closed pipe is nobody's problem.
    let _ = writeln!(std::io::stdout(), "{file:#}");
    ExitCode::SUCCESS
}

fn measure_schema(bench: &Bench, schema: &str, style: Style, optimize: Optimize, points: &mut Points) {
    let input = Input {
        roots: vec![schema.to_owned()],
        settings: options::find_settings(&Disk, schema),
        ..Input::default()
    };
    let Some(model) = schema::check(&input, &Disk).model else {
        eprintln!("{schema} has errors and is left out");
        return;
    };
    let limits = options::resolve(&model, &input, &Disk).limits;
    let choices = Choices { optimize: Some(optimize), ..Choices::default() };
    let plan = plan::lower(&model, &limits, &choices).plan;
    let printed = print::print(&plan);
    let messages = || plan.messages.iter().filter(|m| m.style == style && !m.fields.is_empty());
    // One build holds a message once, so the samples of a message are measured one after the other.
    let typical = messages().map(|m| (m, wire::sample::typical(&model, &limits, m.id))).collect();
    let largest =
        messages().filter_map(|m| Some((m, wire::sample::maximum(&model, &limits, m.id)?))).collect();
    let passes: [Vec<(&MessagePlan, MessageValue)>; 2] = [typical, largest];
    let settings = &bench.builder.settings;
    let cancel = Cancel::default();
    for jobs in passes.iter().flat_map(|jobs| jobs.chunks(AT_ONCE)) {
        let (jobs, requests): (Vec<_>, Vec<_>) = jobs
            .iter()
            .filter_map(|job| {
                let request =
                    Request::message(&model, &plan, &printed.text, job.0.id, &job.1, settings).ok()?;
                Some((job, request))
            })
            .unzip();
        match measure_all(bench, &requests, Control { progress: &|_| (), cancel: &cancel }) {
            Ok(measured) => {
                for ((message, sample), measured) in jobs.iter().zip(measured) {
                    match measured.outcome {
                        Outcome::Checked(figures) => add(points, &model, &plan, message, sample, &figures),
                        Outcome::Failed(failure) => eprintln!("{}: {failure}", message.full_name),
                    }
                }
            }
            Err(error) => eprintln!("{schema}: {error}"),
        }
    }
}

fn add(
    points: &mut Points,
    model: &Model,
    plan: &Plan,
    message: &MessagePlan,
    sample: &MessageValue,
    figures: &Figures,
) {
    let parts = firmware_parts(plan, message);
    if let (1, Some(flash)) = (parts.len(), figures.codec_flash()) {
        for parts in parts.values() {
            let counts = parts.0.iter().chain(&parts.used().0).map(|n| *n as f64).chain([1.0]).collect();
            points.flash.push(Point { counts, value: flash as f64 });
        }
    }
    let wire = wire::encode_bytes(model, message.id, sample).len() as u64;
    let count = pipeline::count(plan, message, sample, wire);
    let mut events = [0.0; Event::ALL.len()];
    for by_style in std::iter::once(&count.frame).chain(count.fields.values().map(|f| &f.events)) {
        for (slot, n) in by_style.values().flat_map(events_of).enumerate() {
            events[slot % Event::ALL.len()] += n;
        }
    }
    for (points, region) in
        [(&mut points.encode, &figures.encode_region), (&mut points.decode, &figures.decode_region)]
    {
        if let Some(region) = region {
            points.push(Point { counts: events.to_vec(), value: region.cycles.min as f64 });
        }
    }
}

fn events_of(events: &wirebench_engine::cost::Events) -> [f64; Event::ALL.len()] {
    events.0.map(|n| n as f64)
}

/// Constants of at least `least` with the least sum of squared relative errors, by coordinate descent.
fn fit(points: &[Point], least: &[f64], what: &str, worst: &mut f64) -> Vec<f64> {
    let (fitted, held): (Vec<_>, Vec<_>) = points.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let fitted: Vec<&Point> = fitted.into_iter().map(|(_, p)| p).filter(|p| p.value > 0.0).collect();
    let held: Vec<&Point> = held.into_iter().map(|(_, p)| p).filter(|p| p.value > 0.0).collect();
    let mut constants = least.to_vec();
    let off =
        |point: &&Point| 1.0 - point.counts.iter().zip(least).map(|(n, c)| n * c).sum::<f64>() / point.value;
    let mut left: Vec<f64> = fitted.iter().map(off).collect();
    for _ in 0..ROUNDS {
        for (at, constant) in constants.iter_mut().enumerate() {
            let (mut along, mut square) = (0.0, 0.0);
            for (point, left) in fitted.iter().zip(&left) {
                let x = point.counts[at] / point.value;
                along += x * left;
                square += x * x;
            }
            if square == 0.0 {
                continue;
            }
            let next = (*constant + along / square).max(least[at]);
            for (point, left) in fitted.iter().zip(&mut left) {
                *left -= point.counts[at] / point.value * (next - *constant);
            }
            *constant = next;
        }
    }
    let of_fitted = errors(&fitted, &constants);
    let of_held = errors(&held, &constants);
    eprintln!(
        "{what}: fitted on {} (median {:.1} %, nine in ten within {:.1} %), held out {} (median {:.1} %, nine in ten within {:.1} %)",
        fitted.len(),
        of_fitted.0,
        of_fitted.1,
        held.len(),
        of_held.0,
        of_held.1
    );
    *worst = worst.max(of_held.1);
    constants
}

/// Median, and what nine in ten errors stay within, in percent.
fn errors(points: &[&Point], constants: &[f64]) -> (f64, f64) {
    let mut errors: Vec<f64> = points
        .iter()
        .map(|point| {
            let estimate: f64 = point.counts.iter().zip(constants).map(|(n, c)| n * c).sum();
            (estimate / point.value - 1.0).abs() * 100.0
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| {
        errors.get(((errors.len() as f64 - 1.0).max(0.0) * share) as usize).copied().unwrap_or(0.0)
    };
    (at(0.5), at(0.9))
}

fn named(words: &[&str], values: &[f64]) -> Json {
    words
        .iter()
        .zip(values)
        .map(|(word, value)| ((*word).to_owned(), rounded(*value)))
        .collect::<Map<_, _>>()
        .into()
}

fn rounded(value: f64) -> Json {
    json!((value * 10.0).round() / 10.0)
}
