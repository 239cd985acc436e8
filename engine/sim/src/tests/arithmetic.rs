//! Integer instructions at their edges: results and flags as the manual's pseudocode has them.

use super::program;
use crate::Stop;
use crate::cpu::Flags;

/// Executes one instruction with R0 to R3 and flags as given (`"nZcvq"`: upper case is set).
fn check(code: &[u16], registers: [u32; 4], flags: &str, results: [u32; 4], flags_after: &str) {
    let mut machine = program(code);
    let cpu = machine.cpu_mut();
    cpu.r[..4].copy_from_slice(&registers);
    cpu.flags = read(flags);
    assert_eq!(machine.run(10), Stop::Breakpoint(0), "{code:04x?}");
    let after = machine.cpu_mut();
    let what = format!("{code:04x?} on {registers:08x?} {flags}");
    assert_eq!(after.r[..4], results, "{what}: registers");
    assert_eq!(Flags { ge: 0, ..after.flags }, read(flags_after), "{what}: flags");
}

fn read(flags: &str) -> Flags {
    let set = |letter| flags.contains(letter);
    Flags { n: set('N'), z: set('Z'), c: set('C'), v: set('V'), q: set('Q'), ge: 0 }
}

/// Rd = R0 op R1 in R0; R2 and R3 stay 0.
fn two(code: &[u16], r0: u32, r1: u32, flags: &str, result: u32, flags_after: &str) {
    check(code, [r0, r1, 0, 0], flags, [result, r1, 0, 0], flags_after);
}

const TOP: u32 = 0x8000_0000;

#[test]
fn additions_carry_and_overflow() {
    let adds = &[0x1840];
    two(adds, 1, 2, "C", 3, "");
    two(adds, u32::MAX, 1, "", 0, "ZC");
    two(adds, 0x7fff_ffff, 1, "", TOP, "NV");
    two(adds, TOP, TOP, "", 0, "ZCV");
    let adcs = &[0x4148];
    two(adcs, u32::MAX, 0, "C", 0, "ZC");
    two(adcs, 0x7fff_ffff, 0, "C", TOP, "NV");
    two(adcs, 0x7fff_ffff, 0, "", 0x7fff_ffff, "");
    two(&[0x42c8], u32::MAX, 1, "", u32::MAX, "ZC"); // CMN
}

#[test]
fn subtractions_borrow_and_overflow() {
    let subs = &[0x1a40];
    two(subs, 5, 5, "", 0, "ZC");
    two(subs, 0, 1, "", u32::MAX, "N");
    two(subs, TOP, 1, "", 0x7fff_ffff, "CV");
    two(subs, 0x7fff_ffff, u32::MAX, "", TOP, "NV");
    let sbcs = &[0x4188];
    two(sbcs, 5, 5, "", u32::MAX, "N");
    two(sbcs, 5, 5, "C", 0, "ZC");
    two(sbcs, TOP, 0, "", 0x7fff_ffff, "CV");
    let rsbs = &[0x4240];
    two(rsbs, 0, 9, "", 0, "ZC");
    two(rsbs, TOP, 9, "", TOP, "NV");
    let cmp = &[0x4288];
    two(cmp, 3, 4, "ZCV", 3, "N");
    two(cmp, TOP, 0x7fff_ffff, "", TOP, "CV");
}

#[test]
fn logic_keeps_overflow_and_takes_the_shifters_carry() {
    two(&[0x4008], 0xf0f0, 0x0f0f, "NCV", 0, "ZCV"); // ANDS
    two(&[0x4308], TOP, 1, "V", TOP | 1, "NV"); // ORRS
    two(&[0x4048], u32::MAX, u32::MAX, "C", 0, "ZC"); // EORS
    two(&[0x4388], u32::MAX, TOP, "", 0x7fff_ffff, ""); // BICS
    two(&[0x43c8], 0, 0, "", u32::MAX, "N"); // MVNS
    two(&[0x4208], 2, 1, "NCV", 2, "ZCV"); // TST
    // A rotated constant brings its own carry, an unrotated one keeps it.
    two(&[0xf05f, 0x4000], 7, 0, "", TOP, "NC"); // MOVS.W R0, #0x80000000
    two(&[0xf410, 0x407f], 0xabcd, 0, "C", 0xab00, ""); // ANDS.W R0, R0, #0xff00
    two(&[0x2000], 7, 0, "CV", 0, "ZCV"); // MOVS R0, #0
}

#[test]
fn shifts_of_0_31_32_and_more() {
    let lsl = &[0x4088];
    two(lsl, TOP | 1, 0, "C", TOP | 1, "NC");
    two(lsl, TOP | 1, 1, "", 2, "C");
    two(lsl, 1, 31, "C", TOP, "N");
    two(lsl, 1, 32, "", 0, "ZC");
    two(lsl, 1, 33, "C", 0, "Z");
    two(lsl, 1, 256, "C", 1, "C");
    let lsr = &[0x40c8];
    two(lsr, TOP, 31, "C", 1, "");
    two(lsr, TOP, 32, "", 0, "ZC");
    two(lsr, TOP, 33, "C", 0, "Z");
    let asr = &[0x4108];
    two(asr, TOP, 31, "C", u32::MAX, "N");
    two(asr, TOP, 32, "", u32::MAX, "NC");
    two(asr, TOP, 255, "", u32::MAX, "NC");
    two(asr, 0x7fff_ffff, 40, "C", 0, "Z");
    let ror = &[0x41c8];
    two(ror, 1, 32, "C", 1, "");
    two(ror, TOP, 64, "", TOP, "NC");
    two(ror, 1, 1, "", TOP, "NC");
    two(&[0x0800], TOP, 0, "", 0, "ZC"); // LSRS R0, R0, #32
    two(&[0x1000], TOP, 0, "", u32::MAX, "NC"); // ASRS R0, R0, #32
    two(&[0xea5f, 0x0030], 3, 0, "C", TOP | 1, "NC"); // MOVS R0, R0, RRX
}

#[test]
fn multiplication_and_division_at_the_limits() {
    two(&[0x4348], 0x1_0000, 0x1_0000, "CV", 0, "ZCV"); // MULS
    let wide = |code: &[u16], registers, low, high| {
        let [_, _, n, m] = registers;
        check(code, registers, "C", [low, high, n, m], "C");
    };
    wide(&[0xfba2, 0x0103], [0, 0, u32::MAX, u32::MAX], 1, 0xffff_fffe); // UMULL
    wide(&[0xfb82, 0x0103], [0, 0, u32::MAX, 1], u32::MAX, u32::MAX); // SMULL
    wide(&[0xfb82, 0x0103], [0, 0, TOP, TOP], 0, 0x4000_0000);
    wide(&[0xfbe2, 0x0103], [u32::MAX, u32::MAX, 1, 1], 0, 0); // UMLAL wraps
    wide(&[0xfbe2, 0x0163], [u32::MAX; 4], u32::MAX, u32::MAX); // UMAAL cannot
    check(&[0xfb01, 0x3012], [0, 3, 5, 7], "", [7u32.wrapping_sub(15), 3, 5, 7], ""); // MLS
    let (udiv, sdiv) = (&[0xfbb0, 0xf0f1], &[0xfb90, 0xf0f1]);
    two(udiv, 7, 2, "", 3, "");
    two(udiv, 7, 0, "", 0, "");
    two(sdiv, -7i32 as u32, 2, "", -3i32 as u32, "");
    two(sdiv, TOP, u32::MAX, "", TOP, "");
    two(sdiv, TOP, 0, "", 0, "");
}

#[test]
fn bits_and_bytes() {
    two(&[0xfab0, 0xf080], 0, 0, "", 32, ""); // CLZ
    two(&[0xfa90, 0xf0a0], 0x8000_0001 >> 1, 0, "", 2, ""); // RBIT
    two(&[0xba40], 0x1122_3344, 0, "", 0x2211_4433, ""); // REV16
    two(&[0xbac0], 0x1122_3380, 0, "", 0xffff_8033, ""); // REVSH
    two(&[0xf3c0, 0x1007], 0xabcd_ef12, 0, "", 0xf1, ""); // UBFX R0, R0, #4, #8
    two(&[0xf340, 0x1007], 0xabcd_ef12, 0, "", 0xffff_fff1, ""); // SBFX
    two(&[0xf361, 0x2017], 0x1111_1111, 0xabcd, "", 0x11ab_cd11, ""); // BFI R0, R1, #8, #16
    two(&[0xf36f, 0x100b], u32::MAX, 0, "", 0xffff_f00f, ""); // BFC R0, #4, #8
    two(&[0xf2c1, 0x2034], 0xffff_5678, 0, "", 0x1234_5678, ""); // MOVT
    two(&[0xf64a, 0x30cd], u32::MAX, 0, "", 0xabcd, ""); // MOVW
    two(&[0xf101, 0x10ff], 0, 0x0100_0001, "C", 0x01ff_0100, "C"); // ADD.W R0, R1, #0x00ff00ff
    two(&[0xf601, 0x70ff], 0, 1, "", 0x1000, ""); // ADDW R0, R1, #4095
}

#[test]
fn saturation_sets_q() {
    two(&[0xf300, 0x0007], 200, 0, "", 127, "Q"); // SSAT R0, #8, R0
    two(&[0xf300, 0x0007], -128i32 as u32, 0, "", -128i32 as u32, "");
    two(&[0xf380, 0x0008], -1i32 as u32, 0, "", 0, "Q"); // USAT R0, #8, R0
    two(&[0xf380, 0x0008], 255, 0, "", 255, "");
    two(&[0xfa81, 0xf080], 0x7fff_ffff, 1, "", 0x7fff_ffff, "Q"); // QADD R0, R0, R1
    two(&[0xfa81, 0xf080], 1, 2, "Q", 3, "Q"); // Q stays
    // QDSUB R0, R0, R1: the doubling of R1 saturates, then the difference does not.
    two(&[0xfa81, 0xf0b0], 0, 0x4000_0000, "", 0x8000_0001, "Q");
}

#[test]
fn dsp_products() {
    check(&[0xfb11, 0x3012], [0, 0xffff, 0x8000_0000, 5], "", [0x8005, 0xffff, 0x8000_0000, 5], ""); // SMLABT
    check(&[0xfb11, 0x3012], [0, 1, 0x1_0000, 0x7fff_ffff], "", [TOP, 1, 0x1_0000, 0x7fff_ffff], "Q");
    // SMUAD: both products are 0x4000_0000, and their sum does not fit.
    check(&[0xfb21, 0xf002], [0, 0x8000_8000, 0x8000_8000, 0], "", [TOP, 0x8000_8000, 0x8000_8000, 0], "Q");
    check(&[0xfb51, 0xf012], [0, 0x7fff_ffff, 2, 0], "", [1, 0x7fff_ffff, 2, 0], ""); // SMMULR rounds
    check(
        &[0xfbc2, 0x01c3],
        [1, 0, 0xffff_ffff, 0x1_0001],
        "",
        [u32::MAX, u32::MAX, 0xffff_ffff, 0x1_0001],
        "",
    ); // SMLALD
    check(&[0xfb71, 0x3002], [0, 0xff00_0001, 0x00ff_0003, 10], "", [522, 0xff00_0001, 0x00ff_0003, 10], ""); // USADA8
    two(&[0xeac0, 0x2001], 0x1111_2222, 0x00ab_cdef, "", 0xabcd_2222, ""); // PKHBT R0, R0, R1, LSL #8
    two(&[0xeac0, 0x0021], 0x1111_2222, TOP, "", 0x1111_ffff, ""); // PKHTB R0, R0, R1, ASR #32
    // SXTAB16 R0, R1, R2, ROR #8: halfwords wrap on their own.
    check(&[0xfa21, 0xf092], [0, 0x0000_ffff, 0x80ff_0100, 0], "", [0xff80_0000, 0xffff, 0x80ff_0100, 0], "");
}

/// Executes with GE clear; gives the result and GE.
fn parallel(code: &[u16], r0: u32, r1: u32) -> (u32, u8) {
    let machine = super::run(code, &[(0, r0), (1, r1)]);
    let registers = machine.registers();
    (registers.r[0], (registers.apsr >> 16 & 15) as u8)
}

#[test]
fn parallel_sums_set_ge_per_lane() {
    let sadd16 = [0xfa90, 0xf001];
    assert_eq!(parallel(&sadd16, 0x7fff_ffff, 0x0001_0001), (0x8000_0000, 0b1111));
    assert_eq!(parallel(&sadd16, 0x8000_0001, 0x0000_0001), (0x8000_0002, 0b0011));
    let usub8 = [0xfac0, 0xf041];
    assert_eq!(parallel(&usub8, 0x0502_0100, 0x0403_0101), (0x01ff_00ff, 0b1010));
    assert_eq!(parallel(&[0xfa80, 0xf061], 0xff01_0200, 0xff02_0200), (0xff01_0200, 0), "UHADD8");
    assert_eq!(parallel(&[0xfad0, 0xf051], 0x0001_ffff, 0x0002_0001), (0x0000_fffe, 0), "UQSUB16");
    // QASX: upper lane adds R1's lower half, lower lane subtracts its upper half.
    assert_eq!(parallel(&[0xfaa0, 0xf011], 0x7fff_8000, 0x0001_0001), (0x7fff_8000, 0));
    // SEL after USUB8 takes the larger bytes.
    let largest = [0xfac0, 0xf241, 0xfaa0, 0xf081]; // USUB8 R2, R0, R1; SEL R0, R0, R1
    assert_eq!(parallel(&largest, 0x0502_0100, 0x0403_0101).0, 0x0503_0101);
}

#[test]
fn it_blocks_choose_and_keep_flags() {
    let ite_eq = &[0xbf0c, 0x1840, 0x1a40]; // ITE EQ; ADDEQ R0, R0, R1; SUBNE R0, R0, R1
    two(ite_eq, 5, 3, "ZC", 8, "ZC");
    two(ite_eq, 5, 3, "C", 2, "C");
    // ITETT GE; ADD, SUB, ADD, ADD: the flags decide once, and stay.
    let itett = &[0xbfa9, 0x3001, 0x3802, 0x3004, 0x3008];
    two(itett, 0, 0, "", 1 + 4 + 8, "");
    two(itett, 0, 0, "N", -2i32 as u32, "N");
    // ITT GE: the third addition is free again, and sets the flags.
    two(&[0xbfa4, 0x3001, 0x3002, 0x3004], 0, 0, "NC", 4, "");
}
