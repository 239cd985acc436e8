//! Which limit a field gets, from where, and what is said about it.

use wirebench_engine::diagnostic::Severity;
use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::options::{
    Direction, FieldLimits, IntWidth, LimitSource, Optimize, Resolved, StorageChoice, UnknownOverflow,
    resolve,
};
use wirebench_engine::schema::{FieldRef, Model, check};

/// A schema, an `.options` file and settings; an empty one is not there.
struct Project {
    model: Model,
    resolved: Resolved,
}

fn project(schema: &str, options: &str, settings: &str) -> Project {
    let mut files = MemoryFiles::default().with("p/a.proto", schema);
    if !options.is_empty() {
        files.insert("p/a.options", options);
    }
    if !settings.is_empty() {
        files.insert("p/wirebench.toml", settings);
    }
    let input = Input {
        roots: vec!["p/a.proto".to_owned()],
        settings: (!settings.is_empty()).then(|| "p/wirebench.toml".to_owned()),
        ..Input::default()
    };
    let checked = check(&input, &files);
    let model = checked.model.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics));
    let resolved = resolve(&model, &input, &files);
    Project { model, resolved }
}

impl Project {
    fn limits(&self, message: &str, field: &str) -> &FieldLimits {
        let id = self.model.find_message(message).expect("the message is declared");
        let fields = &self.model.message(id).fields;
        let index = fields.iter().position(|f| f.proto_name == field).expect("the field is declared");
        &self.resolved.limits.fields[&FieldRef { message: id, index: index as u32 }]
    }

    fn max_len(&self, field: &str) -> Option<u32> {
        self.limits("T", field).max_len.as_ref().map(|limit| limit.value)
    }

    fn max_count(&self, field: &str) -> Option<u32> {
        self.limits("T", field).max_count.as_ref().map(|limit| limit.value)
    }

    /// Diagnostics of one severity, as `file:line message`.
    fn told(&self, severity: Severity) -> Vec<String> {
        let found = self.resolved.diagnostics.iter().filter(|d| d.severity == severity);
        found
            .map(|d| {
                let place =
                    d.span.as_ref().map_or(String::new(), |span| format!("{}:{}", span.file, span.line));
                format!("{} {}", place.rsplit('/').next().unwrap_or(""), d.message)
            })
            .collect()
    }
}

const T: &str = "syntax = \"proto3\"; message T { string s = 1; bytes b = 2; repeated uint32 r = 3; \
                 repeated string rs = 4; uint32 n = 5; map<uint32, string> m = 6; }";

#[test]
fn an_unbounded_field_is_named_once_with_what_was_chosen() {
    let project = project(T, "", "");
    assert_eq!((project.max_len("s"), project.max_count("r")), (Some(32), Some(8)));
    assert_eq!(
        (project.max_len("rs"), project.max_count("rs"), project.max_len("n")),
        (Some(32), Some(8), None)
    );
    assert_eq!(project.limits("T", "s").max_len.as_ref().map(|l| &l.source), Some(&LimitSource::Chosen));
    assert_eq!(
        project.told(Severity::Note),
        [
            "a.proto:1 `s` has no maximum length: 32 bytes chosen",
            "a.proto:1 `b` has no maximum length: 32 bytes chosen",
            "a.proto:1 `r` has no maximum count: 8 items chosen",
            "a.proto:1 `rs` has neither maximum length nor count: 32 bytes and 8 items chosen",
            "a.proto:1 `m` has no maximum count: 8 items chosen",
            "a.proto:1 `value` has no maximum length: 32 bytes chosen",
        ]
    );
}

#[test]
fn each_source_wins_over_those_below_it() {
    let inline = "syntax = \"proto3\"; import \"nanopb.proto\"; message T { string s = 1 [(nanopb).max_length = 30]; }";
    let plain = "syntax = \"proto3\"; message T { string s = 1; }";
    let cases = [
        (inline, "T.s max_length:20", "[defaults]\nmax_len = 10\n[fields]\n\"T.s\" = { max_len = 40 }", 40),
        (inline, "T.s max_length:20", "[defaults]\nmax_len = 10", 30),
        (plain, "T.s max_length:20", "[defaults]\nmax_len = 10", 20),
        (plain, "", "[defaults]\nmax_len = 10", 10),
        (plain, "", "", 32),
    ];
    for (schema, options, settings, expected) in cases {
        assert_eq!(project(schema, options, settings).max_len("s"), Some(expected), "{options} {settings}");
    }
}

#[test]
fn an_override_is_told_with_both_places() {
    let inline =
        "syntax = \"proto3\"; import \"nanopb.proto\";\nmessage T { string s = 1 [(nanopb).max_size = 31]; }";
    let project = project(inline, "\nT.s max_size:21", "[fields]\n\n\"T.s\" = { max_len = 40 }");
    assert_eq!(
        project.told(Severity::Note),
        [
            "a.proto:2 max_len of `T.s` is set here and overrides the one at p/a.options:2",
            "wirebench.toml:3 max_len of `T.s` is set here and overrides the one at p/a.proto:2",
        ]
    );
}

#[test]
fn an_exact_name_wins_over_patterns_and_a_later_pattern_over_an_earlier() {
    let settings = "[fields]\n\"T.s\" = { max_len = 5 }\n\"*.s\" = { max_len = 6 }\n\"*\" = { max_len = 7, max_count = 3 }\n\"T.r*\" = { max_count = 4 }";
    let project = project(T, "", settings);
    assert_eq!(
        (project.max_len("s"), project.max_len("b"), project.max_count("r")),
        (Some(5), Some(7), Some(4))
    );
    assert_eq!(project.told(Severity::Warning), [""; 0]);
}

#[test]
fn every_limit_knows_its_place() {
    let project = project(T, "# x\nT.b max_size:9", "[fields]\n\"T.s\" = { max_len = 5 }");
    let place = |field: &str| {
        let source = &project.limits("T", field).max_len.as_ref().expect("it has a length").source;
        source.span().map(|span| (span.file.to_string(), span.line, span.column))
    };
    assert_eq!(place("s"), Some(("p/wirebench.toml".to_owned(), 2, 21)));
    assert_eq!(place("b"), Some(("p/a.options".to_owned(), 2, 5)));
    assert!(matches!(
        project.limits("T", "b").max_len.as_ref().map(|l| &l.source),
        Some(LimitSource::NanopbOptions(_))
    ));
}

#[test]
fn a_wrong_value_is_an_error_with_its_line_and_costs_only_itself() {
    let wrong = [
        "max_len = 0",
        "max_len = 65536",
        "max_len = 4294967296",
        "max_len = -1",
        "max_len = 1.5",
        "max_len = \"9\"",
        "max_len = 99999999999999999999",
        "max_len = []",
        "storage = \"heap\"",
        "storage = 3",
        "int_width = 12",
        "max_length = 3",
        "max_count = true",
    ];
    for entry in wrong {
        let settings = format!("[fields]\n\"T.b\" = {{ max_len = 9 }}\n\"T.s\" = {{ {entry} }}\n");
        let project = project(T, "", &settings);
        let errors = project.told(Severity::Error);
        assert!(errors.len() == 1 && errors[0].starts_with("wirebench.toml:3 "), "{entry}: {errors:?}");
        // A number beyond i64 breaks the TOML itself, so the other entries are lost with it.
        if !entry.contains("9999999999") {
            assert_eq!((project.max_len("b"), project.max_len("s")), (Some(9), Some(32)), "{entry}");
        }
        let help = project.resolved.diagnostics.iter().find(|d| d.is_error()).and_then(|d| d.help.clone());
        assert!(help.is_some(), "{entry}");
    }
}

#[test]
fn unknown_settings_are_errors_with_what_there_is() {
    for settings in [
        "fileds = {}",
        "version = 2",
        "schemas = 3",
        "in_use = [3]",
        "[messages]\n\"T\" = { optimise = \"size\" }",
        "[fields]\nT.s = { max_len = 3 }",
        "[defaults]\nstorage = \"inline\"",
        "[fields\n",
        "[fields]\n\"T.s\" = 3",
    ] {
        let project = project(T, "", settings);
        assert_eq!(project.told(Severity::Error).len(), 1, "{settings}: {:?}", project.resolved.diagnostics);
    }
}

#[test]
fn settings_that_do_not_fit_the_field_are_warned_about_if_it_is_named() {
    let settings = "[fields]\n\"T.n\" = { max_len = 3, max_count = 3 }\n\"T.s\" = { int_width = 8 }\n\"*\" = { max_len = 4, max_count = 4, int_width = 16 }";
    let project = project(T, "", settings);
    assert_eq!(
        project.told(Severity::Warning),
        [
            "wirebench.toml:3 `T.s` has no int_width: it is not an integer",
            "wirebench.toml:2 `T.n` has no max_len: it is neither string nor bytes",
            "wirebench.toml:2 `T.n` has no max_count: it is not repeated",
        ]
    );
    assert_eq!(project.limits("T", "n").int_width.as_ref().map(|w| w.value), Some(IntWidth::W16));
}

#[test]
fn a_name_that_matches_nothing_is_warned_about_once_all_schemas_are_open() {
    let entry = "[fields]\n\"T.sx\" = { max_len = 3 }\n\"U.*\" = { max_len = 3 }\n[messages]\n\"X\" = { optimize = \"size\" }";
    let whole = project(T, "", &format!("in_use = [\"Y\"]\nschemas = [\"a.proto\"]\n{entry}"));
    assert_eq!(
        whole.told(Severity::Warning),
        [
            "wirebench.toml:4 `T.sx` matches no field of the schemas",
            "wirebench.toml:5 `U.*` matches no field of the schemas",
            "wirebench.toml:7 `X` matches no message of the schemas",
            "wirebench.toml:1 `Y` in `in_use` is no message of the schemas",
        ]
    );
    let help = whole.resolved.diagnostics.iter().find_map(|d| d.help.clone());
    assert_eq!(help.as_deref(), Some("did you mean `T.s`?"));
    let part = project(T, "", &format!("schemas = [\"a.proto\", \"other.proto\"]\n{entry}"));
    assert_eq!(part.told(Severity::Warning), [""; 0]);
}

#[test]
fn a_streamed_or_ignored_field_needs_no_bound() {
    let project = project(
        T,
        "",
        "[fields]\n\"T.s\" = { storage = \"streamed\" }\n\"T.b\" = { storage = \"streamed\", max_len = 9 }\n\"T.r\" = { storage = \"ignored\" }\n[defaults]\nmax_len = 3\nmax_count = 3",
    );
    assert_eq!((project.max_len("s"), project.max_len("b"), project.max_count("r")), (None, Some(9), None));
    assert_eq!(project.limits("T", "s").storage.value, StorageChoice::Streamed);
    assert_eq!(project.told(Severity::Note), [""; 0]);
}

#[test]
fn messages_outside_of_use_raise_no_notes() {
    let schema =
        "syntax = \"proto3\"; message T { I i = 1; } message I { string a = 1; } message U { string b = 1; }";
    let project = project(schema, "", "in_use = [\"T\"]");
    assert_eq!(project.told(Severity::Note), ["a.proto:1 `a` has no maximum length: 32 bytes chosen"]);
    assert_eq!(
        project.resolved.limits.settings.in_use,
        [project.model.find_message("T").expect("it is declared")]
    );
}

#[test]
fn message_settings_come_from_the_file_the_pattern_and_the_name() {
    let schema =
        "syntax = \"proto3\"; option optimize_for = CODE_SIZE; message A {} message B {} message C {}";
    let project = project(
        schema,
        "",
        "[messages]\n\"A\" = { optimize = \"speed\" }\n\"[AB]\" = { direction = \"decode\" }\n\"?\" = { direction = \"encode\", keep_unknown = 9 }\n\"C\" = { keep_unknown = 0, unknown_overflow = \"drop\" }",
    );
    let problems: Vec<&str> = project.resolved.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(problems, ["keep_unknown cannot be 0", "`[AB]` matches no message of the schemas"]);
    let of = |name: &str| {
        project.resolved.limits.message(project.model.find_message(name).expect("it is declared"))
    };
    assert_eq!((of("A").optimize, of("A").direction), (Optimize::Speed, Direction::Encode));
    assert_eq!((of("B").optimize, of("B").direction), (Optimize::Size, Direction::Encode));
    assert_eq!((of("B").keep_unknown, of("B").unknown_overflow), (Some(9), UnknownOverflow::Error));
    assert_eq!((of("C").keep_unknown, of("C").unknown_overflow), (Some(9), UnknownOverflow::Drop));
    let plain =
        self::project("syntax = \"proto3\"; option optimize_for = LITE_RUNTIME; message A {}", "", "");
    assert!(plain.resolved.limits.messages.is_empty());
}

#[test]
fn nanopb_lines_mean_what_nanopb_makes_of_them() {
    let project =
        project(include_str!("cases/O01/schema.proto"), include_str!("cases/O01/schema.options"), "");
    assert_eq!(
        (
            project.max_len("path"),
            project.max_len("data"),
            project.max_count("list"),
            project.max_len("old_path")
        ),
        (Some(20), Some(32), Some(4), Some(63))
    );
    let width = |field: &str| project.limits("T", field).int_width.as_ref().map(|w| w.value);
    assert_eq!((width("list"), width("small")), (Some(IntWidth::W16), Some(IntWidth::W8)));
    assert_eq!(project.limits("Sub", "path").storage.value, StorageChoice::Streamed);
    assert_eq!(project.told(Severity::Warning), ["a.options:11 `T.nope` matches nothing in the schema"]);
}

#[test]
fn nanopb_sizes_of_strings_count_the_nul() {
    let project = project(T, "T.s max_size:16\nT.b max_size:16\nT.rs max_length:16", "");
    assert_eq!(
        (project.max_len("s"), project.max_len("b"), project.max_len("rs")),
        (Some(15), Some(16), Some(16))
    );
    let none = self::project(T, "T.s max_size:1", "");
    assert_eq!(
        none.told(Severity::Error),
        ["a.options:1 max_size 1 leaves `T.s` no room: it counts the NUL"]
    );
}

#[test]
fn each_nonsense_bound_has_its_own_message() {
    let project =
        project(include_str!("cases/O02/schema.proto"), include_str!("cases/O02/schema.options"), "");
    let all = [project.told(Severity::Error), project.told(Severity::Warning), project.told(Severity::Note)]
        .concat();
    for line in 1..=8 {
        let place = format!("a.options:{line} ");
        assert_eq!(all.iter().filter(|told| told.starts_with(&place)).count(), 1, "line {line}: {all:#?}");
    }
}

#[test]
fn what_cannot_be_honoured_is_told_and_the_rest_counts() {
    let project =
        project(include_str!("cases/O04/schema.proto"), include_str!("cases/O04/schema.options"), "");
    let storage = |field: &str| project.limits("T", field).storage.value;
    assert_eq!((storage("name"), project.max_len("name")), (StorageChoice::Inline, Some(16)));
    assert_eq!((storage("data"), storage("gone")), (StorageChoice::Streamed, StorageChoice::Ignored));
    assert_eq!(project.told(Severity::Warning).len(), 2);
    assert!(project.told(Severity::Note)[0].contains("anonymous_oneof, packed_struct, msgid"));
}

#[test]
fn a_fixed_length_may_get_its_number_from_another_line() {
    let project = project(T, "T.b max_size:6\nT.b fixed_length:true\nT.s fixed_length:true", "");
    assert_eq!(project.max_len("b"), Some(6));
    assert_eq!(
        project.told(Severity::Error),
        ["a.options:3 fixed_length of `T.s` needs the number: max_size is missing"]
    );
}

#[test]
fn inline_options_are_read_in_all_their_spellings() {
    let schema = "syntax = \"proto3\"; import \"nanopb.proto\";\noption (nanopb_fileopt).max_count = 5;\n\
        message T {\n  option (nanopb_msgopt).max_size = 11;\n  string s = 1;\n  bytes b = 2 [(nanopb) = { max_size: 7 type: FT_STATIC }];\n  \
        repeated uint32 r = 3 [(nanopb).int_size = IS_8, deprecated = true];\n  bytes c = 4 [(nanopb).type = FT_CALLBACK];\n}";
    let project = project(schema, "", "");
    assert_eq!(
        (project.max_len("s"), project.max_len("b"), project.max_count("r")),
        (Some(10), Some(7), Some(5))
    );
    assert_eq!(project.limits("T", "r").int_width.as_ref().map(|w| w.value), Some(IntWidth::W8));
    let place = |limit: &Option<wirebench_engine::options::Sourced<u32>>| {
        limit.as_ref().and_then(|l| l.source.span()).map(|span| (span.line, span.column))
    };
    assert_eq!(place(&project.limits("T", "b").max_len), Some((6, 29)));
    assert_eq!(place(&project.limits("T", "s").max_len), Some((4, 26)));
    assert_eq!(place(&project.limits("T", "r").max_count), Some((2, 25)));
    assert_eq!(project.limits("T", "c").storage.value, StorageChoice::Streamed);
}

#[test]
fn a_line_may_name_the_package_or_the_message() {
    let schema = "syntax = \"proto3\"; package p.q; message T { string s = 1; } message U { string s = 1; bytes b = 2; }";
    let project = project(schema, "p.q max_length:5\np.q.U max_length:6\np.q.U.b max_size:7", "");
    let max_len =
        |message: &str, field: &str| project.limits(message, field).max_len.as_ref().map(|l| l.value);
    assert_eq!(
        (max_len("p.q.T", "s"), max_len("p.q.U", "s"), max_len("p.q.U", "b")),
        (Some(5), Some(6), Some(7))
    );
    assert_eq!(project.told(Severity::Warning), [""; 0]);
}

#[test]
fn settings_that_are_not_utf8_or_not_there_are_errors() {
    let files = MemoryFiles::default().with("a.proto", T).with("bad.toml", b"# gr\xfc".to_vec());
    for (path, message) in [("bad.toml", "not UTF-8"), ("none.toml", "there is no file none.toml")] {
        let input =
            Input { roots: vec!["a.proto".to_owned()], settings: Some(path.to_owned()), ..Input::default() };
        let model = check(&input, &files).model.expect("the schema is good");
        let found = resolve(&model, &input, &files).diagnostics;
        assert!(found.iter().any(|d| d.is_error() && d.message.contains(message)), "{found:?}");
    }
}

#[test]
fn the_comparisons_schemas_need_no_chosen_limit() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    let mut files = MemoryFiles::default();
    let mut roots = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".proto") || name.ends_with(".toml") {
            files.insert(name.clone(), std::fs::read(entry.path()).expect("it can be read"));
        }
        if name.ends_with(".proto") {
            roots.push(name);
        }
    }
    assert_eq!(roots.len(), 8);
    let input = Input { roots, settings: Some("wirebench.toml".to_owned()), ..Input::default() };
    let checked = check(&input, &files);
    assert_eq!(checked.diagnostics, []);
    let model = checked.model.expect("they are good");
    assert_eq!(resolve(&model, &input, &files).diagnostics, []);
}
