//! Every subcommand over every case file, its prefixes and seeded mutations, with 1 MB of stack: each run ends
//! with one of the three exit codes, says why where it is not 0, and never panics.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use wirebench::cli::{self, Asked, Terminal};
use wirebench_measure::environment::Environment;

/// Stack of every run.
const STACK: usize = 1 << 20;

/// Longest file whose every prefix is tried in the short run; of longer ones some are.
const EVERY_PREFIX: usize = 1 << 10;

/// Mutations over all files, at least.
const MUTATIONS: usize = 10_000;

/// How many cases there are, at least.
const CASES: usize = 90;

/// A file's name and bytes.
type File = (String, Vec<u8>);

/// A folder of its own for one test, with a copy of the cases' files written as needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("wirebench-robustness-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of all cases but the expectations: case folder by name, with its files.
fn cases() -> BTreeMap<String, Vec<File>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/cases");
    let mut cases = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let mut files: Vec<File> = fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|file| file.is_file() && file.file_name().unwrap() != "expected.txt")
            .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&file).unwrap()))
            .collect();
        files.sort();
        cases.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), files);
    }
    assert!(cases.len() >= CASES, "only {} cases", cases.len());
    cases
}

/// Runs one command line without any toolchain in reach; returns the exit code.
fn run(arguments: &[&str], input: &[u8]) -> u8 {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = std::iter::once("wirebench").chain(arguments.iter().copied()).map(OsString::from);
    let asked = {
        let mut terminal = Terminal {
            input: &mut &*input,
            out: &mut out,
            err: &mut err,
            environment: Environment::default(),
        };
        cli::run(arguments, &mut terminal)
    };
    let Asked::Done(code) = asked else { panic!("a subcommand opened the window") };
    assert!(code <= 2, "exit code {code}");
    assert!(code == 0 || !err.is_empty() || !out.is_empty(), "exit code {code} without a word");
    code
}

/// Every command line for a folder with a case's files, with its standard input; `changed` is the file that
/// was changed.
fn command_lines<'a>(folder: &Path, changed: &str, bytes: &'a [u8]) -> Vec<(Vec<String>, &'a [u8])> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let schema = if changed.ends_with(".proto") { path(changed) } else { path("schema.proto") };
    let line = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    if changed.ends_with(".json") {
        return vec![(line(&["encode", "--schema", &schema, "--type", "T", &path(changed)]), b"")];
    }
    if changed.ends_with(".hex") || changed.ends_with(".txt") {
        return vec![
            (line(&["decode", "--schema", &schema, "--type", "T", "--json", "-"]), bytes),
            (line(&["decode", "-"]), bytes),
            (line(&["decode", "--input", "binary", "--json", "-"]), bytes),
        ];
    }
    vec![
        (line(&["check", &schema]), b""),
        (line(&["generate", &schema, "--out", &path("out")]), b""),
        (line(&["encode", "--schema", &schema, "--type", "T", "-"]), b"{}"),
        (line(&["decode", "--schema", &schema, "--type", "T", "-"]), b"08 01 12 02 68 69"),
        (line(&["measure", &schema]), b""),
    ]
}

/// Which command lines an input meets.
#[derive(Clone, Copy)]
enum Turn {
    All,
    /// One of them, and all in the long run: inputs next to each other take different ones. What they share
    /// is most of the work.
    One(usize),
}

fn run_on(folder: &Path, changed: &str, bytes: &[u8], turn: Turn) {
    let lines = command_lines(folder, changed, bytes);
    let count = lines.len();
    for (at, (words, input)) in lines.into_iter().enumerate() {
        let is_next = match turn {
            Turn::One(turn) if !is_long() => turn % count == at,
            _ => true,
        };
        if is_next {
            run(&words.iter().map(String::as_str).collect::<Vec<_>>(), input);
        }
    }
}

/// Runs `work` on each case, on two threads with small stacks.
fn on_small_stacks(name: &'static str, work: fn(&Path, &str, &[File])) {
    let cases: Vec<_> = cases().into_iter().collect();
    let halves: [Vec<_>; 2] =
        [cases.iter().step_by(2).cloned().collect(), cases.iter().skip(1).step_by(2).cloned().collect()];
    let threads: Vec<_> = halves
        .into_iter()
        .enumerate()
        .map(|(half, cases)| {
            let work = move || {
                let scratch = Scratch::new(&format!("{name}{half}"));
                for (case, files) in &cases {
                    let folder = scratch.0.join(case);
                    fs::create_dir_all(&folder).unwrap();
                    for (file, bytes) in files {
                        fs::write(folder.join(file), bytes).unwrap();
                    }
                    work(&folder, case, files);
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().expect("no run panics");
    }
}

fn is_long() -> bool {
    std::env::var_os("WIREBENCH_LONG").is_some()
}

#[test]
fn every_subcommand_survives_every_case() {
    on_small_stacks("whole", |folder, _, files| {
        for (file, bytes) in files {
            run_on(folder, file, bytes, Turn::All);
        }
    });
}

#[test]
fn every_subcommand_survives_every_prefix() {
    on_small_stacks("prefix", |folder, _, files| {
        for (file, bytes) in files {
            let step = if is_long() || bytes.len() <= EVERY_PREFIX { 1 } else { bytes.len().div_ceil(24) };
            for len in (0..bytes.len()).step_by(step) {
                fs::write(folder.join(file), &bytes[..len]).unwrap();
                run_on(folder, file, &bytes[..len], Turn::One(len / step));
            }
            fs::write(folder.join(file), bytes).unwrap();
        }
    });
}

#[test]
fn every_subcommand_survives_mutations() {
    on_small_stacks("mutated", |folder, case, files| {
        let seed = case
            .bytes()
            .fold(0x9e37_79b9_7f4a_7c15, |seed: u64, b| (seed ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let mut random = Random(seed);
        let share = MUTATIONS / (files.len() * CASES) + 1;
        for (file, bytes) in files {
            if bytes.len() > 16 * EVERY_PREFIX && !is_long() {
                continue;
            }
            for turn in 0..share {
                let mutated = random.mutate(bytes);
                fs::write(folder.join(file), &mutated).unwrap();
                run_on(folder, file, &mutated, Turn::One(turn));
            }
            fs::write(folder.join(file), bytes).unwrap();
        }
    });
}

/// A small generator of repeatable numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below.max(1)
    }

    /// One to four changes: a byte replaced, removed, doubled or exchanged for a token of the language.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        const TOKENS: [&[u8]; 14] = [
            b"{",
            b"}",
            b";",
            b"=",
            b"message ",
            b"oneof x {",
            b"repeated ",
            b"map<",
            b"99999999999",
            b"-1",
            b"\"",
            b"[(nanopb).max_size = 4]",
            b"\xff\xfe",
            b"/*",
        ];
        let mut out = bytes.to_vec();
        for _ in 0..=self.next(4) {
            let at = self.next(out.len() + 1);
            match self.next(4) {
                0 if at < out.len() => out[at] = self.next(256) as u8,
                1 if at < out.len() => drop(out.remove(at)),
                2 if at < out.len() => {
                    let tail = out[at..out.len().min(at + 40)].to_vec();
                    out.splice(at..at, tail);
                }
                _ => {
                    let token = TOKENS[self.next(TOKENS.len())];
                    out.splice(at..at, token.iter().copied());
                }
            }
        }
        out
    }
}
