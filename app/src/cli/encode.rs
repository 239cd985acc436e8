//! `wirebench encode`: the bytes of a JSON sample.

use wirebench_engine::pipeline::{self, Request};
use wirebench_engine::wire::{self, bytes_text};

use crate::cli::input::{self, SchemaArguments};
use crate::cli::{Outcome, Terminal};

/// Encodes a sample, checked against the limits, and prints its bytes.
#[derive(Debug, clap::Args)]
pub struct Encode {
    /// Schema the message is declared in
    #[arg(long, value_name = "FILE")]
    schema: String,
    /// Message type: its full name, or its short name where that is unique
    #[arg(long = "type", value_name = "NAME")]
    message: String,
    /// JSON file with the sample, or - for standard input
    sample: String,
    /// Form of the output
    #[arg(long, value_name = "FORM", default_value = "hex")]
    output: Form,
    #[command(flatten)]
    arguments: SchemaArguments,
}

/// How bytes are written out.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    /// Spaced hexadecimal
    Hex,
    /// A C array
    C,
    /// A Rust array
    Rust,
    /// A Python bytes literal
    Python,
    /// Base64
    Base64,
    /// The bytes themselves
    Binary,
}

impl Encode {
    /// Prints the bytes; with problems in the sample only those.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let text = match input::read_bytes(&self.sample, terminal) {
            Ok(bytes) => bytes,
            Err(why) => {
                terminal.say(format!("{}: error: {why}", self.sample));
                return Outcome::CouldNotRun;
            }
        };
        let text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                terminal.say(format!("{}: error: the sample is not UTF-8 from byte {at} on", self.sample));
                return Outcome::Problems;
            }
        };
        let output = input::load(&self.schema, &self.arguments, Request::default());
        let problems: Vec<_> = output.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
        input::say_all(terminal, &problems);
        let (Some(model), Some(limits)) = (&output.model, &output.limits) else {
            return if output.could_not_read { Outcome::CouldNotRun } else { Outcome::Problems };
        };
        let id = match input::find_message(model, &self.message) {
            Ok(id) => id,
            Err(why) => {
                terminal.say(format!("{}: error: {why}", self.schema));
                return Outcome::CouldNotRun;
            }
        };
        let sample = pipeline::sample(model, limits, id, &self.sample, Some(&text));
        input::say_all(terminal, &sample.diagnostics);
        if input::outcome(&sample.diagnostics) != Outcome::Good {
            return Outcome::Problems;
        }
        terminal.print(self.written(&wire::encode_bytes(model, id, &sample.value)));
        input::outcome(&problems)
    }

    fn written(&self, bytes: &[u8]) -> Vec<u8> {
        let form = match self.output {
            Form::Binary => return bytes.to_vec(),
            Form::Hex => bytes_text::Form::SpacedHex,
            Form::C => bytes_text::Form::CArray,
            Form::Rust => bytes_text::Form::RustArray,
            Form::Python => bytes_text::Form::PythonBytes,
            Form::Base64 => bytes_text::Form::Base64,
        };
        (bytes_text::format(bytes, form) + "\n").into_bytes()
    }
}
