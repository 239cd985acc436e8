//! Measures other protobuf libraries in the harness of Wirebench's own codec and prints the tables side by side.
//!
//! ```text
//! peers + scenarios ─▶ project (one small binary each) ─▶ cargo ─▶ ELF ─▶ simulator ─▶ rows ─▶ table
//! ```
//! `firmware/` holds what runs on the core: the scenario's stages once, and a crate for each library that spells
//! fill and compare for its own types. Start-up, mailbox, barrier, memory routines and link script are those of
//! the firmware template, by path.

mod args;
mod fetch;
mod measure;
mod native;
mod ours;
mod peers;
mod project;
mod row;
mod summary;
mod table;

use std::process::ExitCode;

use args::{Args, Format};

fn main() -> ExitCode {
    let args = match Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("{message}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let report = match measure::all(&args) {
        Ok(report) => report,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    match args.format {
        Format::Text => print!("{}", table::text(&report)),
        Format::Markdown => print!("{}", table::markdown(&report)),
        Format::Json => match serde_json::to_string_pretty(&report) {
            Ok(json) => println!("{json}"),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        },
    }
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
