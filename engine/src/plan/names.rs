//! Rust names for schema names: cased as Rust expects, keywords raw, every clash in a scope resolved by `_` at the end.
//!
//! ```text
//! comparison.DeviceCommand.reboot_delay_ms ─▶ comparison::device_command::Action::RebootDelayMs
//! ```

use std::collections::{HashMap, HashSet};

use super::types::Ident;
use crate::schema::{EnumId, MessageId, Model};

/// Keywords of all editions, reserved ones too. All can be raw but the last five.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];
const NEVER_RAW: &[&str] = &["crate", "self", "Self", "super", "_"];

/// Names that generated code itself uses for modules.
const OWN_MODULES: &[&str] = &["count", "get", "put", "table"];

/// The type at the root of the generated code that says what the tables use.
pub const PROFILE: &str = "WirebenchProfile";

/// Methods that generated messages have from us.
const OWN_METHODS: &[&str] = &[
    "borrow",
    "borrow_mut",
    "clone",
    "clone_from",
    "clone_into",
    "decode",
    "decode_with",
    "default",
    "encode",
    "encode_to_slice",
    "encode_with",
    "encoded_len",
    "eq",
    "fmt",
    "into",
    "is_complete",
    "measure",
    "merge",
    "merge_with",
    "ne",
    "new",
    "read",
    "to_owned",
    "try_into",
    "type_id",
    "write",
];

impl Ident {
    /// The identifier without a raw mark, to be part of a longer one.
    pub fn bare(&self) -> &str {
        self.0.strip_prefix("r#").unwrap_or(&self.0)
    }

    /// The identifier as it stands behind a word and `_`: without underscores at its start.
    pub fn stem(&self) -> &str {
        stem(self.bare())
    }

    /// The identifier with `_` and a word behind it; its own underscores stay at the end.
    pub fn followed_by(&self, word: &str) -> String {
        followed_by(self.bare(), word)
    }
}

/// A name without underscores at its start, unless nothing is left: `set__x` is no snake case.
fn stem(name: &str) -> &str {
    let stem = name.trim_start_matches('_');
    if stem.is_empty() { name } else { stem }
}

/// `x_mut` for x, `x_mut_` for x_: `x__mut` is no snake case.
fn followed_by(name: &str, word: &str) -> String {
    let start = name.trim_end_matches('_');
    let start = if start.is_empty() { name } else { start };
    format!("{start}_{word}{}", &name[start.len()..])
}

/// A name that cannot be mistaken for a keyword.
fn ident(name: String) -> Ident {
    if NEVER_RAW.contains(&name.as_str()) {
        Ident(name + "_")
    } else if KEYWORDS.contains(&name.as_str()) {
        Ident(format!("r#{name}"))
    } else {
        Ident(name)
    }
}

/// The words of a name: split at `_`, before a capital after a lower-case letter or digit, and before the last
/// capital of a row of them.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (i, c) in chars.iter().enumerate() {
        let boundary = c.is_uppercase()
            && i > 0
            && (!chars[i - 1].is_uppercase() || chars.get(i + 1).is_some_and(|next| next.is_lowercase()));
        if (*c == '_' || boundary) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if *c != '_' {
            word.push(*c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// `deviceID` as `device_id`; a leading `_` stays.
pub fn snake(name: &str) -> String {
    let is_snake = !name.contains("__") && !name.chars().any(char::is_uppercase);
    if is_snake {
        return name.to_owned();
    }
    let start = if name.starts_with('_') { "_" } else { "" };
    let joined = words(name).iter().map(|w| w.to_lowercase()).collect::<Vec<_>>().join("_");
    format!("{start}{joined}")
}

/// `move_to` as `MoveTo`; a name that is CamelCase already stays as it is.
pub fn camel(name: &str) -> String {
    if !name.contains('_') && name.starts_with(char::is_uppercase) {
        return name.to_owned();
    }
    let mut out = String::new();
    for part in name.split('_') {
        let shouting = !part.chars().any(char::is_lowercase) && name.contains('_');
        for (i, c) in part.chars().enumerate() {
            if i == 0 {
                out.extend(c.to_uppercase());
            } else if shouting {
                out.extend(c.to_lowercase());
            } else {
                out.push(c);
            }
        }
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert(0, '_');
    }
    if out == "_" { "Unnamed".to_owned() } else { out }
}

/// `warningLevel` as `WARNING_LEVEL`; a name without lower-case letters stays as it is.
pub fn shout(name: &str) -> String {
    if !name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let start = if name.starts_with('_') { "_" } else { "" };
    let joined = words(name).iter().map(|w| w.to_uppercase()).collect::<Vec<_>>().join("_");
    format!("{start}{joined}")
}

/// Names taken in one scope.
#[derive(Clone, Debug, Default)]
pub struct Scope(HashSet<String>);

impl Scope {
    /// Takes `name`, with as many `_` at its end as it needs to be new.
    pub fn take(&mut self, name: String) -> Ident {
        self.take_with(name, |name| vec![name.to_owned()])
    }

    /// Takes all of `names(name)`, with as many `_` at the name's end as they need to be new.
    pub fn take_with(&mut self, mut name: String, names: impl Fn(&str) -> Vec<String>) -> Ident {
        while NEVER_RAW.contains(&name.as_str()) || names(&name).iter().any(|n| self.0.contains(n)) {
            name.push('_');
        }
        self.0.extend(names(&name));
        ident(name)
    }
}

/// Name of the presence bits' type of a message: `ConfigurationHas`; underscores stay at the end.
pub fn has_type(message: &str) -> String {
    let stem = message.trim_end_matches('_');
    format!("{stem}Has{}", &message[stem.len()..])
}

/// Struct fields and accessors of one message.
#[derive(Debug)]
pub struct Members {
    fields: Scope,
    methods: Scope,
}

impl Default for Members {
    fn default() -> Members {
        Members {
            fields: Scope(HashSet::from(["has".to_owned()])),
            methods: Scope(OWN_METHODS.iter().map(|m| (*m).to_owned()).collect()),
        }
    }
}

impl Members {
    /// A plain field.
    pub fn field(&mut self, proto_name: &str) -> Ident {
        self.fields.take(snake(proto_name))
    }

    /// A field with accessors.
    pub fn field_with_accessors(&mut self, proto_name: &str) -> Ident {
        let mut name = snake(proto_name);
        loop {
            let methods = accessors(&name);
            let is_free = !NEVER_RAW.contains(&name.as_str())
                && !self.fields.0.contains(&name)
                && !methods.iter().any(|m| self.methods.0.contains(m));
            if is_free {
                self.methods.0.extend(methods);
                return self.fields.take(name);
            }
            name.push('_');
        }
    }
}

/// Methods of a field with presence.
fn accessors(name: &str) -> Vec<String> {
    let stem = stem(name);
    vec![
        name.to_owned(),
        format!("set_{stem}"),
        format!("with_{stem}"),
        format!("clear_{stem}"),
        followed_by(name, "mut"),
        followed_by(name, "or_default"),
    ]
}

/// Where types live: module paths and names of all messages and enums.
#[derive(Debug, Default)]
pub struct Names {
    /// Modules around each message, and its name.
    pub messages: HashMap<MessageId, (Vec<Ident>, Ident)>,
    /// Modules around each enum, and its name.
    pub enums: HashMap<EnumId, (Vec<Ident>, Ident)>,
    /// The module of what is nested in a message.
    pub inner: HashMap<MessageId, Vec<Ident>>,
    scopes: HashMap<Vec<Ident>, Scope>,
}

impl Names {
    /// Names for every message and enum of the model. `has_presence` says which messages have presence bits.
    pub fn of(model: &Model, has_presence: impl Fn(MessageId) -> bool) -> Names {
        let mut names = Names::default();
        let packages: Vec<Vec<Ident>> = model.files.iter().map(|f| names.package(&f.package)).collect();
        // Parents stand before what is nested in them.
        for id in model.message_ids() {
            let message = model.message(id);
            let module = names.module_of(message.parent, &packages[message.file]);
            let scope = names.scope(&module);
            let rust_name = if has_presence(id) {
                scope.take_with(camel(&message.proto_name), |n| vec![n.to_owned(), has_type(n)])
            } else {
                scope.take(camel(&message.proto_name))
            };
            let inside = scope.take(snake(&message.proto_name));
            let mut inner = module.clone();
            inner.push(inside);
            names.inner.insert(id, inner);
            names.messages.insert(id, (module, rust_name));
        }
        for (at, item) in model.enums.iter().enumerate() {
            let module = names.module_of(item.parent, &packages[item.file]);
            let rust_name = names.scope(&module).take(camel(&item.proto_name));
            names.enums.insert(EnumId(at as u32), (module, rust_name));
        }
        names
    }

    /// A type in the module of what is nested in `message`.
    pub fn take_inner(&mut self, message: MessageId, proto_name: &str) -> Ident {
        let module = self.inner.get(&message).cloned().unwrap_or_default();
        self.scope(&module).take(camel(proto_name))
    }

    fn module_of(&self, parent: Option<MessageId>, package: &[Ident]) -> Vec<Ident> {
        match parent {
            Some(parent) => self.inner.get(&parent).cloned().unwrap_or_else(|| package.to_vec()),
            None => package.to_vec(),
        }
    }

    fn scope(&mut self, module: &[Ident]) -> &mut Scope {
        let own = || Scope(OWN_MODULES.iter().chain(&[PROFILE]).map(|m| (*m).to_owned()).collect());
        self.scopes.entry(module.to_vec()).or_insert_with(own)
    }

    /// The modules of a package; those of the same name are the same module.
    fn package(&mut self, package: &str) -> Vec<Ident> {
        let mut path = Vec::new();
        for part in package.split('.').filter(|p| !p.is_empty()) {
            let mut name = snake(part);
            while NEVER_RAW.contains(&name.as_str()) || OWN_MODULES.contains(&name.as_str()) {
                name.push('_');
            }
            self.scope(&path).0.insert(name.clone());
            path.push(ident(name));
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cased_as_rust_expects() {
        assert_eq!(snake("deviceID"), "device_id");
        assert_eq!(snake("HTTPServer2x"), "http_server2x");
        assert_eq!(snake("a__b"), "a_b");
        assert_eq!(snake("_x"), "_x");
        assert_eq!(camel("Growth_01"), "Growth01");
        assert_eq!(camel("reboot_delay_ms"), "RebootDelayMs");
        assert_eq!(camel("SET_OUTPUT"), "SetOutput");
        assert_eq!(camel("HTTPServer"), "HTTPServer");
        assert_eq!(camel("_1"), "_1");
        assert_eq!(shout("warningLevel"), "WARNING_LEVEL");
        assert_eq!(shout("A__B"), "A__B");
    }

    #[test]
    fn a_taken_name_gets_an_underscore() {
        let mut scope = Scope::default();
        assert_eq!(scope.take("a".into()).0, "a");
        assert_eq!(scope.take("a".into()).0, "a_");
        assert_eq!(scope.take("type".into()).0, "r#type");
        assert_eq!(scope.take("self".into()).0, "self_");
    }

    #[test]
    fn accessors_do_not_clash_with_fields_or_our_methods() {
        let mut members = Members::default();
        assert_eq!(members.field_with_accessors("x").0, "x");
        assert_eq!(members.field_with_accessors("set_x").0, "set_x_");
        assert_eq!(members.field_with_accessors("encode").0, "encode_");
        assert_eq!(members.field("has").0, "has_");
        assert_eq!(Ident("encode_".into()).followed_by("mut"), "encode_mut_");
        assert_eq!(members.field_with_accessors("_y").0, "_y");
        assert_eq!(members.field_with_accessors("y").0, "y_", "both would have set_y");
    }
}
