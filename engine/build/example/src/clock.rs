//! The core's cycle counter as a clock. It wraps after 2^32 cycles; differences stay right.

use core::ptr::{read_volatile, write_volatile};

/// Armv7-M: debug exception and monitor control, bit 24 switches the trace unit on.
const DEMCR: usize = 0xe000_edfc;
/// Armv7-M: trace unit, bit 0 of the first word switches the cycle counter on, the second is the counter.
const DWT_CTRL: usize = 0xe000_1000;
const DWT_CYCCNT: usize = 0xe000_1004;

/// Switches the counter on.
pub fn start() {
    // SAFETY: registers every Cortex-M4 has, used by nobody else.
    unsafe {
        write_volatile(DEMCR as *mut u32, read_volatile(DEMCR as *const u32) | 1 << 24);
        write_volatile(DWT_CTRL as *mut u32, read_volatile(DWT_CTRL as *const u32) | 1);
    }
}

/// Cycles since [`start`].
pub fn now() -> u32 {
    // SAFETY: reading changes nothing.
    unsafe { read_volatile(DWT_CYCCNT as *const u32) }
}
