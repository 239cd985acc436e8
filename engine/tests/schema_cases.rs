//! Every case that speaks of schemas and limits: accepted or refused as its `expected.txt` says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options::resolve;
use wirebench_engine::schema::check;

/// Cases whose outcome differs from the wanted one, with the reason. The list may only shrink.
const NOT_YET: [(&str, &str); 0] = [];

/// What must be said of a case beyond accepting or refusing it: file, line and part of the text.
const SAID: [(&str, &str, &str); 25] = [
    ("S07/schema.proto", "schema.proto:3:13: error", "add `import \"a.proto\";`"),
    ("S10/schema.proto", "e2.proto:2:6: error", "already defined in file `sub/e.proto`"),
    (
        "S11/schema.proto",
        "schema.proto:3:29: error",
        "as in C++, values of an enum belong to the scope around",
    ),
    ("S14/bad.proto", "bad.proto:2:23: error", "between -2147483648 and 2147483647"),
    ("S16/bad1.proto", "bad1.proto:2:36: error", "reserved"),
    ("S16/bad2.proto", "bad2.proto:2:34: error", "reserved"),
    ("S19/schema.proto", "schema.proto:1:1: warning", "read as proto2"),
    ("S19/bad1.proto", "bad1.proto:1:10: error", "proto4"),
    ("S19/bad2.proto", "bad2.proto:2:1: error", "first place, and only there"),
    ("S19/bad3.proto", "bad3.proto:2:1: error", "first place, and only there"),
    ("S22/bad1.proto", "bad1.proto:2:6: error", "not UTF-8"),
    ("S22/bad2.proto", "bad2.proto:2:5: error", "control character 0x00"),
    ("S22/bad3.proto", "bad3.proto:2:24: error", "not UTF-8"),
    ("S22/bad4.proto", "bad4.proto:1:1: error", "UTF-16"),
    ("S23/bad1.proto", "bad1.proto:3:2: error", "never closed"),
    ("S23/bad2.proto", "bad2.proto:2:6: error", "cannot be nested"),
    ("S32/bad1.proto", "bad1.proto:4:43: error", "`foo.bar.B.foo.Baz`"),
    ("S37/bad1.proto", "bad1.proto:2:52: error", "first defined at bad1.proto:2:20"),
    ("S37/bad3.proto", "bad3.proto:2:20: error", "[x]"),
    ("N20/schema.proto", "schema.proto:4:11: error", "`gain_table` at schema.proto:3:23"),
    ("O01/schema.proto", "schema.options:11:1: warning", "`T.nope` matches nothing"),
    ("O02/schema.proto", "schema.options:5:5: error", "fixed_length of `T.e` needs the number"),
    ("O02/schema.proto", "schema.options:8:5: error", "4294967296"),
    ("O04/schema.proto", "schema.options:3:8: warning", "FT_POINTER"),
    ("O05/schema.proto", "schema.proto:3:36: note", "overrides the one at schema.options:1"),
];

struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        std::fs::read(self.0.join(path)).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Diagnostics of one file of a case, limits included.
fn run(case: &str, file: &str) -> Vec<Diagnostic> {
    let files = Folder(cases().join(case));
    let input = Input { roots: vec![file.to_owned()], ..Input::default() };
    let checked = check(&input, &files);
    let mut found = checked.diagnostics;
    if let Some(model) = &checked.model {
        found.extend(resolve(model, &input, &files).diagnostics);
    }
    found
}

/// What `right:` demands of a file: `bad*.proto` is refused, `schema.proto` is accepted unless the
/// case's whole point is that it must not be.
fn must_be_refused(case: &str, file: &str) -> bool {
    const REFUSED: [&str; 5] = ["S07", "S10", "S11", "N20", "O02"];
    file.starts_with("bad") || (file == "schema.proto" && REFUSED.contains(&case))
}

#[test]
fn every_case_is_accepted_or_refused_as_it_should_be() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let mut said = 0;
    for entry in std::fs::read_dir(cases()).unwrap().flatten() {
        let case = entry.file_name().into_string().unwrap();
        if !entry.path().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(entry.path()).unwrap().flatten() {
            let file = file.file_name().into_string().unwrap();
            if !file.ends_with(".proto") || !(file == "schema.proto" || file.starts_with("bad")) {
                continue;
            }
            seen += 1;
            let found = run(&case, &file);
            let errors: Vec<String> = found.iter().filter(|d| d.is_error()).map(|d| d.to_string()).collect();
            let all_placed = found.iter().all(|d| d.span.is_some());
            let told: Vec<String> = found.iter().map(ToString::to_string).collect();
            for (_, place, text) in SAID.iter().filter(|(name, _, _)| *name == format!("{case}/{file}")) {
                said += 1;
                if !told.iter().any(|told| told.starts_with(place) && told.contains(text)) {
                    wrong.push(format!("{case}/{file}: nothing at {place} says {text:?}: {told:#?}"));
                }
            }
            let is_right = errors.is_empty() != must_be_refused(&case, &file) && all_placed;
            let excused = NOT_YET.iter().any(|(name, _)| *name == format!("{case}/{file}"));
            if is_right == excused {
                wrong.push(format!("{case}/{file} (excused: {excused}): {errors:#?}"));
            }
        }
    }
    assert_eq!(said, SAID.len());
    assert!(seen > 100, "only {seen} files were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
