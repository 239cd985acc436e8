//! Reading by table.

use super::{
    BYTE, COMPLEX, DOUBLE, DROPS, Entry, FIXED, HAS_CODE, IS_IMPLICIT, IS_LIST, IS_ONEOF, IS_PLAIN,
    IS_SCALARS, IS_STREAM, IS_UNKNOWN, MAP, Mask, Profile, STOP, ZIGZAG, is_closed, is_delimited, is_group,
    is_message, number_at, occurrence, tag_of, uses,
};
use crate::error::Error;
use crate::raw::{self, In, Out};
use crate::stream::{self, Push};

/// Reads fields up to `end` and returns `end`, or a pointer that stands for an error.
///
/// # Safety
/// `p..end` is readable; `message` is valid and what `table` describes; `push` is valid if it streams.
#[inline(never)]
pub unsafe fn read<P: Profile>(mut p: In, end: In, message: Out, table: Entry, push: *mut Push) -> In {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: the input is read below `end` only: two bytes are there when the loop is entered, and an error is
    // a pointer past every end. Fields are written where the table says they are.
    unsafe {
        let last = end.wrapping_sub(1);
        let mut entry = table.add(1);
        // No field is shorter than two bytes.
        while p < last {
            let mut word = number_at(entry);
            let tag = *p as u32;
            let mut value = p.add(1);
            if (word ^ tag) & 0xff != 0 || word & 0x80 != 0 {
                let found;
                (found, value) = find::<P>(p, end, message, table, entry);
                if found.is_null() {
                    p = value;
                    continue;
                }
                entry = found;
                word = number_at(entry);
            }
            let field = if uses.has(uses::UNKNOWN) { p } else { core::ptr::null() };
            p = value;
            let mut to = message.add((word >> 21) as usize);
            if uses.complex() && word & COMPLEX != 0 {
                let o = occurrence(uses, entry);
                if uses.has(uses::LARGE) {
                    to = message.add(o.offset);
                }
                if uses.has(uses::CLOSED) && is_closed(word) {
                    p = closed::<P>(p, end, message, entry, field, tag);
                    continue;
                }
                if uses.has(uses::SCALARS) && o.is == IS_SCALARS {
                    p = scalars::<P>(p, end, to, entry, tag);
                    continue;
                }
                if uses.has(uses::STREAM) && o.is == IS_STREAM {
                    entry = o.next;
                    let longest = (number_at(o.third) & 0x7ff_ffff) as usize;
                    p = stream::get::<false>(p, end, tag_of(uses, word) >> 3, longest, push);
                    continue;
                }
                let here = entry;
                let mut fresh = false;
                let mut index = 0;
                if uses.has(uses::MAP) && o.is == IS_LIST && number_at(entry.add(1)) & MAP != 0 {
                    p = map::<P>(p, end, message, entry, field, push);
                    continue;
                }
                if uses.has(uses::LIST) && o.is == IS_LIST {
                    index = *to.cast::<u16>() as u32;
                    if index >= o.b {
                        return Error::Capacity.pointer();
                    }
                    *to.cast::<u16>() = index as u16 + 1;
                    to = to.add(o.data + index as usize * o.a);
                    fresh = true;
                } else {
                    entry = o.next;
                    if uses.has(uses::FLAG | uses::REQUIRED | uses::ONEOF)
                        && o.is != IS_IMPLICIT
                        && (!uses.has(uses::LARGE) || o.is != IS_PLAIN)
                    {
                        let state = message.add(o.a);
                        let old = *state as u32;
                        if uses.has(uses::FLAG | uses::REQUIRED)
                            && (!uses.has(uses::ONEOF) || o.is != IS_ONEOF)
                        {
                            fresh = old & o.b == 0 && (!uses.has(uses::MAP) || o.b != 0);
                            *state = (old | o.b) as u8;
                        } else {
                            fresh = old != o.b;
                            *state = o.b as u8;
                        }
                    }
                }
                if fresh {
                    start(uses, to, word, o.third);
                }
                if is_delimited(uses, word) {
                    p = delimited::<P>(p, end, to, here, push, index);
                    continue;
                }
            } else {
                entry = entry.add(1);
            }
            p = store(uses, p, end, to, word);
        }
        p
    }
}

/// Makes the place of a new value valid, whatever happens to its content: a message becomes empty, a string or
/// bytes value too, a scalar zero.
///
/// # Safety
/// `to` is writable for a value of the entry's kind, `third` is the entry's third word.
#[inline(always)]
unsafe fn start(uses: Mask, to: Out, word: u32, third: Entry) {
    // SAFETY: no value but a bool is shorter than four bytes: strings and bytes have room for at least one.
    unsafe {
        if is_delimited(uses, word) && is_message(uses, word) {
            let size = (number_at((*third).table) & !HAS_CODE) as usize;
            if uses.has(uses::ODD) {
                raw::clear::<true>(to, size);
            } else {
                raw::clear::<false>(to, size);
            }
        } else if uses.has(uses::BOOL) && word & (BYTE | DOUBLE) == BYTE {
            *to = 0;
        } else {
            to.cast::<u16>().write(0);
            to.cast::<u16>().add(1).write(0);
            if uses.memory64() && word & DOUBLE != 0 && word & BYTE == 0 {
                to.cast::<u32>().add(1).write(0);
            }
        }
    }
}

/// Reads one scalar; stores it only when all is well.
///
/// # Safety
/// `p < end`, `p..end` is readable, `to` is writable for the entry's kind.
#[inline(always)]
unsafe fn store(uses: Mask, p: In, end: In, to: Out, word: u32) -> In {
    // SAFETY: the kind says how wide the value is.
    unsafe {
        if uses.fixed() && word & FIXED != 0 {
            let left = end as usize - p as usize;
            let double = uses.has(uses::FIXED64) && word & DOUBLE != 0;
            if left < if double { 8 } else { 4 } {
                return Error::Truncated.pointer();
            }
            *to.cast::<u32>() = p.cast::<u32>().read_unaligned();
            if double {
                *to.cast::<u32>().add(1) = p.cast::<u32>().add(1).read_unaligned();
                return p.add(8);
            }
            return p.add(4);
        }
        let (p, mut lo, mut hi) = raw::read(p, end);
        if p > end {
            return p;
        }
        if uses.has(uses::BOOL) && word & (BYTE | DOUBLE) == BYTE {
            *to = (lo | hi != 0) as u8;
            return p;
        }
        if uses.zigzag() && word & ZIGZAG != 0 {
            let sign = (lo & 1).wrapping_neg();
            if uses.has(uses::SINT64) && word & DOUBLE != 0 {
                lo = (lo >> 1 | hi << 31) ^ sign;
                hi = hi >> 1 ^ sign;
            } else {
                lo = lo >> 1 ^ sign;
            }
        }
        *to.cast::<u32>() = lo;
        if uses.memory64() && word & DOUBLE != 0 && !(uses.has(uses::INT32) && word & BYTE != 0) {
            *to.cast::<u32>().add(1) = hi;
        }
        p
    }
}

/// Reads one string, bytes value or message. `index` is its position in a list.
///
/// # Safety
/// As [`store`]; `to` is valid, `entry` is a complex entry.
#[inline(never)]
unsafe fn delimited<P: Profile>(p: In, end: In, to: Out, entry: Entry, push: *mut Push, index: u32) -> In {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: the payload was checked against `end`, a string against its capacity.
    unsafe {
        let word = number_at(entry);
        let third = occurrence(uses, entry).third;
        let (p, stop, next) = if is_group(uses, word) {
            let (stop, next) = raw::group::<false>(p, end, tag_of(uses, word));
            (if stop > end { stop } else { p }, stop, next)
        } else {
            let (p, stop) = raw::length::<false>(p, end);
            (p, stop, stop)
        };
        if p > end {
            return p;
        }
        if is_message(uses, word) {
            let table = (*third).table;
            let body = || {
                if uses.has(uses::CODE) && number_at(table) & HAS_CODE != 0 {
                    ((*table.add(2)).read)(to, p, stop, push)
                } else {
                    read::<P>(p, stop, to, table, push)
                }
            };
            let p = if uses.has(uses::STREAM) {
                stream::inside_push(push, tag_of(uses, word) >> 3, index, body)
            } else {
                body()
            };
            if is_group(uses, word) && p == stop {
                return next;
            }
            return if p == stop || p > end { p } else { Error::Truncated.pointer() };
        }
        let n = stop as usize - p as usize;
        if n > (number_at(third) & 0xff_ffff) as usize {
            return Error::Capacity.pointer();
        }
        let len = to.cast::<u16>();
        let data = to.add(2);
        // The length is set last: until the bytes are known to be UTF-8, the string is empty.
        *len = 0;
        let or = raw::copy_or::<false>(data, p, n);
        if uses.has(uses::TEXT)
            && (!uses.has(uses::BYTES) || word & ZIGZAG != 0)
            && or & raw::TOP_BITS != 0
            && !raw::is_utf8(data, n)
        {
            return Error::Utf8.pointer();
        }
        *len = n as u16;
        stop
    }
}

/// Reads one scalar of a list, or a packed run of them.
///
/// # Safety
/// As [`store`]; `list` is a list as the complex entry `entry` says. `tag` is the first byte of the field's tag.
#[inline(never)]
unsafe fn scalars<P: Profile>(p: In, end: In, list: Out, entry: Entry, tag: u32) -> In {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: items are written below the most the list can hold, and counted when they are whole.
    unsafe {
        let o = occurrence(uses, entry);
        let word = number_at(entry);
        let packed = tag & 7 == 2;
        let (mut p, mut stop) = (p, end);
        if packed {
            (p, stop) = raw::length::<false>(p, end);
            if p >= stop {
                return p;
            }
        }
        let count = list.cast::<u16>();
        let data = list.add(o.data);
        loop {
            let n = *count as usize;
            if n >= o.b as usize {
                return Error::Capacity.pointer();
            }
            p = store(uses, p, stop, data.add(n * o.a), word);
            if p > stop {
                return p;
            }
            *count = n as u16 + 1;
            if !packed || p == stop {
                return p;
            }
        }
    }
}

/// Reads an entry of a map, in place of the one of the same key if there is one.
///
/// # Safety
/// `p < end`, `p..end` is readable; `entry` is the complex entry of a map in `message`. `field` is where the field's tag
/// begins.
#[inline(never)]
unsafe fn map<P: Profile>(p: In, end: In, message: Out, entry: Entry, field: In, push: *mut Push) -> In {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: the key is compared with those of the first `count` entries, which are valid; one more is made only
    // below the most the map can hold, and counted when it is valid.
    unsafe {
        let (p, stop) = raw::length::<false>(p, end);
        if p > end {
            return p;
        }
        let o = occurrence(uses, entry);
        let list = message.add(o.offset);
        let table = (*o.third).table;
        let key = table.add(1);
        let k = occurrence(uses, key);
        let key_word = number_at(key);
        let value_word = number_at(k.next);

        // The key as it lies in memory; a string's bytes stay in the input.
        let mut number = [0u32; 2];
        let mut text = (p, p);
        let mut is_named = true;
        let mut at = p;
        while at < stop {
            let (tag, hi);
            (at, tag, hi) = raw::varint_by::<false>(at, stop);
            if at < stop && hi == 0 && tag == key_word & 0x7f {
                if key_word & 7 == 2 {
                    text = raw::length::<false>(at, stop);
                    at = text.1;
                } else {
                    at = store(uses, at, stop, number.as_mut_ptr().cast(), key_word);
                }
            } else if uses.has(uses::CLOSED) && at < stop && hi == 0 && tag == 2 << 3 && is_closed(value_word)
            {
                let value;
                (at, value, _) = raw::varint_by::<false>(at, stop);
                is_named = is_known((*occurrence(uses, k.next).third).values, value as i32);
            } else if at <= stop {
                at = raw::skip_value::<false>(at, stop, if hi == 0 { tag } else { 0 }, raw::GROUP_DEPTH);
            }
        }
        // After an error the entry is read like any other, to find the same error.
        if at <= stop && !is_named {
            // The entry counts as an unknown field.
            return keep(uses, message, entry, field, stop);
        }

        let count = list.cast::<u16>();
        let n = *count as usize;
        let mut to = list.add(o.data);
        let mut index = 0;
        while index != n {
            let other = to.add(k.offset);
            let is_same = if key_word & 7 == 2 {
                let length = text.1 as usize - text.0 as usize;
                *other.cast::<u16>() as usize == length && is_equal(other.add(2), text.0, length)
            } else if uses.has(uses::BOOL) && key_word & (BYTE | DOUBLE) == BYTE {
                *other == number[0] as u8
            } else {
                let wide = uses.memory64() && key_word & DOUBLE != 0 && key_word & BYTE == 0;
                is_equal(other, number.as_ptr().cast(), if wide { 8 } else { 4 })
            };
            if is_same {
                break;
            }
            to = to.add(o.a);
            index += 1;
        }
        // In a full map a new entry takes the last one's place: whatever is wrong with it is found before the lack of room.
        let is_over = index == n && n >= o.b as usize;
        if is_over {
            to = to.sub(o.a);
        }
        start(uses, to, number_at(entry), o.third);
        if uses.has(uses::CLOSED) && is_closed(value_word) {
            let v = occurrence(uses, k.next);
            *to.add(v.offset).cast::<i32>() = *(*v.third).values.add(1);
        }
        if index == n && !is_over {
            *count = n as u16 + 1;
        }
        let p = read::<P>(p, stop, to, table, push);
        if p != stop {
            return if p > end { p } else { Error::Truncated.pointer() };
        }
        if is_over { Error::Capacity.pointer() } else { stop }
    }
}

/// Keeps the unknown field `from..to` if the message keeps any. Returns `to`, or an error.
///
/// # Safety
/// `entry` is in the table of `message`, `from..to` is readable.
#[inline(always)]
unsafe fn keep(uses: Mask, message: Out, entry: Entry, from: In, to: In) -> In {
    // SAFETY: as promised by the caller.
    unsafe {
        match room(uses, message, entry) {
            Some((blob, room, drops)) => raw::keep(blob, room, drops, from, to),
            None => to,
        }
    }
}

/// Where unknown fields are kept, how many bytes have room, and whether others are dropped. That is what the last
/// entry after `entry` says, if the message keeps any.
///
/// # Safety
/// `entry` is in the table of `message`.
#[inline(always)]
unsafe fn room(uses: Mask, message: Out, mut entry: Entry) -> Option<(Out, usize, bool)> {
    if !uses.has(uses::UNKNOWN) {
        return None;
    }
    // SAFETY: the walk ends at the table's end.
    unsafe {
        while number_at(entry) != STOP {
            if number_at(entry) & COMPLEX == 0 {
                entry = entry.add(1);
                continue;
            }
            let o = occurrence(uses, entry);
            if o.is == IS_UNKNOWN {
                let word = number_at(entry.add(1));
                return Some((message.add(o.offset), (word & 0xffff) as usize, word & DROPS != 0));
            }
            entry = o.next;
        }
        None
    }
}

/// # Safety
/// Both are readable for `n` bytes.
#[inline(always)]
unsafe fn is_equal(a: In, b: In, n: usize) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { (0..n).all(|at| *a.add(at) == *b.add(at)) }
}

/// Reads a closed enum, singular or in a list: numbers the schema does not name change nothing.
///
/// # Safety
/// As [`store`]; `entry` is the complex entry of a closed enum in `message`. `tag` is the first byte of its tag, which
/// begins at `field`.
#[inline(never)]
unsafe fn closed<P: Profile>(p: In, end: In, message: Out, entry: Entry, field: In, tag: u32) -> In {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: as in `scalars`; presence bits and discriminants lie where the entry says.
    unsafe {
        let o = occurrence(uses, entry);
        let known = (*o.third).values;
        let to = message.add(o.offset);
        let packed = tag & 7 == 2;
        let (mut p, mut stop) = (p, end);
        if packed {
            (p, stop) = raw::length::<false>(p, end);
            if p >= stop {
                return p;
            }
        }
        loop {
            let lo;
            (p, lo, _) = raw::read(p, stop);
            if p > stop {
                return p;
            }
            let value = lo as i32;
            if is_known(known, value) {
                if uses.has(uses::SCALARS) && o.is == IS_SCALARS {
                    let n = *to.cast::<u16>() as usize;
                    if n >= o.b as usize {
                        return Error::Capacity.pointer();
                    }
                    *to.add(o.data + n * o.a).cast::<i32>() = value;
                    *to.cast::<u16>() = n as u16 + 1;
                } else {
                    *to.cast::<i32>() = value;
                    let state = message.add(o.a);
                    if uses.has(uses::ONEOF) && o.is == IS_ONEOF {
                        *state = o.b as u8;
                    } else {
                        *state |= o.b as u8;
                    }
                }
            } else if uses.has(uses::UNKNOWN) {
                if !packed {
                    return keep(uses, message, entry, field, p);
                }
                // No let chain: a vendored runtime is part of the user's crate, which may be of edition 2021.
                let is_full = match room(uses, message, entry) {
                    Some((blob, room, drops)) => {
                        !raw::keep_number(blob, room, drops, tag_of(uses, number_at(entry)) >> 3, value)
                    }
                    None => false,
                };
                if is_full {
                    return Error::Capacity.pointer();
                }
            }
            if !packed || p == stop {
                return p;
            }
        }
    }
}

/// Whether a closed enum has this number. `values` is how many numbers, then the numbers, the default first.
///
/// # Safety
/// `values` is such a row.
#[inline(always)]
pub(crate) unsafe fn is_known(values: *const i32, value: i32) -> bool {
    // SAFETY: as promised by the caller.
    unsafe {
        let mut n = *values as usize;
        while n != 0 {
            if *values.add(n) == value {
                return true;
            }
            n -= 1;
        }
        false
    }
}

/// Finds the entry for the tag at `p`, from `entry` on and once around. Returns it and where its value starts, which
/// is below `end`; or null, and where the next field starts, or an error. What is not found is kept if `message` keeps
/// unknown fields.
///
/// # Safety
/// `p < end`, `p..end` is readable, `entry` is in `table`, which is that of `message`.
#[inline(never)]
unsafe fn find<P: Profile>(p: In, end: In, message: Out, table: Entry, mut entry: Entry) -> (Entry, In) {
    let uses = const { Mask(P::DECODE) };
    // SAFETY: the walk ends at the table's end and goes on at its start.
    unsafe {
        let mut tag = *p as u32;
        let mut value = p.add(1);
        if tag >= 0x80 {
            let hi;
            (value, tag, hi) = raw::varint_by::<false>(p, end);
            if hi != 0 {
                // More than 32 bits: as bad as field number 0.
                tag = 0;
            }
        }
        // What is not below `end` has no value: skipping it finds out what is wrong.
        if value < end && tag < 0x4000 {
            let encoded = if tag < 0x80 { tag } else { tag & 0x7f | 0x80 | (tag >> 7) << 8 };
            let first = entry;
            loop {
                let word = number_at(entry);
                if word == STOP {
                    entry = table.add(1);
                } else {
                    if (word ^ encoded) & 0xffff == 0 {
                        return (entry, value);
                    }
                    if uses.complex() && word & COMPLEX != 0 {
                        let o = occurrence(uses, entry);
                        if uses.has(uses::SCALARS) && o.is == IS_SCALARS && (word ^ encoded) & 0xfff8 == 0 {
                            let own = if word & FIXED == 0 {
                                0
                            } else if word & DOUBLE != 0 {
                                1
                            } else {
                                5
                            };
                            if encoded & 7 == 2 || encoded & 7 == own {
                                return (entry, value);
                            }
                        }
                        entry = o.next;
                    } else {
                        entry = entry.add(1);
                    }
                }
                if entry == first {
                    break;
                }
            }
        }
        let next =
            if value > end { value } else { raw::skip_value::<false>(value, end, tag, raw::GROUP_DEPTH) };
        if uses.has(uses::UNKNOWN) && next <= end {
            return (core::ptr::null(), keep(uses, message, table.add(1), p, next));
        }
        (core::ptr::null(), next)
    }
}
