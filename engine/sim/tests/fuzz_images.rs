//! Any file as firmware, and any code in firmware: it is refused, faults or runs, and never panics.

#[path = "../../tests/fuzz/runner.rs"]
mod runner;

use std::path::Path;

use runner::{Seed, fuzz};
use wirebench_sim::{Image, Machine, Memory, Peripherals, Preset, Region, Stop};

const FLASH: u32 = 0x0800_0000;
const RAM: u32 = 0x2000_0000;

fn memory() -> Memory {
    Memory::new(Region::new(FLASH, 64 << 10), Region::new(RAM, 32 << 10))
}

fn golden(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    std::fs::read(file).expect("the golden firmware is there")
}

/// Runs a while with the profile on, and asks for everything a measurement reads.
fn run(image: &Image, preset: Preset, memory: Memory) {
    let Ok(mut machine) = Machine::new(image, preset, memory) else { return };
    machine.record_profile(true);
    let stop = machine.run(3000);
    if let Stop::Fault(fault) = &stop {
        assert!(!fault.to_string().is_empty());
    }
    let (instructions, cycles) = (machine.instructions(), machine.cycles());
    assert!(instructions <= 3000, "{instructions} instructions");
    let profile = machine.profile().expect("it is on");
    let own: u64 = profile.functions.iter().map(|function| function.cycles_self).sum();
    assert_eq!(own, cycles, "the functions' own cycles are all cycles");
    machine.registers();
    machine.function_at(machine.registers().r[15]);
    let mut word = [0; 4];
    assert!(machine.read_memory(u32::MAX - 1, &mut word).is_err());
    assert!(!machine.output().is_empty() || machine.peak_stack() <= 32 << 10 || stop != Stop::Limit);
}

/// The headers of a small ELF file, its code and its symbols: the file is made of the golden one by leaving
/// out most of the code, so that mutations meet the parts that are read.
#[test]
fn fuzz_elf() {
    let seeds = ["instructions.elf", "workloads-os.elf"].map(|name| {
        let bytes = golden(name);
        Seed { from: name.to_owned(), bytes }
    });
    let headers: Vec<Seed> =
        seeds.iter().map(|seed| Seed { from: seed.from.clone(), bytes: small_elf(&seed.bytes) }).collect();
    for seed in &headers {
        let image = Image::load(&seed.bytes).expect("the small file is firmware too");
        assert!(!image.segments().is_empty() && !image.symbols().is_empty());
    }
    fuzz(6000, headers, &["\x7fELF"], |_, bytes| {
        let Ok(image) = Image::load(bytes) else { return };
        for segment in image.segments() {
            assert_eq!(image.segment_data(segment).len(), segment.file_size() as usize);
        }
        run(&image, Preset::cortex_m4f(), memory());
    });
}

/// Code in flash from its first byte on, vectors included.
#[test]
fn fuzz_code() {
    let image = Image::load(&golden("instructions.elf")).expect("it is firmware");
    let code = image.segment_data(&image.segments()[0]);
    let mut seeds: Vec<Seed> = code
        .chunks(1500)
        .take(24)
        .map(|part| {
            let mut bytes = vectors();
            bytes.extend_from_slice(part);
            Seed { from: "golden".to_owned(), bytes }
        })
        .collect();
    seeds.push(Seed { from: "empty".to_owned(), bytes: vectors() });
    fuzz(6000, seeds, &["\u{0}\u{0}", "\u{7}\u{48}"], |_, bytes| {
        let Ok(image) = Image::from_bytes(FLASH, bytes) else { return };
        let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
        let preset = if sum.is_multiple_of(2) { Preset::cortex_m4f() } else { Preset::cortex_m4() };
        let peripherals = if sum.is_multiple_of(3) { Peripherals::Remember } else { Peripherals::Fault };
        run(&image, preset, Memory { peripherals, ..memory() });
    });
}

/// A stack of 16 KiB, and the reset handler behind the two words.
fn vectors() -> Vec<u8> {
    [RAM + (16 << 10), FLASH + 9].iter().flat_map(|word: &u32| word.to_le_bytes()).collect()
}

/// A 32-bit Arm ELF file with the start of a firmware's code, one section and the first of its symbols.
fn small_elf(whole: &[u8]) -> Vec<u8> {
    let image = Image::load(whole).expect("it is firmware");
    let segment = &image.segments()[0];
    let code: Vec<u8> = image.segment_data(segment).iter().copied().take(1024).collect();
    let mut names = b"\0.text\0.symtab\0.strtab\0".to_vec();
    let mut symbols = vec![0; 16];
    for symbol in image.symbols().iter().take(12) {
        let name = names.len() as u32;
        names.extend_from_slice(symbol.name.as_bytes());
        names.push(0);
        for word in [name, symbol.address, symbol.size] {
            symbols.extend(word.to_le_bytes());
        }
        symbols.extend([0x12, 0, 1, 0]);
    }
    let code_at = 52 + 32;
    let symbols_at = code_at + code.len();
    let names_at = symbols_at + symbols.len();
    let sections_at = names_at + names.len();
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0\x01\0\0\0".to_vec();
    for word in [segment.address | 1, 52, sections_at as u32, 0x0500_0400] {
        file.extend(word.to_le_bytes());
    }
    for half in [52u16, 32, 1, 40, 4, 3] {
        file.extend(half.to_le_bytes());
    }
    let length = code.len() as u32;
    for word in [1, code_at as u32, segment.address, segment.address, length, length, 5, 4] {
        file.extend(word.to_le_bytes());
    }
    file.extend(&code);
    file.extend(&symbols);
    file.extend(&names);
    let sections = [
        [0; 10],
        [1, 1, 6, segment.address, code_at as u32, length, 0, 0, 4, 0],
        [7, 2, 0, 0, symbols_at as u32, symbols.len() as u32, 3, 1, 4, 16],
        [15, 3, 0, 0, names_at as u32, names.len() as u32, 0, 0, 1, 0],
    ];
    file.extend(sections.iter().flatten().flat_map(|word: &u32| word.to_le_bytes()));
    file
}
