//! The 16-bit encodings (manual A5.2).

use super::op::{Class, Op, Run, SetFlags, Shift};
use super::row::{Row, bit, field, immediate_shift, low_reg, reg, row, sign_extend};
use crate::exec::{self, Byte, Half, Immediate, Literal, Offset, Register, Shifted};
use crate::exec::{RegisterOffset, SignedByte, SignedHalf, Word};

pub(super) static ROWS: &[Row] = &[
    // Shift (immediate), add, subtract, move, compare.
    row("MOV (register) T2", "0000000000 mmm ddd", |w| Some(two_low(exec::mov::<Register>, w))),
    row("LSL (immediate) T1", "00000 iiiii mmm ddd", |w| Some(shift_immediate(w, 0))),
    row("LSR (immediate) T1", "00001 iiiii mmm ddd", |w| Some(shift_immediate(w, 1))),
    row("ASR (immediate) T1", "00010 iiiii mmm ddd", |w| Some(shift_immediate(w, 2))),
    row("ADD (register) T1", "0001100 mmm nnn ddd", |w| Some(three_low(exec::add::<Register>, w))),
    row("SUB (register) T1", "0001101 mmm nnn ddd", |w| Some(three_low(exec::sub::<Register>, w))),
    row("ADD (immediate) T1", "0001110 iii nnn ddd", |w| Some(small_immediate(exec::add::<Immediate>, w))),
    row("SUB (immediate) T1", "0001111 iii nnn ddd", |w| Some(small_immediate(exec::sub::<Immediate>, w))),
    row("MOV (immediate) T1", "00100 ddd iiiiiiii", |w| Some(byte_immediate(exec::mov::<Immediate>, w))),
    row("CMP (immediate) T1", "00101 nnn iiiiiiii", |w| {
        Some(Op::data(exec::cmp::<Immediate>).rn(low_reg(w, 8)).imm(w & 0xff))
    }),
    row("ADD (immediate) T2", "00110 ddd iiiiiiii", |w| Some(byte_immediate(exec::add::<Immediate>, w))),
    row("SUB (immediate) T2", "00111 ddd iiiiiiii", |w| Some(byte_immediate(exec::sub::<Immediate>, w))),
    // Data processing.
    row("AND (register) T1", "0100000000 mmm ddd", |w| Some(two_low(exec::and::<Register>, w))),
    row("EOR (register) T1", "0100000001 mmm ddd", |w| Some(two_low(exec::eor::<Register>, w))),
    row("LSL (register) T1", "0100000010 mmm ddd", |w| Some(shift_register(Shift::Left, w))),
    row("LSR (register) T1", "0100000011 mmm ddd", |w| Some(shift_register(Shift::LogicalRight, w))),
    row("ASR (register) T1", "0100000100 mmm ddd", |w| Some(shift_register(Shift::ArithmeticRight, w))),
    row("ADC (register) T1", "0100000101 mmm ddd", |w| Some(two_low(exec::adc::<Register>, w))),
    row("SBC (register) T1", "0100000110 mmm ddd", |w| Some(two_low(exec::sbc::<Register>, w))),
    row("ROR (register) T1", "0100000111 mmm ddd", |w| Some(shift_register(Shift::Rotate, w))),
    row("TST (register) T1", "0100001000 mmm nnn", |w| Some(compare_low(exec::tst::<Register>, w))),
    row("RSB (immediate) T1", "0100001001 nnn ddd", |w| {
        let op = Op::data(exec::rsb::<Immediate>).rd(low_reg(w, 0)).rn(low_reg(w, 3));
        Some(op.flags(SetFlags::OutsideIt))
    }),
    row("CMP (register) T1", "0100001010 mmm nnn", |w| Some(compare_low(exec::cmp::<Register>, w))),
    row("CMN (register) T1", "0100001011 mmm nnn", |w| Some(compare_low(exec::cmn::<Register>, w))),
    row("ORR (register) T1", "0100001100 mmm ddd", |w| Some(two_low(exec::orr::<Register>, w))),
    row("MUL T1", "0100001101 nnn ddd", |w| Some(two_low(exec::mul, w).class(Class::Multiply))),
    row("BIC (register) T1", "0100001110 mmm ddd", |w| Some(two_low(exec::bic::<Register>, w))),
    row("MVN (register) T1", "0100001111 mmm ddd", |w| Some(two_low(exec::mvn::<Register>, w))),
    // High registers and branches to registers.
    row("ADD (register) T2", "01000100 d mmmm ddd", |w| {
        let rd = any_register(w);
        Some(write_any(Op::data(exec::add_any).rd(rd).rn(rd).rm(reg(w, 3))))
    }),
    row("CMP (register) T2", "01000101 n mmmm nnn", |w| {
        Some(Op::data(exec::cmp::<Register>).rn(any_register(w)).rm(reg(w, 3)))
    }),
    row("MOV (register) T1", "01000110 d mmmm ddd", |w| {
        Some(write_any(Op::data(exec::mov_any).rd(any_register(w)).rm(reg(w, 3))))
    }),
    row("BX T1", "010001110 mmmm 000", |w| Some(Op::new(exec::bx, Class::BranchRegister).rm(reg(w, 3)))),
    row("BLX (register) T1", "010001111 mmmm 000", |w| {
        Some(Op::new(exec::blx, Class::CallRegister).rm(reg(w, 3)))
    }),
    // Loads and stores.
    row("LDR (literal) T1", "01001 ttt iiiiiiii", |w| {
        let op = Op::new(exec::load::<Word, Literal>, Class::Load);
        Some(op.rd(low_reg(w, 8)).base(15).imm(field(w, 0, 8) * 4))
    }),
    row("STR (register) T1", "0101000 mmm nnn ttt", |w| {
        Some(store_indexed(exec::store::<Word, RegisterOffset>, w))
    }),
    row("STRH (register) T1", "0101001 mmm nnn ttt", |w| {
        Some(store_indexed(exec::store::<Half, RegisterOffset>, w))
    }),
    row("STRB (register) T1", "0101010 mmm nnn ttt", |w| {
        Some(store_indexed(exec::store::<Byte, RegisterOffset>, w))
    }),
    row("LDRSB (register) T1", "0101011 mmm nnn ttt", |w| {
        Some(load_indexed(exec::load::<SignedByte, RegisterOffset>, w))
    }),
    row("LDR (register) T1", "0101100 mmm nnn ttt", |w| {
        Some(load_indexed(exec::load::<Word, RegisterOffset>, w))
    }),
    row("LDRH (register) T1", "0101101 mmm nnn ttt", |w| {
        Some(load_indexed(exec::load::<Half, RegisterOffset>, w))
    }),
    row("LDRB (register) T1", "0101110 mmm nnn ttt", |w| {
        Some(load_indexed(exec::load::<Byte, RegisterOffset>, w))
    }),
    row("LDRSH (register) T1", "0101111 mmm nnn ttt", |w| {
        Some(load_indexed(exec::load::<SignedHalf, RegisterOffset>, w))
    }),
    row("STR (immediate) T1", "01100 iiiii nnn ttt", |w| {
        Some(store_offset(exec::store::<Word, Offset>, w, 4))
    }),
    row("LDR (immediate) T1", "01101 iiiii nnn ttt", |w| Some(load_offset(exec::load::<Word, Offset>, w, 4))),
    row("STRB (immediate) T1", "01110 iiiii nnn ttt", |w| {
        Some(store_offset(exec::store::<Byte, Offset>, w, 1))
    }),
    row("LDRB (immediate) T1", "01111 iiiii nnn ttt", |w| {
        Some(load_offset(exec::load::<Byte, Offset>, w, 1))
    }),
    row("STRH (immediate) T1", "10000 iiiii nnn ttt", |w| {
        Some(store_offset(exec::store::<Half, Offset>, w, 2))
    }),
    row("LDRH (immediate) T1", "10001 iiiii nnn ttt", |w| {
        Some(load_offset(exec::load::<Half, Offset>, w, 2))
    }),
    row("STR (immediate) T2", "10010 ttt iiiiiiii", |w| {
        let op = Op::new(exec::store::<Word, Offset>, Class::StoreImmediate);
        Some(op.value(low_reg(w, 8)).base(13).imm(field(w, 0, 8) * 4))
    }),
    row("LDR (immediate) T2", "10011 ttt iiiiiiii", |w| {
        let op = Op::new(exec::load::<Word, Offset>, Class::Load);
        Some(op.rd(low_reg(w, 8)).base(13).imm(field(w, 0, 8) * 4))
    }),
    // Addresses and the stack pointer.
    row("ADR T1", "10100 ddd iiiiiiii", |w| {
        Some(Op::data(exec::adr).rd(low_reg(w, 8)).imm(field(w, 0, 8) * 4))
    }),
    row("ADD (SP plus immediate) T1", "10101 ddd iiiiiiii", |w| {
        Some(Op::data(exec::add::<Immediate>).rd(low_reg(w, 8)).rn(13).imm(field(w, 0, 8) * 4))
    }),
    row("ADD (SP plus immediate) T2", "101100000 iiiiiii", |w| {
        Some(Op::data(exec::add::<Immediate>).rd(13).rn(13).imm(field(w, 0, 7) * 4))
    }),
    row("SUB (SP minus immediate) T1", "101100001 iiiiiii", |w| {
        Some(Op::data(exec::sub::<Immediate>).rd(13).rn(13).imm(field(w, 0, 7) * 4))
    }),
    // Miscellaneous.
    row("CBZ T1", "101100 i 1 iiiii nnn", |w| Some(compare_branch(exec::cbz, w))),
    row("CBNZ T1", "101110 i 1 iiiii nnn", |w| Some(compare_branch(exec::cbnz, w))),
    row("SXTH T1", "1011001000 mmm ddd", |w| Some(one_low(exec::sxth, w))),
    row("SXTB T1", "1011001001 mmm ddd", |w| Some(one_low(exec::sxtb, w))),
    row("UXTH T1", "1011001010 mmm ddd", |w| Some(one_low(exec::uxth, w))),
    row("UXTB T1", "1011001011 mmm ddd", |w| Some(one_low(exec::uxtb, w))),
    row("PUSH T1", "1011010 m llllllll", |w| {
        let list = field(w, 0, 8) | u32::from(bit(w, 8)) << 14;
        multiple(exec::stmdb, Class::StoreMany, 13, list)
    }),
    row("CPS T1", "10110110011 m 00 i f", |w| {
        Some(Op::new(exec::cps, Class::System).imm(u32::from(bit(w, 4))).form(field(w, 0, 2)))
    }),
    row("REV T1", "1011101000 mmm ddd", |w| Some(one_low(exec::rev, w))),
    row("REV16 T1", "1011101001 mmm ddd", |w| Some(one_low(exec::rev16, w))),
    row("REVSH T1", "1011101011 mmm ddd", |w| Some(one_low(exec::revsh, w))),
    row("POP T1", "1011110 p llllllll", |w| {
        let list = field(w, 0, 8) | u32::from(bit(w, 8)) << 15;
        let class = if bit(w, 8) { Class::LoadManyPc } else { Class::LoadMany };
        multiple(exec::ldmia, class, 13, list)
    }),
    row("BKPT T1", "10111110 iiiiiiii", |w| Some(Op::new(exec::bkpt, Class::Other).imm(w & 0xff))),
    row("NOP and hints T1", "10111111 hhhh 0000", |_| Some(Op::new(exec::nop, Class::Hint))),
    row("IT T1", "10111111 cccc mmmm", |w| {
        let always_with_else = field(w, 4, 4) == 14 && field(w, 0, 4).count_ones() != 1;
        let valid = field(w, 4, 4) != 15 && !always_with_else;
        valid.then(|| Op::new(exec::it, Class::It).imm(w & 0xff))
    }),
    row("STM T1", "11000 nnn llllllll", |w| {
        multiple(exec::stmia, Class::StoreMany, low_reg(w, 8), field(w, 0, 8))
    }),
    row("LDM T1", "11001 nnn llllllll", |w| {
        multiple(exec::ldmia, Class::LoadMany, low_reg(w, 8), field(w, 0, 8))
    }),
    // Branches.
    row("UDF T1", "11011110 iiiiiiii", |_| None),
    row("SVC T1", "11011111 iiiiiiii", |w| Some(Op::new(exec::svc, Class::Other).imm(w & 0xff))),
    row("B T1", "1101 cccc iiiiiiii", |w| {
        let op = Op::new(exec::b_if, Class::Branch).form(field(w, 8, 4));
        Some(op.imm(sign_extend(field(w, 0, 8), 8) << 1))
    }),
    row("B T2", "11100 iiiiiiiiiii", |w| {
        Some(Op::new(exec::b, Class::Branch).imm(sign_extend(field(w, 0, 11), 11) << 1))
    }),
];

/// Rd = Rd op Rm, flags outside IT blocks.
fn two_low(run: Run, w: u32) -> Op {
    let rd = low_reg(w, 0);
    Op::data(run).rd(rd).rn(rd).rm(low_reg(w, 3)).flags(SetFlags::OutsideIt)
}

fn three_low(run: Run, w: u32) -> Op {
    Op::data(run).rd(low_reg(w, 0)).rn(low_reg(w, 3)).rm(low_reg(w, 6)).flags(SetFlags::OutsideIt)
}

fn compare_low(run: Run, w: u32) -> Op {
    Op::data(run).rn(low_reg(w, 0)).rm(low_reg(w, 3))
}

/// Rd = op Rm, without flags; no register is added (as Rn = 15 means for the extensions).
fn one_low(run: Run, w: u32) -> Op {
    Op::data(run).rd(low_reg(w, 0)).rn(15).rm(low_reg(w, 3))
}

fn shift_immediate(w: u32, kind: u32) -> Op {
    let (shift, amount) = immediate_shift(kind, field(w, 6, 5));
    two_low(exec::mov::<Shifted>, w).shift(shift, amount)
}

fn shift_register(shift: Shift, w: u32) -> Op {
    two_low(exec::shift_register, w).shift(shift, 0)
}

fn small_immediate(run: Run, w: u32) -> Op {
    Op::data(run).rd(low_reg(w, 0)).rn(low_reg(w, 3)).imm(field(w, 6, 3)).flags(SetFlags::OutsideIt)
}

fn byte_immediate(run: Run, w: u32) -> Op {
    let rd = low_reg(w, 8);
    Op::data(run).rd(rd).rn(rd).imm(w & 0xff).flags(SetFlags::OutsideIt)
}

/// The register of bits 2:0 and bit 7.
fn any_register(w: u32) -> u8 {
    low_reg(w, 0) | (field(w, 7, 1) << 3) as u8
}

/// Writing the PC makes it a branch.
fn write_any(op: Op) -> Op {
    if op.rd == 15 { op.class(Class::BranchRegister) } else { op }
}

fn load_indexed(run: Run, w: u32) -> Op {
    Op::new(run, Class::Load).rd(low_reg(w, 0)).base(low_reg(w, 3)).index(low_reg(w, 6))
}

fn store_indexed(run: Run, w: u32) -> Op {
    Op::new(run, Class::StoreRegister).value(low_reg(w, 0)).base(low_reg(w, 3)).index(low_reg(w, 6))
}

fn load_offset(run: Run, w: u32, scale: u32) -> Op {
    Op::new(run, Class::Load).rd(low_reg(w, 0)).base(low_reg(w, 3)).imm(field(w, 6, 5) * scale)
}

fn store_offset(run: Run, w: u32, scale: u32) -> Op {
    let op = Op::new(run, Class::StoreImmediate);
    op.value(low_reg(w, 0)).base(low_reg(w, 3)).imm(field(w, 6, 5) * scale)
}

fn compare_branch(run: Run, w: u32) -> Op {
    let offset = field(w, 9, 1) << 6 | field(w, 3, 5) << 1;
    Op::new(run, Class::Branch).rn(low_reg(w, 0)).imm(offset)
}

/// A multiple transfer with write-back; a load keeps a base that is in its list.
fn multiple(run: Run, class: Class, base: u8, list: u32) -> Option<Op> {
    let mut op = Op::new(run, class).base(base).imm(list).count(list.count_ones()).form(1);
    if matches!(class, Class::LoadMany | Class::LoadManyPc) {
        op.written = list as u16;
    }
    (list != 0).then_some(op)
}
