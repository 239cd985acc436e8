//! What the spans of a message say, with a schema, without one, and by the user's choice.

use wirebench_engine::origin::Origin;
use wirebench_engine::wire::{self, Choices, ReadAs, Role, Standing, annotate_with};

use crate::support::{annotate, check_spans, hex, schema};

/// One line per span: offsets, role, path, text.
fn listing(
    model: Option<&wirebench_engine::schema::Model>,
    bytes: &[u8],
    annotated: &wire::Annotated,
) -> Vec<String> {
    let line = |at: usize| {
        let span = &annotated.spans[at];
        let (path, text) = (annotated.path(model, at), annotated.text(model, bytes, at));
        format!("{}..{} {:?} {path}: {text}", span.start, span.end, span.role)
    };
    (0..annotated.spans.len()).filter(|at| annotated.spans[*at].is_leaf()).map(line).collect()
}

const SCHEMA: &str = "syntax = \"proto3\";
    message T { uint32 id = 1; repeated Sub subs = 2; repeated sint32 deltas = 3; string name = 4; E e = 5; }
    message Sub { float x = 1; bytes raw = 2; }
    enum E { ZERO = 0; ONE = 1; }";

#[test]
fn every_leaf_says_what_it_is_and_where_it_belongs() {
    let (model, id) = schema(SCHEMA);
    let bytes = hex("08b424 12050d0000ac41 12021200 1a020185 2202c3a9 2801 2807 f80701");
    let annotated = annotate(&model, Some(id), &bytes);
    let wanted = "\
        0..1 Tag id: field 1 id, VARINT
        1..3 Value id: 4660
        3..4 Tag subs[0]: field 2 subs, LEN
        4..5 Length subs[0]: 5 bytes
        5..6 Tag subs[0].x: field 1 x, I32
        6..10 Value subs[0].x: 21.5
        10..11 Tag subs[1]: field 2 subs, LEN
        11..12 Length subs[1]: 2 bytes
        12..13 Tag subs[1].raw: field 2 raw, LEN
        13..14 Length subs[1].raw: 0 bytes
        14..15 Tag deltas[0]: field 3 deltas, LEN
        15..16 Length deltas[0]: 2 bytes
        16..17 PackedItem deltas[0]: -1
        17..18 PackedItem deltas[1]: damaged: 85
        18..19 Tag name: field 4 name, LEN
        19..20 Length name: 2 bytes
        20..22 Value name: \"é\"
        22..23 Tag e: field 5 e, VARINT
        23..24 Value e: ONE (1)
        24..25 Tag e: field 5 e, VARINT
        25..26 Value e: 7
        26..28 Tag #127: field 127, VARINT
        28..29 Value #127: 1";
    let wanted: Vec<&str> = wanted.lines().map(str::trim).collect();
    assert_eq!(listing(Some(&model), &bytes, &annotated), wanted);
}

#[test]
fn spans_carry_the_origin_of_their_field() {
    let (model, id) = schema(SCHEMA);
    let bytes = hex("1203120120 0a0178");
    let annotated = annotate(&model, Some(id), &bytes);
    let origin = |offset| {
        let leaf = &annotated.spans[wire::leaf_at(&annotated.spans, offset).unwrap()];
        leaf.origin.map(|origin| model.origins.get(origin).clone())
    };
    let is = |origin: Option<Origin>, message: &str, number: u32| matches!(origin, Some(Origin::Field(key)) if &*key.message == message && key.number == number);
    assert!(is(origin(0), "T", 2));
    assert!(is(origin(2), "Sub", 2));
    // A known number with another wire type still belongs to its field.
    assert!(is(origin(5), "T", 1));
    let last = annotated.spans.last().unwrap();
    assert_eq!(last.standing, Standing::OtherWireType);
}

#[test]
fn without_a_schema_nested_messages_and_text_are_found() {
    let bytes = hex("089601 12070a03616263 1801 1a056d6f746f72 25 0000ac41");
    let annotated = wire::annotate_raw(&bytes);
    let texts: Vec<String> =
        listing(None, &bytes, &annotated).into_iter().filter(|l| l.contains("Value")).collect();
    assert_eq!(
        texts,
        [
            "1..3 Value #1: 150",
            "7..10 Value #2.#1: \"abc\"",
            "11..12 Value #2.#3: 1",
            "14..19 Value #3: \"motor\"",
            "20..24 Value #4: 21.5",
        ]
    );
    assert!(annotated.problems.is_empty());
    assert_eq!(annotated.value.unknown.len(), 4);
}

#[test]
fn the_users_choice_decides_how_unknown_bytes_are_read() {
    let (model, id) = schema(SCHEMA);
    let bytes = hex("d2061a 0a04 61626364 1205 0102ac0205 1a08 0000803f00000040 220128");
    let nested = |choices: &Choices| {
        let annotated = annotate_with(Some(&model), Some(id), &bytes, choices);
        check_spans(&model, &bytes, &annotated);
        listing(Some(&model), &bytes, &annotated)
    };
    assert!(nested(&Choices::default()).contains(&"5..9 Value #106.#1: \"abcd\"".to_owned()));
    let mut choices = Choices::default();
    choices.0.insert(vec![106, 1], ReadAs::PackedVarints);
    choices.0.insert(vec![106, 2], ReadAs::PackedVarints);
    choices.0.insert(vec![106, 3], ReadAs::PackedFixed32);
    choices.0.insert(vec![106, 4], ReadAs::Message);
    let chosen = nested(&choices);
    for wanted in [
        "5..6 PackedItem #106.#1: 97",
        "13..15 PackedItem #106.#2: 300",
        "18..22 PackedItem #106.#3: 1",
        "28..29 Tag #106.#4.#5: field 5, VARINT",
    ] {
        assert!(chosen.contains(&wanted.to_owned()), "{wanted} is not in {chosen:#?}");
    }
    choices.0.insert(vec![106], ReadAs::Bytes);
    assert_eq!(nested(&choices).len(), 3, "tag, length and one run of bytes");
}

#[test]
fn what_wins_is_said_at_the_value_that_loses() {
    let (model, id) = schema(
        "syntax = \"proto3\"; message T { uint32 n = 1; T t = 2; oneof o { uint32 a = 3; string b = 4; } }",
    );
    for (bytes, wanted) in [
        ("0801 0802", "offset 0, n: the field occurs again at offset 2: the last value wins"),
        ("1200 1200", "offset 0, t: the message occurs again at offset 2: both are merged"),
        ("1801 2200", "offset 0, a: the oneof o is set again at offset 2: b wins"),
        ("1204 0801 0802", "offset 2, t.n: the field occurs again at offset 4: the last value wins"),
    ] {
        let found = annotate(&model, Some(id), &hex(bytes)).problems;
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [wanted]);
    }
}

/// A required field may come with a later part of its message.
#[test]
fn required_fields_are_missed_only_when_the_whole_message_lacks_them() {
    let (model, id) = schema(
        "syntax = \"proto2\"; message T { optional Sub s = 1; repeated Sub r = 2; } message Sub { required uint32 a = 1; required uint32 b = 2; }",
    );
    let missing = |text: &str| {
        let found = annotate(&model, Some(id), &hex(text));
        let words: Vec<String> = found
            .problems
            .iter()
            .filter(|p| p.kind == wire::ProblemKind::MissingRequired)
            .map(ToString::to_string)
            .collect();
        (found.is_valid(), words)
    };
    assert_eq!(missing("0a020801 0a021001"), (true, vec![]));
    assert_eq!(missing("0a020801"), (false, vec!["offset 0, s: the required field b is missing".to_owned()]));
    let (_, words) = missing("1204 08011001 1200");
    assert_eq!(
        words,
        [
            "offset 6, r[1]: the required field a is missing",
            "offset 6, r[1]: the required field b is missing"
        ]
    );
}

#[test]
fn sizes_say_where_the_bytes_go() {
    let (model, id) = schema(SCHEMA);
    let bytes = hex("08b424 12050d0000ac41 12050d0000ac41 f80701");
    let sizes = wire::sizes(&annotate(&model, Some(id), &bytes).spans);
    let all: Vec<(u64, u64, u64, u64)> =
        sizes.fields.iter().map(|f| (f.records, f.tag, f.length, f.payload)).collect();
    // id, subs, subs.x, unknown.
    assert_eq!(all, [(1, 1, 0, 2), (2, 2, 2, 0), (2, 2, 0, 8), (1, 2, 0, 1)]);
    assert_eq!((sizes.total, sizes.overhead), (20, 9));
    assert_eq!(sizes.overhead_percent(), 45.0);
    assert_eq!(wire::sizes(&[]).overhead_percent(), 0.0);
}

/// Problems are listed up to a thousand; all are counted.
#[test]
fn a_flood_of_problems_is_cut_and_counted() {
    let (model, id) = schema(SCHEMA);
    let bytes = [0x00, 0x00].repeat(5000);
    let annotated = annotate(&model, Some(id), &bytes);
    assert_eq!((annotated.errors, annotated.problems.len()), (5000, 1001));
    assert_eq!(annotated.problems[1000].message, "4000 more problems are not listed");
    assert!(annotated.spans.iter().filter(|s| s.role == Role::Tag).count() == 5000);
}

#[test]
fn a_wrong_guess_about_an_unknown_payload_is_no_error() {
    let (model, id) = schema("syntax = \"proto3\"; message T { optional bool a = 1; }");
    // Field 1 with another wire type; the payload starts a group that another one ends.
    let bytes = hex("0a024b14");
    let annotated = annotate(&model, Some(id), &bytes);
    assert!(annotated.is_valid(), "{:?}", annotated.problems);
    check_spans(&model, &bytes, &annotated);
}
