//! [`Timing`]: the state of the pipeline between two instructions.

use super::Pipeline;
use super::pipeline::Traits;
use crate::decode::Op;

/// What the next instruction needs to know of the one before it.
pub(crate) struct Timing {
    pipeline: Pipeline,
    traits: Traits,
    /// Core registers it wrote, a bit each.
    written: u16,
    /// It branched, so that its successor is fetched anew.
    branched: bool,
    /// 32-bit instructions at halfword-aligned addresses in a row.
    unaligned_run: u32,
}

impl Timing {
    pub(crate) fn new(pipeline: Pipeline) -> Self {
        Self { pipeline, traits: Traits::default(), written: 0, branched: false, unaligned_run: 0 }
    }

    /// The cycles of one instruction at `pc`, after which execution goes on at `next`. `executed` is
    /// false if it was passed over in an IT block, `extra` what it added by its operands.
    #[inline(always)]
    pub(crate) fn cycles(&mut self, op: &Op, pc: u32, next: u32, executed: bool, extra: u32) -> u32 {
        let rules = &self.pipeline;
        let unaligned = pc & 2 != 0;
        let wide_unaligned = op.length == 4 && unaligned;
        let mut cycles = 0;
        if self.branched && wide_unaligned {
            cycles += u32::from(rules.unaligned_target);
        }
        self.branched = false;
        if !executed {
            self.traits = Traits::default();
            return cycles + u32::from(rules.skipped);
        }

        let cost = op.cost;
        cycles += u32::from(cost.cycles) + extra;
        let depends = op.addressing & self.written != 0;
        if cost.traits.has(Traits::OVERLAPS) && self.traits.has(Traits::LOAD) && !depends {
            cycles = cycles.saturating_sub(rules.load_overlap.into());
        }
        if depends && self.traits.has(Traits::LATE_RESULT) {
            cycles += u32::from(rules.address_stall);
        }
        if cost.traits.has(Traits::AFTER_STORE) && self.traits.has(Traits::STORE) {
            cycles += u32::from(rules.store_then_load);
        }
        if cost.traits.has(Traits::FOLDS) && unaligned {
            cycles -= u32::from(cost.cycles);
        }
        self.unaligned_run = if wide_unaligned { self.unaligned_run + 1 } else { 0 };
        if self.unaligned_run >= 3 && self.unaligned_run % 2 == 1 {
            cycles += u32::from(rules.unaligned_run);
        }

        self.traits = cost.traits;
        self.written = op.written;
        if next != pc.wrapping_add(u32::from(op.length)) || cost.traits.has(Traits::BRANCHES) {
            cycles += u32::from(cost.refill);
            self.branched = true;
            self.traits = Traits::default();
            self.unaligned_run = 0;
        }
        cycles
    }
}
