//! No text makes the front end panic, hang or need more than a small stack: the editor runs it on every
//! key press, on a worker thread.

use std::path::Path;

use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::options::{LimitChange, resolve, set_limit, set_limit_in_options};
use wirebench_engine::schema::check;
use wirebench_engine::syntax::{highlight, lex, outline};

/// Stack of the worker threads, in bytes.
const STACK: usize = 1 << 20;

/// Runs on a thread with a small stack, and hands a panic on.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("threads can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Every file of every case, by its path in the folder of cases.
fn case_files() -> Vec<(String, Vec<u8>)> {
    let unreadable = "the cases can be read";
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    let mut waiting = vec![cases.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect(unreadable).flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path
                    .strip_prefix(&cases)
                    .expect("it was found there")
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push((name, std::fs::read(&path).expect(unreadable)));
            }
        }
    }
    found.sort();
    assert!(found.len() > 250, "only {} files", found.len());
    found
}

/// Tokens and outline: lossless, and inside the text.
fn read_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let tokens = lex(&text);
    let mut at = 0;
    for token in &tokens {
        assert_eq!(token.range.start, at, "{text:?}");
        assert!(token.range.end > at && text.is_char_boundary(token.range.end), "{text:?}");
        at = token.range.end;
    }
    assert_eq!(at, text.len(), "{text:?}");
    let found = outline(&text);
    for decl in &found.decls {
        let ranges = [&decl.range, &decl.name_range].into_iter().chain(&decl.options).chain(&decl.body);
        for range in ranges {
            assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
        }
        assert!(decl.parent.is_none_or(|parent| found.decls[parent].range.end >= decl.range.end), "{text:?}");
    }
}

/// The whole front end on a schema with an `.options` file and settings beside it.
fn check_all(schema: &[u8], options: &[u8], settings: &[u8]) {
    let files = MemoryFiles::default()
        .with("p/schema.proto", schema)
        .with("p/schema.options", options)
        .with("p/wirebench.toml", settings);
    let input = Input {
        roots: vec!["p/schema.proto".to_owned()],
        settings: Some("p/wirebench.toml".to_owned()),
        ..Input::default()
    };
    let checked = check(&input, &files);
    assert_eq!(checked.model.is_none(), checked.diagnostics.iter().any(|found| found.is_error()));
    if let Some(model) = &checked.model {
        let resolved = resolve(model, &input, &files);
        let fields: usize = model.messages.iter().map(|message| message.fields.len()).sum();
        assert_eq!(resolved.limits.fields.len(), fields);
    }
}

/// A limit is changed or the change is refused; changing it again to the same value changes nothing.
fn edit_limits(settings: &[u8], options: &[u8]) {
    let (settings, options) = (String::from_utf8_lossy(settings), String::from_utf8_lossy(options));
    let (field, change) = ("comparison.Configuration.device_name", LimitChange::MaxLen(20));
    if let Ok(after) = set_limit(&settings, field, change) {
        assert_eq!(set_limit(&after, field, change).as_ref(), Ok(&after), "{settings}");
    }
    if let Ok(after) = set_limit_in_options(&options, "T.a", true, change) {
        assert_eq!(set_limit_in_options(&after, "T.a", true, change).as_ref(), Ok(&after), "{options}");
    }
}

/// Offsets to cut a file at: all of a short one, the ends and a sample of a long one.
fn cuts(len: usize) -> impl Iterator<Item = usize> {
    (0..=len).filter(move |at| len < 4096 || *at < 512 || len - at < 512 || at % 199 == 0)
}

#[test]
fn every_prefix_of_every_case_is_read() {
    on_small_stack(|| {
        for (name, bytes) in case_files() {
            for at in cuts(bytes.len()) {
                read_text(&bytes[..at]);
            }
            if name.ends_with(".proto") && bytes.len() < 4096 {
                for at in (0..=bytes.len()).step_by(7) {
                    check_all(&bytes[..at], b"T.a max_size:4", b"version = 1");
                }
            }
            if name.ends_with(".options") {
                for at in 0..=bytes.len() {
                    check_all(
                        b"syntax = \"proto3\"; message T { string a = 1; }",
                        &bytes[..at],
                        &bytes[..at],
                    );
                }
            }
        }
    });
}

/// A small generator of pseudo-random numbers: the same run every time.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    /// The bytes with a few places changed: replaced, removed, doubled, or with a token put in.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        const PIECES: [&str; 24] = [
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "\"",
            "'",
            "/*",
            "*/",
            "//",
            ";",
            "=",
            "message ",
            "oneof o {",
            "map<",
            "option (nanopb).max_size = ",
            "reserved 1 to max;",
            "-9223372036854775809",
            "\u{feff}",
            "é",
            "\0",
            "extensions 1 to max [",
            "group G = 1 {",
        ];
        let mut result = bytes.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(result.len() + 1);
            match self.below(5) {
                0 if at < result.len() => result[at] = self.below(256) as u8,
                1 if at < result.len() => {
                    let end = (at + 1 + self.below(12)).min(result.len());
                    result.drain(at..end);
                }
                2 => {
                    let end = (at + self.below(40)).min(result.len());
                    let copy = result[at..end].to_vec();
                    result.splice(at..at, copy);
                }
                _ => {
                    let piece = PIECES[self.below(PIECES.len())];
                    result.splice(at..at, piece.bytes());
                }
            }
        }
        result
    }
}

#[test]
fn mutated_schemas_are_read() {
    on_small_stack(|| {
        let files: Vec<_> = case_files().into_iter().filter(|(_, bytes)| bytes.len() < 4096).collect();
        let schemas: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(".proto")).collect();
        let options: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(".options")).collect();
        let settings = include_bytes!("../../schemas/wirebench.toml");
        let mut seeded = Seeded(0x5eed_0001);
        for round in 0..2000 {
            let pick = seeded.below(schemas.len());
            let schema = seeded.mutate(&schemas[pick].1);
            read_text(&schema);
            assert_eq!(
                highlight(&String::from_utf8_lossy(&schema)).len(),
                lex(&String::from_utf8_lossy(&schema)).len()
            );
            if round % 4 == 0 {
                let pick = seeded.below(options.len());
                let options = seeded.mutate(&options[pick].1);
                let settings = seeded.mutate(settings);
                check_all(&schema, &options, &settings);
                edit_limits(&settings, &options);
            }
        }
    });
}

#[test]
fn deep_nesting_is_an_error_and_needs_no_stack() {
    let deep: Vec<String> = vec![
        "message M {".repeat(10_000),
        format!("syntax = \"proto3\";\n{}{}", "message M {".repeat(10_000), "}".repeat(10_000)),
        format!("syntax = \"proto3\";\n{}{}", "message M {".repeat(60), "}".repeat(60)),
        format!("syntax = \"proto3\";\n{}{}", "message M {".repeat(31), "}".repeat(31)),
        format!(
            "message T {{ optional int32 a = 1 [(x) = {}{}]; }}",
            "{ a ".repeat(10_000),
            "}".repeat(10_000)
        ),
        format!("message T {{ optional int32 a = 1 [(x) = {}{}]; }}", "{ a ".repeat(60), "}".repeat(60)),
        format!(
            "message T {{ optional int32 a = 1 [(x) = {{ a: {}{} }}]; }}",
            "[".repeat(60),
            "]".repeat(60)
        ),
        format!("message T {{ {}", "oneof o { ".repeat(10_000)),
        format!("message T {{ optional {} a = 1; }}", "a.".repeat(50_000) + "b"),
        format!("option {}a = 1;", "(a).".repeat(50_000)),
        "[".repeat(100_000),
        "map<".repeat(100_000),
        "/*".repeat(100_000),
        "\"".repeat(100_000),
        "group G = 1 {".repeat(100_000),
    ];
    on_small_stack(move || {
        for text in deep {
            read_text(text.as_bytes());
            check_all(text.as_bytes(), b"", b"");
            check_all(b"syntax = \"proto3\"; message T { string a = 1; }", text.as_bytes(), text.as_bytes());
        }
    });
}

#[test]
fn a_long_chain_and_a_circle_of_imports_need_no_stack() {
    on_small_stack(|| {
        let mut files = MemoryFiles::default();
        for at in 0..2000 {
            let text = format!(
                "syntax = \"proto3\"; import public \"f{}.proto\"; message M{at} {{}}",
                (at + 1) % 2001
            );
            files.insert(format!("f{at}.proto"), text);
        }
        let input = Input { roots: vec!["f0.proto".to_owned()], ..Input::default() };
        files.insert("f2000.proto", "syntax = \"proto3\"; import \"f0.proto\";");
        let checked = check(&input, &files);
        let circle =
            checked.diagnostics.iter().any(|found| found.message.starts_with("imports go in a circle"));
        assert!(circle && checked.model.is_none());
    });
}
