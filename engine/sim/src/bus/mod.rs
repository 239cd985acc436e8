//! What the core can reach: flash, RAM, its own system space and, if wanted, peripherals that
//! remember what was written to them.

mod memory;
mod system;

use std::collections::BTreeMap;

use crate::core::Core;
use crate::fault::{FaultKind, Trap};
pub(crate) use memory::Bytes;
pub use memory::{Memory, Peripherals, Region};
use system::SystemSpace;

/// Peripheral words remembered at most; a firmware that writes to more different ones faults.
const PERIPHERAL_WORDS: usize = 1 << 16;

/// Every address the core can reach, and the clock its counters read.
pub(crate) struct Bus {
    pub(crate) flash: Bytes,
    pub(crate) ram: Bytes,
    /// Core cycles since reset, up to the instruction that is being executed.
    pub(crate) clock: u64,
    pub(crate) system: SystemSpace,
    peripherals: Peripherals,
    peripheral_words: BTreeMap<u32, u32>,
}

impl Bus {
    pub(crate) fn new(core: &Core, memory: &Memory) -> Self {
        Self {
            flash: Bytes::new(memory.flash, 0xff),
            ram: Bytes::new(memory.ram, 0),
            clock: 0,
            system: SystemSpace::new(core),
            peripherals: memory.peripherals,
            peripheral_words: BTreeMap::new(),
        }
    }

    /// Reads `N` (1, 2 or 4) bytes at any alignment.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&mut self, address: u32) -> Result<u32, Trap> {
        match self.ram.get::<N>(address).or_else(|| self.flash.get::<N>(address)) {
            Some(bytes) => Ok(little_endian(bytes)),
            None => self.read_register::<N>(address),
        }
    }

    /// Writes the low `N` (1, 2 or 4) bytes of `value` at any alignment.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(&mut self, address: u32, value: u32) -> Result<(), Trap> {
        match self.ram.get_mut::<N>(address) {
            Some(bytes) => {
                bytes.copy_from_slice(&value.to_le_bytes()[..N]);
                Ok(())
            }
            None => self.write_register::<N>(address, value),
        }
    }

    /// `length` bytes of RAM or flash, as a debugger reads them.
    pub(crate) fn memory(&self, address: u32, length: usize) -> Option<&[u8]> {
        self.ram.slice(address, length).or_else(|| self.flash.slice(address, length))
    }

    /// The same to be written, flash included, as a programmer writes it.
    pub(crate) fn memory_mut(&mut self, address: u32, length: usize) -> Option<&mut [u8]> {
        match self.ram.slice(address, length).is_some() {
            true => self.ram.slice_mut(address, length),
            false => self.flash.slice_mut(address, length),
        }
    }

    #[cold]
    #[inline(never)]
    fn read_register<const N: usize>(&mut self, address: u32) -> Result<u32, Trap> {
        let word = match Space::of(address, N) {
            Space::System => self.system.read(address & !3, self.clock),
            Space::Peripheral if self.peripherals == Peripherals::Remember => {
                self.peripheral_words.get(&(address & !3)).copied().unwrap_or(0)
            }
            _ => return Err(Trap::fault(FaultKind::UnmappedRead, address)),
        };
        Ok((word >> lane(address)) & mask(N))
    }

    #[cold]
    #[inline(never)]
    fn write_register<const N: usize>(&mut self, address: u32, value: u32) -> Result<(), Trap> {
        let aligned = address & !3;
        let merge = |old: u32| (old & !(mask(N) << lane(address))) | ((value & mask(N)) << lane(address));
        match Space::of(address, N) {
            Space::System => {
                let word = merge(self.system.read(aligned, self.clock));
                self.system.write(aligned, word, self.clock)
            }
            Space::Peripheral if self.peripherals == Peripherals::Remember => {
                let known = self.peripheral_words.len();
                let word = self.peripheral_words.entry(aligned).or_insert(0);
                *word = merge(*word);
                match known < PERIPHERAL_WORDS {
                    true => Ok(()),
                    false => Err(Trap::fault(FaultKind::UnmappedWrite, address)),
                }
            }
            _ if self.flash.contains(address) => Err(Trap::fault(FaultKind::FlashWrite, address)),
            _ => Err(Trap::fault(FaultKind::UnmappedWrite, address)),
        }
    }
}

/// The parts of the memory map that are registers: Armv7-M ARM, B3.1.
enum Space {
    System,
    Peripheral,
    Nothing,
}

impl Space {
    /// Where `size` bytes at `address` lie; an access across a word boundary is refused,
    /// because device memory has none.
    fn of(address: u32, size: usize) -> Self {
        match address {
            _ if (address & 3) as usize + size > 4 => Self::Nothing,
            0xe000_0000..=0xe00f_ffff => Self::System,
            0x4000_0000..=0x5fff_ffff => Self::Peripheral,
            _ => Self::Nothing,
        }
    }
}

/// Bit position of a byte address within its word.
fn lane(address: u32) -> u32 {
    (address & 3) * 8
}

fn mask(bytes: usize) -> u32 {
    u32::MAX >> (32 - 8 * bytes as u32)
}

#[inline(always)]
fn little_endian<const N: usize>(bytes: &[u8; N]) -> u32 {
    let mut word = [0; 4];
    word[..N].copy_from_slice(bytes);
    u32::from_le_bytes(word)
}
