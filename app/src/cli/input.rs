//! What the subcommands share: reading a schema, saying its problems, finding the message.

use std::io::Read;

use wirebench_engine::diagnostic::{Diagnostic, Severity};
use wirebench_engine::pipeline::{self, Output, Request};
use wirebench_engine::schema::{MessageId, Model};

use crate::cli::{Outcome, Terminal};
use crate::disk::{DiskFiles, input_for, read_samples};

/// Arguments of every subcommand that reads a schema.
#[derive(Debug, clap::Args)]
pub struct SchemaArguments {
    /// Folder to search for imports; may be given several times
    #[arg(short = 'I', long = "import-root", value_name = "DIR")]
    pub import_roots: Vec<String>,
}

/// Runs the engine on a schema and the samples beside it.
pub fn load(schema: &str, arguments: &SchemaArguments, request: Request) -> Output {
    let request = Request {
        input: input_for(schema, &arguments.import_roots),
        samples: read_samples(schema).into_iter().chain(request.samples.clone()).collect(),
        ..request
    };
    pipeline::run(&request, &DiskFiles)
}

/// Says all diagnostics and how many there were of each kind.
pub fn say_all(terminal: &mut Terminal<'_>, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        terminal.say(diagnostic.to_string());
    }
}

/// Whether there is an error among them.
pub fn outcome(diagnostics: &[Diagnostic]) -> Outcome {
    if diagnostics.iter().any(Diagnostic::is_error) { Outcome::Problems } else { Outcome::Good }
}

/// `1 message`, `2 messages`.
pub fn plural(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// `2 errors, 1 warning`, or `no problems`.
pub fn count(diagnostics: &[Diagnostic]) -> String {
    let of = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let mut parts = Vec::new();
    for (n, word) in
        [(of(Severity::Error), "error"), (of(Severity::Warning), "warning"), (of(Severity::Note), "note")]
    {
        if n > 0 {
            parts.push(plural(n, word));
        }
    }
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}

/// The message the user named, or a sentence on what there is.
pub fn find_message(model: &Model, name: &str) -> Result<MessageId, String> {
    model.find_message(name).ok_or_else(|| {
        let mut names: Vec<&str> =
            model.messages.iter().filter(|m| !m.is_map_entry).map(|m| &*m.full_name).collect();
        names.sort_unstable();
        let shown = names.len().min(12);
        let more =
            if names.len() > shown { format!(" and {} more", names.len() - shown) } else { String::new() };
        if names.is_empty() {
            format!("there is no message {name}: the schema declares none")
        } else {
            format!(
                "there is no message {name} (or its short name is not unique); there are {}{more}",
                names[..shown].join(", ")
            )
        }
    })
}

/// Largest input of bytes or a sample.
const LARGEST_INPUT: u64 = 256 << 20;

/// The bytes of a file, or of standard input for `-`; or a sentence on why not.
pub fn read_bytes(path: &str, terminal: &mut Terminal<'_>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = if path == "-" {
        terminal.input.take(LARGEST_INPUT + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LARGEST_INPUT + 1).read_to_end(&mut bytes))
    };
    match read {
        Ok(n) if n as u64 > LARGEST_INPUT => Err(format!("it has more than {} MiB", LARGEST_INPUT >> 20)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}
