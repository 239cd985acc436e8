//! Halfwords in, [`Op`]s out, by tables whose rows are spelled as in the Armv7-M Architecture
//! Reference Manual, chapter A7.
//!
//! ```text
//!  halfwords ─▶ Decoder::decode ─▶ first row whose fixed bits match and whose core feature is there
//!                                      └─▶ its `build` picks the fields apart ─▶ Op (or undefined)
//! ```

mod data;
mod float;
mod memory;
mod multiply;
mod narrow;
mod op;
mod row;
mod system;

use crate::core::Features;
use crate::exec;
pub(crate) use op::{Class, Op, Run, SetFlags, Shift};
pub(crate) use row::Row;

/// The instruction set of one core.
pub(crate) struct Decoder {
    /// 16-bit encodings.
    narrow: Vec<Row>,
    /// 32-bit encodings, first halfword in the upper half.
    wide: Vec<Row>,
}

impl Decoder {
    pub(crate) fn new(features: Features) -> Self {
        let known = |row: &&Row| row.needs.met_by(features);
        let wide = [data::ROWS, memory::ROWS, multiply::ROWS, system::ROWS, float::ROWS];
        Self {
            narrow: narrow::ROWS.iter().filter(known).copied().collect(),
            wide: wide.into_iter().flatten().filter(known).copied().collect(),
        }
    }

    /// The instruction that starts with `first`; `second` is read only if it is a 32-bit one.
    /// An encoding the core does not have becomes an instruction that faults.
    pub(crate) fn decode(&self, first: u16, second: u16) -> Op {
        let first = u32::from(first);
        let (rows, word, length) = match is_wide(first) {
            true => (&self.wide, first << 16 | u32::from(second), 4),
            false => (&self.narrow, first, 2),
        };
        let row = rows.iter().find(|row| row.matches(word));
        let mut op = row.and_then(|row| (row.build)(word)).unwrap_or_else(|| undefined(word));
        op.length = length;
        op
    }

    /// Exchanges what two rows mean: a decoder with one mistake, to prove that a check would see it.
    #[cfg(test)]
    pub(crate) fn swap_rows(&mut self, one: &str, other: &str) {
        let find = |rows: &[Row], name: &str| rows.iter().position(|r| r.name == name);
        for rows in [&mut self.narrow, &mut self.wide] {
            if let (Some(a), Some(b)) = (find(rows, one), find(rows, other)) {
                (rows[a].build, rows[b].build) = (rows[b].build, rows[a].build);
                return;
            }
        }
        panic!("no table has both {one:?} and {other:?}");
    }

    /// Every row of both tables.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> (&[Row], &[Row]) {
        (&self.narrow, &self.wide)
    }
}

/// Whether a first halfword starts a 32-bit instruction: its upper five bits are 11101 or above.
pub(crate) fn is_wide(first: u32) -> bool {
    first >= 0xe800
}

fn undefined(word: u32) -> Op {
    // Coprocessors 10 and 11 are the FPU; a core without it reports their absence (NOCP).
    let coprocessor = word >> 16 & 0xec00 == 0xec00 && matches!(word >> 8 & 15, 10 | 11);
    let run: Run = if coprocessor { exec::no_float_or_undefined } else { exec::undefined };
    Op::new(run, Class::Other).imm(word)
}
