//! Peak stack by paint: what lies below the stack pointer is filled with a pattern, and what is no
//! longer the pattern after a run was used.

use core::arch::asm;

const PAINT: u32 = 0xc5c5_5c5c;
/// At most this much is painted: painting all of a large RAM would take most of the run.
const PAINTED_BYTES: usize = 32 * 1024;
/// Room for the frame of the painting function itself.
const OWN_FRAME: usize = 64;

unsafe extern "C" {
    static __stack_limit: u8;
}

/// The stack pointer.
#[inline(always)]
pub fn pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// The lowest address that is painted below `top`.
fn floor(top: usize) -> usize {
    let limit = &raw const __stack_limit as usize;
    limit.max(top.saturating_sub(PAINTED_BYTES)).next_multiple_of(4)
}

/// Paints the free stack below `top`.
#[inline(never)]
pub fn paint(top: usize) {
    let end = pointer() - OWN_FRAME;
    let mut at = floor(top);
    while at < end {
        // SAFETY: between the end of static data and our own frame: memory nothing lives in.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at += 4;
    }
}

/// Bytes used below `top` since [`paint`].
#[inline(never)]
pub fn used_below(top: usize) -> u32 {
    let mut at = floor(top);
    // SAFETY: the same memory; the loop ends at our own frame, which holds no paint.
    while at < top && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at += 4;
    }
    (top - at) as u32
}
