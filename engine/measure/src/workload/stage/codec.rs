//! The codec as a program calls it.

use firmware::barrier::{Buffer, hidden, opaque, opaque_ref};
use wirebench_runtime::Message as Codec;

/// Into an array, or where the array is shorter than the longest message, into a slice.
#[inline(always)]
fn encode<'b, M: Codec, const N: usize>(message: &M, buffer: &'b mut [u8; N]) -> Option<&'b [u8]> {
    @ENCODE@
}

#[inline(always)]
fn decode<M: Codec>(message: &mut M, bytes: &[u8]) -> Option<()> {
    message.merge(bytes).ok()
}
