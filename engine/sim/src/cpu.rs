//! The architectural state: core registers, flags, IT block, FPU, special registers.

use crate::bus::Bus;
use crate::core::{Core, Features};
use crate::decode::Op;
use crate::exec::Done;
use crate::fault::{FaultKind, Trap};

pub(crate) const SP: usize = 13;
pub(crate) const LR: usize = 14;
pub(crate) const PC: usize = 15;

/// APSR: condition, saturation and parallel-arithmetic flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) n: bool,
    pub(crate) z: bool,
    pub(crate) c: bool,
    pub(crate) v: bool,
    pub(crate) q: bool,
    pub(crate) ge: u8,
}

impl Flags {
    pub(crate) fn to_apsr(self) -> u32 {
        u32::from(self.n) << 31
            | u32::from(self.z) << 30
            | u32::from(self.c) << 29
            | u32::from(self.v) << 28
            | u32::from(self.q) << 27
            | u32::from(self.ge) << 16
    }

    pub(crate) fn from_apsr(apsr: u32) -> Self {
        let bit = |n: u32| apsr >> n & 1 == 1;
        Self { n: bit(31), z: bit(30), c: bit(29), v: bit(28), q: bit(27), ge: (apsr >> 16 & 15) as u8 }
    }

    #[inline(always)]
    pub(crate) fn set_nz(&mut self, result: u32) {
        self.n = result >> 31 == 1;
        self.z = result == 0;
    }

    /// Whether a condition of the manual's table A7-1 holds.
    #[inline(always)]
    pub(crate) fn passes(self, condition: u8) -> bool {
        let holds = match condition >> 1 & 7 {
            0 => self.z,
            1 => self.c,
            2 => self.n,
            3 => self.v,
            4 => self.c && !self.z,
            5 => self.n == self.v,
            6 => self.n == self.v && !self.z,
            _ => return true,
        };
        holds != (condition & 1 == 1)
    }
}

/// The floating-point registers.
pub(crate) struct FloatUnit {
    /// S0 to S31, bit for bit.
    pub(crate) s: [u32; 32],
    /// NZCV in the upper four bits; the modes are always zero (see [`FaultKind::FloatMode`]).
    pub(crate) fpscr: u32,
}

impl FloatUnit {
    #[inline(always)]
    pub(crate) fn get(&self, register: u8) -> u32 {
        self.s[usize::from(register & 31)]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, register: u8, value: u32) {
        self.s[usize::from(register & 31)] = value;
    }
}

/// PRIMASK and its like. They are kept for MRS and MSR; without exceptions they mask nothing.
#[derive(Default)]
pub(crate) struct Special {
    pub(crate) primask: u32,
    pub(crate) basepri: u32,
    pub(crate) faultmask: u32,
    pub(crate) control: u32,
    /// The stack pointer that is not R13 now: PSP while CONTROL.SPSEL is 0, else MSP.
    pub(crate) other_sp: u32,
}

/// One core with all it can reach.
pub(crate) struct Cpu {
    /// R0 to R14; while an instruction executes, `r[15]` is what it reads as PC: its address + 4.
    pub(crate) r: [u32; 16],
    /// Address of the instruction being executed, or of the next one between instructions.
    pub(crate) pc: u32,
    /// Address of the instruction after this one; branches change it.
    pub(crate) next: u32,
    pub(crate) flags: Flags,
    /// ITSTATE: base condition in the upper three bits, then one bit per instruction left. 0 outside.
    pub(crate) it_state: u8,
    /// Whether the instruction being executed belongs to an IT block.
    pub(crate) in_it_block: bool,
    float: FloatUnit,
    pub(crate) special: Special,
    /// The local exclusive monitor of LDREX and STREX.
    pub(crate) exclusive: bool,
    /// Cycles this instruction takes beyond its fixed ones: a division, an unaligned access.
    pub(crate) extra_cycles: u32,
    /// What the firmware wrote through semihosting.
    pub(crate) output: Vec<u8>,
    pub(crate) features: Features,
    pub(crate) bus: Bus,
}

impl Cpu {
    /// The state after reset. Registers the architecture leaves unknown get the values QEMU gives
    /// them (zeros, Z set), so that traces agree from the first instruction on.
    pub(crate) fn new(core: &Core, bus: Bus, sp: u32, pc: u32) -> Self {
        let mut r = [0; 16];
        r[SP] = sp & !3;
        r[LR] = 0xffff_ffff;
        Self {
            r,
            pc,
            next: pc,
            flags: Flags { z: true, ..Flags::default() },
            it_state: 0,
            in_it_block: false,
            float: FloatUnit { s: [0; 32], fpscr: 0 },
            special: Special::default(),
            exclusive: false,
            extra_cycles: 0,
            output: Vec::new(),
            features: core.features,
            bus,
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, register: u8) -> u32 {
        self.r[usize::from(register & 15)]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, register: u8, value: u32) {
        self.r[usize::from(register & 15)] = value;
    }

    /// The PC as a base of addresses: word-aligned.
    #[inline(always)]
    pub(crate) fn aligned_pc(&self) -> u32 {
        self.r[PC] & !3
    }

    /// A branch that ignores the lowest bit (BranchWritePC).
    #[inline(always)]
    pub(crate) fn branch(&mut self, target: u32) {
        self.next = target & !1;
    }

    /// A branch that selects the instruction set by the lowest bit (BXWritePC, LoadWritePC).
    #[inline(always)]
    pub(crate) fn branch_exchange(&mut self, target: u32) -> Done {
        if target >= 0xf000_0000 {
            return Err(Trap::fault(FaultKind::ExceptionReturn, target));
        }
        if target & 1 == 0 {
            return Err(Trap::fault(FaultKind::ArmState, target));
        }
        self.next = target & !1;
        Ok(())
    }

    /// The floating-point registers, if the core has them and CPACR grants access.
    #[inline(always)]
    pub(crate) fn float(&mut self) -> Result<&mut FloatUnit, Trap> {
        match self.bus.system.float_enabled {
            true => Ok(&mut self.float),
            false => Err(Trap::fault(FaultKind::NoFloatUnit, self.pc)),
        }
    }

    /// The floating-point registers as a debugger sees them.
    pub(crate) fn float_registers(&self) -> &FloatUnit {
        &self.float
    }

    /// Executes one instruction at `pc`, or passes over it when its IT condition fails, and moves
    /// `pc` on. `Ok(false)` if it was passed over. On a trap the PC stays.
    #[inline(always)]
    pub(crate) fn step(&mut self, op: &Op) -> Result<bool, Trap> {
        self.r[PC] = self.pc.wrapping_add(4);
        self.next = self.pc.wrapping_add(u32::from(op.length));
        self.extra_cycles = 0;
        let passes = match self.it_state {
            0 => {
                self.in_it_block = false;
                true
            }
            state => self.advance_it_block(state),
        };
        if passes {
            (op.run)(self, op)?;
        }
        if self.r[SP] & 3 != 0 {
            self.r[SP] &= !3;
        }
        self.pc = self.next;
        Ok(passes)
    }

    /// Moves ITSTATE on (ITAdvance) and tells whether the instruction's condition holds.
    #[inline(always)]
    fn advance_it_block(&mut self, state: u8) -> bool {
        self.in_it_block = true;
        self.it_state = if state & 7 == 0 { 0 } else { (state & 0xe0) | (state << 1 & 0x1f) };
        self.flags.passes(state >> 4)
    }
}
