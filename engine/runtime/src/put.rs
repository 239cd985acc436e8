//! Writing by straight-line code: everything small is inlined, tags are constants.
//!
//! Functions named after a type write a field of implicit presence: nothing if the value is zero or empty. Those
//! with `some_` write it always, those with `raw_` the value without its tag.
//!
//! # Safety
//! All functions write at `p` and return where they stopped. The caller has room for the field's longest
//! encoding.
#![allow(clippy::missing_safety_doc, reason = "the module says it for all")]

use crate::containers::List;
use crate::message::Codec;
use crate::raw::{self, Out};
use crate::stream::{self, Pull};

/// A field's tag.
#[inline(always)]
pub unsafe fn tag(p: *mut u8, tag: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        if tag < 0x80 {
            *p = tag as u8;
            p.add(1)
        } else if tag < 0x4000 {
            *p = tag as u8 | 0x80;
            *p.add(1) = (tag >> 7) as u8;
            p.add(2)
        } else {
            raw::put32(p, tag)
        }
    }
}

/// uint32.
#[inline(always)]
pub unsafe fn raw_uint32(p: *mut u8, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put32(p, value) }
}

/// 28 bits, seven to a byte.
#[inline(always)]
fn spread(v: u32) -> u32 {
    v & 0x7f | (v & 0x3f80) << 1 | (v & 0x1f_c000) << 2 | (v & 0xfe0_0000) << 3
}

/// A varint of 64 bits, four bytes at a time while there is more than 32 bits of it.
#[inline(never)]
unsafe fn varint64(mut p: Out, mut lo: u32, mut hi: u32) -> Out {
    // SAFETY: four bytes are written at once only where at least five are due.
    unsafe {
        if hi != 0 {
            p.cast::<u32>().write_unaligned(spread(lo) | raw::TOP_BITS);
            p = p.add(4);
            lo = lo >> 28 | hi << 4;
            hi >>= 28;
            if hi != 0 {
                p.cast::<u32>().write_unaligned(spread(lo) | raw::TOP_BITS);
                p = p.add(4);
                lo = lo >> 28 | hi << 4;
            }
        }
        raw::put32(p, lo)
    }
}

/// uint64.
#[inline(always)]
pub unsafe fn raw_uint64(p: *mut u8, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { varint64(p, value as u32, (value >> 32) as u32) }
}

/// int32 and enums.
#[inline(always)]
pub unsafe fn raw_int32(p: *mut u8, value: i32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { if value < 0 { varint64(p, value as u32, u32::MAX) } else { raw::put32(p, value as u32) } }
}

/// int64.
#[inline(always)]
pub unsafe fn raw_int64(p: *mut u8, value: i64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_uint64(p, value as u64) }
}

/// sint32.
#[inline(always)]
pub unsafe fn raw_sint32(p: *mut u8, value: i32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put32(p, (value << 1 ^ value >> 31) as u32) }
}

/// sint64.
#[inline(always)]
pub unsafe fn raw_sint64(p: *mut u8, value: i64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_uint64(p, (value << 1 ^ value >> 63) as u64) }
}

/// bool.
#[inline(always)]
pub unsafe fn raw_bool(p: *mut u8, value: bool) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        *p = value as u8;
        p.add(1)
    }
}

/// fixed32.
#[inline(always)]
pub unsafe fn raw_fixed32(p: *mut u8, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        p.cast::<u32>().write_unaligned(value);
        p.add(4)
    }
}

/// fixed64.
#[inline(always)]
pub unsafe fn raw_fixed64(p: *mut u8, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        p.cast::<u32>().write_unaligned(value as u32);
        p.cast::<u32>().add(1).write_unaligned((value >> 32) as u32);
        p.add(8)
    }
}

/// sfixed32.
#[inline(always)]
pub unsafe fn raw_sfixed32(p: *mut u8, value: i32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_fixed32(p, value as u32) }
}

/// sfixed64.
#[inline(always)]
pub unsafe fn raw_sfixed64(p: *mut u8, value: i64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_fixed64(p, value as u64) }
}

/// float.
#[inline(always)]
pub unsafe fn raw_float(p: *mut u8, value: f32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_fixed32(p, value.to_bits()) }
}

/// double.
#[inline(always)]
pub unsafe fn raw_double(p: *mut u8, value: f64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_fixed64(p, value.to_bits()) }
}

macro_rules! scalars {
    ($($doc:literal $raw:ident $some:ident $plain:ident $type:ty, |$v:ident| $zero:expr;)*) => { $(
        #[doc = $doc]
        /// Always written.
        #[inline(always)]
        pub unsafe fn $some(p: *mut u8, field: u32, value: $type) -> *mut u8 {
            // SAFETY: see the module.
            unsafe { $raw(tag(p, field), value) }
        }

        #[doc = $doc]
        /// Not written when it is zero.
        #[inline(always)]
        pub unsafe fn $plain(p: *mut u8, field: u32, value: $type) -> *mut u8 {
            let $v = value;
            // SAFETY: see the module.
            if $zero { p } else { unsafe { $some(p, field, value) } }
        }
    )* };
}

scalars! {
    "uint32." raw_uint32 some_uint32 uint32 u32, |v| v == 0;
    "uint64." raw_uint64 some_uint64 uint64 u64, |v| v == 0;
    "int32 and enums." raw_int32 some_int32 int32 i32, |v| v == 0;
    "int64." raw_int64 some_int64 int64 i64, |v| v == 0;
    "sint32." raw_sint32 some_sint32 sint32 i32, |v| v == 0;
    "sint64." raw_sint64 some_sint64 sint64 i64, |v| v == 0;
    "bool." raw_bool some_bool bool bool, |v| !v;
    "fixed32." raw_fixed32 some_fixed32 fixed32 u32, |v| v == 0;
    "fixed64." raw_fixed64 some_fixed64 fixed64 u64, |v| v == 0;
    "sfixed32." raw_sfixed32 some_sfixed32 sfixed32 i32, |v| v == 0;
    "sfixed64." raw_sfixed64 some_sfixed64 sfixed64 i64, |v| v == 0;
    "float. -0.0 is not zero." raw_float some_float float f32, |v| v.to_bits() == 0;
    "double. -0.0 is not zero." raw_double some_double double f64, |v| v.to_bits() == 0;
}

/// A string or bytes value. Always written.
#[inline(always)]
pub unsafe fn some_bytes(p: *mut u8, field: u32, value: &[u8]) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        let p = raw::put32(tag(p, field), value.len() as u32);
        raw::copy::<true>(p, value.as_ptr(), value.len());
        p.add(value.len())
    }
}

/// A string or bytes value. Not written when it is empty.
#[inline(always)]
pub unsafe fn bytes(p: *mut u8, field: u32, value: &[u8]) -> *mut u8 {
    // SAFETY: see the module.
    if value.is_empty() { p } else { unsafe { some_bytes(p, field, value) } }
}

/// Unknown fields, as they were kept.
#[inline(always)]
pub unsafe fn unknown(p: *mut u8, fields: &[u8]) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        raw::copy::<false>(p, fields.as_ptr(), fields.len());
        p.add(fields.len())
    }
}

/// A nested message without streamed fields.
#[inline(always)]
pub unsafe fn message<M: Codec>(p: *mut u8, field: u32, message: &M) -> *mut u8 {
    // SAFETY: see the module; the longest encoding of the body is known.
    unsafe {
        let at = tag(p, field);
        let end = message.write(at.add(1), core::ptr::null_mut());
        if M::MAX < 0x80 { raw::close::<false>(at, end) } else { raw::close::<true>(at, end) }
    }
}

/// A group without streamed fields; `field` is the tag of its start.
#[inline(always)]
pub unsafe fn group<M: Codec>(p: *mut u8, field: u32, message: &M) -> *mut u8 {
    // SAFETY: see the module; the tag of its end follows that of its start.
    unsafe { tag(message.write(tag(p, field), core::ptr::null_mut()), field + 1) }
}

/// A nested message with streamed fields, item `index` of its list or 0. Check the result with [`failed`].
#[inline(always)]
pub unsafe fn streaming<M: Codec>(
    p: *mut u8,
    field: u32,
    message: &M,
    pull: *mut Pull,
    index: usize,
) -> *mut u8 {
    // SAFETY: see the module; `pull` is valid.
    unsafe {
        let at = tag(p, field);
        let end = stream::inside_pull(pull, field >> 3, index as u32, || message.write(at.add(1), pull));
        if failed(end) { end } else { raw::close::<true>(at, end) }
    }
}

/// A streamed payload of at most `longest` bytes. Check the result with [`failed`].
#[inline(always)]
pub unsafe fn stream(p: *mut u8, field: u32, longest: usize, pull: *mut Pull) -> *mut u8 {
    // SAFETY: see the module; `pull` is valid.
    unsafe { stream::put(p, field, longest, pull) }
}

/// Whether a streamed field failed.
#[inline(always)]
pub fn failed(p: *mut u8) -> bool {
    p as usize > usize::MAX - 16
}

/// A packed list. Not written when it is empty. `item` writes one item without a tag.
#[inline(always)]
pub unsafe fn packed<T: Copy, const N: usize>(
    p: *mut u8,
    field: u32,
    list: &List<T, N>,
    item: impl Fn(*mut u8, T) -> *mut u8,
) -> *mut u8 {
    // SAFETY: see the module.
    unsafe {
        if list.is_empty() {
            return p;
        }
        let at = tag(p, field);
        let mut p = at.add(1);
        for value in list.iter() {
            p = item(p, *value);
        }
        raw::close::<true>(at, p)
    }
}
