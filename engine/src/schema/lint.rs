//! What the compiler does not say: mistakes it lets pass and protoc refuses, and mistakes in files it
//! gave up on early.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use prost_reflect::prost_types::DescriptorProto;
use prost_reflect::{Cardinality, DescriptorPool, EnumDescriptor, Kind, MessageDescriptor, Syntax};

use super::load::{Loaded, Sources};
use super::places::Places;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Decl, DeclKind, TokenKind, lex};

/// Lints that need nothing but the text: a missing syntax line, and for files that were not checked
/// to the end numbers and names that are used twice or reserved.
pub(super) fn lint_outlines(sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for file in sources.files.iter().filter(|file| file.source.is_some()) {
        let has_syntax =
            file.outline.decls.iter().any(|d| matches!(d.kind, DeclKind::Syntax | DeclKind::Edition));
        if let (false, Some(first)) = (has_syntax, file.outline.decls.first()) {
            let text = "there is no `syntax` line: the file is read as proto2";
            found.push(
                Diagnostic::warning(file.span(first.range.start..first.range.start), text)
                    .with_help("write `syntax = \"proto2\";` or `syntax = \"proto3\";` in its first line"),
            );
        }
        if file.is_broken && !file.was_checked {
            lint_members(file, &mut found);
        }
    }
    found
}

/// Numbers and names used twice or reserved, in every message and enum of a file.
fn lint_members(file: &Loaded, found: &mut Vec<Diagnostic>) {
    let decls = &file.outline.decls;
    let mut members: HashMap<usize, Vec<&Decl>> = HashMap::new();
    for decl in decls {
        let Some(mut owner) = decl.parent else { continue };
        if decls[owner].kind == DeclKind::Oneof {
            let Some(around) = decls[owner].parent else { continue };
            owner = around;
        }
        members.entry(owner).or_default().push(decl);
    }
    for (owner, members) in members {
        match decls[owner].kind {
            DeclKind::Message | DeclKind::Group => lint_scope(file, &members, "field", false, found),
            DeclKind::Enum => {
                let is_alias = |d: &&Decl| {
                    d.kind == DeclKind::Option
                        && d.name == "allow_alias"
                        && d.options.clone().is_some_and(|range| &file.text()[range] == "true")
                };
                lint_scope(file, &members, "enum", members.iter().any(is_alias), found);
            }
            _ => {}
        }
    }
}

fn lint_scope(file: &Loaded, members: &[&Decl], what: &str, may_alias: bool, found: &mut Vec<Diagnostic>) {
    let mut names: HashMap<&str, &Decl> = HashMap::new();
    let mut numbers: HashMap<i64, &Decl> = HashMap::new();
    let reserved = members.iter().filter(|d| d.kind == DeclKind::Reserved);
    let (ranges, reserved_names) = reserved.fold((Vec::new(), Vec::new()), |mut all, decl| {
        let (ranges, names) = reserved_in(&file.text()[decl.name_range.clone()]);
        all.0.extend(ranges);
        all.1.extend(names);
        all
    });
    for decl in members {
        let is_member =
            matches!(decl.kind, DeclKind::Field | DeclKind::MapField | DeclKind::Group | DeclKind::EnumValue);
        if !is_member || decl.name.is_empty() {
            continue;
        }
        let name_span = file.span(decl.name_range.clone());
        if names.insert(&decl.name, decl).is_some() {
            found
                .push(Diagnostic::error(name_span.clone(), format!("name `{}` is defined twice", decl.name)));
        }
        if reserved_names.contains(&decl.name) {
            found.push(Diagnostic::error(name_span, format!("name `{}` is reserved", decl.name)));
        }
        let (Some(number), Some(range)) = (decl.number, decl.number_range.clone()) else { continue };
        let span = file.span(range);
        if let Some(first) = numbers.insert(number, decl).filter(|_| !may_alias) {
            let text = format!("{what} number {number} is already used by `{}`", first.name);
            found.push(Diagnostic::error(span.clone(), text));
        }
        if ranges.iter().any(|range| range.contains(&number)) {
            found.push(Diagnostic::error(
                span,
                format!("{what} number {number} of `{}` is reserved", decl.name),
            ));
        }
    }
}

/// Number ranges and names of a `reserved` statement.
fn reserved_in(text: &str) -> (Vec<RangeInclusive<i64>>, Vec<String>) {
    let (mut ranges, mut names) = (Vec::new(), Vec::new());
    for item in text.split(',') {
        let words: Vec<_> = lex(item).into_iter().filter(|token| !token.is_trivia()).collect();
        let word = |at: usize| words.get(at).map_or("", |token| &item[token.range.clone()]);
        match words.first().map(|token| token.kind) {
            Some(TokenKind::String) => names.push(word(0).trim_matches(['"', '\'']).to_owned()),
            Some(TokenKind::Number) => {
                let Ok(first) = word(0).parse::<i64>() else { continue };
                let last = match (word(1), word(2)) {
                    ("to", "max") => i64::MAX,
                    ("to", last) => last.parse().unwrap_or(first),
                    _ => first,
                };
                ranges.push(first..=last);
            }
            _ => {}
        }
    }
    (ranges, names)
}

/// Lints on the compiled schema.
pub(super) fn lint_descriptors(pool: &DescriptorPool, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for file in sources.files.iter().filter(|file| file.source.is_some()) {
        let Some(descriptor) = pool.get_file_by_name(&file.path) else { continue };
        let places = Places::new(file);
        let mut messages: Vec<MessageDescriptor> = descriptor.messages().collect();
        let mut enums: Vec<EnumDescriptor> = descriptor.enums().collect();
        while let Some(message) = messages.pop() {
            lint_message(&message, &places, &mut found);
            enums.extend(message.child_enums());
            messages.extend(message.child_messages());
        }
        for enumeration in enums {
            lint_enum(&enumeration, &places, &mut found);
        }
    }
    found
}

fn lint_message(message: &MessageDescriptor, places: &Places, found: &mut Vec<Diagnostic>) {
    let proto: &DescriptorProto = message.descriptor_proto();
    if message.is_map_entry() {
        return;
    }
    for field in message.fields() {
        let span = places.name(field.full_name());
        let name = field.name();
        if proto.reserved_name.iter().any(|reserved| reserved == name) {
            let text = format!("field name `{name}` is reserved in `{}`", message.full_name());
            found.push(
                Diagnostic::error(span.clone(), text)
                    .with_help("choose another name, or drop it from `reserved`"),
            );
        }
        let json = field.json_name();
        if json.starts_with('[') && json.ends_with(']') {
            let text =
                format!("JSON name \"{json}\" of `{name}` stands in brackets, which mean an extension");
            found.push(Diagnostic::error(span.clone(), text).with_help("write it without the brackets"));
        }
        let is_proto3 = field.parent_file().syntax() == Syntax::Proto3;
        if let (true, Kind::Enum(used)) = (is_proto3, field.kind())
            && used.parent_file().syntax() == Syntax::Proto2
        {
            let text = format!("`{name}` is a proto3 field, but its enum `{}` is proto2", used.full_name());
            found.push(Diagnostic::error(span.clone(), text).with_help("declare the enum in a proto3 file"));
        }
        let asks_packed =
            field.field_descriptor_proto().options.as_ref().is_some_and(|o| o.packed == Some(true));
        let can_pack = field.cardinality() == Cardinality::Repeated
            && !matches!(field.kind(), Kind::String | Kind::Bytes | Kind::Message(_));
        if asks_packed && !can_pack {
            let text = format!("`{name}` cannot be packed: only repeated numbers, bools and enums can");
            found.push(Diagnostic::error(span, text).with_help("drop `packed`"));
        }
    }
}

/// Value names that are the same to generators which cut the enum's name off them.
fn lint_enum(enumeration: &EnumDescriptor, places: &Places, found: &mut Vec<Diagnostic>) {
    if enumeration.parent_file().syntax() != Syntax::Proto3 {
        return;
    }
    let fold = |name: &str| name.replace('_', "").to_lowercase();
    let prefix = fold(enumeration.name());
    let mut seen: HashMap<String, (String, i32)> = HashMap::new();
    let scope =
        enumeration.full_name().rsplit_once('.').map_or(String::new(), |(scope, _)| format!("{scope}."));
    for value in enumeration.values() {
        let folded = fold(value.name());
        let short = match folded.strip_prefix(&prefix) {
            Some(rest) if !rest.is_empty() => rest.to_owned(),
            _ => folded,
        };
        let first = seen.entry(short).or_insert_with(|| (value.name().to_owned(), value.number()));
        if first.0 != value.name() && first.1 != value.number() {
            let text = format!(
                "`{}` and `{}` differ only in case, underscores or the enum's name in front",
                first.0,
                value.name()
            );
            found.push(Diagnostic::error(places.name(&format!("{scope}{}", value.name())), text));
        }
    }
}
