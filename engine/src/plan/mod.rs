//! Every decision about the generated code, taken once. `print`, `cost`, `wire`, the firmware
//! writer and the window read the plan; none of them decides anything again.

mod types;

pub use types::{
    EnumPlan, EnumValuePlan, FieldPlan, Ident, Item, Label, Layout, MaxEncoded, MessagePlan, OneofPlan, Plan,
    Planned, Reason, Scalar, Storage, Style,
};
