//! How types, values and tags are spelled.

use super::tree;
use crate::plan::{
    FieldPlan, Ident, Item, Label, MessagePlan, OneofPlan, PROFILE, Plan, Scalar, Storage, has_type,
};
use crate::schema::{DefaultValue, EnumId, MessageId};

/// Spells names as seen from one module.
#[derive(Clone, Copy)]
pub struct Speller<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The module we are in.
    pub module: &'a [Ident],
}

impl Speller<'_> {
    /// A message's struct.
    pub fn message(&self, id: MessageId) -> String {
        self.plan.message(id).map_or_else(String::new, |m| tree::path(self.module, &m.module, &m.rust_name.0))
    }

    /// An enum's newtype.
    pub fn enumeration(&self, id: EnumId) -> String {
        self.plan
            .enumeration(id)
            .map_or_else(String::new, |e| tree::path(self.module, &e.module, &e.rust_name.0))
    }

    /// A oneof's enum.
    pub fn oneof(&self, message: &MessagePlan, oneof: &OneofPlan) -> String {
        tree::path(self.module, &message.inner, &oneof.type_name.0)
    }

    /// The firmware's profile.
    pub fn profile(&self) -> String {
        tree::path(self.module, &[], PROFILE)
    }

    /// The type of one value.
    pub fn item(&self, item: &Item) -> String {
        match item {
            Item::Scalar(scalar) => rust_scalar(*scalar).to_owned(),
            Item::Enum { id, .. } => self.enumeration(*id),
            Item::Text { cap, checked: true } => format!("::wirebench_runtime::Text<{cap}>"),
            Item::Text { cap, checked: false } => format!("::wirebench_runtime::RawText<{cap}>"),
            Item::Bytes { cap } => format!("::wirebench_runtime::Blob<{cap}>"),
            Item::Message(id) => self.message(*id),
        }
    }

    /// The type of a field.
    pub fn field(&self, field: &FieldPlan) -> String {
        match &field.storage {
            Storage::One(item) => self.item(item),
            Storage::List { cap, item, .. } => {
                format!("::wirebench_runtime::List<{}, {cap}>", self.item(item))
            }
            Storage::Streamed { .. } => String::new(),
        }
    }

    /// The zero or empty value of an item, usable in a `const`.
    pub fn empty_item(&self, item: &Item) -> String {
        match item {
            Item::Scalar(Scalar::Bool) => "false".to_owned(),
            Item::Scalar(Scalar::Float | Scalar::Double) => "0.0".to_owned(),
            Item::Scalar(_) => "0".to_owned(),
            Item::Enum { id, .. } => format!("{}(0)", self.enumeration(*id)),
            Item::Text { checked: true, .. } => "::wirebench_runtime::Text::new()".to_owned(),
            Item::Text { checked: false, .. } => "::wirebench_runtime::RawText::new()".to_owned(),
            Item::Bytes { .. } => "::wirebench_runtime::Blob::new()".to_owned(),
            Item::Message(id) => format!("{}::new()", self.message(*id)),
        }
    }

    /// The zero or empty value of a field; a map's value of a closed enum is the enum's default, which zero may not be.
    pub fn empty(&self, field: &FieldPlan) -> String {
        match &field.storage {
            Storage::One(Item::Enum { id, closed: true }) if field.label == Label::Always => {
                let default =
                    self.plan.enumeration(*id).and_then(|e| e.values.first()).map_or(0, |v| v.number);
                format!("{}({default})", self.enumeration(*id))
            }
            Storage::One(item) => self.empty_item(item),
            _ => "::wirebench_runtime::List::new()".to_owned(),
        }
    }

    /// A declared default, of the type that `_or_default` returns.
    pub fn default_value(&self, item: &Item, value: &DefaultValue) -> String {
        match (item, value) {
            (Item::Scalar(Scalar::Float), DefaultValue::Float(v)) => {
                float(*v, f64::from(*v as f32), "f32", format!("{:?}", *v as f32))
            }
            (_, DefaultValue::Float(v)) => float(*v, *v, "f64", format!("{v:?}")),
            (_, DefaultValue::Signed(v)) => v.to_string(),
            (_, DefaultValue::Unsigned(v)) => v.to_string(),
            (_, DefaultValue::Bool(v)) => v.to_string(),
            (_, DefaultValue::Text(v)) => format!("{v:?}"),
            (_, DefaultValue::Bytes(v)) => byte_string(v),
            (Item::Enum { id, .. }, DefaultValue::Enum(number)) => {
                let known =
                    self.plan.enumeration(*id).and_then(|e| e.values.iter().find(|v| v.number == *number));
                match known {
                    Some(value) => format!("{}::{}", self.enumeration(*id), value.rust_name),
                    None => format!("{}({number})", self.enumeration(*id)),
                }
            }
            (_, DefaultValue::Enum(number)) => number.to_string(),
        }
    }
}

fn float(v: f64, rounded: f64, of: &str, finite: String) -> String {
    if v.is_nan() {
        format!("{of}::NAN")
    } else if rounded.is_infinite() {
        format!("{of}::{}INFINITY", if rounded < 0.0 { "NEG_" } else { "" })
    } else {
        finite
    }
}

/// Bytes as a literal: `b"\x00abc"`.
pub fn byte_string(bytes: &[u8]) -> String {
    let mut out = "b\"".to_owned();
    for byte in bytes {
        out.extend(std::ascii::escape_default(*byte).map(char::from));
    }
    out + "\""
}

/// The Rust type of a scalar.
pub fn rust_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double => "f64",
        Scalar::Float => "f32",
        Scalar::Int32 | Scalar::Sint32 | Scalar::Sfixed32 => "i32",
        Scalar::Int64 | Scalar::Sint64 | Scalar::Sfixed64 => "i64",
        Scalar::Uint32 | Scalar::Fixed32 => "u32",
        Scalar::Uint64 | Scalar::Fixed64 => "u64",
        Scalar::Bool => "bool",
    }
}

/// The name protobuf has for a scalar, which the runtime's functions have too.
pub fn wire_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double => "double",
        Scalar::Float => "float",
        Scalar::Int32 => "int32",
        Scalar::Int64 => "int64",
        Scalar::Uint32 => "uint32",
        Scalar::Uint64 => "uint64",
        Scalar::Sint32 => "sint32",
        Scalar::Sint64 => "sint64",
        Scalar::Fixed32 => "fixed32",
        Scalar::Fixed64 => "fixed64",
        Scalar::Sfixed32 => "sfixed32",
        Scalar::Sfixed64 => "sfixed64",
        Scalar::Bool => "bool",
    }
}

/// The wire type of one value that is not packed.
pub fn wire_type(item: &Item) -> u32 {
    match item {
        Item::Scalar(Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64) => 1,
        Item::Scalar(Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32) => 5,
        Item::Scalar(_) | Item::Enum { .. } => 0,
        Item::Text { .. } | Item::Bytes { .. } | Item::Message(_) => 2,
    }
}

/// The tag a field is written with.
pub fn tag(field: &FieldPlan) -> u32 {
    let wire_type = match &field.storage {
        Storage::List { packed: true, .. } | Storage::Streamed { .. } => 2,
        _ if field.is_group => 3,
        Storage::One(item) | Storage::List { item, .. } => wire_type(item),
    };
    field.number << 3 | wire_type
}

/// A tag as it is printed.
pub fn hex(tag: u32) -> String {
    format!("{tag:#04x}")
}

/// The byte and mask of a field's presence bit.
pub fn bit(field: &FieldPlan) -> Option<(u32, String)> {
    match field.label {
        Label::Flag { bit } | Label::Required { bit } => Some((bit / 8, format!("{:#04x}", 1 << (bit % 8)))),
        _ => None,
    }
}

/// The type of a message's presence bits.
pub fn has_name(message: &MessagePlan) -> String {
    has_type(&message.rust_name.0)
}
