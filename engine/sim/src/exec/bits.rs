//! Bit fields, extensions, byte order, saturation to a width (manual A7.4.3, A7.4.7).

use super::{Done, shift};
use crate::cpu::Cpu;
use crate::decode::Op;

/// Rd = f(Rm).
#[inline(always)]
fn of_rm(cpu: &mut Cpu, op: &Op, f: impl Fn(u32) -> u32) -> Done {
    cpu.set(op.rd, f(cpu.get(op.rm)));
    Ok(())
}

pub(crate) fn clz(cpu: &mut Cpu, op: &Op) -> Done {
    of_rm(cpu, op, u32::leading_zeros)
}

pub(crate) fn rev(cpu: &mut Cpu, op: &Op) -> Done {
    of_rm(cpu, op, u32::swap_bytes)
}

/// Bytes exchanged within each halfword.
pub(crate) fn rev16(cpu: &mut Cpu, op: &Op) -> Done {
    of_rm(cpu, op, |m| (m >> 8 & 0x00ff_00ff) | (m & 0x00ff_00ff) << 8)
}

pub(crate) fn rbit(cpu: &mut Cpu, op: &Op) -> Done {
    of_rm(cpu, op, u32::reverse_bits)
}

/// Bytes exchanged in the lower halfword, which is then sign-extended.
pub(crate) fn revsh(cpu: &mut Cpu, op: &Op) -> Done {
    of_rm(cpu, op, |m| (m as u16).swap_bytes() as i16 as u32)
}

/// Rd = Rn + f(Rm rotated); Rn = 15 adds nothing.
#[inline(always)]
fn extend(cpu: &mut Cpu, op: &Op, f: impl Fn(u32) -> u32) -> Done {
    let value = f(cpu.get(op.rm).rotate_right(u32::from(op.amount)));
    cpu.set(op.rd, addend(cpu, op).wrapping_add(value));
    Ok(())
}

fn addend(cpu: &Cpu, op: &Op) -> u32 {
    if op.rn == 15 { 0 } else { cpu.get(op.rn) }
}

pub(crate) fn sxtb(cpu: &mut Cpu, op: &Op) -> Done {
    extend(cpu, op, |m| m as i8 as u32)
}

pub(crate) fn uxtb(cpu: &mut Cpu, op: &Op) -> Done {
    extend(cpu, op, |m| m & 0xff)
}

pub(crate) fn sxth(cpu: &mut Cpu, op: &Op) -> Done {
    extend(cpu, op, |m| m as i16 as u32)
}

pub(crate) fn uxth(cpu: &mut Cpu, op: &Op) -> Done {
    extend(cpu, op, |m| m & 0xffff)
}

/// Bytes 0 and 2 extended and added to the halfwords of Rn.
#[inline(always)]
fn extend_pair(cpu: &mut Cpu, op: &Op, f: impl Fn(u32) -> u32) -> Done {
    let m = cpu.get(op.rm).rotate_right(u32::from(op.amount));
    let n = addend(cpu, op);
    let low = n.wrapping_add(f(m)) & 0xffff;
    let high = (n >> 16).wrapping_add(f(m >> 16)) << 16;
    cpu.set(op.rd, high | low);
    Ok(())
}

pub(crate) fn sxtb16(cpu: &mut Cpu, op: &Op) -> Done {
    extend_pair(cpu, op, |m| m as i8 as u32)
}

pub(crate) fn uxtb16(cpu: &mut Cpu, op: &Op) -> Done {
    extend_pair(cpu, op, |m| m & 0xff)
}

/// `count` bits from bit `amount` on, moved to the top.
#[inline(always)]
fn field_at_top(cpu: &Cpu, op: &Op) -> (u32, u32) {
    let (lsb, width) = (u32::from(op.amount), u32::from(op.count));
    (cpu.get(op.rn) << ((32 - width - lsb) & 31), (32 - width) & 31)
}

pub(crate) fn ubfx(cpu: &mut Cpu, op: &Op) -> Done {
    let (top, down) = field_at_top(cpu, op);
    cpu.set(op.rd, top >> down);
    Ok(())
}

pub(crate) fn sbfx(cpu: &mut Cpu, op: &Op) -> Done {
    let (top, down) = field_at_top(cpu, op);
    cpu.set(op.rd, (top as i32 >> down) as u32);
    Ok(())
}

/// BFI, and BFC with Rn = 15. `imm` is the field's mask.
pub(crate) fn bfi(cpu: &mut Cpu, op: &Op) -> Done {
    let source = addend(cpu, op) << (op.amount & 31);
    cpu.set(op.rd, cpu.get(op.rd) & !op.imm | source & op.imm);
    Ok(())
}

impl Cpu {
    /// SignedSat: `value` limited to `bits` bits; Q remembers that it was.
    pub(super) fn saturate_signed(&mut self, value: i64, bits: u32) -> i64 {
        let limit = 1i64 << (bits - 1);
        self.saturate(value, -limit, limit - 1)
    }

    /// UnsignedSat.
    pub(super) fn saturate_unsigned(&mut self, value: i64, bits: u32) -> i64 {
        self.saturate(value, 0, (1i64 << bits) - 1)
    }

    fn saturate(&mut self, value: i64, low: i64, high: i64) -> i64 {
        let limited = value.clamp(low, high);
        self.flags.q |= limited != value;
        limited
    }
}

/// `count` holds the number of bits, less one for the signed forms.
pub(crate) fn ssat(cpu: &mut Cpu, op: &Op) -> Done {
    let (value, _) = shift(cpu.get(op.rn), op.shift, u32::from(op.amount), false);
    let result = cpu.saturate_signed(i64::from(value as i32), u32::from(op.count) + 1);
    cpu.set(op.rd, result as u32);
    Ok(())
}

pub(crate) fn usat(cpu: &mut Cpu, op: &Op) -> Done {
    let (value, _) = shift(cpu.get(op.rn), op.shift, u32::from(op.amount), false);
    let result = cpu.saturate_unsigned(i64::from(value as i32), u32::from(op.count));
    cpu.set(op.rd, result as u32);
    Ok(())
}
