//! Hides values from the optimizer, so that no stage of a scenario is folded into the next.

use core::arch::asm;
use core::mem::MaybeUninit;

/// The memory behind `value` may have been read and changed: whatever was computed about it is forgotten.
///
/// Costs no instruction but the address in a register. `core::hint::black_box` would copy its argument
/// through the stack, about 12 bytes of code a use.
#[inline(always)]
pub fn opaque<T: ?Sized>(value: &mut T) {
    // SAFETY: the text is a comment; nothing is executed.
    unsafe {
        asm!("/* {0} */", in(reg) (&raw mut *value).cast::<u8>(), options(nostack, preserves_flags));
    }
}

/// The memory behind `value` may have been read: it has to be there.
#[inline(always)]
pub fn opaque_ref<T: ?Sized>(value: &T) {
    // SAFETY: the text is a comment; nothing is executed.
    unsafe {
        asm!("/* {0} */", in(reg) (&raw const *value).cast::<u8>(), options(nostack, preserves_flags));
    }
}

/// A buffer on the stack that is not zeroed first, as a program's own buffers would be reused.
pub struct Buffer<const N: usize>(MaybeUninit<[u8; N]>);

impl<const N: usize> Buffer<N> {
    /// Room for `N` bytes of any value.
    #[inline(always)]
    #[allow(clippy::new_without_default, reason = "there is no default content")]
    pub fn new() -> Buffer<N> {
        Buffer(MaybeUninit::uninit())
    }

    /// The bytes.
    #[inline(always)]
    pub fn array(&mut self) -> &mut [u8; N] {
        opaque(&mut self.0);
        // SAFETY: for all the compiler may assume, the barrier wrote every byte; any value is valid.
        unsafe { self.0.assume_init_mut() }
    }
}

/// The same slice, of which the compiler no longer knows where it is or what it holds.
#[inline(always)]
pub fn hidden(bytes: &[u8]) -> &[u8] {
    let (mut start, mut length) = (bytes.as_ptr(), bytes.len());
    // SAFETY: the text is a comment; both registers keep their values, so the slice is the same.
    unsafe {
        asm!("/* {0} {1} */", inout(reg) start, inout(reg) length, options(nostack, preserves_flags));
        core::slice::from_raw_parts(start, length)
    }
}
