//! [`Row`]: one encoding of the manual, and the helpers its `build` function reads fields with.

use super::op::{Op, Shift};
use crate::core::Features;

/// The part of the instruction set a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Armv7-M.
    Base,
    /// Armv7E-M.
    Dsp,
    /// FPv4-SP.
    Float,
}

impl Needs {
    pub(super) fn met_by(self, features: Features) -> bool {
        match self {
            Self::Base => true,
            Self::Dsp => features.dsp,
            Self::Float => features.float,
        }
    }
}

/// One encoding. The first row of a table whose fixed bits match decides.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// Instruction and encoding, as the manual names them.
    #[cfg_attr(not(test), expect(dead_code, reason = "names the row in tables and tests"))]
    pub(crate) name: &'static str,
    mask: u32,
    value: u32,
    pub(super) needs: Needs,
    /// `None` where the fields make the encoding undefined or unpredictable.
    pub(super) build: fn(u32) -> Option<Op>,
}

impl Row {
    pub(crate) fn matches(&self, word: u32) -> bool {
        word & self.mask == self.value
    }

    #[cfg(test)]
    pub(crate) fn pattern(&self) -> (u32, u32) {
        (self.mask, self.value)
    }
}

/// A row of Armv7-M. `bits` has one character per bit, highest first: `0` and `1` are fixed, letters
/// are fields, spaces are ignored.
pub(super) const fn row(name: &'static str, bits: &str, build: fn(u32) -> Option<Op>) -> Row {
    row_with(Needs::Base, name, bits, build)
}

/// A row of the DSP extension.
pub(super) const fn dsp(name: &'static str, bits: &str, build: fn(u32) -> Option<Op>) -> Row {
    row_with(Needs::Dsp, name, bits, build)
}

/// A row of the floating-point extension.
pub(super) const fn float(name: &'static str, bits: &str, build: fn(u32) -> Option<Op>) -> Row {
    row_with(Needs::Float, name, bits, build)
}

const fn row_with(needs: Needs, name: &'static str, bits: &str, build: fn(u32) -> Option<Op>) -> Row {
    let (mut mask, mut value, mut width) = (0u32, 0u32, 0);
    let text = bits.as_bytes();
    let mut at = 0;
    while at < text.len() {
        if text[at] != b' ' {
            mask = mask << 1 | matches!(text[at], b'0' | b'1') as u32;
            value = value << 1 | (text[at] == b'1') as u32;
            width += 1;
        }
        at += 1;
    }
    // Evaluated by the compiler, because every row is a constant.
    assert!(width == 16 || width == 32, "a row has 16 or 32 bits");
    Row { name, mask, value, needs, build }
}

/// `count` bits of `word` from bit `low` on.
pub(super) fn field(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// The register in the four bits from `low` on.
pub(super) fn reg(word: u32, low: u32) -> u8 {
    field(word, low, 4) as u8
}

/// The register (R0 to R7) in the three bits from `low` on.
pub(super) fn low_reg(word: u32, low: u32) -> u8 {
    field(word, low, 3) as u8
}

/// Bit `at`.
pub(super) fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 == 1
}

/// The lowest `bits` of `value` as a signed number.
pub(super) fn sign_extend(value: u32, bits: u32) -> u32 {
    ((value << (32 - bits)) as i32 >> (32 - bits)) as u32
}

/// An offset to add: negative unless the U bit is set.
pub(super) fn signed_offset(word: u32, u_bit: u32, offset: u32) -> u32 {
    if bit(word, u_bit) { offset } else { offset.wrapping_neg() }
}

/// DecodeImmShift: the shift of a type and a five-bit amount.
pub(super) fn immediate_shift(kind: u32, amount: u32) -> (Shift, u8) {
    let amount = amount as u8;
    let or_32 = if amount == 0 { 32 } else { amount };
    match kind {
        0 => (Shift::Left, amount),
        1 => (Shift::LogicalRight, or_32),
        2 => (Shift::ArithmeticRight, or_32),
        _ if amount == 0 => (Shift::RotateExtend, 1),
        _ => (Shift::Rotate, amount),
    }
}
