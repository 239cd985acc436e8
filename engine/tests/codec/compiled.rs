//! Generated code, compiled and run on the host: every schema in every style as one program, its answers compared with
//! the engine's own decoder and encoder, which know nothing of the generated code.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use wirebench_engine::options::Optimize;
use wirebench_engine::plan::{Facts, MaxEncoded, Plan};
use wirebench_engine::print::print;
use wirebench_engine::schema::MessageId;
use wirebench_engine::wire::{self, MessageValue, ProblemKind, Value, sample};

use crate::golden::COMPARISON;
use crate::support::{Schema, engine, folder};

const STYLES: [Optimize; 4] = [Optimize::Size, Optimize::Balanced, Optimize::Speed, Optimize::Auto];

/// One schema with its plans, one per style.
struct Unit {
    name: &'static str,
    schema: Schema,
    plans: Vec<(Plan, Facts)>,
}

struct Built {
    program: PathBuf,
    units: Vec<Unit>,
}

pub const TEXTS: [(&str, &str, &str); 9] = [
    ("everything", include_str!("schemas/everything.proto"), include_str!("schemas/everything.toml")),
    ("legacy", include_str!("schemas/legacy.proto"), include_str!("schemas/legacy.toml")),
    ("large", include_str!("schemas/large.proto"), include_str!("schemas/large.toml")),
    ("names", include_str!("schemas/names.proto"), include_str!("schemas/names.toml")),
    ("no_package", include_str!("schemas/no_package.proto"), include_str!("schemas/no_package.toml")),
    ("streams", include_str!("schemas/streams.proto"), include_str!("schemas/streams.toml")),
    ("groups", include_str!("schemas/groups.proto"), include_str!("schemas/groups.toml")),
    ("maps", include_str!("schemas/maps.proto"), include_str!("schemas/maps.toml")),
    ("unknown", include_str!("schemas/unknown.proto"), include_str!("schemas/unknown.toml")),
];

fn units() -> Vec<Unit> {
    let unit = |name, schema: Schema| {
        let plans = STYLES
            .iter()
            .map(|style| {
                let planned = schema.plan(*style);
                assert!(planned.refused.is_empty(), "{name}: {:#?}", planned.diagnostics);
                let facts = planned.plan.facts();
                (planned.plan, facts)
            })
            .collect();
        Unit { name, schema, plans }
    };
    let mut units: Vec<Unit> =
        TEXTS.iter().map(|(name, proto, toml)| unit(*name, Schema::of_text(proto, toml))).collect();
    for name in COMPARISON {
        units.push(unit(name, Schema::of_repository(&[&format!("{name}.proto")])));
    }
    units
}

pub fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

pub fn run_rustc(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
}

/// Unoptimized code compiles in a fifth of the time; the long tests run it optimized.
fn optimization() -> &'static str {
    if std::env::var_os("WIREBENCH_LONG").is_some() { "-Copt-level=3" } else { "-Copt-level=0" }
}

/// The runtime as a library in `folder`.
pub fn build_runtime(folder: &Path, flags: &[&str]) {
    run_rustc(
        rustc()
            .args(["--edition=2024", "--crate-type=rlib", "--crate-name=wirebench_runtime"])
            .args(flags)
            .arg("--out-dir")
            .arg(folder)
            .arg(engine().join("runtime/src/lib.rs")),
    );
}

/// How a program names the library of [`build_runtime`].
pub fn runtime_of(folder: &Path) -> String {
    format!("wirebench_runtime={}", folder.join("libwirebench_runtime.rlib").display())
}

/// The path of a message as a program outside of the generated module writes it.
pub fn rust_path(plan: &Plan, id: MessageId) -> String {
    let message = plan.message(id).unwrap();
    let mut path: Vec<String> = message.module.iter().map(ToString::to_string).collect();
    path.push(message.rust_name.to_string());
    path.join("::")
}

/// Writes the program that holds all units in all styles.
fn write_program(folder: &Path, units: &[Unit]) {
    let mut main = String::from("#![allow(non_snake_case)]\nmod program;\n");
    let mut table = String::new();
    for unit in units {
        for ((plan, _), style) in unit.plans.iter().zip(STYLES) {
            let module = format!("{}_{}", unit.name, style.word());
            std::fs::write(folder.join(format!("{module}.rs")), print(plan).text).unwrap();
            // Half of the modules as files, half by include.
            if style == Optimize::Size || style == Optimize::Auto {
                let _ = writeln!(main, "mod {module};");
            } else {
                let _ = writeln!(main, "mod {module} {{ include!(\"{module}.rs\"); }}");
            }
        }
        let (plan, facts) = &unit.plans[0];
        for (at, message) in plan.messages.iter().enumerate() {
            let how = if facts.streams[at] { "streaming" } else { "plain" };
            let runs: Vec<String> = STYLES
                .iter()
                .map(|style| {
                    format!(
                        "program::{how}::<{}_{}::{}>",
                        unit.name,
                        style.word(),
                        rust_path(plan, message.id)
                    )
                })
                .collect();
            let _ = writeln!(table, "    (\"{}/{}\", &[{}]),", unit.name, message.full_name, runs.join(", "));
            for (style, (plan, facts)) in STYLES.iter().zip(&unit.plans) {
                let path = format!("{}_{}::{}", unit.name, style.word(), rust_path(plan, message.id));
                let expected = (facts.longest[at].fixed, message.layout.size);
                let _ = writeln!(
                    main,
                    "const _: () = assert!(<{path} as wirebench_runtime::Codec>::MAX == {} && size_of::<{path}>() == {});",
                    expected.0, expected.1
                );
            }
        }
    }
    let _ = writeln!(main, "fn main() {{\n    program::main(&[\n{table}    ]);\n}}");
    std::fs::write(folder.join("main.rs"), main).unwrap();
    std::fs::copy(crate::support::folder().join("program.rs"), folder.join("program.rs")).unwrap();
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codec_program");
        std::fs::create_dir_all(&folder).unwrap();
        let units = units();
        build_runtime(&folder, &[optimization(), "-Cdebug-assertions=on"]);
        write_program(&folder, &units);
        let program = folder.join("program");
        run_rustc(
            rustc()
                .args([
                    "--edition=2021",
                    "-Copt-level=1",
                    "-Cdebug-assertions=on",
                    "-Coverflow-checks=on",
                    "-Dwarnings",
                ])
                .args(["-Adead_code", "-Ccodegen-units=16", "--extern"])
                .arg(runtime_of(&folder))
                .arg("-o")
                .arg(&program)
                .arg(folder.join("main.rs")),
        );
        Built { program, units }
    })
}

/// What one style made of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    Ok(Vec<u8>),
    Error(String),
}

/// Runs the program on inputs `(unit/message, bytes)`; one answer per style each.
fn run(inputs: &[(String, Vec<u8>)]) -> Vec<Vec<Answer>> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let mut child =
        Command::new(&built().program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text: String = inputs.iter().map(|(name, bytes)| format!("{name} {}\n", hex(bytes))).collect();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), inputs.len() * STYLES.len());
    let answers: Vec<Answer> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let mut words = line.split(' ');
            match words.next() {
                Some("ok") => Answer::Ok(unhex(words.next().unwrap_or(""))),
                Some("error") => Answer::Error(words.next().unwrap().to_owned()),
                _ => {
                    let (name, bytes) = &inputs[at / STYLES.len()];
                    panic!("{name} in style {:?}: {line} on {}", STYLES[at % STYLES.len()], hex(bytes))
                }
            }
        })
        .collect();
    answers.chunks(STYLES.len()).map(<[Answer]>::to_vec).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// A small generator of reproducible numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }
}

fn without_unknown(mut value: MessageValue) -> MessageValue {
    value.unknown.clear();
    for field in &mut value.fields {
        clean(&mut field.value);
    }
    value
}

fn clean(value: &mut Value) {
    match value {
        Value::Message(message) => *message = without_unknown(std::mem::take(message)),
        Value::List(items) => items.iter_mut().for_each(clean),
        _ => {}
    }
}

/// What the engine's own decoder says of an input: the canonical bytes of what it read, and whether it is sound.
struct Oracle {
    canonical: Vec<u8>,
    errors: Vec<ProblemKind>,
    over_limits: bool,
    repeats: bool,
    is_foreign: bool,
}

fn oracle(unit: &Unit, id: MessageId, bytes: &[u8]) -> Oracle {
    let Schema { model, limits } = &unit.schema;
    let annotated = wire::annotate(model, Some(id), bytes);
    let errors = annotated
        .problems
        .iter()
        .filter(|p| p.severity == wirebench_engine::diagnostic::Severity::Error)
        .map(|p| p.kind)
        .collect();
    // The payload of an unknown field is nobody's: what it might hold cannot be wrong.
    let unknown = [ProblemKind::OtherWireType, ProblemKind::UnknownField];
    let is_foreign = annotated.problems.iter().any(|p| unknown.contains(&p.kind));
    let repeats = annotated.problems.iter().any(|p| p.kind == ProblemKind::Repeated);
    // Where a message keeps unknown fields, so does every message in it.
    let keeps = limits.message(id).keep_unknown.is_some();
    let value = if keeps { annotated.value } else { without_unknown(annotated.value) };
    let over_limits = wire::misfits(model, Some(limits), id, &value).iter().any(|m| m.is_error);
    Oracle { canonical: wire::encode_bytes(model, id, &value), errors, over_limits, repeats, is_foreign }
}

/// Compares every style's answer with the oracle's. `true` if the input was accepted.
fn judge(unit: &Unit, id: MessageId, bytes: &[u8], answers: &[Answer]) -> bool {
    let name = &unit.schema.model.message(id).full_name;
    let oracle = oracle(unit, id, bytes);
    let at = || format!("{name} on {}", hex(bytes));
    for (answer, style) in answers.iter().zip(STYLES) {
        match answer {
            Answer::Ok(written) => {
                // Whether a streamed string is UTF-8 is its sink's business.
                let is_sound = |kind: &&ProblemKind| **kind != ProblemKind::Utf8 || unit.name != "streams";
                let errors: Vec<_> = oracle.errors.iter().filter(is_sound).collect();
                assert!(errors.is_empty() || oracle.is_foreign, "{style:?} accepts {}: {errors:?}", at());
                assert_eq!(hex(written), hex(&oracle.canonical), "{style:?} reads another value: {}", at());
            }
            // A value that is replaced later may have been too long in between.
            Answer::Error(kind) if kind == "Capacity" => {
                assert!(
                    oracle.over_limits || oracle.repeats || !oracle.errors.is_empty(),
                    "{style:?} finds no room: {}",
                    at()
                );
            }
            Answer::Error(kind) => {
                assert!(!oracle.errors.is_empty(), "{style:?} refuses ({kind}) {}", at());
            }
        }
        let same_kind = match (answer, &answers[0]) {
            (Answer::Ok(_), Answer::Ok(_)) => true,
            (Answer::Error(a), Answer::Error(b)) => a == b,
            _ => false,
        };
        assert!(same_kind, "{style:?} answers {answer:?}, {:?} {:?}: {}", STYLES[0], answers[0], at());
    }
    matches!(answers[0], Answer::Ok(_))
}

/// Runs inputs of one unit and judges them; how many were accepted.
fn check(inputs: Vec<(usize, MessageId, Vec<u8>)>) -> usize {
    let units = &built().units;
    let named: Vec<(String, Vec<u8>)> = inputs
        .iter()
        .map(|(unit, id, bytes)| {
            let unit = &units[*unit];
            (format!("{}/{}", unit.name, unit.schema.model.message(*id).full_name), bytes.clone())
        })
        .collect();
    let answers = run(&named);
    inputs
        .iter()
        .zip(answers)
        .filter(|((unit, id, bytes), answers)| judge(&units[*unit], *id, bytes, answers))
        .count()
}

/// Every message of every unit.
fn all_messages() -> Vec<(usize, MessageId)> {
    let units = &built().units;
    let of = |(at, unit): (usize, &Unit)| {
        // Entries are nothing without their map, which their encoding follows.
        let messages = unit.plans[0].0.messages.iter().filter(|m| !m.is_map_entry);
        messages.map(move |m| (at, m.id)).collect::<Vec<_>>()
    };
    units.iter().enumerate().flat_map(of).collect()
}

/// Values of a message: least, plausible, full, and some at random.
fn samples(unit: usize, id: MessageId, random: u64) -> Vec<Vec<u8>> {
    let schema = &built().units[unit].schema;
    let mut values = vec![
        sample::minimum(&schema.model, &schema.limits, id),
        sample::typical(&schema.model, &schema.limits, id),
    ];
    values.extend(sample::maximum(&schema.model, &schema.limits, id));
    values
        .extend((0..random).map(|seed| sample::random(&schema.model, &schema.limits, id, seed * 7919 + 13)));
    values.iter().map(|v| wire::encode_bytes(&schema.model, id, v)).collect()
}

#[test]
fn every_value_comes_back_as_the_same_bytes() {
    let mut inputs = Vec::new();
    for (unit, id) in all_messages() {
        for bytes in samples(unit, id, 40) {
            inputs.push((unit, id, bytes));
        }
    }
    let n = inputs.len();
    assert_eq!(check(inputs), n);
}

#[test]
fn the_fullest_value_takes_exactly_the_planned_maximum() {
    for (unit, id) in all_messages() {
        let unit = &built().units[unit];
        if unit.schema.limits.message(id).keep_unknown.is_some() {
            // No sample holds unknown fields.
            continue;
        }
        let Some(fullest) = sample::maximum(&unit.schema.model, &unit.schema.limits, id) else { continue };
        let length = wire::encode_bytes(&unit.schema.model, id, &fullest).len() as u64;
        let planned = unit.plans[0].0.message(id).unwrap();
        assert_eq!(
            planned.max_encoded,
            MaxEncoded::Bounded(wirebench_engine::units::Bytes(length)),
            "{}",
            planned.full_name
        );
    }
}

#[test]
fn truncation_at_every_byte_is_refused_or_reads_what_is_whole() {
    let mut inputs = Vec::new();
    for (unit, id) in all_messages() {
        for bytes in samples(unit, id, 3) {
            let step = bytes.len() / 150 + 1;
            inputs.extend((0..bytes.len()).step_by(step).map(|n| (unit, id, bytes[..n].to_vec())));
        }
    }
    check(inputs);
}

#[test]
fn one_message_after_another_merges() {
    let mut inputs = Vec::new();
    for (unit, id) in all_messages() {
        let samples = samples(unit, id, 8);
        for (at, first) in samples.iter().enumerate() {
            for second in &samples[at..] {
                inputs.push((unit, id, [first.as_slice(), second.as_slice()].concat()));
            }
        }
    }
    assert!(check(inputs) > 1000);
}

/// A varint with `extra` bytes more than it needs.
fn overlong(value: u64, extra: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = value;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    for _ in 0..extra {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push(0);
    }
    bytes
}

/// Fields that no sample has: unknown ones, groups, other wire types, overlong tags and values.
fn foreign(random: &mut Random, numbers: &[u32]) -> Vec<u8> {
    let number = match random.below(3) {
        0 => 1 + random.below(20) as u64,
        1 => u64::from(numbers[random.below(numbers.len())]),
        _ => 1 + random.next() % ((1 << 29) - 1),
    };
    let wire_type = [0, 1, 2, 3, 5, 0, 2, 4, 6][random.below(9)];
    let mut bytes = overlong(number << 3 | wire_type, [0, 0, 0, 0, 1, 3][random.below(6)]);
    match wire_type {
        0 => {
            let value =
                [0, 1, 2, u64::MAX, random.next(), random.next() >> 40, (-7i64) as u64][random.below(7)];
            bytes.extend(overlong(value, [0, 0, 0, 1, 2, 5][random.below(6)]));
        }
        1 => bytes.extend(random.next().to_le_bytes()),
        2 => {
            let payload: Vec<u8> = (0..random.below(12)).map(|_| random.next() as u8 & 0x7f).collect();
            bytes.extend(overlong(payload.len() as u64, [0, 0, 0, 2][random.below(4)]));
            bytes.extend(payload);
        }
        3 => {
            for _ in 0..random.below(3) {
                bytes.extend(foreign(random, numbers));
            }
            bytes.extend(overlong(number << 3 | 4, 0));
        }
        5 => bytes.extend((random.next() as u32).to_le_bytes()),
        _ => {}
    }
    bytes
}

#[test]
fn unknown_fields_other_wire_types_and_overlong_varints_are_read_as_the_specification_says() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut inputs = Vec::new();
    for (unit, id) in all_messages() {
        let numbers: Vec<u32> =
            built().units[unit].schema.model.message(id).fields.iter().map(|f| f.number).chain([1]).collect();
        let samples = samples(unit, id, 4);
        for round in 0..120 {
            let mut bytes = Vec::new();
            for _ in 0..1 + random.below(3) {
                bytes.extend(foreign(&mut random, &numbers));
            }
            if round % 2 == 0 {
                let sample = &samples[random.below(samples.len())];
                if sample.len() < 2000 {
                    bytes.extend(sample);
                    bytes.extend(foreign(&mut random, &numbers));
                }
            }
            inputs.push((unit, id, bytes));
        }
    }
    assert!(check(inputs) > 1000);
}

#[test]
fn mutated_inputs_leave_every_message_usable() {
    let mut random = Random(0xfeed_beef_cafe_0001);
    let mut inputs = Vec::new();
    for (unit, id) in all_messages() {
        let samples: Vec<Vec<u8>> = samples(unit, id, 10).into_iter().filter(|s| s.len() < 3000).collect();
        let rounds = if built().units[unit].name.starts_with("growth") { 30 } else { 500 };
        for _ in 0..rounds {
            let mut bytes = samples[random.below(samples.len())].clone();
            for _ in 0..1 + random.below(4) {
                mutate(&mut random, &mut bytes, &samples);
            }
            inputs.push((unit, id, bytes));
        }
    }
    assert!(inputs.len() > 20_000, "{}", inputs.len());
    let n = inputs.len();
    let accepted = check(inputs);
    assert!(accepted > n / 20 && accepted < n, "{accepted} of {n}");
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, samples: &[Vec<u8>]) {
    let at = random.below(bytes.len() + 1);
    let old = bytes.get(at).copied().unwrap_or(0);
    match random.below(8) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        2 => bytes.insert(at, random.next() as u8),
        3 if at < bytes.len() => {
            bytes.remove(at);
        }
        4 => bytes.truncate(at),
        5 if at < bytes.len() => bytes[at] = old.wrapping_add(1),
        6 => {
            let other = &samples[random.below(samples.len())];
            let from = random.below(other.len() + 1);
            let to = from + random.below(other.len() - from + 1);
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        _ if at < bytes.len() => bytes[at] = [0x00, 0x7f, 0x80, 0xff][random.below(4)],
        _ => {}
    }
}

#[test]
fn the_same_code_compiles_without_warnings_in_edition_2024() {
    let built = built();
    let source = built.program.with_file_name("main.rs");
    run_rustc(
        rustc()
            .args(["--edition=2024", "--emit=metadata", "-Dwarnings", "-Adead_code", "--extern"])
            .arg(runtime_of(built.program.parent().unwrap()))
            .arg("--out-dir")
            .arg(built.program.parent().unwrap().join("metadata"))
            .arg(source),
    );
    assert!(folder().exists());
}
