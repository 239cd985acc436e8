//! Limits and settings: which bound every field has, and where it came from.
//!
//! Limits are read from where the schema already keeps them. Per field and per property the first of
//! these that says something wins; what is passed over is named in a note:
//!
//! 1. `wirebench.toml`: an exact name before a pattern, of patterns the later line;
//! 2. nanopb, the field: `[(nanopb).max_size = 16]` in the schema, then the lines of the `.options` file
//!    beside it, the later one first (the order nanopb itself applies);
//! 3. nanopb, the message: `option (nanopb_msgopt)`, then `.options` lines that name the message;
//! 4. nanopb, the file: `option (nanopb_fileopt)`, then `.options` lines that name its package;
//! 5. `[defaults]` of `wirebench.toml`;
//! 6. a value chosen here, with a note that names it.
//!
//! # `wirebench.toml`
//!
//! ```toml
//! version = 1
//!
//! # Schemas of this firmware, from this file's folder. Once all are open, an entry that matches
//! # nothing in any of them is a warning.
//! schemas = ["telemetry.proto"]
//!
//! # The messages the firmware sends and receives itself; without this line all of them.
//! in_use = ["comparison.Telemetry"]
//!
//! # For fields nothing else bounds.
//! [defaults]
//! max_len = 32            # bytes of a string (UTF-8, without NUL) or bytes field: 1 to 65535
//! max_count = 8           # items of a repeated or map field: 1 to 65535
//!
//! # Full name of a field, or a pattern: `*` stands for any characters (dots too), `?` for one.
//! [fields]
//! "comparison.*.label" = { max_len = 16 }
//! "comparison.Telemetry.blob" = { storage = "streamed" }   # or "inline", "ignored"
//! "comparison.Telemetry.small" = { int_width = 8 }         # or 16, 32, 64
//!
//! # Full name of a message, or a pattern.
//! [messages]
//! "comparison.Telemetry" = { optimize = "speed", direction = "encode" }
//! ```
//!
//! `optimize` is `auto`, `size`, `balanced` or `speed` (without it, `option optimize_for = SPEED` or
//! `CODE_SIZE` of the schema counts); `direction` is `both`, `encode` or `decode`.

mod chosen;
mod find;
mod inline;
mod limits;
mod nanopb;
mod nanopb_file;
mod pattern;
mod resolve;
mod set_limit;
mod set_nanopb;
mod settings;
mod unmatched;

pub use find::find_settings;
pub use limits::{
    Direction, FieldLimits, IntWidth, LimitSource, Limits, MessageSettings, Optimize, Overflow, Settings,
    Sourced, StorageChoice, UnknownOverflow, Utf8Policy,
};
pub use resolve::{CHOSEN_MAX_COUNT, CHOSEN_MAX_LEN, Resolved, resolve};
pub use set_limit::{LimitChange, set_limit};
pub use set_nanopb::set_limit_in_options;

/// Largest length or count: both are u16 in the generated structs.
pub const LARGEST_LIMIT: u32 = u16::MAX as u32;
