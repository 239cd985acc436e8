//! FPv4-SP at its edges: NaNs, infinities, rounding, saturation.

use super::{DATA, run_float};
use crate::{Core, Machine, Preset, Stop};

const ONE: u32 = 0x3f80_0000;
const INFINITY: u32 = 0x7f80_0000;
const DEFAULT_NAN: u32 = 0x7fc0_0000;
const SIGN: u32 = 0x8000_0000;

/// S0 = S0 op S1 (or op S0).
fn check(code: [u16; 2], s0: u32, s1: u32, result: u32) {
    let machine = run_float(&code, &[], &[(0, s0), (1, s1)]);
    assert_eq!(machine.registers().s[0], result, "{code:04x?} on {s0:08x} and {s1:08x}");
}

const VADD: [u16; 2] = [0xee30, 0x0a20];
const VMUL: [u16; 2] = [0xee20, 0x0a20];
const VDIV: [u16; 2] = [0xee80, 0x0a20];
const VSQRT: [u16; 2] = [0xeeb1, 0x0ac0];

#[test]
fn arithmetic_rounds_to_nearest_even() {
    check(VADD, ONE, ONE, 2f32.to_bits());
    check(VADD, 16_777_216f32.to_bits(), ONE, 16_777_216f32.to_bits());
    check(VADD, SIGN, 0, 0);
    check(VMUL, 1, 0x3f00_0000, 0); // half of the smallest subnormal: a tie, to even
    check(VDIV, ONE, 0, INFINITY);
    check(VDIV, ONE, 3f32.to_bits(), (1.0f32 / 3.0).to_bits());
    check(VSQRT, 2f32.to_bits(), 0, 2f32.sqrt().to_bits());
    check(VSQRT, SIGN, 0, SIGN);
}

#[test]
fn nans_survive_and_invalid_operations_make_the_default_one() {
    check(VADD, INFINITY, INFINITY | SIGN, DEFAULT_NAN);
    check(VMUL, 0, INFINITY, DEFAULT_NAN);
    check(VDIV, 0, 0, DEFAULT_NAN);
    check(VSQRT, ONE | SIGN, 0, DEFAULT_NAN);
    check(VADD, ONE, 0xffc0_1234, 0xffc0_1234);
    // A signalling NaN goes before a quiet one, and becomes quiet.
    check(VADD, 0x7fc0_0001, 0x7f80_0002, 0x7fc0_0002);
}

#[test]
fn fused_rounds_once_and_chained_twice() {
    let (x, y) = (1.0 + f32::EPSILON, 1.0 - f32::EPSILON);
    let operands = [(0, (-1f32).to_bits()), (1, x.to_bits()), (2, y.to_bits())];
    let fused = run_float(&[0xeea0, 0x0a81], &[], &operands);
    assert_eq!(f32::from_bits(fused.registers().s[0]), x.mul_add(y, -1.0));
    let chained = run_float(&[0xee00, 0x0a81], &[], &operands);
    assert_eq!(f32::from_bits(chained.registers().s[0]), x * y - 1.0);
    assert_ne!(fused.registers().s[0], chained.registers().s[0]);
}

#[test]
fn comparisons_set_the_flags() {
    for (a, b, nzcv) in [(1.0, 2.0, 8), (2.0, 2.0, 6), (3.0, 2.0, 2), (f32::NAN, 1.0, 3), (-0.0, 0.0, 6)] {
        let code = [0xeeb4, 0x0a60, 0xeef1, 0xfa10]; // VCMP S0, S1; VMRS APSR_nzcv, FPSCR
        let machine = run_float(&code, &[], &[(0, f32::to_bits(a)), (1, f32::to_bits(b))]);
        assert_eq!(machine.registers().apsr >> 28, nzcv, "{a} and {b}");
    }
}

#[test]
fn conversions_saturate() {
    let to_signed = [0xeebd, 0x0ac0];
    check(to_signed, 3e9f32.to_bits(), 0, 0x7fff_ffff);
    check(to_signed, (-3e9f32).to_bits(), 0, SIGN);
    check(to_signed, (-1.9f32).to_bits(), 0, -1i32 as u32);
    check(to_signed, DEFAULT_NAN, 0, 0);
    let to_unsigned = [0xeebc, 0x0ac0];
    check(to_unsigned, (-1f32).to_bits(), 0, 0);
    check(to_unsigned, INFINITY, 0, u32::MAX);
    check([0xeebd, 0x0a40], 2.5f32.to_bits(), 0, 2); // VCVTR
    check([0xeebe, 0x0a44], 1.5f32.to_bits(), 0, 0x180); // VCVT.S16.F32 S0, S0, #8
    check([0xeebe, 0x0a44], 1000f32.to_bits(), 0, 0x7fff);
    check([0xeebb, 0x0a44], 0x180, 0, 1.5f32.to_bits()); // VCVT.F32.U16 S0, S0, #8
}

#[test]
fn half_precision_keeps_the_other_half() {
    let to_half = [0xeeb3, 0x0a40]; // VCVTB.F16.F32 S0, S0
    for (single, half) in [
        (1f32.to_bits(), 0x3c00),
        ((-2f32).to_bits(), 0xc000),
        (65504f32.to_bits(), 0x7bff),
        (65520f32.to_bits(), 0x7c00),
        (5.960_464_5e-8f32.to_bits(), 0x0001),
        (2.980_232_2e-8f32.to_bits(), 0x0000),
        (INFINITY, 0x7c00),
        (DEFAULT_NAN, 0x7e00),
    ] {
        check(to_half, single, 0, single & 0xffff_0000 | half);
    }
    check([0xeeb2, 0x0a40], 0xffff_0001, 0, 5.960_464_5e-8f32.to_bits()); // VCVTB.F32.F16
    check([0xeeb2, 0x0ac0], 0x3c00_ffff, 0, ONE); // VCVTT.F32.F16
}

#[test]
fn registers_move_in_pairs_and_lists() {
    // VPUSH {S0, S1}; VPOP {S2, S3}
    let stack = run_float(&[0xed2d, 0x0a02, 0xecbd, 0x1a02], &[], &[(0, 5), (1, 6)]);
    assert_eq!(stack.registers().s[2..4], [5, 6]);
    assert_eq!(stack.peak_stack(), 8);
    // VSTR D0, [R0]
    let stored = run_float(&[0xed80, 0x0b00], &[(0, DATA)], &[(0, 7), (1, 8)]);
    assert_eq!((stored.read_u32(DATA).unwrap(), stored.read_u32(DATA + 4).unwrap()), (7, 8));
}

/// The first stop of `code` on a core whose FPU firmware has not switched on.
fn first_stop(preset: Preset, code: &[u16]) -> (Stop, Machine) {
    let mut machine = super::machine_on(preset, code);
    (machine.run(20), machine)
}

#[test]
fn without_permission_or_fpu_there_are_no_floats() {
    use crate::FaultKind::NoFloatUnit;
    let is_no_float = |stop: &Stop| matches!(stop, Stop::Fault(fault) if fault.kind == NoFloatUnit);
    let vadd = [VADD[0], VADD[1], super::END];
    assert!(is_no_float(&first_stop(Preset::cortex_m4f(), &vadd).0));
    // LDR R1, =CPACR; MOV.W R0, #0xf00000; STR R0, [R1]; VADD; BKPT; the address.
    let enable = [0x4903, 0xf44f, 0x0070, 0x6008, VADD[0], VADD[1], super::END, 0xbf00, 0xed88, 0xe000];
    assert_eq!(first_stop(Preset::cortex_m4f(), &enable).0, Stop::Breakpoint(0));
    let (stop, machine) = first_stop(Preset::cortex_m4(), &enable);
    assert!(is_no_float(&stop), "{stop:?}");
    assert_eq!(machine.preset().core, Core::CORTEX_M4);
}

#[test]
fn a_rounding_mode_that_is_not_simulated_is_a_fault() {
    let mut machine = super::program(&[0xeee1, 0x0a10]); // VMSR FPSCR, R0
    machine.cpu_mut().bus.system.float_enabled = true;
    machine.cpu_mut().r[0] = 1 << 22;
    let stop = machine.run(10);
    assert!(
        matches!(stop, Stop::Fault(fault) if fault.kind == crate::FaultKind::FloatMode && fault.address == 1 << 22)
    );
}
