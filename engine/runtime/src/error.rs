//! What can go wrong, in one byte.

use core::fmt;

/// Why an encode or decode failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Error {
    /// The input ends inside a field.
    Truncated = 1,
    /// Field number 0, an unknown wire type, or a group's end without its start.
    BadTag,
    /// A varint of more than ten bytes.
    BadVarint,
    /// A string, bytes value or list is longer than its limit.
    Capacity,
    /// A string is not UTF-8.
    Utf8,
    /// The buffer is too short for this message.
    NoSpace,
    /// A required field is missing.
    MissingRequired,
    /// Unknown groups are nested too deeply.
    TooDeep,
    /// A source delivered more or less than the length it had promised.
    Length,
    /// A callback refused; its own error is in [`StreamError::User`].
    Callback,
}

impl Error {
    /// The error as a pointer that lies in no buffer.
    #[inline(always)]
    pub(crate) fn pointer(self) -> *const u8 {
        core::ptr::without_provenance(usize::MAX - self as usize)
    }

    /// The error behind [`Error::pointer`]; a pointer that stops short of its end means [`Error::Truncated`].
    #[inline(always)]
    pub(crate) fn of(pointer: *const u8) -> Error {
        let code = usize::MAX - pointer as usize;
        if code >= 1 && code <= Error::Callback as usize {
            // SAFETY: the discriminants are all numbers from 1 to `Callback`.
            unsafe { core::mem::transmute::<u8, Error>(code as u8) }
        } else {
            Error::Truncated
        }
    }

    /// One sentence without a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Error::Truncated => "the input ends inside a field",
            Error::BadTag => "a tag is not valid",
            Error::BadVarint => "a varint is longer than ten bytes",
            Error::Capacity => "a value is longer than its limit",
            Error::Utf8 => "a string is not UTF-8",
            Error::NoSpace => "the buffer is too short for this message",
            Error::MissingRequired => "a required field is missing",
            Error::TooDeep => "unknown groups are nested too deeply",
            Error::Length => "a source did not keep to the length it promised",
            Error::Callback => "a callback refused",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for Error {}

/// Why an encode or decode with streamed fields failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StreamError<E> {
    /// The message or its bytes.
    Codec(Error),
    /// The source or sink, in its own words.
    User(E),
}

impl<E: fmt::Display> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Codec(error) => error.fmt(f),
            StreamError::User(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for StreamError<E> {}

impl<E> From<Error> for StreamError<E> {
    fn from(error: Error) -> StreamError<E> {
        StreamError::Codec(error)
    }
}
