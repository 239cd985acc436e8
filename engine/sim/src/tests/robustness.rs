//! Random bytes as firmware and as files: any answer is fine, a panic is not.

use super::{FLASH, RAM, golden};
use crate::{Image, Machine, Memory, Peripherals, Preset, Region, Stop};

/// xorshift64*: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

const IMAGES: u64 = 10_000;

#[test]
fn random_firmware_never_panics() {
    let (flash, ram) = (Region::new(FLASH.start, 1024), Region::new(RAM.start, 1024));
    let mut random = Random(0x5eed);
    let mut executed = 0;
    for round in 0..IMAGES {
        let length = 16 + random.below(400) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        bytes[..4].copy_from_slice(&(ram.start + 512).to_le_bytes());
        bytes[4..8].copy_from_slice(&(flash.start + 9).to_le_bytes());
        let preset = if round % 2 == 0 { Preset::cortex_m4f() } else { Preset::cortex_m4() };
        let peripherals = if round % 3 == 0 { Peripherals::Remember } else { Peripherals::Fault };
        let image = Image::from_bytes(flash.start, &bytes).unwrap();
        let mut machine =
            Machine::new(&image, preset, Memory { peripherals, ..Memory::new(flash, ram) }).unwrap();
        machine.record_profile(round % 5 != 0);
        let cpu = machine.cpu_mut();
        cpu.bus.system.float_enabled = cpu.features.float;
        for register in 0..13 {
            // Often an address that can be reached, else anything.
            let near = [flash.start, ram.start, 0xe000_e000, 0x4000_0000][random.below(4) as usize];
            let value = random.next() as u32;
            cpu.r[register] = if random.below(4) > 0 { near + value % 1024 } else { value };
        }
        // What faults is left for another place, so that the code there has its turn.
        for _ in 0..40 {
            match machine.run(500) {
                Stop::Limit | Stop::Exit(_) => break,
                Stop::Fault(_) | Stop::Breakpoint(_) => {
                    machine.cpu_mut().pc = flash.start + 2 * random.below(length as u64 / 2) as u32;
                }
            }
        }
        machine.profile();
        executed += machine.instructions();
    }
    assert!(executed > 50 * IMAGES, "the firmware must get somewhere: {executed} instructions");
}

/// Every 16-bit encoding and a million 32-bit ones, each in the middle of RAM.
#[test]
fn every_encoding_executes_or_faults() {
    let mut machine = golden::machine("instructions");
    machine.run(100);
    let mut random = Random(7);
    let narrow = (0..=u16::MAX).map(|first| (first, 0xbf00));
    let wide: Vec<_> = (0..1_000_000).map(|_| random.next()).collect();
    let wide = wide.iter().map(|n| (0xe800 | *n as u16, (n >> 16) as u16));
    let start = 0x2000_8000;
    for (first, second) in narrow.chain(wide) {
        let bytes = [first.to_le_bytes(), second.to_le_bytes()].concat();
        machine.write_memory(start, &bytes).unwrap();
        let cpu = machine.cpu_mut();
        cpu.pc = start;
        cpu.it_state = 0;
        for (register, value) in cpu.r.iter_mut().enumerate() {
            *value = start + 0x100 * register as u32;
        }
        machine.run(1);
    }
}

#[test]
fn random_files_never_panic() {
    let whole = std::fs::read(golden::folder().join("instructions.elf")).unwrap();
    let mut random = Random(99);
    for _ in 0..IMAGES {
        let mut file = whole.clone();
        for _ in 0..1 + random.below(8) {
            // The headers are at both ends; what lies between is mostly code.
            let at = match random.below(3) {
                0 => random.below(400),
                1 => file.len() as u64 - 1 - random.below(1_000),
                _ => random.below(file.len() as u64),
            };
            file[at as usize] = random.next() as u8;
        }
        if let Ok(image) = Image::load(&file) {
            let memory = Memory::new(Region::new(FLASH.start, 32 << 10), Region::new(RAM.start, 128 << 10));
            if let Ok(mut machine) = Machine::new(&image, Preset::cortex_m4f(), memory) {
                machine.run(200);
            }
        }
    }
}
