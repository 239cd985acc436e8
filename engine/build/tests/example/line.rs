//! The other end of the serial line: a simulated core with the firmware, and a port made by the test.
//!
//! The simulator has no devices, so the port's registers are memory, and the test does between any two instructions
//! what the port would: it takes what was written, and hands out the next byte when the last one was read.

use std::collections::VecDeque;

use wirebench_sim::{Image, Machine, Memory, Preset, Region, Registers, Stop};

use crate::project::USART;

/// Offsets and bits of the registers, as `uart.rs` of the example has them.
const STATUS: u32 = USART + 0x1c;
const RECEIVED: u32 = USART + 0x24;
const TRANSMIT: u32 = USART + 0x28;
const RECEIVED_FLAG: u32 = 1 << 5;
const EMPTY_FLAG: u32 = 1 << 7;

/// Stands in the transmit register while nothing was written: no byte is this.
const NOTHING: u32 = u32::MAX;

/// Instructions a byte takes on the line, either way: a fast line, on which waiting is tried all the same.
const BYTE: u64 = 400;

/// More than any answer needs.
const PATIENCE: u64 = 2_000_000;

/// A running device and the line to it.
pub struct Line {
    machine: Machine,
    to_device: VecDeque<u8>,
    from_device: Vec<u8>,
    next_receive: u64,
    transmit_done: u64,
}

impl Line {
    pub fn to(elf: &[u8]) -> Line {
        let image = Image::load(elf).unwrap();
        // The example's memory, and behind its RAM the registers of the port.
        let memory =
            Memory::new(Region::new(0x0800_0000, 512 << 10), Region::new(0x2000_0000, (128 << 10) + 1024));
        let machine = Machine::new(&image, Preset::cortex_m4f(), memory).unwrap();
        let mut line = Line {
            machine,
            to_device: VecDeque::new(),
            from_device: Vec::new(),
            next_receive: 0,
            transmit_done: 0,
        };
        line.set(STATUS, EMPTY_FLAG);
        line.set(TRANSMIT, NOTHING);
        line
    }

    /// Instructions since reset.
    pub fn instructions(&self) -> u64 {
        self.machine.instructions()
    }

    /// Deepest stack so far, in bytes.
    pub fn peak_stack(&self) -> u32 {
        self.machine.peak_stack()
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.to_device.extend(bytes);
    }

    /// The next frame from the device, without its length.
    pub fn receive(&mut self) -> Vec<u8> {
        let end = self.instructions() + PATIENCE;
        while self.instructions() < end {
            if let Some((length, body)) = self.from_device.split_first()
                && body.len() == usize::from(*length)
            {
                let frame = body.to_vec();
                self.from_device.clear();
                return frame;
            }
            self.step();
        }
        panic!("no answer; the device read all but {:?} and sent {:?}", self.to_device, self.from_device);
    }

    fn step(&mut self) {
        let takes_byte = self.loads_from() == Some(RECEIVED);
        assert_eq!(self.machine.run(1), Stop::Limit, "{:?}", self.machine);
        let now = self.instructions();
        let mut status = self.get(STATUS);
        if takes_byte {
            assert!(status & RECEIVED_FLAG != 0, "the firmware reads a byte that is not there");
            status &= !RECEIVED_FLAG;
            self.next_receive = now + BYTE;
        }
        if status & RECEIVED_FLAG == 0
            && now >= self.next_receive
            && let Some(byte) = self.to_device.pop_front()
        {
            self.set(RECEIVED, byte.into());
            status |= RECEIVED_FLAG;
        }
        let written = self.get(TRANSMIT);
        if written != NOTHING {
            assert!(status & EMPTY_FLAG != 0, "the firmware writes while the last byte is being sent");
            self.from_device.push(written.try_into().unwrap());
            self.set(TRANSMIT, NOTHING);
            status &= !EMPTY_FLAG;
            self.transmit_done = now + BYTE;
        }
        if now >= self.transmit_done {
            status |= EMPTY_FLAG;
        }
        self.set(STATUS, status);
    }

    /// The address the next instruction loads from, if it is a load with a base register and an offset.
    fn loads_from(&self) -> Option<u32> {
        let Registers { r, .. } = self.machine.registers();
        let code = self.get(r[15]);
        let (first, second) = (code & 0xffff, code >> 16);
        let narrow = |scale: u32| r[(first >> 3 & 7) as usize].wrapping_add((first >> 6 & 31) * scale);
        match (first >> 11, first & 0xfff0) {
            (0b01101, _) => Some(narrow(4)),
            (0b01111, _) => Some(narrow(1)),
            (0b10001, _) => Some(narrow(2)),
            (_, 0xf8d0 | 0xf890 | 0xf8b0) => Some(r[(first & 15) as usize].wrapping_add(second & 0xfff)),
            _ => None,
        }
    }

    fn get(&self, address: u32) -> u32 {
        self.machine.read_u32(address).unwrap()
    }

    fn set(&mut self, address: u32, word: u32) {
        self.machine.write_memory(address, &word.to_le_bytes()).unwrap();
    }
}
