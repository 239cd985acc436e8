//! FPv4-SP arithmetic, moves, loads and stores (manual A7.7.222 and after, A2.5).
//!
//! Registers hold bits, so that NaN payloads survive; the host's arithmetic rounds to nearest, which
//! is the only mode simulated.

use super::Done;
use super::memory::check_alignment;
use crate::cpu::Cpu;
use crate::decode::Op;
use crate::fault::{FaultKind, Trap};

const SIGN: u32 = 0x8000_0000;
const QUIET: u32 = 0x0040_0000;
const DEFAULT_NAN: u32 = 0x7fc0_0000;
/// FPSCR bits that change how arithmetic works: AHP, DN, FZ, RMode.
const MODES: u32 = 0x07c0_0000;
/// FPSCR bits that exist: the condition flags and the cumulative exceptions.
const WRITABLE: u32 = 0xf000_009f;

pub(super) fn is_nan(bits: u32) -> bool {
    bits & !SIGN > 0x7f80_0000
}

fn is_signalling(bits: u32) -> bool {
    is_nan(bits) && bits & QUIET == 0
}

/// FPProcessNaNs: the first signalling NaN made quiet, else the first quiet one.
pub(super) fn pick_nan(operands: &[u32]) -> Option<u32> {
    let signalling = operands.iter().find(|&&bits| is_signalling(bits)).map(|bits| bits | QUIET);
    signalling.or_else(|| operands.iter().copied().find(|&bits| is_nan(bits)))
}

/// A result's bits; a NaN the operation itself made is the default one.
fn bits_of(result: f32) -> u32 {
    if result.is_nan() { DEFAULT_NAN } else { result.to_bits() }
}

#[inline(always)]
fn binary(a: u32, b: u32, f: impl Fn(f32, f32) -> f32) -> u32 {
    let result = f(f32::from_bits(a), f32::from_bits(b));
    if result.is_nan() { pick_nan(&[a, b]).unwrap_or(DEFAULT_NAN) } else { result.to_bits() }
}

fn sum(a: u32, b: u32) -> u32 {
    binary(a, b, |a, b| a + b)
}

fn product(a: u32, b: u32) -> u32 {
    binary(a, b, |a, b| a * b)
}

/// FPMulAdd: `a + n * m` rounded once. An infinity times zero is the default NaN even beside a
/// quiet NaN to be added.
fn fused(a: u32, n: u32, m: u32) -> u32 {
    let (fn_, fm) = (f32::from_bits(n), f32::from_bits(m));
    let invalid = (fn_.is_infinite() && fm == 0.0) || (fn_ == 0.0 && fm.is_infinite());
    if invalid && is_nan(a) && !is_signalling(a) {
        return DEFAULT_NAN;
    }
    pick_nan(&[a, n, m]).unwrap_or_else(|| bits_of(fn_.mul_add(fm, f32::from_bits(a))))
}

/// Sd = f(Sd, Sn, Sm).
#[inline(always)]
fn three(cpu: &mut Cpu, op: &Op, f: impl Fn(u32, u32, u32) -> u32) -> Done {
    let float = cpu.float()?;
    let result = f(float.get(op.rd), float.get(op.rn), float.get(op.rm));
    float.set(op.rd, result);
    Ok(())
}

/// Sd = f(Sm).
#[inline(always)]
pub(super) fn one(cpu: &mut Cpu, op: &Op, f: impl Fn(u32) -> u32) -> Done {
    let float = cpu.float()?;
    float.set(op.rd, f(float.get(op.rm)));
    Ok(())
}

pub(crate) fn vadd(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |_, n, m| sum(n, m))
}

pub(crate) fn vsub(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |_, n, m| binary(n, m, |a, b| a - b))
}

pub(crate) fn vmul(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |_, n, m| product(n, m))
}

pub(crate) fn vnmul(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |_, n, m| product(n, m) ^ SIGN)
}

pub(crate) fn vdiv(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |_, n, m| binary(n, m, |a, b| a / b))
}

/// The chained forms round the product before they add.
pub(crate) fn vmla(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| sum(d, product(n, m)))
}

pub(crate) fn vmls(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| sum(d, product(n, m) ^ SIGN))
}

pub(crate) fn vnmla(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| sum(d ^ SIGN, product(n, m) ^ SIGN))
}

pub(crate) fn vnmls(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| sum(d ^ SIGN, product(n, m)))
}

pub(crate) fn vfma(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, fused)
}

pub(crate) fn vfms(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| fused(d, n ^ SIGN, m))
}

pub(crate) fn vfnma(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| fused(d ^ SIGN, n ^ SIGN, m))
}

pub(crate) fn vfnms(cpu: &mut Cpu, op: &Op) -> Done {
    three(cpu, op, |d, n, m| fused(d ^ SIGN, n, m))
}

pub(crate) fn vmov(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| m)
}

pub(crate) fn vabs(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| m & !SIGN)
}

pub(crate) fn vneg(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| m ^ SIGN)
}

pub(crate) fn vsqrt(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| pick_nan(&[m]).unwrap_or_else(|| bits_of(f32::from_bits(m).sqrt())))
}

pub(crate) fn vmov_immediate(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.float()?.set(op.rd, op.imm);
    Ok(())
}

pub(crate) fn vcmp(cpu: &mut Cpu, op: &Op) -> Done {
    let float = cpu.float()?;
    let (a, b) = (float.get(op.rd), float.get(op.rm));
    compare(cpu, f32::from_bits(a), f32::from_bits(b))
}

pub(crate) fn vcmp_zero(cpu: &mut Cpu, op: &Op) -> Done {
    let a = cpu.float()?.get(op.rd);
    compare(cpu, f32::from_bits(a), 0.0)
}

/// FPCompare: N for less, Z and C for equal, C for greater, C and V for unordered.
fn compare(cpu: &mut Cpu, a: f32, b: f32) -> Done {
    let nzcv = match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Less) => 0b1000,
        Some(std::cmp::Ordering::Equal) => 0b0110,
        Some(std::cmp::Ordering::Greater) => 0b0010,
        None => 0b0011,
    };
    let float = cpu.float()?;
    float.fpscr = float.fpscr & 0x0fff_ffff | nzcv << 28;
    Ok(())
}

pub(crate) fn vmrs(cpu: &mut Cpu, op: &Op) -> Done {
    let fpscr = cpu.float()?.fpscr;
    cpu.set(op.rd, fpscr);
    Ok(())
}

/// VMRS APSR_nzcv, FPSCR.
pub(crate) fn vmrs_apsr(cpu: &mut Cpu, _: &Op) -> Done {
    let fpscr = cpu.float()?.fpscr;
    let bit = |n: u32| fpscr >> n & 1 == 1;
    (cpu.flags.n, cpu.flags.z, cpu.flags.c, cpu.flags.v) = (bit(31), bit(30), bit(29), bit(28));
    Ok(())
}

pub(crate) fn vmsr(cpu: &mut Cpu, op: &Op) -> Done {
    let value = cpu.get(op.rn);
    let float = cpu.float()?;
    if value & MODES != 0 {
        return Err(Trap::fault(FaultKind::FloatMode, value));
    }
    float.fpscr = value & WRITABLE;
    Ok(())
}

pub(crate) fn vmov_to_float(cpu: &mut Cpu, op: &Op) -> Done {
    let value = cpu.get(op.rn);
    cpu.float()?.set(op.rd, value);
    Ok(())
}

pub(crate) fn vmov_to_core(cpu: &mut Cpu, op: &Op) -> Done {
    let value = cpu.float()?.get(op.rm);
    cpu.set(op.rd, value);
    Ok(())
}

/// Rn and Rm into Sd and the one after it.
pub(crate) fn vmov_pair_to_float(cpu: &mut Cpu, op: &Op) -> Done {
    let (first, second) = (cpu.get(op.rn), cpu.get(op.rm));
    let float = cpu.float()?;
    float.set(op.rd, first);
    float.set(op.rd + 1, second);
    Ok(())
}

/// Sm and the one after it into Rd and Ra.
pub(crate) fn vmov_pair_to_core(cpu: &mut Cpu, op: &Op) -> Done {
    let float = cpu.float()?;
    let (first, second) = (float.get(op.rm), float.get(op.rm + 1));
    cpu.set(op.rd, first);
    cpu.set(op.ra, second);
    Ok(())
}

/// Base plus offset, the PC aligned.
fn address(cpu: &Cpu, op: &Op) -> u32 {
    let base = if op.rn == 15 { cpu.aligned_pc() } else { cpu.get(op.rn) };
    base.wrapping_add(op.imm)
}

/// Loads `count` registers from Sd on.
fn load(cpu: &mut Cpu, op: &Op, count: u8, start: u32) -> Done {
    cpu.float()?;
    check_alignment(start, 4)?;
    for index in 0..count {
        let value = cpu.bus.read::<4>(start.wrapping_add(u32::from(index) * 4))?;
        cpu.float()?.set(op.rd + index, value);
    }
    Ok(())
}

fn store(cpu: &mut Cpu, op: &Op, count: u8, start: u32) -> Done {
    cpu.float()?;
    check_alignment(start, 4)?;
    for index in 0..count {
        let value = cpu.float()?.get(op.rd + index);
        cpu.bus.write::<4>(start.wrapping_add(u32::from(index) * 4), value)?;
    }
    Ok(())
}

/// One or two words (a double register).
pub(crate) fn vldr<const WORDS: u8>(cpu: &mut Cpu, op: &Op) -> Done {
    let start = address(cpu, op);
    load(cpu, op, WORDS, start)
}

pub(crate) fn vstr<const WORDS: u8>(cpu: &mut Cpu, op: &Op) -> Done {
    let start = address(cpu, op);
    store(cpu, op, WORDS, start)
}

/// The base's new value, if it is written back.
fn write_back(cpu: &mut Cpu, op: &Op, base: u32) -> Done {
    if op.form == 1 {
        cpu.set(op.rn, base);
    }
    Ok(())
}

pub(crate) fn vldmia(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn);
    load(cpu, op, op.count, start)?;
    write_back(cpu, op, start.wrapping_add(op.imm))
}

pub(crate) fn vldmdb(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn).wrapping_sub(op.imm);
    load(cpu, op, op.count, start)?;
    write_back(cpu, op, start)
}

pub(crate) fn vstmia(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn);
    store(cpu, op, op.count, start)?;
    write_back(cpu, op, start.wrapping_add(op.imm))
}

pub(crate) fn vstmdb(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn).wrapping_sub(op.imm);
    store(cpu, op, op.count, start)?;
    write_back(cpu, op, start)
}
