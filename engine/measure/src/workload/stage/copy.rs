//! The floor: the same scenario with the codec replaced by a copy of the struct. What it returns has a
//! length the compiler does not know, as a codec's bytes have, so the scenario's own copy stays the same.

use core::mem::size_of;
use core::ptr::copy_nonoverlapping;

use firmware::barrier::{Buffer, hidden, opaque, opaque_ref};
use wirebench_runtime::Message as Codec;

#[inline(always)]
fn encode<'b, M, const N: usize>(message: &M, buffer: &'b mut [u8; N]) -> Option<&'b [u8]> {
    let to = buffer.get_mut(..size_of::<M>())?;
    // SAFETY: `to` has the struct's size; bytes of any value may be copied.
    unsafe { copy_nonoverlapping((&raw const *message).cast::<u8>(), to.as_mut_ptr(), size_of::<M>()) };
    Some(hidden(to))
}

#[inline(always)]
fn decode<M>(message: &mut M, bytes: &[u8]) -> Option<()> {
    if bytes.len() != size_of::<M>() {
        return None;
    }
    // SAFETY: the bytes are a struct of this type, copied by `encode`.
    unsafe { copy_nonoverlapping(bytes.as_ptr(), (&raw mut *message).cast::<u8>(), size_of::<M>()) };
    Some(())
}
