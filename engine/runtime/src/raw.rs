//! What tables, calls and straight-line code share: varints, copies, the UTF-8 check, skipping.
//!
//! Writing functions take where to write and return where they stopped; the caller has made sure of the room.
//! Reading functions take `p` and `end` of the input and return where they stopped, or an
//! [`Error::pointer`], which compares greater than any `end`.

use crate::error::Error;

/// A place in the output.
pub(crate) type Out = *mut u8;
/// A place in the input.
pub(crate) type In = *const u8;

/// How deeply unknown groups may nest, as in other implementations.
pub(crate) const GROUP_DEPTH: u32 = 100;

/// Keeps the compiler from turning a copy loop into a call of memcpy, which is four times as large on a
/// microcontroller as the loop.
#[inline(always)]
fn keep_loop() {
    #[cfg(all(not(miri), any(target_arch = "arm", target_arch = "riscv32")))]
    // SAFETY: an empty instruction sequence.
    unsafe {
        core::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// Whether copies are loops of our own. Elsewhere the system's memcpy is at hand and faster.
const OWN_COPY: bool = cfg!(all(not(miri), any(target_arch = "arm", target_arch = "riscv32")));

/// Copies `n` bytes.
///
/// # Safety
/// `from` is readable and `to` writable for `n` bytes; they do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy<const FAST: bool>(to: Out, from: In, n: usize) {
    // SAFETY: as promised by the caller.
    unsafe {
        if OWN_COPY {
            copy_or::<FAST>(to, from, n);
        } else {
            core::ptr::copy_nonoverlapping(from, to, n);
        }
    }
}

/// Copies `n` bytes and returns the bitwise OR of all words of them: text is ASCII when no byte's top bit is set,
/// so the UTF-8 check of a string rides on its copy. One function for all copies of a firmware, by small loops or by
/// faster ones.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
pub(crate) unsafe fn copy_or<const FAST: bool>(to: Out, from: In, n: usize) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe { if FAST { copy_blocks(to, from, n) } else { copy_words(to, from, n) } }
}

/// Copies four words at a time, then the rest by [`copy_words`].
///
/// # Safety
/// As [`copy`].
#[inline(never)]
unsafe fn copy_blocks(mut to: Out, mut from: In, mut n: usize) -> u32 {
    let mut or = 0;
    // SAFETY: moves within the `n` bytes only.
    unsafe {
        while n >= 16 {
            let (a, b) = (from.cast::<u32>().read_unaligned(), from.cast::<u32>().add(1).read_unaligned());
            let (c, d) =
                (from.cast::<u32>().add(2).read_unaligned(), from.cast::<u32>().add(3).read_unaligned());
            to.cast::<u32>().write_unaligned(a);
            to.cast::<u32>().add(1).write_unaligned(b);
            to.cast::<u32>().add(2).write_unaligned(c);
            to.cast::<u32>().add(3).write_unaligned(d);
            or |= a | b | c | d;
            to = to.add(16);
            from = from.add(16);
            n -= 16;
            keep_loop();
        }
        or | words(to, from, n)
    }
}

/// Copies a word at a time.
///
/// # Safety
/// As [`copy`].
#[inline(never)]
unsafe fn copy_words(to: Out, from: In, n: usize) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe { words(to, from, n) }
}

/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn words(mut to: Out, mut from: In, mut n: usize) -> u32 {
    let mut or = 0;
    // SAFETY: moves within the `n` bytes only.
    unsafe {
        while n >= 4 {
            let x = from.cast::<u32>().read_unaligned();
            to.cast::<u32>().write_unaligned(x);
            or |= x;
            to = to.add(4);
            from = from.add(4);
            n -= 4;
            keep_loop();
        }
        while n != 0 {
            let x = *from;
            *to = x;
            or |= x as u32;
            to = to.add(1);
            from = from.add(1);
            n -= 1;
            keep_loop();
        }
    }
    or
}

/// The top bits of four bytes.
pub(crate) const TOP_BITS: u32 = 0x8080_8080;

/// Clears `n` bytes; `TAIL` says that `n` need not be a multiple of 4.
///
/// # Safety
/// `at` is writable for `n` bytes.
#[inline(always)]
pub(crate) unsafe fn clear<const TAIL: bool>(mut at: Out, n: usize) {
    // SAFETY: moves within the `n` bytes only.
    unsafe {
        let end = at.add(n);
        let words = if TAIL { at.add(n & !3) } else { end };
        while at < words {
            at.cast::<u32>().write_unaligned(0);
            at = at.add(4);
            keep_loop();
        }
        while TAIL && at < end {
            *at = 0;
            at = at.add(1);
            keep_loop();
        }
    }
}

/// Whether `n` bytes are UTF-8. Needs no tables (the check in `core` brings 256 bytes of them).
///
/// # Safety
/// `p` is readable for `n` bytes.
#[inline(never)]
pub(crate) unsafe fn is_utf8(mut p: In, n: usize) -> bool {
    // SAFETY: `p` is read only while it is below `end`.
    unsafe {
        let end = p.add(n);
        while p < end {
            let lead = *p as u32;
            p = p.add(1);
            if lead < 0x80 {
                continue;
            }
            let ones = (!(lead << 24)).leading_zeros(); // 2 to 4 in a legal first byte
            if ones.wrapping_sub(2) > 2 {
                return false;
            }
            let mut code = lead & (0x7f >> ones);
            let mut more = ones - 1;
            while more != 0 {
                if p >= end {
                    return false;
                }
                let x = *p as u32 ^ 0x80;
                if x > 0x3f {
                    return false;
                }
                code = code << 6 | x;
                p = p.add(1);
                more -= 1;
            }
            // The shortest form needs more than 7, 11 or 16 bits.
            let bits = 0x10_0b07_u32 >> ((ones - 2) * 8) & 31;
            if code >> bits == 0 || code > 0x10_ffff || code >> 11 == 0x1b {
                return false;
            }
        }
        true
    }
}

/// Writes a varint.
///
/// # Safety
/// `p` is writable for the varint's length, at most 5 bytes.
#[inline(always)]
pub(crate) unsafe fn put32(mut p: Out, mut v: u32) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        while v >= 0x80 {
            *p = v as u8 | 0x80;
            p = p.add(1);
            v >>= 7;
        }
        *p = v as u8;
        p.add(1)
    }
}

/// Writes a varint of 64 bits, given as two halves.
///
/// # Safety
/// `p` is writable for the varint's length, at most 10 bytes.
#[inline(always)]
pub(crate) unsafe fn put64(mut p: Out, mut lo: u32, mut hi: u32) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        while hi != 0 {
            *p = lo as u8 | 0x80;
            p = p.add(1);
            lo = lo >> 7 | hi << 25;
            hi >>= 7;
        }
        put32(p, lo)
    }
}

/// Length of a varint.
#[inline(always)]
pub(crate) const fn len32(v: u32) -> usize {
    // 9/64 is a little more than 1/7: exact for every number of bits up to 64.
    ((32 - (v | 1).leading_zeros()) * 9 + 64) as usize / 64
}

/// Length of a varint of 64 bits.
#[inline(always)]
pub(crate) const fn len64(v: u64) -> usize {
    ((64 - (v | 1).leading_zeros()) * 9 + 64) as usize / 64
}

/// Writes the length of the body `at + 1 .. p` before it. One byte was kept for it; a longer body moves up.
///
/// # Safety
/// The body was written with room for the two or four more bytes that a length over 127 takes.
#[inline(always)]
pub(crate) unsafe fn close<const LONG: bool>(at: Out, p: Out) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        let n = p as usize - at as usize - 1;
        if !LONG || n < 0x80 {
            *at = n as u8;
            return p;
        }
        close_long(at, n)
    }
}

/// # Safety
/// As [`close`].
#[inline(never)]
unsafe fn close_long(at: Out, n: usize) -> Out {
    // SAFETY: the body moves up by the bytes its length needs, which the caller has room for.
    unsafe {
        let more = len32(n as u32) - 1;
        let mut from = at.add(1 + n);
        let mut to = from.add(more);
        let end = to;
        while to as usize - at as usize >= more + 5 {
            from = from.sub(4);
            to = to.sub(4);
            to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned());
            keep_loop();
        }
        while from != at.add(1) {
            from = from.sub(1);
            to = to.sub(1);
            *to = *from;
            keep_loop();
        }
        put32(at, n as u32);
        end
    }
}

/// Reads any varint and moves `p` behind it. Ten bytes at most; what exceeds 64 bits is dropped. An error goes to `p`,
/// and the value is 0.
///
/// Small: finds the end first, then takes seven bits at a time from there.
///
/// # Safety
/// `p..end` is readable, or empty with `p >= end`.
#[inline(never)]
pub(crate) unsafe fn varint(p: &mut In, end: In) -> u64 {
    // SAFETY: `q` is read only between `p` and `end`.
    unsafe {
        let start = *p;
        let mut q = start;
        loop {
            if q >= end {
                *p = Error::Truncated.pointer();
                return 0;
            }
            let b = *q;
            q = q.add(1);
            if b < 0x80 {
                break;
            }
            if q as usize - start as usize == 10 {
                *p = Error::BadVarint.pointer();
                return 0;
            }
        }
        *p = q;
        let (mut lo, mut hi) = (0u32, 0u32);
        while q != start {
            q = q.sub(1);
            hi = hi << 7 | lo >> 25;
            lo = lo << 7 | (*q & 0x7f) as u32;
        }
        lo as u64 | (hi as u64) << 32
    }
}

/// As [`varint`], faster and larger: every byte goes to its place as it comes.
///
/// # Safety
/// As [`varint`].
#[inline(never)]
pub(crate) unsafe fn varint_fast(p: &mut In, end: In) -> u64 {
    // SAFETY: `q` is read only while it is below `end`.
    unsafe {
        let mut q = *p;
        let (mut lo, mut hi, mut shift) = (0u32, 0u32, 0u32);
        let error = 'error: {
            loop {
                if q >= end {
                    break 'error Error::Truncated;
                }
                let b = *q as u32;
                q = q.add(1);
                lo |= (b & 0x7f) << shift;
                shift += 7;
                if b < 0x80 {
                    *p = q;
                    return lo as u64;
                }
                if shift == 28 {
                    break;
                }
            }
            // The fifth byte belongs to both halves.
            if q >= end {
                break 'error Error::Truncated;
            }
            let mut b = *q as u32;
            q = q.add(1);
            lo |= b << 28;
            hi |= (b & 0x7f) >> 4;
            shift = 3;
            while b >= 0x80 {
                if shift > 31 {
                    break 'error Error::BadVarint;
                }
                if q >= end {
                    break 'error Error::Truncated;
                }
                b = *q as u32;
                q = q.add(1);
                hi |= (b & 0x7f) << shift;
                shift += 7;
            }
            *p = q;
            return lo as u64 | (hi as u64) << 32;
        };
        *p = error.pointer();
        0
    }
}

/// Reads a varint by [`varint`] or [`varint_fast`]: where it ends, and its two halves.
///
/// # Safety
/// As [`varint`].
#[inline(always)]
pub(crate) unsafe fn varint_by<const FAST: bool>(mut p: In, end: In) -> (In, u32, u32) {
    // SAFETY: as promised by the caller.
    let value = unsafe { if FAST { varint_fast(&mut p, end) } else { varint(&mut p, end) } };
    (p, value as u32, (value >> 32) as u32)
}

/// Reads a varint; values of one and two bytes inline.
///
/// # Safety
/// `p < end`, and `p..end` is readable.
#[inline(always)]
pub(crate) unsafe fn read(p: In, end: In) -> (In, u32, u32) {
    // SAFETY: the first byte is readable, the second only touched below `end`.
    unsafe {
        let b = *p as u32;
        if b < 0x80 {
            return (p.add(1), b, 0);
        }
        if p.add(1) < end {
            let c = *p.add(1) as u32;
            if c < 0x80 {
                return (p.add(2), b & 0x7f | c << 7, 0);
            }
        }
        varint_by::<false>(p, end)
    }
}

/// Reads a length and checks it against what is left. Returns start and end of the payload, or twice the error.
///
/// # Safety
/// `p < end`, and `p..end` is readable.
#[inline(always)]
pub(crate) unsafe fn length<const FAST: bool>(p: In, end: In) -> (In, In) {
    // SAFETY: `p` is moved within the input only.
    unsafe {
        let mut n = *p as u32;
        let mut p = p.add(1);
        if n >= 0x80 {
            let hi;
            (p, n, hi) = varint_by::<FAST>(p.sub(1), end);
            if p > end {
                return (p, p);
            }
            if hi != 0 {
                n = u32::MAX;
            }
        }
        if n as usize > end as usize - p as usize {
            let error = Error::Truncated.pointer();
            return (error, error);
        }
        (p, p.add(n as usize))
    }
}

/// Skips the value of a field with this tag.
///
/// # Safety
/// `p..end` is readable, or empty with `p >= end`.
#[inline(never)]
pub(crate) unsafe fn skip_value<const FAST: bool>(mut p: In, end: In, tag: u32, depth: u32) -> In {
    // SAFETY: `p` moves by lengths that were checked against `end`.
    unsafe {
        let n;
        match tag & 7 {
            _ if tag < 8 => return Error::BadTag.pointer(),
            3 => {
                if depth == 0 {
                    return Error::TooDeep.pointer();
                }
                loop {
                    let (lo, hi);
                    (p, lo, hi) = varint_by::<FAST>(p, end);
                    if p > end || hi == 0 && lo == tag + 1 {
                        return p;
                    }
                    // No tag has more than 32 bits; a field number of 0 is refused like those.
                    p = skip_value::<FAST>(p, end, if hi != 0 { 0 } else { lo }, depth - 1);
                    if p > end {
                        return p;
                    }
                }
            }
            1 => n = 8,
            5 => n = 4,
            0 | 2 => {
                let (lo, hi);
                (p, lo, hi) = varint_by::<FAST>(p, end);
                if p > end || tag & 2 == 0 {
                    return p;
                }
                n = if hi != 0 { usize::MAX } else { lo as usize };
            }
            _ => return Error::BadTag.pointer(),
        }
        if n > end as usize - p as usize {
            return Error::Truncated.pointer();
        }
        p.add(n)
    }
}

/// Finds the end of the group whose start's tag stands before `p`: where its end's tag begins, and where that ends; or
/// twice an error.
///
/// # Safety
/// `p..end` is readable.
#[inline(never)]
pub(crate) unsafe fn group<const FAST: bool>(mut p: In, end: In, tag: u32) -> (In, In) {
    // SAFETY: `p` is moved within the input only.
    unsafe {
        loop {
            let at = p;
            let (lo, hi);
            (p, lo, hi) = varint_by::<FAST>(p, end);
            if p <= end {
                if hi == 0 && lo == tag + 1 {
                    return (at, p);
                }
                p = skip_value::<FAST>(p, end, if hi != 0 { 0 } else { lo }, GROUP_DEPTH - 1);
            }
            if p > end {
                return (p, p);
            }
        }
    }
}

/// Appends the field `from..to` to what is kept in `blob`, a length and its data with room for `room` bytes; what does
/// not fit is dropped or an error. Returns `to`, or the error.
///
/// # Safety
/// `blob` is such a place, `from..to` is readable and at most as long as an input.
#[inline(never)]
pub(crate) unsafe fn keep(blob: Out, room: usize, drops: bool, from: In, to: In) -> In {
    // SAFETY: as promised by the caller; the length is checked against the room.
    unsafe {
        let len = *blob.cast::<u16>() as usize;
        let n = to as usize - from as usize;
        if n <= room - len {
            copy::<false>(blob.add(2 + len), from, n);
            *blob.cast::<u16>() = (len + n) as u16;
        } else if !drops {
            return Error::Capacity.pointer();
        }
        to
    }
}

/// As [`keep`], for a number that a closed enum does not name, as a field of its own.
///
/// # Safety
/// As [`keep`].
#[inline(never)]
pub(crate) unsafe fn keep_number(blob: Out, room: usize, drops: bool, field: u32, value: i32) -> bool {
    let mut bytes = [0; 15];
    // SAFETY: a tag takes five bytes and a value ten.
    unsafe {
        let start = bytes.as_mut_ptr();
        let end = put64(put32(start, field << 3), value as u32, (value >> 31) as u32);
        keep(blob, room, drops, start, end) == end.cast_const()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_utf8(bytes: &[u8]) {
        // SAFETY: a slice is readable for its length.
        let ours = unsafe { is_utf8(bytes.as_ptr(), bytes.len()) };
        assert_eq!(ours, core::str::from_utf8(bytes).is_ok(), "{bytes:x?}");
    }

    #[test]
    fn the_utf8_check_agrees_with_core_on_all_short_sequences() {
        let probes = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0];
        for first in 0..=255u8 {
            check_utf8(&[first]);
            for second in 0..=255u8 {
                check_utf8(&[first, second]);
                for third in probes {
                    check_utf8(&[first, second, third]);
                    for fourth in probes {
                        check_utf8(&[first, second, third, fourth]);
                    }
                }
            }
        }
    }

    #[test]
    fn varint_lengths_are_those_written() {
        for bit in 0..64 {
            for v in [1u64 << bit, (1u64 << bit) - 1, u64::MAX >> bit] {
                let mut buffer = [0u8; 10];
                let start = buffer.as_mut_ptr();
                // SAFETY: ten bytes hold every varint.
                let end = unsafe { put64(start, v as u32, (v >> 32) as u32) };
                assert_eq!(end as usize - start as usize, len64(v), "{v}");
                if let Ok(small) = u32::try_from(v) {
                    assert_eq!(len32(small), len64(v));
                }
                let input = buffer.as_ptr();
                // SAFETY: the buffer is readable.
                let both = unsafe {
                    [varint_by::<false>(input, input.add(10)), varint_by::<true>(input, input.add(10))]
                };
                for (stop, lo, hi) in both {
                    assert_eq!(stop as usize - input as usize, len64(v));
                    assert_eq!(lo as u64 | (hi as u64) << 32, v);
                }
            }
        }
    }

    #[test]
    fn bodies_of_every_length_move_up_whole() {
        for n in [0, 1, 127, 128, 129, 130, 131, 1000, 16383, 16384, 16389] {
            let mut buffer = [0u8; 17000];
            for (i, b) in buffer.iter_mut().enumerate().skip(1).take(n) {
                *b = i as u8 ^ (i >> 8) as u8;
            }
            let at = buffer.as_mut_ptr();
            // SAFETY: the buffer has room behind the body.
            let end = unsafe { close::<true>(at, at.add(1 + n)) };
            let head = len32(n as u32);
            assert_eq!(end as usize - at as usize, head + n);
            for i in 1..=n {
                assert_eq!(buffer[head + i - 1], i as u8 ^ (i >> 8) as u8, "body of {n}, byte {i}");
            }
        }
    }
}
