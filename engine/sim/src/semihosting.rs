//! The few semihosting calls a measurement firmware uses: text out, and the end
//! (Arm "Semihosting for AArch32 and AArch64", version 3).

use crate::cpu::Cpu;
use crate::exec::Done;
use crate::fault::{Cause, Trap};

const SYS_OPEN: u32 = 0x01;
const SYS_WRITEC: u32 = 0x03;
const SYS_WRITE0: u32 = 0x04;
const SYS_WRITE: u32 = 0x05;
const SYS_EXIT: u32 = 0x18;
const SYS_EXIT_EXTENDED: u32 = 0x20;
/// ADP_Stopped_ApplicationExit: the reason of a regular end.
const APPLICATION_EXIT: u32 = 0x20026;
/// The one handle there is, the console.
const CONSOLE: u32 = 1;
const FAILED: u32 = u32::MAX;
/// Output kept, in bytes; what a firmware writes beyond is dropped.
const OUTPUT_LIMIT: usize = 1 << 20;

/// Carries out the call in R0 with its argument in R1. Unknown calls answer -1.
pub(crate) fn call(cpu: &mut Cpu) -> Done {
    let (number, argument) = (cpu.r[0], cpu.r[1]);
    match number {
        SYS_OPEN => cpu.r[0] = CONSOLE,
        SYS_WRITEC => {
            let byte = cpu.bus.read::<1>(argument)?;
            put(cpu, byte);
        }
        SYS_WRITE0 => {
            let mut address = argument;
            // Ends at the latest where memory ends, with a fault.
            loop {
                match cpu.bus.read::<1>(address)? {
                    0 => break,
                    byte => put(cpu, byte),
                }
                address = address.wrapping_add(1);
            }
        }
        SYS_WRITE => {
            let address = cpu.bus.read::<4>(argument.wrapping_add(4))?;
            let length = cpu.bus.read::<4>(argument.wrapping_add(8))?;
            for offset in 0..length.min(OUTPUT_LIMIT as u32) {
                let byte = cpu.bus.read::<1>(address.wrapping_add(offset))?;
                put(cpu, byte);
            }
            cpu.r[0] = 0;
        }
        SYS_EXIT => return exit(argument, 0),
        SYS_EXIT_EXTENDED => {
            let reason = cpu.bus.read::<4>(argument)?;
            let code = cpu.bus.read::<4>(argument.wrapping_add(4))?;
            return exit(reason, code);
        }
        _ => cpu.r[0] = FAILED,
    }
    Ok(())
}

fn put(cpu: &mut Cpu, byte: u32) {
    if cpu.output.len() < OUTPUT_LIMIT {
        cpu.output.push(byte as u8);
    }
}

fn exit(reason: u32, code: u32) -> Done {
    let value = if reason == APPLICATION_EXIT { code } else { 1 };
    Err(Trap { cause: Cause::Exit, value })
}
