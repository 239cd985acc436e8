//! Start-up and end of the golden firmware.
#![no_std]

use core::arch::{asm, global_asm};

// Switches the FPU on, copies .data, clears .bss, calls `run`, ends through semihosting.
global_asm!(
    ".section .text.start_up, \"ax\", %progbits",
    ".global Reset",
    ".type Reset, %function",
    ".thumb_func",
    "Reset:",
    "ldr r0, =0xe000ed88",
    "ldr r1, [r0]",
    "orr r1, r1, #0xf00000",
    "str r1, [r0]",
    "dsb",
    "isb",
    "ldr r0, =__data_start",
    "ldr r1, =__data_end",
    "ldr r2, =__data_load",
    "1:",
    "cmp r0, r1",
    "itt lo",
    "ldrlo r3, [r2], #4",
    "strlo r3, [r0], #4",
    "blo 1b",
    "ldr r0, =__bss_start",
    "ldr r1, =__bss_end",
    "movs r2, #0",
    "2:",
    "cmp r0, r1",
    "it lo",
    "strlo r2, [r0], #4",
    "blo 2b",
    "bl run",
    "mov r4, r0",
    "ldr r1, =0x20026",
    "movs r0, #0x18",
    "bkpt #0xab",
    "b .",
    ".ltorg",
    ".size Reset, . - Reset",
);

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {
        // SAFETY: an undefined instruction stops the simulation, which is what a panic should do.
        unsafe { asm!("udf #0") }
    }
}

/// A stream of numbers with a long period (xorshift32).
pub struct Random(pub u32);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}
