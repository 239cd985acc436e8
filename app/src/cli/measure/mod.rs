//! `wirebench measure`: flash, RAM, stack and cycles, by building firmware and running it on the simulated core.

mod report;

use wirebench_engine::options::Optimize;
use wirebench_engine::pipeline::{Output, Request};
use wirebench_engine::plan::{Item, Plan, Storage};
use wirebench_engine::schema::{MessageId, Model};
use wirebench_measure::measure::{self as measuring, Bench, MeasureError, Measured};
use wirebench_measure::progress::{Cancel, Control, Progress};
use wirebench_measure::settings::{CoreLibrary, MemoryRoutines, OptLevel, Settings};
use wirebench_measure::suite::suite;

use crate::cli::generate::parse_optimize;
use crate::cli::input::{self, SchemaArguments};
use crate::cli::{Outcome, Terminal};

/// Builds measurement firmware with cargo, runs it on the simulated Cortex-M4F and prints what it measured.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every message is measured with its sample: samples/<full name>.json beside the schema, else \
                        one made from the schema. The firmware's bytes are checked against the host's own encoder; \
                        without that check there are no figures. Results are kept; WIREBENCH_CACHE names the folder."
)]
pub struct Measure {
    /// Schema to measure
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    file: Option<String>,
    /// Message to measure; may be given several times (default: those that no other message holds)
    #[arg(long = "type", value_name = "NAME", conflicts_with = "suite")]
    messages: Vec<String>,
    /// Measure a whole suite instead of a schema
    #[arg(long, value_name = "NAME", value_parser = ["comparison"])]
    suite: Option<String>,
    /// Shape of the code: auto, size, balanced or speed (default: as the settings say)
    #[arg(long, value_parser = parse_optimize)]
    optimize: Option<Optimize>,
    /// The compiler's optimization level: s, z, 2 or 3
    #[arg(long, value_name = "LEVEL", default_value = "s", value_parser = parse_level)]
    opt_level: OptLevel,
    /// Who copies memory: the compiler's routines, or the template's small ones
    #[arg(long, value_name = "WHOSE", default_value = "compiler")]
    memory_routines: Routines,
    /// The core library: as the toolchain ships it, or rebuilt at the firmware's level (default: what there is)
    #[arg(long, value_name = "KIND")]
    core_library: Option<Library>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a suite's table as Markdown
    #[arg(long, requires = "suite", conflicts_with = "json")]
    markdown: bool,
    #[command(flatten)]
    schema: SchemaArguments,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Routines {
    Compiler,
    Small,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Library {
    Prebuilt,
    Rebuilt,
}

fn parse_level(word: &str) -> Result<OptLevel, String> {
    word.parse::<OptLevel>().map_err(|error| error.to_string())
}

impl Measure {
    /// Prints the figures of every message, or the suite's table.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        match &self.file {
            Some(file) => self.run_schema(file, terminal),
            None => self.run_suite(terminal),
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            opt_level: self.opt_level,
            memory_routines: match self.memory_routines {
                Routines::Compiler => MemoryRoutines::Compiler,
                Routines::Small => MemoryRoutines::Small,
            },
            core_library: self.core_library.map(|library| match library {
                Library::Prebuilt => CoreLibrary::Prebuilt,
                Library::Rebuilt => CoreLibrary::Rebuilt,
            }),
            ..Settings::default()
        }
    }

    fn run_suite(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let bench = match self.bench(terminal) {
            Ok(bench) => bench,
            Err(outcome) => return outcome,
        };
        let cancel = cancel_on_interrupt();
        let result = suite(
            &bench,
            self.optimize.unwrap_or_default(),
            Control { progress: &say_progress, cancel: &cancel },
        );
        match result {
            Ok(result) => {
                if self.json {
                    terminal.print(result.to_json() + "\n");
                } else if self.markdown {
                    terminal.print(result.to_markdown());
                } else {
                    terminal.print(result.to_text());
                }
                for failure in &result.failures {
                    terminal.say(format!("error: {failure}"));
                }
                if result.failures.is_empty() { Outcome::Good } else { Outcome::Problems }
            }
            Err(error) => {
                terminal.say(format!("error: {error}"));
                Outcome::CouldNotRun
            }
        }
    }

    fn run_schema(&self, file: &str, terminal: &mut Terminal<'_>) -> Outcome {
        let request = Request { optimize: self.optimize, ..Request::default() };
        let output = input::load(file, &self.schema, request);
        input::say_all(terminal, &output.diagnostics);
        if output.could_not_read {
            return Outcome::CouldNotRun;
        }
        let (Some(model), Some(planned)) = (&output.model, &output.planned) else {
            terminal.say("nothing was measured: the schema has errors");
            return Outcome::Problems;
        };
        let messages = match self.messages_of(model, &planned.plan) {
            Ok(messages) => messages,
            Err(why) => {
                terminal.say(format!("{file}: error: {why}"));
                return Outcome::CouldNotRun;
            }
        };
        if messages.is_empty() {
            terminal.say("nothing was measured: there is no message that code can be generated for");
            return Outcome::Problems;
        }
        let bench = match self.bench(terminal) {
            Ok(bench) => bench,
            Err(outcome) => return outcome,
        };
        let outcome = self.measure_messages(&bench, &output, &messages, terminal);
        if outcome == Outcome::Good { input::outcome(&output.diagnostics) } else { outcome }
    }

    fn measure_messages(
        &self,
        bench: &Bench,
        output: &Output,
        messages: &[MessageId],
        terminal: &mut Terminal<'_>,
    ) -> Outcome {
        let (Some(model), Some(planned), Some(printed)) = (&output.model, &output.planned, &output.printed)
        else {
            return Outcome::Problems;
        };
        let mut outcome = Outcome::Good;
        let mut measurable = Vec::new();
        let mut requests = Vec::new();
        for id in messages {
            let Some(sample) = output.samples.get(id) else { continue };
            input::say_all(terminal, &sample.diagnostics);
            if input::outcome(&sample.diagnostics) != Outcome::Good {
                outcome = Outcome::Problems;
                continue;
            }
            let request = measuring::Request::message(
                model,
                &planned.plan,
                &printed.text,
                *id,
                &sample.value,
                &bench.builder.settings,
            );
            match request {
                Ok(request) => {
                    measurable.push(*id);
                    requests.push(request);
                }
                Err(error) => {
                    terminal.say(format!("error: {error}"));
                    outcome = Outcome::Problems;
                }
            }
        }
        let cancel = cancel_on_interrupt();
        let control = Control { progress: &say_progress, cancel: &cancel };
        let measured: Vec<Measured> = match measuring::measure_all(bench, &requests, control) {
            Ok(measured) => measured,
            Err(error) => {
                terminal.say(format!("error: {error}"));
                return Outcome::CouldNotRun;
            }
        };
        let rows: Vec<_> = measurable
            .iter()
            .zip(&measured)
            .filter_map(|(id, measured)| Some(report::Row { message: planned.plan.message(*id)?, measured }))
            .collect();
        if self.json {
            terminal.print(format!("{:#}\n", report::to_json(bench, &rows)));
        } else {
            terminal.print(report::to_text(&rows));
        }
        for row in &rows {
            if let Some(failure) = row.failure() {
                terminal.say(format!("error: {}: {failure}", row.message.full_name));
                outcome = Outcome::Problems;
            }
        }
        outcome
    }

    fn bench(&self, terminal: &mut Terminal<'_>) -> Result<Bench, Outcome> {
        Bench::new(&terminal.environment, self.settings()).map_err(|error| {
            terminal.say(format!("error: {error}"));
            if matches!(error, MeasureError::Toolchain(_)) {
                terminal.say("`wirebench doctor` says which step is missing and how to mend it");
            }
            Outcome::CouldNotRun
        })
    }

    /// The messages named, else those of the roots that no other planned message holds.
    fn messages_of(&self, model: &Model, plan: &Plan) -> Result<Vec<MessageId>, String> {
        if self.messages.is_empty() {
            return Ok(outermost(model, plan));
        }
        self.messages
            .iter()
            .map(|name| {
                let id = input::find_message(model, name)?;
                match plan.message(id) {
                    Some(_) => Ok(id),
                    None => Err(format!("no code is generated for {name}; the problems above say why")),
                }
            })
            .collect()
    }
}

/// Messages of the root files that no other planned message holds.
fn outermost(model: &Model, plan: &Plan) -> Vec<MessageId> {
    let held: std::collections::HashSet<MessageId> = plan
        .messages
        .iter()
        .flat_map(|message| message.fields.iter().map(move |field| (message.id, field)))
        .filter_map(|(holder, field)| match &field.storage {
            Storage::One(Item::Message(id)) | Storage::List { item: Item::Message(id), .. }
                if *id != holder =>
            {
                Some(*id)
            }
            _ => None,
        })
        .collect();
    plan.messages
        .iter()
        .map(|message| message.id)
        .filter(|id| model.files[model.message(*id).file].is_root && !held.contains(id))
        .collect()
}

/// A line of progress on standard error.
fn say_progress(step: Progress) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{step}");
}

/// Ctrl+C cancels: cargo runs in a process group of its own and would live on.
fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let asked = cancel.clone();
    // It fails only where a handler is there already, as in a test that measures twice: then that one stays.
    let _ = ctrlc::set_handler(move || asked.cancel());
    cancel
}
