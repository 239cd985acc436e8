//! The codec: the plan's decisions, the printed code against golden files, and the code itself, compiled and run.

#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it must be")]

mod compiled;
mod golden;
mod no_panic;
mod plan;
mod support;
mod unknown;
