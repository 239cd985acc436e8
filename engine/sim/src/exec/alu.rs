//! Data processing: addition, logic, moves, shifts, compares (manual A2.2.1, A7.4.2).

use super::Done;
use crate::cpu::Cpu;
use crate::decode::{Op, SetFlags, Shift};

/// Value of [`Op::form`] for an immediate that was rotated: its carry is its highest bit.
pub(crate) const IMMEDIATE_CARRY: u8 = 1;

/// The second operand: its value and the shifter's carry.
pub(crate) trait Operand {
    fn read(cpu: &Cpu, op: &Op) -> (u32, bool);
}

pub(crate) struct Immediate;
pub(crate) struct Register;
pub(crate) struct Shifted;

impl Operand for Immediate {
    #[inline(always)]
    fn read(cpu: &Cpu, op: &Op) -> (u32, bool) {
        let carry = if op.form == IMMEDIATE_CARRY { op.imm >> 31 == 1 } else { cpu.flags.c };
        (op.imm, carry)
    }
}

impl Operand for Register {
    #[inline(always)]
    fn read(cpu: &Cpu, op: &Op) -> (u32, bool) {
        (cpu.get(op.rm), cpu.flags.c)
    }
}

impl Operand for Shifted {
    #[inline(always)]
    fn read(cpu: &Cpu, op: &Op) -> (u32, bool) {
        shift(cpu.get(op.rm), op.shift, u32::from(op.amount), cpu.flags.c)
    }
}

/// Shift_C: `value` shifted by `amount` (0 to 255) and the carry out of it.
#[inline(always)]
pub(crate) fn shift(value: u32, kind: Shift, amount: u32, carry: bool) -> (u32, bool) {
    if kind == Shift::RotateExtend {
        return (u32::from(carry) << 31 | value >> 1, value & 1 == 1);
    }
    if amount == 0 {
        return (value, carry);
    }
    match kind {
        Shift::Left if amount < 32 => (value << amount, value >> (32 - amount) & 1 == 1),
        Shift::Left => (0, amount == 32 && value & 1 == 1),
        Shift::LogicalRight if amount < 32 => (value >> amount, value >> (amount - 1) & 1 == 1),
        Shift::LogicalRight => (0, amount == 32 && value >> 31 == 1),
        Shift::ArithmeticRight => {
            let signed = value as i32;
            let last = signed >> (amount - 1).min(31) & 1 == 1;
            ((signed >> amount.min(31)) as u32, last)
        }
        Shift::Rotate | Shift::RotateExtend => {
            let result = value.rotate_right(amount & 31);
            (result, result >> 31 == 1)
        }
    }
}

/// AddWithCarry: sum, carry out, signed overflow.
#[inline(always)]
pub(crate) fn add_with_carry(a: u32, b: u32, carry: bool) -> (u32, bool, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u32::from(carry));
    (sum, first | second, ((a ^ sum) & (b ^ sum)) >> 31 == 1)
}

impl Cpu {
    /// Whether this instruction changes the condition flags.
    #[inline(always)]
    pub(crate) fn sets_flags(&self, op: &Op) -> bool {
        match op.flags {
            SetFlags::Never => false,
            SetFlags::Always => true,
            SetFlags::OutsideIt => !self.in_it_block,
        }
    }
}

#[inline(always)]
fn logical<M: Operand>(cpu: &mut Cpu, op: &Op, f: impl Fn(u32, u32) -> u32) -> Done {
    let (m, carry) = M::read(cpu, op);
    let result = f(cpu.get(op.rn), m);
    cpu.set(op.rd, result);
    if cpu.sets_flags(op) {
        cpu.flags.set_nz(result);
        cpu.flags.c = carry;
    }
    Ok(())
}

#[inline(always)]
fn arithmetic<M: Operand>(cpu: &mut Cpu, op: &Op, f: impl Fn(u32, u32, bool) -> (u32, bool, bool)) -> Done {
    let (m, _) = M::read(cpu, op);
    let (result, carry, overflow) = f(cpu.get(op.rn), m, cpu.flags.c);
    cpu.set(op.rd, result);
    if cpu.sets_flags(op) {
        cpu.flags.set_nz(result);
        cpu.flags.c = carry;
        cpu.flags.v = overflow;
    }
    Ok(())
}

#[inline(always)]
fn test<M: Operand>(cpu: &mut Cpu, op: &Op, f: impl Fn(u32, u32) -> u32) -> Done {
    let (m, carry) = M::read(cpu, op);
    let result = f(cpu.get(op.rn), m);
    cpu.flags.set_nz(result);
    cpu.flags.c = carry;
    Ok(())
}

#[inline(always)]
fn compare<M: Operand>(cpu: &mut Cpu, op: &Op, f: impl Fn(u32, u32) -> (u32, bool, bool)) -> Done {
    let (m, _) = M::read(cpu, op);
    let (result, carry, overflow) = f(cpu.get(op.rn), m);
    cpu.flags.set_nz(result);
    cpu.flags.c = carry;
    cpu.flags.v = overflow;
    Ok(())
}

pub(crate) fn and<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |n, m| n & m)
}

pub(crate) fn bic<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |n, m| n & !m)
}

pub(crate) fn orr<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |n, m| n | m)
}

pub(crate) fn orn<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |n, m| n | !m)
}

pub(crate) fn eor<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |n, m| n ^ m)
}

pub(crate) fn mov<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |_, m| m)
}

pub(crate) fn mvn<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    logical::<M>(cpu, op, |_, m| !m)
}

pub(crate) fn tst<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    test::<M>(cpu, op, |n, m| n & m)
}

pub(crate) fn teq<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    test::<M>(cpu, op, |n, m| n ^ m)
}

pub(crate) fn add<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    arithmetic::<M>(cpu, op, |n, m, _| add_with_carry(n, m, false))
}

pub(crate) fn adc<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    arithmetic::<M>(cpu, op, add_with_carry)
}

pub(crate) fn sbc<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    arithmetic::<M>(cpu, op, |n, m, carry| add_with_carry(n, !m, carry))
}

pub(crate) fn sub<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    arithmetic::<M>(cpu, op, |n, m, _| add_with_carry(n, !m, true))
}

pub(crate) fn rsb<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    arithmetic::<M>(cpu, op, |n, m, _| add_with_carry(!n, m, true))
}

pub(crate) fn cmp<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    compare::<M>(cpu, op, |n, m| add_with_carry(n, !m, true))
}

pub(crate) fn cmn<M: Operand>(cpu: &mut Cpu, op: &Op) -> Done {
    compare::<M>(cpu, op, |n, m| add_with_carry(n, m, false))
}

/// LSL, LSR, ASR and ROR by the lowest byte of Rm.
pub(crate) fn shift_register(cpu: &mut Cpu, op: &Op) -> Done {
    let amount = cpu.get(op.rm) & 0xff;
    let (result, carry) = shift(cpu.get(op.rn), op.shift, amount, cpu.flags.c);
    cpu.set(op.rd, result);
    if cpu.sets_flags(op) {
        cpu.flags.set_nz(result);
        cpu.flags.c = carry;
    }
    Ok(())
}

/// ADD between any registers; into the PC it branches.
pub(crate) fn add_any(cpu: &mut Cpu, op: &Op) -> Done {
    write_any(cpu, op, cpu.get(op.rn).wrapping_add(cpu.get(op.rm)))
}

/// MOV between any registers; into the PC it branches.
pub(crate) fn mov_any(cpu: &mut Cpu, op: &Op) -> Done {
    write_any(cpu, op, cpu.get(op.rm))
}

#[inline(always)]
fn write_any(cpu: &mut Cpu, op: &Op, value: u32) -> Done {
    match op.rd {
        15 => cpu.branch(value),
        rd => cpu.set(rd, value),
    }
    Ok(())
}

/// ADR: the aligned PC plus an offset.
pub(crate) fn adr(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set(op.rd, cpu.aligned_pc().wrapping_add(op.imm));
    Ok(())
}

/// MOVT: the upper half, the lower one stays.
pub(crate) fn movt(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set(op.rd, cpu.get(op.rd) & 0xffff | op.imm << 16);
    Ok(())
}
