//! Opening, saving, and asking before anything is lost.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wirebench::command::Command;
use wirebench::state::session::{AfterUnsaved, Dialog};
use wirebench::update::Action;

use super::commands::wait_for;
use super::support::{Setup, open, open_path, open_with};

#[test]
fn saving_writes_what_changed_and_nothing_else() {
    let mut bench = open("save", "telemetry.proto");
    let text = bench.text("telemetry.proto");
    bench.act(Action::TypeSchema(format!("{text}// more\n")));
    assert!(bench.harness.query_all_by_label("unsaved changes").next().is_some());
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    bench.harness.run();
    assert_eq!(bench.on_disk("telemetry.proto"), format!("{text}// more\n"));
    assert!(!bench.state().document.is_dirty());
    assert!(bench.harness.query_all_by_label("saved").next().is_some());
}

#[test]
fn line_endings_and_byte_order_mark_survive_an_edit() {
    let mut bench = open("endings", "telemetry.proto");
    let before = format!("\u{feff}{}", bench.on_disk("telemetry.proto").replace('\n', "\r\n"));
    std::fs::write(bench.folder.join("telemetry.proto"), &before).expect("it can be written");
    let path = bench.path("telemetry.proto");
    bench.act(Action::OpenPath(path));
    let text = bench.text("telemetry.proto");
    assert!(!text.contains('\r') && !text.starts_with('\u{feff}'));
    bench.act(Action::TypeSchema(text.replace("device_id ", "device_no ")));
    bench.act(Action::Run(Command::Save));
    assert_eq!(bench.on_disk("telemetry.proto"), before.replace("device_id ", "device_no "));
}

#[test]
fn a_file_that_is_not_utf8_opens_read_only() {
    let mut bench = open("latin", "telemetry.proto");
    std::fs::write(bench.folder.join("latin.proto"), b"syntax = \"proto3\"; // \xe9\nmessage A {}\n")
        .expect("written");
    let path = bench.path("latin.proto");
    bench.act(Action::OpenPath(path));
    assert!(bench.was_said("read-only"));
    assert!(bench.state().derived.problems.iter().any(|problem| problem.message.contains("UTF-8")));
    let text = bench.text("latin.proto");
    bench.act(Action::TypeSchema(format!("{text}x")));
    assert_eq!(bench.text("latin.proto"), text);
}

#[test]
fn closing_with_unsaved_changes_asks_and_saving_goes_on() {
    let mut bench = open("close", "telemetry.proto");
    let text = bench.text("telemetry.proto");
    bench.act(Action::TypeSchema(format!("{text}// x\n")));
    bench.act(Action::AskToClose);
    assert_eq!(bench.state().session.dialog, Some(Dialog::Unsaved(AfterUnsaved::Close)));
    bench.harness.get_by_label("Cancel").click();
    bench.harness.run();
    assert!(!bench.state().session.is_closing);
    bench.act(Action::AskToClose);
    bench.harness.get_by_label("Save").click();
    bench.harness.run();
    assert!(bench.state().session.is_closing);
    assert!(bench.on_disk("telemetry.proto").ends_with("// x\n"));
}

#[test]
fn opening_another_schema_asks_first_and_discarding_goes_on() {
    let mut bench = open("switch", "telemetry.proto");
    let text = bench.text("telemetry.proto");
    bench.act(Action::TypeSchema(format!("{text}// x\n")));
    let other = bench.path("command.proto");
    bench.act(Action::OpenPath(other.clone()));
    bench.harness.get_by_label("Discard").click();
    bench.harness.run();
    assert_eq!(*bench.state().document.project.schema, *other);
    assert!(!bench.state().document.is_dirty());
    assert_eq!(bench.on_disk("telemetry.proto"), text);
}

#[test]
fn without_a_system_dialog_a_path_can_be_typed() {
    let mut bench = open("path box", "telemetry.proto");
    bench.act(Action::Run(Command::Open));
    wait_for(&mut bench, |bench| matches!(bench.state().session.dialog, Some(Dialog::Path { .. })));
    bench.harness.get_by_label("Path of the schema").type_text("no such.proto");
    bench.harness.run();
    bench.harness.get_by_label("Open").click();
    bench.harness.run();
    let Some(Dialog::Path { problem: Some(problem), .. }) = &bench.state().session.dialog else {
        panic!("the box stays open with the reason");
    };
    assert!(problem.contains("no such.proto"), "{problem}");
    let path = bench.path("command.proto");
    bench.act(Action::Dialog(Some(Dialog::Path {
        purpose: wirebench::state::session::PathPurpose::Open,
        path: path.clone(),
        problem: None,
    })));
    bench.act(Action::UsePath);
    assert_eq!(*bench.state().document.project.schema, *path);
    assert_eq!(bench.state().session.dialog, None);
}

#[test]
fn saving_under_another_name_asks_before_it_replaces_a_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/save as");
    let setup = Setup { picks: Some(folder.join("command.proto")), ..Setup::default() };
    let mut bench = open_with("save as", "telemetry.proto", setup);
    let command = bench.on_disk("command.proto");
    bench.act(Action::Run(Command::SaveAs));
    wait_for(&mut bench, |bench| matches!(bench.state().session.dialog, Some(Dialog::Overwrite { .. })));
    assert_eq!(bench.on_disk("command.proto"), command);
    bench.harness.get_by_label("Replace").click();
    bench.harness.run();
    assert_eq!(bench.on_disk("command.proto"), bench.on_disk("telemetry.proto"));
    assert!(bench.state().document.project.schema.ends_with("command.proto"));
}

#[test]
fn a_missing_file_is_said_and_the_window_stays_usable() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/missing");
    let mut bench = open_path(folder.clone(), &folder.join("nowhere.proto"), Setup::default());
    assert!(bench.was_said("nowhere.proto"));
    assert!(bench.harness.query_all_by_label("Open schema…").next().is_some());
    bench.act(Action::Run(Command::OpenSample));
    assert!(bench.state().derived.view.is_some());
}

#[test]
fn the_built_in_sample_opens_without_its_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/built in");
    let mut bench = open_path(folder.clone(), &folder.join("nowhere.proto"), Setup::default());
    bench.act(Action::Run(Command::OpenSample));
    let document = &bench.state().document;
    assert!(document.project.is_built_in);
    assert!(bench.state().derived.problems.is_empty(), "{:?}", bench.state().derived.problems);
    assert_eq!(bench.ram_and_wire(), (32, 28));
}

#[test]
fn a_schema_with_a_construct_that_has_no_code_still_shows_its_other_messages() {
    let mut bench = open("refused", "telemetry.proto");
    let text = "syntax = \"proto3\";\nmessage Good { uint32 a = 1; }\nmessage Loop { Loop next = 1; }\n";
    std::fs::write(bench.folder.join("mixed.proto"), text).expect("it can be written");
    let path = bench.path("mixed.proto");
    bench.act(Action::OpenPath(path));
    let view = bench.state().derived.view.clone().expect("one message is good");
    let refused: Vec<&str> =
        view.messages.iter().filter(|row| row.refused.is_some()).map(|row| row.name.as_str()).collect();
    assert_eq!(refused, ["Loop"]);
    assert_eq!(view.message.as_ref().map(|message| message.name.as_str()), Some("Good"));
    bench.act(Action::ChooseMessage("Loop".into()));
    assert!(bench.harness.query_all_by_label_contains("No code for this message").next().is_some());
}

#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_dropped_schema_opens() {
    let mut bench = open("drop", "telemetry.proto");
    let path = bench.path("command.proto");
    let dropped = Dropped(path.clone().into());
    bench.harness.input_mut().dropped_files.push(std::sync::Arc::new(dropped));
    bench.harness.run();
    assert_eq!(*bench.state().document.project.schema, *path);
}

#[test]
fn every_case_of_reported_faults_can_be_looked_at() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/cases");
    let setup = Setup { allows_any_script: true, ..Setup::default() };
    let mut bench = open_with("cases", "telemetry.proto", setup);
    let mut seen = 0;
    for folder in std::fs::read_dir(cases).expect("the cases are there").flatten() {
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|extension| extension == "proto") {
                let path = file.path().to_str().expect("a plain name").to_owned();
                bench.act(Action::OpenPath(path.clone()));
                assert_eq!(*bench.state().document.project.schema, *path);
                bench.act(Action::Run(Command::NextMessage));
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen} cases");
}
