//! Tests that need the crate's inside or several of its parts.

mod arithmetic;
mod elf;
mod faults;
mod float;
mod golden;
mod machine;
mod memory;
mod profile;
mod robustness;
mod rows;
mod system;
mod timing;

use crate::{Image, Machine, Memory, Preset, Region, Stop};

const FLASH: Region = Region::new(0x0800_0000, 64 << 10);
const RAM: Region = Region::new(0x2000_0000, 64 << 10);
/// Where the code of [`program`] begins: the first multiple of 16 after the vectors.
const CODE: u32 = FLASH.start + 16;
/// Where it may keep data: the middle of RAM.
const DATA: u32 = RAM.start + (32 << 10);

/// `BKPT #0`.
const END: u16 = 0xbe00;

/// Flash with a vector table, and `code` where it points to.
fn flash(code: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [RAM.start + RAM.size, CODE | 1, 0, 0] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes.extend(code.iter().flat_map(|halfword| halfword.to_le_bytes()));
    bytes
}

fn machine_on(preset: Preset, code: &[u16]) -> Machine {
    let image = Image::from_bytes(FLASH.start, &flash(code)).unwrap();
    Machine::new(&image, preset, Memory::new(FLASH, RAM)).unwrap()
}

/// A machine with `code`, followed by a breakpoint, before its first instruction.
fn program(code: &[u16]) -> Machine {
    machine_on(Preset::cortex_m4f(), &[code, &[END]].concat())
}

/// The same after it ran to the breakpoint, with these registers at its start.
fn run(code: &[u16], registers: &[(usize, u32)]) -> Machine {
    let mut machine = program(code);
    for &(register, value) in registers {
        machine.cpu_mut().r[register] = value;
    }
    assert_eq!(machine.run(10_000), Stop::Breakpoint(0), "{code:04x?}");
    machine
}

/// A machine whose FPU is on, with these single registers.
fn run_float(code: &[u16], core: &[(usize, u32)], singles: &[(u8, u32)]) -> Machine {
    let mut machine = program(code);
    for &(register, value) in core {
        machine.cpu_mut().r[register] = value;
    }
    machine.cpu_mut().bus.system.float_enabled = true;
    for &(register, value) in singles {
        machine.cpu_mut().float().unwrap().set(register, value);
    }
    assert_eq!(machine.run(10_000), Stop::Breakpoint(0), "{code:04x?}");
    machine
}
