//! Who spent the cycles: a call tree kept by a shadow stack, and what it says by function.
//!
//! A call pushes its return address; a jump to one on the stack returns to its frame, however many
//! frames it skips. A jump into another function is a tail call: the callee hangs below the caller's
//! caller, because that is where it returns to.

mod recorder;
mod report;

pub(crate) use recorder::{Marks, Recorder};
pub use report::{CallNode, FunctionCost, Profile, StackPath};
