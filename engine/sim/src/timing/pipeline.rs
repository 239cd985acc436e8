//! [`Pipeline`]: the constants, and the fixed part of each instruction's cost.

use crate::decode::{Class, Op};

/// The timing constants of one core, in cycles.
///
/// Sources: *TRM* is Arm DDI 0439 (Cortex-M4), tables 3-1 and 7-1, also printed with its pairing rules
/// in TI SWCU185 and SWCU192 table 3-25; *kernels* are the 27 published STM32G474 kernels
/// (studyztp/gem5 `art_vs_noart_comparison.md`); *pqm4* are 17 published figures of an STM32L4R5;
/// *jnk0le* is jnk0le/random `cortex_m3m4.md`; *alignment* is compendium.i-0.nl on instruction
/// alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Data processing, one-word multiplication, moves, special registers. TRM: 1.
    pub data: u8,
    /// MLA, MLS. TRM: 1 on Cortex-M4 (2 on Cortex-M3).
    pub multiply_accumulate: u8,
    /// SMULL and its like, DSP included. TRM: 1 on Cortex-M4 (3 to 7 on Cortex-M3).
    pub multiply_long: u8,
    /// IT at a word-aligned address. TRM: 1; in the upper half of a fetched word it folds to 0.
    pub it: u8,
    /// Refill after a branch whose target is known when it is decoded. TRM: 1 to 3; kernels: 1.
    pub refill_direct: u8,
    /// Refill after a branch to a register or loaded address. TRM: 1 to 3; SWCU185 gives 5 cycles
    /// for LDR PC, hence 3; pqm4 agrees best with 3 too (1.4 % mean error, 1.6 % with 2).
    pub refill_indirect: u8,
    /// A branch itself. TRM: 1.
    pub branch: u8,
    /// TBB and TBH before the refill. TRM: 2.
    pub table_branch: u8,
    /// One load; one less when it overlaps with a load before it. TRM: 2.
    pub load: u8,
    /// What a load or a register-offset store gains after a load it does not depend on. TRM: 1.
    pub load_overlap: u8,
    /// A store at an immediate offset: the write buffer takes it. TRM with SWCU185: 1.
    pub store: u8,
    /// A store at a register offset: the index needs a second read of the registers. SWCU185: 2, one
    /// less after a load.
    pub store_register: u8,
    /// LDRD, STRD, VLDR.64, VSTR.64. TRM: 1 + 2 words.
    pub pair: u8,
    /// LDM, STM, PUSH, POP, VLDM, VSTM before their words, which take one each. TRM: 1.
    pub multiple: u8,
    /// LDREX, STREX. TRM: 2.
    pub exclusive: u8,
    /// DMB, DSB. Kernels: 1.
    pub barrier: u8,
    /// ISB. Kernels: 3.
    pub instruction_barrier: u8,
    /// VADD, VMUL, VCMP, VCVT, one-word VMOV. TRM: 1.
    pub float: u8,
    /// VMOV of two words. TRM: 2.
    pub float_move_pair: u8,
    /// VMLA, VFMA and their like. TRM: 3.
    pub float_multiply_accumulate: u8,
    /// VDIV, VSQRT. TRM: 14; kernels: 13.
    pub float_divide: u8,
    /// A base or index register that the data-processing instruction before wrote. SWCU185, jnk0le: 1.
    pub address_stall: u8,
    /// A load right after a store, or after a multiple store. jnk0le: 1; the push/pop kernel agrees.
    pub store_then_load: u8,
    /// A taken branch to a 32-bit instruction that is not word-aligned. Alignment: 1.
    pub unaligned_target: u8,
    /// In a run of 32-bit instructions that are not word-aligned: for the third, and every second one
    /// after it. Alignment gives the first; the store_burst kernel (18 of them, 9 cycles) and pqm4
    /// (-3.3 % becomes -2.0 %) the rest.
    pub unaligned_run: u8,
    /// An instruction passed over in an IT block. TRM: 1.
    pub skipped: u8,
}

impl Pipeline {
    /// Cortex-M4 and Cortex-M4F with memory that answers at once.
    pub const CORTEX_M4: Self = Self {
        data: 1,
        multiply_accumulate: 1,
        multiply_long: 1,
        it: 1,
        refill_direct: 1,
        refill_indirect: 3,
        branch: 1,
        table_branch: 2,
        load: 2,
        load_overlap: 1,
        store: 1,
        store_register: 2,
        pair: 3,
        multiple: 1,
        exclusive: 2,
        barrier: 1,
        instruction_barrier: 3,
        float: 1,
        float_move_pair: 2,
        float_multiply_accumulate: 3,
        float_divide: 13,
        address_stall: 1,
        store_then_load: 1,
        unaligned_target: 1,
        unaligned_run: 1,
        skipped: 1,
    };

    /// The part of an instruction's cost that does not depend on what comes before it.
    pub(crate) fn cost_of(&self, op: &Op) -> Cost {
        let words = op.count;
        let (cycles, refill) = match op.class {
            Class::Data | Class::Hint | Class::Multiply | Class::System | Class::Other => (self.data, 0),
            Class::It => (self.it, 0),
            Class::MultiplyAccumulate => (self.multiply_accumulate, 0),
            Class::MultiplyLong => (self.multiply_long, 0),
            // All of its cycles depend on the operands.
            Class::Divide => (0, 0),
            Class::Load | Class::FloatLoad => (self.load, 0),
            Class::LoadPc => (self.load, self.refill_indirect),
            Class::LoadPair | Class::StorePair | Class::FloatLoadPair | Class::FloatStorePair => {
                (self.pair, 0)
            }
            Class::LoadMany | Class::StoreMany | Class::FloatLoadMany | Class::FloatStoreMany => {
                (self.multiple.saturating_add(words), 0)
            }
            Class::LoadManyPc => (self.multiple.saturating_add(words), self.refill_indirect),
            Class::StoreImmediate | Class::FloatStore => (self.store, 0),
            Class::StoreRegister => (self.store_register, 0),
            Class::Exclusive => (self.exclusive, 0),
            Class::Branch | Class::Call => (self.branch, self.refill_direct),
            Class::BranchRegister | Class::CallRegister => (self.branch, self.refill_indirect),
            Class::BranchTable => (self.table_branch, self.refill_indirect),
            Class::Barrier => (self.barrier, 0),
            Class::InstructionBarrier => (self.instruction_barrier, 0),
            Class::FloatData | Class::FloatMove => (self.float, 0),
            Class::FloatMovePair => (self.float_move_pair, 0),
            Class::FloatMultiplyAccumulate => (self.float_multiply_accumulate, 0),
            Class::FloatDivide => (self.float_divide, 0),
        };
        Cost { cycles, refill, traits: Traits::of(op.class) }
    }
}

/// The fixed cost of a decoded instruction and its part in the rules between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(super) cycles: u8,
    /// Added when it branches.
    pub(super) refill: u8,
    pub(super) traits: Traits,
}

/// A set of properties, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits(u8);

impl Traits {
    /// A single load: the next one may overlap with it.
    pub(super) const LOAD: Self = Self(1);
    /// Overlaps with a load before it.
    pub(super) const OVERLAPS: Self = Self(2);
    /// Leaves the write buffer or the bus busy.
    pub(super) const STORE: Self = Self(4);
    /// Waits for a store before it.
    pub(super) const AFTER_STORE: Self = Self(8);
    /// Its result comes too late for the address of the next instruction.
    pub(super) const LATE_RESULT: Self = Self(16);
    /// IT: costs nothing in the upper half of a fetched word.
    pub(super) const FOLDS: Self = Self(32);
    /// Branches whenever it executes, even to the instruction after it.
    pub(super) const BRANCHES: Self = Self(64);

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn of(class: Class) -> Self {
        match class {
            Class::Load | Class::FloatLoad => Self::LOAD.and(Self::OVERLAPS).and(Self::AFTER_STORE),
            Class::StoreRegister => Self::STORE.and(Self::OVERLAPS),
            Class::StoreImmediate
            | Class::StorePair
            | Class::StoreMany
            | Class::FloatStore
            | Class::FloatStorePair
            | Class::FloatStoreMany => Self::STORE,
            Class::LoadPair | Class::LoadMany | Class::FloatLoadPair | Class::FloatLoadMany => {
                Self::AFTER_STORE
            }
            Class::LoadManyPc => Self::AFTER_STORE.and(Self::BRANCHES),
            Class::LoadPc
            | Class::Call
            | Class::BranchRegister
            | Class::CallRegister
            | Class::BranchTable => Self::BRANCHES,
            Class::Data
            | Class::Multiply
            | Class::MultiplyAccumulate
            | Class::MultiplyLong
            | Class::Divide
            | Class::System => Self::LATE_RESULT,
            Class::It => Self::FOLDS,
            _ => Self::default(),
        }
    }
}
