//! Random values from a seed, with a liking for the edges where codecs break.

use crate::schema::{EnumId, Field, Kind, Model};
use crate::wire::value::Value;

use super::{Choose, Range};

pub(super) struct Seeded {
    state: u64,
}

impl Seeded {
    pub fn new(seed: u64) -> Seeded {
        Seeded { state: seed }
    }

    /// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators").
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if that is 0.
    fn below(&mut self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// All lengths are as likely up to the maximum's bit length, so that short and full ones both come.
    fn length(&mut self, max: u32) -> u32 {
        match self.below(8) {
            0 => max,
            1 => 0,
            _ => {
                let bits = self.below(u64::from(33 - max.leading_zeros())) as u32;
                (self.next() as u32 & ((1u64 << bits) - 1) as u32).min(max)
            }
        }
    }
}

impl Choose for Seeded {
    fn is_set(&mut self, _field: &Field) -> bool {
        self.below(4) > 0
    }

    fn items(&mut self, max: Option<u32>) -> u32 {
        self.length(max.unwrap_or(8).min(32))
    }

    fn payload(&mut self, field: &Field, max: Option<u32>, _at: u32) -> Vec<u8> {
        let len = self.length(max.unwrap_or(64).min(512)) as usize;
        let mut out = Vec::with_capacity(len);
        while out.len() < len {
            if field.kind == Kind::Bytes {
                out.push(self.next() as u8);
                continue;
            }
            // Mostly ASCII, with characters of two to four bytes where they still fit.
            let c = match self.below(12) {
                0 => 'é',
                1 => '中',
                2 => '😀',
                3 => '\u{1}',
                _ => char::from(b' ' + self.below(95) as u8),
            };
            let c = if c.len_utf8() > len - out.len() { 'x' } else { c };
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        out
    }

    fn number(&mut self, field: &Field, range: Range, _at: u32) -> Value {
        const FLOATS: [f64; 6] = [-0.0, 0.0, f64::NAN, f64::NEG_INFINITY, 1.5, -2.25e9];
        let pick = self.below(10) as usize;
        match field.kind {
            Kind::Bool => Value::Bool(pick.is_multiple_of(2)),
            Kind::Double => Value::Double(match FLOATS.get(pick) {
                Some(float) => *float,
                None => f64::from_bits(self.next()),
            }),
            Kind::Float => Value::Float(match FLOATS.get(pick) {
                Some(float) => *float as f32,
                None => f32::from_bits(self.next() as u32),
            }),
            _ => range.value(match pick {
                0 => 0,
                1 => range.low,
                2 => range.high,
                3 => -1,
                // As many values of each length as of any other.
                _ => {
                    let bits = self.below(64);
                    let size = i128::from(self.next() >> bits);
                    if self.below(2) == 0 { size } else { -size }
                }
            }),
        }
    }

    fn enumeration(&mut self, model: &Model, id: EnumId, _at: u32) -> i32 {
        let declared = model.enumeration(id);
        if !declared.is_closed && self.below(8) == 0 {
            return self.next() as i32;
        }
        let at = self.below(declared.values.len() as u64) as usize;
        declared.values.get(at).map_or(0, |v| v.number)
    }

    fn member(&mut self, candidates: usize) -> Option<usize> {
        (self.below(5) > 0).then(|| self.below(candidates as u64) as usize)
    }
}
