//! Structs with their constructors, presence bits and accessors; oneofs; enums.

use super::types::{Speller, bit, has_name};
use super::writer::Writer;
use crate::plan::{EnumPlan, FieldPlan, Item, Label, MessagePlan, Slot, Storage};
use crate::schema::DefaultValue;

/// An enum's newtype.
pub fn enumeration(w: &mut Writer, plan: &EnumPlan) {
    let name = &plan.rust_name;
    w.gap();
    w.scope(plan.origin, |w| {
        w.docs(&plan.comment);
        w.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]");
        w.line("#[repr(transparent)]");
        w.line(format!("pub struct {name}(pub i32);"));
        w.gap();
        w.block(format!("impl {name}"), |w| {
            let mut numbers: Vec<i32> = Vec::new();
            for value in &plan.values {
                w.docs(&value.comment);
                w.line(format!("pub const {}: {name} = {name}({});", value.rust_name, value.number));
                if !numbers.contains(&value.number) {
                    numbers.push(value.number);
                }
            }
            numbers.sort_unstable();
            let numbers = numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(" | ");
            w.gap();
            w.line("/// Whether the schema names this number.");
            w.block("pub const fn is_known(self) -> bool", |w| {
                w.line(format!("::core::matches!(self.0, {numbers})"));
            });
        });
    });
}

/// The enums of a message's oneofs, in the message's own module.
pub fn oneofs(w: &mut Writer, spell: Speller<'_>, message: &MessagePlan) {
    for oneof in message.oneofs.iter().filter(|o| !o.fields.is_empty()) {
        w.gap();
        w.scope(message.origin, |w| {
            w.scope(oneof.origin, |w| {
                w.docs(&oneof.comment);
                w.line("#[derive(Clone, Debug, Default, PartialEq)]");
                w.line("#[repr(C, u8)]");
                w.block(format!("pub enum {}", oneof.type_name), |w| {
                    w.line("/// None of the members.");
                    w.line("#[default]");
                    w.line("NotSet,");
                    for at in &oneof.fields {
                        let field = &message.fields[*at];
                        w.scope(field.origin, |w| {
                            w.docs(&field.comment);
                            w.line(format!("{}({}),", field.rust_name, spell.field(field)));
                        });
                    }
                });
                w.gap();
                w.line(format!(
                    "const _: () = ::core::assert!(::core::mem::size_of::<{}>() == {});",
                    oneof.type_name, oneof.layout.size
                ));
            });
        });
    }
}

/// A message's struct, constructor and accessors.
pub fn message(w: &mut Writer, spell: Speller<'_>, message: &MessagePlan) {
    let name = &message.rust_name;
    w.docs(&message.comment);
    w.line("#[derive(Clone, Debug, PartialEq)]");
    w.line("#[repr(C)]");
    let order = message.struct_order();
    let has = has_name(message);
    w.block(format!("pub struct {name}"), |w| {
        for slot in &order {
            member(w, spell, message, *slot);
        }
        if message.presence_bits > 0 {
            w.line("/// Which fields are present.");
            w.line(format!("pub has: {has},"));
        }
    });
    w.gap();
    w.line(format!(
        "const _: () = ::core::assert!(::core::mem::size_of::<{name}>() == {});",
        message.layout.size
    ));
    w.gap();
    w.block(format!("impl {name}"), |w| {
        w.line("/// Every field zero or empty.");
        w.block(format!("pub const fn new() -> {name}"), |w| {
            w.block(name.to_string(), |w| {
                for slot in &order {
                    match slot {
                        Slot::Field(at) => {
                            let field = &message.fields[*at];
                            let empty = spell.empty(field);
                            w.scope(field.origin, |w| w.line(format!("{}: {empty},", field.rust_name)));
                        }
                        Slot::Oneof(at) => {
                            let oneof = &message.oneofs[*at];
                            let path = spell.oneof(message, oneof);
                            w.scope(oneof.origin, |w| {
                                w.line(format!("{}: {path}::NotSet,", oneof.rust_name))
                            });
                        }
                        Slot::Unknown => {
                            if let Some(unknown) = &message.unknown {
                                w.line(format!("{}: ::wirebench_runtime::Blob::new(),", unknown.rust_name));
                            }
                        }
                    }
                }
                if message.presence_bits > 0 {
                    w.line(format!("has: {has}::new(),"));
                }
            });
        });
        for field in &message.fields {
            if matches!(field.label, Label::Flag { .. }) {
                w.gap();
                w.scope(field.origin, |w| accessors(w, spell, message, field));
            }
        }
    });
    w.gap();
    w.block(format!("impl ::core::default::Default for {name}"), |w| {
        w.block(format!("fn default() -> {name}"), |w| w.line(format!("{name}::new()")));
    });
    if message.presence_bits > 0 {
        presence(w, message);
    }
}

fn member(w: &mut Writer, spell: Speller<'_>, message: &MessagePlan, slot: Slot) {
    match slot {
        Slot::Field(at) => {
            let field = &message.fields[at];
            w.scope(field.origin, |w| {
                w.docs(&field.comment);
                w.line(format!("pub {}: {},", field.rust_name, spell.field(field)));
            });
        }
        Slot::Oneof(at) => {
            let oneof = &message.oneofs[at];
            w.scope(oneof.origin, |w| {
                w.docs(&oneof.comment);
                w.line(format!("pub {}: {},", oneof.rust_name, spell.oneof(message, oneof)));
            });
        }
        Slot::Unknown => {
            if let Some(unknown) = &message.unknown {
                w.line(
                    "/// Fields that the schema does not name, as they came; written back after the others.",
                );
                w.line(format!("pub {}: ::wirebench_runtime::Blob<{}>,", unknown.rust_name, unknown.cap));
            }
        }
    }
}

/// What a getter returns of a field, and how.
fn getter(spell: Speller<'_>, field: &FieldPlan) -> (String, String) {
    let name = &field.rust_name;
    match &field.storage {
        Storage::One(Item::Scalar(_) | Item::Enum { .. }) => (spell.field(field), format!("self.{name}")),
        Storage::One(Item::Text { checked: true, .. }) => {
            ("&str".to_owned(), format!("self.{name}.as_str()"))
        }
        Storage::One(Item::Bytes { .. }) => ("&[u8]".to_owned(), format!("self.{name}.as_slice()")),
        _ => (format!("&{}", spell.field(field)), format!("&self.{name}")),
    }
}

fn accessors(w: &mut Writer, spell: Speller<'_>, message: &MessagePlan, field: &FieldPlan) {
    let Some((byte, mask)) = bit(field) else { return };
    let name = &field.rust_name;
    let bare = name.bare();
    let stem = name.stem();
    let of = spell.field(field);
    let owner = &message.rust_name;
    let (got, value) = getter(spell, field);
    let is_plain = matches!(field.storage, Storage::One(Item::Scalar(_) | Item::Enum { .. }));
    let is_set = format!("self.has.0[{byte}] & {mask} != 0");

    w.docs(&field.comment);
    w.block(format!("pub const fn {name}(&self) -> ::core::option::Option<{got}>"), |w| {
        w.block_ending(format!("if {is_set}"), "} else {", |w| {
            w.line(format!("::core::option::Option::Some({value})"));
        });
        w.inside(|w| w.line("::core::option::Option::None"));
        w.line("}");
    });
    if let Some((Storage::One(item), default)) = field.default.as_ref().map(|d| (&field.storage, d)) {
        or_default(w, spell, field, item, default);
    }
    w.gap();
    w.line(format!("/// Sets `{bare}`."));
    w.block(format!("pub const fn set_{stem}(&mut self, value: {of})"), |w| {
        w.line(format!("self.{name} = value;"));
        w.line(format!("self.has.0[{byte}] |= {mask};"));
    });
    w.gap();
    w.line(format!("/// The same with `{bare}` set."));
    w.block(format!("pub const fn with_{stem}(mut self, value: {of}) -> {owner}"), |w| {
        w.line(format!("self.set_{stem}(value);"));
        w.line("self");
    });
    w.gap();
    w.line(format!("/// Makes `{bare}` absent."));
    w.block(format!("pub const fn clear_{stem}(&mut self)"), |w| {
        w.line(format!("self.{name} = {};", spell.empty(field)));
        w.line(format!("self.has.0[{byte}] &= !{mask};"));
    });
    if !is_plain {
        w.gap();
        w.line(format!("/// Makes `{bare}` present, empty if it was not, and gives access to it."));
        w.block(format!("pub const fn {}(&mut self) -> &mut {of}", name.followed_by("mut")), |w| {
            w.block(format!("if self.has.0[{byte}] & {mask} == 0"), |w| {
                w.line(format!("self.{name} = {};", spell.empty(field)));
                w.line(format!("self.has.0[{byte}] |= {mask};"));
            });
            w.line(format!("&mut self.{name}"));
        });
    }
}

fn or_default(w: &mut Writer, spell: Speller<'_>, field: &FieldPlan, item: &Item, default: &DefaultValue) {
    let Some((byte, mask)) = bit(field) else { return };
    let name = &field.rust_name;
    let (got, value) = match item {
        Item::Text { checked: false, .. } => ("&[u8]".to_owned(), format!("self.{name}.as_bytes()")),
        _ => getter(spell, field),
    };
    let literal = match (item, default) {
        (Item::Text { checked: false, .. }, DefaultValue::Text(text)) => {
            super::types::byte_string(text.as_bytes())
        }
        _ => spell.default_value(item, default),
    };
    w.gap();
    w.line(format!("/// `{}`, or the default the schema declares.", name.bare()));
    w.block(format!("pub const fn {}(&self) -> {got}", name.followed_by("or_default")), |w| {
        w.block_ending(format!("if self.has.0[{byte}] & {mask} != 0"), "} else {", |w| w.line(value));
        w.inside(|w| w.line(literal));
        w.line("}");
    });
}

/// The type of the presence bits.
fn presence(w: &mut Writer, message: &MessagePlan) {
    let has = has_name(message);
    let bytes = message.presence_bits.div_ceil(8) as usize;
    let array = |bytes: &[String]| format!("[{}]", bytes.join(", "));
    let required: Vec<u8> = masks(message, bytes, |label| matches!(label, Label::Required { .. }));
    let has_required = required.iter().any(|b| *b != 0);

    w.gap();
    w.line(format!("/// Which fields of [`{}`] are present.", message.rust_name));
    if has_required {
        w.line("/// Required fields are always written; their bits say that they were read, and do not count in `==`.");
        w.line("#[derive(Clone, Copy, Debug, Default)]");
    } else {
        w.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]");
    }
    w.line("#[repr(transparent)]");
    w.line(format!("pub struct {has}([u8; {bytes}]);"));
    w.gap();
    w.block(format!("impl {has}"), |w| {
        for field in &message.fields {
            let Some((byte, mask)) = bit(field) else { continue };
            w.scope(field.origin, |w| {
                let mut values = vec!["0x00".to_owned(); bytes];
                values[byte as usize] = mask;
                w.line(format!("/// `{}`.", field.proto_name));
                w.line(format!(
                    "pub const {}: {has} = {has}({});",
                    field.rust_name.bare().to_uppercase(),
                    array(&values)
                ));
            });
        }
        w.gap();
        w.line("/// No field.");
        w.block(format!("pub const fn new() -> {has}"), |w| w.line(format!("{has}([0x00; {bytes}])")));
        w.gap();
        w.line("/// The fields of both.");
        w.block(format!("pub const fn with(mut self, other: {has}) -> {has}"), |w| {
            each_byte(w, bytes, |w, at| w.line(format!("self.0[{at}] |= other.0[{at}];")));
            w.line("self");
        });
        w.gap();
        w.line("/// Whether all fields of `other` are among these.");
        w.block(format!("pub const fn contains(self, other: {has}) -> bool"), |w| {
            if bytes == 1 {
                w.line("self.0[0] & other.0[0] == other.0[0]");
            } else {
                each_byte(w, bytes, |w, at| {
                    w.block(format!("if self.0[{at}] & other.0[{at}] != other.0[{at}]"), |w| {
                        w.line("return false;")
                    });
                });
                w.line("true");
            }
        });
    });
    w.gap();
    w.block(format!("impl ::core::ops::BitOr for {has}"), |w| {
        w.line(format!("type Output = {has};"));
        w.block(format!("fn bitor(self, other: {has}) -> {has}"), |w| w.line("self.with(other)"));
    });
    if has_required {
        let optional: Vec<u8> = masks(message, bytes, |label| !matches!(label, Label::Required { .. }));
        let terms: Vec<String> = optional
            .iter()
            .enumerate()
            .filter(|(_, mask)| **mask != 0)
            .map(|(at, mask)| format!("(self.0[{at}] ^ other.0[{at}]) & {mask:#04x} == 0"))
            .collect();
        w.gap();
        w.block(format!("impl ::core::cmp::PartialEq for {has}"), |w| {
            if terms.is_empty() {
                w.block(format!("fn eq(&self, _: &{has}) -> bool"), |w| w.line("true"));
            } else {
                w.block(format!("fn eq(&self, other: &{has}) -> bool"), |w| w.line(terms.join(" && ")));
            }
        });
        w.gap();
        w.line(format!("impl ::core::cmp::Eq for {has} {{}}"));
    }
}

/// Does something for every byte of the presence bits: spelled out for one, else in a loop.
fn each_byte(w: &mut Writer, bytes: usize, body: impl FnOnce(&mut Writer, &str)) {
    if bytes == 1 {
        body(w, "0");
        return;
    }
    w.line("let mut at = 0;");
    w.block(format!("while at < {bytes}"), |w| {
        body(w, "at");
        w.line("at += 1;");
    });
}

/// The bits of the fields whose label is wanted, by byte.
pub fn masks(message: &MessagePlan, bytes: usize, wanted: impl Fn(Label) -> bool) -> Vec<u8> {
    let mut masks = vec![0u8; bytes];
    for field in &message.fields {
        if let Label::Flag { bit } | Label::Required { bit } = field.label
            && wanted(field.label)
        {
            masks[(bit / 8) as usize] |= 1 << (bit % 8);
        }
    }
    masks
}
