//! Cycle counters: the DWT's, and SysTick where there is none or where it does not count.

use core::arch::asm;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

const DEMCR: usize = 0xe000_edfc;
const DWT_CTRL: usize = 0xe000_1000;
const DWT_CYCCNT: usize = 0xe000_1004;
const DWT_LAR: usize = 0xe000_1fb0;
const SYST_CSR: usize = 0xe000_e010;
const SYST_RVR: usize = 0xe000_e014;
const SYST_CVR: usize = 0xe000_e018;
const CPUID: usize = 0xe000_ed00;

/// The register behind `address`.
pub(crate) fn read(address: usize) -> u32 {
    // SAFETY: only called with the addresses of core registers, which may be read at any time.
    unsafe { (address as *const u32).read_volatile() }
}

/// Sets the register behind `address`.
fn write(address: usize, value: u32) {
    // SAFETY: only called with the addresses of the counters' registers; they affect nothing else.
    unsafe { (address as *mut u32).write_volatile(value) }
}

/// The counter in use.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Counter {
    /// DWT CYCCNT: 32 bits, wraps after minutes at the clock after reset.
    Dwt = 1,
    /// SysTick at the processor clock: 24 bits, counts down.
    SysTick = 2,
}

/// The core's CPUID register.
pub fn cpuid() -> u32 {
    read(CPUID)
}

impl Counter {
    /// Starts the best counter there is. The DWT is asked twice whether it really counts, because
    /// some cores and emulators have its registers but no counter behind them.
    pub fn start() -> Counter {
        write(DEMCR, read(DEMCR) | 1 << 24);
        // The lock exists on Cortex-M7 only; elsewhere this write is ignored.
        write(DWT_LAR, 0xc5ac_ce55);
        if read(DWT_CTRL) & 1 << 25 == 0 {
            write(DWT_CYCCNT, 0);
            write(DWT_CTRL, read(DWT_CTRL) | 1);
            let before = read(DWT_CYCCNT);
            // SAFETY: waits, nothing else.
            unsafe { asm!("nop", "nop", "dsb") };
            if read(DWT_CYCCNT) != before {
                return Counter::Dwt;
            }
        }
        Counter::start_sys_tick()
    }

    /// Starts SysTick at the processor clock, without its interrupt.
    pub fn start_sys_tick() -> Counter {
        write(SYST_RVR, 0x00ff_ffff);
        write(SYST_CVR, 0);
        write(SYST_CSR, 0b101);
        Counter::SysTick
    }

    /// The counter now. Only differences by [`Counter::since`] mean anything.
    #[inline(always)]
    pub fn now(self) -> u32 {
        compiler_fence(SeqCst);
        let now = match self {
            Counter::Dwt => read(DWT_CYCCNT),
            Counter::SysTick => read(SYST_CVR),
        };
        compiler_fence(SeqCst);
        now
    }

    /// Cycles from `start` to `end`; more than one turn of the counter is not noticed.
    #[inline(always)]
    pub fn since(self, start: u32, end: u32) -> u32 {
        match self {
            Counter::Dwt => end.wrapping_sub(start),
            Counter::SysTick => start.wrapping_sub(end) & 0x00ff_ffff,
        }
    }
}
