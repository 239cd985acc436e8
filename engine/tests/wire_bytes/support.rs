//! Schemas from disk or text, and checks that hold for every annotated message.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use wirebench_engine::files::{FileError, Files, Input, MemoryFiles};
use wirebench_engine::options::{Limits, resolve};
use wirebench_engine::schema::{MessageId, Model, check};
use wirebench_engine::wire::{self, Annotated, Role};

pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        std::fs::read(self.0.join(path)).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

pub fn case_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

pub fn schema_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas")
}

/// The names of all cases, sorted.
pub fn case_names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(case_folder())
        .unwrap()
        .flatten()
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 80, "only {} cases were found", names.len());
    names
}

/// The model and limits of a schema on disk; `None` if it is refused.
pub fn load(folder: PathBuf, file: &str) -> Option<(Model, Limits)> {
    let files = Folder(folder);
    let settings = files.exists("wirebench.toml").then(|| "wirebench.toml".to_owned());
    let input = Input { roots: vec![file.to_owned()], settings, ..Input::default() };
    let model = check(&input, &files).model?;
    let limits = resolve(&model, &input, &files).limits;
    Some((model, limits))
}

/// Every schema that is accepted, with its limits; read once.
pub fn models() -> &'static [(String, Model, Limits)] {
    static MODELS: OnceLock<Vec<(String, Model, Limits)>> = OnceLock::new();
    MODELS.get_or_init(read_models)
}

fn read_models() -> Vec<(String, Model, Limits)> {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(schema_folder()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.ends_with(".proto") {
            let (model, limits) = load(schema_folder(), &name).unwrap_or_else(|| panic!("{name} is refused"));
            models.push((name, model, limits));
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    for case in case_names() {
        if let Some((model, limits)) = load(case_folder().join(&case), "schema.proto") {
            models.push((case, model, limits));
        }
    }
    assert!(models.len() > 60, "only {} schemas were found", models.len());
    models
}

/// A schema in the test, with its message `T`.
pub fn schema(text: &str) -> (Model, MessageId) {
    let files = MemoryFiles::default().with("a.proto", text);
    let input = Input { roots: vec!["a.proto".to_owned()], ..Input::default() };
    let checked = check(&input, &files);
    let model = checked.model.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics));
    let id = model.find_message("T").expect("a message T");
    (model, id)
}

pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Decodes, and checks what must hold for any bytes: every byte in exactly one leaf, records that hold what they
/// say, texts and paths for all.
pub fn annotate(model: &Model, id: Option<MessageId>, bytes: &[u8]) -> Annotated {
    let annotated = wire::annotate(model, id, bytes);
    check_spans(model, bytes, &annotated);
    annotated
}

pub fn check_spans(model: &Model, bytes: &[u8], annotated: &Annotated) {
    let spans = &annotated.spans;
    let mut next = 0;
    for (at, span) in spans.iter().enumerate() {
        let after = span.after as usize;
        assert!(after > at && after <= spans.len(), "span {at} of {}", to_hex(bytes));
        if span.role == Role::Record {
            let first = &spans[at + 1];
            assert_eq!((first.start, first.parent), (span.start, Some(at as u32)), "{}", to_hex(bytes));
            assert_eq!(spans[after - 1].end, span.end, "{}", to_hex(bytes));
        } else {
            assert_eq!(span.start as usize, next, "leaf {at} of {}", to_hex(bytes));
            assert!(span.end > span.start);
            assert_eq!(wire::leaf_at(spans, next), Some(at));
            assert_eq!(wire::leaf_at(spans, span.end as usize - 1), Some(at));
            next = span.end as usize;
        }
        if let Some(parent) = span.parent {
            let parent = &spans[parent as usize];
            assert_eq!(parent.role, Role::Record);
            assert!(parent.start <= span.start && span.end <= parent.end && after <= parent.after as usize);
        }
        assert!(!annotated.text(Some(model), bytes, at).is_empty());
    }
    assert_eq!(next, bytes.len(), "leaves end early in {}", to_hex(bytes));
    for problem in &annotated.problems {
        assert!(problem.range.end <= bytes.len() && !problem.message.is_empty(), "{problem:?}");
    }
    let errors =
        annotated.problems.iter().filter(|p| p.severity == wirebench_engine::diagnostic::Severity::Error);
    assert!(annotated.errors >= errors.count());
}
