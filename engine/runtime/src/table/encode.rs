//! Writing by table.

use super::{
    BYTE, COMPLEX, DOUBLE, Entry, FIXED, HAS_CODE, IS_FLAG, IS_IMPLICIT, IS_LIST, IS_PLAIN, IS_REQUIRED,
    IS_SCALARS, IS_STREAM, IS_UNKNOWN, Mask, Profile, STOP, ZIGZAG, is_closed, is_delimited, is_group,
    is_message, number_at, occurrence, tag_of, uses,
};
use crate::raw::{self, In, Out};
use crate::stream::{self, Pull};

/// Writes a message.
///
/// # Safety
/// `message` is valid and what `table` describes; `p` has room for its encoding; `pull` is valid if it streams.
#[inline(never)]
pub unsafe fn write<P: Profile>(mut p: Out, message: In, table: Entry, pull: *mut Pull) -> Out {
    let uses = const { Mask(P::ENCODE) };
    // SAFETY: the table describes the message, and every field's longest encoding is in the promised room.
    unsafe {
        let mut entry = table.add(1);
        loop {
            let word = number_at(entry);
            let mut from = message.add((word >> 21) as usize);
            let mut always = false;
            if uses.complex() && word & COMPLEX != 0 {
                let here = entry;
                let o = occurrence(uses, entry);
                entry = o.next;
                if uses.has(uses::LARGE) {
                    from = message.add(o.offset);
                }
                if uses.has(uses::SCALARS) && o.is == IS_SCALARS {
                    p = scalars::<P>(p, from, here);
                    continue;
                }
                if uses.has(uses::STREAM) && o.is == IS_STREAM {
                    p = stream::put(p, tag_of(uses, word), (number_at(o.third) & 0x7ff_ffff) as usize, pull);
                    if is_error(p) {
                        return p;
                    }
                    continue;
                }
                if uses.has(uses::UNKNOWN) && o.is == IS_UNKNOWN {
                    let n = *from.cast::<u16>() as usize;
                    raw::copy_or::<false>(p, from.add(2), n);
                    p = p.add(n);
                    continue;
                }
                if uses.has(uses::LIST) && o.is == IS_LIST {
                    let n = *from.cast::<u16>() as u32;
                    let mut item = from.add(o.data);
                    let mut index = 0;
                    while index != n {
                        p = delimited::<P>(p, item, word, o.third, pull, index);
                        if uses.has(uses::STREAM) && is_error(p) {
                            return p;
                        }
                        item = item.add(o.a);
                        index += 1;
                    }
                    continue;
                }
                if uses.has(uses::REQUIRED) && o.is == IS_REQUIRED {
                    always = true;
                } else if uses.has(uses::FLAG | uses::ONEOF)
                    && o.is != IS_IMPLICIT
                    && (!uses.has(uses::LARGE) || o.is != IS_PLAIN)
                {
                    let state = *message.add(o.a) as u32;
                    let flag = uses.has(uses::FLAG) && (!uses.has(uses::ONEOF) || o.is == IS_FLAG);
                    if if flag { state & o.b == 0 } else { state != o.b } {
                        continue;
                    }
                    always = true;
                }
                if is_delimited(uses, word) {
                    if is_message(uses, word) || always || *from.cast::<u16>() != 0 {
                        p = delimited::<P>(p, from, word, o.third, pull, 0);
                        if uses.has(uses::STREAM) && is_error(p) {
                            return p;
                        }
                    }
                    continue;
                }
            } else {
                if word == STOP {
                    return p;
                }
                entry = entry.add(1);
            }
            p = scalar(uses, p, from, word, always);
        }
    }
}

/// Whether a place in the output stands for an error of a streamed field.
#[inline(always)]
fn is_error(p: Out) -> bool {
    p as usize > usize::MAX - 16
}

/// # Safety
/// `p` has room for two bytes.
#[inline(always)]
unsafe fn put_tag(uses: Mask, p: Out, word: u32) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        *p = word as u8;
        if !uses.has(uses::WIDE_TAG) || word & 0x80 == 0 {
            return p.add(1);
        }
        *p.add(1) = (word >> 8) as u8;
        p.add(2)
    }
}

/// Writes one scalar with its tag; nothing if it is zero and not `always` written.
///
/// # Safety
/// `from` is a scalar of the entry's kind, `p` has room for it.
#[inline(always)]
unsafe fn scalar(uses: Mask, mut p: Out, from: In, mut word: u32, always: bool) -> Out {
    // SAFETY: the kind says how wide the value is.
    unsafe {
        if uses.has(uses::CLOSED) && is_closed(word) {
            word &= !ZIGZAG;
        }
        let lo;
        let mut hi = 0;
        if uses.has(uses::BOOL) && word & (BYTE | DOUBLE) == BYTE {
            lo = *from as u32;
        } else {
            lo = *from.cast::<u32>();
            if uses.has(uses::INT32 | uses::CLOSED) && word & (BYTE | DOUBLE) == BYTE | DOUBLE {
                hi = (lo as i32 >> 31) as u32;
            } else if uses.memory64() && word & DOUBLE != 0 {
                hi = *from.cast::<u32>().add(1);
            }
        }
        if !always && lo | hi == 0 {
            return p;
        }
        p = put_tag(uses, p, word);
        put_value(uses, p, word, lo, hi)
    }
}

/// # Safety
/// `p` has room for the value.
#[inline(always)]
unsafe fn put_value(uses: Mask, p: Out, word: u32, mut lo: u32, mut hi: u32) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        if uses.fixed() && word & FIXED != 0 {
            p.cast::<u32>().write_unaligned(lo);
            if uses.has(uses::FIXED64) && word & DOUBLE != 0 {
                p.cast::<u32>().add(1).write_unaligned(hi);
                return p.add(8);
            }
            return p.add(4);
        }
        if uses.zigzag() && word & ZIGZAG != 0 {
            if uses.has(uses::SINT64) && word & DOUBLE != 0 {
                let sign = (hi as i32 >> 31) as u32;
                hi = (hi << 1 | lo >> 31) ^ sign;
                lo = lo << 1 ^ sign;
            } else {
                lo = lo << 1 ^ (lo as i32 >> 31) as u32;
            }
        }
        if uses.varint64() || uses.has(uses::CLOSED) { raw::put64(p, lo, hi) } else { raw::put32(p, lo) }
    }
}

/// Writes one string, bytes value or message with its tag. `index` is its position in a list.
///
/// # Safety
/// `from` is a value of the entry's kind, `p` has room for it, `third` is the entry's third word.
#[inline(never)]
unsafe fn delimited<P: Profile>(
    p: Out,
    from: In,
    word: u32,
    third: Entry,
    pull: *mut Pull,
    index: u32,
) -> Out {
    let uses = const { Mask(P::ENCODE) };
    // SAFETY: as promised by the caller; a body's length takes the room the maximum counted for it.
    unsafe {
        let at = put_tag(uses, p, word);
        if is_message(uses, word) {
            let table = (*third).table;
            let start = if is_group(uses, word) { at } else { at.add(1) };
            let body = || {
                if uses.has(uses::CODE) && number_at(table) & HAS_CODE != 0 {
                    ((*table.add(1)).write)(from, start, pull)
                } else {
                    write::<P>(start, from, table, pull)
                }
            };
            let end = if uses.has(uses::STREAM) {
                stream::inside_pull(pull, tag_of(uses, word) >> 3, index, body)
            } else {
                body()
            };
            if uses.has(uses::STREAM) && is_error(end) {
                return end;
            }
            if is_group(uses, word) {
                // The wire type of a group's end follows that of its start.
                return put_tag(uses, end, word + 1);
            }
            return if uses.has(uses::LONG) {
                raw::close::<true>(at, end)
            } else {
                raw::close::<false>(at, end)
            };
        }
        let n = *from.cast::<u16>() as u32;
        let at = raw::put32(at, n);
        raw::copy_or::<false>(at, from.add(2), n as usize);
        at.add(n as usize)
    }
}

/// Writes a list of scalars.
///
/// # Safety
/// `list` is a list as the complex entry `entry` says, `p` has room for it.
#[inline(never)]
unsafe fn scalars<P: Profile>(mut p: Out, list: In, entry: Entry) -> Out {
    let uses = const { Mask(P::ENCODE) };
    // SAFETY: as promised by the caller.
    unsafe {
        let o = occurrence(uses, entry);
        let word = number_at(entry);
        let n = *list.cast::<u16>() as usize;
        let mut item = list.add(o.data);
        let end = item.add(n * o.a);
        let packed = word & 7 == 2;
        if packed {
            if n == 0 {
                return p;
            }
            p = put_tag(uses, p, word).add(1);
        }
        let at = p.sub(1);
        while item != end {
            if !packed {
                p = put_tag(uses, p, word);
            }
            p = scalar_value(uses, p, item, word);
            item = item.add(o.a);
        }
        if packed { raw::close::<true>(at, p) } else { p }
    }
}

/// Writes one scalar without its tag.
///
/// # Safety
/// As [`scalar`].
#[inline(always)]
unsafe fn scalar_value(uses: Mask, p: Out, from: In, mut word: u32) -> Out {
    // SAFETY: as promised by the caller.
    unsafe {
        if uses.has(uses::CLOSED) && is_closed(word) {
            word &= !ZIGZAG;
        }
        if uses.has(uses::BOOL) && word & (BYTE | DOUBLE) == BYTE {
            *p = *from;
            return p.add(1);
        }
        let lo = *from.cast::<u32>();
        let mut hi = 0;
        if uses.has(uses::INT32 | uses::CLOSED) && word & (BYTE | DOUBLE) == BYTE | DOUBLE {
            hi = (lo as i32 >> 31) as u32;
        } else if uses.memory64() && word & DOUBLE != 0 {
            hi = *from.cast::<u32>().add(1);
        }
        put_value(uses, p, word, lo, hi)
    }
}
