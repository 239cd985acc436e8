//! The scenarios of the libraries in C and C++. Their code is compiled apart, one object for each scenario,
//! and linked into the binary; this is what it calls and what calls it.
#![no_std]

use core::arch::asm;

unsafe extern "C" {
    safe fn peer_scenario() -> u32;
}

/// The scenario of this binary's object. Called, not jumped to, so that the profile finds it below the harness's.
#[inline(always)]
pub fn run() -> u32 {
    let mut length = peer_scenario();
    // SAFETY: the text is a comment; nothing is executed.
    unsafe { asm!("/* {0} */", inout(reg) length, options(nomem, nostack, preserves_flags)) };
    length
}

/// What the object reports in the builds that split.
#[cfg(feature = "split")]
mod report {
    use scenario::firmware::regions;
    use scenario::stage;

    #[unsafe(no_mangle)]
    extern "C" fn peer_encode_took(cycles: u32) {
        regions::add_encode(cycles);
    }

    #[unsafe(no_mangle)]
    extern "C" fn peer_decode_took(cycles: u32) {
        regions::add_decode(cycles);
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn peer_wire(bytes: *const u8, length: usize) {
        // SAFETY: the object passes a buffer of its own and the bytes it wrote.
        stage::wire(unsafe { core::slice::from_raw_parts(bytes, length) });
    }

    #[unsafe(no_mangle)]
    extern "C" fn peer_message(size: usize) {
        stage::message_size(size);
    }
}
