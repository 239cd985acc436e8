//! `wirebench generate`: the Rust code of a schema.

use std::path::{Path, PathBuf};

use wirebench_engine::options::Optimize;
use wirebench_engine::pipeline::Request;

use crate::cli::input::{self, SchemaArguments};
use crate::cli::{Outcome, Terminal};
use crate::disk::write_atomically;

/// Writes one Rust file with the codec of every message that can be generated.
#[derive(Debug, clap::Args)]
pub struct Generate {
    /// Schema to generate from
    file: String,
    /// Folder to write to; it is made if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Shape of the code for all messages: auto, size, balanced or speed (default: as the settings say)
    #[arg(long, value_parser = parse_optimize)]
    optimize: Option<Optimize>,
    #[command(flatten)]
    schema: SchemaArguments,
}

/// Reads `auto`, `size`, `balanced` or `speed`.
pub fn parse_optimize(word: &str) -> Result<Optimize, String> {
    Optimize::from_word(word).ok_or_else(|| "one of auto, size, balanced, speed".to_owned())
}

impl Generate {
    /// Writes `<schema>.rs` and says where it is.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let request = Request { optimize: self.optimize, ..Request::default() };
        let output = input::load(&self.file, &self.schema, request);
        input::say_all(terminal, &output.diagnostics);
        if output.could_not_read {
            return Outcome::CouldNotRun;
        }
        let (Some(planned), Some(printed)) = (&output.planned, &output.printed) else {
            terminal.say("nothing was written: the schema has errors");
            return Outcome::Problems;
        };
        let stem = Path::new(&self.file).file_stem().unwrap_or_default();
        let path = self.out.join(stem).with_extension("rs");
        let written = std::fs::create_dir_all(&self.out)
            .and_then(|()| write_atomically(&path, printed.text.as_bytes()));
        if let Err(error) = written {
            terminal.say(format!("{} cannot be written: {error}", path.display()));
            return Outcome::CouldNotRun;
        }
        terminal.print(format!(
            "{}: {}, {} refused\n",
            path.display(),
            input::plural(planned.plan.messages.len(), "message"),
            planned.refused.len()
        ));
        input::outcome(&output.diagnostics)
    }
}
