//! The window, driven by its labels as a user or a screen reader would. No test needs a display or the network.

mod commands;
mod editing;
mod files;
mod links;
mod measuring;
mod pictures;
mod support;
