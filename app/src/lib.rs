//! The workbench: a window and a command line over one engine.

pub mod cli;
pub mod disk;
