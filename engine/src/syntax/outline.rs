//! The declarations of a file, as a flat list: a parent stands before its children.

use std::ops::Range;

/// What a declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclKind {
    /// `syntax = "proto3";`
    Syntax,
    /// `edition = "2023";`
    Edition,
    /// `import "a.proto";`
    Import,
    /// `package a.b;`
    Package,
    /// `option x = y;` at any level.
    Option,
    /// `message M { .. }`
    Message,
    /// A field of a message, oneof or extend block.
    Field,
    /// `map<K, V> m = 1;`
    MapField,
    /// `optional group G = 1 { .. }`: a field and its message.
    Group,
    /// `oneof o { .. }`
    Oneof,
    /// `enum E { .. }`
    Enum,
    /// `NAME = 1;` of an enum.
    EnumValue,
    /// `reserved 1, 3 to 5;`
    Reserved,
    /// `extensions 100 to max;`
    Extensions,
    /// `extend M { .. }`
    Extend,
    /// `service S { .. }`
    Service,
    /// `rpc R (A) returns (B);`
    Rpc,
}

/// One declaration. All ranges are byte ranges of the text it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// Index of the declaration it stands in.
    pub parent: Option<usize>,
    /// Name as written; for an import the path, for an option its name, for `extend` what it extends.
    pub name: String,
    /// Where the name stands; for an import or syntax line the string literal. Empty if it is missing.
    pub name_range: Range<usize>,
    /// From the first word up to and including `;` or `}`.
    pub range: Range<usize>,
    /// `optional`, `required`, `repeated`, `public` or `weak`.
    pub label: Option<Range<usize>>,
    /// Type of a field, with dots; of a map from `map` to `>`.
    pub type_range: Option<Range<usize>>,
    /// The number after `=` (sign included), as written.
    pub number_range: Option<Range<usize>>,
    /// Its value, where it is an integer.
    pub number: Option<i64>,
    /// `[ .. ]`, brackets included; for an option line the value.
    pub options: Option<Range<usize>>,
    /// `{ .. }`, braces included.
    pub body: Option<Range<usize>>,
    /// Comments directly above it, without a blank line between.
    pub comment: Option<Range<usize>>,
}

/// The declarations of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// In the order they begin; parents before their children.
    pub decls: Vec<Decl>,
}

impl Outline {
    /// The package, empty if none is declared.
    pub fn package(&self) -> &str {
        self.of_kind(DeclKind::Package).next().map_or("", |(_, decl)| &decl.name)
    }

    /// Declarations of one kind with their indices.
    pub fn of_kind(&self, kind: DeclKind) -> impl Iterator<Item = (usize, &Decl)> {
        self.decls.iter().enumerate().filter(move |(_, decl)| decl.kind == kind)
    }

    /// Declarations that stand directly in `parent` (`None`: in the file).
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = (usize, &Decl)> {
        self.decls.iter().enumerate().filter(move |(_, decl)| decl.parent == parent)
    }

    /// The innermost declaration around a byte offset.
    pub fn at(&self, offset: usize) -> Option<usize> {
        self.decls.iter().rposition(|decl| decl.range.start <= offset && offset < decl.range.end)
    }

    /// Full protobuf name of a declaration: package, enclosing messages and its own name. Members of a
    /// oneof belong to the message, values of an enum to the scope of the enum, as in protobuf.
    pub fn full_name(&self, index: usize) -> String {
        let mut parts = vec![self.decls[index].name.as_str()];
        let mut at = index;
        while let Some(parent) = self.decls[at].parent {
            if names_inside(self.decls[parent].kind, self.decls[at].kind) {
                parts.push(&self.decls[parent].name);
            }
            at = parent;
        }
        if !self.package().is_empty() {
            parts.push(self.package());
        }
        parts.reverse();
        parts.join(".")
    }

    /// [`Outline::full_name`] of every declaration, in one pass.
    pub fn full_names(&self) -> Vec<String> {
        let package = self.package();
        // The scope a declaration opens for names inside, and the one it stands in.
        let mut inner: Vec<String> = Vec::with_capacity(self.decls.len());
        let mut outer: Vec<String> = Vec::with_capacity(self.decls.len());
        let mut names = Vec::with_capacity(self.decls.len());
        for decl in &self.decls {
            let scope = match decl.parent {
                None => package.to_owned(),
                Some(at) if names_inside(self.decls[at].kind, decl.kind) => inner[at].clone(),
                Some(at) => outer[at].clone(),
            };
            let name = if scope.is_empty() { decl.name.clone() } else { format!("{scope}.{}", decl.name) };
            let opens = decl.body.is_some();
            inner.push(if opens { name.clone() } else { String::new() });
            outer.push(if opens { scope } else { String::new() });
            names.push(name);
        }
        names
    }
}

/// Whether what is declared inside has the name of what is around in its full name.
fn names_inside(around: DeclKind, inside: DeclKind) -> bool {
    match around {
        DeclKind::Oneof => !matches!(inside, DeclKind::Field | DeclKind::Group),
        DeclKind::Enum => inside != DeclKind::EnumValue,
        DeclKind::Extend => false,
        _ => true,
    }
}
