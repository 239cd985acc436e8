//! Why a machine cannot be set up, or its memory not be reached.

use crate::bus::{Memory, Region};

/// Largest flash or RAM, in bytes: four times what the largest Cortex-M parts have.
const LARGEST_REGION: u32 = 64 << 20;

/// Why [`Machine::new`](crate::Machine::new) refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// A region larger than 64 MiB, or empty, or beyond the address space.
    #[error("{size} bytes of memory at {start:#010x} cannot be simulated (1 byte to 64 MiB within 4 GiB)")]
    Region {
        /// First address.
        start: u32,
        /// Bytes.
        size: u32,
    },
    /// Flash and RAM share addresses.
    #[error("flash and RAM overlap")]
    Overlap,
    /// Part of the image lies outside of flash and RAM.
    #[error("the firmware has {size} bytes at {address:#010x}, outside of the chip's flash and RAM")]
    SegmentOutside {
        /// Load address.
        address: u32,
        /// Bytes.
        size: u32,
    },
    /// No two words where the image begins.
    #[error("there is no vector table at {address:#010x}, where the firmware begins")]
    NoVectors {
        /// Where it was looked for.
        address: u32,
    },
    /// The first word of the image is no stack pointer.
    #[error("the vector table's stack pointer {value:#010x} does not lie in RAM")]
    StackPointer {
        /// The word.
        value: u32,
    },
    /// The second word of the image is no address of Thumb code.
    #[error("the vector table's reset vector {value:#010x} is not the odd address of code in flash or RAM")]
    ResetVector {
        /// The word.
        value: u32,
    },
}

/// Memory that is neither flash nor RAM was to be read or written from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{length} bytes at {address:#010x} do not lie in flash or RAM")]
pub struct AccessError {
    /// First address.
    pub address: u32,
    /// Bytes.
    pub length: usize,
}

pub(super) fn check_memory(memory: &Memory) -> Result<(), MachineError> {
    for Region { start, size } in [memory.flash, memory.ram] {
        let fits = Region { start, size }.end() <= 1 << 32;
        if size == 0 || size > LARGEST_REGION || !fits {
            return Err(MachineError::Region { start, size });
        }
    }
    match memory.flash.overlaps(&memory.ram) {
        true => Err(MachineError::Overlap),
        false => Ok(()),
    }
}
