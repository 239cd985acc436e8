//! How many cycles an instruction takes on a three-stage, single-issue pipeline.
//!
//! ```text
//!  decoded Op ─▶ Pipeline::cost_of (once) ─▶ Cost: fixed cycles, refill, traits
//!  executed Op + its Cost + what came before ─▶ Timing::cycles ─▶ cycles
//! ```
//! Loads overlap with a load before them, stores hide in the write buffer, results are late for an
//! address, branches refill the pipeline. Every constant is a field of [`Pipeline`] with its source.

mod pipeline;
mod tracker;

pub(crate) use pipeline::Cost;
pub use pipeline::Pipeline;
pub(crate) use tracker::Timing;
