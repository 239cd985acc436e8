//! Samples as JSON: what is refused and in which words, what is kept.

use wirebench_engine::wire::{self, json};

use crate::support::{hex, schema, to_hex};

const SCHEMA: &str = r#"syntax = "proto3";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message T {
  uint32 u = 1; E e = 2; bytes b = 3; oneof o { uint32 x = 4; Sub y = 5; } repeated int32 r = 6;
  map<int32, Sub> m = 7; string some_text = 8; float f = 9; double d = 10; int64 l = 11; repeated Sub subs = 12;
  google.protobuf.Timestamp at = 20; google.protobuf.Duration took = 21; google.protobuf.Int64Value w = 22;
  google.protobuf.Struct s = 23; google.protobuf.Value v = 24; google.protobuf.Any any = 25;
  google.protobuf.FieldMask mask = 26; google.protobuf.NullValue nothing = 27; google.protobuf.Empty empty = 28;
  optional bool flag = 30;
}
message Sub { uint32 k = 1; Sub inner = 2; }
enum E { ZERO = 0; ONE = 1; }
"#;

/// Each mistake as `line:column message`.
fn mistakes(text: &str) -> Vec<String> {
    let (model, id) = schema(SCHEMA);
    let found = json::parse(&model, id, "sample.json", text).expect_err(text);
    found.iter().map(|d| d.to_string().replace("sample.json:", "").replace(" error:", "")).collect()
}

#[test]
fn mistakes_name_line_column_field_and_what_to_do() {
    for (text, wanted) in [
        ("{\n  \"u\": -1\n}", "2:8: u: -1 does not fit unsigned 32 bits: 0 to 4294967295"),
        (r#"{"u":1.5}"#, "1:6: u: expected a whole number: 1.5 has a fraction"),
        (r#"{"u":""}"#, "1:6: u: expected a whole number: \"\" is not a number"),
        (r#"{"u":true}"#, "1:6: u: expected a whole number, found true or false"),
        (r#"{"u":1,"u":2}"#, "1:8: u: the key \"u\" stands here twice"),
        (
            r#"{"someText":"","some_text":""}"#,
            "1:16: some_text: \"someText\" and \"some_text\" are the same field",
        ),
        (r#"{"x":1,"y":{}}"#, "1:8: y: x is set already, and o holds only one of its members"),
        (r#"{"e":"ONEE"}"#, "1:6: e: E has no value \"ONEE\"\n  help: did you mean \"ONE\"?"),
        (r#"{"e":"NOPE"}"#, "1:6: e: E has no value \"NOPE\"\n  help: it has ZERO, ONE"),
        (r#"{"b":"***"}"#, "1:6: b: expected base64: '*' is not a base64 character"),
        (r#"{"r":[1,null]}"#, "1:9: r[1]: null is not allowed in a list"),
        (r#"{"r":7}"#, "1:6: r: expected a list, found a number"),
        (r#"{"m":{"1":{},"01":{}}}"#, "1:14: m[\"01\"]: the map has this key already"),
        (r#"{"m":{"x":{}}}"#, "1:7: m[\"x\"]: expected a whole number: \"x\" is not a number"),
        (
            r#"{"subs":[{},{"inner":{"k":"z"}}]}"#,
            "1:27: subs[1].inner.k: expected a whole number: \"z\" is not a number",
        ),
        (r#"{"sometext":""}"#, "1:2: T has no field \"sometext\"\n  help: did you mean \"someText\"?"),
        (r#"{"f":1e39}"#, "1:6: f: 1e39 is too large for a float"),
        (r#"{"d":1e309}"#, "1:6: d: 1e309 is too large for a double"),
        (r#"{"f":"nan"}"#, "1:6: f: \"nan\" is not a number; NaN, Infinity and -Infinity stand in quotes"),
        (
            r#"{"at":"2023-02-30T00:00:00Z"}"#,
            "1:7: at: expected a time like \"2026-11-05T12:30:00Z\": there is no day 2023-02-30",
        ),
        (r#"{"any":{"@type":"x/Nope"}}"#, "1:17: any: no imported file declares the message \"Nope\""),
        (
            r#"{"u":1,}"#,
            "1:8: expected a field name in double quotes, found '}'\n  help: remove the comma before it",
        ),
        ("[]", "1:1: expected an object (T), found a list"),
    ] {
        assert_eq!(mistakes(text), [wanted], "{text}");
    }
}

#[test]
fn all_mistakes_are_found_at_once() {
    assert_eq!(mistakes(r#"{"u":-1,"e":"X","r":["a",2,"b"]}"#).len(), 4);
}

#[test]
fn a_closed_enum_takes_only_its_own_numbers() {
    let (model, id) = schema("syntax = \"proto2\"; message T { optional E e = 1; } enum E { A = 1; }");
    let found = json::parse(&model, id, "s", r#"{"e":7}"#).expect_err("a closed enum");
    assert_eq!(found[0].message, "e: E has no value 7, and is closed");
    let (model, id) = schema("syntax = \"proto3\"; message T { E e = 1; } enum E { A = 0; }");
    let open = json::parse(&model, id, "s", r#"{"e":7}"#).unwrap();
    assert_eq!(json::to_value(&model, id, &open).to_string(), r#"{"e":7}"#);
}

/// What prost-reflect's ProtoJSON cannot be asked about, and why.
const LEFT_TO_US: [(&str, &str); 3] = [
    ("-0.0", "it does not tell -0.0 from 0.0"),
    ("NaN", "its NaN does not equal itself"),
    ("3.4028235e38", "it says that the largest float is out of range"),
];

/// Text, the bytes it stands for, and the text it comes back as.
#[test]
fn values_come_back_as_people_write_them() {
    let (model, id) = schema(SCHEMA);
    for text in [
        r#"{"u":7,"e":"ONE","b":"+/8=","y":{"k":1},"r":[-1,2],"m":{"-5":{"k":3}},"someText":"é\n"}"#,
        r#"{"f":0.1,"d":-0.0,"l":"-9223372036854775808"}"#,
        r#"{"f":"NaN","d":"-Infinity"}"#,
        r#"{"f":3.4028235e38,"d":5e-324}"#,
        r#"{"at":"2023-11-14T22:13:20.500Z","took":"-1.000000001s","w":"0"}"#,
        r#"{"s":{"a":[1.5,"x",true,null,{"b":{}}]},"v":null}"#,
        r#"{"v":[]}"#,
        r#"{"any":{"@type":"type.googleapis.com/Sub","k":5}}"#,
        r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}}"#,
        r#"{"mask":"someText,y.k","empty":{},"flag":false}"#,
        r#"{"x":0}"#,
        "{}",
    ] {
        let value = json::parse(&model, id, "s", text).unwrap_or_else(|e| panic!("{text}: {e:#?}"));
        let bytes = wire::encode_bytes(&model, id, &value);
        let decoded = wire::annotate(&model, Some(id), &bytes);
        assert!(decoded.problems.is_empty(), "{text}: {:#?}", decoded.problems);
        assert_eq!(decoded.value, value, "{text}");
        let printed = json::to_value(&model, id, &decoded.value).to_string();
        assert_eq!(printed, text.replace("e38", "e+38"), "{}", to_hex(&bytes));
        if LEFT_TO_US.iter().any(|(part, _)| text.contains(part)) {
            continue;
        }
        let descriptor = model.pool.get_message_by_name("T").unwrap();
        let mut reader = serde_json::Deserializer::from_str(text);
        let other = prost_reflect::DynamicMessage::deserialize(descriptor.clone(), &mut reader).unwrap();
        let decoded = prost_reflect::DynamicMessage::decode(descriptor, bytes.as_slice()).unwrap();
        assert_eq!(other, decoded, "{text}");
    }
}

#[test]
fn what_no_text_form_can_say_is_shown_as_plain_fields() {
    let (model, id) = schema(SCHEMA);
    // A time after the year 9999 and one with negative nanoseconds.
    for (bytes, wanted) in [
        ("a2010708808090abcf44", r#"{"at":{"seconds":"2357759049728"}}"#),
        ("a2010b10ffffffffffffffffff01", r#"{"at":{"nanos":-1}}"#),
        ("ca01020a00", r#"{"any":{}}"#),
    ] {
        let decoded = wire::annotate(&model, Some(id), &hex(bytes));
        assert!(decoded.is_valid(), "{bytes}: {:#?}", decoded.problems);
        assert_eq!(json::to_value(&model, id, &decoded.value).to_string(), wanted);
    }
}

#[test]
fn a_value_is_found_again_in_the_text() {
    let (model, id) = schema(SCHEMA);
    let text = "{\n \"subs\": [{}, {\"k\": 5}],\n \"someText\": \"x\"\n}";
    let place = |path| json::locate(&model, id, "s", text, path).map(|s| (s.line, s.column, &text[s.range]));
    assert_eq!(place("subs[1].k"), Some((2, 21, "5")));
    assert_eq!(place("some_text"), Some((3, 14, "\"x\"")));
    assert_eq!(place("subs[1].inner.k"), Some((2, 15, "{\"k\": 5}")), "the innermost part that is there");
}
