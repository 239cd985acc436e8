//! Bytes on the wire: values, the canonical encoder, annotated decoding, samples, text forms of bytes.
//!
//! ```text
//! sample JSON ─▶ json ─▶ MessageValue ─▶ encode ─▶ bytes + spans
//!                  ▲          ▲                       │
//!                  └──────────┴──── annotate ◀────────┘ ◀─ pasted text ─ bytes_text
//!                                   spans, problems, value
//! ```
//! Nothing here fails on bad bytes: what is wrong is listed beside what could be read.

mod annotate;
mod base64;
pub mod bytes_text;
mod check;
mod collect;
mod encode;
pub mod json;
mod problem;
mod readings;
pub mod sample;
mod scalar;
mod sizes;
mod span;
mod text;
pub mod textproto;
mod value;
mod varint;

pub use annotate::{Annotated, MAX_DEPTH, annotate, annotate_raw, annotate_with};
pub use check::{Misfit, check_limits, check_value, misfits};
pub use encode::{Encoded, encode, encode_bytes};
pub use problem::{Problem, ProblemKind};
pub use readings::{Choices, ReadAs, Reading, readings};
pub use sizes::{FieldSize, Sizes, sizes};
pub use span::{ByteSpan, Role, Standing, leaf_at, path as span_path};
pub use value::{FieldValue, MessageValue, UnknownField, Value};
pub use varint::WireType;
