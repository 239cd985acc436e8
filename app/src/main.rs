//! The `wirebench` binary: a window without a subcommand, a command line with one.

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;

use wirebench::cli::{self, Asked, Terminal};

use wirebench_measure::environment::Environment;

fn main() -> ExitCode {
    let (mut input, mut out, mut err) = (stdin(), stdout(), stderr());
    let mut terminal = Terminal {
        input: &mut input,
        out: &mut out,
        err: &mut err,
        environment: Environment::of_this_process(),
    };
    match cli::run(std::env::args_os(), &mut terminal) {
        Asked::Done(code) => ExitCode::from(code),
        Asked::Window(file) => match wirebench::window::run(file) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                terminal.say(format!("wirebench: {error}"));
                ExitCode::from(2)
            }
        },
    }
}
