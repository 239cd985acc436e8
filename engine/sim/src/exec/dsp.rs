//! The DSP extension's multiplies, saturating sums, packing (manual A7.4.4 to A7.4.8).

use super::{Done, shift};
use crate::cpu::Cpu;
use crate::decode::Op;

/// A signed halfword: the upper one if `top`.
fn half(value: u32, top: bool) -> i64 {
    i64::from((if top { value >> 16 } else { value }) as i16)
}

/// The products of lower and upper halfwords; bit 0 of `form` exchanges the halves of Rm first.
fn dual_products(cpu: &Cpu, op: &Op) -> (i64, i64) {
    let n = cpu.get(op.rn);
    let m = cpu.get(op.rm).rotate_right(if op.form & 1 == 1 { 16 } else { 0 });
    (half(n, false) * half(m, false), half(n, true) * half(m, true))
}

/// The signed accumulator; Ra = 15 is the form without one.
fn accumulator(cpu: &Cpu, op: &Op) -> i64 {
    if op.ra == 15 { 0 } else { i64::from(cpu.get(op.ra) as i32) }
}

/// Rd = `sum`; Q if it does not fit into 32 bits.
fn set_with_overflow(cpu: &mut Cpu, op: &Op, sum: i64) -> Done {
    cpu.flags.q |= sum != i64::from(sum as i32);
    cpu.set(op.rd, sum as u32);
    Ok(())
}

/// SMULxy and SMLAxy: bit 1 of `form` takes the upper half of Rn, bit 0 that of Rm.
pub(crate) fn smlaxy(cpu: &mut Cpu, op: &Op) -> Done {
    let product = half(cpu.get(op.rn), op.form & 2 != 0) * half(cpu.get(op.rm), op.form & 1 != 0);
    set_with_overflow(cpu, op, product + accumulator(cpu, op))
}

/// SMULWy and SMLAWy: the upper 32 bits of a 32 by 16 product.
pub(crate) fn smlawy(cpu: &mut Cpu, op: &Op) -> Done {
    let product = i64::from(cpu.get(op.rn) as i32) * half(cpu.get(op.rm), op.form & 1 != 0);
    set_with_overflow(cpu, op, (product >> 16) + accumulator(cpu, op))
}

/// SMUAD and SMLAD.
pub(crate) fn smlad(cpu: &mut Cpu, op: &Op) -> Done {
    let (low, high) = dual_products(cpu, op);
    set_with_overflow(cpu, op, low + high + accumulator(cpu, op))
}

/// SMUSD and SMLSD.
pub(crate) fn smlsd(cpu: &mut Cpu, op: &Op) -> Done {
    let (low, high) = dual_products(cpu, op);
    set_with_overflow(cpu, op, low - high + accumulator(cpu, op))
}

/// The upper word of Ra:0 + `product`, rounded if bit 0 of `form` is set.
fn most_significant(cpu: &mut Cpu, op: &Op, product: i64) -> Done {
    let rounding = if op.form & 1 == 1 { 0x8000_0000 } else { 0 };
    let sum = (accumulator(cpu, op) << 32).wrapping_add(product).wrapping_add(rounding);
    cpu.set(op.rd, (sum >> 32) as u32);
    Ok(())
}

/// SMMUL and SMMLA.
pub(crate) fn smmla(cpu: &mut Cpu, op: &Op) -> Done {
    let product = i64::from(cpu.get(op.rn) as i32) * i64::from(cpu.get(op.rm) as i32);
    most_significant(cpu, op, product)
}

pub(crate) fn smmls(cpu: &mut Cpu, op: &Op) -> Done {
    let product = i64::from(cpu.get(op.rn) as i32) * i64::from(cpu.get(op.rm) as i32);
    most_significant(cpu, op, -product)
}

/// USAD8 and USADA8: the sum of the bytes' distances.
pub(crate) fn usada8(cpu: &mut Cpu, op: &Op) -> Done {
    let (n, m) = (cpu.get(op.rn).to_le_bytes(), cpu.get(op.rm).to_le_bytes());
    let distance: u32 = n.iter().zip(m).map(|(&n, m)| u32::from(n.abs_diff(m))).sum();
    cpu.set(op.rd, (accumulator(cpu, op) as u32).wrapping_add(distance));
    Ok(())
}

pub(crate) fn smlalxy(cpu: &mut Cpu, op: &Op) -> Done {
    let product = half(cpu.get(op.rn), op.form & 2 != 0) * half(cpu.get(op.rm), op.form & 1 != 0);
    cpu.set_long(op, cpu.get_long(op).wrapping_add(product as u64));
    Ok(())
}

pub(crate) fn smlald(cpu: &mut Cpu, op: &Op) -> Done {
    let (low, high) = dual_products(cpu, op);
    cpu.set_long(op, cpu.get_long(op).wrapping_add((low + high) as u64));
    Ok(())
}

pub(crate) fn smlsld(cpu: &mut Cpu, op: &Op) -> Done {
    let (low, high) = dual_products(cpu, op);
    cpu.set_long(op, cpu.get_long(op).wrapping_add((low - high) as u64));
    Ok(())
}

/// The lower half of Rn under the upper one of Rm, which is shifted left.
pub(crate) fn pkhbt(cpu: &mut Cpu, op: &Op) -> Done {
    let (m, _) = shift(cpu.get(op.rm), op.shift, u32::from(op.amount), false);
    cpu.set(op.rd, cpu.get(op.rn) & 0xffff | m & 0xffff_0000);
    Ok(())
}

/// The upper half of Rn above the lower one of Rm, which is shifted right.
pub(crate) fn pkhtb(cpu: &mut Cpu, op: &Op) -> Done {
    let (m, _) = shift(cpu.get(op.rm), op.shift, u32::from(op.amount), false);
    cpu.set(op.rd, cpu.get(op.rn) & 0xffff_0000 | m & 0xffff);
    Ok(())
}

fn saturating(cpu: &mut Cpu, op: &Op, double: bool, f: fn(i64, i64) -> i64) -> Done {
    let m = i64::from(cpu.get(op.rm) as i32);
    let n = i64::from(cpu.get(op.rn) as i32);
    let n = if double { cpu.saturate_signed(n * 2, 32) } else { n };
    let result = cpu.saturate_signed(f(m, n), 32);
    cpu.set(op.rd, result as u32);
    Ok(())
}

pub(crate) fn qadd(cpu: &mut Cpu, op: &Op) -> Done {
    saturating(cpu, op, false, |m, n| m + n)
}

pub(crate) fn qsub(cpu: &mut Cpu, op: &Op) -> Done {
    saturating(cpu, op, false, |m, n| m - n)
}

pub(crate) fn qdadd(cpu: &mut Cpu, op: &Op) -> Done {
    saturating(cpu, op, true, |m, n| m + n)
}

pub(crate) fn qdsub(cpu: &mut Cpu, op: &Op) -> Done {
    saturating(cpu, op, true, |m, n| m - n)
}

/// Each halfword limited to the bits in `count` (less one).
pub(crate) fn ssat16(cpu: &mut Cpu, op: &Op) -> Done {
    let n = cpu.get(op.rn);
    let bits = u32::from(op.count) + 1;
    let low = cpu.saturate_signed(half(n, false), bits) as u32 & 0xffff;
    let high = cpu.saturate_signed(half(n, true), bits) as u32;
    cpu.set(op.rd, high << 16 | low);
    Ok(())
}

pub(crate) fn usat16(cpu: &mut Cpu, op: &Op) -> Done {
    let n = cpu.get(op.rn);
    let bits = u32::from(op.count);
    let low = cpu.saturate_unsigned(half(n, false), bits) as u32;
    let high = cpu.saturate_unsigned(half(n, true), bits) as u32;
    cpu.set(op.rd, high << 16 | low);
    Ok(())
}

/// Each byte from Rn where its GE flag is set, else from Rm.
pub(crate) fn sel(cpu: &mut Cpu, op: &Op) -> Done {
    let from_n: u32 = (0..4).filter(|i| cpu.flags.ge >> i & 1 == 1).map(|i| 0xff << (8 * i)).sum();
    cpu.set(op.rd, cpu.get(op.rn) & from_n | cpu.get(op.rm) & !from_n);
    Ok(())
}
