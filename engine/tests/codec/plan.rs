//! The plan's decisions: what is refused and how that is said, names, layout, styles, direction.

use wirebench_engine::options::Optimize;
use wirebench_engine::origin::Origin;
use wirebench_engine::plan::{Choices, MaxEncoded, Planned, Storage, Style, lower};
use wirebench_engine::print::print;
use wirebench_engine::units::Bytes;

use crate::support::Schema;

fn plan(proto: &str, settings: &str) -> Planned {
    Schema::of_text(&format!("syntax = \"proto3\";\n{proto}"), &format!("version = 1\n{settings}"))
        .plan(Optimize::Auto)
}

/// The refusals as `line: message`, and the names of what can be generated.
fn refusals(proto: &str, settings: &str) -> (Vec<String>, Vec<String>) {
    let planned = plan(proto, settings);
    assert_eq!(planned.refused.len(), planned.diagnostics.iter().filter(|d| d.is_error()).count());
    let refused = planned
        .refused
        .iter()
        .map(|(_, reason)| format!("{}: {}", reason.span.as_ref().map_or(0, |s| s.line), reason.message))
        .collect();
    (refused, planned.plan.messages.iter().map(|m| m.proto_name.clone()).collect())
}

#[test]
fn what_is_not_supported_is_refused_with_its_line_and_what_holds_it_too() {
    let settings = "[fields]\n\"Bad.m\" = { storage = \"streamed\" }\n";
    let (refused, planned) = refusals(
        "message Good { uint32 a = 1; }\nmessage Bad {\n  repeated bytes m = 1;\n}\nmessage Holds { Bad bad = 1; Good good = 2; }\n",
        settings,
    );
    assert_eq!(
        refused,
        [
            "4: field Bad.m: streaming a repeated field is not supported yet",
            "6: field Holds.bad is of type Bad, which cannot be generated",
        ]
    );
    assert_eq!(planned, ["Good"]);
}

#[test]
fn an_ignored_field_refuses_nothing() {
    let settings = "[fields]\n\"Bad.m\" = { storage = \"ignored\" }\n";
    let (refused, planned) = refusals("message Bad { Bad m = 1; uint32 a = 2; }", settings);
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(planned, ["Bad"]);
}

#[test]
fn a_map_brings_its_entries_which_take_the_style_of_its_message() {
    let schema = Schema::of_text(
        "syntax = \"proto3\";\nmessage M { map<bool, uint32> m = 1; map<string, M2> n = 2; }\nmessage M2 { uint32 a = 1; }",
        "version = 1\n[defaults]\nmax_count = 5\nmax_len = 4\n[messages]\nM = { optimize = \"speed\" }\nM2 = { optimize = \"size\" }\n",
    );
    let plan = lower(&schema.model, &schema.limits, &Choices::default()).plan;
    let styles: Vec<_> = plan.messages.iter().map(|m| (m.proto_name.as_str(), m.style)).collect();
    use Style::{Straight, Table};
    assert_eq!(styles, [("M", Straight), ("MEntry", Straight), ("NEntry", Straight), ("M2", Table)]);
    // A map of bool keys has two entries at most.
    let caps = plan.messages[0].fields.iter().map(|f| match f.storage {
        Storage::List { cap, .. } => cap,
        _ => 0,
    });
    assert_eq!(caps.collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn maps_and_groups_do_not_stream() {
    let settings = "version = 1\n[defaults]\nmax_count = 5\nmax_len = 4\n[fields]\n\"S.a\" = { storage = \"streamed\" }\n";
    let text = "syntax = \"proto2\";\nmessage S { optional bytes a = 1; }\nmessage M { map<int32, S> m = 1; }\nmessage G { optional group H = 1 { optional S s = 2; } }\n";
    let planned = Schema::of_text(text, settings).plan(Optimize::Auto);
    let refused: Vec<&str> = planned.refused.iter().map(|(_, reason)| reason.message.as_str()).collect();
    assert_eq!(
        refused,
        [
            "field M.m is of type M.MEntry, which cannot be generated",
            "map entry M.MEntry holds a streamed field, which is not supported yet",
            "field G.h: a group that holds a streamed field is not supported yet",
        ]
    );
}

#[test]
fn recursion_is_refused_with_the_path_of_its_cycle() {
    let (refused, planned) = refusals(
        "message A { B b = 1; }\nmessage B { repeated C c = 1; }\nmessage C { A a = 1; }\nmessage D { D d = 1; }\nmessage E { A a = 1; }\n",
        "",
    );
    assert_eq!(refused.len(), 5);
    assert!(refused[0].starts_with("2: message A holds itself (A.b -> B.c -> C.a -> A)"), "{refused:?}");
    assert!(refused[3].starts_with("5: message D holds itself (D.d -> D)"), "{refused:?}");
    assert!(refused[4].starts_with("6: field E.a is of type A"), "{refused:?}");
    assert!(planned.is_empty());
}

#[test]
fn narrow_integers_and_streamed_lists_are_refused_by_name() {
    let settings = "[fields]\n\"W.a\" = { int_width = 8 }\n\"S.a\" = { storage = \"streamed\" }\n\"S.b\" = { storage = \"streamed\" }\n";
    let (refused, _) = refusals(
        "message W { uint32 a = 1; }\nmessage S { repeated bytes a = 1; oneof o { string b = 2; } }",
        settings,
    );
    assert_eq!(
        refused,
        [
            "2: field W.a: a narrowed integer (`int_width`) is not supported yet",
            "3: field S.a: streaming a repeated field is not supported yet",
        ]
    );
}

#[test]
fn a_chain_of_ten_thousand_messages_is_planned_without_recursion() {
    let mut proto = String::from("message M0 { uint32 a = 1; }\n");
    for n in 1..10_000 {
        proto.push_str(&format!("message M{n} {{ uint32 a = 1; }}\n"));
    }
    let mut schema = Schema::of_text(&format!("syntax = \"proto3\";\n{proto}"), "version = 1\n");
    // Each holds the one before: the chain is made here because the compiler itself follows types only so far.
    for n in 1..schema.model.messages.len() {
        schema.model.messages[n].fields[0].kind =
            wirebench_engine::schema::Kind::Message(wirebench_engine::schema::MessageId(n as u32 - 1));
        schema.model.messages[n].fields[0].presence = wirebench_engine::schema::Presence::Explicit;
    }
    let planned = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || schema.plan(Optimize::Size))
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(planned.plan.messages.len(), 10_000);
}

#[test]
fn each_setting_gives_its_style_and_a_choice_overrides_it() {
    let schema = Schema::of_text(
        "syntax = \"proto3\";\nmessage A { uint32 a = 1; }\nmessage Far { uint32 a = 5000; }",
        "version = 1\n[messages]\n\"A\" = { optimize = \"speed\" }\n",
    );
    let style = |choices: &Choices, name: &str| {
        let planned = lower(&schema.model, &schema.limits, choices);
        planned.plan.message(schema.model.find_message(name).unwrap()).unwrap().style
    };
    let optimize = |o| Choices { optimize: Some(o), ..Choices::default() };
    assert_eq!(style(&Choices::default(), "A"), Style::Straight);
    assert_eq!(style(&optimize(Optimize::Size), "A"), Style::Table);
    assert_eq!(style(&optimize(Optimize::Balanced), "A"), Style::Calls);
    assert_eq!(style(&optimize(Optimize::Size), "Far"), Style::Straight, "a table holds numbers up to 2047");
    let id = schema.model.find_message("A").unwrap();
    let chosen = Choices { optimize: Some(Optimize::Size), styles: [(id, Style::Calls)].into() };
    assert_eq!(style(&chosen, "A"), Style::Calls);
}

#[test]
fn a_parent_widens_the_direction_of_its_child_and_says_so() {
    let settings =
        "[messages]\n\"Child\" = { direction = \"encode\" }\n\"Alone\" = { direction = \"encode\" }\n";
    let planned = plan(
        "message Child { uint32 a = 1; }\nmessage Parent { Child c = 1; }\nmessage Alone { Child c = 1; }",
        settings,
    );
    let notes: Vec<String> = planned.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("Child is generated in both directions, because Parent needs it"), "{notes:?}");
    let text = print(&planned.plan).text;
    assert_eq!(text.matches("const DECODES: bool = false;").count(), 1);
}

#[test]
fn messages_in_use_bring_what_they_hold_and_nothing_else() {
    let planned = plan(
        "message A { B b = 1; }\nmessage B { uint32 a = 1; }\nmessage C { uint32 a = 1; }",
        "in_use = [\"A\"]\n",
    );
    let names: Vec<&str> = planned.plan.messages.iter().map(|m| m.proto_name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn message_sizes_and_longest_encodings_of_the_comparison() {
    let expected = [
        ("telemetry", "Telemetry", 32, 50),
        ("telemetry_batch", "TelemetryBatch", 336, 477),
        ("configuration", "Configuration", 208, 238),
        ("command", "DeviceCommand", 12, 12),
        ("firmware_chunk", "FirmwareChunk", 272, 277),
        ("firmware_chunk_streamed", "FirmwareChunk", 12, 277),
    ];
    for (file, name, size, longest) in expected {
        let schema = Schema::of_repository(&[&format!("{file}.proto")]);
        let planned = schema.plan(Optimize::Auto);
        let message = planned.plan.messages.iter().find(|m| m.proto_name == name).unwrap();
        assert_eq!(message.layout.size, size, "{name}");
        assert_eq!(message.max_encoded, MaxEncoded::Bounded(Bytes(longest)), "{name}");
    }
}

#[test]
fn every_field_has_code_in_every_style() {
    let schema = Schema::of_repository(&["configuration.proto"]);
    for style in Optimize::ALL {
        let planned = schema.plan(style);
        let printed = print(&planned.plan);
        for (id, origin) in schema.model.origins.iter() {
            if *origin == Origin::Runtime {
                continue;
            }
            let spans = printed.spans.iter().filter(|s| s.origin == id).count();
            let least = if matches!(origin, Origin::Field(_)) { 2 } else { 1 };
            assert!(spans >= least, "{style:?}: {origin:?} has {spans} spans");
        }
        for span in &printed.spans {
            assert!(printed.text.is_char_boundary(span.range.start) && span.range.end <= printed.text.len());
        }
        let at = printed.text.find("report_interval_ms: u32").unwrap();
        let origin = schema.model.origins.get(printed.origin_at(at).unwrap());
        assert!(matches!(origin, Origin::Field(key) if key.number == 4), "{origin:?}");
    }
}
