//! Reading by straight-line code.
//!
//! # Safety
//! All functions read at `p`, below `end`, and return where they stopped, or a pointer greater than `end` that stands
//! for an error. Unless said otherwise one byte is there: `p < end`. What they fill is valid afterwards in any case.
#![allow(clippy::missing_safety_doc, reason = "the module says it for all")]

use crate::containers::{Blob, List, RawText, Text};
use crate::error::Error;
use crate::message::Codec;
use crate::raw::{self, In};
use crate::stream::{self, Push};

/// A one-byte tag, and where its value starts. Tags over 127 come as their first byte, which equals no one-byte tag.
#[inline(always)]
pub unsafe fn tag(p: *const u8) -> (u32, *const u8) {
    // SAFETY: see the module.
    unsafe { (*p as u32, p.add(1)) }
}

/// A field whose tag, as [`tag`] gave it, is none of the message's. Skips it and returns 0; or returns the tag if it is
/// a one-byte tag that was written in more bytes than it needs.
#[inline(never)]
pub unsafe fn other(p: *const u8, end: *const u8, tag: u32) -> (u32, *const u8) {
    // SAFETY: see the module; `p - 1` is the tag's first byte.
    unsafe {
        if tag < 0x80 {
            return (0, raw::skip_value::<true>(p, end, tag, raw::GROUP_DEPTH));
        }
        let (tag, p) = long_tag(p.sub(1), end);
        if tag == 0 || tag >= 0x80 { (0, skip(p, end, tag)) } else { (tag, p) }
    }
}

/// A tag of any length, and where its value starts, which is below `end`; or 0 and an error.
#[inline(always)]
pub unsafe fn wide_tag(p: *const u8, end: *const u8) -> (u32, *const u8) {
    // SAFETY: see the module; two bytes are there.
    unsafe {
        let first = *p as u32;
        if first < 0x80 { (first, p.add(1)) } else { long_tag(p, end) }
    }
}

#[inline(never)]
unsafe fn long_tag(p: In, end: In) -> (u32, In) {
    // SAFETY: see the module.
    unsafe {
        let (p, lo, hi) = raw::varint_by::<true>(p, end);
        if p > end {
            (0, p)
        } else if hi != 0 {
            (0, Error::BadTag.pointer())
        } else if p == end {
            // No value follows: an error of one kind or another.
            (0, raw::skip_value::<true>(p, end, lo, 1))
        } else {
            (lo, p)
        }
    }
}

/// Skips a field whose tag, as [`wide_tag`] gave it, is none of the message's.
#[inline(always)]
pub unsafe fn skip(p: *const u8, end: *const u8, tag: u32) -> *const u8 {
    // SAFETY: see the module.
    if p > end { p } else { unsafe { raw::skip_value::<true>(p, end, tag, raw::GROUP_DEPTH) } }
}

/// Keeps the unknown field that begins at `at` and ends at `p`, which may be an error.
#[inline(always)]
pub unsafe fn keep<const N: usize>(
    at: *const u8,
    p: *const u8,
    end: *const u8,
    unknown: &mut Blob<N>,
    drops: bool,
) -> *const u8 {
    // SAFETY: see the module; the layout of a blob is a length and its data.
    if p > end { p } else { unsafe { raw::keep((unknown as *mut Blob<N>).cast(), N, drops, at, p) } }
}

/// A varint whose first byte says that more follow, cut to 32 bits.
#[inline(never)]
unsafe fn slow32(p: In, end: In, out: *mut u32) -> In {
    // SAFETY: `out` is a field of 32 bits.
    unsafe {
        let (p, lo, _) = raw::varint_by::<true>(p, end);
        if p <= end {
            *out = lo;
        }
        p
    }
}

#[inline(always)]
unsafe fn varint32(p: In, end: In, out: *mut u32) -> In {
    // SAFETY: the second byte is only touched below `end`; `out` is a field of 32 bits.
    unsafe {
        let b = *p as u32;
        if b < 0x80 {
            *out = b;
            return p.add(1);
        }
        if p.add(1) < end {
            let c = *p.add(1) as u32;
            if c < 0x80 {
                *out = b & 0x7f | c << 7;
                return p.add(2);
            }
        }
        slow32(p, end, out)
    }
}

#[inline(never)]
unsafe fn varint64(p: In, end: In, out: *mut u64) -> In {
    // SAFETY: `out` is a field of 64 bits.
    unsafe {
        let (p, lo, hi) = raw::varint_by::<true>(p, end);
        if p <= end {
            *out = lo as u64 | (hi as u64) << 32;
        }
        p
    }
}

/// uint32.
#[inline(always)]
pub unsafe fn uint32(p: *const u8, end: *const u8, value: &mut u32) -> *const u8 {
    // SAFETY: see the module.
    unsafe { varint32(p, end, value) }
}

/// int32 and open enums.
#[inline(always)]
pub unsafe fn int32(p: *const u8, end: *const u8, value: &mut i32) -> *const u8 {
    // SAFETY: see the module.
    unsafe { varint32(p, end, (value as *mut i32).cast()) }
}

/// sint32.
#[inline(always)]
pub unsafe fn sint32(p: *const u8, end: *const u8, value: &mut i32) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let mut v = 0;
        let p = varint32(p, end, &mut v);
        *value = (v >> 1 ^ (v & 1).wrapping_neg()) as i32;
        p
    }
}

/// uint64.
#[inline(always)]
pub unsafe fn uint64(p: *const u8, end: *const u8, value: &mut u64) -> *const u8 {
    // SAFETY: see the module.
    unsafe { varint64(p, end, value) }
}

/// int64.
#[inline(always)]
pub unsafe fn int64(p: *const u8, end: *const u8, value: &mut i64) -> *const u8 {
    // SAFETY: see the module.
    unsafe { varint64(p, end, (value as *mut i64).cast()) }
}

/// sint64.
#[inline(always)]
pub unsafe fn sint64(p: *const u8, end: *const u8, value: &mut i64) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let mut v = 0;
        let p = varint64(p, end, &mut v);
        *value = (v >> 1) as i64 ^ -((v & 1) as i64);
        p
    }
}

/// bool: true for every varint but zero.
#[inline(always)]
pub unsafe fn bool(p: *const u8, end: *const u8, value: &mut bool) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let b = *p;
        if b < 0x80 {
            *value = b != 0;
            return p.add(1);
        }
        let mut v = 0;
        let p = varint64(p, end, &mut v);
        *value = v != 0;
        p
    }
}

/// fixed32.
#[inline(always)]
pub unsafe fn fixed32(p: *const u8, end: *const u8, value: &mut u32) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        if (end as usize - p as usize) < 4 {
            return Error::Truncated.pointer();
        }
        *value = p.cast::<u32>().read_unaligned();
        p.add(4)
    }
}

/// fixed64.
#[inline(always)]
pub unsafe fn fixed64(p: *const u8, end: *const u8, value: &mut u64) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        if (end as usize - p as usize) < 8 {
            return Error::Truncated.pointer();
        }
        let lo = p.cast::<u32>().read_unaligned();
        let hi = p.cast::<u32>().add(1).read_unaligned();
        *value = lo as u64 | (hi as u64) << 32;
        p.add(8)
    }
}

/// sfixed32.
#[inline(always)]
pub unsafe fn sfixed32(p: *const u8, end: *const u8, value: &mut i32) -> *const u8 {
    // SAFETY: see the module; the same 32 bits.
    unsafe { fixed32(p, end, &mut *(value as *mut i32).cast()) }
}

/// sfixed64.
#[inline(always)]
pub unsafe fn sfixed64(p: *const u8, end: *const u8, value: &mut i64) -> *const u8 {
    // SAFETY: see the module; the same 64 bits.
    unsafe { fixed64(p, end, &mut *(value as *mut i64).cast()) }
}

/// float, bit for bit.
#[inline(always)]
pub unsafe fn float(p: *const u8, end: *const u8, value: &mut f32) -> *const u8 {
    // SAFETY: see the module; the same 32 bits.
    unsafe { fixed32(p, end, &mut *(value as *mut f32).cast()) }
}

/// double, bit for bit.
#[inline(always)]
pub unsafe fn double(p: *const u8, end: *const u8, value: &mut f64) -> *const u8 {
    // SAFETY: see the module; the same 64 bits.
    unsafe { fixed64(p, end, &mut *(value as *mut f64).cast()) }
}

/// A length and what it spans, one-byte lengths inline.
#[inline(always)]
unsafe fn length(p: In, end: In) -> (In, In) {
    #[inline(never)]
    unsafe fn slow(p: In, end: In) -> (In, In) {
        // SAFETY: see the module.
        unsafe { raw::length::<true>(p, end) }
    }
    // SAFETY: see the module.
    unsafe {
        let n = *p as usize;
        if n < 0x80 && n < end as usize - p as usize { (p.add(1), p.add(1 + n)) } else { slow(p, end) }
    }
}

/// Bytes into `{ len, data }` with room for `capacity`; a string when `check` says so.
#[inline(always)]
unsafe fn into<const CHECK: bool>(p: In, end: In, len: *mut u16, capacity: usize) -> In {
    // SAFETY: the containers' layout is a length and their data right behind it.
    unsafe {
        let (p, stop) = length(p, end);
        if p > end {
            return p;
        }
        let n = stop as usize - p as usize;
        if n > capacity {
            return Error::Capacity.pointer();
        }
        let data = len.add(1).cast::<u8>();
        // The length is set last: until the bytes are known to be UTF-8, the string is empty.
        *len = 0;
        let or = raw::copy_or::<true>(data, p, n);
        if CHECK && or & raw::TOP_BITS != 0 && !raw::is_utf8(data, n) {
            return Error::Utf8.pointer();
        }
        *len = n as u16;
        stop
    }
}

/// A string.
#[inline(always)]
pub unsafe fn text<const N: usize>(p: *const u8, end: *const u8, value: &mut Text<N>) -> *const u8 {
    // SAFETY: see the module; the string is checked.
    unsafe { into::<true>(p, end, (value as *mut Text<N>).cast(), N) }
}

/// A string that is not checked.
#[inline(always)]
pub unsafe fn raw_text<const N: usize>(p: *const u8, end: *const u8, value: &mut RawText<N>) -> *const u8 {
    // SAFETY: see the module.
    unsafe { into::<false>(p, end, (value as *mut RawText<N>).cast(), N) }
}

/// Bytes.
#[inline(always)]
pub unsafe fn blob<const N: usize>(p: *const u8, end: *const u8, value: &mut Blob<N>) -> *const u8 {
    // SAFETY: see the module.
    unsafe { into::<false>(p, end, (value as *mut Blob<N>).cast(), N) }
}

/// A nested message, merged into what is there.
#[inline(always)]
pub unsafe fn message<M: Codec>(p: *const u8, end: *const u8, message: &mut M) -> *const u8 {
    // SAFETY: see the module; the message does not stream.
    unsafe { body(p, end, message, core::ptr::null_mut()) }
}

/// A group, merged into what is there; `field` is the tag of its start.
#[inline(always)]
pub unsafe fn group<M: Codec>(p: *const u8, end: *const u8, field: u32, message: &mut M) -> *const u8 {
    // SAFETY: see the module; the message does not stream.
    unsafe {
        let (stop, next) = raw::group::<true>(p, end, field);
        if stop > end {
            return stop;
        }
        let p = message.read(p, stop, core::ptr::null_mut());
        if p == stop {
            next
        } else if p > end {
            p
        } else {
            Error::Truncated.pointer()
        }
    }
}

#[inline(always)]
unsafe fn body<M: Codec>(p: In, end: In, message: &mut M, push: *mut Push) -> In {
    // SAFETY: see the module.
    unsafe {
        let (p, stop) = length(p, end);
        if p > end {
            return p;
        }
        let p = message.read(p, stop, push);
        if p == stop || p > end { p } else { Error::Truncated.pointer() }
    }
}

/// A nested message with streamed fields, item `index` of its list or 0.
#[inline(always)]
pub unsafe fn streaming<M: Codec>(
    p: *const u8,
    end: *const u8,
    message: &mut M,
    push: *mut Push,
    field: u32,
    index: usize,
) -> *const u8 {
    // SAFETY: see the module; `push` is valid.
    unsafe { stream::inside_push(push, field, index as u32, || body(p, end, message, push)) }
}

/// A streamed payload of at most `longest` bytes.
#[inline(always)]
pub unsafe fn stream(p: *const u8, end: *const u8, field: u32, longest: usize, push: *mut Push) -> *const u8 {
    // SAFETY: see the module; `push` is valid.
    unsafe { stream::get::<true>(p, end, field, longest, push) }
}

/// One more item of a list; appended only when it was read whole.
#[inline(always)]
pub unsafe fn item<T: Default, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<T, N>,
    read: impl Fn(*const u8, *const u8, &mut T) -> *const u8,
) -> *const u8 {
    if list.len() == N {
        return Error::Capacity.pointer();
    }
    let mut value = T::default();
    let p = read(p, end, &mut value);
    if p <= end {
        // There is room: see above.
        let _ = list.push(value);
    }
    p
}

/// One more item of a list, filled in place: strings, bytes, messages.
#[inline(always)]
pub unsafe fn item_in_place<T: Default, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<T, N>,
    read: impl FnOnce(*const u8, *const u8, &mut T) -> *const u8,
) -> *const u8 {
    match list.grow() {
        Ok(value) => read(p, end, value),
        Err(error) => error.pointer(),
    }
}

/// An entry of a map: takes the place of the one of the same key, which may be in a full map.
#[inline(always)]
pub unsafe fn map<E: Codec, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<E, N>,
    is_same: impl Fn(&E, &E) -> bool,
) -> *const u8 {
    let mut entry = E::default();
    // SAFETY: see the module.
    let p = unsafe { message(p, end, &mut entry) };
    if p <= end {
        match list.iter_mut().find(|other| is_same(other, &entry)) {
            Some(other) => *other = entry,
            None => {
                if let Err(error) = list.push(entry) {
                    return error.pointer();
                }
            }
        }
    }
    p
}

/// An entry of a map whose values are of a closed enum: with one that the schema does not name, it is left out.
#[inline(always)]
pub unsafe fn closed_map<E: Codec, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<E, N>,
    is_same: impl Fn(&E, &E) -> bool,
    mut is_known: impl FnMut(i32) -> bool,
) -> *const u8 {
    /// The end of an entry, and its last value if it is sound.
    #[inline(never)]
    unsafe fn last_value(p: In, end: In) -> (In, Option<i32>) {
        // SAFETY: see the module.
        unsafe {
            let (mut p, stop) = raw::length::<true>(p, end);
            let mut last = None;
            while p < stop {
                let (tag, hi);
                (p, tag, hi) = raw::varint_by::<true>(p, stop);
                if p < stop && hi == 0 && tag == 2 << 3 {
                    let value;
                    (p, value, _) = raw::varint_by::<true>(p, stop);
                    last = Some(value as i32);
                } else if p <= stop {
                    p = raw::skip_value::<true>(p, stop, if hi == 0 { tag } else { 0 }, raw::GROUP_DEPTH);
                }
            }
            (stop, if p == stop { last } else { None })
        }
    }
    // SAFETY: see the module.
    unsafe {
        match last_value(p, end) {
            (stop, Some(value)) if !is_known(value) => stop,
            _ => map(p, end, list, is_same),
        }
    }
}

/// As [`closed_map`], in a message that keeps unknown fields; the field begins at `at`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "printed code writes them all out")]
pub unsafe fn kept_map<E: Codec, const N: usize, const M: usize>(
    p: *const u8,
    end: *const u8,
    at: *const u8,
    list: &mut List<E, N>,
    is_same: impl Fn(&E, &E) -> bool,
    is_known: impl Fn(i32) -> bool,
    unknown: &mut Blob<M>,
    drops: bool,
) -> *const u8 {
    let mut is_left_out = false;
    let known = |number| {
        let known = is_known(number);
        is_left_out = !known;
        known
    };
    // SAFETY: see the module.
    unsafe {
        let p = closed_map(p, end, list, is_same, known);
        if is_left_out { keep(at, p, end, unknown, drops) } else { p }
    }
}

/// A packed run of items.
#[inline(always)]
pub unsafe fn packed<T: Default, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<T, N>,
    read: impl Fn(*const u8, *const u8, &mut T) -> *const u8,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let (mut p, stop) = length(p, end);
        while p < stop {
            p = item(p, stop, list, &read);
        }
        // An error is greater than `stop`, and nothing else differs from it.
        p
    }
}

/// One more item of a list of closed enums, or of a packed run of them: numbers the schema does not name are left out.
#[inline(always)]
pub unsafe fn closed_item<T, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<T, N>,
    known: impl Fn(i32) -> Option<T>,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let mut number = 0;
        let p = int32(p, end, &mut number);
        if p <= end {
            if let Some(value) = known(number) {
                if let Err(error) = list.push(value) {
                    return error.pointer();
                }
            }
        }
        p
    }
}

/// A packed run of closed enums.
#[inline(always)]
pub unsafe fn closed_packed<T, const N: usize>(
    p: *const u8,
    end: *const u8,
    list: &mut List<T, N>,
    known: impl Fn(i32) -> Option<T>,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let (mut p, stop) = length(p, end);
        while p < stop {
            p = closed_item(p, stop, list, &known);
        }
        p
    }
}

/// As [`closed_item`], in a message that keeps unknown fields; the field begins at `at`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "printed code writes them all out")]
pub unsafe fn kept_item<T, const N: usize, const M: usize>(
    p: *const u8,
    end: *const u8,
    at: *const u8,
    list: &mut List<T, N>,
    known: impl Fn(i32) -> Option<T>,
    unknown: &mut Blob<M>,
    drops: bool,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let mut number = 0;
        let p = int32(p, end, &mut number);
        if p > end {
            return p;
        }
        match known(number).map(|value| list.push(value)) {
            Some(Ok(())) => p,
            Some(Err(error)) => error.pointer(),
            None => keep(at, p, end, unknown, drops),
        }
    }
}

/// A packed run of closed enums in a message that keeps unknown fields: each unknown number becomes a field of its own.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "printed code writes them all out")]
pub unsafe fn kept_packed<T, const N: usize, const M: usize>(
    p: *const u8,
    end: *const u8,
    field: u32,
    list: &mut List<T, N>,
    known: impl Fn(i32) -> Option<T>,
    unknown: &mut Blob<M>,
    drops: bool,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        let (mut p, stop) = length(p, end);
        while p < stop {
            let mut number = 0;
            p = int32(p, stop, &mut number);
            if p > stop {
                return p;
            }
            let pushed = match known(number) {
                Some(value) => list.push(value).is_ok(),
                None => raw::keep_number((unknown as *mut Blob<M>).cast(), M, drops, field, number),
            };
            if !pushed {
                return Error::Capacity.pointer();
            }
        }
        p
    }
}
