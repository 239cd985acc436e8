//! Measurement of generated codecs: what a schema costs in flash, RAM and cycles, by building real
//! firmware and running it on the simulated core.
//!
//! ```text
//! plan + sample ─▶ workload (Rust text) ─┐
//! printed code ──────────────────────────┼─▶ firmware project ─▶ cargo ─▶ ELF ─┬─▶ image: flash, RAM, symbols
//! template + runtime (embedded) ─────────┘    (own process group)              └─▶ simulator ─▶ mailbox ─▶ cycles, stack
//! ```
//! No check, no number: the firmware compares every field it decoded, and the host compares length and
//! checksum of the wire bytes with its own encoding. Results are cached by a key of everything that
//! could change them.

pub mod builder;
pub mod cache;
pub mod environment;
pub mod firmware;
pub mod image;
pub mod key;
pub mod mailbox;
pub mod measure;
pub mod process;
pub mod progress;
pub mod run;
pub mod settings;
mod store;
pub mod suite;
pub mod toolchain;
pub mod workload;
