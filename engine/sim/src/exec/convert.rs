//! Conversions between single precision and integers, fixed point and half precision
//! (manual A7.7.224 to A7.7.230).

use super::Done;
use super::float::{is_nan, one};
use crate::cpu::Cpu;
use crate::decode::Op;

pub(crate) fn vcvt_from_u32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| (m as f32).to_bits())
}

pub(crate) fn vcvt_from_i32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| (m as i32 as f32).to_bits())
}

/// Towards zero; out of range saturates and NaN gives 0, as Rust's `as` does.
pub(crate) fn vcvt_to_u32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| f32::from_bits(m) as u32)
}

pub(crate) fn vcvt_to_i32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| f32::from_bits(m) as i32 as u32)
}

/// In the rounding mode of FPSCR, which is to nearest.
pub(crate) fn vcvtr_to_u32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| f32::from_bits(m).round_ties_even() as u32)
}

pub(crate) fn vcvtr_to_i32(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| f32::from_bits(m).round_ties_even() as i32 as u32)
}

/// 2 to the number of fraction bits; exact, as are products and quotients by it in `f64`.
fn scale(op: &Op) -> f64 {
    (1u64 << op.count.min(63)) as f64
}

pub(crate) fn vcvt_from_fixed(cpu: &mut Cpu, op: &Op) -> Done {
    let float = cpu.float()?;
    let bits = float.get(op.rd);
    let value = match op.form {
        0 => i64::from(bits as i16),
        1 => i64::from(bits as i32),
        2 => i64::from(bits as u16),
        _ => i64::from(bits),
    };
    float.set(op.rd, ((value as f64 / scale(op)) as f32).to_bits());
    Ok(())
}

pub(crate) fn vcvt_to_fixed(cpu: &mut Cpu, op: &Op) -> Done {
    let float = cpu.float()?;
    let value = f64::from(f32::from_bits(float.get(op.rd))) * scale(op);
    let bits = match op.form {
        0 => value as i16 as u32,
        1 => value as i32 as u32,
        2 => u32::from(value as u16),
        _ => value as u32,
    };
    float.set(op.rd, bits);
    Ok(())
}

/// VCVTB and VCVTT from half precision: `form` 1 reads the upper half of Sm.
pub(crate) fn vcvt_from_half(cpu: &mut Cpu, op: &Op) -> Done {
    one(cpu, op, |m| half_to_single(if op.form == 1 { m >> 16 } else { m & 0xffff }))
}

/// VCVTB and VCVTT to half precision: the other half of Sd stays.
pub(crate) fn vcvt_to_half(cpu: &mut Cpu, op: &Op) -> Done {
    let float = cpu.float()?;
    let half = single_to_half(float.get(op.rm));
    let old = float.get(op.rd);
    let new = if op.form == 1 { old & 0xffff | half << 16 } else { old & 0xffff_0000 | half };
    float.set(op.rd, new);
    Ok(())
}

fn half_to_single(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    let (exponent, fraction) = (half >> 10 & 0x1f, half & 0x3ff);
    sign | match exponent {
        // Subnormal: 2^-24 times the fraction.
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        31 if fraction != 0 => 0x7fc0_0000 | fraction << 13,
        31 => 0x7f80_0000,
        _ => (exponent + 112) << 23 | fraction << 13,
    }
}

fn single_to_half(single: u32) -> u32 {
    let sign = single >> 16 & 0x8000;
    let magnitude = single & 0x7fff_ffff;
    if is_nan(single) {
        return sign | 0x7e00 | magnitude >> 13 & 0x1ff;
    }
    // From 65536 on it is infinite; up to half of the smallest subnormal it is zero.
    if magnitude >= 0x4780_0000 {
        return sign | 0x7c00;
    }
    if magnitude <= 0x3300_0000 {
        return sign;
    }
    let fraction = magnitude & 0x007f_ffff;
    let (exponent, fraction) = match magnitude {
        0x3880_0000.. => ((magnitude >> 23) - 112, fraction),
        _ => {
            // Subnormal: shifted down, with one bit that remembers what was lost.
            let down = 113 - (magnitude >> 23);
            let full = fraction | 0x0080_0000;
            let lost = full & ((1 << down) - 1) != 0;
            (0, full >> down | u32::from(lost))
        }
    };
    let truncated = (exponent << 10) + (fraction >> 13);
    let rest = fraction & 0x1fff;
    let up = rest > 0x1000 || (rest == 0x1000 && truncated & 1 == 1);
    sign | (truncated + u32::from(up))
}
