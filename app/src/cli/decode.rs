//! `wirebench decode`: values and problems of bytes, with or without a schema.

use serde_json::{Value as Json, json};
use wirebench_engine::diagnostic::Severity;
use wirebench_engine::pipeline::Request;
use wirebench_engine::schema::{MessageId, Model};
use wirebench_engine::wire::bytes_text::{self, Form, Parsed};
use wirebench_engine::wire::{self, Annotated, Role};

use crate::cli::input::{self, SchemaArguments};
use crate::cli::{Outcome, Terminal};

/// Version of the `--json` output; it grows when a key changes its meaning.
const JSON_VERSION: u32 = 1;

/// Decodes bytes in any common text form, or binary. What is damaged is named, the rest is still decoded.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The input may be hex (with or without spaces and 0x), a C, Rust or Python literal, base64, a \
                        hexdump, octal escapes, a decimal list, or the bytes themselves.\n\nJSON output: {\"version\", \
                        \"type\", \"form\", \"bytes\", \"valid\", \"value\", \"problems\": [{\"severity\", \
                        \"offset\", \"length\", \"path\", \"message\"}], \"fields\": [{\"offset\", \"length\", \
                        \"path\", \"text\"}]}"
)]
pub struct Decode {
    /// Schema the message is declared in; without one all fields are guessed
    #[arg(long, value_name = "FILE", requires = "message")]
    schema: Option<String>,
    /// Message type: its full name, or its short name where that is unique
    #[arg(long = "type", value_name = "NAME", requires = "schema")]
    message: Option<String>,
    /// Print one JSON object, also for a damaged message
    #[arg(long)]
    json: bool,
    /// Read the input as text or as binary (default: text where it is one of the text forms)
    #[arg(long = "input", value_name = "KIND", default_value = "auto")]
    kind: Kind,
    /// File with the bytes, or - for standard input
    file: String,
    #[command(flatten)]
    arguments: SchemaArguments,
}

/// How the input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Text where it is one of the text forms, else binary
    Auto,
    /// One of the text forms
    Text,
    /// The bytes themselves
    Binary,
}

impl Decode {
    /// Prints the values, then the problems.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let typed = match self.find_type(terminal) {
            Ok(typed) => typed,
            Err(outcome) => return outcome,
        };
        let read = input::read_bytes(&self.file, terminal).and_then(|raw| self.bytes(raw));
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(why) => {
                terminal.say(format!("{}: error: {why}", self.file));
                return Outcome::CouldNotRun;
            }
        };
        let annotated = match &typed {
            Some((model, id)) => wire::annotate(model, Some(*id), &bytes.bytes),
            None => wire::annotate_raw(&bytes.bytes),
        };
        let typed = typed.as_ref().map(|(model, id)| (&**model, *id));
        if self.json {
            let json = to_json(typed, &bytes, &annotated);
            terminal.print(format!("{json:#}\n"));
        } else {
            print_text(typed, &bytes, &annotated, terminal);
        }
        if annotated.is_valid() { Outcome::Good } else { Outcome::Problems }
    }

    fn find_type(
        &self,
        terminal: &mut Terminal<'_>,
    ) -> Result<Option<(std::sync::Arc<Model>, MessageId)>, Outcome> {
        let (Some(schema), Some(name)) = (&self.schema, &self.message) else {
            return Ok(None);
        };
        let output = input::load(schema, &self.arguments, Request::default());
        let Some(model) = output.model else {
            input::say_all(terminal, &output.diagnostics);
            return Err(Outcome::CouldNotRun);
        };
        match input::find_message(&model, name) {
            Ok(id) => Ok(Some((model, id))),
            Err(why) => {
                terminal.say(format!("{schema}: error: {why}"));
                Err(Outcome::CouldNotRun)
            }
        }
    }

    fn bytes(&self, raw: Vec<u8>) -> Result<Parsed, String> {
        match self.kind {
            Kind::Binary => Ok(Parsed { bytes: raw, form: Form::Binary }),
            Kind::Auto => bytes_text::read(&raw).map_err(|error| error.to_string()),
            Kind::Text => std::str::from_utf8(&raw)
                .map_err(|error| format!("the input is not text from byte {} on", error.valid_up_to()))
                .and_then(|text| bytes_text::parse(text).map_err(|error| error.to_string())),
        }
    }
}

fn print_text(
    typed: Option<(&Model, MessageId)>,
    bytes: &Parsed,
    annotated: &Annotated,
    terminal: &mut Terminal<'_>,
) {
    match typed {
        Some((model, id)) => terminal.print(wire::json::print(model, id, &annotated.value) + "\n"),
        None => {
            for (offset, path, text) in leaves(None, bytes, annotated) {
                terminal.print(format!("{offset:>6}  {path} = {text}\n"));
            }
        }
    }
    for problem in &annotated.problems {
        terminal.say(format!(
            "byte {}: {}: {}{}",
            problem.range.start,
            severity_word(problem.severity),
            if problem.path.is_empty() { String::new() } else { format!("{}: ", problem.path) },
            problem.message
        ));
    }
    terminal.say(format!("{} bytes, {}", bytes.bytes.len(), bytes.form.name()));
}

/// Offset, path and text of every value.
fn leaves<'a>(
    model: Option<&'a Model>,
    bytes: &'a Parsed,
    annotated: &'a Annotated,
) -> impl Iterator<Item = (u32, String, String)> + 'a {
    annotated
        .spans
        .iter()
        .enumerate()
        .filter(|(_, span)| matches!(span.role, Role::Value | Role::PackedItem | Role::Garbage))
        .map(move |(at, span)| {
            (span.start, annotated.path(model, at), annotated.text(model, &bytes.bytes, at))
        })
}

fn to_json(typed: Option<(&Model, MessageId)>, bytes: &Parsed, annotated: &Annotated) -> Json {
    let problems: Vec<Json> = annotated
        .problems
        .iter()
        .map(|problem| {
            json!({
                "severity": severity_word(problem.severity),
                "offset": problem.range.start,
                "length": problem.range.len(),
                "path": problem.path,
                "message": problem.message,
            })
        })
        .collect();
    let model = typed.map(|(model, _)| model);
    let fields: Vec<Json> = annotated
        .spans
        .iter()
        .enumerate()
        .filter(|(_, span)| matches!(span.role, Role::Value | Role::PackedItem | Role::Garbage))
        .map(|(at, span)| {
            json!({
                "offset": span.start,
                "length": span.range().len(),
                "path": annotated.path(model, at),
                "text": annotated.text(model, &bytes.bytes, at),
            })
        })
        .collect();
    json!({
        "version": JSON_VERSION,
        "type": typed.map(|(model, id)| model.message(id).full_name.to_string()),
        "form": bytes.form.name(),
        "bytes": bytes.bytes.len(),
        "valid": annotated.is_valid(),
        "value": typed.map(|(model, id)| wire::json::to_value(model, id, &annotated.value)),
        "problems": problems,
        "fields": fields,
    })
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
