//! Messages as data: four bytes a field, and one interpreter for all messages of a firmware.
//!
//! A table is a row of [`Word`]s: the size of the struct, then the fields by number, then [`END`].
//!
//! ```text
//! field      encoded tag 16 | kind 5 | offset 11            plain scalars: that is all
//! kind COMPLEX (an occurrence word follows)
//!            a 12 | b 12 | log2 of a list's data offset 2 | - | third word 1 | occurrence 4
//!            implicit        capacity 24, no third word
//!            flag, required  a = byte of the presence bits, b = mask; required with no mask: written always, and
//!                            there from the start
//!            oneof           a = byte of the discriminant, b = its value
//!            list            a = bytes from item to item, b = most items; bit 26 marks a map, whose items are
//!                            messages of two fields, the first being the key
//!            scalars         the same, of scalars, packed where the tag says so
//!            stream          longest payload 27, no third word
//!            unknown         room 16, bit 24: drop what does not fit; no third word. The last entry, with an encoded
//!                            tag that no tag has
//! third word strings, bytes: capacity; messages: their table; closed enums: their numbers
//! offset 2047 the escape: the occurrence word is followed by offset, a, b and the third word, 32 bits each
//! ```
//!
//! The interpreter is generic over the firmware's [`Profile`]: what no table of the firmware uses is not compiled.

mod decode;
mod encode;
mod measure;

pub use decode::read;
pub use encode::write;
pub use measure::measure;

use crate::stream::{Pull, Push};

/// What the tables of a firmware use, as masks of [`uses`]. Generated once for all messages.
pub trait Profile {
    /// For encoding.
    const ENCODE: u32;
    /// For decoding.
    const DECODE: u32;
    /// For measuring.
    const MEASURE: u32;
}

/// What a table may use; bits of [`Profile`].
pub mod uses {
    /// sint32.
    pub const SINT32: u32 = 1 << 0;
    /// sint64.
    pub const SINT64: u32 = 1 << 1;
    /// int32 and open enums, which are sign-extended.
    pub const INT32: u32 = 1 << 2;
    /// uint64 and int64.
    pub const INT64: u32 = 1 << 3;
    /// bool.
    pub const BOOL: u32 = 1 << 4;
    /// fixed32, sfixed32, float.
    pub const FIXED32: u32 = 1 << 5;
    /// fixed64, sfixed64, double.
    pub const FIXED64: u32 = 1 << 6;
    /// Strings that are checked.
    pub const TEXT: u32 = 1 << 7;
    /// Bytes, and strings that are not checked.
    pub const BYTES: u32 = 1 << 8;
    /// Nested messages.
    pub const MESSAGE: u32 = 1 << 9;
    /// Strings and bytes of implicit presence.
    pub const IMPLICIT: u32 = 1 << 10;
    /// Presence bits.
    pub const FLAG: u32 = 1 << 11;
    /// Oneofs.
    pub const ONEOF: u32 = 1 << 12;
    /// Lists of strings, bytes or messages.
    pub const LIST: u32 = 1 << 13;
    /// Lists of scalars.
    pub const SCALARS: u32 = 1 << 14;
    /// Closed enums.
    pub const CLOSED: u32 = 1 << 15;
    /// Streamed fields.
    pub const STREAM: u32 = 1 << 16;
    /// The escape for large offsets, counts and strides.
    pub const LARGE: u32 = 1 << 17;
    /// Field numbers over 15.
    pub const WIDE_TAG: u32 = 1 << 18;
    /// Nested messages or packed lists that can be longer than 127 bytes.
    pub const LONG: u32 = 1 << 19;
    /// Nested messages whose size is not a multiple of 4.
    pub const ODD: u32 = 1 << 20;
    /// Nested messages that bring code of their own.
    pub const CODE: u32 = 1 << 21;
    /// Required fields.
    pub const REQUIRED: u32 = 1 << 22;
    /// Maps.
    pub const MAP: u32 = 1 << 23;
    /// Groups.
    pub const GROUP: u32 = 1 << 24;
    /// Unknown fields that are kept.
    pub const UNKNOWN: u32 = 1 << 25;
}

/// One word of a table.
#[derive(Clone, Copy)]
#[repr(C)]
pub union Word {
    number: u32,
    table: *const Word,
    values: *const i32,
    write: unsafe fn(*const u8, *mut u8, *mut Pull) -> *mut u8,
    read: unsafe fn(*mut u8, *const u8, *const u8, *mut Push) -> *const u8,
    measure: unsafe fn(*const u8) -> usize,
}

/// A message's table.
#[repr(transparent)]
pub struct Table<const N: usize>([Word; N]);

// SAFETY: never written; the pointers in it point to other statics.
unsafe impl<const N: usize> Sync for Table<N> {}

impl<const N: usize> Table<N> {
    /// A table of these words; notes in the occurrence words which entries have a third one.
    pub const fn new(mut words: [Word; N]) -> Table<N> {
        let mut at = 1;
        while at + 1 < N {
            // SAFETY: the walk meets first and occurrence words only, which are numbers.
            let (first, next) = unsafe { (words[at].number, words[at + 1]) };
            at += 1;
            if first & COMPLEX == 0 {
                continue;
            }
            if first >> 21 == ESCAPE {
                at += 5;
                continue;
            }
            // SAFETY: a complex entry's second word is a number.
            let second = unsafe { next.number };
            let is = second >> 28;
            // Of wire type 2, or a group's 3.
            let delimited = first & 6 == 2 && !matches!(is, IS_IMPLICIT | IS_SCALARS | IS_STREAM);
            if delimited || is_closed(first) {
                words[at] = Word { number: second | HAS_THIRD };
                at += 1;
            }
            at += 1;
        }
        Table(words)
    }

    /// Its words.
    #[inline(always)]
    pub const fn words(&'static self) -> &'static [Word] {
        &self.0
    }
}

/// Type of a field's value, for [`field`] and its like.
#[derive(Clone, Copy)]
pub struct Kind(u32);

const ZIGZAG: u32 = 1 << 16;
const DOUBLE: u32 = 1 << 17;
const FIXED: u32 = 1 << 18;
const BYTE: u32 = 1 << 19;
const COMPLEX: u32 = 1 << 20;
/// Marks length-delimited kinds in [`Kind`]; the word says it by its wire type.
const DELIMITED: u32 = 1 << 31;
/// Marks groups in [`Kind`]; the word says it by its wire type.
const GROUPED: u32 = 1 << 30;

/// uint32.
pub const UINT32: Kind = Kind(0);
/// int32 and open enums.
pub const INT32: Kind = Kind(DOUBLE | BYTE);
/// sint32.
pub const SINT32: Kind = Kind(ZIGZAG);
/// uint64 and int64.
pub const INT64: Kind = Kind(DOUBLE);
/// sint64.
pub const SINT64: Kind = Kind(DOUBLE | ZIGZAG);
/// bool.
pub const BOOL: Kind = Kind(BYTE);
/// fixed32, sfixed32, float.
pub const FIXED32: Kind = Kind(FIXED);
/// fixed64, sfixed64, double.
pub const FIXED64: Kind = Kind(FIXED | DOUBLE);
/// A closed enum; its numbers are in the third word.
pub const CLOSED: Kind = Kind(DOUBLE | BYTE | ZIGZAG);
/// Bytes, and strings that are not checked.
pub const BYTES: Kind = Kind(DELIMITED);
/// A string.
pub const TEXT: Kind = Kind(DELIMITED | ZIGZAG);
/// A nested message.
pub const MESSAGE: Kind = Kind(DELIMITED | DOUBLE);
/// A nested message between tags of its own instead of behind a length.
pub const GROUP: Kind = Kind(DELIMITED | DOUBLE | GROUPED);
/// A streamed payload.
pub const STREAM: Kind = Kind(DELIMITED | BYTE);

const IS_IMPLICIT: u32 = 0;
const IS_FLAG: u32 = 1;
const IS_ONEOF: u32 = 2;
const IS_LIST: u32 = 3;
const IS_SCALARS: u32 = 4;
const IS_STREAM: u32 = 5;
/// A plain scalar behind the escape.
const IS_PLAIN: u32 = 6;
const IS_REQUIRED: u32 = 7;
const IS_UNKNOWN: u32 = 8;

/// Says in an occurrence word that a third word follows.
const HAS_THIRD: u32 = 1 << 27;

/// The offset that stands for the escape.
const ESCAPE: u32 = 0x7ff;

/// Ends a table. Its low byte equals no one-byte tag, so decoding needs no test for the end.
pub const END: Word = Word { number: STOP };
const STOP: u32 = 0x80;

/// Head of the table of a message that brings code of its own.
const HAS_CODE: u32 = 1 << 31;

const fn wire_type(kind: Kind) -> u32 {
    if kind.0 & GROUPED != 0 {
        3
    } else if kind.0 & DELIMITED != 0 {
        2
    } else if kind.0 & FIXED == 0 {
        0
    } else if kind.0 & DOUBLE != 0 {
        1
    } else {
        5
    }
}

const fn word(number: u32, wire_type: u32, flags: u32, offset: usize) -> Word {
    assert!(number >= 1 && number < 2048 && offset <= ESCAPE as usize);
    let tag = number << 3 | wire_type;
    let tag = if tag < 0x80 { tag } else { tag & 0x7f | 0x80 | (tag >> 7) << 8 };
    Word { number: tag | flags & 0x1f_0000 | (offset as u32) << 21 }
}

/// The first word of a table.
pub const fn head<M>() -> Word {
    Word { number: size_of::<M>() as u32 }
}

/// A scalar of implicit presence.
pub const fn field(number: u32, kind: Kind, offset: usize) -> Word {
    assert!(offset < ESCAPE as usize && kind.0 & DELIMITED == 0);
    word(number, wire_type(kind), kind.0, offset)
}

/// A field with an occurrence word.
pub const fn complex(number: u32, kind: Kind, offset: usize) -> Word {
    assert!(offset < ESCAPE as usize);
    word(number, wire_type(kind), kind.0 | COMPLEX, offset)
}

/// A packed list of scalars.
pub const fn packed(number: u32, kind: Kind, offset: usize) -> Word {
    assert!(offset < ESCAPE as usize);
    word(number, 2, kind.0 | COMPLEX, offset)
}

/// A field behind the escape: its occurrence word, offset, a, b and third word follow.
pub const fn large(number: u32, kind: Kind) -> Word {
    word(number, wire_type(kind), kind.0 | COMPLEX, ESCAPE as usize)
}

/// A packed list of scalars behind the escape.
pub const fn large_packed(number: u32, kind: Kind) -> Word {
    word(number, 2, kind.0 | COMPLEX, ESCAPE as usize)
}

/// Occurrence: a string or bytes of implicit presence.
pub const fn implicit(capacity: usize) -> Word {
    assert!(capacity < 1 << 24);
    Word { number: capacity as u32 | IS_IMPLICIT << 28 }
}

/// Occurrence: present when the bit is set.
pub const fn flag(byte: usize, mask: u32) -> Word {
    assert!(byte < 4096 && mask < 256);
    Word { number: byte as u32 | mask << 12 | IS_FLAG << 28 }
}

/// Occurrence: always written; the bit says that it was read.
pub const fn required(byte: usize, mask: u32) -> Word {
    assert!(byte < 4096 && mask < 256);
    Word { number: byte as u32 | mask << 12 | IS_REQUIRED << 28 }
}

/// Occurrence: member of a oneof.
pub const fn oneof(byte: usize, value: u32) -> Word {
    assert!(byte < 4096 && value < 256);
    Word { number: byte as u32 | value << 12 | IS_ONEOF << 28 }
}

/// Occurrence: always written, and there from the start.
pub const fn always() -> Word {
    required(0, 0)
}

/// Marks a list that is a map.
const MAP: u32 = 1 << 26;

const fn data_log2(data: usize) -> u32 {
    assert!(data == 2 || data == 4 || data == 8);
    data.trailing_zeros() << 24
}

/// Occurrence: a list of strings, bytes or messages.
pub const fn list(max: usize, stride: usize, data: usize) -> Word {
    assert!(max < 4096 && stride < 4096);
    Word { number: stride as u32 | (max as u32) << 12 | data_log2(data) | IS_LIST << 28 }
}

/// Occurrence: a map, as a list of its entries.
pub const fn map(max: usize, stride: usize, data: usize) -> Word {
    assert!(max < 4096 && stride < 4096);
    Word { number: stride as u32 | (max as u32) << 12 | data_log2(data) | MAP | IS_LIST << 28 }
}

/// Occurrence: a list of scalars.
pub const fn scalars(max: usize, stride: usize, data: usize) -> Word {
    assert!(max < 4096 && stride < 4096);
    Word { number: stride as u32 | (max as u32) << 12 | data_log2(data) | IS_SCALARS << 28 }
}

/// Occurrence: a streamed payload.
pub const fn stream(longest: usize) -> Word {
    assert!(longest < 1 << 27);
    Word { number: longest as u32 | IS_STREAM << 28 }
}

/// Occurrence behind the escape: a string or bytes of implicit presence.
pub const LARGE_IMPLICIT: Word = Word { number: IS_IMPLICIT << 28 };
/// Occurrence behind the escape: a scalar of implicit presence.
pub const LARGE_PLAIN: Word = Word { number: IS_PLAIN << 28 };
/// Occurrence behind the escape: present when the bit is set.
pub const LARGE_FLAG: Word = Word { number: IS_FLAG << 28 };
/// Occurrence behind the escape: always written.
pub const LARGE_REQUIRED: Word = Word { number: IS_REQUIRED << 28 };
/// Occurrence behind the escape: member of a oneof.
pub const LARGE_ONEOF: Word = Word { number: IS_ONEOF << 28 };

/// Occurrence behind the escape: a list of strings, bytes or messages.
pub const fn large_list(data: usize) -> Word {
    Word { number: data_log2(data) | IS_LIST << 28 }
}

/// Occurrence behind the escape: a map.
pub const fn large_map(data: usize) -> Word {
    Word { number: data_log2(data) | MAP | IS_LIST << 28 }
}

/// Occurrence behind the escape: a list of scalars.
pub const fn large_scalars(data: usize) -> Word {
    Word { number: data_log2(data) | IS_SCALARS << 28 }
}

/// Where unknown fields are kept.
pub const fn unknown(offset: usize) -> Word {
    assert!(offset < ESCAPE as usize);
    Word { number: NO_TAG | COMPLEX | (offset as u32) << 21 }
}

/// Where unknown fields are kept, behind the escape.
pub const LARGE_UNKNOWN: Word = Word { number: NO_TAG | COMPLEX | ESCAPE << 21 };

/// The encoded form that no tag has: its first byte says that another follows, which is zero.
const NO_TAG: u32 = 0x80;

/// Drops unknown fields that do not fit.
const DROPS: u32 = 1 << 24;

/// Occurrence: room for unknown fields.
pub const fn room(capacity: usize, drops: bool) -> Word {
    assert!(capacity < 1 << 16);
    Word { number: capacity as u32 | if drops { DROPS } else { 0 } | IS_UNKNOWN << 28 }
}

/// A number: a capacity, an offset, a count.
pub const fn number(number: usize) -> Word {
    Word { number: number as u32 }
}

/// The table of a nested message.
pub const fn message<M: crate::Codec>() -> Word {
    Word { table: M::TABLE.as_ptr() }
}

/// The numbers of a closed enum, the first being how many follow, the second the default.
pub const fn values(values: &'static [i32]) -> Word {
    Word { values: values.as_ptr() }
}

/// The table of a message that brings code of its own.
pub(crate) const fn code<M: crate::Codec>() -> [Word; 4] {
    [
        Word { number: size_of::<M>() as u32 | HAS_CODE },
        Word { write: erased_write::<M> },
        Word { read: erased_read::<M> },
        Word { measure: erased_measure::<M> },
    ]
}

unsafe fn erased_write<M: crate::Codec>(message: *const u8, p: *mut u8, pull: *mut Pull) -> *mut u8 {
    // SAFETY: the table is that of `M`, and so is the message.
    unsafe { (*message.cast::<M>()).write(p, pull) }
}

unsafe fn erased_read<M: crate::Codec>(
    message: *mut u8,
    p: *const u8,
    end: *const u8,
    push: *mut Push,
) -> *const u8 {
    // SAFETY: the table is that of `M`, and so is the message.
    unsafe { (*message.cast::<M>()).read(p, end, push) }
}

unsafe fn erased_measure<M: crate::Codec>(message: *const u8) -> usize {
    // SAFETY: the table is that of `M`, and so is the message.
    unsafe { (*message.cast::<M>()).measure() }
}

/// A cursor in a table.
type Entry = *const Word;

/// The number at `entry`.
///
/// # Safety
/// `entry` is in a table, at a word that is a number.
#[inline(always)]
unsafe fn number_at(entry: Entry) -> u32 {
    // SAFETY: as promised by the caller.
    unsafe { (*entry).number }
}

/// What of a profile's mask the interpreter asks for, combined.
#[derive(Clone, Copy)]
struct Mask(u32);

impl Mask {
    const fn has(self, any: u32) -> bool {
        self.0 & any != 0
    }
    /// Length-delimited values in memory.
    const fn delimited(self) -> bool {
        self.has(uses::TEXT | uses::BYTES | uses::MESSAGE)
    }
    /// Only messages among the length-delimited values.
    const fn only_messages(self) -> bool {
        !self.has(uses::TEXT | uses::BYTES)
    }
    /// Occurrences other than implicit strings and bytes.
    const fn occurrences(self) -> bool {
        self.has(
            uses::FLAG
                | uses::REQUIRED
                | uses::ONEOF
                | uses::LIST
                | uses::SCALARS
                | uses::STREAM
                | uses::CLOSED
                | uses::LARGE
                | uses::UNKNOWN,
        )
    }
    /// Fields of more than one word.
    const fn complex(self) -> bool {
        self.delimited() || self.occurrences()
    }
    /// Entries with a third word.
    const fn thirds(self) -> bool {
        self.has(uses::CLOSED)
            || self.delimited() && self.has(uses::FLAG | uses::REQUIRED | uses::ONEOF | uses::LIST)
    }
    /// Varints of 64 bits.
    const fn varint64(self) -> bool {
        self.has(uses::INT64 | uses::SINT64 | uses::INT32)
    }
    /// Values of 64 bits in memory.
    const fn memory64(self) -> bool {
        self.has(uses::INT64 | uses::SINT64 | uses::FIXED64)
    }
    const fn zigzag(self) -> bool {
        self.has(uses::SINT32 | uses::SINT64)
    }
    const fn fixed(self) -> bool {
        self.has(uses::FIXED32 | uses::FIXED64)
    }
}

/// An entry's occurrence word, and where its parts are.
struct Occurrence {
    /// What kind: one of `IS_`.
    is: u32,
    a: usize,
    b: u32,
    /// Bytes from the list's start to its first item.
    data: usize,
    /// Where the third word is, if there is one.
    third: Entry,
    /// The next entry.
    next: Entry,
    /// The field's offset in the struct.
    offset: usize,
}

/// Reads the occurrence of the complex entry at `entry`.
///
/// # Safety
/// `entry` is a complex entry of a table whose uses are all in `uses`.
#[inline(always)]
unsafe fn occurrence(uses: Mask, entry: Entry) -> Occurrence {
    // SAFETY: the entry has the words its kind says.
    unsafe {
        let first = number_at(entry);
        let word = number_at(entry.add(1));
        let is = word >> 28;
        let data = 1 << (word >> 24 & 3);
        if uses.has(uses::LARGE) && first >> 21 == ESCAPE {
            return Occurrence {
                is,
                a: number_at(entry.add(3)) as usize,
                b: number_at(entry.add(4)),
                data,
                third: entry.add(5),
                next: entry.add(6),
                offset: number_at(entry.add(2)) as usize,
            };
        }
        let third = if uses.thirds() { entry.add(1 + (word >> 27 & 1) as usize) } else { entry.add(1) };
        Occurrence {
            is,
            a: (word & 0xfff) as usize,
            b: word >> 12 & 0xfff,
            data,
            third,
            next: third.add(1),
            offset: (first >> 21) as usize,
        }
    }
}

/// Whether an entry is a closed enum: no length-delimited kind has these three flags together.
#[inline(always)]
const fn is_closed(first: u32) -> bool {
    first & (ZIGZAG | DOUBLE | FIXED | BYTE) == ZIGZAG | DOUBLE | BYTE
}

/// Whether a complex entry is length-delimited and not a packed list.
#[inline(always)]
fn is_delimited(uses: Mask, first: u32) -> bool {
    uses.delimited() && (!uses.occurrences() || first & if uses.has(uses::GROUP) { 6 } else { 7 } == 2)
}

/// Whether an entry is a group.
#[inline(always)]
fn is_group(uses: Mask, first: u32) -> bool {
    uses.has(uses::GROUP) && first & 7 == 3
}

/// Whether a length-delimited entry is a message.
#[inline(always)]
fn is_message(uses: Mask, first: u32) -> bool {
    uses.has(uses::MESSAGE) && (uses.only_messages() || first & DOUBLE != 0)
}

/// The tag as a number, from its encoded form in an entry.
#[inline(always)]
fn tag_of(uses: Mask, first: u32) -> u32 {
    if !uses.has(uses::WIDE_TAG) || first & 0x80 == 0 {
        first & 0x7f
    } else {
        first & 0x7f | (first >> 1) & 0x3f80
    }
}
