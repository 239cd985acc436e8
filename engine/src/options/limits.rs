//! The resolved limits. Every value knows its source, so that it can be shown and edited in place.

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::schema::{FieldRef, MessageId};

/// Where a limit or setting was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitSource {
    /// Nobody wrote one; Wirebench chose it, and says so in a diagnostic.
    Chosen,
    /// `[defaults]` of `wirebench.toml`.
    ProjectDefault(Span),
    /// An entry of `wirebench.toml`.
    Settings(Span),
    /// A line of a nanopb `.options` file.
    NanopbOptions(Span),
    /// An option inside the schema.
    Inline(Span),
}

impl LimitSource {
    /// Where it was written; `None` if nobody did.
    pub fn span(&self) -> Option<&Span> {
        match self {
            LimitSource::Chosen => None,
            LimitSource::ProjectDefault(span)
            | LimitSource::Settings(span)
            | LimitSource::NanopbOptions(span)
            | LimitSource::Inline(span) => Some(span),
        }
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Its source.
    pub source: LimitSource,
}

/// Where the payload of a field lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StorageChoice {
    /// In the message struct.
    #[default]
    Inline,
    /// Nowhere: callbacks pull it while encoding and get it pushed while decoding.
    Streamed,
    /// Left out of the struct; skipped when it arrives.
    Ignored,
}

/// What decoding does with a value that is longer than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The decode fails with a capacity error.
    #[default]
    Error,
}

/// Whether invalid UTF-8 in a string is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Utf8Policy {
    /// As the schema's syntax says: checked in proto3, kept as it is in proto2.
    #[default]
    Schema,
}

/// Width of the integer in the struct, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say the width")]
pub enum IntWidth {
    W8,
    W16,
    W32,
    W64,
}

/// Limits of one field. A length is UTF-8 bytes without NUL for strings, bytes for `bytes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLimits {
    /// Longest string or bytes value; `None` for other kinds. For repeated strings: of each item.
    pub max_len: Option<Sourced<u32>>,
    /// Most items of a repeated or map field; `None` for singular fields.
    pub max_count: Option<Sourced<u32>>,
    /// Inline, streamed or ignored.
    pub storage: Sourced<StorageChoice>,
    /// Integer width, where narrowed.
    pub int_width: Option<Sourced<IntWidth>>,
    /// What a longer input does.
    pub overflow: Overflow,
    /// UTF-8 policy.
    pub utf8: Utf8Policy,
}

/// What a message's code is optimized for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Optimize {
    /// Wirebench picks one of the three by a stated rule.
    #[default]
    Auto,
    /// Table-driven, smallest.
    Size,
    /// Encoding as calls, decoding by table.
    Balanced,
    /// Straight-line code both ways.
    Speed,
}

impl Optimize {
    /// All four, in the order they are offered.
    pub const ALL: [Optimize; 4] = [Optimize::Auto, Optimize::Size, Optimize::Balanced, Optimize::Speed];

    /// The word used on the command line and in `wirebench.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Optimize::Auto => "auto",
            Optimize::Size => "size",
            Optimize::Balanced => "balanced",
            Optimize::Speed => "speed",
        }
    }

    /// The setting of that word.
    pub fn from_word(word: &str) -> Option<Optimize> {
        Optimize::ALL.into_iter().find(|o| o.word() == word)
    }
}

/// Which halves of the codec a message needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Both.
    #[default]
    Both,
    /// Only encode.
    Encode,
    /// Only decode.
    Decode,
}

/// What decoding does with an unknown field that the room for them cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnknownOverflow {
    /// The decode fails with a capacity error.
    #[default]
    Error,
    /// The field is dropped, as a whole.
    Drop,
}

/// Settings of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageSettings {
    /// What its code is optimized for.
    pub optimize: Optimize,
    /// Which halves are generated.
    pub direction: Direction,
    /// Bytes of unknown fields that the message keeps and writes back; `None` skips them.
    pub keep_unknown: Option<u32>,
    /// What happens when they are more.
    pub unknown_overflow: UnknownOverflow,
}

/// What `wirebench.toml` holds beside limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Messages the firmware uses (its roots), resolved; empty means all messages of the root files.
    pub in_use: Vec<MessageId>,
}

/// The resolved limits of every field, and settings of every message, of one model.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Per field; every field of the model has an entry.
    pub fields: HashMap<FieldRef, FieldLimits>,
    /// Per message; a message without an entry has the default settings.
    pub messages: HashMap<MessageId, MessageSettings>,
    /// The rest.
    pub settings: Settings,
}

impl Limits {
    /// The settings of a message.
    pub fn message(&self, id: MessageId) -> MessageSettings {
        self.messages.get(&id).cloned().unwrap_or_default()
    }
}
