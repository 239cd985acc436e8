//! Nothing that generated code does can panic: a program that reaches all of it links with a panic handler that cannot
//! be linked. The same program with one `unwrap` more must fail.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wirebench_engine::options::Optimize;
use wirebench_engine::plan::Label;
use wirebench_engine::print::print;

use crate::compiled::{TEXTS, build_runtime, runtime_of, rust_path, rustc};
use crate::support::Schema;

const FIXED_PART: &str = r#"
#![no_std]
#![no_main]
#![allow(dead_code)]

use core::hint::black_box;
use wirebench_runtime::{Message, Place, Sink, Source, StreamMessage};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn this_program_can_panic() -> !;
    }
    this_program_can_panic()
}

#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

struct User;
impl Source for User {
    type Error = u8;
    fn len(&mut self, _: &Place<'_>) -> Result<Option<usize>, u8> {
        black_box(Ok(Some(3)))
    }
    fn pull(&mut self, _: &Place<'_>, _: usize, window: &mut [u8]) -> Result<usize, u8> {
        black_box(Ok(window.len()))
    }
}
impl Sink for User {
    type Error = u8;
    fn push(&mut self, place: &Place<'_>, _: usize, _: usize, _: &[u8]) -> Result<(), u8> {
        black_box(place.steps().last());
        black_box(Ok(()))
    }
}

fn plain<M: Message + Clone + PartialEq>(input: &[u8], buffer: &mut [u8]) {
    let mut message = M::default();
    black_box(message.merge(input).is_ok());
    black_box(M::decode(input).is_ok());
    black_box(message.encoded_len());
    black_box(message.encode_to_slice(buffer).is_ok());
    black_box(message.clone() == message);
    black_box(&mut message);
}

fn streaming<M: StreamMessage + Clone + PartialEq>(input: &[u8], buffer: &mut [u8]) {
    let mut message = M::default();
    black_box(message.merge_with(&mut User, input).is_ok());
    black_box(M::decode_with(&mut User, input).is_ok());
    black_box(message.encode_with(&mut User, buffer).is_ok());
    black_box(message.clone() == message);
    black_box(&mut message);
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut buffer = black_box([0u8; 4096]);
    let input = black_box(&[0u8; 64][..]);
    everything(input, &mut buffer);
    0
}
"#;

/// Writes the program: every message of the test's schemas in one style each, with all accessors.
fn write_program(folder: &Path) {
    let mut text = FIXED_PART.to_owned();
    let mut calls = String::new();
    for (at, (name, proto, toml)) in TEXTS.iter().enumerate() {
        let style = [Optimize::Size, Optimize::Speed, Optimize::Balanced][at % 3];
        for style in [style, Optimize::Speed] {
            let planned = Schema::of_text(proto, toml).plan(style);
            let facts = planned.plan.facts();
            let module = format!("{name}_{}", style.word());
            if text.contains(&format!("mod {module};")) {
                continue;
            }
            std::fs::write(folder.join(format!("{module}.rs")), print(&planned.plan).text).unwrap();
            let _ = writeln!(text, "mod {module};");
            for (at, message) in planned.plan.messages.iter().enumerate() {
                // One frame a message: structs of 50 kB are none that a test's stack should add up.
                if message.layout.size > 10_000 {
                    continue;
                }
                let how = if facts.streams[at] { "streaming" } else { "plain" };
                let path = format!("{module}::{}", rust_path(&planned.plan, message.id));
                let _ = writeln!(calls, "    {how}::<{path}>(input, buffer);");
                let accessors: String = message
                    .fields
                    .iter()
                    .filter(|f| matches!(f.label, Label::Flag { .. }))
                    .map(|f| {
                        format!(
                            "black_box(message.{}().is_some()); message.clear_{}(); ",
                            f.rust_name,
                            f.rust_name.bare()
                        )
                    })
                    .collect();
                if !accessors.is_empty() {
                    let _ = writeln!(
                        calls,
                        "    {{ let mut message = black_box({path}::new()); {accessors}black_box(message); }}"
                    );
                }
            }
        }
    }
    let _ = writeln!(
        text,
        "fn everything(input: &[u8], buffer: &mut [u8]) {{\n{calls}    let _ = input;\n    EXTRA\n}}"
    );
    std::fs::write(folder.join("sound.rs"), text.replace("EXTRA", "")).unwrap();
    let panics = "black_box(input.first().copied().ok_or(0u8).unwrap());";
    std::fs::write(folder.join("panics.rs"), text.replace("EXTRA", panics)).unwrap();
}

/// Whether the program links.
fn links(folder: &Path, program: &str, optimization: &str) -> Result<(), String> {
    let output = rustc()
        .args(["--edition=2024", "-Cpanic=abort", "-Clto=fat", "-Ccodegen-units=1", optimization])
        .args(["-Clink-arg=-Wl,--gc-sections", "-Clink-arg=-lc", "--extern"])
        .arg(runtime_of(folder))
        .arg("-o")
        .arg(folder.join(program))
        .arg(folder.join(format!("{program}.rs")))
        .output()
        .unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn no_panic_can_be_reached() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codec_no_panic");
    std::fs::create_dir_all(&folder).unwrap();
    build_runtime(&folder, &["-Copt-level=3", "-Cdebug-assertions=off"]);
    write_program(&folder);
    let levels: &[&str] =
        if std::env::var_os("WIREBENCH_LONG").is_some() { &["s", "z", "3"] } else { &["s"] };
    for level in levels {
        let optimization = format!("-Copt-level={level}");
        if let Err(errors) = links(&folder, "sound", &optimization) {
            panic!("opt-level {level}: {errors}");
        }
        let errors = links(&folder, "panics", &optimization).expect_err("a program with an unwrap links");
        assert!(errors.contains("this_program_can_panic"), "{errors}");
    }
}
