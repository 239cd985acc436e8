//! What each instruction does: one function per instruction, named as in the manual, generic over
//! its operand (immediate, register, shifted) or its width and address form.

mod alu;
mod bits;
mod branch;
mod convert;
mod dsp;
mod float;
mod memory;
mod multiply;
mod parallel;
mod system;

use crate::fault::Trap;
pub(crate) use alu::*;
pub(crate) use bits::*;
pub(crate) use branch::*;
pub(crate) use convert::*;
pub(crate) use dsp::*;
pub(crate) use float::*;
pub(crate) use memory::*;
pub(crate) use multiply::*;
pub(crate) use parallel::*;
pub(crate) use system::*;

/// The outcome of an instruction.
pub(crate) type Done = Result<(), Trap>;
