//! The checked schema. Nobody downstream asks prost-reflect: presence, packing, closedness and
//! UTF-8 checks are resolved here, per field.

use std::sync::Arc;

use crate::diagnostic::Span;
use crate::origin::{OriginId, Origins};

/// Index of a message in [`Model::messages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u32);

/// Index of an enum in [`Model::enums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A field by its message and its position in [`Message::fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldRef {
    /// The message.
    pub message: MessageId,
    /// Position in [`Message::fields`].
    pub index: u32,
}

/// Everything the roots and their imports declare.
#[derive(Clone, Debug)]
pub struct Model {
    /// Files in dependency order: imports first.
    pub files: Vec<SourceFile>,
    /// All messages, nested ones after their parent; map entries included.
    pub messages: Vec<Message>,
    /// All enums.
    pub enums: Vec<Enum>,
    /// Interned origins of every message, field, oneof and enum.
    pub origins: Origins,
    /// The same schema for prost-reflect, which parses JSON and text samples.
    pub pool: prost_reflect::DescriptorPool,
}

/// One `.proto` file of the model.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path as the `Files` knows it; the import name for bundled files.
    pub path: Arc<str>,
    /// Name by which other files import it.
    pub import_name: String,
    /// Package, empty if none is declared.
    pub package: String,
    /// proto2 or proto3.
    pub syntax: Syntax,
    /// Whether the user opened it (else it came by import).
    pub is_root: bool,
}

/// The syntax a file declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `syntax = "proto2"` or none.
    Proto2,
    /// `syntax = "proto3"`.
    Proto3,
}

/// A message type.
#[derive(Clone, Debug)]
pub struct Message {
    /// Full name without a leading dot.
    pub full_name: Arc<str>,
    /// Last part of the name.
    pub proto_name: String,
    /// Index into [`Model::files`].
    pub file: usize,
    /// The message it is nested in.
    pub parent: Option<MessageId>,
    /// Fields in declaration order, then extensions by number.
    pub fields: Vec<Field>,
    /// Real oneofs (those of proto3 `optional` left out).
    pub oneofs: Vec<Oneof>,
    /// Whether it is the entry type of a map field.
    pub is_map_entry: bool,
    /// Leading comment, without comment marks.
    pub comment: String,
    /// Its name in the source, where the file has text.
    pub span: Option<Span>,
    /// Its origin.
    pub origin: OriginId,
}

/// A field with its features resolved.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name as declared.
    pub proto_name: String,
    /// Name in ProtoJSON: for an extension its full name in brackets.
    pub json_name: String,
    /// Field number.
    pub number: u32,
    /// Type of one value.
    pub kind: Kind,
    /// Singular, repeated or map.
    pub cardinality: Cardinality,
    /// How absence is told from the default value.
    pub presence: Presence,
    /// Whether a repeated scalar is written packed.
    pub packed: bool,
    /// Whether strings must be valid UTF-8 (proto3; proto2 does not check).
    pub utf8_checked: bool,
    /// Whether it is a group (delimited encoding).
    pub delimited: bool,
    /// Index into [`Message::oneofs`] if it is a member of a real oneof.
    pub oneof: Option<usize>,
    /// proto2 default, as declared.
    pub default: Option<DefaultValue>,
    /// Leading or trailing comment.
    pub comment: String,
    /// Its name in the source.
    pub span: Option<Span>,
    /// The whole declaration in the source, up to and including `;`.
    pub declaration: Option<Span>,
    /// Its origin.
    pub origin: OriginId,
}

/// Type of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are protobuf's own")]
pub enum Kind {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    String,
    Bytes,
    Enum(EnumId),
    Message(MessageId),
}

/// How often a field may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// At most one value.
    Singular,
    /// Any number of values, in order.
    Repeated,
    /// A map; the field's kind is its entry message.
    Map,
}

/// How absence of a singular field is told from its default value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Not at all: the default value is not written (proto3 without `optional`; repeated and map fields).
    Implicit,
    /// By its own flag: proto3 `optional`, proto2 `optional`, every singular message and oneof member.
    Explicit,
    /// proto2 `required`.
    Required,
}

/// A proto2 default value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "one variant per kind of value")]
pub enum DefaultValue {
    Float(f64),
    Signed(i64),
    Unsigned(u64),
    Bool(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// Number of the enum value.
    Enum(i32),
}

/// A oneof with more than one possible member (or one, if declared as such).
#[derive(Clone, Debug)]
pub struct Oneof {
    /// Name as declared.
    pub proto_name: String,
    /// Positions of its members in [`Message::fields`].
    pub fields: Vec<usize>,
    /// Leading comment.
    pub comment: String,
    /// Its name in the source.
    pub span: Option<Span>,
    /// Its origin.
    pub origin: OriginId,
}

/// An enum type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Full name without a leading dot.
    pub full_name: Arc<str>,
    /// Last part of the name.
    pub proto_name: String,
    /// Index into [`Model::files`].
    pub file: usize,
    /// The message it is nested in.
    pub parent: Option<MessageId>,
    /// Values in declaration order.
    pub values: Vec<EnumValue>,
    /// Closed (proto2): unknown numbers are unknown fields. Open (proto3): kept.
    pub is_closed: bool,
    /// Leading comment.
    pub comment: String,
    /// Its name in the source.
    pub span: Option<Span>,
    /// Its origin.
    pub origin: OriginId,
}

/// A named number of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// Name as declared.
    pub proto_name: String,
    /// Its number.
    pub number: i32,
    /// Leading comment.
    pub comment: String,
}

impl Model {
    /// The message behind an id of this model.
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0 as usize]
    }

    /// The enum behind an id of this model.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// The field behind a reference of this model.
    pub fn field(&self, field: FieldRef) -> &Field {
        &self.message(field.message).fields[field.index as usize]
    }

    /// The message of that full name (a leading dot is ignored), else the only one whose last part is `name`.
    pub fn find_message(&self, name: &str) -> Option<MessageId> {
        let name = name.strip_prefix('.').unwrap_or(name);
        if let Some(at) = self.messages.iter().position(|m| &*m.full_name == name) {
            return Some(MessageId(at as u32));
        }
        let mut found = self.messages.iter().enumerate().filter(|(_, m)| m.proto_name == name);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Some(MessageId(at as u32)),
            _ => None,
        }
    }

    /// Ids of all messages.
    pub fn message_ids(&self) -> impl Iterator<Item = MessageId> + use<> {
        (0..self.messages.len() as u32).map(MessageId)
    }
}
