//! Varints, zigzag and tags, as the protobuf encoding guide defines them.

/// How the value behind a tag is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WireType {
    /// 0: one to ten bytes, seven bits each.
    Varint,
    /// 1: eight bytes, little-endian.
    I64,
    /// 2: a length, then that many bytes.
    Len,
    /// 3: a group starts.
    StartGroup,
    /// 4: a group ends.
    EndGroup,
    /// 5: four bytes, little-endian.
    I32,
}

impl WireType {
    /// The wire type in the low three bits of a tag; 6 and 7 do not exist.
    pub fn from_tag(tag: u64) -> Option<WireType> {
        match tag & 7 {
            0 => Some(WireType::Varint),
            1 => Some(WireType::I64),
            2 => Some(WireType::Len),
            3 => Some(WireType::StartGroup),
            4 => Some(WireType::EndGroup),
            5 => Some(WireType::I32),
            _ => None,
        }
    }

    /// The low three bits of a tag.
    pub fn number(self) -> u32 {
        match self {
            WireType::Varint => 0,
            WireType::I64 => 1,
            WireType::Len => 2,
            WireType::StartGroup => 3,
            WireType::EndGroup => 4,
            WireType::I32 => 5,
        }
    }

    /// The name the encoding guide uses: `VARINT`, `I64`, `LEN`, `SGROUP`, `EGROUP`, `I32`.
    pub fn name(self) -> &'static str {
        match self {
            WireType::Varint => "VARINT",
            WireType::I64 => "I64",
            WireType::Len => "LEN",
            WireType::StartGroup => "SGROUP",
            WireType::EndGroup => "EGROUP",
            WireType::I32 => "I32",
        }
    }
}

/// A varint that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Varint {
    /// Its low 64 bits.
    pub value: u64,
    /// Bytes it took, 1 to 10.
    pub len: usize,
    /// Whether bits over 64 were dropped from the tenth byte.
    pub dropped_bits: bool,
}

/// Why a varint could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VarintError {
    /// The bytes end before its last byte.
    Cut,
    /// It is longer than ten bytes; `len` is where it ends, the bytes' end at the latest.
    TooLong { len: usize },
}

/// Reads the varint at the start of `bytes`.
pub(crate) fn read(bytes: &[u8]) -> Result<Varint, VarintError> {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok(Varint { value, len: at + 1, dropped_bits: at == 9 && *byte > 1 });
        }
    }
    if bytes.len() <= 10 {
        // Ten continuation bytes can no longer become a varint, but fewer could.
        return if bytes.len() == 10 { Err(VarintError::TooLong { len: 10 }) } else { Err(VarintError::Cut) };
    }
    let rest = &bytes[10..];
    let len = rest.iter().position(|b| b & 0x80 == 0).map_or(bytes.len(), |at| 11 + at);
    Err(VarintError::TooLong { len })
}

/// Appends `value` in its shortest form.
pub(crate) fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Bytes of the shortest form of `value`.
pub(crate) fn len(value: u64) -> usize {
    ((70 - (value | 1).leading_zeros() as usize) / 7).max(1)
}

/// Appends a tag.
pub(crate) fn write_tag(out: &mut Vec<u8>, number: u32, wire_type: WireType) {
    write(out, u64::from(number) << 3 | u64::from(wire_type.number()));
}

/// Zigzag to signed.
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Signed to zigzag.
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_in_the_length_that_was_promised() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut bytes = Vec::new();
                write(&mut bytes, value);
                assert_eq!(bytes.len(), len(value), "{value}");
                assert_eq!(read(&bytes), Ok(Varint { value, len: bytes.len(), dropped_bits: false }));
            }
        }
    }

    #[test]
    fn eleven_bytes_are_too_long_and_end_at_their_last_byte() {
        let mut bytes = vec![0xa1; 10];
        bytes.extend([0x00, 0x08]);
        assert_eq!(read(&bytes), Err(VarintError::TooLong { len: 11 }));
        assert_eq!(read(&[0x80; 9]), Err(VarintError::Cut));
        assert_eq!(read(&[0x80; 10]), Err(VarintError::TooLong { len: 10 }));
    }

    #[test]
    fn zigzag_keeps_both_ends_of_the_range() {
        for value in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!((zigzag(-1), zigzag(i64::MIN)), (1, u64::MAX));
    }
}
