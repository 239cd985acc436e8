//! Where the results stand: one struct of 32-bit words under the symbol `WIREBENCH_MAILBOX`.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed, Ordering::Release};

/// `"WBMB"`, little-endian; written last, so a mailbox with it is complete.
pub const MAGIC: u32 = 0x424d_4257;
/// Version of the layout below.
pub const ABI: u32 = 1;
/// Timed runs of each kind; the first is cold, the others warm.
pub const SAMPLES: usize = 8;

/// The mailbox. The host knows this layout by [`ABI`]; every member is one or more 32-bit words.
#[repr(C)]
pub struct Mailbox {
    /// [`MAGIC`] once everything below is valid.
    pub magic: AtomicU32,
    /// [`ABI`].
    pub abi: AtomicU32,
    /// Build id, low word first.
    pub build_id: [AtomicU32; 2],
    /// A [`State`].
    pub state: AtomicU32,
    /// Which counter timed: 1 DWT cycle counter, 2 SysTick.
    pub counter: AtomicU32,
    /// The core's CPUID register.
    pub cpuid: AtomicU32,
    /// Number of samples of each kind.
    pub samples: AtomicU32,
    /// Cycles of an empty scenario: to be taken off every total.
    pub overhead: AtomicU32,
    /// Cycles of an empty region: to be taken off every encode and decode sample.
    pub region_overhead: AtomicU32,
    /// What the scenario returned: bytes on the wire.
    pub wire_length: AtomicU32,
    /// FNV-1a of all bytes on the wire in order; 0 where the scenario reports none.
    pub checksum: AtomicU32,
    /// Deepest stack below the caller of the scenario, by paint, in bytes.
    pub stack: AtomicU32,
    /// Stack pointer of that caller.
    pub stack_base: AtomicU32,
    /// Program counter of a fault.
    pub fault_pc: AtomicU32,
    /// Configurable fault status register at a fault.
    pub fault_status: AtomicU32,
    /// Cycles of the whole scenario.
    pub total: [AtomicU32; SAMPLES],
    /// Cycles of the encode regions of one run.
    pub encode: [AtomicU32; SAMPLES],
    /// Cycles of the decode regions of one run.
    pub decode: [AtomicU32; SAMPLES],
}

/// How far the run came. The values are what the host reads.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum State {
    /// Measuring.
    Running = 2,
    /// Every run gave back what it was given.
    Passed = 1,
    /// A run returned [`crate::FAILED`].
    CheckFailed = 0xdead,
    /// A panic was reached.
    Panicked = 0xbad,
    /// The core faulted.
    Faulted = 0xfa01,
}

#[allow(clippy::declare_interior_mutable_const, reason = "an initial value, never used as a place")]
const ZERO: AtomicU32 = AtomicU32::new(0);

/// The one mailbox of a firmware.
#[unsafe(export_name = "WIREBENCH_MAILBOX")]
pub static MAILBOX: Mailbox = Mailbox {
    magic: ZERO,
    abi: ZERO,
    build_id: [ZERO; 2],
    state: ZERO,
    counter: ZERO,
    cpuid: ZERO,
    samples: ZERO,
    overhead: ZERO,
    region_overhead: ZERO,
    wire_length: ZERO,
    checksum: ZERO,
    stack: ZERO,
    stack_base: ZERO,
    fault_pc: ZERO,
    fault_status: ZERO,
    total: [ZERO; SAMPLES],
    encode: [ZERO; SAMPLES],
    decode: [ZERO; SAMPLES],
};

impl Mailbox {
    /// Marks the mailbox as complete with this outcome.
    pub fn finish(&self, state: State) {
        self.state.store(state as u32, Relaxed);
        self.magic.store(MAGIC, Release);
    }
}
