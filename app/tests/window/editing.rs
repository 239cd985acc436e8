//! Limits, text, samples, undo: one change shows everywhere.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wirebench::command::Command;
use wirebench::panels::Pane;
use wirebench::update::Action;
use wirebench_engine::diagnostic::Severity;
use wirebench_engine::origin::Origin;

use super::support::{Bench, open};

fn set_limit(bench: &mut Bench, label: &str, value: &str) {
    bench.harness.get_by_label(label).click();
    bench.harness.run();
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    bench.harness.get_by_label(label).type_text(value);
    bench.harness.run();
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
}

#[test]
fn a_limit_edited_in_the_table_changes_text_code_and_cost() {
    let mut bench = open("limit", "configuration.proto");
    let (ram, _) = bench.ram_and_wire();
    let code = bench.state().derived.view.clone().expect("it is good").code.text.clone();
    set_limit(&mut bench, "max length of device_name", "64");

    let settings = bench.text("wirebench.toml");
    assert!(settings.contains(r#""comparison.Configuration.device_name" = { max_len = 64 }"#), "{settings}");
    assert_eq!(bench.on_disk("wirebench.toml").replace("max_len = 32", "max_len = 64"), settings);
    assert_eq!(bench.ram_and_wire().0, ram + 32);
    let view = bench.state().derived.view.clone().expect("it is good");
    assert_ne!(view.code.text, code);
    let field = view.declared.iter().find(|field| field.hint.contains("max 64")).expect("the hint follows");
    bench.act(Action::Select { origin: Origin::Field(field.key.clone()), from: Pane::Limits });
    bench.harness.get_by_label(&field.hint);
}

#[test]
fn one_undo_takes_a_limit_back_and_redo_repeats_it() {
    let mut bench = open("undo", "configuration.proto");
    let before = (bench.text("wirebench.toml"), bench.ram_and_wire());
    set_limit(&mut bench, "max length of device_name", "48");
    let after = (bench.text("wirebench.toml"), bench.ram_and_wire());
    assert_ne!(before, after);

    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.harness.run();
    assert_eq!((bench.text("wirebench.toml"), bench.ram_and_wire()), before);
    assert!(!bench.state().document.is_dirty());
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    bench.harness.run();
    assert_eq!((bench.text("wirebench.toml"), bench.ram_and_wire()), after);
}

#[test]
fn typing_in_the_schema_changes_the_cost_and_undo_is_the_documents() {
    let mut bench = open("typing", "telemetry.proto");
    let (ram, _) = bench.ram_and_wire();
    let text = bench.text("telemetry.proto");
    let longer = text.replace("sint32 rssi        = 7;", "sint32 rssi        = 7;\n  double more = 8;");
    bench.act(Action::TypeSchema(longer));
    assert_eq!(bench.ram_and_wire().0, ram + 8);

    bench.harness.get_by_label("Schema text").focus();
    bench.harness.run();
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.harness.run();
    assert_eq!(bench.text("telemetry.proto"), text);
    assert_eq!(bench.ram_and_wire().0, ram);
}

#[test]
fn keys_typed_in_the_editor_reach_the_document() {
    let mut bench = open("keys", "telemetry.proto");
    let editor = bench.harness.get_by_label("Schema text");
    editor.focus();
    bench.harness.run();
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::End);
    bench.harness.get_by_label("Schema text").type_text("// end");
    bench.harness.run();
    assert!(bench.text("telemetry.proto").ends_with("// end"));
    assert!(bench.state().document.is_dirty());
}

#[test]
fn errors_are_listed_and_the_last_good_result_stays_under_a_ribbon() {
    let mut bench = open("errors", "telemetry.proto");
    let before = bench.ram_and_wire();
    let text = bench.text("telemetry.proto");
    bench.act(Action::TypeSchema(text.replace("uint32 device_id", "uint23 device_id")));

    assert!(bench.state().derived.is_stale());
    assert!(bench.state().derived.count(Severity::Error) >= 1);
    assert_eq!(bench.ram_and_wire(), before);
    assert!(bench.harness.query_all_by_label_contains("Stale:").next().is_some());
    bench.act(Action::Run(Command::Show(Pane::Problems)));
    let message = bench.state().derived.problems[0].message.clone();
    bench.harness.get_by_label(&format!("Go to: {message}")).click();
    bench.harness.run();
    assert_eq!(bench.state().session.current_problem, Some(0));

    bench.act(Action::TypeSchema(text));
    assert!(!bench.state().derived.is_stale());
    assert!(bench.harness.query_all_by_label_contains("Stale:").next().is_none());
}

#[test]
fn an_edited_sample_changes_the_bytes() {
    let mut bench = open("sample", "telemetry.proto");
    let (_, wire) = bench.ram_and_wire();
    let sample = "samples/comparison.Telemetry.json";
    let text = bench.text(sample);
    bench.act(Action::TypeSample(text.replace("\"rssi\": -67", "\"rssi\": -67000")));
    assert_eq!(bench.ram_and_wire().1, wire + 1);

    bench.act(Action::TypeSample(text.replace("\"rssi\"", "\"rsi\"")));
    assert!(bench.state().derived.problems.iter().any(|problem| problem.message.contains("rsi")));
    let problem = bench.state().derived.problems[0].clone();
    let span = problem.span.expect("it has a place");
    assert_eq!((&*span.file, span.line), (bench.path(sample).as_str(), 8));
    bench.act(Action::GoToProblem(0));
    assert!(bench.harness.get_by_label("Sample message").is_focused());
    bench.act(Action::Run(Command::FillSample));
    assert!(bench.state().derived.problems.is_empty());
}

#[test]
fn a_message_without_a_saved_sample_is_prefilled_and_saved_only_after_an_edit() {
    let mut bench = open("prefilled", "configuration.proto");
    std::fs::remove_file(bench.folder.join("samples/comparison.Configuration.json")).expect("it was there");
    let path = bench.path("configuration.proto");
    bench.act(Action::OpenPath(path));
    let view = bench.state().derived.view.clone().expect("it is good");
    let json =
        view.message.as_ref().and_then(|message| message.sample.as_ref()).expect("it has one").json.clone();
    assert!(json.contains("deviceName"), "{json}");
    assert!(!bench.state().document.is_dirty());

    bench.act(Action::TypeSample(json.replace('{', "{ ")));
    assert_eq!(bench.state().document.dirty_paths().len(), 1);
    bench.act(Action::Run(Command::Undo));
    assert!(!bench.state().document.is_dirty());
}
