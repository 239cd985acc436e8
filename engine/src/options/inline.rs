//! nanopb's options written inside the schema.

use std::collections::HashMap;
use std::ops::Range;

use prost_reflect::{DescriptorPool, DynamicMessage, Kind, ReflectMessage, Value};

use super::nanopb::NanopbOption;
use crate::diagnostic::Span;
use crate::files::Files;
use crate::schema::SourceText;
use crate::syntax::{DeclKind, Outline, TokenKind, lex, outline};

/// Extension number of nanopb's options, of files, messages and fields alike.
const NUMBER: u32 = 1010;

/// Reads inline options; source texts are read again only for files that have some.
pub(super) struct Inline<'a> {
    pool: &'a DescriptorPool,
    files: &'a dyn Files,
    texts: HashMap<String, (SourceText, Outline, Vec<String>)>,
}

impl<'a> Inline<'a> {
    pub fn new(pool: &'a DescriptorPool, files: &'a dyn Files) -> Inline<'a> {
        Inline { pool, files, texts: HashMap::new() }
    }

    /// Options of a file as a whole.
    pub fn of_file(&mut self, path: &str) -> Vec<NanopbOption> {
        let options = |pool: &DescriptorPool| Some(pool.get_file_by_name(path)?.options());
        self.read("nanopb_fileopt", path, None, options)
    }

    /// Options of a message.
    pub fn of_message(&mut self, full_name: &str, path: &str) -> Vec<NanopbOption> {
        let options = |pool: &DescriptorPool| Some(pool.get_message_by_name(full_name)?.options());
        self.read("nanopb_msgopt", path, Some(full_name), options)
    }

    /// Options of a field.
    pub fn of_field(&mut self, message: &str, number: u32, full_name: &str, path: &str) -> Vec<NanopbOption> {
        let options =
            |pool: &DescriptorPool| Some(pool.get_message_by_name(message)?.get_field(number)?.options());
        self.read("nanopb", path, Some(full_name), options)
    }

    /// The options an extension holds. Most schemas do not know it, so it is looked for first.
    fn read(
        &mut self,
        name: &str,
        path: &str,
        of: Option<&str>,
        options: impl FnOnce(&DescriptorPool) -> Option<DynamicMessage>,
    ) -> Vec<NanopbOption> {
        let extension =
            self.pool.get_extension_by_name(name).filter(|extension| extension.number() == NUMBER);
        let Some(extension) = extension else { return Vec::new() };
        let Some(options) = options(self.pool) else { return Vec::new() };
        if extension.containing_message() != options.descriptor() || !options.has_extension(&extension) {
            return Vec::new();
        }
        let Value::Message(values) = options.get_extension(&extension).into_owned() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (field, value) in values.fields() {
            let text = match (value, field.kind()) {
                (Value::I32(value), _) => value.to_string(),
                (Value::U32(value), _) => value.to_string(),
                (Value::Bool(value), _) => value.to_string(),
                (Value::String(value), _) => value.clone(),
                (Value::EnumNumber(number), Kind::Enum(words)) => words
                    .get_value(*number)
                    .map_or_else(|| number.to_string(), |value| value.name().to_owned()),
                _ => continue,
            };
            let span = self.span(path, of, name, field.name());
            found.push(NanopbOption { name: field.name().to_owned(), value: text, span });
        }
        found
    }

    /// Where an option stands: the option itself if it can be made out, else the options around it.
    fn span(&mut self, path: &str, of: Option<&str>, extension: &str, option: &str) -> Span {
        let (source, outline, names) = self.texts.entry(path.to_owned()).or_insert_with(|| {
            let bytes = self.files.read(path).map_or(Vec::new(), |bytes| bytes.to_vec());
            let (source, _) = SourceText::from_bytes(path, &bytes);
            let outline = outline(&source.text);
            let names = outline.full_names();
            (source, outline, names)
        });
        let owner = of.and_then(|of| names.iter().position(|name| name == of));
        let is_field = owner.is_some_and(|at| {
            matches!(outline.decls[at].kind, DeclKind::Field | DeclKind::MapField | DeclKind::Group)
                && outline.decls[at].options.is_some()
        });
        let ranges: Vec<Range<usize>> = match owner {
            Some(at) if is_field => outline.decls[at].options.clone().into_iter().collect(),
            _ => {
                let lines = outline.children(owner).filter(|(_, decl)| decl.kind == DeclKind::Option);
                lines
                    .filter(|(_, decl)| decl.name.contains(extension))
                    .map(|(_, decl)| decl.range.clone())
                    .collect()
            }
        };
        for range in &ranges {
            let tokens = lex(&source.text[range.clone()]);
            let is_option = |token: &&crate::syntax::Token| {
                token.kind == TokenKind::Identifier
                    && &source.text[range.clone()][token.range.clone()] == option
            };
            if let Some(token) = tokens.iter().find(is_option) {
                return source.span(range.start + token.range.start..range.start + token.range.end);
            }
        }
        source.span(ranges.first().cloned().unwrap_or(0..0))
    }
}
