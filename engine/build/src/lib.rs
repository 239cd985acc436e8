//! Generates the code of `.proto` files in a build script.
//!
//! ```text
//! build.rs ─▶ Config ─▶ schema + imports + wirebench.toml + .options ─▶ $OUT_DIR/telemetry.rs
//!                                            ├─▶ cargo:rerun-if-changed=..  every file read or looked for
//!                                            └─▶ cargo:warning=..           remarks, with file and line
//! ```
//!
//! `Cargo.toml`:
//!
//! ```toml
//! [dependencies]
//! wirebench-runtime = "0.1"
//!
//! [build-dependencies]
//! wirebench-build = "0.1"
//! ```
//!
//! The `main` of `build.rs`:
//!
//! ```no_run
//! wirebench_build::Config::new().schema("proto/telemetry.proto").generate_or_exit();
//! ```
//!
//! `src/main.rs`:
//!
//! ```text
//! mod messages {
//!     include!(concat!(env!("OUT_DIR"), "/telemetry.rs"));
//! }
//! ```
//!
//! The schemas of one [`Config`] are one firmware: they share one interpreter. A firmware calls
//! [`Config::generate`] once, with all its schemas; two generated files work too, but each brings its own.
//!
//! Only schema, limits, plan and printer of the engine are used here.

mod config;
mod directives;
mod error;
mod files;
mod vendor;

pub use config::{Config, Generated};
pub use error::Error;
pub use wirebench_engine::diagnostic::{Diagnostic, Severity, Span};
pub use wirebench_engine::options::Optimize;
