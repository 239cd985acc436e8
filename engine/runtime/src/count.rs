//! Measuring by straight-line code. Linked only when a program asks for a length.
//!
//! Functions named after a type give a field's length with a tag of `tag` bytes, and nothing if the value is zero or
//! empty. Those with `some_` give it always, those with `raw_` without the tag.

use crate::containers::List;
use crate::message::Codec;
use crate::raw::{len32, len64};

macro_rules! scalars {
    ($($doc:literal $raw:ident $some:ident $plain:ident $type:ty, |$v:ident| $zero:expr, $len:expr;)*) => { $(
        #[doc = $doc]
        #[inline(always)]
        pub fn $raw(value: $type) -> usize {
            let $v = value;
            let _ = $v;
            $len
        }

        #[doc = $doc]
        #[inline(always)]
        pub fn $some(tag: usize, value: $type) -> usize {
            tag + $raw(value)
        }

        #[doc = $doc]
        #[inline(always)]
        pub fn $plain(tag: usize, value: $type) -> usize {
            let $v = value;
            if $zero { 0 } else { $some(tag, value) }
        }
    )* };
}

scalars! {
    "uint32." raw_uint32 some_uint32 uint32 u32, |v| v == 0, len32(v);
    "uint64." raw_uint64 some_uint64 uint64 u64, |v| v == 0, len64(v);
    "int32 and enums." raw_int32 some_int32 int32 i32, |v| v == 0, len64(v as i64 as u64);
    "int64." raw_int64 some_int64 int64 i64, |v| v == 0, len64(v as u64);
    "sint32." raw_sint32 some_sint32 sint32 i32, |v| v == 0, len32((v << 1 ^ v >> 31) as u32);
    "sint64." raw_sint64 some_sint64 sint64 i64, |v| v == 0, len64((v << 1 ^ v >> 63) as u64);
    "bool." raw_bool some_bool bool bool, |v| !v, 1;
    "fixed32." raw_fixed32 some_fixed32 fixed32 u32, |v| v == 0, 4;
    "fixed64." raw_fixed64 some_fixed64 fixed64 u64, |v| v == 0, 8;
    "sfixed32." raw_sfixed32 some_sfixed32 sfixed32 i32, |v| v == 0, 4;
    "sfixed64." raw_sfixed64 some_sfixed64 sfixed64 i64, |v| v == 0, 8;
    "float." raw_float some_float float f32, |v| v.to_bits() == 0, 4;
    "double." raw_double some_double double f64, |v| v.to_bits() == 0, 8;
}

/// A string or bytes value.
#[inline(always)]
pub fn some_bytes(tag: usize, value: &[u8]) -> usize {
    tag + len32(value.len() as u32) + value.len()
}

/// A string or bytes value, if it is not empty.
#[inline(always)]
pub fn bytes(tag: usize, value: &[u8]) -> usize {
    if value.is_empty() { 0 } else { some_bytes(tag, value) }
}

/// A nested message.
#[inline(always)]
pub fn message<M: Codec>(tag: usize, message: &M) -> usize {
    let n = message.measure();
    tag + len32(n as u32) + n
}

/// A group.
#[inline(always)]
pub fn group<M: Codec>(tag: usize, message: &M) -> usize {
    2 * tag + message.measure()
}

/// A packed list, if it is not empty. `item` measures one item without a tag.
#[inline(always)]
pub fn packed<T: Copy, const N: usize>(tag: usize, list: &List<T, N>, item: impl Fn(T) -> usize) -> usize {
    if list.is_empty() {
        return 0;
    }
    let n: usize = list.iter().map(|value| item(*value)).sum();
    tag + len32(n as u32) + n
}
