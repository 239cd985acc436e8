//! The measurement firmware: starts a bare Cortex-M, runs one scenario some times, and leaves the
//! result in a mailbox that a simulator or a debugger reads as memory.
//!
//! ```text
//! Reset ─▶ Bench::run ─▶ scenario() × 8, timed ─▶ scenario() once on a painted stack ─▶ MAILBOX, bkpt
//! ```
//!
//! A binary names its scenario with [`scenario!`]. No interrupts, no peripherals, no heap, no
//! formatting; clocks stay as they are after reset.
#![no_std]

pub mod barrier;
pub mod bench;
pub mod counter;
pub mod mailbox;
#[cfg(feature = "small-memory")]
mod memory;
pub mod regions;
mod stack;
mod start_up;

/// What a scenario returns when a value did not come back as it was sent.
pub const FAILED: u32 = 0;

/// What a scenario returns in place of its wire length where that is zero bytes.
pub const EMPTY: u32 = 1 << 31;

/// Names the scenario of this binary, a `fn() -> u32`, and the build it belongs to.
///
/// The scenario returns the bytes on the wire, summed over its messages, or [`FAILED`].
/// The build id is what the host expects to find in the mailbox, so that a stale image is noticed.
#[macro_export]
macro_rules! scenario {
    ($run:path, build_id: $id:expr) => {
        /// The whole scenario under one symbol, so that its cycles and stack can be told apart.
        #[unsafe(no_mangle)]
        #[unsafe(link_section = ".text.scenario")]
        #[inline(never)]
        pub extern "C" fn wirebench_scenario() -> u32 {
            $run()
        }

        #[unsafe(no_mangle)]
        pub static WIREBENCH_BUILD_ID: [u32; 2] = [($id as u64) as u32, (($id as u64) >> 32) as u32];
    };
}
