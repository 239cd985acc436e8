//! The codec: the plan's decisions, the printed code against golden files, and the code itself, compiled and run.

mod compiled;
mod golden;
mod support;
