//! Messages over a byte stream, each with its length as a varint before it.

use embedded_io::{Read, Write};

use crate::error::{Error, StreamError};
use crate::message::Message;

/// Longest varint of a length, in bytes.
const LONGEST: usize = 5;

/// Writes and reads messages with their length as a varint before them, as protobuf's own libraries do
/// ("delimited").
///
/// The buffers hold one encoded message at a time, without its length.
pub trait Delimited: Message {
    /// Encodes into `buffer` and writes length and message.
    ///
    /// # Errors
    /// [`Error::NoSpace`] when `buffer` is too short for this value, with nothing written; [`StreamError::User`] with
    /// what the writer failed with.
    fn write_to<W: Write>(&self, writer: &mut W, buffer: &mut [u8]) -> Result<(), StreamError<W::Error>> {
        let encoded = self.encode_to_slice(buffer)?;
        let mut length = [0; LONGEST];
        let length = varint(encoded.len() as u32, &mut length);
        writer.write_all(length).map_err(StreamError::User)?;
        writer.write_all(encoded).map_err(StreamError::User)
    }

    /// Reads length and message. `None` when the stream ends before a length begins.
    ///
    /// # Errors
    /// [`Error::NoSpace`] for a message longer than `buffer`, [`Error::BadVarint`] for a length over 32 bits,
    /// [`Error::Truncated`] for a stream that ends inside a message, and those of [`Message::decode`];
    /// [`StreamError::User`] with what the reader failed with. Unless the stream ended, failed or had a bad length,
    /// the next read starts at the next message.
    fn read_from<R: Read>(reader: &mut R, buffer: &mut [u8]) -> Result<Option<Self>, StreamError<R::Error>> {
        let Some(length) = read_length(reader)? else { return Ok(None) };
        let Some(frame) = buffer.get_mut(..length as usize) else {
            skip(reader, length, buffer)?;
            return Err(StreamError::Codec(Error::NoSpace));
        };
        fill(reader, frame)?;
        Ok(Some(Self::decode(frame)?))
    }
}

impl<M: Message> Delimited for M {}

/// Writes `value` at the front of `out` and returns that part.
fn varint(mut value: u32, out: &mut [u8; LONGEST]) -> &[u8] {
    let mut len = 0;
    for byte in out.iter_mut() {
        len += 1;
        *byte = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 {
            break;
        }
        *byte |= 0x80;
    }
    out.get(..len).unwrap_or(out)
}

fn read_length<R: Read>(reader: &mut R) -> Result<Option<u32>, StreamError<R::Error>> {
    let mut length = 0;
    for at in 0..LONGEST {
        let mut byte = [0];
        if reader.read(&mut byte).map_err(StreamError::User)? == 0 {
            return if at == 0 { Ok(None) } else { Err(StreamError::Codec(Error::Truncated)) };
        }
        let [byte] = byte;
        // The fifth byte holds the upper four bits.
        if at + 1 == LONGEST && byte > 0xf {
            break;
        }
        length |= u32::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return Ok(Some(length));
        }
    }
    Err(StreamError::Codec(Error::BadVarint))
}

fn fill<R: Read>(reader: &mut R, mut frame: &mut [u8]) -> Result<(), StreamError<R::Error>> {
    while !frame.is_empty() {
        let got = reader.read(frame).map_err(StreamError::User)?;
        if got == 0 {
            return Err(StreamError::Codec(Error::Truncated));
        }
        frame = frame.get_mut(got..).unwrap_or(&mut []);
    }
    Ok(())
}

/// Reads `length` bytes and forgets them.
fn skip<R: Read>(reader: &mut R, length: u32, buffer: &mut [u8]) -> Result<(), StreamError<R::Error>> {
    let mut single = [0];
    let window = if buffer.is_empty() { &mut single[..] } else { buffer };
    let mut left = length as usize;
    while left > 0 {
        let piece = window.len().min(left);
        fill(reader, window.get_mut(..piece).unwrap_or(&mut []))?;
        left -= piece;
    }
    Ok(())
}
