//! A field lights up in every pane.

use egui_kittest::kittest::Queryable as _;
use wirebench::command::Command;
use wirebench::panels::Pane;
use wirebench::state::session::CostTable;
use wirebench::update::Action;
use wirebench_engine::origin::{FieldKey, Origin};

use super::support::open;

fn field(number: u32) -> Origin {
    Origin::Field(FieldKey { message: "comparison.Telemetry".into(), number })
}

#[test]
fn hovering_a_byte_lights_its_field_and_leaving_ends_it() {
    let mut bench = open("hover", "telemetry.proto");
    bench.harness.get_by_label_contains("byte 3: timestamp, tag").hover();
    bench.harness.run();
    assert_eq!(bench.state().session.hovered, Some(field(2)));
    bench.harness.get_by_label_contains("byte 0: device_id, tag").hover();
    bench.harness.run();
    assert_eq!(bench.state().session.hovered, Some(field(1)));
    bench.harness.remove_cursor();
    bench.harness.run();
    assert_eq!(bench.state().session.hovered, None);
}

#[test]
fn hovering_a_row_of_the_limits_or_a_slice_of_a_bar_lights_the_same_field() {
    let mut bench = open("hover rows", "telemetry.proto");
    bench.harness.get_by_label("Field humidity").hover();
    bench.harness.run();
    assert_eq!(bench.state().session.hovered, Some(field(4)));
    bench.harness.get_by_label("temperature: 5 B").hover();
    bench.harness.run();
    assert_eq!(bench.state().session.hovered, Some(field(3)));
}

#[test]
fn clicking_a_byte_selects_its_field_and_the_code_scrolls_to_it() {
    let mut bench = open("select", "telemetry.proto");
    bench.harness.get_by_label_contains("byte 26: rssi, ").click();
    bench.harness.run();
    assert_eq!(bench.state().session.selected, Some(field(7)));
    let view = bench.state().derived.view.clone().expect("it is good");
    let line = view.code_origins.iter().position(|origin| *origin == Some(field(7))).expect("it has code");
    let start = view.code.starts[line];
    let text = view.code.text[start..].lines().next().expect("a line").to_owned();
    assert!(bench.harness.query_all_by_label(&text).next().is_some(), "line {line} is not on screen: {text}");
    bench.act(Action::Run(Command::ClearSelection));
    assert_eq!(bench.state().session.selected, None);
}

#[test]
fn a_hint_at_the_end_of_a_schema_line_leads_to_the_limit() {
    let mut bench = open("hint", "configuration.proto");
    let view = bench.state().derived.view.clone().expect("it is good");
    let declared = view.declared.iter().find(|field| field.hint.contains("max 32")).expect("it has a limit");
    bench.act(Action::Select { origin: Origin::Field(declared.key.clone()), from: Pane::Limits });
    bench.act(Action::Run(Command::ClearSelection));
    bench.act(Action::Run(Command::Show(Pane::Problems)));
    bench.harness.get_by_label(&declared.hint).click();
    bench.harness.run();
    assert_eq!(bench.state().session.selected, Some(Origin::Field(declared.key.clone())));
    bench.harness.get_by_label("max length of device_name");
}

#[test]
fn a_field_that_holds_a_message_leads_to_it() {
    let mut bench = open("follow", "configuration.proto");
    let view = bench.state().derived.view.clone().expect("it is good");
    let first = view.message.as_ref().expect("one is chosen");
    let held = first.fields.iter().find_map(|field| field.holds.clone()).expect("it holds a message");
    bench.act(Action::ChooseMessage(held.clone()));
    assert_eq!(bench.state().session.message, Some(held));
    bench.act(Action::Run(Command::NextMessage));
    bench.act(Action::Run(Command::PreviousMessage));
    assert!(bench.state().session.message.is_some());
}

#[test]
fn every_message_has_a_row_in_the_table_of_messages() {
    let mut bench = open("messages", "growth.proto");
    bench.act(Action::ShowCostBy(CostTable::Messages));
    let view = bench.state().derived.view.clone().expect("it is good");
    assert_eq!(view.messages.len(), 20);
    assert!(view.messages.iter().all(|row| row.cost.is_some()));
    bench.harness.get_by_label("Growth_03");
}

#[test]
fn every_byte_of_every_sample_belongs_to_a_span() {
    for schema in ["telemetry.proto", "telemetry_batch.proto", "configuration.proto", "command.proto"] {
        let mut bench = open(&format!("bytes of {schema}"), schema);
        let names: Vec<_> = bench.state().derived.view.clone().expect("it is good").messages.clone();
        for row in names {
            bench.act(Action::ChooseMessage(row.full_name.clone()));
            let view = bench.state().derived.view.clone().expect("it is good");
            let message = view.message.as_ref().expect("it was chosen");
            let sample = message.sample.as_ref().expect("it has one");
            assert_eq!(message.bytes.len(), sample.bytes.len(), "{}", row.full_name);
        }
    }
}
