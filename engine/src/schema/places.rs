//! Where a declaration stands in its source, by full name.

use std::collections::HashMap;

use super::load::Loaded;
use crate::diagnostic::Span;
use crate::syntax::{Decl, DeclKind};

/// The declarations of one file by full name.
pub(super) struct Places<'a> {
    file: &'a Loaded,
    by_name: HashMap<String, usize>,
}

impl<'a> Places<'a> {
    pub fn new(file: &'a Loaded) -> Places<'a> {
        let mut by_name = HashMap::new();
        for (index, name) in file.outline.full_names().into_iter().enumerate() {
            let decl = &file.outline.decls[index];
            match decl.kind {
                DeclKind::Message
                | DeclKind::Field
                | DeclKind::MapField
                | DeclKind::Oneof
                | DeclKind::Enum
                | DeclKind::EnumValue => {
                    by_name.entry(name).or_insert(index);
                }
                DeclKind::Group => {
                    // A group declares a message and a field, which has its name in lower case.
                    let scope = &name[..name.len() - decl.name.len()];
                    by_name.entry(format!("{scope}{}", decl.name.to_lowercase())).or_insert(index);
                    by_name.entry(name).or_insert(index);
                }
                _ => {}
            }
        }
        Places { file, by_name }
    }

    /// The declaration of that full name.
    pub fn decl(&self, full_name: &str) -> Option<&'a Decl> {
        self.by_name.get(full_name).map(|at| &self.file.outline.decls[*at])
    }

    /// Where its name stands.
    pub fn name(&self, full_name: &str) -> Option<Span> {
        self.file.span(self.decl(full_name)?.name_range.clone())
    }

    /// The whole declaration.
    pub fn declaration(&self, full_name: &str) -> Option<Span> {
        self.file.span(self.decl(full_name)?.range.clone())
    }
}
