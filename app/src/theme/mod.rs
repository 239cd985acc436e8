//! The look of the window: the only place that makes a colour.
//!
//! ```text
//! assets/theme/dark.json, light.json ─▶ Theme (tokens) ─▶ egui style, and what panels ask for by meaning
//! ```
//!
//! One accent for actions, a set of field hues for data, red only for problems, amber only for
//! warnings and stale results; neutral greys carry the rest.

mod colors;
mod fonts;
mod icon;
mod style;

pub use colors::{FIELD_HUES, Syntax, Theme, current};
pub use fonts::{code, code_small, heading, install_fonts, number, small};
pub use icon::window_icon;
pub use style::install_style;

/// The spacing grid, in points.
pub mod space {
    /// Between things that belong together.
    pub const XS: f32 = 4.0;
    /// Between neighbours.
    pub const S: f32 = 8.0;
    /// Between groups.
    pub const M: f32 = 12.0;
    /// Around a panel's main content.
    pub const L: f32 = 16.0;
}

/// Height of one row of a table, in points.
pub const ROW_HEIGHT: f32 = 24.0;
