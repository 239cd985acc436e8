//! Times the encode and decode parts inside a scenario, and sums up the bytes on the wire.
//!
//! Used by firmware that is built to check and to split the cycles, never by the one whose size is
//! taken: there the same codec stands without any of this.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::counter::Counter;

/// Start value of FNV-1a, 32 bits.
pub const FNV_START: u32 = 0x811c_9dc5;
const FNV_PRIME: u32 = 0x0100_0193;

static ENCODE: AtomicU32 = AtomicU32::new(0);
static DECODE: AtomicU32 = AtomicU32::new(0);
static CHECKSUM: AtomicU32 = AtomicU32::new(0);
static COUNTER: AtomicU32 = AtomicU32::new(0);

fn counter() -> Counter {
    if COUNTER.load(Relaxed) == Counter::Dwt as u32 { Counter::Dwt } else { Counter::SysTick }
}

#[inline(always)]
fn timed<T>(sum: &AtomicU32, work: impl FnOnce() -> T) -> T {
    let counter = counter();
    let start = counter.now();
    let value = work();
    let end = counter.now();
    sum.store(sum.load(Relaxed).wrapping_add(counter.since(start, end)), Relaxed);
    value
}

/// Runs `work`, an encode, and adds its cycles to this run's encode time.
#[inline(always)]
pub fn encode<T>(work: impl FnOnce() -> T) -> T {
    timed(&ENCODE, work)
}

/// Runs `work`, a decode, and adds its cycles to this run's decode time.
#[inline(always)]
pub fn decode<T>(work: impl FnOnce() -> T) -> T {
    timed(&DECODE, work)
}

/// Adds cycles to this run's encode time, for code in another language that reads the counter itself.
pub fn add_encode(cycles: u32) {
    ENCODE.store(ENCODE.load(Relaxed).wrapping_add(cycles), Relaxed);
}

/// Adds cycles to this run's decode time, for code in another language that reads the counter itself.
pub fn add_decode(cycles: u32) {
    DECODE.store(DECODE.load(Relaxed).wrapping_add(cycles), Relaxed);
}

/// Adds a message's bytes to this run's checksum.
#[inline(never)]
pub fn wire(bytes: &[u8]) {
    let sum =
        bytes.iter().fold(CHECKSUM.load(Relaxed), |sum, b| (sum ^ u32::from(*b)).wrapping_mul(FNV_PRIME));
    CHECKSUM.store(sum, Relaxed);
}

/// What one run added up.
pub(crate) struct Sums {
    pub encode: u32,
    pub decode: u32,
    pub checksum: u32,
}

/// Starts a run.
pub(crate) fn begin(counter: Counter) {
    COUNTER.store(counter as u32, Relaxed);
    ENCODE.store(0, Relaxed);
    DECODE.store(0, Relaxed);
    CHECKSUM.store(FNV_START, Relaxed);
}

/// Ends a run. The checksum is 0 where no bytes were reported.
pub(crate) fn end() -> Sums {
    let checksum = CHECKSUM.load(Relaxed);
    Sums {
        encode: ENCODE.load(Relaxed),
        decode: DECODE.load(Relaxed),
        checksum: if checksum == FNV_START { 0 } else { checksum },
    }
}

/// Cycles of a region around nothing.
#[inline(never)]
pub(crate) fn empty_region(counter: Counter) -> u32 {
    begin(counter);
    encode(|| ());
    ENCODE.load(Relaxed)
}
