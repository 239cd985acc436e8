//! The panes there are.

use egui::Key;
use serde::{Deserialize, Serialize};

/// A pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "`Pane::help` says what each shows")]
pub enum Pane {
    Schema,
    Limits,
    Code,
    Message,
    Bytes,
    Cost,
    Problems,
    Log,
}

impl Pane {
    /// All panes.
    pub const ALL: [Pane; 8] = [
        Pane::Schema,
        Pane::Limits,
        Pane::Code,
        Pane::Message,
        Pane::Bytes,
        Pane::Cost,
        Pane::Problems,
        Pane::Log,
    ];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Pane::Schema => "Schema",
            Pane::Limits => "Limits",
            Pane::Code => "Generated code",
            Pane::Message => "Message",
            Pane::Bytes => "Bytes",
            Pane::Cost => "Cost",
            Pane::Problems => "Problems",
            Pane::Log => "Log",
        }
    }

    /// Title of the command that brings it to the front.
    pub fn show_title(self) -> &'static str {
        match self {
            Pane::Schema => "Show schema",
            Pane::Limits => "Show limits",
            Pane::Code => "Show generated code",
            Pane::Message => "Show message",
            Pane::Bytes => "Show bytes",
            Pane::Cost => "Show cost",
            Pane::Problems => "Show problems",
            Pane::Log => "Show log",
        }
    }

    /// What it shows.
    pub fn help(self) -> &'static str {
        match self {
            Pane::Schema => "The .proto text, with problems underlined and each field's limit and cost",
            Pane::Limits => "Maximum length, count and storage of every field of the message",
            Pane::Code => "The Rust that is generated",
            Pane::Message => "The sample message as JSON",
            Pane::Bytes => "The sample on the wire, byte by byte",
            Pane::Cost => "Flash, RAM, cycles and wire bytes, estimated and measured",
            Pane::Problems => "Everything that is wrong, with its place",
            Pane::Log => "What happened since the window opened",
        }
    }

    /// The digit that shows it, with Ctrl.
    pub fn key(self) -> Key {
        match self {
            Pane::Schema => Key::Num1,
            Pane::Limits => Key::Num2,
            Pane::Code => Key::Num3,
            Pane::Message => Key::Num4,
            Pane::Bytes => Key::Num5,
            Pane::Cost => Key::Num6,
            Pane::Problems => Key::Num7,
            Pane::Log => Key::Num8,
        }
    }
}
