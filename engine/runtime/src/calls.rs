//! Writing as calls: eight to ten bytes of code a field, for messages whose encoding is to be faster than by table
//! and smaller than straight-line. The functions are those of [`crate::put`], each compiled once.
//!
//! # Safety
//! As [`crate::put`].
#![allow(clippy::missing_safety_doc, reason = "the module says it for all")]

use crate::put;
use crate::raw;

pub use crate::put::{failed, group, message, packed, stream, streaming, tag, unknown};

/// A varint field.
#[inline(never)]
pub unsafe fn some_uint32(p: *mut u8, field: u32, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put32(raw::put32(p, field), value) }
}

/// A varint field of 64 bits.
#[inline(never)]
pub unsafe fn some_uint64(p: *mut u8, field: u32, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put64(raw::put32(p, field), value as u32, (value >> 32) as u32) }
}

/// A fixed field of 32 bits.
#[inline(never)]
pub unsafe fn some_fixed32(p: *mut u8, field: u32, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { put::raw_fixed32(raw::put32(p, field), value) }
}

/// A fixed field of 64 bits.
#[inline(never)]
pub unsafe fn some_fixed64(p: *mut u8, field: u32, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { put::raw_fixed64(raw::put32(p, field), value) }
}

/// A string or bytes value. Always written.
#[inline(always)]
pub unsafe fn some_bytes(p: *mut u8, field: u32, value: &[u8]) -> *mut u8 {
    #[inline(never)]
    unsafe fn parts(p: *mut u8, field: u32, from: *const u8, n: usize) -> *mut u8 {
        // SAFETY: see the module.
        unsafe {
            let p = raw::put32(raw::put32(p, field), n as u32);
            raw::copy_or::<false>(p, from, n);
            p.add(n)
        }
    }
    // SAFETY: see the module.
    unsafe { parts(p, field, value.as_ptr(), value.len()) }
}

/// A varint field. Not written when it is zero.
#[inline(never)]
pub unsafe fn uint32(p: *mut u8, field: u32, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    if value == 0 { p } else { unsafe { raw::put32(raw::put32(p, field), value) } }
}

/// A varint field of 64 bits. Not written when it is zero.
#[inline(never)]
pub unsafe fn uint64(p: *mut u8, field: u32, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    if value == 0 { p } else { unsafe { some_uint64(p, field, value) } }
}

/// A fixed field of 32 bits. Not written when it is zero.
#[inline(never)]
pub unsafe fn fixed32(p: *mut u8, field: u32, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    if value == 0 { p } else { unsafe { put::raw_fixed32(raw::put32(p, field), value) } }
}

/// A fixed field of 64 bits. Not written when it is zero.
#[inline(never)]
pub unsafe fn fixed64(p: *mut u8, field: u32, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    if value == 0 { p } else { unsafe { some_fixed64(p, field, value) } }
}

/// A string or bytes value. Not written when it is empty.
#[inline(always)]
pub unsafe fn bytes(p: *mut u8, field: u32, value: &[u8]) -> *mut u8 {
    // SAFETY: see the module.
    if value.is_empty() { p } else { unsafe { some_bytes(p, field, value) } }
}

macro_rules! through {
    ($($doc:literal $some:ident $plain:ident $type:ty => $some_by:ident $plain_by:ident, |$v:ident| $as:expr;)*) => { $(
        #[doc = $doc]
        /// Always written.
        #[inline(always)]
        pub unsafe fn $some(p: *mut u8, field: u32, value: $type) -> *mut u8 {
            let $v = value;
            // SAFETY: see the module.
            unsafe { $some_by(p, field, $as) }
        }

        #[doc = $doc]
        /// Not written when it is zero.
        #[inline(always)]
        pub unsafe fn $plain(p: *mut u8, field: u32, value: $type) -> *mut u8 {
            let $v = value;
            // SAFETY: see the module.
            unsafe { $plain_by(p, field, $as) }
        }
    )* };
}

through! {
    "int32 and enums." some_int32 int32 i32 => some_uint64 uint64, |v| v as i64 as u64;
    "int64." some_int64 int64 i64 => some_uint64 uint64, |v| v as u64;
    "sint32." some_sint32 sint32 i32 => some_uint32 uint32, |v| (v << 1 ^ v >> 31) as u32;
    "sint64." some_sint64 sint64 i64 => some_uint64 uint64, |v| (v << 1 ^ v >> 63) as u64;
    "bool." some_bool bool bool => some_uint32 uint32, |v| v as u32;
    "sfixed32." some_sfixed32 sfixed32 i32 => some_fixed32 fixed32, |v| v as u32;
    "sfixed64." some_sfixed64 sfixed64 i64 => some_fixed64 fixed64, |v| v as u64;
    "float." some_float float f32 => some_fixed32 fixed32, |v| v.to_bits();
    "double." some_double double f64 => some_fixed64 fixed64, |v| v.to_bits();
}

/// uint32.
#[inline(never)]
pub unsafe fn raw_uint32(p: *mut u8, value: u32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put32(p, value) }
}

/// uint64.
#[inline(never)]
pub unsafe fn raw_uint64(p: *mut u8, value: u64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw::put64(p, value as u32, (value >> 32) as u32) }
}

/// int32 and enums.
#[inline(always)]
pub unsafe fn raw_int32(p: *mut u8, value: i32) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_uint64(p, value as i64 as u64) }
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
    unsafe { raw_uint32(p, (value << 1 ^ value >> 31) as u32) }
}

/// sint64.
#[inline(always)]
pub unsafe fn raw_sint64(p: *mut u8, value: i64) -> *mut u8 {
    // SAFETY: see the module.
    unsafe { raw_uint64(p, (value << 1 ^ value >> 63) as u64) }
}

pub use crate::put::{raw_bool, raw_double, raw_fixed32, raw_fixed64, raw_float, raw_sfixed32, raw_sfixed64};
