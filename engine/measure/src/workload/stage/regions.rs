//! The codec with its parts timed apart and its bytes summed up. Encode and decode are functions of
//! their own here, so that the simulator can tell their instructions apart too.

use firmware::barrier::{Buffer, hidden, opaque, opaque_ref};
use firmware::regions;
use wirebench_runtime::Message as Codec;

#[inline(never)]
fn encode_apart<'b, M: Codec, const N: usize>(message: &M, buffer: &'b mut [u8; N]) -> Option<&'b [u8]> {
    @ENCODE@
}

#[inline(never)]
fn decode_apart<M: Codec>(message: &mut M, bytes: &[u8]) -> Option<()> {
    message.merge(bytes).ok()
}

#[inline(always)]
fn encode<'b, M: Codec, const N: usize>(message: &M, buffer: &'b mut [u8; N]) -> Option<&'b [u8]> {
    let bytes = regions::encode(|| encode_apart(message, buffer))?;
    regions::wire(bytes);
    Some(bytes)
}

#[inline(always)]
fn decode<M: Codec>(message: &mut M, bytes: &[u8]) -> Option<()> {
    regions::decode(|| decode_apart(message, bytes))
}
