//! `wirebench check`: problems of a schema and its limits.

use wirebench_engine::pipeline::Request;

use crate::cli::input::{self, SchemaArguments};
use crate::cli::{Outcome, Terminal};

/// Checks a schema, its imports, its limits and whether code can be generated for every message.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Schema to check
    file: String,
    #[command(flatten)]
    schema: SchemaArguments,
}

impl Check {
    /// Prints the problems and a line that counts what was checked.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let output = input::load(&self.file, &self.schema, Request::default());
        input::say_all(terminal, &output.diagnostics);
        if output.could_not_read {
            return Outcome::CouldNotRun;
        }
        let generated = output.planned.as_ref().map_or(0, |p| p.plan.messages.len());
        let refused = output.planned.as_ref().map_or(0, |p| p.refused.len());
        let count = input::count(&output.diagnostics);
        terminal.print(format!(
            "{}: {} generated, {refused} refused; {count}\n",
            self.file,
            input::plural(generated, "message")
        ));
        input::outcome(&output.diagnostics)
    }
}
