/// Encodes a message into an array, copies the bytes, decodes the copy into a fresh message.
/// Returns the bytes on the wire.
#[inline(always)]
pub fn round_trip<M: Codec, const N: usize>(sent: &M, received: &mut M) -> Option<u32> {
    let mut send = Buffer::<N>::new();
    let mut receive = Buffer::<N>::new();
    opaque_ref(sent);
    let bytes = encode(sent, send.array())?;
    let copy = receive.array().get_mut(..bytes.len())?;
    copy.copy_from_slice(bytes);
    opaque_ref(copy);
    decode(received, copy)?;
    opaque(received);
    Some(copy.len() as u32)
}

/// Encodes a message into an array.
#[inline(always)]
pub fn encode_only<M: Codec, const N: usize>(sent: &M) -> Option<u32> {
    let mut send = Buffer::<N>::new();
    opaque_ref(sent);
    let bytes = encode(sent, send.array())?;
    opaque_ref(bytes);
    Some(bytes.len() as u32)
}

/// Decodes bytes into a fresh message.
#[inline(always)]
pub fn decode_only<M: Codec>(bytes: &'static [u8], received: &mut M) -> Option<u32> {
    let bytes = hidden(bytes);
    decode(received, bytes)?;
    opaque(received);
    Some(bytes.len() as u32)
}
