//! Setting a machine up, running it in slices, reading and writing its memory, code in RAM.

use super::{CODE, DATA, END, FLASH, RAM, flash, program};
use crate::{AccessError, Image, Machine, MachineError, Memory, Preset, Region, Stop};

fn refused(bytes: &[u8], memory: Memory) -> MachineError {
    let image = Image::from_bytes(FLASH.start, bytes).unwrap();
    Machine::new(&image, Preset::cortex_m4f(), memory).err().unwrap()
}

#[test]
fn impossible_memory_is_refused() {
    let good = flash(&[END]);
    for region in
        [Region::new(FLASH.start, 0), Region::new(FLASH.start, u32::MAX), Region::new(u32::MAX, 4096)]
    {
        let Region { start, size } = region;
        assert_eq!(refused(&good, Memory::new(region, RAM)), MachineError::Region { start, size });
        assert_eq!(refused(&good, Memory::new(FLASH, region)), MachineError::Region { start, size });
    }
    let inside = Region::new(FLASH.start + 4, 4);
    assert_eq!(refused(&good, Memory::new(FLASH, inside)), MachineError::Overlap);
    let small = Region::new(FLASH.start, 8);
    let outside = MachineError::SegmentOutside { address: FLASH.start, size: good.len() as u32 };
    assert_eq!(refused(&good, Memory::new(small, RAM)), outside);
}

#[test]
fn a_vector_table_no_core_would_start_from_is_refused() {
    let memory = Memory::new(FLASH, RAM);
    let table = |sp: u32, reset: u32| [sp.to_le_bytes(), reset.to_le_bytes()].concat();
    let top = RAM.start + RAM.size;
    assert_eq!(refused(&table(top + 4, CODE | 1), memory), MachineError::StackPointer { value: top + 4 });
    assert_eq!(refused(&table(0, CODE | 1), memory), MachineError::StackPointer { value: 0 });
    assert_eq!(refused(&table(top, CODE), memory), MachineError::ResetVector { value: CODE });
    assert_eq!(refused(&table(top, 1), memory), MachineError::ResetVector { value: 1 });
    let last_word = Image::from_bytes(FLASH.start + FLASH.size - 4, &top.to_le_bytes()).unwrap();
    let error = Machine::new(&last_word, Preset::cortex_m4f(), memory).err();
    assert_eq!(error, Some(MachineError::NoVectors { address: FLASH.start + FLASH.size - 4 }));
}

#[test]
fn slices_add_up_to_the_whole() {
    let code = [0xf04f, 0x0064, 0x3801, 0xd1fd]; // MOV.W R0, #100; SUBS R0, #1; BNE
    let mut whole = program(&code);
    assert_eq!(whole.run(u64::MAX), Stop::Breakpoint(0));
    let mut sliced = program(&code);
    sliced.record_profile(true);
    let mut slices = 0;
    while sliced.run(7) == Stop::Limit {
        slices += 1;
    }
    assert_eq!(slices, whole.instructions() / 7);
    assert_eq!(sliced.registers(), whole.registers());
    assert_eq!((sliced.cycles(), sliced.instructions()), (whole.cycles(), whole.instructions()));
    assert_eq!(program(&code).run(0), Stop::Limit);
}

#[test]
fn an_endless_loop_ends_at_the_limit() {
    let mut machine = program(&[0xe7fe]); // B .
    assert_eq!(machine.run(1_000), Stop::Limit);
    assert_eq!((machine.instructions(), machine.cycles()), (1_000, 2_000));
}

#[test]
fn memory_is_read_and_written_from_outside() {
    let mut machine = program(&[]);
    machine.write_memory(DATA, b"abcdef").unwrap();
    let mut out = [0; 4];
    machine.read_memory(DATA + 1, &mut out).unwrap();
    assert_eq!(&out, b"bcde");
    assert_eq!(machine.read_u32(FLASH.start).unwrap(), RAM.start + RAM.size);
    let end = RAM.start + RAM.size;
    assert_eq!(machine.read_u32(end - 2), Err(AccessError { address: end - 2, length: 4 }));
    assert_eq!(machine.write_memory(end - 2, &[0; 4]), Err(AccessError { address: end - 2, length: 4 }));
    assert_eq!(machine.read_memory(0x1234, &mut []), Err(AccessError { address: 0x1234, length: 0 }));
}

#[test]
fn flash_written_from_outside_is_executed() {
    let mut machine = program(&[0x2001, 0xbf00, 0xbf00]); // MOVS R0, #1
    // The wide MOV.W R0, #7 replaces the two NOPs, one halfword at a time.
    machine.write_memory(CODE + 2, &[0x4f, 0xf0]).unwrap();
    machine.write_memory(CODE + 4, &[0x07, 0x00]).unwrap();
    assert_eq!(machine.run(10), Stop::Breakpoint(0));
    assert_eq!((machine.registers().r[0], machine.instructions()), (7, 2));
}

#[test]
fn code_in_ram_runs_and_may_change_itself() {
    // In RAM: MOVS R1, #1; STRH R2, [R0]; MOVS R1, #1 (overwritten with ADDS R1, #4); BX LR
    let routine = [0x2101, 0x8002, 0x2101, 0x4770];
    let mut machine = program(&[0x4798, 0x4798]); // BLX R3, twice
    let bytes: Vec<u8> = routine.iter().flat_map(|h: &u16| h.to_le_bytes()).collect();
    machine.write_memory(DATA, &bytes).unwrap();
    let cpu = machine.cpu_mut();
    (cpu.r[0], cpu.r[2], cpu.r[3]) = (DATA + 4, 0x3104, DATA | 1);
    assert_eq!(machine.run(100), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[1], 5);
}

#[test]
fn an_image_may_run_from_ram() {
    let mut bytes = Vec::new();
    for word in [RAM.start + RAM.size, RAM.start + 9] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes.extend([0x2a, 0x20, 0x00, 0xbe]); // MOVS R0, #42; BKPT #0
    let image = Image::from_bytes(RAM.start, &bytes).unwrap();
    let mut machine = Machine::new(&image, Preset::cortex_m4f(), Memory::new(FLASH, RAM)).unwrap();
    assert_eq!(machine.run(10), Stop::Breakpoint(0));
    assert_eq!(machine.registers().r[0], 42);
}

#[test]
fn a_machine_can_move_to_a_worker_thread() {
    fn is_send<T: Send>() {}
    is_send::<Machine>();
    is_send::<Image>();
}
