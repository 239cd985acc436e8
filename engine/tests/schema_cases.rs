//! Every case that speaks of schemas and limits: accepted or refused as its `expected.txt` says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options::resolve;
use wirebench_engine::schema::check;

/// Cases whose outcome differs from the wanted one, with the reason. The list may only shrink.
const NOT_YET: [(&str, &str); 0] = [];

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
            if std::env::var_os("SHOW").is_some() {
                println!("== {case}/{file}");
                found.iter().for_each(|d| println!("{d}"));
            }
            let is_right = errors.is_empty() != must_be_refused(&case, &file) && all_placed;
            let excused = NOT_YET.iter().any(|(name, _)| *name == format!("{case}/{file}"));
            if is_right == excused {
                wrong.push(format!("{case}/{file} (excused: {excused}): {errors:#?}"));
            }
        }
    }
    assert!(seen > 100, "only {seen} files were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
