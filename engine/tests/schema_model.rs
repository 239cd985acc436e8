//! What the model says of a field is what protobuf means by its declaration.

use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::origin::{FieldKey, Origin};
use wirebench_engine::schema::{
    Cardinality, DefaultValue, Field, Kind, Message, Model, Presence, Syntax, check,
};

fn model(text: &str) -> Model {
    let files = MemoryFiles::default().with("a.proto", text);
    let checked = check(&Input { roots: vec!["a.proto".to_owned()], ..Input::default() }, &files);
    checked.model.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics))
}

fn message<'m>(model: &'m Model, name: &str) -> &'m Message {
    model.message(model.find_message(name).expect("the message is declared"))
}

fn field<'m>(model: &'m Model, of: &str, name: &str) -> &'m Field {
    message(model, of).fields.iter().find(|field| field.proto_name == name).expect("the field is declared")
}

#[test]
fn results_can_be_handed_between_threads() {
    fn check_type<T: Send + Sync + 'static>() {}
    check_type::<wirebench_engine::schema::Checked>();
    check_type::<wirebench_engine::options::Resolved>();
}

#[test]
fn presence_follows_syntax_label_and_oneof() {
    let proto3 = model(
        "syntax = \"proto3\"; message T { int32 a = 1; optional int32 b = 2; T c = 3; repeated int32 d = 4; \
         map<int32, T> e = 5; oneof o { int32 f = 6; } }",
    );
    let proto2 =
        model("syntax = \"proto2\"; message T { optional int32 a = 1; required T b = 2; repeated T c = 3; }");
    let presence = |model: &Model| message(model, "T").fields.iter().map(|f| f.presence).collect::<Vec<_>>();
    use Presence::{Explicit, Implicit, Required};
    assert_eq!(presence(&proto3), [Implicit, Explicit, Explicit, Implicit, Implicit, Explicit]);
    assert_eq!(presence(&proto2), [Explicit, Required, Implicit]);
}

#[test]
fn a_proto3_optional_is_in_no_oneof() {
    let model =
        model("syntax = \"proto3\"; message T { optional int32 a = 1; oneof o { int32 b = 2; T c = 3; } }");
    let message = message(&model, "T");
    assert_eq!(message.oneofs.len(), 1);
    assert_eq!(message.oneofs[0].fields, [1, 2]);
    assert_eq!(message.fields.iter().map(|f| f.oneof).collect::<Vec<_>>(), [None, Some(0), Some(0)]);
}

#[test]
fn packing_follows_syntax_type_and_option() {
    let text = "message T { repeated int32 a = 1; repeated int32 b = 2 [packed = false]; \
                repeated int32 c = 3 [packed = true]; repeated string d = 4; \
                repeated int32 e = 5 [deprecated = true]; }";
    let packed = |syntax: &str| {
        let model = model(&format!("syntax = \"{syntax}\"; {text}"));
        message(&model, "T").fields.iter().map(|f| f.packed).collect::<Vec<_>>()
    };
    assert_eq!(packed("proto3"), [true, false, true, false, true]);
    assert_eq!(packed("proto2"), [false, false, true, false, false]);
}

#[test]
fn enums_are_closed_and_strings_unchecked_in_proto2_only() {
    let proto3 = model("syntax = \"proto3\"; enum E { Z = 0; } message T { string s = 1; E e = 2; }");
    let proto2 = model(
        "syntax = \"proto2\"; enum E { Z = 1; } message T { optional string s = 1; optional E e = 2; }",
    );
    assert_eq!((proto3.enums[0].is_closed, field(&proto3, "T", "s").utf8_checked), (false, true));
    assert_eq!((proto2.enums[0].is_closed, field(&proto2, "T", "s").utf8_checked), (true, false));
    assert_eq!((proto2.files[0].syntax, proto3.files[0].syntax), (Syntax::Proto2, Syntax::Proto3));
}

#[test]
fn defaults_are_read_to_the_last_bit() {
    let text = include_str!("cases/S25/schema.proto");
    let model = model(text);
    let default = |name: &str| field(&model, "T", name).default.clone();
    use DefaultValue::{Bool, Enum, Float, Signed, Unsigned};
    assert_eq!(default("f1"), Some(Float(f64::INFINITY)));
    assert_eq!(default("f2"), Some(Float(f64::NEG_INFINITY)));
    assert!(matches!(default("f3"), Some(Float(value)) if value.is_nan()));
    assert!(matches!(default("f4"), Some(Float(value)) if value == 0.0 && value.is_sign_negative()));
    assert_eq!(default("f5"), Some(Float(f64::from(1e-45_f32))));
    assert_eq!(default("i1"), Some(Signed(i64::MIN)));
    assert_eq!(default("u1"), Some(Unsigned(u64::MAX)));
    assert_eq!(default("i2"), Some(Signed(i64::from(i32::MIN))));
    assert_eq!(default("u2"), Some(Unsigned(0o777)));
    assert_eq!((default("b1"), default("e1")), (Some(Bool(true)), Some(Enum(-1))));
}

#[test]
fn bytes_and_text_defaults_are_unescaped() {
    let model = model(
        "syntax = \"proto2\"; message T { optional bytes b = 1 [default = \"\\x00\\377a\\n\"]; \
         optional string s = 2 [default = 'x\\'\\101']; optional int32 none = 3; }",
    );
    assert_eq!(field(&model, "T", "b").default, Some(DefaultValue::Bytes(vec![0, 255, b'a', b'\n'])));
    assert_eq!(field(&model, "T", "s").default, Some(DefaultValue::Text("x'A".to_owned())));
    assert_eq!(field(&model, "T", "none").default, None);
}

#[test]
fn groups_and_maps_keep_their_messages() {
    let model = model(
        "syntax = \"proto2\"; message T { optional group Calib = 1 { optional int32 gain = 2; } map<string, T> m = 3; }",
    );
    let group = field(&model, "T", "calib");
    assert!(group.delimited && group.cardinality == Cardinality::Singular);
    assert_eq!(group.span.as_ref().map(|span| (span.line, span.column)), Some((1, 47)));
    let map = field(&model, "T", "m");
    let Kind::Message(entry) = map.kind else { panic!("a map's kind is its entry") };
    assert_eq!((map.cardinality, map.delimited), (Cardinality::Map, false));
    assert_eq!((&*model.message(entry).full_name, model.message(entry).is_map_entry), ("T.MEntry", true));
    assert_eq!(model.message(entry).parent, model.find_message("T"));
}

#[test]
fn fields_stay_in_the_order_of_their_declaration() {
    let model = model(
        "syntax = \"proto3\"; message T { int32 z = 9; int32 a = 1; } message U { message V {} } enum E { B = 0; A = 2; C = 1; }",
    );
    let names: Vec<_> = message(&model, "T").fields.iter().map(|f| f.proto_name.as_str()).collect();
    assert_eq!(names, ["z", "a"]);
    let messages: Vec<_> = model.messages.iter().map(|m| &*m.full_name).collect();
    assert_eq!(messages, ["T", "U", "U.V"]);
    let values: Vec<_> = model.enums[0].values.iter().map(|v| v.proto_name.as_str()).collect();
    assert_eq!(values, ["B", "A", "C"]);
}

#[test]
fn comments_belong_to_what_protoc_gives_them_to() {
    let model = model(include_str!("cases/D02/schema.proto"));
    let message = message(&model, "T");
    assert_eq!(message.comment, "leading of T");
    assert_eq!(field(&model, "T", "a").comment, "leading of a");
    assert_eq!(field(&model, "T", "x").comment, "leading of x");
    assert_eq!(message.oneofs[0].comment, "leading of o");
}

#[test]
fn a_comment_behind_a_field_counts_if_there_is_none_above() {
    let model =
        model("syntax = \"proto3\";\nmessage T {\n  int32 a = 1; // rpm\n}\nenum E {\n  Z = 0; // off\n}\n");
    assert_eq!(field(&model, "T", "a").comment, "rpm");
    assert_eq!(model.enums[0].values[0].comment, "off");
}

#[test]
fn spans_name_the_declaration_in_its_text() {
    let text = "syntax = \"proto3\";\npackage p;\nmessage Tä { }\n";
    assert!(
        check_errors(text).iter().any(|line| line.starts_with("a.proto:3:10:")),
        "{:?}",
        check_errors(text)
    );
    let text =
        "syntax = \"proto3\"; package p; // é\nmessage T { /* é */ string name = 1 [deprecated = true]; }";
    let model = model(text);
    let field = field(&model, "p.T", "name");
    let piece = |span: &Option<wirebench_engine::diagnostic::Span>| {
        text[span.clone().expect("it has text").range].to_owned()
    };
    assert_eq!(piece(&field.span), "name");
    assert_eq!(piece(&field.declaration), "string name = 1 [deprecated = true];");
    assert_eq!(field.span.as_ref().map(|span| (span.line, span.column)), Some((2, 28)));
}

fn check_errors(text: &str) -> Vec<String> {
    let files = MemoryFiles::default().with("a.proto", text);
    let checked = check(&Input { roots: vec!["a.proto".to_owned()], ..Input::default() }, &files);
    checked.diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn errors_behind_wide_characters_keep_their_column() {
    let found = check_errors("syntax = \"proto3\"; message T { /* éé */ Nope a = 1; int32 b = 1; }");
    assert_eq!(
        found,
        [
            "a.proto:1:41: error: name `Nope` is not defined",
            "a.proto:1:63: error: field number `1` is already used\n  help: first defined at a.proto:1:50"
        ]
    );
}

#[test]
fn origins_are_stable_under_reordering() {
    let key = Origin::Field(FieldKey { message: "T".into(), number: 2 });
    for text in ["message T { int32 a = 1; int32 b = 2; }", "message T { int32 b = 2; int32 a = 1; }"] {
        let model = model(&format!("syntax = \"proto3\"; {text}"));
        assert_eq!(model.origins.find(&key), Some(field(&model, "T", "b").origin));
    }
}

#[test]
fn proto2_fields_whose_json_names_clash_are_told_apart() {
    let model = model(include_str!("cases/N07/schema.proto"));
    let mut names: Vec<_> = message(&model, "T").fields.iter().map(|f| f.json_name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 4);
}

#[test]
fn extensions_are_fields_of_the_message_by_number() {
    let model = model(include_str!("cases/S34/schema.proto"));
    let fields = message(&model, "T").fields.iter();
    let fields: Vec<_> = fields.map(|f| (f.number, &*f.proto_name, &*f.json_name)).collect();
    let extensions = [(1100, "deep", "[Ext.deep]"), (536_870_911, "xs", "[xs]")];
    assert_eq!(fields, [&[(1, "n", "n")][..], &extensions].concat());
    assert!(message(&model, "T").fields.iter().all(|f| f.span.is_some()));
}
