//! Bytes on the wire: sample values, the canonical encoder, annotated decoding, text forms of bytes.

mod value;

pub use value::{FieldValue, MessageValue, Value};
