//! The private peripheral bus: identification, FPU access, cycle counter, SysTick.
//! Registers the simulator gives no meaning keep what was written (Armv7-M ARM, B3.2 and C1.8).

use std::collections::BTreeMap;

use crate::core::Core;
use crate::fault::{FaultKind, Trap};

const DWT_CTRL: u32 = 0xe000_1000;
const DWT_CYCCNT: u32 = 0xe000_1004;
const SYST_CSR: u32 = 0xe000_e010;
const SYST_RVR: u32 = 0xe000_e014;
const SYST_CVR: u32 = 0xe000_e018;
const SYST_CALIB: u32 = 0xe000_e01c;
const CPUID: u32 = 0xe000_ed00;
const VTOR: u32 = 0xe000_ed08;
const AIRCR: u32 = 0xe000_ed0c;
const CPACR: u32 = 0xe000_ed88;
const DEMCR: u32 = 0xe000_edfc;

/// DEMCR.TRCENA and DWT_CTRL.CYCCNTENA: the cycle counter runs when both are set.
const TRCENA: u32 = 1 << 24;
const CYCCNTENA: u32 = 1;
/// Four comparators and all counters, as a Cortex-M4 reports.
const DWT_CTRL_RESET: u32 = 0x4000_0000;
/// AIRCR reads this key in its upper half and needs the other one to be written.
const AIRCR_READ_KEY: u32 = 0xfa05_0000;
const AIRCR_WRITE_KEY: u32 = 0x05fa;
const SYSRESETREQ: u32 = 1 << 2;
/// CPACR: access bits of coprocessors 10 and 11, which are the FPU; full access is 0b11 each.
const CPACR_FLOAT: u32 = 0xf << 20;

/// A counter that runs with the clock while it is switched on.
#[derive(Default)]
struct CycleCounter {
    value: u32,
    running_since: Option<u64>,
}

impl CycleCounter {
    fn value(&self, clock: u64) -> u32 {
        let passed = self.running_since.map_or(0, |since| clock.wrapping_sub(since) as u32);
        self.value.wrapping_add(passed)
    }

    fn set(&mut self, value: u32, clock: u64) {
        self.value = value;
        self.running_since = self.running_since.map(|_| clock);
    }

    fn run(&mut self, on: bool, clock: u64) {
        self.value = self.value(clock);
        self.running_since = on.then_some(clock);
    }
}

/// The 24-bit timer that counts down with the core clock. Its interrupt is not simulated.
#[derive(Default)]
struct SysTick {
    control: u32,
    reload: u32,
    /// Value and clock when it was last started or set.
    anchor: (u32, u64),
}

impl SysTick {
    fn value(&self, clock: u64) -> u32 {
        let (value, since) = self.anchor;
        let passed = clock.wrapping_sub(since);
        match self.control & 1 {
            0 => value,
            _ if passed <= u64::from(value) => value - passed as u32,
            _ => {
                let period = u64::from(self.reload) + 1;
                self.reload - ((passed - u64::from(value) - 1) % period) as u32
            }
        }
    }

    /// COUNTFLAG: it reached zero since it was last started, set or asked.
    fn wrapped(&self, clock: u64) -> bool {
        let (value, since) = self.anchor;
        self.control & 1 == 1 && clock.wrapping_sub(since) > u64::from(value)
    }
}

/// The core's own registers.
pub(crate) struct SystemSpace {
    cpuid: u32,
    has_float: bool,
    /// CPACR grants access to the FPU. Read by every floating-point instruction.
    pub(crate) float_enabled: bool,
    dwt_ctrl: u32,
    demcr: u32,
    cycles: CycleCounter,
    systick: SysTick,
    words: BTreeMap<u32, u32>,
}

impl SystemSpace {
    pub(crate) fn new(core: &Core) -> Self {
        Self {
            cpuid: core.cpuid,
            has_float: core.features.float,
            float_enabled: false,
            dwt_ctrl: DWT_CTRL_RESET,
            demcr: 0,
            cycles: CycleCounter::default(),
            systick: SysTick::default(),
            words: BTreeMap::new(),
        }
    }

    /// Where VTOR points after reset.
    pub(crate) fn set_vector_table(&mut self, address: u32) {
        self.words.insert(VTOR, address);
    }

    /// The word at a word-aligned address.
    pub(crate) fn read(&mut self, address: u32, clock: u64) -> u32 {
        match address {
            CPUID => self.cpuid,
            AIRCR => AIRCR_READ_KEY,
            DWT_CTRL => self.dwt_ctrl,
            DWT_CYCCNT => self.cycles.value(clock),
            DEMCR => self.demcr,
            SYST_CSR => {
                let wrapped = u32::from(self.systick.wrapped(clock)) << 16;
                self.systick.anchor = (self.systick.value(clock), clock);
                self.systick.control | wrapped
            }
            SYST_RVR => self.systick.reload,
            SYST_CVR => self.systick.value(clock),
            SYST_CALIB => 0,
            _ => self.words.get(&address).copied().unwrap_or(0),
        }
    }

    /// Writes the word at a word-aligned address.
    pub(crate) fn write(&mut self, address: u32, value: u32, clock: u64) -> Result<(), Trap> {
        match address {
            CPUID | SYST_CALIB => {}
            AIRCR if value >> 16 == AIRCR_WRITE_KEY && value & SYSRESETREQ != 0 => {
                return Err(Trap::fault(FaultKind::ResetRequest, address));
            }
            AIRCR => {}
            CPACR if self.has_float => {
                self.float_enabled = value & CPACR_FLOAT == CPACR_FLOAT;
                self.words.insert(address, value & CPACR_FLOAT);
            }
            CPACR => {}
            DWT_CTRL | DEMCR => {
                match address {
                    DWT_CTRL => self.dwt_ctrl = (value & 0x0fff_ffff) | DWT_CTRL_RESET,
                    _ => self.demcr = value,
                }
                self.cycles.run(self.demcr & TRCENA != 0 && self.dwt_ctrl & CYCCNTENA != 0, clock);
            }
            DWT_CYCCNT => self.cycles.set(value, clock),
            SYST_CSR => {
                self.systick.anchor = (self.systick.value(clock), clock);
                self.systick.control = value & 7;
            }
            SYST_RVR => {
                // The counter keeps its value until it wraps, so it is anchored here first.
                self.systick.anchor = (self.systick.value(clock), clock);
                self.systick.reload = value & 0x00ff_ffff;
            }
            SYST_CVR => self.systick.anchor = (0, clock),
            _ => {
                self.words.insert(address, value);
            }
        }
        Ok(())
    }
}
