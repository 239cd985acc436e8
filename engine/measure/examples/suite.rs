//! Measures the comparison's scenarios and prints the table:
//! `cargo run -p wirebench-measure --example suite -- [s|z|2|3] [auto|size|balanced|speed] [compiler|small]`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its result")]

use std::error::Error;

use wirebench_engine::options::Optimize;
use wirebench_measure::environment::Environment;
use wirebench_measure::measure::Bench;
use wirebench_measure::progress::{Cancel, Control, Progress};
use wirebench_measure::settings::{MemoryRoutines, Settings};
use wirebench_measure::suite::suite;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, default: &'static str| words.get(at).map_or(default, String::as_str);
    let memory_routines = match word(2, "compiler") {
        "small" => MemoryRoutines::Small,
        _ => MemoryRoutines::Compiler,
    };
    let settings = Settings { opt_level: word(0, "s").parse()?, memory_routines, ..Settings::default() };
    let optimize = Optimize::from_word(word(1, "auto")).ok_or("optimize is auto, size, balanced or speed")?;
    let bench = Bench::new(&Environment::of_this_process(), settings)?;
    let say = |step: Progress| eprintln!("{step}");
    let result = suite(&bench, optimize, Control { progress: &say, cancel: &Cancel::default() })?;
    println!("{}", result.to_text());
    for failure in &result.failures {
        println!("{failure}");
    }
    Ok(())
}
