//! Every import finds the file the user means, and says where it looked if there is none.

use std::sync::Arc;

use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::files::{FileError, Files, Input, MemoryFiles};
use wirebench_engine::schema::{Checked, check};

fn files(list: &[(&str, &str)]) -> MemoryFiles {
    list.iter().fold(MemoryFiles::default(), |files, (path, text)| files.with(*path, *text))
}

fn run(roots: &[&str], import_roots: &[&str], list: &[(&str, &str)]) -> Checked {
    let own = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
    let input = Input { roots: own(roots), import_roots: own(import_roots), settings: None };
    check(&input, &files(list))
}

fn lines(checked: &Checked) -> Vec<String> {
    checked.diagnostics.iter().map(ToString::to_string).collect()
}

const META: &str = "syntax = \"proto3\"; package zmk; message Meta {}";
const STUDIO: &str = "syntax = \"proto3\"; package zmk; import \"zmk/meta.proto\"; message T { Meta m = 1; }";

#[test]
fn folders_around_the_root_answer_imports() {
    let checked = run(
        &["x/proto/zmk/studio.proto"],
        &[],
        &[("x/proto/zmk/studio.proto", STUDIO), ("x/proto/zmk/meta.proto", META)],
    );
    let model = checked.model.expect("the import is found one folder up");
    let files: Vec<_> = model.files.iter().map(|f| (&*f.path, f.import_name.as_str(), f.is_root)).collect();
    assert_eq!(
        files,
        [
            ("x/proto/zmk/meta.proto", "zmk/meta.proto", false),
            ("x/proto/zmk/studio.proto", "studio.proto", true)
        ]
    );
}

#[test]
fn import_roots_come_before_the_folder_of_the_root() {
    let list = [
        ("p/a.proto", "syntax = \"proto3\"; import \"b.proto\"; message T { B b = 1; }"),
        ("p/b.proto", "syntax = \"proto3\"; message Other {}"),
        ("inc/b.proto", "syntax = \"proto3\"; message B {}"),
    ];
    assert!(run(&["p/a.proto"], &["inc"], &list).is_good());
    assert!(!run(&["p/a.proto"], &[], &list).is_good());
}

#[test]
fn a_missing_import_names_its_line_and_where_it_was_looked_for() {
    let text = "syntax = \"proto3\";\nimport \"b/c.proto\";\nmessage T { Nope n = 1; }";
    let found = lines(&run(&["p/q/a.proto"], &["inc"], &[("p/q/a.proto", text)]));
    assert_eq!(
        found,
        [
            "p/q/a.proto:2:8: error: there is no file for import \"b/c.proto\"\n  help: looked for inc/b/c.proto, \
          p/q/b/c.proto, p/b/c.proto, b/c.proto; add the folder it stands in as an import root"
        ]
    );
}

#[test]
fn public_imports_are_followed_to_the_end() {
    let list = [
        ("a.proto", "syntax = \"proto3\"; import \"b.proto\"; message T { D d = 1; C c = 2; }"),
        ("b.proto", "syntax = \"proto3\"; import public \"c.proto\";"),
        ("c.proto", "syntax = \"proto3\"; import public \"d.proto\"; message C {}"),
        ("d.proto", "syntax = \"proto3\"; message D {}"),
    ];
    assert!(run(&["a.proto"], &[], &list).is_good());
    let private = list.map(|(path, text)| {
        (path, if path == "b.proto" { "syntax = \"proto3\"; import \"c.proto\";" } else { text })
    });
    let found = lines(&run(&["a.proto"], &[], &private));
    assert!(found[0].contains("it is declared in d.proto: add `import \"d.proto\";`"), "{found:?}");
}

#[test]
fn circles_and_doubles_are_reported_at_their_line() {
    let list = [
        ("a.proto", "syntax = \"proto3\";\nimport \"b.proto\";"),
        ("b.proto", "syntax = \"proto3\";\n\nimport \"a.proto\";"),
    ];
    let found = lines(&run(&["a.proto"], &[], &list));
    assert_eq!(found, ["b.proto:3:8: error: imports go in a circle: a.proto -> b.proto -> a.proto"]);
    let list = [
        ("a.proto", "syntax = \"proto3\"; import \"b.proto\";\nimport \"b.proto\";"),
        ("b.proto", "syntax = \"proto3\";"),
    ];
    assert_eq!(lines(&run(&["a.proto"], &[], &list)), ["a.proto:2:8: error: \"b.proto\" is imported twice"]);
}

#[test]
fn protobufs_own_files_are_bundled_and_win_over_copies_on_the_disk() {
    let list = [
        (
            "a.proto",
            "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message T { google.protobuf.Timestamp t = 1; }",
        ),
        ("google/protobuf/timestamp.proto", "edition = \"2099\"; what is this"),
    ];
    let model = run(&["a.proto"], &[], &list).model.expect("the bundled copy is used");
    assert!(model.files[0].path.starts_with("google/") && model.messages[0].span.is_none());
}

#[test]
fn nanopbs_options_are_bundled_but_the_projects_own_win() {
    let text =
        "syntax = \"proto3\"; import \"nanopb.proto\"; message T { string s = 1 [(nanopb).max_size = 16]; }";
    assert!(run(&["a.proto"], &[], &[("a.proto", text)]).is_good());
    let own = "syntax = \"proto2\"; import \"google/protobuf/descriptor.proto\"; message Own {}";
    let found = lines(&run(&["a.proto"], &[], &[("a.proto", text), ("nanopb.proto", own)]));
    assert!(found[0].contains("nanopb"), "{found:?}");
}

#[test]
fn one_file_under_two_names_is_loaded_once() {
    let list = [
        (
            "p/a.proto",
            "syntax = \"proto3\"; import \"sub/e.proto\"; import \"e.proto\"; message T { E e = 1; }",
        ),
        ("p/sub/e.proto", "syntax = \"proto3\"; enum E { Z = 0; }"),
    ];
    let model = run(&["p/a.proto"], &["p", "p/sub"], &list).model.expect("both names mean one file");
    assert_eq!(model.files.len(), 2);
}

#[test]
fn roots_may_import_each_other_and_be_named_twice() {
    let list = [
        ("p/a.proto", "syntax = \"proto3\"; import \"b.proto\"; message A { B b = 1; }"),
        ("p/b.proto", "syntax = \"proto3\"; message B {}"),
    ];
    let model =
        run(&["p/a.proto", "p/b.proto", "./p/a.proto"], &[], &list).model.expect("both are one firmware");
    assert_eq!(model.files.iter().filter(|file| file.is_root).count(), 2);
}

#[test]
fn byte_order_marks_and_crlf_change_no_place() {
    let text = "\u{feff}syntax = \"proto3\";\r\nmessage T {\r\n  Nope n = 1;\r\n}\r\n";
    let checked = run(&["a.proto"], &[], &[("a.proto", text)]);
    assert_eq!(lines(&checked), ["a.proto:3:3: error: name `Nope` is not defined"]);
    assert!(checked.sources[0].had_bom && checked.sources[0].crlf);
}

#[test]
fn an_import_path_that_protoc_refuses_is_refused() {
    let list =
        [("p/a.proto", "syntax = \"proto3\";\nimport \"../b.proto\";"), ("b.proto", "syntax = \"proto3\";")];
    let found = lines(&run(&["p/a.proto"], &[], &list));
    assert!(found[0].starts_with("p/a.proto:2:8: error: this import path is not allowed"), "{found:?}");
}

#[test]
fn no_schema_at_all_is_an_error() {
    assert_eq!(lines(&run(&[], &[], &[])), ["error: there is no schema to check"]);
}

#[test]
fn an_edition_is_one_clear_error() {
    let text = "// head\nedition = \"2023\";\nmessage T { int32 a = 1; }";
    let found = lines(&run(&["a.proto"], &[], &[("a.proto", text)]));
    assert_eq!(
        found,
        [
            "a.proto:2:1: error: editions are not supported yet: this file says edition = \"2023\";\n  help: write \
          `syntax = \"proto3\";` or `syntax = \"proto2\";` instead"
        ]
    );
}

#[test]
fn mistakes_of_all_files_are_told_at_once() {
    let list = [
        (
            "a.proto",
            "syntax = \"proto3\";\nimport \"b.proto\";\nimport \"none.proto\";\nmessage A { int32 x = 1; int32 y = 1; }",
        ),
        ("b.proto", "syntax = \"proto3\";\nmessage B { Nope n = 1; Nada m = 2; }"),
        (
            "c.proto",
            "syntax = \"proto3\";\nmessage C {\n  int32 a = ;\n  int32 b = 2;\n  int32 c = 2;\n  reserved 4;\n  int32 d = 4;\n}",
        ),
    ];
    let checked = run(&["a.proto", "b.proto", "c.proto"], &[], &list);
    let places: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .filter_map(|d: &Diagnostic| d.span.as_ref())
        .map(|span| format!("{}:{}", span.file, span.line))
        .collect();
    assert_eq!(
        places,
        ["a.proto:3", "a.proto:4", "b.proto:2", "b.proto:2", "c.proto:3", "c.proto:5", "c.proto:7"]
    );
}

#[test]
fn a_comment_or_string_without_end_is_named_where_it_starts() {
    let comment = "syntax = \"proto3\";\nmessage T {\n /* open\n int32 a = 1;\n}";
    assert_eq!(
        lines(&run(&["a.proto"], &[], &[("a.proto", comment)])),
        ["a.proto:3:2: error: this comment is never closed"]
    );
    let string = "syntax = \"proto3\";\nimport \"b.proto;\n";
    assert_eq!(
        lines(&run(&["a.proto"], &[], &[("a.proto", string)])),
        ["a.proto:2:8: error: this string is never closed"]
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    struct Locked;
    impl Files for Locked {
        fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
            match path {
                "a.proto" => Ok(Arc::from(&b"syntax = \"proto3\";\nimport \"b.proto\";"[..])),
                path => {
                    Err(FileError::Unreadable { path: path.to_owned(), why: "permission denied".to_owned() })
                }
            }
        }
    }
    let checked = check(&Input { roots: vec!["a.proto".to_owned()], ..Input::default() }, &Locked);
    assert_eq!(lines(&checked), ["a.proto:2:8: error: b.proto cannot be read: permission denied"]);
    let checked = run(&["none.proto"], &[], &[]);
    assert_eq!(lines(&checked), ["error: there is no file none.proto"]);
    assert!(!checked.is_good());
}

#[test]
fn a_file_without_end_is_refused_before_it_is_parsed() {
    let big = " ".repeat((8 << 20) + 1);
    let found = lines(&run(&["a.proto"], &[], &[("a.proto", &big)]));
    assert!(found.len() == 1 && found[0].contains("8388609 bytes"), "{found:?}");
}
