//! Roots and everything they import, each file once, in an order where imports come first.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::bundled;
use super::path::{folders_up, join, normalize};
use super::source::SourceText;
use crate::diagnostic::{Diagnostic, Span};
use crate::files::{FileError, Files, Input};
use crate::syntax::{DeclKind, Outline, TokenKind, lex, outline};

/// Deepest nesting of brackets of any kind in a source. protoc stops at 32 levels of messages; options
/// may add some. The bound keeps everything recursive in the compiler within a small stack.
const MAX_NESTING: usize = 64;

/// Most places that are named where an import was not found.
const MOST_TRIED: usize = 5;

/// A file and what it imports.
pub(super) struct Loaded {
    /// Path as the `Files` knows it; the import name for bundled files.
    pub path: Arc<str>,
    /// Name by which it was imported; for a root its path from an import root, or its file name.
    pub import_name: String,
    /// Whether the user opened it.
    pub is_root: bool,
    /// Its text; `None` for bundled files.
    pub source: Option<SourceText>,
    /// Its declarations; empty for bundled files.
    pub outline: Outline,
    /// Its imports, in order.
    pub imports: Vec<Import>,
    /// Whether an error was found that makes compiling it pointless.
    pub is_broken: bool,
    /// Whether its descriptors were checked, well or badly.
    pub was_checked: bool,
    /// The root through which it was reached.
    via: usize,
}

/// One import line.
pub(super) struct Import {
    /// As written.
    pub name: String,
    /// Index of the file in [`Sources::files`], if it was found.
    pub target: Option<usize>,
    /// Whether the importer passes it on.
    pub is_public: bool,
    /// The string in the importer's text.
    pub range: Range<usize>,
}

/// All files of one run.
pub(super) struct Sources {
    /// In the order they were found.
    pub files: Vec<Loaded>,
    /// Indices into `files`, imports before their importers.
    pub order: Vec<usize>,
    /// Problems found on the way.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// The span of a range of its text, if it has one.
    pub fn span(&self, range: Range<usize>) -> Option<Span> {
        self.source.as_ref().map(|source| source.span(range))
    }

    /// Its text, empty for bundled files.
    pub fn text(&self) -> &str {
        self.source.as_ref().map_or("", |source| &source.text)
    }
}

/// Reads the roots and follows their imports.
pub(super) fn load(input: &Input, files: &dyn Files) -> Sources {
    let mut loader =
        Loader { input, files, loaded: Vec::new(), by_path: HashMap::new(), diagnostics: Vec::new() };
    for root in &input.roots {
        loader.open_root(root);
    }
    if input.roots.is_empty() {
        loader.diagnostics.push(Diagnostic::error(None, "there is no schema to check"));
    }
    let mut at = 0;
    while at < loader.loaded.len() {
        loader.follow_imports(at);
        at += 1;
    }
    let order = loader.order();
    Sources { files: loader.loaded, order, diagnostics: loader.diagnostics }
}

struct Loader<'a> {
    input: &'a Input,
    files: &'a dyn Files,
    loaded: Vec<Loaded>,
    /// Index by path; bundled files by `bundled:` and their name, which no path of a user can be.
    by_path: HashMap<String, usize>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_> {
    fn open_root(&mut self, root: &str) {
        let path = normalize(root);
        if self.by_path.contains_key(&path) {
            return;
        }
        match self.files.read(&path) {
            Ok(bytes) => {
                let name = self.root_name(&path);
                let via = self.loaded.len();
                self.add(path, name, true, via, &bytes);
            }
            Err(why) => self.diagnostics.push(Diagnostic::error(None, why.to_string())),
        }
    }

    /// The name other files would import a root by.
    fn root_name(&self, path: &str) -> String {
        let roots = self.input.import_roots.iter().map(|root| normalize(root));
        let under = roots.filter_map(|root| path.strip_prefix(&root)?.strip_prefix('/').map(str::to_owned));
        under.min_by_key(String::len).unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path).to_owned())
    }

    fn add(&mut self, path: String, import_name: String, is_root: bool, via: usize, bytes: &[u8]) -> usize {
        let (source, problem) = SourceText::from_bytes(&path, bytes);
        let mut is_broken = problem.is_some();
        self.diagnostics.extend(problem);
        if let (false, Some(problem)) = (is_broken, unreadable(&source)) {
            self.diagnostics.push(problem);
            is_broken = true;
        }
        let found = if is_broken { Outline::default() } else { outline(&source.text) };
        let open = never_closed(&source);
        is_broken |= !open.is_empty();
        self.diagnostics.extend(open);
        if let Some((_, decl)) = found.of_kind(DeclKind::Edition).next() {
            self.diagnostics.push(
                Diagnostic::error(
                    Some(source.span(decl.range.clone())),
                    format!(
                        "editions are not supported yet: this file says {}",
                        &source.text[decl.range.clone()]
                    ),
                )
                .with_help("write `syntax = \"proto3\";` or `syntax = \"proto2\";` instead"),
            );
            is_broken = true;
        }
        let imports = found
            .of_kind(DeclKind::Import)
            .filter(|(_, decl)| !decl.name.is_empty() && is_closed(&source.text[decl.name_range.clone()]))
            .map(|(_, decl)| Import {
                name: decl.name.clone(),
                target: None,
                is_public: decl.label.clone().is_some_and(|label| &source.text[label] == "public"),
                range: decl.name_range.clone(),
            })
            .collect();
        self.push(Loaded {
            path: source.path.clone(),
            import_name,
            is_root,
            source: Some(source),
            outline: found,
            imports,
            is_broken,
            was_checked: false,
            via,
        })
    }

    fn push(&mut self, file: Loaded) -> usize {
        let key = match file.source {
            Some(_) => file.path.to_string(),
            None => bundled_key(&file.path),
        };
        self.by_path.insert(key, self.loaded.len());
        self.loaded.push(file);
        self.loaded.len() - 1
    }

    fn follow_imports(&mut self, at: usize) {
        for import in 0..self.loaded[at].imports.len() {
            let name = self.loaded[at].imports[import].name.clone();
            let range = self.loaded[at].imports[import].range.clone();
            let earlier = &self.loaded[at].imports[..import];
            if earlier.iter().any(|earlier| earlier.name == name) {
                let span = self.loaded[at].span(range);
                self.problem(at, Diagnostic::error(span, format!("\"{name}\" is imported twice")));
                continue;
            }
            match self.find(at, &name) {
                Ok(target) => self.loaded[at].imports[import].target = Some(target),
                Err(problem) => {
                    let span = self.loaded[at].span(range);
                    self.problem(at, Diagnostic { span, ..problem });
                }
            }
        }
    }

    fn problem(&mut self, at: usize, problem: Diagnostic) {
        self.loaded[at].is_broken = true;
        self.diagnostics.push(problem);
    }

    /// The file an import means, read now if it was not before.
    fn find(&mut self, importer: usize, name: &str) -> Result<usize, Diagnostic> {
        if let Some(at) = self.by_path.get(&bundled_key(name)) {
            return Ok(*at);
        }
        if let Some(proto) = bundled::google(name) {
            // A user who opened a copy of it means that copy.
            let is_copy = |file: &Loaded| {
                file.is_root && (&*file.path == name || file.path.ends_with(&format!("/{name}")))
            };
            if let Some(at) = self.loaded.iter().position(is_copy) {
                return Ok(at);
            }
            return Ok(self.add_bundled(name, &proto.dependency, importer));
        }
        let mut tried = Vec::new();
        for path in self.candidates(importer, name) {
            if let Some(at) = self.by_path.get(&path) {
                return Ok(*at);
            }
            match self.files.read(&path) {
                Ok(bytes) => {
                    let via = self.loaded[importer].via;
                    return Ok(self.add(path, name.to_owned(), false, via, &bytes));
                }
                Err(FileError::NotFound(_)) => tried.push(path),
                Err(why) => return Err(Diagnostic::error(None, why.to_string())),
            }
        }
        if name == bundled::NANOPB {
            let imports = ["google/protobuf/descriptor.proto".to_owned()];
            return Ok(self.add_bundled(name, &imports, importer));
        }
        let nearest = tried.iter().take(MOST_TRIED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let rest = if tried.len() > MOST_TRIED { " and in the folders above" } else { "" };
        Err(Diagnostic::error(None, format!("there is no file for import \"{name}\""))
            .with_help(format!("looked for {nearest}{rest}; add the folder it stands in as an import root")))
    }

    /// Paths an import may mean, in order of precedence.
    fn candidates(&self, importer: usize, name: &str) -> Vec<String> {
        let roots = self.input.import_roots.iter().map(String::as_str);
        let root_file = &self.loaded[self.loaded[importer].via].path;
        let mut paths: Vec<String> = Vec::new();
        for folder in roots.chain(folders_up(root_file)) {
            let path = normalize(&join(folder, name));
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    fn add_bundled(&mut self, name: &str, imports: &[String], importer: usize) -> usize {
        let imports = imports
            .iter()
            .map(|name| Import { name: name.clone(), target: None, is_public: false, range: 0..0 })
            .collect();
        self.push(Loaded {
            path: Arc::from(name),
            import_name: name.to_owned(),
            is_root: false,
            source: None,
            outline: Outline::default(),
            imports,
            is_broken: false,
            was_checked: false,
            via: self.loaded[importer].via,
        })
    }

    /// Imports first. A file on an import cycle is reported at the line that closes it, and broken.
    fn order(&mut self) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; self.loaded.len()];
        let mut order = Vec::with_capacity(self.loaded.len());
        for start in 0..self.loaded.len() {
            let mut stack: Vec<(usize, usize)> = Vec::new();
            if state[start] == State::New {
                state[start] = State::Open;
                stack.push((start, 0));
            }
            while let Some((at, next)) = stack.pop() {
                let Some(import) = self.loaded[at].imports.get(next) else {
                    state[at] = State::Done;
                    order.push(at);
                    continue;
                };
                let (target, range) = (import.target, import.range.clone());
                stack.push((at, next + 1));
                let Some(target) = target else { continue };
                match state[target] {
                    State::Done => {}
                    State::New => {
                        state[target] = State::Open;
                        stack.push((target, 0));
                    }
                    State::Open => {
                        let from = stack.iter().position(|(file, _)| *file == target).unwrap_or(0);
                        let mut cycle: Vec<&str> =
                            stack[from..].iter().map(|(file, _)| &*self.loaded[*file].path).collect();
                        cycle.push(&self.loaded[target].path);
                        let text = format!("imports go in a circle: {}", cycle.join(" -> "));
                        let span = self.loaded[at].span(range);
                        self.problem(at, Diagnostic::error(span, text));
                    }
                }
            }
        }
        order
    }
}

fn bundled_key(name: &str) -> String {
    format!("bundled:{name}")
}

/// Comments and strings without an end: everything behind them would be misread.
fn never_closed(source: &SourceText) -> Vec<Diagnostic> {
    let text = &*source.text;
    let mut found = Vec::new();
    for token in lex(text) {
        let piece = &text[token.range.clone()];
        let what = match token.kind {
            TokenKind::BlockComment if piece.len() < 4 || !piece.ends_with("*/") => "comment",
            TokenKind::String if !is_closed(piece) => "string",
            _ => continue,
        };
        let opening = token.range.start..token.range.start + 1;
        found.push(Diagnostic::error(Some(source.span(opening)), format!("this {what} is never closed")));
    }
    found.truncate(MOST_OPEN);
    found
}

/// Most comments and strings without an end that are named.
const MOST_OPEN: usize = 10;

/// Whether a string token ends with its quote, and not with an escaped one.
fn is_closed(piece: &str) -> bool {
    let quote = &piece[..1];
    let Some(inside) = piece[1..].strip_suffix(quote) else { return false };
    let backslashes = inside.len() - inside.trim_end_matches('\\').len();
    backslashes % 2 == 0
}

/// What keeps a text from being parsed at all: control characters and nesting without end.
fn unreadable(source: &SourceText) -> Option<Diagnostic> {
    let text = &*source.text;
    let control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    if let Some(at) = text.bytes().position(control) {
        let what = text.as_bytes()[at];
        return Some(
            Diagnostic::error(
                Some(source.span(at..at + 1)),
                format!("control character 0x{what:02x} in the text"),
            )
            .with_help("remove it; in a string write an escape such as \\x00"),
        );
    }
    let mut depth = 0usize;
    for token in lex(text) {
        match &text[token.range.clone()] {
            "{" | "[" | "(" | "<" => depth += 1,
            "}" | "]" | ")" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Some(Diagnostic::error(
                Some(source.span(token.range)),
                format!("brackets are nested more than {MAX_NESTING} deep"),
            ));
        }
    }
    None
}
