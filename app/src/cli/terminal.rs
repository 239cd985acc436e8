//! What a subcommand talks to: standard input, output and error and the environment, or what a test puts there.

use std::io::{Read, Write};

use wirebench_measure::environment::Environment;

/// Results go to `out`, progress and problems to `err`.
pub struct Terminal<'a> {
    /// Standard input.
    pub input: &'a mut dyn Read,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Where toolchains and the cache are looked for.
    pub environment: Environment,
}

impl Terminal<'_> {
    /// A line of progress or a problem. A closed pipe is nobody's problem.
    pub fn say(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.err, "{}", line.as_ref());
    }

    /// A part of the result; a closed pipe ends the output quietly.
    pub fn print(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.out.write_all(bytes.as_ref()).and_then(|()| self.out.flush());
    }
}
