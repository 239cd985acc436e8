//! The command line.

use wirebench_measure::settings::OptLevel;

use crate::peers::{PEERS, Peer};
use crate::row::SCENARIOS;

/// What the command understands.
pub const USAGE: &str = "usage: wirebench-peers [--json | --markdown] [--only NAME,..] [--scenario NAME,..] [--opt-level s|z|2|3]";

/// How the table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns.
    Text,
    /// A table for a README.
    Markdown,
    /// Every figure.
    Json,
}

/// What to measure and how to print it.
#[derive(Clone, Debug)]
pub struct Args {
    /// How to print.
    pub format: Format,
    /// Libraries, in the table's order. The floor is always among them.
    pub peers: Vec<&'static Peer>,
    /// Scenarios, in the table's order.
    pub scenarios: Vec<&'static str>,
    /// Optimization level of everything.
    pub opt_level: OptLevel,
}

impl Args {
    /// Reads the arguments.
    ///
    /// # Errors
    /// A sentence that names the argument that is not understood.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
        let mut args = Args {
            format: Format::Text,
            peers: PEERS.iter().collect(),
            scenarios: SCENARIOS.iter().map(|s| s.name).collect(),
            opt_level: OptLevel::Small,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--json" => args.format = Format::Json,
                "--markdown" => args.format = Format::Markdown,
                "--opt-level" => {
                    args.opt_level = value()?.parse().map_err(|e| format!("--opt-level: {e}"))?
                }
                "--only" => {
                    let names = chosen(&value()?, &PEERS.iter().map(|p| p.name).collect::<Vec<_>>())?;
                    args.peers.retain(|peer| peer.name == "null" || names.contains(&peer.name));
                }
                "--scenario" => args.scenarios = chosen(&value()?, &args.scenarios)?,
                _ => return Err(format!("{word:?} is not an option")),
            }
        }
        Ok(args)
    }
}

/// Those of `known` that the list names.
fn chosen<'a>(list: &str, known: &[&'a str]) -> Result<Vec<&'a str>, String> {
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    match names.iter().find(|name| !known.contains(name)) {
        Some(unknown) => Err(format!("{unknown:?} is not one of {}", known.join(", "))),
        None => Ok(known.iter().copied().filter(|name| names.contains(name)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_choice_keeps_the_order_of_the_table_and_the_floor() {
        let args = parse("--only prost,micropb --scenario command,telemetry --opt-level z --json").unwrap();
        assert_eq!(args.peers.iter().map(|p| p.name).collect::<Vec<_>>(), ["null", "micropb", "prost"]);
        assert_eq!(args.scenarios, ["telemetry", "command"]);
        assert_eq!((args.opt_level, args.format), (OptLevel::Smallest, Format::Json));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_eq!(parse("--fast").unwrap_err(), "\"--fast\" is not an option");
        assert_eq!(parse("--only").unwrap_err(), "--only needs a value");
        assert!(
            parse("--only nothing").unwrap_err().starts_with("\"nothing\" is not one of null, wirebench")
        );
    }
}
