//! Varints, tags, zigzag, little-endian words: encoding and decoding a small record, with errors.

use core::hint::black_box;

use golden::Random;

#[derive(Clone, Copy, Default, PartialEq)]
struct Record {
    id: u64,
    delta: i32,
    level: f32,
    stamp: u64,
    name: [u8; 12],
    name_len: u8,
}

struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn byte(&mut self, byte: u8) -> Option<()> {
        *self.out.get_mut(self.at)? = byte;
        self.at += 1;
        Some(())
    }

    fn varint(&mut self, mut value: u64) -> Option<()> {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80)?;
            value >>= 7;
        }
        self.byte(value as u8)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.get_mut(self.at..self.at + bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }
}

fn varint(input: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn take<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(taken)
}

#[inline(never)]
fn encode(record: &Record, out: &mut [u8]) -> Option<usize> {
    let mut writer = Writer { out, at: 0 };
    writer.byte(0x08)?;
    writer.varint(record.id)?;
    writer.byte(0x10)?;
    writer.varint(u64::from((record.delta << 1 ^ record.delta >> 31) as u32))?;
    writer.byte(0x1d)?;
    writer.bytes(&record.level.to_le_bytes())?;
    writer.byte(0x21)?;
    writer.bytes(&record.stamp.to_le_bytes())?;
    writer.byte(0x2a)?;
    writer.varint(record.name_len.into())?;
    writer.bytes(record.name.get(..record.name_len.into())?)?;
    Some(writer.at)
}

#[inline(never)]
fn decode(mut input: &[u8], record: &mut Record) -> Result<(), u8> {
    while !input.is_empty() {
        match varint(&mut input).ok_or(1)? {
            0x08 => record.id = varint(&mut input).ok_or(2)?,
            0x10 => {
                let zigzag = varint(&mut input).ok_or(3)? as u32;
                record.delta = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
            }
            0x1d => {
                record.level = f32::from_le_bytes(take(&mut input, 4).ok_or(4)?.try_into().map_err(|_| 4)?)
            }
            0x21 => {
                record.stamp = u64::from_le_bytes(take(&mut input, 8).ok_or(5)?.try_into().map_err(|_| 5)?)
            }
            0x2a => {
                let length = varint(&mut input).ok_or(6)? as usize;
                let name = take(&mut input, length).ok_or(7)?;
                record.name.get_mut(..length).ok_or(8)?.copy_from_slice(name);
                core::str::from_utf8(name).map_err(|_| 9)?;
                record.name_len = length as u8;
            }
            _ => return Err(10),
        }
    }
    Ok(())
}

pub fn all(random: &mut Random) -> u32 {
    let mut sum = 0u32;
    for round in 0..24u32 {
        let wide = u64::from(random.next()) << 32 | u64::from(random.next());
        let mut record = Record {
            id: wide >> (random.next() & 63),
            delta: random.next() as i32 >> (round & 31),
            level: random.next() as f32,
            stamp: wide,
            name_len: (round % 13) as u8,
            ..Record::default()
        };
        for (place, letter) in record.name.iter_mut().zip("größer, 12µm".bytes()) {
            *place = letter;
        }
        let mut buffer = [0u8; 64];
        let length = encode(black_box(&record), &mut buffer).unwrap_or(0);
        let mut copy = Record::default();
        let outcome = decode(black_box(&buffer[..length]), &mut copy);
        sum = sum.rotate_left(7) ^ u32::from(outcome.err().unwrap_or(0)) ^ u32::from(copy == record) << 8;
        // Damaged and cut input.
        buffer[(random.next() % 40) as usize] ^= 1 << (random.next() & 7);
        let outcome = decode(black_box(&buffer[..length - (round % 5) as usize]), &mut copy);
        sum = sum.rotate_left(7) ^ u32::from(outcome.err().unwrap_or(0)) ^ checksum(&buffer[..length]);
    }
    sum
}

/// CRC-32, bit by bit.
#[inline(never)]
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
