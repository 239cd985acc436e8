//! The command line: one file per subcommand. Results go to standard output, progress and problems to
//! standard error. Exit code 0: good; 1: problems in the input; 2: could not run.

mod check;
mod decode;
mod doctor;
mod encode;
mod generate;
mod input;
mod measure;
mod terminal;

pub use terminal::Terminal;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

/// How a subcommand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Good,
    /// The input has problems; they were named.
    Problems,
    /// It could not run; why was said.
    CouldNotRun,
}

impl Outcome {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Good => 0,
            Outcome::Problems => 1,
            Outcome::CouldNotRun => 2,
        }
    }
}

#[derive(Debug, Parser)]
#[command(
    name = "wirebench",
    version,
    about = "Protobuf on microcontrollers: no_std Rust code from a .proto, and what every field costs",
    long_about = "Protobuf on microcontrollers: generates no_std, no-alloc Rust from a .proto file with limits, and \
                  tells what every message and field costs in flash, RAM, cycles and bytes on the wire.\n\n\
                  Without a subcommand the window opens. Limits are read from the nearest wirebench.toml, from \
                  nanopb .options files and from the schema.",
    after_help = "Exit codes: 0 good, 1 problems in the input, 2 could not run. Progress and problems go to standard \
                  error, results to standard output.\n\nExamples:\n  \
                  wirebench                                        open the window\n  \
                  wirebench check telemetry.proto                  name every problem with its line\n  \
                  wirebench generate telemetry.proto --out src/    write the Rust code\n  \
                  wirebench measure telemetry.proto                flash, RAM and cycles on a simulated Cortex-M4F\n  \
                  echo 08b424 | wirebench decode --schema telemetry.proto --type Telemetry -"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Schema to open in the window
    #[arg(value_name = "FILE")]
    file: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check a schema and its limits; name every problem with its line
    Check(check::Check),
    /// Write the generated Rust code
    Generate(generate::Generate),
    /// Encode a JSON sample into bytes
    Encode(encode::Encode),
    /// Decode bytes, with or without a schema
    Decode(decode::Decode),
    /// Measure flash, RAM, stack and cycles on the simulated Cortex-M4F
    Measure(measure::Measure),
    /// Say what is installed for measuring, and how to get what is missing
    Doctor(doctor::Doctor),
}

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// Open the window, on this file or on the last project.
    Window(Option<String>),
    /// A subcommand ran, or the arguments were wrong; this is the exit code.
    Done(u8),
}

/// Runs the subcommand the arguments name. The window is left to the caller.
pub fn run(arguments: impl IntoIterator<Item = OsString>, terminal: &mut Terminal<'_>) -> Asked {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(help) => {
            let text = help.render().to_string();
            if help.use_stderr() {
                terminal.say(text.trim_end());
            } else {
                terminal.print(text);
            }
            return Asked::Done(if help.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match arguments.command {
        None => return Asked::Window(arguments.file),
        Some(Command::Check(check)) => check.run(terminal),
        Some(Command::Generate(generate)) => generate.run(terminal),
        Some(Command::Encode(encode)) => encode.run(terminal),
        Some(Command::Decode(decode)) => decode.run(terminal),
        Some(Command::Measure(measure)) => measure.run(terminal),
        Some(Command::Doctor(doctor)) => doctor.run(terminal),
    };
    Asked::Done(outcome.code())
}
