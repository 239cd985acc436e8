//! Every case with bytes: accepted or refused as it should be, the right values, the right canonical bytes.

use wirebench_engine::schema::{MessageId, Model};
use wirebench_engine::wire::{self, ProblemKind, json};

use crate::support::{self, annotate, case_folder, case_names, hex, to_hex};

/// Lines where `right:` wants something else than the tool whose results `expected.txt` records (upb).
const OTHER_THAN_UPB: [(&str, usize, &str); 4] = [
    ("W17", 7, "upb keeps an entry with an unknown field as unknown as a whole; right is to skip the field"),
    ("W22", 1, "the recorded JSON is the text of a Python object"),
    ("W22", 2, "the recorded JSON is the text of a Python object"),
    ("W31", 9, "JSON has only one NaN; the bits are compared by the encoding"),
];

/// What upb said about one line of `input.hex`.
struct Recorded {
    line: usize,
    /// JSON and canonical bytes; `None` if it refused the bytes.
    accepted: Option<(String, String)>,
}

fn recorded(expected: &str) -> Vec<Recorded> {
    let mut all = Vec::new();
    for text in expected.lines() {
        let Some((line, rest)) = text.strip_prefix("line ").and_then(|t| t.split_once(": upb ")) else {
            continue;
        };
        let line = line.parse().unwrap();
        let accepted = rest.strip_prefix("ok json=").map(|rest| {
            let (json, bytes) = rest.rsplit_once(" reenc=").unwrap();
            (json.to_owned(), bytes.to_owned())
        });
        assert!(accepted.is_some() || rest.starts_with("error"), "{text}");
        all.push(Recorded { line, accepted });
    }
    all
}

fn message_type(model: &Model, expected: &str) -> MessageId {
    let name = expected.lines().find_map(|l| l.strip_prefix("type: ")).unwrap_or("T");
    model.find_message(name).unwrap_or_else(|| panic!("no message {name}"))
}

#[test]
fn bytes_are_accepted_or_refused_and_mean_what_they_should() {
    let mut checked = 0;
    for case in case_names() {
        let folder = case_folder().join(&case);
        let Ok(input) = std::fs::read_to_string(folder.join("input.hex")) else { continue };
        let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
        let Some((model, _)) = support::load(folder, "schema.proto") else { continue };
        let id = message_type(&model, &expected);
        let lines: Vec<&str> =
            input.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).collect();
        for Recorded { line, accepted } in recorded(&expected) {
            let bytes = if lines[line - 1].trim() == "-" { Vec::new() } else { hex(lines[line - 1]) };
            let place = format!("{case} line {line} ({})", lines[line - 1]);
            let annotated = annotate(&model, Some(id), &bytes);
            checked += 1;
            let Some((json, canonical)) = accepted else {
                assert!(!annotated.is_valid(), "{place} must be refused: {annotated:#?}");
                continue;
            };
            assert!(annotated.is_valid(), "{place} must be accepted: {:#?}", annotated.problems);
            if !canonical.ends_with("...") {
                assert_eq!(to_hex(&wire::encode_bytes(&model, id, &annotated.value)), canonical, "{place}");
            }
            if OTHER_THAN_UPB.iter().any(|(c, l, _)| (*c, *l) == (case.as_str(), line)) {
                continue;
            }
            let mut known = annotated.value.clone();
            without_unknown(&mut known);
            let from_json =
                json::parse(&model, id, "expected.txt", &json).unwrap_or_else(|e| panic!("{place}: {e:#?}"));
            assert_eq!(json::to_value(&model, id, &known), json::to_value(&model, id, &from_json), "{place}");
        }
    }
    assert!(checked > 150, "only {checked} lines were found");
}

fn without_unknown(value: &mut wire::MessageValue) {
    value.unknown.clear();
    for field in &mut value.fields {
        match &mut field.value {
            wire::Value::Message(inner) => without_unknown(inner),
            wire::Value::List(items) => {
                for item in items {
                    if let wire::Value::Message(inner) = item {
                        without_unknown(inner);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The encoding of a sample as upb wrote it; maps and NaN apart, libraries agree on canonical bytes.
#[test]
fn samples_encode_to_the_canonical_bytes_or_are_refused_with_their_place() {
    let mut checked = 0;
    for case in case_names() {
        let folder = case_folder().join(&case);
        let Ok(sample) = std::fs::read_to_string(folder.join("sample.json")) else { continue };
        let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
        let Some((model, _)) = support::load(folder, "schema.proto") else { continue };
        let id = message_type(&model, &expected);
        let parsed = json::parse(&model, id, "sample.json", &sample);
        checked += 1;
        if expected.contains("right: Refused") {
            let found = parsed.expect_err(&case);
            let span = found[0].span.as_ref().expect("a place");
            assert!(span.line == 1 && span.column > 1, "{case}: {found:?}");
            continue;
        }
        let value = parsed.unwrap_or_else(|e| panic!("{case}: {e:#?}"));
        let bytes = wire::encode_bytes(&model, id, &value);
        let upb = expected.lines().find_map(|l| l.strip_prefix("sample.json: upb ok enc="));
        assert_eq!(Some(to_hex(&bytes).as_str()), upb, "{case}");
        let annotated = annotate(&model, Some(id), &bytes);
        assert!(annotated.problems.is_empty(), "{case}: {:#?}", annotated.problems);
        assert_eq!(annotated.value, value, "{case}");
        let printed = json::print(&model, id, &value);
        let again = json::parse(&model, id, "printed", &printed).unwrap_or_else(|e| panic!("{case}: {e:#?}"));
        assert_eq!(wire::encode_bytes(&model, id, &again), bytes, "{case}: {printed}");
    }
    assert!(checked >= 12, "only {checked} samples were found");
}

#[test]
fn problems_name_offset_path_and_values() {
    let (model, _) = support::load(case_folder().join("W08"), "schema.proto").unwrap();
    let id = model.find_message("T").unwrap();
    let first = |text: &str| {
        let annotated = annotate(&model, Some(id), &hex(text));
        annotated.problems.first().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(first("08ac021205686c"), "offset 5, s: the length says 5 bytes, only 2 are left");
    assert_eq!(first("1a0108"), "offset 3, m.k: the value is missing");
    assert_eq!(first("1a0508"), "offset 2, m: the length says 5 bytes, only 1 is left");
    assert_eq!(first("25000000"), "offset 1, f: the value takes 4 bytes, only 3 are left");
    assert_eq!(first("0f"), "offset 0: field 1 has wire type 7, which does not exist");
    assert_eq!(first("000807"), "offset 0, #0: field number 0 is not allowed");
    assert_eq!(first("f807"), "offset 0, #127: the schema has no field 127 (VARINT)");
    assert_eq!(first("1a02120a"), "offset 2, m.#2: the schema has no field 2 (LEN)");
    assert_eq!(first("320401028080"), "offset 4, r[2]: the last packed item ends in the middle");
}

/// W19: what a closed enum does not name is unknown, and still shown as what it is.
#[test]
fn reading_goes_on_behind_every_problem_that_has_an_end() {
    let (model, id) = support::schema(
        "syntax = \"proto2\"; enum E { A = 1; } message T { optional E e = 1; optional uint32 n = 2; repeated T t = 3; }",
    );
    for (text, kind) in [
        ("0807 1005", ProblemKind::UnknownEnumValue),
        ("0a00 1005", ProblemKind::OtherWireType),
        ("0000 1005", ProblemKind::FieldNumber),
        ("08ffffffffffffffffffff01 1005", ProblemKind::VarintTooLong),
        ("1a03 08ffff 1005", ProblemKind::Cut),
        ("1a03 0f0000 1005", ProblemKind::WireType),
        ("a401 1005", ProblemKind::Group),
        ("808080801000 1005", ProblemKind::FieldNumber),
    ] {
        let annotated = annotate(&model, Some(id), &hex(text));
        assert_eq!(
            annotated.problems.first().map(|p| p.kind),
            Some(kind),
            "{text}: {:#?}",
            annotated.problems
        );
        assert_eq!(annotated.value.get(2), Some(&wire::Value::Unsigned(5)), "{text}");
    }
}
