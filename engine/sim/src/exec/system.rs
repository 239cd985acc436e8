//! Special registers, breakpoints, and the encodings that only fault (manual B5.2).

use super::Done;
use crate::cpu::{Cpu, Flags, SP};
use crate::decode::Op;
use crate::fault::{Cause, FaultKind, Trap};
use crate::semihosting;

/// CONTROL.SPSEL: R13 is the process stack pointer.
const SPSEL: u32 = 2;
/// The immediate that makes BKPT a semihosting call.
const SEMIHOSTING: u32 = 0xab;

pub(crate) fn nop(_: &mut Cpu, _: &Op) -> Done {
    Ok(())
}

/// UDF and everything no row knows; `imm` is the encoding.
pub(crate) fn undefined(_: &mut Cpu, op: &Op) -> Done {
    Err(Trap::fault(FaultKind::UndefinedInstruction, op.imm))
}

/// An encoding of coprocessor 10 or 11 that no row knows.
pub(crate) fn no_float_or_undefined(cpu: &mut Cpu, op: &Op) -> Done {
    match cpu.features.float {
        true => undefined(cpu, op),
        false => Err(Trap::fault(FaultKind::NoFloatUnit, op.imm)),
    }
}

pub(crate) fn svc(_: &mut Cpu, op: &Op) -> Done {
    Err(Trap::fault(FaultKind::SupervisorCall, op.imm))
}

pub(crate) fn bkpt(cpu: &mut Cpu, op: &Op) -> Done {
    match op.imm {
        SEMIHOSTING => semihosting::call(cpu),
        number => Err(Trap { cause: Cause::Breakpoint, value: number }),
    }
}

pub(crate) fn mrs(cpu: &mut Cpu, op: &Op) -> Done {
    let special = &cpu.special;
    let psp_selected = special.control & SPSEL != 0;
    let value = match op.imm {
        0..=3 => cpu.flags.to_apsr(),
        8 if !psp_selected => cpu.r[SP],
        9 if psp_selected => cpu.r[SP],
        8 | 9 => special.other_sp,
        16 => special.primask,
        17 | 18 => special.basepri,
        19 => special.faultmask,
        20 => special.control,
        _ => 0,
    };
    cpu.set(op.rd, value);
    Ok(())
}

pub(crate) fn msr(cpu: &mut Cpu, op: &Op) -> Done {
    let value = cpu.get(op.rn);
    let psp_selected = cpu.special.control & SPSEL != 0;
    match op.imm {
        0..=3 => {
            let flags = if op.form & 2 != 0 { 0xf800_0000 } else { 0 };
            let ge = if op.form & 1 != 0 { 0x000f_0000 } else { 0 };
            let mask = flags | ge;
            cpu.flags = Flags::from_apsr(cpu.flags.to_apsr() & !mask | value & mask);
        }
        8 if !psp_selected => cpu.r[SP] = value & !3,
        9 if psp_selected => cpu.r[SP] = value & !3,
        8 | 9 => cpu.special.other_sp = value & !3,
        16 => cpu.special.primask = value & 1,
        17 => cpu.special.basepri = value & 0xff,
        18 => {
            // BASEPRI_MAX only raises the priority: lower numbers, and 0 is none.
            let (new, old) = (value & 0xff, cpu.special.basepri);
            if new != 0 && (old == 0 || new < old) {
                cpu.special.basepri = new;
            }
        }
        19 => cpu.special.faultmask = value & 1,
        20 => {
            cpu.special.control = value & 7;
            if (value & SPSEL != 0) != psp_selected {
                std::mem::swap(&mut cpu.r[SP], &mut cpu.special.other_sp);
            }
        }
        _ => {}
    }
    Ok(())
}

/// `imm` is the new value, `form` chooses PRIMASK (2) and FAULTMASK (1).
pub(crate) fn cps(cpu: &mut Cpu, op: &Op) -> Done {
    if op.form & 2 != 0 {
        cpu.special.primask = op.imm;
    }
    if op.form & 1 != 0 {
        cpu.special.faultmask = op.imm;
    }
    Ok(())
}
