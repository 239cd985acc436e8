//! The length of an encoding, by table. Linked only when a program asks for it.

use super::{
    BYTE, COMPLEX, DOUBLE, Entry, FIXED, HAS_CODE, IS_FLAG, IS_IMPLICIT, IS_LIST, IS_PLAIN, IS_REQUIRED,
    IS_SCALARS, IS_STREAM, IS_UNKNOWN, Mask, Profile, STOP, ZIGZAG, is_closed, is_delimited, is_group,
    is_message, number_at, occurrence, uses,
};
use crate::raw::{self, In};

/// Length of a message's encoding, without streamed fields.
///
/// # Safety
/// `message` is valid and what `table` describes.
#[inline(never)]
pub unsafe fn measure<P: Profile>(message: In, table: Entry) -> usize {
    let uses = const { Mask(P::MEASURE) };
    let mut total = 0;
    // SAFETY: the table describes the message.
    unsafe {
        let mut entry = table.add(1);
        loop {
            let word = number_at(entry);
            let tag = 1 + (uses.has(uses::WIDE_TAG) && word & 0x80 != 0) as usize;
            let mut from = message.add((word >> 21) as usize);
            let mut always = false;
            let mut third = entry;
            let mut n = 1;
            let mut stride = 0;
            let mut packed = false;
            if uses.complex() && word & COMPLEX != 0 {
                let o = occurrence(uses, entry);
                entry = o.next;
                third = o.third;
                if uses.has(uses::LARGE) {
                    from = message.add(o.offset);
                }
                match o.is {
                    IS_STREAM => continue,
                    IS_UNKNOWN => {
                        total += *from.cast::<u16>() as usize;
                        continue;
                    }
                    IS_LIST | IS_SCALARS => {
                        n = *from.cast::<u16>() as usize;
                        if n == 0 {
                            continue;
                        }
                        from = from.add(o.data);
                        stride = o.a;
                        always = true;
                        packed = o.is == IS_SCALARS && word & 7 == 2;
                    }
                    IS_IMPLICIT | IS_PLAIN => {}
                    IS_REQUIRED => always = true,
                    _ => {
                        let state = *message.add(o.a) as u32;
                        if if o.is == IS_FLAG { state & o.b == 0 } else { state != o.b } {
                            continue;
                        }
                        always = true;
                    }
                }
            } else {
                if word == STOP {
                    return total;
                }
                entry = entry.add(1);
            }
            let delimited = uses.delimited() && word & COMPLEX != 0 && is_delimited(uses, word) && !packed;
            let mut body = 0;
            while n != 0 {
                let len = if delimited {
                    let len = if is_message(uses, word) {
                        let table = (*third).table;
                        if uses.has(uses::CODE) && number_at(table) & HAS_CODE != 0 {
                            ((*table.add(3)).measure)(from)
                        } else {
                            measure::<P>(from, table)
                        }
                    } else {
                        *from.cast::<u16>() as usize
                    };
                    let is_there = always || len != 0 || is_message(uses, word);
                    if is_group(uses, word) {
                        tag + len
                    } else if is_there {
                        raw::len32(len as u32) + len
                    } else {
                        0
                    }
                } else {
                    scalar(uses, from, word, always)
                };
                if len != 0 {
                    body += len + if packed { 0 } else { tag };
                }
                from = from.add(stride);
                n -= 1;
            }
            if packed {
                body += tag + raw::len32(body as u32);
            }
            total += body;
        }
    }
}

/// Length of a scalar without its tag; 0 if it is zero and not `always` written.
///
/// # Safety
/// `from` is a scalar of the entry's kind.
#[inline(always)]
unsafe fn scalar(uses: Mask, from: In, word: u32, always: bool) -> usize {
    // SAFETY: the kind says how wide the value is.
    unsafe {
        if uses.has(uses::BOOL) && word & (BYTE | DOUBLE) == BYTE {
            return (always || *from != 0) as usize;
        }
        let lo = *from.cast::<u32>();
        let mut hi = 0;
        if uses.has(uses::INT32 | uses::CLOSED) && word & (BYTE | DOUBLE) == BYTE | DOUBLE {
            hi = (lo as i32 >> 31) as u32;
        } else if uses.memory64() && word & DOUBLE != 0 {
            hi = *from.cast::<u32>().add(1);
        }
        if !always && lo | hi == 0 {
            return 0;
        }
        if uses.fixed() && word & FIXED != 0 {
            return if uses.has(uses::FIXED64) && word & DOUBLE != 0 { 8 } else { 4 };
        }
        if uses.zigzag() && word & ZIGZAG != 0 && !is_closed(word) {
            if uses.has(uses::SINT64) && word & DOUBLE != 0 {
                let v = (lo as u64 | (hi as u64) << 32) as i64;
                return raw::len64((v << 1 ^ v >> 63) as u64);
            }
            return raw::len32(lo << 1 ^ (lo as i32 >> 31) as u32);
        }
        raw::len64(lo as u64 | (hi as u64) << 32)
    }
}
