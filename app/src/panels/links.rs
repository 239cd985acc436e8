//! What is lit and what is selected, asked by every pane in the same way.

use wirebench_engine::origin::Origin;

use super::{Desk, Pane};
use crate::state::State;
use crate::update::Action;

/// Whether this is what the pointer is over, in whichever pane.
pub fn is_lit(state: &State, origin: Option<&Origin>) -> bool {
    origin.is_some() && state.session.hovered.as_ref() == origin
}

/// Whether this was clicked last.
pub fn is_selected(state: &State, origin: Option<&Origin>) -> bool {
    origin.is_some() && state.session.selected.as_ref() == origin
}

/// Tells the other panes what the pointer is over here.
pub fn hover(desk: &mut Desk<'_>, origin: Option<&Origin>) {
    if let Some(origin) = origin {
        desk.ask(Action::Hover(Some(origin.clone())));
    }
}

/// Selects what was clicked here.
pub fn click(desk: &mut Desk<'_>, origin: Option<&Origin>, from: Pane) {
    if let Some(origin) = origin {
        desk.ask(Action::Select { origin: origin.clone(), from });
    }
}
