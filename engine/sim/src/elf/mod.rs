//! 32-bit little-endian Arm ELF files: what is loaded where, and which names lie at which address.
//!
//! A damaged file is an [`ElfError`], whatever is wrong with it. Memory stays within a small multiple
//! of the file's size: contents are ranges of the one copy kept here, names are budgeted.

mod error;
mod image;
mod reader;

pub use error::ElfError;
pub use image::{Image, Section, Segment, Symbol, SymbolKind};
