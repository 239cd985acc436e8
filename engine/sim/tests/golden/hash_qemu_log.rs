//! Reads QEMU's log (`-singlestep -d exec,cpu,fpu,nochain`) on standard input and prints a rolling hash
//! of all registers for every 4096 instructions, after one of the ELF file given as argument, to tie
//! them to it. Compiled by `record.sh`; it knows nothing of our simulator, so that the golden files
//! come from QEMU alone.
//!
//! The hashes are 64-bit FNV-1a: of the file by bytes, of the registers with 32-bit units over the state
//! *before* each instruction: R0 to R14, PC, APSR (NZCVQ and GE), S0 to S31.

use std::io::{BufRead, BufReader, stdin};
use std::process::ExitCode;

const EVERY: u64 = 4096;
const START: u64 = 0xcbf2_9ce4_8422_2325;
const APSR: u32 = 0xf80f_0000;

struct State {
    core: [u32; 16],
    xpsr: u32,
    float: [u32; 32],
}

fn main() -> ExitCode {
    let elf = std::env::args_os().nth(1).map(std::fs::read);
    let Some(Ok(elf)) = elf else {
        eprintln!("usage: hash_qemu_log FILE.elf < LOG");
        return ExitCode::FAILURE;
    };
    println!("# elf: {:016x}", elf.iter().fold(START, |hash, &byte| fnv(hash, byte.into())));

    let mut state = State { core: [0; 16], xpsr: 0, float: [0; 32] };
    let (mut hash, mut count, mut complete) = (START, 0u64, false);
    let mut line = Vec::new();
    let mut log = BufReader::with_capacity(1 << 20, stdin().lock());
    loop {
        line.clear();
        match log.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                eprintln!("cannot read the log: {error}");
                return ExitCode::FAILURE;
            }
        }
        let text = line.trim_ascii();
        // A block is `Trace`, then the registers, then the line that starts with FPSCR.
        if text.starts_with(b"FPSCR") {
            for word in state.core.iter().chain([&(state.xpsr & APSR)]).chain(&state.float) {
                hash = fnv(hash, *word);
            }
            count += 1;
            complete = count % EVERY == 0;
            if complete {
                println!("{count} {hash:016x}");
            }
        } else if text.starts_with(b"Stopped") {
            eprintln!("QEMU gave up a block it had logged; the log cannot be trusted");
            return ExitCode::FAILURE;
        } else {
            for item in text.split(|&b| b == b' ') {
                if !read_register(&mut state, item) {
                    eprintln!("unexpected line: {}", String::from_utf8_lossy(text));
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    if count == 0 {
        eprintln!("there is no instruction in the log");
        return ExitCode::FAILURE;
    }
    if !complete {
        println!("{count} {hash:016x}");
    }
    ExitCode::SUCCESS
}

fn fnv(hash: u64, unit: u32) -> u64 {
    (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Takes `R00=..`, `s00=..` and `XPSR=..`; everything else is passed over. False if such an item cannot
/// be read.
fn read_register(state: &mut State, item: &[u8]) -> bool {
    let place = match item {
        [b'R', tens @ b'0'..=b'9', ones @ b'0'..=b'9', b'=', ..] => state.core.get_mut(number(*tens, *ones)),
        [b's', tens @ b'0'..=b'9', ones @ b'0'..=b'9', b'=', ..] => state.float.get_mut(number(*tens, *ones)),
        [b'X', b'P', b'S', b'R', b'=', ..] => Some(&mut state.xpsr),
        _ => return true,
    };
    let value = item.split(|&b| b == b'=').nth(1).and_then(hexadecimal);
    match (place, value) {
        (Some(place), Some(value)) => *place = value,
        _ => return false,
    }
    true
}

fn number(tens: u8, ones: u8) -> usize {
    usize::from(tens - b'0') * 10 + usize::from(ones - b'0')
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    u32::from_str_radix(text, 16).ok()
}
