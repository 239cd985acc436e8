//! The way from an [`Input`] to a [`Model`].

use super::build::build;
use super::compile::compile;
use super::lint::{lint_descriptors, lint_outlines};
use super::load::load;
use super::model::Model;
use super::source::SourceText;
use crate::diagnostic::Diagnostic;
use crate::files::{Files, Input};

/// What [`check`] found out.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The schema; `None` if there was an error.
    pub model: Option<Model>,
    /// Every file that was read, roots first; bundled files have no text and are left out.
    pub sources: Vec<SourceText>,
    /// Problems of all files, in the order of the files and of their lines.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the schema can be used.
    pub fn is_good(&self) -> bool {
        self.model.is_some()
    }
}

/// Reads the roots and their imports, checks them, and resolves every feature.
///
/// An import is looked for among protobuf's own files, in [`Input::import_roots`], in the folder of the
/// root file and in the folders around it. The bundled `nanopb.proto` stands in if the project has none.
///
/// ```
/// use wirebench_engine::files::{Input, MemoryFiles};
/// use wirebench_engine::schema::check;
/// let files = MemoryFiles::default().with("a.proto", "syntax = \"proto3\"; message T { Tt x = 1; }");
/// let checked = check(&Input { roots: vec!["a.proto".into()], ..Input::default() }, &files);
/// assert_eq!(checked.diagnostics[0].to_string(), "a.proto:1:32: error: name `Tt` is not defined");
/// ```
pub fn check(input: &Input, files: &dyn Files) -> Checked {
    let mut sources = load(input, files);
    let pool = compile(&mut sources);
    let mut found = std::mem::take(&mut sources.diagnostics);
    found.extend(lint_outlines(&sources));
    if let Some(pool) = &pool {
        found.extend(lint_descriptors(pool, &sources));
    }
    let has_errors = found.iter().any(Diagnostic::is_error);
    let model = match pool {
        Some(pool) if !has_errors && !sources.files.is_empty() => Some(build(pool, &sources)),
        _ => None,
    };
    let rank = |diagnostic: &Diagnostic| {
        let span = diagnostic.span.as_ref()?;
        let file = sources.files.iter().position(|file| file.path == span.file);
        Some((file, span.range.start))
    };
    found.sort_by_key(rank);
    let mut seen = std::collections::HashSet::new();
    found.retain(|one| {
        seen.insert((one.span.clone().map(|span| (span.file, span.line)), one.message.clone()))
    });
    Checked {
        model,
        sources: sources.files.into_iter().filter_map(|file| file.source).collect(),
        diagnostics: found,
    }
}
