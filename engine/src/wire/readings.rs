//! What bytes may mean where no schema says: all plausible readings, the likely one first.

use std::collections::HashMap;

use super::span::ByteSpan;
use super::text;
use super::varint::{self, WireType};

/// One way to read a field's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadAs {
    /// uint32, uint64, fixed32, fixed64.
    Unsigned,
    /// int32, int64, sfixed32, sfixed64.
    Signed,
    /// sint32, sint64.
    Zigzag,
    /// bool.
    Bool,
    /// float or double.
    Float,
    /// string.
    Text,
    /// bytes.
    Bytes,
    /// A nested message.
    Message,
    /// Packed varints.
    PackedVarints,
    /// Packed items of four bytes.
    PackedFixed32,
    /// Packed items of eight bytes.
    PackedFixed64,
}

impl ReadAs {
    /// A word for lists: `unsigned`, `zigzag`, `packed varints`.
    pub fn word(self) -> &'static str {
        match self {
            ReadAs::Unsigned => "unsigned",
            ReadAs::Signed => "signed",
            ReadAs::Zigzag => "zigzag",
            ReadAs::Bool => "bool",
            ReadAs::Float => "float",
            ReadAs::Text => "text",
            ReadAs::Bytes => "bytes",
            ReadAs::Message => "message",
            ReadAs::PackedVarints => "packed varints",
            ReadAs::PackedFixed32 => "packed 32-bit",
            ReadAs::PackedFixed64 => "packed 64-bit",
        }
    }
}

/// One reading with what it gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How.
    pub read_as: ReadAs,
    /// The value in a few words.
    pub text: String,
}

/// How the user wants unknown fields read, by the field numbers from the top down to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices(pub HashMap<Vec<u32>, ReadAs>);

impl Choices {
    pub(crate) fn get(&self, spans: &[ByteSpan], record: u32) -> Option<ReadAs> {
        if self.0.is_empty() {
            return None;
        }
        let mut numbers = Vec::new();
        let mut next = Some(record);
        while let Some(span) = next.and_then(|at| spans.get(at as usize)) {
            numbers.push(span.number);
            next = span.parent;
        }
        numbers.reverse();
        self.0.get(&numbers).copied()
    }
}

/// All plausible readings of a value without tag and length, the likely one first. Empty for groups.
///
/// ```
/// use wirebench_engine::wire::{ReadAs, WireType, readings};
/// let all = readings(WireType::Varint, &[0x96, 0x01]);
/// assert_eq!((all[0].read_as, all[0].text.as_str()), (ReadAs::Unsigned, "150"));
/// assert!(all.iter().any(|r| r.read_as == ReadAs::Zigzag && r.text == "75"));
/// ```
pub fn readings(wire_type: WireType, payload: &[u8]) -> Vec<Reading> {
    let reading = |read_as, text: String| Reading { read_as, text };
    match wire_type {
        WireType::Varint => {
            let Ok(read) = varint::read(payload) else { return Vec::new() };
            let raw = read.value;
            let unsigned = reading(ReadAs::Unsigned, raw.to_string());
            let zigzag = reading(ReadAs::Zigzag, varint::unzigzag(raw).to_string());
            // As int64, or as the five bytes of an int32 whose sender left the upper half out.
            let signed = if raw >> 31 == 1 { i64::from(raw as i32) } else { raw as i64 };
            let mut all = if raw >> 63 == 1 {
                vec![reading(ReadAs::Signed, signed.to_string()), unsigned, zigzag]
            } else if signed < 0 {
                vec![unsigned, reading(ReadAs::Signed, signed.to_string()), zigzag]
            } else {
                vec![unsigned, zigzag]
            };
            if raw <= 1 {
                all.push(reading(ReadAs::Bool, (raw == 1).to_string()));
            }
            all
        }
        WireType::I32 => {
            let Ok(bytes) = <[u8; 4]>::try_from(payload) else { return Vec::new() };
            let raw = u32::from_le_bytes(bytes);
            let float = f32::from_bits(raw);
            fixed(f64::from(float), text::float32(float), u64::from(raw), i64::from(raw as i32))
        }
        WireType::I64 => {
            let Ok(bytes) = <[u8; 8]>::try_from(payload) else { return Vec::new() };
            let raw = u64::from_le_bytes(bytes);
            let float = f64::from_bits(raw);
            fixed(float, text::float64(float), raw, raw as i64)
        }
        WireType::Len => of_payload(payload),
        WireType::StartGroup | WireType::EndGroup => Vec::new(),
    }
}

fn fixed(float: f64, float_text: String, raw: u64, signed: i64) -> Vec<Reading> {
    let as_float = Reading { read_as: ReadAs::Float, text: float_text };
    let mut all = vec![Reading { read_as: ReadAs::Unsigned, text: raw.to_string() }];
    if signed < 0 {
        all.push(Reading { read_as: ReadAs::Signed, text: signed.to_string() });
    }
    // Sensor values, coordinates and factors lie in this range; counters and addresses hardly ever read as such.
    let is_likely = raw != 0 && (1e-6..1e9).contains(&float.abs());
    all.insert(if is_likely { 0 } else { all.len() }, as_float);
    all
}

fn of_payload(payload: &[u8]) -> Vec<Reading> {
    let likely = likely_payload(payload);
    let mut all = vec![likely];
    let also = |read_as: ReadAs, plausible: bool, all: &mut Vec<ReadAs>| {
        if plausible && read_as != likely {
            all.push(read_as);
        }
    };
    also(ReadAs::Message, is_message(payload), &mut all);
    also(ReadAs::Text, std::str::from_utf8(payload).is_ok(), &mut all);
    also(ReadAs::PackedVarints, is_packed_varints(payload), &mut all);
    also(ReadAs::PackedFixed32, !payload.is_empty() && payload.len().is_multiple_of(4), &mut all);
    also(ReadAs::PackedFixed64, !payload.is_empty() && payload.len().is_multiple_of(8), &mut all);
    also(ReadAs::Bytes, true, &mut all);
    all.into_iter().map(|read_as| Reading { read_as, text: text::of_payload(read_as, payload) }).collect()
}

/// What a `LEN` payload looks like most: text if all of it is printable, else a message if its fields are well
/// formed, else bytes.
pub(crate) fn likely_payload(payload: &[u8]) -> ReadAs {
    let is_text = std::str::from_utf8(payload).is_ok_and(|text| text.chars().all(is_printable));
    let is_message = !payload.is_empty() && is_message(payload);
    match (is_text, is_message) {
        // Short text seldom starts with a sign; the tags of fields 4 and 5 are signs.
        (true, true) if payload.len() < 8 && !payload[0].is_ascii_alphanumeric() => ReadAs::Message,
        (true, _) => ReadAs::Text,
        (false, true) => ReadAs::Message,
        (false, false) => ReadAs::Bytes,
    }
}

fn is_printable(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\r' | '\t')
}

/// Whether the bytes are a sequence of well-formed fields. Looks at the outermost fields only.
fn is_message(payload: &[u8]) -> bool {
    let mut rest = payload;
    let mut groups = 0usize;
    while !rest.is_empty() {
        let Ok(tag) = varint::read(rest) else { return false };
        if tag.value >> 3 == 0 || tag.value > u64::from(u32::MAX) {
            return false;
        }
        rest = &rest[tag.len..];
        let skip = match WireType::from_tag(tag.value) {
            Some(WireType::Varint) => match varint::read(rest) {
                Ok(read) => read.len as u64,
                Err(_) => return false,
            },
            Some(WireType::I64) => 8,
            Some(WireType::I32) => 4,
            Some(WireType::Len) => match varint::read(rest) {
                Ok(length) => length.value.saturating_add(length.len as u64),
                Err(_) => return false,
            },
            Some(WireType::StartGroup) => {
                groups += 1;
                0
            }
            Some(WireType::EndGroup) if groups > 0 => {
                groups -= 1;
                0
            }
            _ => return false,
        };
        if skip > rest.len() as u64 {
            return false;
        }
        rest = &rest[skip as usize..];
    }
    groups == 0
}

fn is_packed_varints(payload: &[u8]) -> bool {
    let mut rest = payload;
    while !rest.is_empty() {
        match varint::read(rest) {
            Ok(read) => rest = &rest[read.len..],
            Err(_) => return false,
        }
    }
    !payload.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likely(wire_type: WireType, payload: &[u8]) -> (ReadAs, String) {
        let first = readings(wire_type, payload).into_iter().next().expect("a reading");
        (first.read_as, first.text)
    }

    #[test]
    fn the_likely_reading_comes_first() {
        assert_eq!(likely(WireType::I32, &21.5f32.to_le_bytes()), (ReadAs::Float, "21.5".into()));
        assert_eq!(
            likely(WireType::I32, &0xdead_beefu32.to_le_bytes()),
            (ReadAs::Unsigned, "3735928559".into())
        );
        assert_eq!(likely(WireType::Len, b"motor-controller-01").0, ReadAs::Text);
        assert_eq!(likely(WireType::Len, &[0x08, 0x01, 0x12, 0x01, b'x']).0, ReadAs::Message);
        assert_eq!(likely(WireType::Len, b"hi").0, ReadAs::Text);
        assert_eq!(likely(WireType::Len, &[0x28, 100, 0x30, 50]).0, ReadAs::Message, "printable by chance");
        assert_eq!(likely(WireType::Len, &[0xff, 0x00, 0x07]).0, ReadAs::Bytes);
        let minus_one = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(likely(WireType::Varint, &minus_one), (ReadAs::Signed, "-1".into()));
    }

    #[test]
    fn a_payload_has_all_readings_that_its_bytes_allow() {
        let all: Vec<ReadAs> = readings(WireType::Len, b"abcd").into_iter().map(|r| r.read_as).collect();
        assert_eq!(all, [ReadAs::Text, ReadAs::PackedVarints, ReadAs::PackedFixed32, ReadAs::Bytes]);
    }
}
