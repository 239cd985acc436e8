//! Flash and RAM: where they lie, how long they are, and their bytes.

/// A span of the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First address.
    pub start: u32,
    /// Bytes.
    pub size: u32,
}

impl Region {
    /// `size` bytes from `start`.
    pub const fn new(start: u32, size: u32) -> Self {
        Self { start, size }
    }

    /// The first address after it; beyond 2^32 - 1 only for regions no machine accepts.
    pub fn end(&self) -> u64 {
        u64::from(self.start) + u64::from(self.size)
    }

    /// Whether both share an address.
    pub fn overlaps(&self, other: &Self) -> bool {
        u64::from(self.start) < other.end() && u64::from(other.start) < self.end()
    }
}

/// What happens at 0x4000_0000 to 0x5fff_ffff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Peripherals {
    /// Any access is a fault: right for firmware that uses none.
    #[default]
    Fault,
    /// Words keep what was written and read 0 before: carries a vendor's set-up code, as long as it
    /// waits for no ready bit.
    Remember,
}

/// The memory of the simulated chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Read only when running; bytes not loaded read 0xff, as erased.
    pub flash: Region,
    /// Zeroed at reset.
    pub ram: Region,
    /// The vendor's registers.
    pub peripherals: Peripherals,
}

impl Memory {
    /// Flash and RAM without peripherals.
    pub const fn new(flash: Region, ram: Region) -> Self {
        Self { flash, ram, peripherals: Peripherals::Fault }
    }
}

/// The bytes of one region.
pub(crate) struct Bytes {
    start: u32,
    bytes: Vec<u8>,
}

impl Bytes {
    pub(crate) fn new(region: Region, fill: u8) -> Self {
        Self { start: region.start, bytes: vec![fill; region.size as usize] }
    }

    /// `N` bytes at `address`, if they lie inside.
    #[inline(always)]
    pub(crate) fn get<const N: usize>(&self, address: u32) -> Option<&[u8; N]> {
        let offset = address.wrapping_sub(self.start) as usize;
        self.bytes.get(offset..offset.checked_add(N)?)?.first_chunk()
    }

    #[inline(always)]
    pub(crate) fn get_mut<const N: usize>(&mut self, address: u32) -> Option<&mut [u8; N]> {
        let offset = address.wrapping_sub(self.start) as usize;
        self.bytes.get_mut(offset..offset.checked_add(N)?)?.first_chunk_mut()
    }

    /// `length` bytes at `address`, if they lie inside.
    pub(crate) fn slice(&self, address: u32, length: usize) -> Option<&[u8]> {
        let offset = address.wrapping_sub(self.start) as usize;
        self.bytes.get(offset..offset.checked_add(length)?)
    }

    pub(crate) fn slice_mut(&mut self, address: u32, length: usize) -> Option<&mut [u8]> {
        let offset = address.wrapping_sub(self.start) as usize;
        self.bytes.get_mut(offset..offset.checked_add(length)?)
    }

    pub(crate) fn contains(&self, address: u32) -> bool {
        (address.wrapping_sub(self.start) as usize) < self.bytes.len()
    }
}
