//! The program on the host that is tested: generated code in three styles, compiled, fed with requests.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wirebench_engine::options::Optimize;
use wirebench_engine::print::print;

use crate::suite::{MESSAGES, PATHS, Suite};
use crate::vectors::Vector;

/// The styles, in the order of the program's answers.
pub const STYLES: [Optimize; 3] = [Optimize::Size, Optimize::Balanced, Optimize::Speed];

const MAIN: &str = r#"
use std::io::{BufRead, Write};
use wirebench_runtime::Message;

/// Decodes and encodes again; an error of either is no answer.
fn answer<M: Message>(request: &[u8]) -> Option<Vec<u8>> {
    let message = Box::new(M::decode(request).ok()?);
    let mut buffer = vec![0; M::MAX_ENCODED_LEN];
    let reply = message.encode_to_slice(&mut buffer).ok()?.to_vec();
    assert_eq!(message.encoded_len(), reply.len());
    Some(reply)
}

type Answer = fn(&[u8]) -> Option<Vec<u8>>;

fn answers() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (message, request) = line.split_once(' ').unwrap();
        let byte = |at: usize| u8::from_str_radix(&request[2 * at..2 * at + 2], 16).unwrap();
        let request: Vec<u8> = (0..request.len() / 2).map(byte).collect();
        for answer in RUNS[message.parse::<usize>().unwrap()] {
            match answer(&request) {
                Some(reply) => {
                    let hex: String = reply.iter().map(|b| format!("{b:02x}")).collect();
                    writeln!(out, "ok {hex}").unwrap();
                }
                None => writeln!(out, "error").unwrap(),
            }
        }
    }
}

fn main() {
    // Messages of many kB are moved on the stack.
    std::thread::Builder::new().stack_size(64 << 20).spawn(answers).unwrap().join().unwrap();
}
"#;

fn run_rustc(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Writes and compiles the program, in a folder of that name.
pub fn build(suite: &Suite, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let mut main = String::new();
    for style in STYLES {
        let name = style.word();
        std::fs::write(folder.join(format!("{name}.rs")), print(&suite.plan(style)).text).unwrap();
        let _ = writeln!(main, "mod {name};");
    }
    let of_message =
        |path: &str| STYLES.map(|style| format!("answer::<{}::{path}>", style.word())).join(", ");
    let runs = PATHS.map(|path| format!("&[{}]", of_message(path))).join(", ");
    let _ = writeln!(main, "static RUNS: [&[Answer]; {}] = [{runs}];\n{MAIN}", PATHS.len());
    std::fs::write(folder.join("main.rs"), main).unwrap();

    let checked = ["-Copt-level=1", "-Cdebug-assertions=on", "-Coverflow-checks=on"];
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/src/lib.rs");
    run_rustc(
        rustc()
            .args(["--edition=2024", "--crate-type=rlib", "--crate-name=wirebench_runtime"])
            .args(checked)
            .arg("--out-dir")
            .arg(&folder)
            .arg(runtime),
    );
    let program = folder.join("testee");
    let library = folder.join("libwirebench_runtime.rlib");
    run_rustc(
        rustc()
            .args(["--edition=2024", "-Dwarnings", "-Adead_code"])
            .args(checked)
            .args(["--extern", &format!("wirebench_runtime={}", library.display()), "-o"])
            .arg(&program)
            .arg(folder.join("main.rs")),
    );
    program
}

/// The answers of each style to every vector; `None` is an error.
pub fn run(program: &Path, vectors: &[Vector]) -> [Vec<Option<Vec<u8>>>; 3] {
    let mut requests = String::new();
    for vector in vectors {
        let message = MESSAGES.iter().position(|name| *name == vector.message).expect("a known message");
        let hex: String = vector.request.iter().map(|b| format!("{b:02x}")).collect();
        let _ = writeln!(requests, "{message} {hex}");
    }
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || input.write_all(requests.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let mut answers = [const { Vec::new() }; 3];
    for (at, line) in said.lines().enumerate() {
        let reply = line.strip_prefix("ok ").map(|hex| {
            (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
        });
        answers[at % 3].push(reply);
    }
    answers
}
