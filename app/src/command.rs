//! Everything a user can ask for by name. One list feeds menu, toolbar, palette, shortcuts, help and tests.

use egui::{Key, KeyboardShortcut, Modifiers};
use wirebench_engine::options::Optimize;

use crate::panels::Pane;
use crate::state::State;

/// A command without further data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "titles and help stand in `Command::title` and `Command::help`")]
pub enum Command {
    Open,
    OpenPath,
    OpenSample,
    Save,
    SaveAs,
    Quit,
    Undo,
    Redo,
    FillSample,
    CopyBytes,
    CopyCode,
    Palette,
    Show(Pane),
    NextProblem,
    PreviousProblem,
    NextMessage,
    PreviousMessage,
    ClearSelection,
    ResetLayout,
    ThemeSystem,
    ThemeDark,
    ThemeLight,
    Measure,
    CancelMeasure,
    Optimize(Optimize),
    Help,
    Tour,
}

/// Where a command stands in the menu bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the menus' titles")]
pub enum Menu {
    File,
    Edit,
    View,
    Measure,
    Help,
}

impl Menu {
    /// The menus, from the left.
    pub const ALL: [Menu; 5] = [Menu::File, Menu::Edit, Menu::View, Menu::Measure, Menu::Help];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Menu::File => "File",
            Menu::Edit => "Edit",
            Menu::View => "View",
            Menu::Measure => "Measure",
            Menu::Help => "Help",
        }
    }
}

impl Command {
    /// All commands, in the order of the menus.
    pub const ALL: &[Command] = &[
        Command::Open,
        Command::OpenPath,
        Command::OpenSample,
        Command::Save,
        Command::SaveAs,
        Command::Quit,
        Command::Undo,
        Command::Redo,
        Command::FillSample,
        Command::CopyBytes,
        Command::CopyCode,
        Command::Palette,
        Command::Show(Pane::Schema),
        Command::Show(Pane::Limits),
        Command::Show(Pane::Code),
        Command::Show(Pane::Message),
        Command::Show(Pane::Bytes),
        Command::Show(Pane::Cost),
        Command::Show(Pane::Problems),
        Command::Show(Pane::Log),
        Command::NextProblem,
        Command::PreviousProblem,
        Command::NextMessage,
        Command::PreviousMessage,
        Command::ClearSelection,
        Command::ResetLayout,
        Command::ThemeSystem,
        Command::ThemeDark,
        Command::ThemeLight,
        Command::Measure,
        Command::CancelMeasure,
        Command::Optimize(Optimize::Auto),
        Command::Optimize(Optimize::Size),
        Command::Optimize(Optimize::Balanced),
        Command::Optimize(Optimize::Speed),
        Command::Help,
        Command::Tour,
    ];

    /// Its name, as menus and palette show it.
    pub fn title(self) -> &'static str {
        match self {
            Command::Open => "Open schema…",
            Command::OpenPath => "Open by path…",
            Command::OpenSample => "Open the sample project",
            Command::Save => "Save all",
            Command::SaveAs => "Save schema as…",
            Command::Quit => "Quit",
            Command::Undo => "Undo",
            Command::Redo => "Redo",
            Command::FillSample => "Fill message with typical values",
            Command::CopyBytes => "Copy bytes as hex",
            Command::CopyCode => "Copy generated code",
            Command::Palette => "All commands…",
            Command::Show(pane) => pane.show_title(),
            Command::NextProblem => "Next problem",
            Command::PreviousProblem => "Previous problem",
            Command::NextMessage => "Next message type",
            Command::PreviousMessage => "Previous message type",
            Command::ClearSelection => "Clear selection",
            Command::ResetLayout => "Reset panes",
            Command::ThemeSystem => "Theme: as the system",
            Command::ThemeDark => "Theme: dark",
            Command::ThemeLight => "Theme: light",
            Command::Measure => "Measure",
            Command::CancelMeasure => "Cancel measuring",
            Command::Optimize(Optimize::Auto) => "Optimize: auto",
            Command::Optimize(Optimize::Size) => "Optimize: size",
            Command::Optimize(Optimize::Balanced) => "Optimize: balanced",
            Command::Optimize(Optimize::Speed) => "Optimize: speed",
            Command::Help => "Shortcuts and figures",
            Command::Tour => "Show the tour",
        }
    }

    /// What it does, in one sentence.
    pub fn help(self) -> &'static str {
        match self {
            Command::Open => "Choose a .proto file; its wirebench.toml and samples open with it",
            Command::OpenPath => "Type the path of a .proto file",
            Command::OpenSample => "Open the telemetry schema that comes with Wirebench",
            Command::Save => "Write the schema, its limits and its samples",
            Command::SaveAs => "Write the schema under another name",
            Command::Quit => "Close the window",
            Command::Undo => "Take the last change of schema, limits or sample back",
            Command::Redo => "Repeat the change that was taken back",
            Command::FillSample => "Replace the sample message by one made from the schema",
            Command::CopyBytes => "Put the encoded sample on the clipboard: 08 b4 24",
            Command::CopyCode => "Put the generated Rust on the clipboard",
            Command::Palette => "Find any command by its name",
            Command::Show(pane) => pane.help(),
            Command::NextProblem => "Go to the next problem's place",
            Command::PreviousProblem => "Go to the previous problem's place",
            Command::NextMessage => "Look at the next message type",
            Command::PreviousMessage => "Look at the previous message type",
            Command::ClearSelection => "No field is selected any more",
            Command::ResetLayout => "Put all panes back where they were at first",
            Command::ThemeSystem => "Dark or light, as the system is set",
            Command::ThemeDark => "Light text on dark ground",
            Command::ThemeLight => "Dark text on light ground",
            Command::Measure => "Build the firmware and run it on the simulated core",
            Command::CancelMeasure => "Stop the measurement that runs",
            Command::Optimize(Optimize::Auto) => "Each message's style as its settings say, else by rule",
            Command::Optimize(Optimize::Size) => "Smallest code: both ways by table",
            Command::Optimize(Optimize::Balanced) => "Encoding as calls, decoding by table",
            Command::Optimize(Optimize::Speed) => "Fastest code: straight-line both ways",
            Command::Help => "All shortcuts, and how to read the figures",
            Command::Tour => "The first three things to try",
        }
    }

    /// The menu it stands in.
    pub fn menu(self) -> Menu {
        match self {
            Command::Open
            | Command::OpenPath
            | Command::OpenSample
            | Command::Save
            | Command::SaveAs
            | Command::Quit => Menu::File,
            Command::Undo | Command::Redo | Command::FillSample | Command::CopyBytes | Command::CopyCode => {
                Menu::Edit
            }
            Command::Palette
            | Command::Show(_)
            | Command::NextProblem
            | Command::PreviousProblem
            | Command::NextMessage
            | Command::PreviousMessage
            | Command::ClearSelection
            | Command::ResetLayout
            | Command::ThemeSystem
            | Command::ThemeDark
            | Command::ThemeLight => Menu::View,
            Command::Measure | Command::CancelMeasure | Command::Optimize(_) => Menu::Measure,
            Command::Help | Command::Tour => Menu::Help,
        }
    }

    /// Whether a line stands above it in its menu.
    pub fn begins_group(self) -> bool {
        matches!(
            self,
            Command::Save
                | Command::Quit
                | Command::FillSample
                | Command::Show(Pane::Schema)
                | Command::NextProblem
                | Command::ClearSelection
                | Command::ThemeSystem
                | Command::Optimize(Optimize::Auto)
        )
    }

    /// Its shortcut.
    pub fn shortcut(self) -> Option<KeyboardShortcut> {
        const SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        let (modifiers, key) = match self {
            Command::Open => (Modifiers::COMMAND, Key::O),
            Command::OpenPath => (SHIFT, Key::O),
            Command::Save => (Modifiers::COMMAND, Key::S),
            Command::SaveAs => (SHIFT, Key::S),
            Command::Quit => (Modifiers::COMMAND, Key::Q),
            Command::Undo => (Modifiers::COMMAND, Key::Z),
            Command::Redo => (SHIFT, Key::Z),
            Command::Palette => (SHIFT, Key::P),
            Command::Show(pane) => (Modifiers::COMMAND, pane.key()),
            Command::NextProblem => (Modifiers::NONE, Key::F8),
            Command::PreviousProblem => (Modifiers::SHIFT, Key::F8),
            Command::NextMessage => (Modifiers::ALT, Key::ArrowDown),
            Command::PreviousMessage => (Modifiers::ALT, Key::ArrowUp),
            Command::Measure => (Modifiers::NONE, Key::F5),
            Command::CancelMeasure => (Modifiers::SHIFT, Key::F5),
            Command::Help => (Modifiers::NONE, Key::F1),
            Command::OpenSample
            | Command::FillSample
            | Command::CopyBytes
            | Command::CopyCode
            | Command::ClearSelection
            | Command::ResetLayout
            | Command::ThemeSystem
            | Command::ThemeDark
            | Command::ThemeLight
            | Command::Optimize(_)
            | Command::Tour => return None,
        };
        Some(KeyboardShortcut::new(modifiers, key))
    }

    /// A second shortcut some users expect.
    pub fn other_shortcut(self) -> Option<KeyboardShortcut> {
        match self {
            Command::Redo => Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::Y)),
            Command::Measure => Some(KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter)),
            _ => None,
        }
    }

    /// Why it cannot be used now.
    pub fn unavailable(self, state: &State) -> Option<&'static str> {
        let document = &state.document;
        let view = state.derived.view.as_deref();
        let has_message = view.is_some_and(|view| view.message.is_some());
        match self {
            Command::Save if !document.is_dirty() => Some("everything is saved"),
            Command::SaveAs if document.schema().is_none() => Some("no schema is open"),
            Command::Undo if document.history.undo_title().is_none() => Some("nothing to undo"),
            Command::Redo if document.history.redo_title().is_none() => Some("nothing to redo"),
            Command::FillSample | Command::CopyBytes if !has_message => Some("no message type is chosen"),
            Command::CopyCode if view.is_none_or(|view| view.code.text.is_empty()) => Some("no code yet"),
            Command::NextProblem | Command::PreviousProblem if state.derived.problems.is_empty() => {
                Some("there are no problems")
            }
            Command::NextMessage | Command::PreviousMessage
                if view.is_none_or(|view| view.messages.len() < 2) =>
            {
                Some("there is no other message type")
            }
            Command::ClearSelection if state.session.selected.is_none() => Some("nothing is selected"),
            Command::Measure if state.measuring.running.is_some() => Some("a measurement runs already"),
            Command::Measure if state.derived.is_stale() => Some("the schema has errors"),
            Command::Measure if !has_message => Some("no message type is chosen"),
            Command::Measure if view.and_then(|view| view.subject(state.session.optimize)).is_none() => {
                Some("this message has no generated code or no sample")
            }
            Command::CancelMeasure if state.measuring.running.is_none() => Some("no measurement runs"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn titles_and_shortcuts_are_unique() {
        let mut titles = HashSet::new();
        let mut shortcuts = HashSet::new();
        for command in Command::ALL {
            assert!(titles.insert(command.title()), "{}", command.title());
            for shortcut in [command.shortcut(), command.other_shortcut()].into_iter().flatten() {
                assert!(shortcuts.insert(format!("{shortcut:?}")), "{shortcut:?}");
            }
        }
    }
}
