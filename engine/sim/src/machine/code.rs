//! [`Code`]: where decoded instructions come from.

use crate::bus::Bus;
use crate::core::Preset;
use crate::decode::{Decoder, Op, is_wide};
use crate::elf::Image;
use crate::fault::{FaultKind, Trap};
use crate::timing::Pipeline;

/// Decoded instructions kept for code outside of the image's flash; a power of two.
const CACHED: usize = 1 << 12;

/// Decoded code: the image's flash at once, everything else when it is executed.
pub(super) struct Code {
    decoder: Decoder,
    pipeline: Pipeline,
    /// Address of the first of `ops`, one per halfword.
    start: u32,
    ops: Vec<Op>,
    cache: Vec<Cached>,
}

/// Halfwords of flash decoded in advance, 4 MiB: more than any code, and a bound for an image that
/// claims to be scattered over a huge flash.
const DECODED_IN_ADVANCE: usize = 2 << 20;

/// A decoded instruction with the bytes it was decoded from: it is used only while memory still holds
/// them, so that code may change under it.
#[derive(Clone)]
struct Cached {
    address: u32,
    halfwords: (u16, u16),
    op: Op,
}

impl Code {
    pub(super) fn new(preset: &Preset, bus: &Bus, image: &Image) -> Self {
        let in_flash = || image.segments().iter().filter(|s| bus.flash.contains(s.address));
        let start = in_flash().map(|s| s.address).min().unwrap_or(0) & !1;
        let end = in_flash().map(|s| u64::from(s.address) + u64::from(s.file_size())).max().unwrap_or(0);
        let length = end.saturating_sub(start.into()).div_ceil(2) as usize;
        let length = length.min(DECODED_IN_ADVANCE);
        let mut code = Self {
            decoder: Decoder::new(preset.core.features),
            pipeline: preset.pipeline,
            start,
            ops: Vec::new(),
            cache: Vec::new(),
        };
        code.decode_flash(bus, length);
        code
    }

    fn decode_flash(&mut self, bus: &Bus, length: usize) {
        let halfword = |index: usize| read(bus, self.start.wrapping_add(index as u32 * 2)).unwrap_or(0xffff);
        self.ops = (0..length).map(|i| self.decode(halfword(i), halfword(i + 1))).collect();
    }

    fn decode(&self, first: u16, second: u16) -> Op {
        let op = self.decoder.decode(first, second);
        Op { cost: self.pipeline.cost_of(&op), ..op }
    }

    /// The instruction at `pc`, if it lies in the image's flash.
    #[inline(always)]
    pub(super) fn in_flash(&self, pc: u32) -> Option<&Op> {
        self.ops.get((pc.wrapping_sub(self.start) >> 1) as usize)
    }

    /// The instruction at `pc` anywhere else.
    #[cold]
    #[inline(never)]
    pub(super) fn elsewhere(&mut self, bus: &Bus, pc: u32) -> Result<Op, Trap> {
        let unmapped = Trap::fault(FaultKind::UnmappedFetch, pc);
        let first = read(bus, pc).ok_or(unmapped)?;
        let second = match is_wide(first.into()) {
            true => read(bus, pc.wrapping_add(2)).ok_or(unmapped)?,
            false => 0,
        };
        if self.cache.is_empty() {
            // An odd address never equals a PC, so these never hit.
            self.cache = vec![Cached { address: 1, halfwords: (0, 0), op: self.decode(0, 0) }; CACHED];
        }
        let slot = (pc >> 1) as usize & (CACHED - 1);
        let cached = &self.cache[slot];
        if (cached.address, cached.halfwords) == (pc, (first, second)) {
            return Ok(cached.op);
        }
        let op = self.decode(first, second);
        self.cache[slot] = Cached { address: pc, halfwords: (first, second), op };
        Ok(op)
    }

    /// Decodes anew what `length` bytes written at `address` may have changed.
    pub(super) fn rewrite(&mut self, bus: &Bus, address: u32, length: usize) {
        for index in 0..length.div_ceil(2) as u32 + 2 {
            // From one halfword before: a 32-bit instruction may begin there.
            let at = (address & !1).wrapping_sub(2).wrapping_add(index * 2);
            let place = at.wrapping_sub(self.start) as usize / 2;
            if place < self.ops.len() {
                let halfword = |at| read(bus, at).unwrap_or(0xffff);
                self.ops[place] = self.decode(halfword(at), halfword(at.wrapping_add(2)));
            }
        }
    }

    #[cfg(test)]
    pub(super) fn break_decoder(&mut self, bus: &Bus, one: &str, other: &str) {
        self.decoder.swap_rows(one, other);
        self.decode_flash(bus, self.ops.len());
        self.cache.clear();
    }
}

fn read(bus: &Bus, address: u32) -> Option<u16> {
    match bus.memory(address, 2) {
        Some(&[a, b]) => Some(u16::from_le_bytes([a, b])),
        _ => None,
    }
}
