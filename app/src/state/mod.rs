//! Everything the window knows. Panels read it, [`crate::update`] is the only place that changes it.
//!
//! ```text
//! document (saved, undone) ─▶ request ─▶ engine ─▶ derived (shown) ─▶ view (what panels draw)
//! session  (selection, tabs, dialogs: neither saved nor undone)
//! ```

pub mod derived;
pub mod document;
pub mod history;
pub mod measuring;
pub mod notices;
pub mod project;
pub mod remap;
pub mod session;
pub mod text_file;
pub mod view;

use derived::Derived;
use document::Document;
use measuring::Measuring;
use notices::Notices;
use session::Session;

/// The whole state.
#[derive(Default)]
pub struct State {
    /// What the user edits.
    pub document: Document,
    /// Selection, hover, dialogs.
    pub session: Session,
    /// What the engine made of the document.
    pub derived: Derived,
    /// Running and finished measurements.
    pub measuring: Measuring,
    /// Toasts and the log.
    pub notices: Notices,
    /// Seconds since the window opened, set at the start of every frame.
    pub now: f64,
}
