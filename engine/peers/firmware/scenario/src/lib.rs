//! What every library of the comparison is asked to do: the stages of a scenario and its values.
//!
//! ```text
//! fill ─▶ encode into an array ─▶ copy ─▶ decode into a fresh message ─▶ compare every field
//! ```
//! A library's crate spells `fill` and `compare` for its own types and names its `encode` and `decode`;
//! everything between them stands here, once.
#![no_std]

mod growth;
#[cfg(feature = "heap")]
pub mod heap;
pub mod stage;
mod trip;
pub mod values;

pub use firmware;

/// A scenario's answer for the mailbox.
#[inline(always)]
pub fn answer(wire_length: Option<u32>) -> u32 {
    wire_length.unwrap_or(firmware::FAILED)
}
