//! From the plan to readable Rust, with the origin of every line. Cannot fail.
//!
//! # What generated code looks like from outside
//!
//! One file holds all messages of a firmware. It is `no_std`, allocates nothing, depends on
//! `wirebench-runtime` only, and can be a module (`mod messages;`) or be pulled in by `include!`.
//!
//! **Where things are.** One module per package part and one per message with nested types or
//! oneofs, in snake_case: `comparison::Telemetry`, `comparison::DeviceCommand`,
//! `comparison::device_command::Action`. Types are CamelCase (`Growth_01` becomes `Growth01`),
//! fields snake_case; keywords become raw (`r#type`), and a name that would clash gets a `_` at its end.
//!
//! **Structs.** Plain `#[repr(C)]` structs whose fields are all public, with `const fn new()` (everything zero
//! or empty), `Default`, `Clone`, `PartialEq`, `Debug`. A literal with `..Telemetry::new()` works anywhere.
//!
//! | schema | field in the struct |
//! | --- | --- |
//! | `int32` `sint32` `sfixed32` / the 64-bit ones | `i32` / `i64` |
//! | `uint32` `fixed32` / `uint64` `fixed64` | `u32` / `u64` |
//! | `float` `double` `bool` | `f32` `f64` `bool` |
//! | `string` | `Text<N>`, derefs to `str`; proto2: `RawText<N>`, whose `as_str()` checks |
//! | `bytes` | `Blob<N>`, derefs to `[u8]` |
//! | `repeated T` | `List<T, N>`, derefs to `[T]` |
//! | `map<K, V> samples` | `List<thing::SamplesEntry, N>` of entries with `key` and `value`, each key once after decoding |
//! | enum `Status` | `Status`, a newtype `Status(pub i32)` with constants `Status::OK` and `is_known()` |
//! | message or group `Sample` | `Sample` |
//! | oneof `action` | `action: device_command::Action`, an enum of `NotSet` and one CamelCase variant per member |
//! | streamed `bytes` or `string` | nothing |
//!
//! Extensions that the schemas declare are fields of the message they extend.
//!
//! A message that keeps unknown fields (`keep_unknown` in its settings) has `unknown_fields`, a `Blob<N>` of them as
//! they came, and writes them after its own.
//!
//! **Presence.** Fields of implicit presence are plain fields. A message with fields of explicit presence
//! (proto3 `optional`, proto2 `optional`, singular messages) has one more field, `has`, of type
//! `ConfigurationHas`; constants such as `ConfigurationHas::REPORT_INTERVAL_MS` combine with `|`. Each such field
//! has `report_interval_ms() -> Option<u32>` (`Option<&T>` for messages, `Option<&[u8]>` for bytes, `Option<&str>` for
//! strings, `Option<&RawText<N>>` for those of proto2), `set_report_interval_ms(u32)`, `with_report_interval_ms(u32) -> Self`, `clear_report_interval_ms()`
//! and, unless it is a number, bool or enum, `report_interval_ms_mut() -> &mut T`, which marks it present.
//! `set_` and `with_` take the field's own type. A proto2 field with a declared default has
//! `..._or_default()` as well (bytes for a proto2 string). Required fields are plain fields, always written; a decode
//! without them fails. Their bits in `has` say that they were read, and do not count in `==`.
//!
//! **Containers** are const-constructible (`Text::new()`), and report a lack of room as
//! `Error::Capacity`: `text.set("..")?`, `Text::try_from("..")?`, `blob.set(&[..])?`, `list.push(item)?`,
//! `list.extend_from_slice(&[..])?`, `list.grow()?` (a new item in place, to be filled through the reference).
//!
//! **Encoding and decoding** are methods of the trait `wirebench_runtime::Message`:
//!
//! ```ignore
//! use wirebench_runtime::Message;
//!
//! let mut buffer = [0; Telemetry::MAX_ENCODED_LEN];
//! let bytes: &[u8] = telemetry.encode(&mut buffer);            // cannot fail: too short an array does not compile
//! let bytes: &[u8] = telemetry.encode_to_slice(&mut slice)?;   // any slice that is long enough for this message
//! let length: usize = telemetry.encoded_len();
//! let telemetry = Telemetry::decode(bytes)?;                   // Result<Telemetry, wirebench_runtime::Error>
//! telemetry.merge(bytes)?;                                     // in place; starts from what is there
//! ```
//!
//! **Streaming.** A message that holds a streamed field, or holds a message that does, implements
//! `wirebench_runtime::StreamMessage` instead. Its payloads come from a `Source` and go to a `Sink`, in windows of
//! at most 32 bytes which are pieces of the wire buffer:
//!
//! ```ignore
//! use wirebench_runtime::{Place, Sink, Source, StreamMessage};
//!
//! impl Source for Image {
//!     type Error = FlashError;
//!     /// `None`: the field is not there.
//!     fn len(&mut self, place: &Place<'_>) -> Result<Option<usize>, FlashError> { .. }
//!     /// Fills the window from position `at` of the payload; returns how many bytes it wrote.
//!     fn pull(&mut self, place: &Place<'_>, at: usize, window: &mut [u8]) -> Result<usize, FlashError> { .. }
//! }
//! impl Sink for Image {
//!     type Error = FlashError;
//!     /// Takes the piece at position `at` of a payload of `len` bytes. An empty payload comes as one empty piece.
//!     fn push(&mut self, place: &Place<'_>, at: usize, len: usize, window: &[u8]) -> Result<(), FlashError> { .. }
//! }
//!
//! let bytes: &[u8] = chunk.encode_with(&mut image, &mut buffer)?;   // Err(StreamError::Codec(..) | ::User(FlashError))
//! chunk.merge_with(&mut image, bytes)?;
//! let chunk = FirmwareChunk::decode_with(&mut image, bytes)?;
//! ```
//!

mod code;
mod file;
mod structs;
mod table;
mod tree;
mod types;
mod writer;

use std::ops::Range;

use crate::origin::OriginId;
use crate::plan::Plan;

/// Prints the whole plan as one file.
pub fn print(plan: &Plan) -> Printed {
    let mut writer = writer::Writer::default();
    file::file(&mut writer, plan);
    writer.finish()
}

/// Generated Rust: one file, and which part of it belongs to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The whole file.
    pub text: String,
    /// Byte ranges of `text` with their origin; nested ranges follow their parent, innermost last.
    pub spans: Vec<CodeSpan>,
}

/// A part of the generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSpan {
    /// Byte range in [`Printed::text`].
    pub range: Range<usize>,
    /// What it belongs to.
    pub origin: OriginId,
}

impl Printed {
    /// The innermost origin at a byte offset.
    pub fn origin_at(&self, offset: usize) -> Option<OriginId> {
        self.spans.iter().rev().find(|s| s.range.contains(&offset)).map(|s| s.origin)
    }
}
