//! 32-bit multiplication, division and the DSP multiplies (manual A5.3.16 and A5.3.17).

use super::op::{Class, Op, Run};
use super::row::{Row, dsp, field, reg, row};
use crate::exec;

pub(super) static ROWS: &[Row] = &[
    row("MUL T2", "111110110000 nnnn 1111 dddd 0000 mmmm", |w| Some(product(w, exec::mul))),
    row("MLA T1", "111110110000 nnnn aaaa dddd 0000 mmmm", |w| Some(accumulate(w, exec::mla))),
    row("MLS T1", "111110110000 nnnn aaaa dddd 0001 mmmm", |w| Some(accumulate(w, exec::mls))),
    dsp("SMULxy and SMLAxy T1", "111110110001 nnnn aaaa dddd 00xy mmmm", |w| Some(product(w, exec::smlaxy))),
    dsp("SMUAD and SMLAD T1", "111110110010 nnnn aaaa dddd 000x mmmm", |w| Some(product(w, exec::smlad))),
    dsp("SMULWy and SMLAWy T1", "111110110011 nnnn aaaa dddd 000y mmmm", |w| Some(product(w, exec::smlawy))),
    dsp("SMUSD and SMLSD T1", "111110110100 nnnn aaaa dddd 000x mmmm", |w| Some(product(w, exec::smlsd))),
    dsp("SMMUL and SMMLA T1", "111110110101 nnnn aaaa dddd 000r mmmm", |w| Some(product(w, exec::smmla))),
    dsp("SMMLS T1", "111110110110 nnnn aaaa dddd 000r mmmm", |w| Some(product(w, exec::smmls))),
    dsp("USAD8 and USADA8 T1", "111110110111 nnnn aaaa dddd 0000 mmmm", |w| Some(product(w, exec::usada8))),
    row("SMULL T1", "111110111000 nnnn llll hhhh 0000 mmmm", |w| long(w, exec::smull)),
    row("SDIV T1", "111110111001 nnnn 1111 dddd 1111 mmmm", |w| Some(divide(w, exec::sdiv))),
    row("UMULL T1", "111110111010 nnnn llll hhhh 0000 mmmm", |w| long(w, exec::umull)),
    row("UDIV T1", "111110111011 nnnn 1111 dddd 1111 mmmm", |w| Some(divide(w, exec::udiv))),
    row("SMLAL T1", "111110111100 nnnn llll hhhh 0000 mmmm", |w| long(w, exec::smlal)),
    dsp("SMLALxy T1", "111110111100 nnnn llll hhhh 10xy mmmm", |w| long(w, exec::smlalxy)),
    dsp("SMLALD T1", "111110111100 nnnn llll hhhh 110x mmmm", |w| long(w, exec::smlald)),
    dsp("SMLSLD T1", "111110111101 nnnn llll hhhh 110x mmmm", |w| long(w, exec::smlsld)),
    row("UMLAL T1", "111110111110 nnnn llll hhhh 0000 mmmm", |w| long(w, exec::umlal)),
    dsp("UMAAL T1", "111110111110 nnnn llll hhhh 0110 mmmm", |w| long(w, exec::umaal)),
];

/// Ra = 15 means that nothing is added. Bits 5:4 choose halves, exchange or rounding.
fn product(w: u32, run: Run) -> Op {
    let op = Op::new(run, Class::Multiply).rd(reg(w, 8)).rn(reg(w, 16)).rm(reg(w, 0));
    op.ra(reg(w, 12)).form(field(w, 4, 2))
}

fn accumulate(w: u32, run: Run) -> Op {
    product(w, run).class(Class::MultiplyAccumulate)
}

/// A 64-bit result: lower half in `rd`, upper half in `ra`.
fn long(w: u32, run: Run) -> Option<Op> {
    let op = Op::new(run, Class::MultiplyLong).rd(reg(w, 12)).ra_written(reg(w, 8));
    (op.rd != op.ra).then(|| op.rn(reg(w, 16)).rm(reg(w, 0)).form(field(w, 4, 2)))
}

fn divide(w: u32, run: Run) -> Op {
    Op::new(run, Class::Divide).rd(reg(w, 8)).rn(reg(w, 16)).rm(reg(w, 0))
}
