//! Special registers, counters, semihosting.

use super::{DATA, program, run};
use crate::{FaultKind, Machine, Stop};

const CYCCNT: u32 = 0xe000_1004;

/// LDR R1, [R0].
const READ: u16 = 0x6801;
/// STR R1, [R0].
const WRITE: u16 = 0x6001;

fn write(machine: &mut Machine, address: u32, value: u32) {
    let clock = machine.cycles();
    machine.cpu_mut().bus.system.write(address, value, clock).unwrap();
}

#[test]
fn the_cycle_counter_runs_when_switched_on() {
    let mut machine = program(&[0xbf00, 0xbf00, READ, 0xbf00, 0xbf00]);
    machine.cpu_mut().r[0] = CYCCNT;
    assert_eq!(machine.run(100), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[1], 0, "CYCCNTENA is clear after reset");

    let mut machine = program(&[0xbf00, 0xbf00, READ, 0xbf00, 0xbf00, 0x6802]);
    machine.cpu_mut().r[0] = CYCCNT;
    write(&mut machine, 0xe000_edfc, 1 << 24);
    write(&mut machine, 0xe000_1000, 1);
    assert_eq!(machine.run(100), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[1], 2);
    assert_eq!(machine.registers().r[2], 2 + 2 + 2, "the first load, two NOPs");
}

#[test]
fn the_cycle_counter_can_be_set() {
    let mut machine = program(&[WRITE, 0xbf00, READ]);
    machine.cpu_mut().r[..2].copy_from_slice(&[CYCCNT, u32::MAX]);
    write(&mut machine, 0xe000_edfc, 1 << 24);
    write(&mut machine, 0xe000_1000, 1);
    assert_eq!(machine.run(100), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[1], 1, "it wraps");
}

#[test]
fn systick_counts_down_and_reloads() {
    let nops = [0xbf00; 14];
    let mut machine = program(&[&nops[..], &[READ, 0x6802]].concat());
    machine.cpu_mut().r[0] = 0xe000_e018;
    write(&mut machine, 0xe000_e014, 9);
    write(&mut machine, 0xe000_e018, 0);
    write(&mut machine, 0xe000_e010, 5);
    assert_eq!(machine.run(100), Stop::Breakpoint(0));
    // 0, then 9 to 0 again: after 14 cycles it stands at 9 - 3.
    assert_eq!(machine.registers().r[1], 6);
    assert_eq!(machine.registers().r[2], 4);
    let clock = machine.cycles();
    let control = machine.cpu_mut().bus.system.read(0xe000_e010, clock);
    assert_eq!(control, 5 | 1 << 16, "COUNTFLAG");
    assert_eq!(machine.cpu_mut().bus.system.read(0xe000_e010, clock), 5, "is cleared by reading");
}

#[test]
fn identification_and_vector_table_can_be_read() {
    let machine = run(&[READ, 0x6882], &[(0, 0xe000_ed00)]); // CPUID; VTOR
    assert_eq!(machine.registers().r[1], 0x410f_c241);
    assert_eq!(machine.registers().r[2], super::FLASH.start);
}

#[test]
fn a_system_reset_is_reported() {
    let mut machine = program(&[WRITE]);
    machine.cpu_mut().r[..2].copy_from_slice(&[0xe000_ed0c, 0x05fa_0004]);
    assert!(matches!(machine.run(10), Stop::Fault(fault) if fault.kind == FaultKind::ResetRequest));
    let ignored = run(&[WRITE], &[(0, 0xe000_ed0c), (1, 0x0000_0004)]);
    assert_eq!(ignored.instructions(), 1, "without the key nothing happens");
}

#[test]
fn stack_pointers_are_banked() {
    // MSR PSP, R0; MRS R1, PSP; MSR CONTROL, R2; MOV R3, SP; MRS R4, MSP
    let code = [0xf380, 0x8809, 0xf3ef, 0x8109, 0xf382, 0x8814, 0x466b, 0xf3ef, 0x8408];
    let machine = run(&code, &[(0, DATA + 3), (2, 2)]);
    let r = machine.registers().r;
    assert_eq!((r[1], r[3], r[4]), (DATA, DATA, super::RAM.start + super::RAM.size));
}

#[test]
fn masks_are_kept() {
    // CPSID i; MRS R0, PRIMASK
    assert_eq!(run(&[0xb672, 0xf3ef, 0x8010], &[]).registers().r[0], 1);
    // MSR BASEPRI, R0; MSR BASEPRI_MAX, R1; MRS R0, BASEPRI
    let code = [0xf380, 0x8811, 0xf381, 0x8812, 0xf3ef, 0x8011];
    assert_eq!(run(&code, &[(0, 0x40), (1, 0x20)]).registers().r[0], 0x20);
    assert_eq!(run(&code, &[(0, 0x40), (1, 0x60)]).registers().r[0], 0x40);
}

#[test]
fn flags_can_be_written() {
    // MSR APSR_nzcvq, R0; MRS R1, APSR
    let machine = run(&[0xf380, 0x8800, 0xf3ef, 0x8100], &[(0, u32::MAX)]);
    assert_eq!(machine.registers().r[1], 0xf800_0000);
}

/// BKPT #0xab with the number in R0 and the argument in R1.
fn semihost(number: u32, argument: u32, memory: &[u8]) -> (Stop, Machine) {
    let mut machine = program(&[0xbeab]);
    machine.cpu_mut().r[..2].copy_from_slice(&[number, argument]);
    machine.write_memory(DATA, memory).unwrap();
    (machine.run(10), machine)
}

#[test]
fn semihosting_collects_text() {
    assert_eq!(semihost(0x04, DATA, b"hello\0more").1.output(), b"hello");
    assert_eq!(semihost(0x03, DATA, b"x").1.output(), b"x");
    let block: Vec<u8> =
        [1, DATA + 12, 5].iter().flat_map(|w: &u32| w.to_le_bytes()).chain(*b"12345").collect();
    let (_, machine) = semihost(0x05, DATA, &block);
    assert_eq!((machine.output(), machine.registers().r[0]), (&b"12345"[..], 0));
    assert_eq!(semihost(0x06, DATA, b"").1.registers().r[0], u32::MAX, "an unknown call");
}

#[test]
fn semihosting_ends_with_a_code() {
    assert_eq!(semihost(0x18, 0x20026, b"").0, Stop::Exit(0));
    assert_eq!(semihost(0x18, 0x20023, b"").0, Stop::Exit(1));
    let block = [0x26, 0, 2, 0, 42, 0, 0, 0];
    assert_eq!(semihost(0x20, DATA, &block).0, Stop::Exit(42));
}

#[test]
fn text_without_an_end_is_a_fault() {
    let end = super::RAM.start + super::RAM.size;
    let mut machine = program(&[0xbeab]);
    machine.cpu_mut().r[..2].copy_from_slice(&[4, end - 2]);
    machine.write_memory(end - 2, b"ab").unwrap();
    assert!(matches!(machine.run(10), Stop::Fault(fault) if fault.address == end));
}
