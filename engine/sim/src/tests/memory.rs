//! Loads and stores: widths, signs, index modes, lists, exclusives.

use super::{DATA, RAM, program, run};
use crate::{Machine, Stop};

/// Runs with R0 = DATA and `words` there.
fn with_data(code: &[u16], words: &[u32], registers: &[(usize, u32)]) -> Machine {
    let mut machine = program(code);
    machine.cpu_mut().r[0] = DATA;
    for &(register, value) in registers {
        machine.cpu_mut().r[register] = value;
    }
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    machine.write_memory(DATA, &bytes).unwrap();
    assert_eq!(machine.run(100), Stop::Breakpoint(0), "{code:04x?}");
    machine
}

fn check_load(code: &[u16], result: u32) {
    let machine = with_data(code, &[0x8182_8384, 0x9192_9394], &[(2, 1)]);
    assert_eq!(machine.registers().r[1], result, "{code:04x?}");
}

#[test]
fn loads_extend_and_may_be_unaligned() {
    check_load(&[0x6801], 0x8182_8384); // LDR R1, [R0]
    check_load(&[0xf8d0, 0x1001], 0x9481_8283); // LDR.W R1, [R0, #1]
    check_load(&[0x8801], 0x8384); // LDRH
    check_load(&[0x7841], 0x83); // LDRB R1, [R0, #1]
    check_load(&[0x5681], 0xffff_ff83); // LDRSB R1, [R0, R2]
    check_load(&[0x5e81], 0xffff_8283); // LDRSH R1, [R0, R2]
    check_load(&[0xf850, 0x1022], 0x9192_9394); // LDR.W R1, [R0, R2, LSL #2]
}

#[test]
fn index_modes_move_the_base() {
    let pre = with_data(&[0xf850, 0x1f04], &[1, 2], &[]); // LDR R1, [R0, #4]!
    assert_eq!(pre.registers().r[..2], [DATA + 4, 2]);
    let post = with_data(&[0xf850, 0x1b04], &[1, 2], &[]); // LDR R1, [R0], #4
    assert_eq!(post.registers().r[..2], [DATA + 4, 1]);
    let store = with_data(&[0xf840, 0x1d04], &[0], &[(1, 7)]); // STR R1, [R0, #-4]!
    assert_eq!((store.registers().r[0], store.read_u32(DATA - 4).unwrap()), (DATA - 4, 7));
}

#[test]
fn narrow_stores_leave_their_neighbours() {
    let byte = with_data(&[0x7041], &[u32::MAX], &[(1, 0x1234_5600)]); // STRB R1, [R0, #1]
    assert_eq!(byte.read_u32(DATA).unwrap(), 0xffff_00ff);
    let half = with_data(&[0x8041], &[u32::MAX], &[(1, 0x1234_0000)]); // STRH R1, [R0, #2]
    assert_eq!(half.read_u32(DATA).unwrap(), 0x0000_ffff);
}

#[test]
fn lists_are_in_register_order_and_keep_a_loaded_base() {
    let stored = with_data(&[0xc00e], &[], &[(1, 11), (2, 22), (3, 33)]); // STMIA R0!, {R1-R3}
    assert_eq!(stored.registers().r[0], DATA + 12);
    let words = [0, 4, 8].map(|offset| stored.read_u32(DATA + offset).unwrap());
    assert_eq!(words, [11, 22, 33]);
    let loaded = with_data(&[0xc803], &[5, 6], &[]); // LDMIA R0, {R0, R1}
    assert_eq!(loaded.registers().r[..2], [5, 6]);
    let down = with_data(&[0xe930, 0x0006], &[], &[(0, DATA + 8)]); // LDMDB R0!, {R1, R2}
    assert_eq!(down.registers().r[0], DATA);
}

#[test]
fn push_and_pop_meet() {
    // PUSH {R0, R1, LR}; MOVS R0, #0; POP {R2, R3, R4}
    let machine = run(&[0xb503, 0x2000, 0xbc1c], &[(0, 1), (1, 2), (14, 3)]);
    assert_eq!(machine.registers().r[2..5], [1, 2, 3]);
    assert_eq!(machine.registers().r[13], RAM.start + RAM.size);
    assert_eq!(machine.peak_stack(), 12);
}

#[test]
fn an_exclusive_store_needs_its_load() {
    // LDREX R1, [R0]; STREX R2, R3, [R0]; STREX R4, R3, [R0]
    let machine = with_data(&[0xe850, 0x1f00, 0xe840, 0x3200, 0xe840, 0x3400], &[9], &[(3, 42)]);
    let r = machine.registers().r;
    assert_eq!((r[1], r[2], r[4], machine.read_u32(DATA).unwrap()), (9, 0, 1, 42));
}

#[test]
fn literals_are_read_from_the_aligned_pc() {
    // NOP; LDR R1, [PC, #0] at a halfword-aligned address; NOP; the word follows.
    let machine = program(&[0xbf00, 0x4900, 0xbe00, 0xbf00]);
    let mut machine = machine;
    machine.write_memory(super::CODE + 4, &[0x00, 0xbe, 0x78, 0x56]).unwrap();
    assert_eq!(machine.run(10), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[1], 0x5678_be00);
}
