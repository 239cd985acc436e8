//! 32-bit data processing: modified and plain immediates, shifted registers, registers
//! (manual A5.3.1, A5.3.3, A5.3.11 to A5.3.15).

use super::op::{Class, Op, Run, SetFlags};
use super::row::{Row, bit, dsp, field, immediate_shift, reg, row};
use crate::exec::{self, IMMEDIATE_CARRY, Immediate, Register, Shifted};

pub(super) static ROWS: &[Row] = &[
    // Shifted register. Compares and moves are the forms with Rd or Rn = 15 and come first.
    row("TST (register) T2", "11101010 0001 nnnn 0iii 1111 iitt mmmm", |w| {
        compare(w, exec::tst::<Register>, exec::tst::<Shifted>)
    }),
    row("AND (register) T2", "11101010 000 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::and::<Register>, exec::and::<Shifted>)
    }),
    row("BIC (register) T2", "11101010 001 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::bic::<Register>, exec::bic::<Shifted>)
    }),
    row("MOV (register) T3", "11101010 010 s 1111 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::mov::<Register>, exec::mov::<Shifted>)
    }),
    row("ORR (register) T2", "11101010 010 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::orr::<Register>, exec::orr::<Shifted>)
    }),
    row("MVN (register) T2", "11101010 011 s 1111 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::mvn::<Register>, exec::mvn::<Shifted>)
    }),
    row("ORN (register) T1", "11101010 011 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::orn::<Register>, exec::orn::<Shifted>)
    }),
    row("TEQ (register) T1", "11101010 1001 nnnn 0iii 1111 iitt mmmm", |w| {
        compare(w, exec::teq::<Register>, exec::teq::<Shifted>)
    }),
    row("EOR (register) T2", "11101010 100 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::eor::<Register>, exec::eor::<Shifted>)
    }),
    dsp("PKHBT T1", "11101010 1100 nnnn 0iii dddd ii00 mmmm", |w| shifted(w, exec::pkhbt, exec::pkhbt)),
    dsp("PKHTB T1", "11101010 1100 nnnn 0iii dddd ii10 mmmm", |w| shifted(w, exec::pkhtb, exec::pkhtb)),
    row("CMN (register) T2", "11101011 0001 nnnn 0iii 1111 iitt mmmm", |w| {
        compare(w, exec::cmn::<Register>, exec::cmn::<Shifted>)
    }),
    row("ADD (register) T3", "11101011 000 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::add::<Register>, exec::add::<Shifted>)
    }),
    row("ADC (register) T2", "11101011 010 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::adc::<Register>, exec::adc::<Shifted>)
    }),
    row("SBC (register) T2", "11101011 011 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::sbc::<Register>, exec::sbc::<Shifted>)
    }),
    row("CMP (register) T3", "11101011 1011 nnnn 0iii 1111 iitt mmmm", |w| {
        compare(w, exec::cmp::<Register>, exec::cmp::<Shifted>)
    }),
    row("SUB (register) T2", "11101011 101 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::sub::<Register>, exec::sub::<Shifted>)
    }),
    row("RSB (register) T1", "11101011 110 s nnnn 0iii dddd iitt mmmm", |w| {
        shifted(w, exec::rsb::<Register>, exec::rsb::<Shifted>)
    }),
    // Modified immediate.
    row("TST (immediate) T1", "11110 i 000001 nnnn 0iii 1111 iiiiiiii", |w| {
        compare_immediate(w, exec::tst::<Immediate>)
    }),
    row("AND (immediate) T1", "11110 i 00000 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::and::<Immediate>)
    }),
    row("BIC (immediate) T1", "11110 i 00001 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::bic::<Immediate>)
    }),
    row("MOV (immediate) T2", "11110 i 00010 s 1111 0iii dddd iiiiiiii", |w| {
        modified(w, exec::mov::<Immediate>)
    }),
    row("ORR (immediate) T1", "11110 i 00010 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::orr::<Immediate>)
    }),
    row("MVN (immediate) T1", "11110 i 00011 s 1111 0iii dddd iiiiiiii", |w| {
        modified(w, exec::mvn::<Immediate>)
    }),
    row("ORN (immediate) T1", "11110 i 00011 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::orn::<Immediate>)
    }),
    row("TEQ (immediate) T1", "11110 i 001001 nnnn 0iii 1111 iiiiiiii", |w| {
        compare_immediate(w, exec::teq::<Immediate>)
    }),
    row("EOR (immediate) T1", "11110 i 00100 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::eor::<Immediate>)
    }),
    row("CMN (immediate) T1", "11110 i 010001 nnnn 0iii 1111 iiiiiiii", |w| {
        compare_immediate(w, exec::cmn::<Immediate>)
    }),
    row("ADD (immediate) T3", "11110 i 01000 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::add::<Immediate>)
    }),
    row("ADC (immediate) T1", "11110 i 01010 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::adc::<Immediate>)
    }),
    row("SBC (immediate) T1", "11110 i 01011 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::sbc::<Immediate>)
    }),
    row("CMP (immediate) T2", "11110 i 011011 nnnn 0iii 1111 iiiiiiii", |w| {
        compare_immediate(w, exec::cmp::<Immediate>)
    }),
    row("SUB (immediate) T3", "11110 i 01101 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::sub::<Immediate>)
    }),
    row("RSB (immediate) T2", "11110 i 01110 s nnnn 0iii dddd iiiiiiii", |w| {
        modified(w, exec::rsb::<Immediate>)
    }),
    // Plain immediate.
    row("ADR T3", "11110 i 100000 1111 0iii dddd iiiiiiii", |w| {
        Some(Op::data(exec::adr).rd(reg(w, 8)).imm(imm12(w)))
    }),
    row("ADD (immediate) T4", "11110 i 100000 nnnn 0iii dddd iiiiiiii", |w| {
        Some(plain(w, exec::add::<Immediate>))
    }),
    row("MOV (immediate) T3", "11110 i 100100 iiii 0iii dddd iiiiiiii", |w| {
        Some(Op::data(exec::mov::<Immediate>).rd(reg(w, 8)).imm(imm16(w)))
    }),
    row("ADR T2", "11110 i 101010 1111 0iii dddd iiiiiiii", |w| {
        Some(Op::data(exec::adr).rd(reg(w, 8)).imm(imm12(w).wrapping_neg()))
    }),
    row("SUB (immediate) T4", "11110 i 101010 nnnn 0iii dddd iiiiiiii", |w| {
        Some(plain(w, exec::sub::<Immediate>))
    }),
    row("MOVT T1", "11110 i 101100 iiii 0iii dddd iiiiiiii", |w| {
        Some(Op::data(exec::movt).rd(reg(w, 8)).imm(imm16(w)))
    }),
    dsp("SSAT16 T1", "111100110010 nnnn 0000 dddd 0000 iiii", |w| Some(saturate(w, exec::ssat16))),
    row("SSAT T1", "1111001100 h 0 nnnn 0iii dddd ii0 bbbbb", |w| saturate_shifted(w, exec::ssat)),
    row("SBFX T1", "111100110100 nnnn 0iii dddd ii0 bbbbb", |w| extract(w, exec::sbfx)),
    row("BFI and BFC T1", "111100110110 nnnn 0iii dddd ii0 bbbbb", insert),
    dsp("USAT16 T1", "111100111010 nnnn 0000 dddd 0000 iiii", |w| Some(saturate(w, exec::usat16))),
    row("USAT T1", "1111001110 h 0 nnnn 0iii dddd ii0 bbbbb", |w| saturate_shifted(w, exec::usat)),
    row("UBFX T1", "111100111100 nnnn 0iii dddd ii0 bbbbb", |w| extract(w, exec::ubfx)),
    // Register: shifts by a register.
    row("shift (register) T2", "11111010 0tt s nnnn 1111 dddd 0000 mmmm", |w| {
        let (shift, _) = immediate_shift(field(w, 21, 2), 1);
        Some(three(w, exec::shift_register).flags(set_flags(w)).shift(shift, 0))
    }),
    // Register: extensions, with an addition where Rn is not 15 (DSP).
    row("SXTH T2", "11111010 0000 1111 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::sxth))),
    row("UXTH T2", "11111010 0001 1111 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::uxth))),
    row("SXTB T2", "11111010 0100 1111 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::sxtb))),
    row("UXTB T2", "11111010 0101 1111 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::uxtb))),
    dsp("SXTAH T1", "11111010 0000 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::sxth))),
    dsp("UXTAH T1", "11111010 0001 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::uxth))),
    dsp("SXTB16 and SXTAB16 T1", "11111010 0010 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::sxtb16))),
    dsp("UXTB16 and UXTAB16 T1", "11111010 0011 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::uxtb16))),
    dsp("SXTAB T1", "11111010 0100 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::sxtb))),
    dsp("UXTAB T1", "11111010 0101 nnnn 1111 dddd 10rr mmmm", |w| Some(extend(w, exec::uxtb))),
    // Register: parallel addition and subtraction.
    dsp("parallel add and subtract T1", "11111010 1ooo nnnn 1111 dddd 0upp mmmm", parallel),
    // Register: saturating arithmetic and the rest.
    dsp("QADD T1", "111110101000 nnnn 1111 dddd 1000 mmmm", |w| Some(three(w, exec::qadd))),
    dsp("QDADD T1", "111110101000 nnnn 1111 dddd 1001 mmmm", |w| Some(three(w, exec::qdadd))),
    dsp("QSUB T1", "111110101000 nnnn 1111 dddd 1010 mmmm", |w| Some(three(w, exec::qsub))),
    dsp("QDSUB T1", "111110101000 nnnn 1111 dddd 1011 mmmm", |w| Some(three(w, exec::qdsub))),
    row("REV T2", "111110101001 nnnn 1111 dddd 1000 mmmm", |w| Some(three(w, exec::rev))),
    row("REV16 T2", "111110101001 nnnn 1111 dddd 1001 mmmm", |w| Some(three(w, exec::rev16))),
    row("RBIT T1", "111110101001 nnnn 1111 dddd 1010 mmmm", |w| Some(three(w, exec::rbit))),
    row("REVSH T2", "111110101001 nnnn 1111 dddd 1011 mmmm", |w| Some(three(w, exec::revsh))),
    dsp("SEL T1", "111110101010 nnnn 1111 dddd 1000 mmmm", |w| Some(three(w, exec::sel))),
    row("CLZ T1", "111110101011 nnnn 1111 dddd 1000 mmmm", |w| Some(three(w, exec::clz))),
];

fn set_flags(w: u32) -> SetFlags {
    if bit(w, 20) { SetFlags::Always } else { SetFlags::Never }
}

fn shift_of(w: u32) -> (super::op::Shift, u8) {
    immediate_shift(field(w, 4, 2), field(w, 12, 3) << 2 | field(w, 6, 2))
}

/// Rd = Rn op (Rm shifted); `plain` does the same without a shift, and faster.
fn shifted(w: u32, plain: Run, shifted: Run) -> Option<Op> {
    let (shift, amount) = shift_of(w);
    let run = if shift == super::op::Shift::Left && amount == 0 { plain } else { shifted };
    Some(three(w, run).flags(set_flags(w)).shift(shift, amount))
}

fn compare(w: u32, plain: Run, with_shift: Run) -> Option<Op> {
    shifted(w, plain, with_shift).map(without_result)
}

fn without_result(op: Op) -> Op {
    Op { rd: 0, written: 0, ..op }
}

fn three(w: u32, run: Run) -> Op {
    Op::data(run).rd(reg(w, 8)).rn(reg(w, 16)).rm(reg(w, 0))
}

fn imm12(w: u32) -> u32 {
    field(w, 26, 1) << 11 | field(w, 12, 3) << 8 | field(w, 0, 8)
}

fn imm16(w: u32) -> u32 {
    field(w, 16, 4) << 12 | imm12(w)
}

/// ThumbExpandImm_C: the constant, and whether it brings its own carry (its highest bit).
fn expand(imm12: u32) -> (u32, bool) {
    let byte = imm12 & 0xff;
    match imm12 >> 8 {
        0 => (byte, false),
        1 => (byte << 16 | byte, false),
        2 => (byte << 24 | byte << 8, false),
        3 => (byte * 0x0101_0101, false),
        _ => ((0x80 | (imm12 & 0x7f)).rotate_right(imm12 >> 7), true),
    }
}

fn modified(w: u32, run: Run) -> Option<Op> {
    let (value, carries) = expand(imm12(w));
    let form = if carries { IMMEDIATE_CARRY } else { 0 };
    let op = Op::data(run).rd(reg(w, 8)).rn(reg(w, 16)).imm(value);
    Some(op.flags(set_flags(w)).form(u32::from(form)))
}

fn compare_immediate(w: u32, run: Run) -> Option<Op> {
    modified(w, run).map(without_result)
}

fn plain(w: u32, run: Run) -> Op {
    Op::data(run).rd(reg(w, 8)).rn(reg(w, 16)).imm(imm12(w))
}

/// Saturation to the number of bits in `count`.
fn saturate(w: u32, run: Run) -> Op {
    Op::data(run).rd(reg(w, 8)).rn(reg(w, 16)).count(field(w, 0, 5))
}

fn saturate_shifted(w: u32, run: Run) -> Option<Op> {
    let amount = field(w, 12, 3) << 2 | field(w, 6, 2);
    let right = bit(w, 21);
    let (shift, amount) = immediate_shift(if right { 2 } else { 0 }, amount);
    // A right shift by 0 is the encoding of the 16-bit forms.
    (!right || amount < 32).then(|| saturate(w, run).shift(shift, amount))
}

fn extract(w: u32, run: Run) -> Option<Op> {
    let lsb = field(w, 12, 3) << 2 | field(w, 6, 2);
    let width = field(w, 0, 5) + 1;
    let op = Op::data(run).rd(reg(w, 8)).rn(reg(w, 16)).amount(lsb).count(width);
    (lsb + width <= 32).then_some(op)
}

/// BFI; BFC is the form with Rn = 15, which inserts zeros. The mask lies in `imm`.
fn insert(w: u32) -> Option<Op> {
    let lsb = field(w, 12, 3) << 2 | field(w, 6, 2);
    let msb = field(w, 0, 5);
    let mask = u32::MAX << lsb & u32::MAX >> (31 - msb);
    let op = Op::data(exec::bfi).rd(reg(w, 8)).rn(reg(w, 16)).imm(mask).amount(lsb);
    (msb >= lsb).then_some(op)
}

fn extend(w: u32, run: Run) -> Op {
    three(w, run).amount(field(w, 4, 2) * 8)
}

fn parallel(w: u32) -> Option<Op> {
    let run: Run = match field(w, 20, 3) {
        0 => exec::parallel_add8,
        1 => exec::parallel_add16,
        2 => exec::parallel_asx,
        4 => exec::parallel_sub8,
        5 => exec::parallel_sub16,
        6 => exec::parallel_sax,
        _ => return None,
    };
    let form = field(w, 4, 3);
    (form & 3 != 3).then(|| three(w, run).class(Class::Data).form(form))
}
