//! [`Op`]: an instruction taken apart once, so that executing it reads no bits.

use crate::cpu::Cpu;
use crate::exec::Done;
use crate::timing::Cost;

/// What executes an instruction.
pub(crate) type Run = fn(&mut Cpu, &Op) -> Done;

/// Kinds of instruction, as far as timing and profile tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Data processing with a core register or the flags as result.
    Data,
    /// NOP and its like.
    Hint,
    It,
    Multiply,
    MultiplyAccumulate,
    MultiplyLong,
    Divide,
    /// One word or less from memory into a core register.
    Load,
    /// The same into the PC: a branch.
    LoadPc,
    LoadPair,
    LoadMany,
    /// LDM or POP with the PC in its list.
    LoadManyPc,
    StoreImmediate,
    /// Address from two registers.
    StoreRegister,
    StorePair,
    StoreMany,
    Exclusive,
    /// B, Bcond, CBZ: target known when decoded.
    Branch,
    /// BL.
    Call,
    /// BX, MOV PC, ADD PC: target from a register.
    BranchRegister,
    /// BLX.
    CallRegister,
    /// TBB, TBH.
    BranchTable,
    Barrier,
    InstructionBarrier,
    /// MRS, MSR, CPS.
    System,
    FloatData,
    FloatMultiplyAccumulate,
    /// VDIV, VSQRT.
    FloatDivide,
    /// One word between core and FPU.
    FloatMove,
    FloatMovePair,
    FloatLoad,
    FloatLoadPair,
    FloatLoadMany,
    FloatStore,
    FloatStorePair,
    FloatStoreMany,
    /// What stops the machine: BKPT, UDF, SVC, undefined encodings.
    Other,
}

/// How the barrel shifter treats the second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Shift {
    Left,
    LogicalRight,
    ArithmeticRight,
    Rotate,
    /// RRX: one place to the right through the carry.
    RotateExtend,
}

/// When the condition flags follow the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SetFlags {
    Never,
    Always,
    /// 16-bit forms: not inside an IT block.
    OutsideIt,
}

/// One decoded instruction. Registers are numbers below 16 (core) or 32 (FPU).
#[derive(Clone, Copy)]
pub(crate) struct Op {
    pub(crate) run: Run,
    pub(crate) imm: u32,
    pub(crate) rd: u8,
    pub(crate) rn: u8,
    pub(crate) rm: u8,
    /// Accumulator, or the upper half of a 64-bit result.
    pub(crate) ra: u8,
    pub(crate) shift: Shift,
    pub(crate) amount: u8,
    pub(crate) flags: SetFlags,
    /// Bytes: 2 or 4.
    pub(crate) length: u8,
    /// Words of a multiple transfer; bits of a field or a saturation.
    pub(crate) count: u8,
    /// A handler's own choice; each says what it reads here.
    pub(crate) form: u8,
    pub(crate) class: Class,
    /// What the pipeline needs to know.
    pub(crate) cost: Cost,
    /// Core registers written, a bit each.
    pub(crate) written: u16,
    /// Core registers an address is made of, a bit each.
    pub(crate) addressing: u16,
}

// Two to a cache line.
const _: () = assert!(size_of::<Op>() == 32);

impl Op {
    pub(crate) fn new(run: Run, class: Class) -> Self {
        Self {
            run,
            imm: 0,
            rd: 0,
            rn: 0,
            rm: 0,
            ra: 0,
            shift: Shift::Left,
            amount: 0,
            flags: SetFlags::Never,
            length: 2,
            count: 0,
            form: 0,
            class,
            cost: Cost::default(),
            written: 0,
            addressing: 0,
        }
    }

    /// Data processing.
    pub(crate) fn data(run: Run) -> Self {
        Self::new(run, Class::Data)
    }

    pub(crate) fn imm(self, imm: u32) -> Self {
        Self { imm, ..self }
    }

    /// The core register that receives the result.
    pub(crate) fn rd(self, rd: u8) -> Self {
        Self { rd, written: self.written | bit(rd), ..self }
    }

    /// A second core register that receives a result.
    pub(crate) fn ra_written(self, ra: u8) -> Self {
        Self { ra, written: self.written | bit(ra), ..self }
    }

    /// A register that is read, or an FPU register.
    pub(crate) fn rn(self, rn: u8) -> Self {
        Self { rn, ..self }
    }

    /// A register that is read, or an FPU register.
    pub(crate) fn rm(self, rm: u8) -> Self {
        Self { rm, ..self }
    }

    /// A register that is read.
    pub(crate) fn ra(self, ra: u8) -> Self {
        Self { ra, ..self }
    }

    /// A register in the place of the result that is not written as a core register: what a store
    /// writes to memory, or an FPU register.
    pub(crate) fn value(self, rd: u8) -> Self {
        Self { rd, ..self }
    }

    /// The base register of an address.
    pub(crate) fn base(self, rn: u8) -> Self {
        Self { rn, addressing: self.addressing | bit(rn), ..self }
    }

    /// The index register of an address.
    pub(crate) fn index(self, rm: u8) -> Self {
        Self { rm, addressing: self.addressing | bit(rm), ..self }
    }

    pub(crate) fn flags(self, flags: SetFlags) -> Self {
        Self { flags, ..self }
    }

    pub(crate) fn shift(self, shift: Shift, amount: u8) -> Self {
        Self { shift, amount, ..self }
    }

    pub(crate) fn amount(self, amount: u32) -> Self {
        Self { amount: amount as u8, ..self }
    }

    pub(crate) fn count(self, count: u32) -> Self {
        Self { count: count as u8, ..self }
    }

    pub(crate) fn form(self, form: u32) -> Self {
        Self { form: form as u8, ..self }
    }

    pub(crate) fn class(self, class: Class) -> Self {
        Self { class, ..self }
    }
}

fn bit(register: u8) -> u16 {
    1 << (register & 15)
}
