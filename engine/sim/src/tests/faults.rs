//! What a core must refuse, and how it is reported.

use super::{CODE, DATA, FLASH, RAM, program};
use crate::{Fault, FaultKind, Image, Machine, Memory, Peripherals, Preset, Stop};

fn fault_of(code: &[u16], registers: &[(usize, u32)]) -> Fault {
    let mut machine = program(code);
    for &(register, value) in registers {
        machine.cpu_mut().r[register] = value;
    }
    match machine.run(100) {
        Stop::Fault(fault) => fault,
        stop => panic!("{code:04x?}: {stop:?}"),
    }
}

fn check(code: &[u16], registers: &[(usize, u32)], kind: FaultKind, address: u32) {
    let fault = fault_of(code, registers);
    assert_eq!((fault.kind, fault.address), (kind, address), "{code:04x?}");
    assert_eq!(fault.pc, CODE, "{code:04x?}");
}

#[test]
fn undefined_encodings() {
    for code in [&[0xde01][..], &[0xf7f0, 0xa001], &[0xba80], &[0xffff, 0xffff], &[0xea80, 0x0f00 | 0x8000]] {
        let fault = fault_of(code, &[]);
        assert_eq!(fault.kind, FaultKind::UndefinedInstruction, "{code:04x?}");
    }
    check(&[0xde01], &[], FaultKind::UndefinedInstruction, 0xde01);
    check(&[0xdf05], &[], FaultKind::SupervisorCall, 5);
}

#[test]
fn unmapped_memory() {
    check(&[0x6801], &[(0, 0x1000_0000)], FaultKind::UnmappedRead, 0x1000_0000);
    check(&[0x6001], &[(0, 0x1000_0000)], FaultKind::UnmappedWrite, 0x1000_0000);
    let end = RAM.start + RAM.size;
    check(&[0x6801], &[(0, end)], FaultKind::UnmappedRead, end);
    check(&[0x6801], &[(0, end - 2)], FaultKind::UnmappedRead, end - 2);
    check(&[0x6801], &[(0, RAM.start.wrapping_sub(2))], FaultKind::UnmappedRead, RAM.start - 2);
    check(&[0x6801], &[(0, u32::MAX)], FaultKind::UnmappedRead, u32::MAX);
}

#[test]
fn flash_is_read_only() {
    check(&[0x6001], &[(0, FLASH.start)], FaultKind::FlashWrite, FLASH.start);
    check(
        &[0x7001],
        &[(0, FLASH.start + FLASH.size - 1)],
        FaultKind::FlashWrite,
        FLASH.start + FLASH.size - 1,
    );
}

#[test]
fn lists_and_pairs_must_be_aligned() {
    for code in [&[0xc806][..], &[0xc006], &[0xe9d0, 0x1200], &[0xe9c0, 0x1200], &[0xe850, 0x1f00]] {
        check(code, &[(0, DATA + 2)], FaultKind::Unaligned, DATA + 2);
    }
}

#[test]
fn branches_need_a_thumb_address() {
    check(&[0x4700], &[(0, CODE)], FaultKind::ArmState, CODE);
    check(&[0x4700], &[(0, 0xffff_fff9)], FaultKind::ExceptionReturn, 0xffff_fff9);
    let nowhere = fault_of(&[0x4700], &[(0, 0x3000_0001)]);
    assert_eq!((nowhere.kind, nowhere.pc), (FaultKind::UnmappedFetch, 0x3000_0000));
    // A reset handler that returns: LR is 0xffffffff after reset.
    check(&[0x4770], &[], FaultKind::ExceptionReturn, u32::MAX);
}

#[test]
fn erased_flash_is_no_code() {
    let fault = fault_of(&[0x4700], &[(0, FLASH.start + 0x8001)]);
    assert_eq!(fault.kind, FaultKind::UndefinedInstruction);
}

#[test]
fn after_a_fault_the_pc_stays() {
    let mut machine = program(&[0xbf00, 0xde00]);
    let first = machine.run(10);
    assert!(matches!(&first, Stop::Fault(fault) if fault.pc == CODE + 2));
    assert_eq!(machine.run(10), first);
    assert_eq!(machine.instructions(), 1);
}

#[test]
fn peripherals_fault_or_remember() {
    let code = [0x6001, 0x6802, super::END]; // STR R1, [R0]; LDR R2, [R0]
    let image = Image::from_bytes(FLASH.start, &super::flash(&code)).unwrap();
    let run = |peripherals| {
        let memory = Memory { peripherals, ..Memory::new(FLASH, RAM) };
        let mut machine = Machine::new(&image, Preset::cortex_m4f(), memory).unwrap();
        machine.cpu_mut().r[..2].copy_from_slice(&[0x4002_3c00, 77]);
        (machine.run(10), machine.registers().r[2])
    };
    assert_eq!(run(Peripherals::Remember), (Stop::Breakpoint(0), 77));
    assert!(matches!(run(Peripherals::Fault).0, Stop::Fault(_)));
}

#[test]
fn a_fault_names_its_function() {
    let image = Image::load(&super::golden::elf("workloads-o3")).unwrap();
    let sort = image.symbols().iter().find(|s| s.name.contains("heap_sort")).unwrap();
    let mut machine = super::golden::machine("workloads-o3");
    machine.write_memory(sort.address, &[0x00, 0xde]).unwrap();
    let stop = machine.run(u64::MAX);
    let Stop::Fault(fault) = stop else { panic!("{stop:?}") };
    assert_eq!((fault.pc, fault.symbol.as_deref()), (sort.address, Some(sort.name.as_str())));
}

#[test]
fn a_fault_reads_as_a_sentence() {
    let fault = Fault {
        kind: FaultKind::UnmappedRead,
        pc: 0x0800_0010,
        address: 4,
        symbol: Some("decode".to_owned()),
    };
    assert_eq!(fault.to_string(), "read of unmapped memory (0x00000004) at 0x08000010 in decode");
}
