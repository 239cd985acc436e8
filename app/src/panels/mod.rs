//! The panes and bars of the window: they read the state, draw it and push what the user asks for.
//! They change nothing.

mod bytes;
mod code;
mod cost;
mod cost_tables;
mod dialogs;
mod layout;
mod limits;
mod links;
mod log;
mod menu_bar;
mod message;
mod overlays;
mod palette;
mod pane;
mod problems;
mod schema;
mod status_bar;
mod toolbar;

use crate::state::State;
use crate::update::Action;

/// What a panel works with: the state to read, and the list of what the user asks for.
pub struct Desk<'a> {
    /// Read only.
    pub state: &'a State,
    /// Carried out after the frame is drawn.
    pub out: &'a mut Vec<Action>,
}

impl Desk<'_> {
    /// Asks for something.
    pub fn ask(&mut self, action: Action) {
        self.out.push(action);
    }
}

pub use dialogs::dialog_ui;
pub use layout::Layout;
pub use menu_bar::menu_bar_ui;
pub use overlays::{overlays_ui, tour_ui};
pub use palette::matches as palette_matches;
pub use pane::Pane;
pub use status_bar::status_bar_ui;
pub use toolbar::toolbar_ui;
