//! 32-bit loads and stores: multiple, dual, exclusive, single, and the table branches
//! (manual A5.3.5 to A5.3.10).

use super::op::{Class, Op, Run};
use super::row::{Row, bit, field, reg, row, signed_offset};
use crate::exec::{self, Byte, Half, Literal, Offset, PostIndexed, PreIndexed};
use crate::exec::{RegisterOffset, SignedByte, SignedHalf, Word};

pub(super) static ROWS: &[Row] = &[
    // Multiple.
    row("STM T2", "11101000 10 w 0 nnnn 0m0 lllllllllllll", |w| store_multiple(w, exec::stmia)),
    row("LDM T2", "11101000 10 w 1 nnnn pm0 lllllllllllll", |w| load_multiple(w, exec::ldmia)),
    row("STMDB T1", "11101001 00 w 0 nnnn 0m0 lllllllllllll", |w| store_multiple(w, exec::stmdb)),
    row("LDMDB T1", "11101001 00 w 1 nnnn pm0 lllllllllllll", |w| load_multiple(w, exec::ldmdb)),
    // Exclusive and table branch: the dual forms' unused index modes.
    row("STREX T1", "111010000100 nnnn tttt dddd iiiiiiii", |w| {
        Some(store_exclusive(w, exec::strex::<4>).rd(reg(w, 8)).imm(field(w, 0, 8) * 4))
    }),
    row("STREXB T1", "111010001100 nnnn tttt 1111 0100 dddd", |w| {
        Some(store_exclusive(w, exec::strex::<1>).rd(reg(w, 0)))
    }),
    row("STREXH T1", "111010001100 nnnn tttt 1111 0101 dddd", |w| {
        Some(store_exclusive(w, exec::strex::<2>).rd(reg(w, 0)))
    }),
    row("LDREX T1", "111010000101 nnnn tttt 1111 iiiiiiii", |w| {
        Some(load_exclusive(w, exec::ldrex::<4>).imm(field(w, 0, 8) * 4))
    }),
    row("LDREXB T1", "111010001101 nnnn tttt 1111 0100 1111", |w| Some(load_exclusive(w, exec::ldrex::<1>))),
    row("LDREXH T1", "111010001101 nnnn tttt 1111 0101 1111", |w| Some(load_exclusive(w, exec::ldrex::<2>))),
    row("TBB T1", "111010001101 nnnn 1111 0000 0000 mmmm", |w| Some(table(w, exec::table_branch::<1>))),
    row("TBH T1", "111010001101 nnnn 1111 0000 0001 mmmm", |w| Some(table(w, exec::table_branch::<2>))),
    // Dual.
    row("LDRD (literal) T1", "1110100 p u 1 w 1 1111 tttt dddd iiiiiiii", |w| {
        dual(w, [exec::ldrd::<Literal>; 3], Class::LoadPair)
    }),
    row("LDRD (immediate) T1", "1110100 p u 1 w 1 nnnn tttt dddd iiiiiiii", |w| {
        let runs: [Run; 3] = [exec::ldrd::<Offset>, exec::ldrd::<PreIndexed>, exec::ldrd::<PostIndexed>];
        dual(w, runs, Class::LoadPair)
    }),
    row("STRD (immediate) T1", "1110100 p u 1 w 0 nnnn tttt dddd iiiiiiii", |w| {
        let runs: [Run; 3] = [exec::strd::<Offset>, exec::strd::<PreIndexed>, exec::strd::<PostIndexed>];
        dual(w, runs, Class::StorePair)
    }),
    // Single loads from the PC. Bytes and halfwords into R15 are the PLD and PLI hints.
    row("LDRB (literal) T1", "11111000 u 001 1111 tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_literal(w, exec::load::<Byte, Literal>))
    }),
    row("LDRH (literal) T1", "11111000 u 011 1111 tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_literal(w, exec::load::<Half, Literal>))
    }),
    row("LDR (literal) T2", "11111000 u 101 1111 tttt iiiiiiiiiiii", |w| {
        Some(load_literal(w, exec::load::<Word, Literal>))
    }),
    row("LDRSB (literal) T1", "11111001 u 001 1111 tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_literal(w, exec::load::<SignedByte, Literal>))
    }),
    row("LDRSH (literal) T1", "11111001 u 011 1111 tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_literal(w, exec::load::<SignedHalf, Literal>))
    }),
    // Single, 12-bit offset.
    row("STRB (immediate) T2", "111110001000 nnnn tttt iiiiiiiiiiii", |w| {
        store_12(w, exec::store::<Byte, Offset>)
    }),
    row("LDRB (immediate) T2", "111110001001 nnnn tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_12(w, exec::load::<Byte, Offset>))
    }),
    row("STRH (immediate) T2", "111110001010 nnnn tttt iiiiiiiiiiii", |w| {
        store_12(w, exec::store::<Half, Offset>)
    }),
    row("LDRH (immediate) T2", "111110001011 nnnn tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_12(w, exec::load::<Half, Offset>))
    }),
    row("STR (immediate) T3", "111110001100 nnnn tttt iiiiiiiiiiii", |w| {
        store_12(w, exec::store::<Word, Offset>)
    }),
    row("LDR (immediate) T3", "111110001101 nnnn tttt iiiiiiiiiiii", |w| {
        Some(load_12(w, exec::load::<Word, Offset>))
    }),
    row("LDRSB (immediate) T1", "111110011001 nnnn tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_12(w, exec::load::<SignedByte, Offset>))
    }),
    row("LDRSH (immediate) T1", "111110011011 nnnn tttt iiiiiiiiiiii", |w| {
        hint_or(w, load_12(w, exec::load::<SignedHalf, Offset>))
    }),
    // Single, 8-bit offset with index modes. Without index and write-back they are the unprivileged
    // forms, which behave alike here.
    row("STRB (immediate) T3", "111110000000 nnnn tttt 1puw iiiiiiii", |w| {
        store_8(
            w,
            [exec::store::<Byte, Offset>, exec::store::<Byte, PreIndexed>, exec::store::<Byte, PostIndexed>],
        )
    }),
    row("LDRB (immediate) T3", "111110000001 nnnn tttt 1puw iiiiiiii", |w| {
        hint_or_8(
            w,
            [exec::load::<Byte, Offset>, exec::load::<Byte, PreIndexed>, exec::load::<Byte, PostIndexed>],
        )
    }),
    row("STRH (immediate) T3", "111110000010 nnnn tttt 1puw iiiiiiii", |w| {
        store_8(
            w,
            [exec::store::<Half, Offset>, exec::store::<Half, PreIndexed>, exec::store::<Half, PostIndexed>],
        )
    }),
    row("LDRH (immediate) T3", "111110000011 nnnn tttt 1puw iiiiiiii", |w| {
        hint_or_8(
            w,
            [exec::load::<Half, Offset>, exec::load::<Half, PreIndexed>, exec::load::<Half, PostIndexed>],
        )
    }),
    row("STR (immediate) T4", "111110000100 nnnn tttt 1puw iiiiiiii", |w| {
        store_8(
            w,
            [exec::store::<Word, Offset>, exec::store::<Word, PreIndexed>, exec::store::<Word, PostIndexed>],
        )
    }),
    row("LDR (immediate) T4", "111110000101 nnnn tttt 1puw iiiiiiii", |w| {
        load_8(
            w,
            [exec::load::<Word, Offset>, exec::load::<Word, PreIndexed>, exec::load::<Word, PostIndexed>],
        )
    }),
    row("LDRSB (immediate) T2", "111110010001 nnnn tttt 1puw iiiiiiii", |w| {
        hint_or_8(
            w,
            [
                exec::load::<SignedByte, Offset>,
                exec::load::<SignedByte, PreIndexed>,
                exec::load::<SignedByte, PostIndexed>,
            ],
        )
    }),
    row("LDRSH (immediate) T2", "111110010011 nnnn tttt 1puw iiiiiiii", |w| {
        hint_or_8(
            w,
            [
                exec::load::<SignedHalf, Offset>,
                exec::load::<SignedHalf, PreIndexed>,
                exec::load::<SignedHalf, PostIndexed>,
            ],
        )
    }),
    // Single, register offset.
    row("STRB (register) T2", "111110000000 nnnn tttt 000000ii mmmm", |w| {
        store_indexed(w, exec::store::<Byte, RegisterOffset>)
    }),
    row("LDRB (register) T2", "111110000001 nnnn tttt 000000ii mmmm", |w| {
        hint_or(w, load_indexed(w, exec::load::<Byte, RegisterOffset>))
    }),
    row("STRH (register) T2", "111110000010 nnnn tttt 000000ii mmmm", |w| {
        store_indexed(w, exec::store::<Half, RegisterOffset>)
    }),
    row("LDRH (register) T2", "111110000011 nnnn tttt 000000ii mmmm", |w| {
        hint_or(w, load_indexed(w, exec::load::<Half, RegisterOffset>))
    }),
    row("STR (register) T2", "111110000100 nnnn tttt 000000ii mmmm", |w| {
        store_indexed(w, exec::store::<Word, RegisterOffset>)
    }),
    row("LDR (register) T2", "111110000101 nnnn tttt 000000ii mmmm", |w| {
        Some(load_indexed(w, exec::load::<Word, RegisterOffset>))
    }),
    row("LDRSB (register) T2", "111110010001 nnnn tttt 000000ii mmmm", |w| {
        hint_or(w, load_indexed(w, exec::load::<SignedByte, RegisterOffset>))
    }),
    row("LDRSH (register) T2", "111110010011 nnnn tttt 000000ii mmmm", |w| {
        hint_or(w, load_indexed(w, exec::load::<SignedHalf, RegisterOffset>))
    }),
];

fn load_multiple(w: u32, run: Run) -> Option<Op> {
    let list = field(w, 0, 16);
    let class = if bit(list, 15) { Class::LoadManyPc } else { Class::LoadMany };
    let op = Op::new(run, class).base(reg(w, 16)).imm(list).count(list.count_ones());
    let op = Op { written: list as u16, ..op.form(field(w, 21, 1)) };
    (list != 0 && op.rn != 15).then_some(op)
}

fn store_multiple(w: u32, run: Run) -> Option<Op> {
    let list = field(w, 0, 16);
    let op = Op::new(run, Class::StoreMany).base(reg(w, 16)).imm(list).count(list.count_ones());
    (list != 0 && op.rn != 15).then(|| op.form(field(w, 21, 1)))
}

fn load_exclusive(w: u32, run: Run) -> Op {
    Op::new(run, Class::Exclusive).rd(reg(w, 12)).base(reg(w, 16))
}

/// The value stored is in `rm`; the result, 0 or 1, goes to `rd`.
fn store_exclusive(w: u32, run: Run) -> Op {
    Op::new(run, Class::Exclusive).rm(reg(w, 12)).base(reg(w, 16))
}

fn table(w: u32, run: Run) -> Op {
    Op::new(run, Class::BranchTable).base(reg(w, 16)).index(reg(w, 0))
}

/// The one of three handlers that the P and W bits choose: offset, pre-indexed, post-indexed.
fn indexed(runs: [Run; 3], p: bool, w: bool) -> Run {
    match (p, w) {
        (true, false) => runs[0],
        (true, true) => runs[1],
        (false, _) => runs[2],
    }
}

/// LDRD and STRD; the second register is `rm`.
fn dual(w: u32, runs: [Run; 3], class: Class) -> Option<Op> {
    let (p, write_back) = (bit(w, 24), bit(w, 21));
    let (first, second) = (reg(w, 12), reg(w, 8));
    let op = Op::new(indexed(runs, p, write_back), class).base(reg(w, 16)).rm(second);
    let op = op.imm(signed_offset(w, 23, field(w, 0, 8) * 4));
    let op = match class {
        Class::LoadPair => Op { written: 1 << first | 1 << second, ..op.value(first) },
        _ => op.value(first),
    };
    let store_to_pc = class == Class::StorePair && op.rn == 15;
    ((p || write_back) && first != 15 && second != 15 && !store_to_pc).then_some(op)
}

/// A load; into the PC it is a branch.
fn load(run: Run, rt: u8) -> Op {
    let class = if rt == 15 { Class::LoadPc } else { Class::Load };
    Op::new(run, class).rd(rt)
}

fn load_literal(w: u32, run: Run) -> Op {
    load(run, reg(w, 12)).base(15).imm(signed_offset(w, 23, field(w, 0, 12)))
}

fn load_12(w: u32, run: Run) -> Op {
    load(run, reg(w, 12)).base(reg(w, 16)).imm(field(w, 0, 12))
}

fn store_12(w: u32, run: Run) -> Option<Op> {
    let op = Op::new(run, Class::StoreImmediate).value(reg(w, 12)).base(reg(w, 16));
    (op.rn != 15 && op.rd != 15).then(|| op.imm(field(w, 0, 12)))
}

fn load_8(w: u32, runs: [Run; 3]) -> Option<Op> {
    let (p, write_back) = (bit(w, 10), bit(w, 8));
    let op = load(indexed(runs, p, write_back), reg(w, 12)).base(reg(w, 16));
    (p || write_back).then(|| op.imm(signed_offset(w, 9, field(w, 0, 8))))
}

fn store_8(w: u32, runs: [Run; 3]) -> Option<Op> {
    let (p, write_back) = (bit(w, 10), bit(w, 8));
    let run = indexed(runs, p, write_back);
    let op = Op::new(run, Class::StoreImmediate).value(reg(w, 12)).base(reg(w, 16));
    let valid = (p || write_back) && op.rn != 15 && op.rd != 15;
    valid.then(|| op.imm(signed_offset(w, 9, field(w, 0, 8))))
}

fn load_indexed(w: u32, run: Run) -> Op {
    load(run, reg(w, 12)).base(reg(w, 16)).index(reg(w, 0)).amount(field(w, 4, 2))
}

fn store_indexed(w: u32, run: Run) -> Option<Op> {
    let op = Op::new(run, Class::StoreRegister).value(reg(w, 12)).base(reg(w, 16)).index(reg(w, 0));
    (op.rn != 15 && op.rd != 15).then(|| op.amount(field(w, 4, 2)))
}

fn hint_or(w: u32, op: Op) -> Option<Op> {
    Some(if reg(w, 12) == 15 { Op::new(exec::nop, Class::Hint) } else { op })
}

/// As `hint_or`; only the negative offset without write-back is a hint here.
fn hint_or_8(w: u32, runs: [Run; 3]) -> Option<Op> {
    let op = load_8(w, runs)?;
    match reg(w, 12) {
        15 if field(w, 8, 3) == 0b100 => hint_or(w, op),
        15 => None,
        _ => Some(op),
    }
}
