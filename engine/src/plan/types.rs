//! The plan's types.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span};
use crate::options::{Direction, UnknownOverflow};
use crate::origin::OriginId;
use crate::schema::{DefaultValue, EnumId, MessageId};
use crate::units::Bytes;

/// A Rust identifier, raw (`r#type`) where it has to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ident(pub String);

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What `plan::lower` returns. One message that cannot be generated does not sink the rest.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan of everything that can be generated.
    pub plan: Plan,
    /// Messages that cannot, and why.
    pub refused: Vec<(MessageId, Reason)>,
    /// Remarks; the refusals stand here too, with their place in the schema.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a message is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// In words that name the construct: "streaming a repeated field is not supported yet".
    pub message: String,
    /// The construct's place.
    pub span: Option<Span>,
}

/// Every decision for one firmware's messages.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In the order they are printed: file order, children before their users where it matters.
    pub messages: Vec<MessagePlan>,
    /// Enums that planned messages use, and the rest of the root files.
    pub enums: Vec<EnumPlan>,
    /// Position in `messages` by id.
    pub index: HashMap<MessageId, usize>,
    /// Position in `enums` by id.
    pub enum_index: HashMap<EnumId, usize>,
    /// Hash of everything that shapes the code; stands in the generated file.
    pub options_hash: u64,
}

/// How a message's code is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Style {
    /// Both ways by table (`size`).
    Table,
    /// Encode as calls, decode by table (`balanced`).
    Calls,
    /// Straight-line code both ways (`speed`).
    Straight,
}

/// Size and alignment of a struct or field in memory. The same for 32 and 64-bit targets unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Bytes, padding included.
    pub size: u64,
    /// Alignment in bytes: 1, 2, 4 or 8.
    pub align: u64,
}

/// Longest encoding of a field or message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaxEncoded {
    /// At most this.
    Bounded(Bytes),
    /// This, plus what streamed fields bring.
    FixedPlus {
        /// Everything but the streamed payloads.
        fixed: Bytes,
        /// Names of the streamed fields without a maximum length.
        streams: Vec<String>,
    },
    /// No bound.
    Unbounded {
        /// Why, in words.
        why: String,
    },
}

/// One message with every decision taken.
#[derive(Clone, Debug)]
pub struct MessagePlan {
    /// The message.
    pub id: MessageId,
    /// Its origin.
    pub origin: OriginId,
    /// Full protobuf name.
    pub full_name: Arc<str>,
    /// Last part of the protobuf name.
    pub proto_name: String,
    /// Modules around it, outermost first (package parts, parent messages).
    pub module: Vec<Ident>,
    /// The module of what is nested in it and of its oneofs' enums.
    pub inner: Vec<Ident>,
    /// Struct name.
    pub rust_name: Ident,
    /// Doc comment.
    pub comment: String,
    /// Fields by number; members of oneofs included, ignored ones left out.
    pub fields: Vec<FieldPlan>,
    /// Oneofs, in declaration order.
    pub oneofs: Vec<OneofPlan>,
    /// Number of presence bits.
    pub presence_bits: u32,
    /// Byte offset of the presence bits in the struct.
    pub has_offset: u64,
    /// Size and alignment of the struct.
    pub layout: Layout,
    /// Longest encoding.
    pub max_encoded: MaxEncoded,
    /// Shape of its code.
    pub style: Style,
    /// Why this style, in words for the window.
    pub style_reason: String,
    /// Which halves are generated, after what its parents need.
    pub direction: Direction,
    /// Whether it is the entry of a map.
    pub is_map_entry: bool,
    /// Where unknown fields are kept, if they are.
    pub unknown: Option<UnknownPlan>,
}

/// Room for the unknown fields of a message: they are kept as they came, and written back after the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPlan {
    /// Field of the struct that holds them.
    pub rust_name: Ident,
    /// Most bytes.
    pub cap: u32,
    /// What happens when they are more.
    pub overflow: UnknownOverflow,
    /// Byte offset in the struct.
    pub offset: u64,
}

/// One field with every decision taken.
#[derive(Clone, Debug)]
pub struct FieldPlan {
    /// Its origin.
    pub origin: OriginId,
    /// Position in the schema's [`crate::schema::Message::fields`].
    pub index: usize,
    /// Name in the schema.
    pub proto_name: String,
    /// Name in the struct, or of the oneof's variant.
    pub rust_name: Ident,
    /// Doc comment.
    pub comment: String,
    /// Field number.
    pub number: u32,
    /// How it is stored.
    pub storage: Storage,
    /// How it occurs on the wire.
    pub label: Label,
    /// Byte offset in the struct, for a member of a oneof: of the payload. 0 for streamed fields.
    pub offset: u64,
    /// Size and alignment in the struct; zero for streamed fields.
    pub layout: Layout,
    /// Longest this field can be on the wire, tags included.
    pub max_encoded: MaxEncoded,
    /// Declared proto2 default.
    pub default: Option<DefaultValue>,
    /// Whether the list is a map: its items are entries, of which each has a key of its own.
    pub is_map: bool,
    /// Whether the message stands between tags of its own instead of behind a length.
    pub is_group: bool,
}

/// What a field holds in the struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// One item.
    One(Item),
    /// At most `cap` items in a list.
    List {
        /// Most items.
        cap: u32,
        /// The item type.
        item: Item,
        /// Written packed.
        packed: bool,
    },
    /// Nothing: a streamed string or bytes payload.
    Streamed {
        /// Whether it is a string (UTF-8 is the callback's business).
        text: bool,
        /// Longest payload, where the limits say one.
        max_len: Option<u32>,
    },
}

/// Type of one stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A number or bool.
    Scalar(Scalar),
    /// An enum, stored as an i32 newtype.
    Enum {
        /// Which.
        id: EnumId,
        /// Unknown numbers are unknown fields.
        closed: bool,
    },
    /// A string of at most `cap` bytes.
    Text {
        /// Most bytes.
        cap: u32,
        /// Whether decoding checks UTF-8.
        checked: bool,
    },
    /// Bytes, at most `cap`.
    Bytes {
        /// Most bytes.
        cap: u32,
    },
    /// A nested message.
    Message(MessageId),
}

/// Scalar type on the wire; the Rust type follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are protobuf's own")]
pub enum Scalar {
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
}

/// How a field occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Written when it differs from the default value.
    Implicit,
    /// Written when its presence bit is set.
    Flag {
        /// Number of the bit.
        bit: u32,
    },
    /// Like [`Label::Flag`]; a decode without it fails.
    Required {
        /// Number of the bit.
        bit: u32,
    },
    /// Member of a oneof: written when the discriminant is `value`.
    Oneof {
        /// Index into [`MessagePlan::oneofs`].
        oneof: usize,
        /// Discriminant, from 1 (0 is not set).
        value: u8,
    },
    /// Key or value of a map's entry: always written, and there with its default value if it was not read.
    Always,
    /// A list; written item by item or packed.
    Repeated,
    /// A streamed payload: written when the source says it has one.
    Stream,
}

/// A oneof with every decision taken.
#[derive(Clone, Debug)]
pub struct OneofPlan {
    /// Its origin.
    pub origin: OriginId,
    /// Name in the schema.
    pub proto_name: String,
    /// Field of the struct that holds it.
    pub rust_name: Ident,
    /// Name of the Rust enum, in the message's own module.
    pub type_name: Ident,
    /// Doc comment.
    pub comment: String,
    /// Byte offset of the discriminant in the struct.
    pub offset: u64,
    /// Byte offset of every payload in the struct (`repr(C, u8)`: after the discriminant, at the enum's alignment).
    pub payload_offset: u64,
    /// Size and alignment of the enum.
    pub layout: Layout,
    /// Positions of its members in [`MessagePlan::fields`].
    pub fields: Vec<usize>,
}

/// An enum with every decision taken.
#[derive(Clone, Debug)]
pub struct EnumPlan {
    /// The enum.
    pub id: EnumId,
    /// Its origin.
    pub origin: OriginId,
    /// Full protobuf name.
    pub full_name: Arc<str>,
    /// Modules around it.
    pub module: Vec<Ident>,
    /// Newtype name.
    pub rust_name: Ident,
    /// Doc comment.
    pub comment: String,
    /// Values in declaration order.
    pub values: Vec<EnumValuePlan>,
}

/// A named enum value.
#[derive(Clone, Debug)]
pub struct EnumValuePlan {
    /// Name in the schema.
    pub proto_name: String,
    /// Constant's name.
    pub rust_name: Ident,
    /// Number.
    pub number: i32,
    /// Doc comment.
    pub comment: String,
}

impl Plan {
    /// The plan of a message, unless it was refused or pruned.
    pub fn message(&self, id: MessageId) -> Option<&MessagePlan> {
        self.index.get(&id).map(|at| &self.messages[*at])
    }

    /// The plan of an enum.
    pub fn enumeration(&self, id: EnumId) -> Option<&EnumPlan> {
        self.enum_index.get(&id).map(|at| &self.enums[*at])
    }
}

impl MessagePlan {
    /// The field of that number.
    pub fn field(&self, number: u32) -> Option<&FieldPlan> {
        self.fields.iter().find(|f| f.number == number)
    }
}
