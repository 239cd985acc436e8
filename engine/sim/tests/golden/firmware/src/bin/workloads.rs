//! What firmware around protobuf is made of, as rustc compiles it: checksums, sorting, 64-bit and
//! floating-point arithmetic, varints, copies, saturating arithmetic, dispatch.
#![no_std]
#![no_main]

use core::hint::black_box;

use golden::Random;

#[path = "../workloads/bytes.rs"]
mod bytes;
#[path = "../workloads/dispatch.rs"]
mod dispatch;
#[path = "../workloads/dsp.rs"]
mod dsp;
#[path = "../workloads/float.rs"]
mod float;
#[path = "../workloads/integer.rs"]
mod integer;
#[path = "../workloads/wire.rs"]
mod wire;

/// Starts non-zero, so that .data is copied and used.
static mut SEED: u32 = 0x2545_f491;

#[unsafe(no_mangle)]
extern "C" fn run() -> u32 {
    // SAFETY: nothing else runs.
    let seed = unsafe { core::ptr::read_volatile(&raw const SEED) };
    let mut random = Random(seed);
    let mut sum = 0u32;
    for round in 0..black_box(2) {
        sum = sum.rotate_left(5) ^ integer::all(&mut random, round);
        sum = sum.rotate_left(5) ^ float::all(&mut random);
        sum = sum.rotate_left(5) ^ wire::all(&mut random);
        sum = sum.rotate_left(5) ^ bytes::all(&mut random);
        sum = sum.rotate_left(5) ^ dsp::all(&mut random);
        sum = sum.rotate_left(5) ^ dispatch::all(&mut random);
    }
    sum
}
