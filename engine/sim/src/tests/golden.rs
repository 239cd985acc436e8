//! The simulator against hashes of every register that QEMU recorded (`tests/golden`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Image, Machine, Memory, Preset, Region, Stop};

const EVERY: u64 = 4096;
pub(super) const FIXTURES: [&str; 3] = ["workloads-o3", "workloads-os", "instructions"];

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

pub(super) fn elf(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.elf"))).unwrap()
}

pub(super) fn machine(name: &str) -> Machine {
    // QEMU's netduinoplus2 has 1 MiB of flash and 128 KiB of RAM.
    let memory = Memory::new(Region::new(0x0800_0000, 1 << 20), Region::new(0x2000_0000, 128 << 10));
    Machine::new(&Image::load(&elf(name)).unwrap(), Preset::cortex_m4f(), memory).unwrap()
}

fn fnv(hash: u64, unit: u32) -> u64 {
    (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3)
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The lines of a golden file that say what happened: the ELF's hash, then `instructions hash`.
fn recorded(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(format!("{name}.golden"))).unwrap();
    let says_what_happened = |line: &&str| !line.starts_with('#') || line.starts_with("# elf:");
    text.lines().filter(says_what_happened).map(str::to_owned).collect()
}

/// The same lines as our simulator has them, up to the first that differs from `expected`.
fn simulated(mut machine: Machine, name: &str, expected: &[String]) -> Vec<String> {
    let elf = elf(name).iter().fold(START, |hash, &byte| fnv(hash, byte.into()));
    let mut lines = vec![format!("# elf: {elf:016x}")];
    let (mut hash, mut count) = (START, 0u64);
    loop {
        let registers = machine.registers();
        let apsr = registers.apsr & 0xf80f_0000;
        hash =
            registers.r.iter().chain([&apsr]).chain(&registers.s).fold(hash, |hash, &word| fnv(hash, word));
        count += 1;
        let stop = machine.run(1);
        if count % EVERY == 0 || stop != Stop::Limit {
            lines.push(format!("{count} {hash:016x}"));
        }
        let differs = lines.last() != expected.get(lines.len() - 1);
        if stop != Stop::Limit || differs {
            return lines;
        }
    }
}

#[test]
fn every_register_is_as_qemu_recorded_it() {
    for name in FIXTURES {
        let expected = recorded(&folder(), name);
        assert!(expected.len() > 50, "{name}.golden is too short to prove anything");
        assert_eq!(simulated(machine(name), name, &expected), expected, "{name}");
    }
}

/// Without this, the test above could pass by comparing nothing.
#[test]
fn one_wrong_decoder_row_changes_the_hashes() {
    let swaps = [
        ("workloads-o3", "ADC (register) T1", "SBC (register) T1"),
        ("workloads-os", "UXTB T1", "SXTB T1"),
        ("instructions", "VFNMA T1", "VFNMS T1"),
        ("instructions", "SMLALD T1", "SMLALxy T1"),
    ];
    for (name, one, other) in swaps {
        let expected = recorded(&folder(), name);
        let mut broken = machine(name);
        broken.break_decoder(one, other);
        assert_ne!(simulated(broken, name, &expected), expected, "{name}: {one} for {other}");
    }
}

#[test]
fn qemu_still_says_what_it_said() {
    let installed = |program| Command::new(program).arg("--version").output().is_ok();
    if !installed("qemu-system-arm") || !installed("rustc") {
        return;
    }
    let fresh = std::env::temp_dir().join(format!("wirebench-golden-{}", std::process::id()));
    fs::create_dir_all(&fresh).unwrap();
    let outcome = Command::new(folder().join("record.sh")).arg(&fresh).status().unwrap();
    let lines = FIXTURES.map(|name| outcome.success().then(|| recorded(&fresh, name)));
    fs::remove_dir_all(&fresh).unwrap();
    for (name, lines) in FIXTURES.into_iter().zip(lines) {
        assert_eq!(lines.expect("QEMU could not be run"), recorded(&folder(), name), "{name}");
    }
}
