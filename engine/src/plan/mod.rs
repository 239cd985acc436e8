//! Every decision about the generated code, taken once. `print`, `cost`, `wire`, the firmware
//! writer and the window read the plan; none of them decides anything again.
//!
//! ```text
//! Model + Limits + Choices ─▶ sort out what cannot be generated ─▶ name ─▶ place in memory ─▶ choose styles ─▶ Plan
//! ```

mod facts;
mod layout;
mod length;
mod lower;
mod names;
mod refuse;
mod style;
mod types;

pub use facts::{Facts, HIGHEST_IN_TABLE, OFFSET_IN_TABLE, USE_NAMES, Uses};
pub use layout::list_data;
pub use length::{Longest, tag as tag_len};
pub use lower::{Choices, Slot, lower};
pub use names::{PROFILE, has_type};
pub use types::{
    EnumPlan, EnumValuePlan, FieldPlan, Ident, Item, Label, Layout, MaxEncoded, MessagePlan, OneofPlan, Plan,
    Planned, Reason, Scalar, Storage, Style, UnknownPlan,
};
