//! A Cortex-M simulator with a cycle model: an ELF goes in; registers, memory, cycles, the deepest
//! stack and a profile by function come out. It knows nothing of what the firmware computes.
//!
//! ```text
//!  ELF ─▶ elf::Image ─▶ Machine::new ─▶ decode (once per flash halfword) ─▶ run(n) ─▶ Stop
//!                          ▲                                                 │
//!                  Preset: core + timing                    registers, memory, cycles, Profile
//! ```
//!
//! Reading order: `elf` loads, `core` and `timing` say what is simulated, `decode` turns halfwords
//! into `Op`s by tables spelled as in the architecture manual, `exec` holds what each
//! instruction does, `bus` what it can reach, `machine` the loop, `profile` who spent the cycles.
//!
//! Not simulated: exceptions and interrupts (SVC is a fault), the MPU, floating-point rounding modes
//! other than to nearest, and the cumulative exception flags of FPSCR.

mod elf;

mod core;
mod timing;

mod bus;
mod cpu;
mod decode;
mod exec;
mod fault;
mod semihosting;

mod machine;
mod profile;
mod symbols;

pub use crate::core::{Core, Features, Preset};
pub use bus::{Memory, Peripherals, Region};
pub use elf::{ElfError, Image, Section, Segment, Symbol, SymbolKind};
pub use fault::{Fault, FaultKind, Stop};
pub use machine::{AccessError, Machine, MachineError, Registers};
pub use profile::{CallNode, FunctionCost, Profile, StackPath};
pub use timing::Pipeline;

#[cfg(test)]
mod tests;
