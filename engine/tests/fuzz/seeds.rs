//! What mutations start from: the files of the cases and of the repository's schemas.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files, Input, MemoryFiles};
use wirebench_engine::options::{Limits, resolve};
use wirebench_engine::schema::{MessageId, Model, check};

use crate::runner::Seed;

/// Longest file that is a seed.
const LONGEST: usize = 8 << 10;

/// The words and marks of a schema and its options.
pub const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    ";",
    "=",
    ",",
    ".",
    "-",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\u{feff}",
    "é",
    "\0",
    "\r\n",
    "message ",
    "message T { T t = 1; }",
    "oneof o { ",
    "oneof o { uint32 oa = 90; string ob = 91; }",
    "enum E { A = 0; }",
    "map<string, int32> m = 92;",
    "optional ",
    "required ",
    "repeated ",
    "repeated string rs = 93;",
    "optional group G = 94 { optional int32 g = 1; }",
    "extend T { optional int32 x = 1000; }",
    "extensions 1000 to max;",
    "reserved 95 to max;",
    "option optimize_for = SPEED;",
    "syntax = \"proto2\";",
    "import \"google/protobuf/timestamp.proto\";",
    "import \"nanopb.proto\";",
    " [packed = false]",
    " [default = 7]",
    " [(nanopb).max_size = 4]",
    " [(nanopb) = { max_count: 3, type: FT_CALLBACK }]",
    "option (nanopb_msgopt).max_count = 2;",
    "self",
    "crate",
    "r#type",
];

/// The files of a folder, read from the disk.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        std::fs::read(self.0.join(path)).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

/// A folder by its path from the engine's: `tests/cases/D01`, `../schemas`.
fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folders with cases and the one of the repository's schemas.
fn folders() -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(folder("tests/cases"))
        .expect("the cases are there")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| format!("tests/cases/{}", entry.file_name().to_string_lossy()))
        .collect();
    found.sort();
    assert!(found.len() > 60, "only {} cases", found.len());
    found.push("../schemas".to_owned());
    found
}

/// All files directly in those folders whose name ends so, but the very long; their origin is `folder/name`.
pub fn files(ending: &str) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for path in folders().into_iter().chain(["../schemas/samples".to_owned()]) {
        let Ok(entries) = std::fs::read_dir(folder(&path)) else { continue };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let bytes = std::fs::read(entry.path()).expect("seeds can be read");
            if name.ends_with(ending) && bytes.len() <= LONGEST {
                seeds.push(Seed { from: format!("{path}/{name}"), bytes });
            }
        }
    }
    seeds.sort_by(|a, b| a.from.cmp(&b.from));
    assert!(!seeds.is_empty(), "no file ends with {ending}");
    seeds
}

/// What lies beside the file a seed comes from, and the file's name.
pub fn beside(from: &str) -> (MemoryFiles, &str) {
    let (path, name) = from.rsplit_once('/').expect("it has a folder");
    let mut files = MemoryFiles::default();
    for entry in std::fs::read_dir(folder(path)).expect("it was found there").flatten() {
        if entry.path().is_file() {
            let bytes = std::fs::read(entry.path()).expect("it can be read");
            files.insert(entry.file_name().to_string_lossy(), bytes);
        }
    }
    (files, name)
}

/// A schema that is accepted, with its limits and its own messages.
pub struct Schema {
    pub path: String,
    pub model: Model,
    pub limits: Limits,
    pub messages: Vec<MessageId>,
}

/// Every schema that is accepted.
pub fn schemas() -> Vec<Schema> {
    let mut found = Vec::new();
    for path in folders() {
        let files = Folder(folder(&path));
        let settings = files.exists("wirebench.toml").then(|| "wirebench.toml".to_owned());
        let mut names: Vec<String> = std::fs::read_dir(folder(&path))
            .expect("it was found")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".proto"))
            .collect();
        names.sort();
        for name in names {
            let input = Input { roots: vec![name.clone()], settings: settings.clone(), ..Input::default() };
            let Some(model) = check(&input, &files).model else { continue };
            let limits = resolve(&model, &input, &files).limits;
            let is_own = |id: &MessageId| {
                let message = model.message(*id);
                model.files[message.file].is_root && !message.is_map_entry
            };
            let messages = model.message_ids().filter(is_own).collect();
            found.push(Schema { path: format!("{path}/{name}"), model, limits, messages });
        }
    }
    assert!(found.len() > 60, "only {} schemas", found.len());
    found
}
