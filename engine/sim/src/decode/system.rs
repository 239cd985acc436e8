//! 32-bit branches, special registers, hints and barriers (manual A5.3.4).

use super::op::{Class, Op};
use super::row::{Row, bit, field, reg, row, sign_extend};
use crate::exec;

pub(super) static ROWS: &[Row] = &[
    row("MSR T1", "111100111000 nnnn 1000 mm00 ssssssss", |w| {
        Some(Op::new(exec::msr, Class::System).rn(reg(w, 16)).imm(field(w, 0, 8)).form(field(w, 10, 2)))
    }),
    row("NOP and hints T2", "111100111010 1111 10000000 hhhhhhhh", |_| Some(Op::new(exec::nop, Class::Hint))),
    row("CLREX T1", "111100111011 1111 10001111 0010 1111", |_| Some(Op::new(exec::clrex, Class::Data))),
    row("DSB T1", "111100111011 1111 10001111 0100 oooo", |_| Some(Op::new(exec::nop, Class::Barrier))),
    row("DMB T1", "111100111011 1111 10001111 0101 oooo", |_| Some(Op::new(exec::nop, Class::Barrier))),
    row("ISB T1", "111100111011 1111 10001111 0110 oooo", |_| {
        Some(Op::new(exec::nop, Class::InstructionBarrier))
    }),
    row("MRS T1", "111100111110 1111 1000 dddd ssssssss", |w| {
        Some(Op::new(exec::mrs, Class::System).rd(reg(w, 8)).imm(field(w, 0, 8)))
    }),
    row("B T3", "11110 s cccc iiiiii 10j0j iiiiiiiiiii", |w| {
        let high = field(w, 26, 1) << 3 | field(w, 11, 1) << 2 | field(w, 13, 1) << 1;
        let offset = high << 17 | field(w, 16, 6) << 12 | field(w, 0, 11) << 1;
        let op = Op::new(exec::b_if, Class::Branch).form(field(w, 22, 4));
        (op.form < 14).then(|| op.imm(sign_extend(offset, 21)))
    }),
    row("B T4", "11110 s iiiiiiiiii 10j1j iiiiiiiiiii", |w| {
        Some(Op::new(exec::b, Class::Branch).imm(far_offset(w)))
    }),
    row("BL T1", "11110 s iiiiiiiiii 11j1j iiiiiiiiiii", |w| {
        Some(Op::new(exec::bl, Class::Call).imm(far_offset(w)))
    }),
];

/// The 25-bit offset of B T4 and BL, with its two bits stored as exclusive or with the sign.
fn far_offset(w: u32) -> u32 {
    let sign = bit(w, 26);
    let i1 = u32::from(bit(w, 13) == sign);
    let i2 = u32::from(bit(w, 11) == sign);
    let high = u32::from(sign) << 2 | i1 << 1 | i2;
    sign_extend(high << 22 | field(w, 16, 10) << 12 | field(w, 0, 11) << 1, 25)
}
