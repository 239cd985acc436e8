//! The cycle model against silicon: an STM32G474 at 170 MHz with its flash accelerator on, so that
//! memory answers at once. The figures are published (studyztp/gem5,
//! `microbenchmarks/art_vs_noart_comparison.md`, column "HW C+P Dual") with their harness, whose 5 cycles
//! the kernel of 100 NOPs shows, taken off. The kernels are written here from their description.

use super::{CODE, DATA, END, program, run};
use crate::Stop;

/// A kernel: what it is, cycles on silicon, halfwords.
type Kernel = (&'static str, u64, Vec<u16>);

const NOP: u16 = 0xbf00;
/// MOV.W R0 to R7, #number.
const fn mov_w(register: u16, number: u16) -> [u16; 2] {
    [0xf04f, register << 8 | number]
}
const SUBS_R0: u16 = 0x3801;
const SUBS_R1: u16 = 0x3901;
/// BNE and BEQ over a number of halfwords, counted from the branch itself.
const fn bne(halfwords: i16) -> u16 {
    0xd100 | (halfwords - 2) as u16 & 0xff
}
const fn beq(halfwords: i16) -> u16 {
    0xd000 | (halfwords - 2) as u16 & 0xff
}

fn times(count: usize, code: &[u16]) -> Vec<u16> {
    code.repeat(count)
}

fn join(parts: &[&[u16]]) -> Vec<u16> {
    parts.concat()
}

/// LDR R6, =DATA at the kernel's begin; `rest` follows it, then a breakpoint and the constant.
fn with_data_pointer(rest: &[u16]) -> Vec<u16> {
    let mut code = join(&[&[0], rest, &[END]]);
    if code.len() % 2 == 1 {
        code.push(0);
    }
    // From the aligned PC, which is one word after the kernel's begin.
    code[0] = 0x4e00 | (code.len() / 2 - 1) as u16;
    join(&[&code, &[DATA as u16, (DATA >> 16) as u16]])
}

fn kernels() -> Vec<Kernel> {
    let push_pop = [0xb4ff, 0xbcff, 0xb40f, 0xbc0f, 0xb4f0, 0xbcf0];
    let eight_registers: Vec<u16> = (0..8).flat_map(|n| mov_w(n, n)).collect();
    let offsets: Vec<u16> =
        (0..50).flat_map(|n: u16| if n < 32 { vec![0x6030 | n << 6] } else { vec![0xf8c6, n * 4] }).collect();
    // 50 narrow literal loads whose constants begin one halfword after the breakpoint.
    let literals: Vec<u16> = (0..50).map(|n: u16| 0x4800 | (n & 1) << 8 | 30).collect();
    vec![
        ("100 NOPs", 100, times(100, &[NOP])),
        ("200 NOPs", 202, times(200, &[NOP])),
        ("32-bit ALU", 102, times(25, &[0xeb00, 0x0001, 0xeba2, 0x0203, 0xea00, 0x0002, 0xea41, 0x0203])),
        ("16-bit ALU", 100, times(25, &[0x1840, 0x1ad2, 0x4050, 0x431a])),
        ("mixed widths", 99, times(25, &[NOP, 0xea00, 0x0002, NOP, 0xea41, 0x0203])),
        ("multiply", 102, join(&[&mov_w(0, 7), &mov_w(1, 13), &times(100, &[0xfb00, 0xf201])])),
        ("long divide", 242, join(&[&[0xf06f, 0x4000], &mov_w(1, 1), &times(20, &[0xfb90, 0xf2f1])])),
        ("short divide", 102, join(&[&mov_w(0, 15), &mov_w(1, 3), &times(20, &[0xfb90, 0xf2f1])])),
        ("push and pop", 50, join(&[&eight_registers, &push_pop])),
        (
            "FPU",
            107,
            join(&[
                &[0xeeb7, 0x0a00, 0xeef0, 0x0a00],
                &times(20, &[0xee30, 0x1a20, 0xee60, 0x1a20]),
                &times(5, &[0xee80, 0x2a20]),
            ]),
        ),
        (
            "barriers",
            70,
            join(&[
                &times(20, &[0xf3bf, 0x8f5f]),
                &times(20, &[0xf3bf, 0x8f4f]),
                &times(10, &[0xf3bf, 0x8f6f]),
            ]),
        ),
        ("independent loads", 53, with_data_pointer(&times(50, &[0x6830]))),
        ("dependent loads", 103, with_data_pointer(&join(&[&[0x6036], &times(50, &[0x6836])]))),
        ("stores", 52, with_data_pointer(&join(&[&mov_w(0, 42), &times(50, &[0x6030])]))),
        ("stores at rising offsets", 61, with_data_pointer(&join(&[&mov_w(0, 42), &offsets]))),
        ("literal loads", 51, literals),
        (
            "loads, then stores",
            107,
            with_data_pointer(&join(&[
                &mov_w(0, 42),
                &[0x6030],
                &times(50, &[0x6830]),
                &times(50, &[0x6030]),
            ])),
        ),
        ("loop of 2", 300, join(&[&mov_w(0, 100), &[SUBS_R0, bne(-1)]])),
        ("longer loop of 2", 600, join(&[&mov_w(0, 200), &[SUBS_R0, bne(-1)]])),
        ("loop of 10", 1100, join(&[&mov_w(0, 100), &times(8, &[NOP]), &[SUBS_R0, bne(-9)]])),
        (
            "forward branches",
            602,
            join(&[&mov_w(0, 0), &mov_w(1, 100), &[0x4280, beq(3), NOP, NOP, SUBS_R1, bne(-5)]]),
        ),
        (
            "alternating branches",
            1202,
            join(&[&mov_w(0, 200), &[0xf010, 0x0101, bne(2), NOP, SUBS_R0, bne(-5)]]),
        ),
        ("nested loops", 662, join(&[&mov_w(0, 20), &mov_w(1, 10), &[SUBS_R1, bne(-1), SUBS_R0, bne(-5)]])),
    ]
}

#[test]
fn kernels_take_the_cycles_measured_on_silicon() {
    let mut errors = Vec::new();
    for (name, silicon, code) in kernels() {
        let mut machine = program(&code);
        machine.cpu_mut().bus.system.float_enabled = true;
        assert_eq!(machine.run(100_000), Stop::Breakpoint(0), "{name}");
        let error = machine.cycles() as f64 / silicon as f64 - 1.0;
        assert!(error.abs() <= 0.10, "{name}: {} cycles, {silicon} on silicon", machine.cycles());
        errors.push(error.abs());
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean <= 0.02, "mean error {:.2} %", mean * 100.0);
}

/// Cycles of `code` after `setup`, without those of `setup` itself. R0 to R2 point to a word that points
/// to itself.
fn cycles_after(setup: &[u16], code: &[u16]) -> u64 {
    let cycles = |code: &[u16]| {
        let mut machine = program(code);
        for (register, value) in [DATA, DATA, DATA, 4, 7].into_iter().enumerate() {
            machine.cpu_mut().r[register] = value;
        }
        machine.write_memory(DATA, &DATA.to_le_bytes()).unwrap();
        assert_eq!(machine.run(100), Stop::Breakpoint(0), "{code:04x?}");
        machine.cycles()
    };
    cycles(&join(&[setup, code])) - cycles(setup)
}

fn check(code: &[u16], cycles: u64) {
    assert_eq!(cycles_after(&[], code), cycles, "{code:04x?}");
}

#[test]
fn tables_of_the_manual_hold() {
    check(&[0xfba3, 0x5604], 1); // UMULL
    check(&[0xfb03, 0x5604], 1); // MLA
    check(&[0xe9d0, 0x5600], 3); // LDRD
    check(&[0xe9c0, 0x5600], 3); // STRD
    check(&[0xe890, 0x00e0], 4); // LDM of three words
    check(&[0xb4e0], 4); // PUSH of three words
    check(&[0x5985], 2); // LDR R5, [R0, R6]
    check(&[0x5185], 2); // STR R5, [R0, R6]
    check(&[0xe850, 0x5f00], 2); // LDREX
}

#[test]
fn branches_refill_the_pipeline() {
    check(&[0xe000, NOP], 2); // B
    check(&[0xd100, NOP], 1 + 1); // BNE, not taken because Z is set after reset, and the NOP
    check(&[0xd000, NOP], 2); // BEQ, taken
    check(&[0xf000, 0xf801, NOP], 2); // BL
    // POP {PC} is 1 + 1 word + 3; the PUSH before it is 2 and delays it by 1.
    let pop_pc = run(&[0xb401, 0xbd00], &[(0, (CODE + 4) | 1)]);
    assert_eq!(pop_pc.cycles(), 2 + 5 + 1);
    let bx = run(&[0x4700, NOP], &[(0, (CODE + 4) | 1)]);
    assert_eq!(bx.cycles(), 1 + 3);
    let mut load_pc = program(&[0xf8d0, 0xf000, NOP]);
    load_pc.cpu_mut().r[0] = DATA;
    load_pc.write_memory(DATA, &u32::to_le_bytes((CODE + 6) | 1)).unwrap();
    assert_eq!(load_pc.run(10), Stop::Breakpoint(0));
    assert_eq!(load_pc.cycles(), 2 + 3);
    // TBB with a table of one byte, which says: two halfwords on from the table.
    let tbb = run(&[0xe8df, 0xf004, 0x0002, NOP], &[(4, 0)]);
    assert_eq!(tbb.cycles(), 2 + 3);
}

#[test]
fn neighbours_wait_for_each_other() {
    let load = [0x6805]; // LDR R5, [R0]
    assert_eq!(cycles_after(&load, &[0x680e]), 1, "a load overlaps with a load");
    assert_eq!(cycles_after(&[0x6800], &[0x6806]), 2, "but not if it needs its result");
    assert_eq!(cycles_after(&load, &[0x6006]), 1, "a store hides in the write buffer");
    assert_eq!(cycles_after(&[0x6006], &load), 3, "a load waits for a store");
    assert_eq!(cycles_after(&[0xb4e0], &[0xbce0]), 5, "POP waits for PUSH");
    assert_eq!(cycles_after(&[0x1c40], &[0x7805]), 3, "an address waits for a sum");
    assert_eq!(cycles_after(&[0x1c76], &[0x7805]), 2, "another register's sum does not matter");
}

#[test]
fn alignment_of_instructions_costs() {
    let add_w = [0xf106, 0x0601]; // ADD.W R6, R6, #1
    assert_eq!(cycles_after(&[], &times(8, &add_w)), 8, "word-aligned");
    // At halfword-aligned addresses the third, fifth and seventh take one more.
    assert_eq!(cycles_after(&[NOP], &times(8, &add_w)), 8 + 3);
    assert_eq!(cycles_after(&[NOP], &join(&[&add_w, &add_w, &[NOP], &add_w])), 4, "no run of three");
    // A branch to a wide instruction at a halfword-aligned address.
    assert_eq!(cycles_after(&[], &join(&[&[0xe001, NOP, NOP], &add_w])), 2 + 1 + 1);
    assert_eq!(cycles_after(&[], &join(&[&[0xe000, NOP], &add_w])), 2 + 1);
}

#[test]
fn an_it_folds_in_the_upper_halfword() {
    let it_eq = [0xbf08, 0x1c76]; // IT EQ; ADDEQ R6, #1
    assert_eq!(cycles_after(&[], &it_eq), 2);
    assert_eq!(cycles_after(&[NOP], &it_eq), 1);
    let it_ne = [0xbf18, 0x6805]; // IT NE; LDRNE R5, [R0]: passed over
    assert_eq!(cycles_after(&[NOP], &it_ne), 1);
}

#[test]
fn unaligned_data_costs_an_access_more() {
    for (register, code, cycles) in
        [(DATA + 2, 0x6805, 3), (DATA + 1, 0x6805, 4), (DATA + 1, 0x8805, 3), (DATA + 2, 0x8805, 2)]
    {
        assert_eq!(run(&[code], &[(0, register)]).cycles(), cycles, "{code:04x} at {register:08x}");
    }
}
