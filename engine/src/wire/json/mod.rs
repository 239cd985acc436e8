//! Samples as ProtoJSON: text to values with every mistake named by line, column and field, and back.
//!
//! ```text
//! text ─▶ document (tree with places) ─▶ read (by the schema) ─▶ MessageValue ─▶ write ─▶ text
//! ```
//! Reading accepts what the ProtoJSON guide accepts: both spellings of field names, 64-bit integers as strings
//! or numbers, both base64 alphabets, enums by name or number. It refuses what silently loses data: a key twice,
//! two members of a oneof, numbers out of range, unknown fields.

mod document;
mod numbers;
mod read;
mod times;
mod well_known;
mod write;

pub use read::{locate, parse};
pub use write::{print, to_value};
