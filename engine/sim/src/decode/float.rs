//! FPv4-SP (manual A6). `D`, `N` and `M` are the lowest bits of single registers and the highest of
//! double ones; double registers are only moved, loaded and stored, as two singles.

use super::op::{Class, Op, Run};
use super::row::{Row, bit, field, float, reg, signed_offset};
use crate::exec;

pub(super) static ROWS: &[Row] = &[
    // Between core and FPU.
    float("VMOV (two core registers to two singles) T1", "111011000100 tttt tttt 1010 00M1 mmmm", |w| {
        pair_to_float(w, single(w, 0, 5))
    }),
    float("VMOV (two singles to two core registers) T1", "111011000101 tttt tttt 1010 00M1 mmmm", |w| {
        pair_to_core(w, single(w, 0, 5))
    }),
    float("VMOV (two core registers to double) T1", "111011000100 tttt tttt 1011 00M1 mmmm", |w| {
        pair_to_float(w, double(w, 0, 5))
    }),
    float("VMOV (double to two core registers) T1", "111011000101 tttt tttt 1011 00M1 mmmm", |w| {
        pair_to_core(w, double(w, 0, 5))
    }),
    float("VMOV (core register to single) T1", "111011100000 nnnn tttt 1010 N001 0000", |w| {
        Some(to_float(w, single(w, 16, 7)))
    }),
    float("VMOV (single to core register) T1", "111011100001 nnnn tttt 1010 N001 0000", |w| {
        Some(to_core(w, single(w, 16, 7)))
    }),
    float("VMOV (core register to scalar) T1", "1110111000x0 nnnn tttt 1011 N001 0000", |w| {
        scalar(w).map(|s| to_float(w, s))
    }),
    float("VMOV (scalar to core register) T1", "1110111000x1 nnnn tttt 1011 N001 0000", |w| {
        scalar(w).map(|s| to_core(w, s))
    }),
    float("VMSR T1", "111011101110 0001 tttt 1010 0001 0000", |w| {
        Some(Op::new(exec::vmsr, Class::FloatMove).rn(reg(w, 12)))
    }),
    float("VMRS to APSR T1", "111011101111 0001 1111 1010 0001 0000", |_| {
        Some(Op::new(exec::vmrs_apsr, Class::FloatMove))
    }),
    float("VMRS T1", "111011101111 0001 tttt 1010 0001 0000", |w| {
        Some(Op::new(exec::vmrs, Class::FloatMove).rd(reg(w, 12)))
    }),
    // Loads and stores.
    float("VSTR (single) T2", "11101101uD00 nnnn dddd 1010 iiiiiiii", |w| {
        Some(offset(w, exec::vstr::<1>, Class::FloatStore, single(w, 12, 22)))
    }),
    float("VLDR (single) T2", "11101101uD01 nnnn dddd 1010 iiiiiiii", |w| {
        Some(offset(w, exec::vldr::<1>, Class::FloatLoad, single(w, 12, 22)))
    }),
    float("VSTR (double) T1", "11101101uD00 nnnn dddd 1011 iiiiiiii", |w| {
        pair(w, exec::vstr::<2>, Class::FloatStorePair)
    }),
    float("VLDR (double) T1", "11101101uD01 nnnn dddd 1011 iiiiiiii", |w| {
        pair(w, exec::vldr::<2>, Class::FloatLoadPair)
    }),
    float("VSTMIA T1 and T2", "111011001Dw0 nnnn dddd 101p iiiiiiii", |w| {
        multiple(w, exec::vstmia, Class::FloatStoreMany)
    }),
    float("VLDMIA T1 and T2", "111011001Dw1 nnnn dddd 101p iiiiiiii", |w| {
        multiple(w, exec::vldmia, Class::FloatLoadMany)
    }),
    float("VSTMDB T1 and T2", "111011010D10 nnnn dddd 101p iiiiiiii", |w| {
        multiple(w, exec::vstmdb, Class::FloatStoreMany)
    }),
    float("VLDMDB T1 and T2", "111011010D11 nnnn dddd 101p iiiiiiii", |w| {
        multiple(w, exec::vldmdb, Class::FloatLoadMany)
    }),
    // Three registers.
    float("VMLA T2", "111011100D00 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vmla, Class::FloatMultiplyAccumulate))
    }),
    float("VMLS T2", "111011100D00 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vmls, Class::FloatMultiplyAccumulate))
    }),
    float("VNMLS T1", "111011100D01 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vnmls, Class::FloatMultiplyAccumulate))
    }),
    float("VNMLA T1", "111011100D01 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vnmla, Class::FloatMultiplyAccumulate))
    }),
    float("VMUL T2", "111011100D10 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vmul, Class::FloatData))
    }),
    float("VNMUL T2", "111011100D10 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vnmul, Class::FloatData))
    }),
    float("VADD T2", "111011100D11 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vadd, Class::FloatData))
    }),
    float("VSUB T2", "111011100D11 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vsub, Class::FloatData))
    }),
    float("VDIV T1", "111011101D00 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vdiv, Class::FloatDivide))
    }),
    float("VFNMS T1", "111011101D01 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vfnms, Class::FloatMultiplyAccumulate))
    }),
    float("VFNMA T1", "111011101D01 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vfnma, Class::FloatMultiplyAccumulate))
    }),
    float("VFMA T1", "111011101D10 nnnn dddd 1010 N0M0 mmmm", |w| {
        Some(three(w, exec::vfma, Class::FloatMultiplyAccumulate))
    }),
    float("VFMS T1", "111011101D10 nnnn dddd 1010 N1M0 mmmm", |w| {
        Some(three(w, exec::vfms, Class::FloatMultiplyAccumulate))
    }),
    // One register, or a constant.
    float("VMOV (immediate) T1", "111011101D11 iiii dddd 1010 0000 iiii", |w| {
        let op = Op::new(exec::vmov_immediate, Class::FloatData).value(single(w, 12, 22));
        Some(op.imm(expand(field(w, 16, 4) << 4 | field(w, 0, 4))))
    }),
    float("VMOV (register) T2", "111011101D11 0000 dddd 1010 01M0 mmmm", |w| {
        Some(two(w, exec::vmov, Class::FloatData))
    }),
    float("VABS T2", "111011101D11 0000 dddd 1010 11M0 mmmm", |w| Some(two(w, exec::vabs, Class::FloatData))),
    float("VNEG T2", "111011101D11 0001 dddd 1010 01M0 mmmm", |w| Some(two(w, exec::vneg, Class::FloatData))),
    float("VSQRT T1", "111011101D11 0001 dddd 1010 11M0 mmmm", |w| {
        Some(two(w, exec::vsqrt, Class::FloatDivide))
    }),
    float("VCVTB and VCVTT (half to single) T1", "111011101D11 0010 dddd 1010 t1M0 mmmm", |w| {
        Some(two(w, exec::vcvt_from_half, Class::FloatData))
    }),
    float("VCVTB and VCVTT (single to half) T1", "111011101D11 0011 dddd 1010 t1M0 mmmm", |w| {
        Some(two(w, exec::vcvt_to_half, Class::FloatData))
    }),
    float("VCMP T1", "111011101D11 0100 dddd 1010 e1M0 mmmm", |w| Some(two(w, exec::vcmp, Class::FloatData))),
    float("VCMP (zero) T2", "111011101D11 0101 dddd 1010 e100 0000", |w| {
        Some(two(w, exec::vcmp_zero, Class::FloatData))
    }),
    float("VCVT (unsigned to single) T1", "111011101D11 1000 dddd 1010 01M0 mmmm", |w| {
        Some(two(w, exec::vcvt_from_u32, Class::FloatData))
    }),
    float("VCVT (signed to single) T1", "111011101D11 1000 dddd 1010 11M0 mmmm", |w| {
        Some(two(w, exec::vcvt_from_i32, Class::FloatData))
    }),
    float("VCVTR (single to unsigned) T1", "111011101D11 1100 dddd 1010 01M0 mmmm", |w| {
        Some(two(w, exec::vcvtr_to_u32, Class::FloatData))
    }),
    float("VCVT (single to unsigned) T1", "111011101D11 1100 dddd 1010 11M0 mmmm", |w| {
        Some(two(w, exec::vcvt_to_u32, Class::FloatData))
    }),
    float("VCVTR (single to signed) T1", "111011101D11 1101 dddd 1010 01M0 mmmm", |w| {
        Some(two(w, exec::vcvtr_to_i32, Class::FloatData))
    }),
    float("VCVT (single to signed) T1", "111011101D11 1101 dddd 1010 11M0 mmmm", |w| {
        Some(two(w, exec::vcvt_to_i32, Class::FloatData))
    }),
    float("VCVT (fixed to single) T1", "111011101D11 101u dddd 1010 x1i0 iiii", |w| {
        fixed(w, exec::vcvt_from_fixed)
    }),
    float("VCVT (single to fixed) T1", "111011101D11 111u dddd 1010 x1i0 iiii", |w| {
        fixed(w, exec::vcvt_to_fixed)
    }),
];

/// A single register: four bits from `low` on, and its lowest bit at `bit`.
fn single(w: u32, low: u32, bit: u32) -> u8 {
    reg(w, low) << 1 | field(w, bit, 1) as u8
}

/// The first of the two singles of a double register; beyond 31 for the upper half of a register
/// file this FPU does not have.
fn double(w: u32, low: u32, bit: u32) -> u8 {
    (field(w, bit, 1) as u8) << 5 | reg(w, low) << 1
}

/// One half of a double register as a single.
fn scalar(w: u32) -> Option<u8> {
    let register = double(w, 16, 7) + field(w, 21, 1) as u8;
    (register < 32).then_some(register)
}

fn to_float(w: u32, register: u8) -> Op {
    Op::new(exec::vmov_to_float, Class::FloatMove).value(register).rn(reg(w, 12))
}

fn to_core(w: u32, register: u8) -> Op {
    Op::new(exec::vmov_to_core, Class::FloatMove).rd(reg(w, 12)).rm(register)
}

fn pair_to_float(w: u32, register: u8) -> Option<Op> {
    let op = Op::new(exec::vmov_pair_to_float, Class::FloatMovePair).value(register);
    (register < 31).then(|| op.rn(reg(w, 12)).rm(reg(w, 16)))
}

fn pair_to_core(w: u32, register: u8) -> Option<Op> {
    let op = Op::new(exec::vmov_pair_to_core, Class::FloatMovePair).rm(register);
    (register < 31).then(|| op.rd(reg(w, 12)).ra_written(reg(w, 16)))
}

fn offset(w: u32, run: Run, class: Class, register: u8) -> Op {
    let op = Op::new(run, class).value(register).base(reg(w, 16));
    op.imm(signed_offset(w, 23, field(w, 0, 8) * 4))
}

fn pair(w: u32, run: Run, class: Class) -> Option<Op> {
    let register = double(w, 12, 22);
    (register < 31).then(|| offset(w, run, class, register))
}

/// VLDM, VSTM and so VPUSH and VPOP: `count` words, `imm` bytes, `form` 1 for write-back. An odd
/// number of words in the double form is the FLDMX layout: its last word is skipped.
fn multiple(w: u32, run: Run, class: Class) -> Option<Op> {
    let doubles = bit(w, 8);
    let register = if doubles { double(w, 12, 22) } else { single(w, 12, 22) };
    let words = field(w, 0, 8) & if doubles { !1 } else { !0 };
    let op = Op::new(run, class).value(register).base(reg(w, 16)).count(words);
    let fits = words > 0 && u32::from(register) + words <= 32;
    fits.then(|| op.imm(field(w, 0, 8) * 4).form(field(w, 21, 1)))
}

fn three(w: u32, run: Run, class: Class) -> Op {
    Op::new(run, class).value(single(w, 12, 22)).rn(single(w, 16, 7)).rm(single(w, 0, 5))
}

/// `form` holds bit 7, which chooses the half of a register.
fn two(w: u32, run: Run, class: Class) -> Op {
    Op::new(run, class).value(single(w, 12, 22)).rm(single(w, 0, 5)).form(field(w, 7, 1))
}

/// Fixed point: `count` fraction bits; `form` 0 16-bit signed, 1 32-bit signed, 2 and 3 unsigned.
fn fixed(w: u32, run: Run) -> Option<Op> {
    let wide = field(w, 7, 1);
    let size = if wide == 1 { 32 } else { 16 };
    let fraction = u32::checked_sub(size, field(w, 0, 4) << 1 | field(w, 5, 1))?;
    let op = Op::new(run, Class::FloatData).value(single(w, 12, 22)).count(fraction);
    Some(op.form(field(w, 16, 1) << 1 | wide))
}

/// VFPExpandImm: sign, three exponent bits, four fraction bits.
fn expand(imm8: u32) -> u32 {
    let exponent = if bit(imm8, 6) { 0x3e00_0000 } else { 0x4000_0000 };
    (imm8 & 0x80) << 24 | exponent | (imm8 & 0x3f) << 19
}
