//! Whole measurements: from a schema to checked figures on the simulated core, and every way they fail.
//!
//! They build real firmware and fail without a bare-metal toolchain, because they would prove nothing then.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::cell::RefCell;
use std::fs;

use support::{control, shared_cache, toolchain};
use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::options::{self, Optimize};
use wirebench_engine::plan::{self, Choices, Plan};
use wirebench_engine::schema::{self, Model};
use wirebench_engine::wire::{FieldValue, MessageValue, Value, json};
use wirebench_engine::{print, wire};
use wirebench_measure::builder::Builder;
use wirebench_measure::environment::Environment;
use wirebench_measure::image::Part;
use wirebench_measure::measure::{
    Bench, CheckFailure, Figures, MeasureError, Measured, Outcome, Request, measure,
};
use wirebench_measure::progress::{Cancel, Control, Progress};
use wirebench_measure::run::RunError;
use wirebench_measure::settings::Settings;
use wirebench_measure::suite::{Shapes, embedded_schemas, scenarios, suite};
use wirebench_measure::toolchain::ToolchainError;
use wirebench_measure::workload::WorkloadError;

/// A schema with its code.
struct Project {
    model: Model,
    plan: Plan,
    printed: String,
}

impl Project {
    fn new(files: &MemoryFiles, root: &str, optimize: Optimize) -> Project {
        let settings = Some("wirebench.toml".to_owned());
        let input = Input { roots: vec![root.to_owned()], settings, ..Input::default() };
        let checked = schema::check(&input, files);
        let model = checked.model.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        let limits = options::resolve(&model, &input, files).limits;
        let choices = Choices { optimize: Some(optimize), ..Choices::default() };
        let planned = plan::lower(&model, &limits, &choices);
        assert_eq!(planned.refused, []);
        let printed = print::print(&planned.plan).text;
        Project { model, plan: planned.plan, printed }
    }

    fn telemetry() -> Project {
        Project::new(&embedded_schemas(), "telemetry.proto", Optimize::Auto)
    }

    fn request(&self, message: &str, sample: &MessageValue) -> Result<Request<'_>, WorkloadError> {
        let id = self.model.find_message(message).unwrap();
        Request::message(&self.model, &self.plan, &self.printed, id, sample, &Settings::default())
    }

    fn sample(&self, message: &str, text: &str) -> MessageValue {
        json::parse(&self.model, self.model.find_message(message).unwrap(), "sample.json", text).unwrap()
    }
}

const TELEMETRY: &str = r#"{"deviceId": 4660, "timestamp": "1700000000000", "temperature": 21.5, "humidity": 48.25,
    "batteryMv": 3712, "status": "WARNING", "rssi": -67}"#;

fn bench() -> Bench {
    let builder = Builder { toolchain: toolchain(), settings: Settings::default(), cache: shared_cache() };
    Bench { builder }
}

fn figures(measured: &Measured) -> &Figures {
    match &measured.outcome {
        Outcome::Checked(figures) => figures,
        Outcome::Failed(failure) => panic!("{failure}"),
    }
}

fn failure(measured: &Measured) -> &CheckFailure {
    match &measured.outcome {
        Outcome::Checked(_) => panic!("the check should have failed"),
        Outcome::Failed(failure) => failure,
    }
}

#[test]
fn telemetry_is_measured_and_comes_from_the_cache_the_second_time() {
    let project = Project::telemetry();
    let request = project.request("comparison.Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    let bench = bench();
    let measured = measure(&bench, &request, control(&Cancel::default())).unwrap();
    let got = figures(&measured);
    assert_eq!((got.message, got.wire), (32, 28));
    let codec = got.codec_flash().unwrap();
    // Wide bounds: what they guard is that a figure is a figure of this codec, not how good it is.
    assert!((400..3000).contains(&codec), "{codec}");
    let rows = [
        (&got.round_trip, 300..4000),
        (&got.encode, 100..2000),
        (&got.decode, 100..2000),
        (&got.null, 50..500),
    ];
    for (row, cycles) in rows {
        let row = row.as_ref().unwrap();
        assert!(cycles.contains(&row.cycles.min), "{row:?}");
        assert_eq!(row.cycles.samples.len(), 8);
        assert!(row.cycles.min <= row.cycles.median && row.instructions <= row.cycles.min, "{row:?}");
        assert!((30..2000).contains(&row.stack) && row.flash > 0, "{row:?}");
    }
    for region in [&got.encode_region, &got.decode_region] {
        let region = region.as_ref().unwrap();
        assert!((50..2000).contains(&region.cycles.min), "{region:?}");
        assert!((50..=region.cycles.min).contains(&region.instructions), "{region:?}");
    }
    let main = got.main().unwrap();
    // By part and by symbol the flash is the same, but for padding and what the harness gained.
    let parts: u64 = got.parts.iter().map(|part| part.1).sum();
    let symbols: u64 = got.symbols.iter().map(|symbol| symbol.size).sum();
    assert_eq!(parts, symbols);
    assert!(parts.abs_diff(main.flash) < 100, "{parts} and {}", main.flash);
    assert!(got.parts.iter().any(|(part, size)| *part == Part::Runtime && *size > 0), "{:?}", got.parts);
    let scenario = got.per_function.iter().find(|f| f.name == "wirebench_scenario").unwrap();
    assert_eq!(scenario.calls, 1);
    assert!(scenario.cycles_inclusive.abs_diff(main.cycles.min) < 20, "{scenario:?}");

    let steps = RefCell::new(Vec::new());
    let record = |step: Progress| steps.borrow_mut().push(step);
    let again = measure(&bench, &request, Control { progress: &record, cancel: &Cancel::default() }).unwrap();
    assert!(again.is_from_cache);
    assert_eq!(again.outcome, measured.outcome);
    assert_eq!(steps.into_inner(), [Progress::FromCache { name: "comparison_Telemetry".to_owned() }]);
}

#[test]
fn a_damaged_result_file_is_ignored_and_written_again() {
    let project = Project::telemetry();
    let request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    let bench = bench();
    let first = measure(&bench, &request, control(&Cancel::default())).unwrap();
    let file = bench.builder.cache.result(&first.key);
    let whole = fs::read_to_string(&file).unwrap();
    for damaged in ["", "{", "null", &whole[..whole.len() / 2], &whole.replacen("\"1\"", "\"0\"", 1)] {
        fs::write(&file, damaged).unwrap();
        let again = measure(&bench, &request, control(&Cancel::default())).unwrap();
        assert!(!again.is_from_cache, "{damaged}");
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
}

#[test]
fn a_workload_that_compares_with_another_value_fails_its_check() {
    let project = Project::telemetry();
    let mut request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    let piece = &mut request.workload.pieces[0];
    assert!(piece.compare.contains("r.battery_mv != 3712"), "{}", piece.compare);
    piece.compare = piece.compare.replace("r.battery_mv != 3712", "r.battery_mv != 3713");
    let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
    assert!(matches!(failure(&measured), CheckFailure::Values { .. }), "{:?}", measured.outcome);
}

#[test]
fn bytes_other_than_the_hosts_fail_the_check() {
    let project = Project::telemetry();
    let sample = project.sample("Telemetry", TELEMETRY);
    let mut request = project.request("Telemetry", &sample).unwrap();
    // The sequence of two fields is swapped: the same values and length, other bytes.
    let wire = &mut request.workload.pieces[0].wire;
    let rssi = wire.split_off(wire.len() - 3);
    wire.splice(0..0, rssi);
    let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
    assert!(matches!(failure(&measured), CheckFailure::Bytes { .. }), "{:?}", measured.outcome);
}

#[test]
fn a_length_other_than_the_hosts_fails_the_check() {
    let project = Project::telemetry();
    let mut request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    request.workload.pieces[0].wire.extend([0x38, 0x02]);
    let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
    let CheckFailure::Length { expected, found, .. } = failure(&measured) else {
        panic!("{:?}", measured.outcome)
    };
    assert_eq!((*expected, *found), (30, 28));
}

#[test]
fn code_that_does_not_compile_is_a_build_error() {
    let mut project = Project::telemetry();
    project.printed.push_str("\nfn broken() -> u32 { \"no number\" }\n");
    let request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    let error = measure(&bench(), &request, control(&Cancel::default())).unwrap_err();
    assert!(matches!(error, MeasureError::Build(_)), "{error}");
    assert!(error.to_string().contains("mismatched types"), "{error}");
}

#[test]
fn generated_code_that_faults_is_named() {
    let project = Project::telemetry();
    let mut request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    let piece = &mut request.workload.pieces[0];
    piece.fill.push_str(
        "unsafe { core::ptr::with_exposed_provenance_mut::<u32>(0x7000_0000).write_volatile(1) };\n",
    );
    let error = measure(&bench(), &request, control(&Cancel::default())).unwrap_err();
    let MeasureError::Run { firmware, source: RunError::Fault { symbol, .. } } = &error else {
        panic!("{error}")
    };
    assert_eq!(
        (firmware.as_str(), symbol.as_str()),
        ("comparison_Telemetry_round_trip", "wirebench_scenario")
    );
}

#[test]
fn a_cancelled_measurement_says_so() {
    let project = Project::telemetry();
    let mut request = project.request("Telemetry", &project.sample("Telemetry", TELEMETRY)).unwrap();
    request.workload.pieces[0].fill.push_str("// cancelled\n");
    let cancel = Cancel::default();
    cancel.cancel();
    let error = measure(&bench(), &request, control(&cancel)).unwrap_err();
    assert!(matches!(error, MeasureError::Cancelled), "{error}");
}

#[test]
fn without_a_toolchain_measuring_is_off_in_one_sentence() {
    let variables = [("WIREBENCH_CACHE".to_owned(), "/nonexistent".to_owned())].into();
    let environment = Environment { variables, ..Environment::default() };
    let error = Bench::new(&environment, Settings::default()).unwrap_err();
    assert!(matches!(error, MeasureError::Toolchain(ToolchainError::NoCompiler)));
    assert_eq!(error.to_string(), "measuring is off: no Rust compiler was found");
}

const EVERYTHING: &str = r#"
syntax = "proto3";
package all;

enum Mode { OFF = 0; ON = 1; }

message Inner { int32 a = 1; string name = 2; }

message All {
  double d = 1; float f = 2; int32 i32 = 3; int64 i64 = 4; uint32 u32 = 5; uint64 u64 = 6;
  sint32 s32 = 7; sint64 s64 = 8; fixed32 f32 = 9; fixed64 f64 = 10; sfixed32 sf32 = 11; sfixed64 sf64 = 12;
  bool flag = 13; string text = 14; bytes blob = 15; Mode mode = 16; Inner inner = 17;
  optional int32 maybe = 18; optional string maybe_text = 19; optional float maybe_float = 20;
  optional bytes maybe_bytes = 36; optional Mode maybe_mode = 37; optional int32 absent = 38; Inner no_inner = 39;
  repeated int32 numbers = 21; repeated float floats = 22; repeated string names = 23;
  repeated bytes blobs = 24; repeated Mode modes = 25; repeated Inner inners = 26; repeated bool none = 27;
  oneof pick { int32 pick_number = 28; string pick_text = 29; Inner pick_inner = 30; float pick_float = 31; bytes pick_bytes = 32; }
  oneof other { int32 other_number = 33; Inner other_inner = 34; }
  int32 type = 35;
}
"#;

const ALL_SAMPLE: &str = r#"{
  "d": "NaN", "f": "-Infinity", "i32": -2147483648, "i64": "-9223372036854775808", "u32": 4294967295,
  "u64": "18446744073709551615", "s32": -2147483648, "s64": "-9223372036854775808", "f32": 1, "f64": "2",
  "sf32": -3, "sf64": "-4", "flag": true, "text": "a \"quoted\" ß\\", "blob": "AP8iXA==", "mode": "ON",
  "inner": {"a": 5, "name": "in"}, "maybe": 0, "maybeText": "", "maybeFloat": -0.0, "maybeBytes": "AQI=",
  "maybeMode": "OFF", "numbers": [1, -1, 300], "floats": [0.5, "NaN", -0.0], "names": ["x", "", "yz"],
  "blobs": ["AA==", ""], "modes": ["ON", "OFF", 7], "inners": [{}, {"a": 1}, {"name": "n"}],
  PICK
  "otherInner": {"a": 9}, "type": 35
}"#;

#[test]
fn every_kind_of_field_is_filled_and_compared() {
    let files = MemoryFiles::default().with("all.proto", EVERYTHING).with("wirebench.toml", "version = 1\n");
    let picks =
        ["\"pickText\": \"picked\",", "\"pickInner\": {\"a\": -7, \"name\": \"p\"},", "\"pickFloat\": 1e30,"];
    for (optimize, pick) in [Optimize::Size, Optimize::Balanced, Optimize::Speed].into_iter().zip(picks) {
        let project = Project::new(&files, "all.proto", optimize);
        let sample = project.sample("All", &ALL_SAMPLE.replace("PICK", pick));
        let request = project.request("All", &sample).unwrap();
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        let got = figures(&measured);
        let id = project.model.find_message("All").unwrap();
        assert_eq!(got.wire, wire::encode_bytes(&project.model, id, &sample).len() as u64);
    }
}

const PROTO2: &str = r#"
syntax = "proto2";
package old;
enum Mode { ONE = 1; TWO = 2; }
message Inner { optional uint32 a = 1; map<bool, Mode> modes = 2; extensions 100 to 200; }
extend Inner { optional string more = 100; }
message All {
  map<string, Inner> named = 1;
  map<sint64, bytes> blobs = 2;
  optional group Pair = 3 { optional int32 x = 1; optional Inner y = 2; }
  repeated group Item = 4 { optional string text = 1; }
  oneof pick { group Picked = 5 { optional bool b = 1; } uint32 number = 6; }
}
"#;

#[test]
fn maps_groups_and_extensions_are_filled_and_compared() {
    let settings = "version = 1\n[messages]\n\"*\" = { keep_unknown = 16 }\n";
    let files = MemoryFiles::default().with("old.proto", PROTO2).with("wirebench.toml", settings);
    let text = r#"{"named": {"a": {"a": 1, "[old.more]": "ext"}, "b": {"modes": {"true": "TWO"}}}, "blobs": {"-5": "AQI="},
        "pair": {"x": -1, "y": {"a": 3}}, "item": [{"text": "i"}, {}], "picked": {"b": true}}"#;
    for optimize in [Optimize::Size, Optimize::Balanced, Optimize::Speed] {
        let project = Project::new(&files, "old.proto", optimize);
        let sample = project.sample("All", text);
        let request = project.request("All", &sample).unwrap();
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        let id = project.model.find_message("old.All").unwrap();
        assert_eq!(figures(&measured).wire, wire::encode_bytes(&project.model, id, &sample).len() as u64);
    }
}

#[test]
fn members_of_a_oneof_may_be_declared_in_any_order() {
    let schema = "syntax = \"proto3\";\n\
                  message T { uint32 c = 30; oneof o { uint32 y = 20; uint32 x = 2; } uint32 a = 10; uint32 z = 1; }";
    let files = MemoryFiles::default().with("t.proto", schema).with("wirebench.toml", "version = 1\n");
    for optimize in [Optimize::Size, Optimize::Balanced, Optimize::Speed] {
        let project = Project::new(&files, "t.proto", optimize);
        let request =
            project.request("T", &project.sample("T", r#"{"c": 1, "y": 2, "a": 3, "z": 4}"#)).unwrap();
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        assert_eq!(figures(&measured).wire, 10, "{optimize:?}");
    }
}

#[test]
fn a_message_without_any_bytes_on_the_wire_is_measured() {
    let project = Project::telemetry();
    let request = project.request("Telemetry", &MessageValue::default()).unwrap();
    let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
    assert_eq!(figures(&measured).wire, 0);
}

const STREAMS: &str = r#"
syntax = "proto3";
package streams;
message Part { uint32 id = 1; bytes data = 2; }
message Log { string title = 1; repeated Part parts = 2; Part last = 3; bytes tail = 4; }
"#;

#[test]
fn streamed_payloads_in_nested_and_repeated_messages_come_from_their_places() {
    let settings = "version = 1\n[fields]\n\"streams.Part.data\" = { storage = \"streamed\" }\n\
                    \"streams.Log.tail\" = { storage = \"streamed\", max_len = 100 }\n";
    let files = MemoryFiles::default().with("streams.proto", STREAMS).with("wirebench.toml", settings);
    let long = "A".repeat(160);
    let text = format!(
        r#"{{"title": "t", "parts": [{{"id": 1, "data": "{long}"}}, {{"id": 2}}, {{"data": "AQID"}}],
            "last": {{"id": 4, "data": "BAUG"}}, "tail": "Bwg="}}"#
    );
    for optimize in [Optimize::Size, Optimize::Speed] {
        let project = Project::new(&files, "streams.proto", optimize);
        let request = project.request("Log", &project.sample("Log", &text)).unwrap();
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        assert!(figures(&measured).wire > 130);
    }
}

#[test]
fn a_message_of_one_direction_is_measured_in_it() {
    let project = |direction| {
        let settings = format!("version = 1\n[messages]\n\"Note\" = {{ direction = \"{direction}\" }}\n");
        let schema = "syntax = \"proto3\"; message Note { uint32 id = 1; string text = 2; }";
        let files = MemoryFiles::default().with("note.proto", schema).with("wirebench.toml", settings);
        Project::new(&files, "note.proto", Optimize::Auto)
    };
    let text = r#"{"id": 300, "text": "one way"}"#;
    for direction in ["encode", "decode"] {
        let project = project(direction);
        let request = project.request("Note", &project.sample("Note", text)).unwrap();
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        let got = figures(&measured);
        assert_eq!(got.round_trip, None);
        assert_eq!(got.encode.is_some(), direction == "encode");
        assert_eq!(got.decode.is_some(), direction == "decode");
        assert_eq!(got.encode_region.is_some(), direction == "encode");
        assert_eq!(got.wire, 12);

        let mut request = project.request("Note", &project.sample("Note", text)).unwrap();
        let piece = &mut request.workload.pieces[0];
        piece.compare = piece.compare.replace("one way", "another");
        piece.fill = piece.fill.replace("one way", "another");
        let measured = measure(&bench(), &request, control(&Cancel::default())).unwrap();
        match (direction, failure(&measured)) {
            ("encode", CheckFailure::Bytes { .. }) | ("decode", CheckFailure::Values { .. }) => {}
            (_, failure) => panic!("{failure}"),
        }
    }
}

#[test]
fn a_sample_over_a_limit_or_of_another_kind_is_refused_with_the_fields_name() {
    let project = Project::new(&embedded_schemas(), "growth.proto", Optimize::Auto);
    let with = |value| MessageValue::of(vec![FieldValue { number: 5, value }]);
    let error = project.request("Growth_01", &with(Value::Text(vec![b'x'; 17]))).unwrap_err();
    let expected = "the sample's value of comparison.Growth_01.label has length 17, the field's limit is 16";
    assert_eq!(error.to_string(), expected);
    let error = project.request("Growth_01", &with(Value::Bool(true))).unwrap_err();
    assert!(matches!(error, WorkloadError::WrongKind { .. }), "{error}");
    let error = project.request("Growth_01", &with(Value::Text(vec![0xff]))).unwrap_err();
    assert!(matches!(error, WorkloadError::NotUtf8 { .. }), "{error}");
}

#[test]
fn messages_larger_than_the_ram_are_refused_before_the_build() {
    let schema = "syntax = \"proto3\"; message Big { bytes a = 1; bytes b = 2; }";
    let settings = "version = 1\n[fields]\n\"Big.*\" = { max_len = 60000 }\n";
    let files = MemoryFiles::default().with("big.proto", schema).with("wirebench.toml", settings);
    let project = Project::new(&files, "big.proto", Optimize::Auto);
    let error = project.request("Big", &MessageValue::default()).unwrap_err();
    assert!(matches!(error, WorkloadError::TooLarge { .. }), "{error}");
}

#[test]
fn the_whole_comparison_is_checked_and_keeps_its_contract() {
    let cancel = Cancel::default();
    let result = suite(&bench(), Optimize::Auto, control(&cancel)).unwrap();
    assert_eq!(result.failures, Vec::<String>::new());
    assert_eq!(result.rows.len(), scenarios().len() * 4);
    assert!(result.rows.iter().all(|row| row.checked && row.flash > Some(0) && row.cycles > Some(0)));
    let wire = |name: &str| result.rows.iter().find(|r| r.scenario == name).and_then(|r| r.wire);
    let lengths = ["telemetry", "telemetry_batch", "configuration", "command", "firmware_chunk"].map(wire);
    assert_eq!(lengths, [Some(28), Some(405), Some(72), Some(9), Some(272)]);
    assert_eq!(wire("firmware_chunk_streamed"), wire("firmware_chunk"));
    assert!(result.rows.iter().any(|row| row.scenario == "growth_20" && row.shapes == Shapes::Varied));

    let value: serde_json::Value = serde_json::from_str(&result.to_json()).unwrap();
    let keys =
        |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&value), "version core model settings rows");
    assert_eq!(
        keys(&value["settings"]),
        "opt_level lto core_library memory_routines merge_functions toolchain optimize tool template"
    );
    assert_eq!(
        keys(&value["rows"][0]),
        "scenario shapes kind flash cycles encode_cycles decode_cycles instructions stack message wire evidence checked"
    );
    assert_eq!(value["rows"][0]["evidence"], "simulated");
    assert_eq!(value["core"], "cortex-m4f");

    let (text, markdown) = (result.to_text(), result.to_markdown());
    assert_eq!(text.lines().count(), result.rows.len() + 3);
    assert!(markdown.contains("| growth_20 (varied) | null |"), "{markdown}");
    let again = suite(&bench(), Optimize::Auto, control(&cancel)).unwrap();
    assert!(again.is_from_cache && again.rows == result.rows);
}
