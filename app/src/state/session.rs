//! What the user looks at: selection, hover, open dialogs. Neither saved nor undone.

use std::sync::Arc;

use wirebench_engine::options::Optimize;
use wirebench_engine::origin::Origin;

use super::project::Project;
use crate::panels::Pane;

/// The session.
#[derive(Clone, Debug)]
pub struct Session {
    /// Full name of the message that limits, sample, bytes and cost are about.
    pub message: Option<Arc<str>>,
    /// What the pointer is over, in whichever pane.
    pub hovered: Option<Origin>,
    /// What was clicked last.
    pub selected: Option<Origin>,
    /// Overrides the settings' style for all messages.
    pub optimize: Optimize,
    /// The problem gone to last.
    pub current_problem: Option<usize>,
    /// Places to scroll to in the next frame.
    pub reveal: Reveal,
    /// Panes to bring to the front in the next frame.
    pub focus: Option<Pane>,
    /// Whether the panes go back to their first arrangement in the next frame.
    pub is_layout_reset: bool,
    /// The dialog over the window.
    pub dialog: Option<Dialog>,
    /// Lines of the tour are shown until dismissed.
    pub is_tour_shown: bool,
    /// Light, dark or as the system says.
    pub theme: egui::ThemePreference,
    /// Column the limits and cost tables are sorted by.
    pub sort: Sort,
    /// The table under the cost bars.
    pub cost_table: CostTable,
    /// What goes on once everything is saved.
    pub after_save: Option<AfterUnsaved>,
    /// Whether the window closes at the end of this frame, unsaved or not.
    pub is_closing: bool,
}

/// Places to scroll to, taken by the pane that owns them.
#[derive(Clone, Debug, Default)]
pub struct Reveal {
    /// Byte offset in the schema.
    pub schema: Option<usize>,
    /// Whether the keyboard follows to the schema; a link only scrolls, so that nobody types into it by accident.
    pub takes_focus: bool,
    /// Byte offset in the sample text.
    pub sample: Option<usize>,
    /// Line of the generated code, from 0.
    pub code: Option<usize>,
    /// Offset of a byte.
    pub byte: Option<usize>,
}

/// A dialog over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Find and run any command.
    Palette(Palette),
    /// Type a path.
    Path {
        /// What it is for.
        purpose: PathPurpose,
        /// What was typed.
        path: String,
        /// Why the last try failed.
        problem: Option<String>,
    },
    /// Unsaved changes stand in the way of this.
    Unsaved(AfterUnsaved),
    /// A file of that name exists already.
    Overwrite {
        /// The path.
        path: String,
    },
    /// Shortcuts and how to read the figures.
    Help,
}

/// The command palette.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    /// What was typed.
    pub query: String,
    /// Highlighted row.
    pub row: usize,
}

/// What a typed path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// Opening a schema.
    Open,
    /// Saving the schema under another name.
    SaveAs,
}

/// What happens once unsaved changes are dealt with.
#[derive(Clone, Debug, PartialEq)]
pub enum AfterUnsaved {
    /// The window closes.
    Close,
    /// This is opened.
    Open(Project),
}

/// The table under the cost bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostTable {
    /// By field.
    #[default]
    Fields,
    /// By function of the measured firmware.
    Functions,
    /// By message.
    Messages,
}

/// A column of the cost table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: SortColumn,
    /// Largest first.
    pub is_descending: bool,
}

/// Columns of the cost table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say which column")]
pub enum SortColumn {
    #[default]
    Number,
    Name,
    Ram,
    Wire,
    Flash,
    Cycles,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            message: None,
            hovered: None,
            selected: None,
            optimize: Optimize::Auto,
            current_problem: None,
            reveal: Reveal::default(),
            focus: None,
            is_layout_reset: false,
            dialog: None,
            is_tour_shown: true,
            theme: egui::ThemePreference::System,
            sort: Sort::default(),
            cost_table: CostTable::Fields,
            after_save: None,
            is_closing: false,
        }
    }
}

impl Session {
    /// What is lit: the hovered thing, else the selected one.
    pub fn lit(&self) -> Option<&Origin> {
        self.hovered.as_ref().or(self.selected.as_ref())
    }
}
