//! The workbench: a window and a command line over one engine.

pub mod cli;
pub mod command;
pub mod disk;
pub mod jobs;
pub mod panels;
pub mod state;
pub mod theme;
pub mod update;
pub mod widgets;
pub mod window;
