//! The engine: from `.proto` text to code, cost and bytes, as pure functions.
//!
//! ```text
//! files + wirebench.toml ─▶ schema ─▶ options ─▶ plan ─┬─▶ print ─▶ Rust code + origins
//!                           (checked   (limits    (every ├─▶ cost ──▶ RAM, wire exact; flash, cycles modelled
//!                            model)    resolved)  decision)└▶ wire ──▶ sample ⇄ annotated bytes
//! ```
//!
//! One rule holds it together: the plan decides, everything after it only reads the plan.
//! Imports run one way, in the order of the modules below; `print`, `cost` and `wire` do not
//! know each other. There are no threads, processes, clocks or file accesses here: sources come
//! through [`files::Files`].

pub mod cost;
pub mod diagnostic;
pub mod files;
pub mod options;
pub mod origin;
pub mod pipeline;
pub mod plan;
pub mod print;
pub mod schema;
pub mod syntax;
pub mod units;
pub mod wire;
