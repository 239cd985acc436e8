//! From files to a checked [`Model`] with all features resolved, and problems in our own words.
//!
//! ```text
//! Input ─▶ load (roots and imports, UTF-8, depth, editions) ─▶ compile (protox, file by file)
//!                                            ─▶ lint (what protoc refuses too) ─▶ Model
//! ```
//!
//! Problems are collected over all files; a model comes only from a schema without errors, so that
//! nothing downstream has to think about broken ones.

mod build;
mod bundled;
mod check;
mod comments;
mod compile;
mod lint;
mod load;
mod model;
pub(crate) mod path;
mod places;
mod problem;
mod source;

pub use check::{Checked, check};
pub use model::{
    Cardinality, DefaultValue, Enum, EnumId, EnumValue, Field, FieldRef, Kind, Message, MessageId, Model,
    Oneof, Presence, SourceFile, Syntax,
};
pub use source::SourceText;
