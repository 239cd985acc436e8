//! Why the machine stopped, for the caller ([`Stop`], [`Fault`]) and inside the loop ([`Trap`]).

use std::fmt;

/// Why [`Machine::run`](crate::Machine::run) returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A `BKPT` other than the semihosting one, with its number. The PC stays on it, as under a debugger.
    Breakpoint(u8),
    /// The firmware ended through semihosting, with this code.
    Exit(u32),
    /// The instructions of this slice are used up; call `run` again to go on.
    Limit,
    /// The firmware did what the core cannot do. The PC stays on the instruction.
    Fault(Fault),
}

/// What a firmware did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FaultKind {
    /// An encoding this core does not have, `UDF` included (the address is the encoding).
    UndefinedInstruction,
    /// A floating-point instruction on a core without FPU, or before CPACR switched it on.
    NoFloatUnit,
    /// A write to FPSCR that asks for a mode not simulated (the address is the value written).
    FloatMode,
    /// A read where there is nothing.
    UnmappedRead,
    /// A write where there is nothing.
    UnmappedWrite,
    /// Execution where there is no code.
    UnmappedFetch,
    /// A write to flash.
    FlashWrite,
    /// LDM, STM, LDRD, STRD, VLDR and their like at an address that is not a multiple of 4,
    /// or LDREX and STREX at one that is not a multiple of their size.
    Unaligned,
    /// A branch to an even address: the Arm instruction set, which M-profile cores do not have.
    ArmState,
    /// A return from an exception, though none was taken: often a reset handler that returns.
    ExceptionReturn,
    /// `SVC`; exceptions are not simulated.
    SupervisorCall,
    /// The firmware asked for a system reset, as a panic handler may.
    ResetRequest,
}

/// A fault, with where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Address of the instruction.
    pub pc: u32,
    /// The data address, branch target or encoding the kind speaks of.
    pub address: u32,
    /// The (mangled) function the PC lies in.
    pub symbol: Option<String>,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UndefinedInstruction => "undefined instruction",
            Self::NoFloatUnit => "floating-point instruction without an enabled FPU",
            Self::FloatMode => "FPSCR mode that is not simulated",
            Self::UnmappedRead => "read of unmapped memory",
            Self::UnmappedWrite => "write to unmapped memory",
            Self::UnmappedFetch => "execution outside of flash and RAM",
            Self::FlashWrite => "write to flash",
            Self::Unaligned => "unaligned access",
            Self::ArmState => "branch to an even address (Arm state)",
            Self::ExceptionReturn => "exception return without an exception",
            Self::SupervisorCall => "supervisor call, which is not simulated",
            Self::ResetRequest => "system reset requested",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:#010x}) at {:#010x}", self.kind, self.address, self.pc)?;
        match &self.symbol {
            Some(symbol) => write!(f, " in {symbol}"),
            None => Ok(()),
        }
    }
}

/// Why an instruction did not simply go on to the next. Eight bytes, so that a handler returns
/// its outcome in one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trap {
    pub(crate) cause: Cause,
    /// Address, encoding, exit code or breakpoint number.
    pub(crate) value: u32,
}

/// The kinds of [`Trap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Fault(FaultKind),
    Breakpoint,
    Exit,
}

impl Trap {
    pub(crate) fn fault(kind: FaultKind, value: u32) -> Self {
        Self { cause: Cause::Fault(kind), value }
    }
}
