//! The traits of generated messages.

use crate::error::{Error, StreamError};
use crate::stream::{Pull, Push, Sink, Source, User};
use crate::table::{self, Profile, Word};

/// What generated code provides for each message. Users meet [`Message`] and [`StreamMessage`].
///
/// # Safety
/// `MAX` bytes, and for streamed payloads what [`Pull`] has room for, are enough for whatever `write` writes.
/// `write` and `measure` agree on every value. `read` never reads outside of `p..end`, and leaves every field valid
/// also when it fails. Either all three of `write`, `read` and `measure` are given, or `TABLE` is: it describes the fields of the implementing type as they lie in memory, and the
/// masks of `Profile` name every kind in it.
pub unsafe trait Codec: Default {
    /// Longest encoding without streamed payloads.
    const MAX: usize;
    /// Whether `write` may be called.
    const ENCODES: bool = true;
    /// Whether `read` may be called.
    const DECODES: bool = true;
    /// What the interpreter has to know for the messages of this firmware.
    type Profile: Profile;

    /// The message as data. Unless given, the addresses of the three functions below, for tables of messages that
    /// hold this one.
    const TABLE: &'static [Word] = &table::code::<Self>();

    /// Writes the message. By table, unless given.
    ///
    /// # Safety
    /// `p` is writable for [`Codec::MAX`] bytes and the streamed payloads. `pull` is valid if the message streams.
    #[inline(always)]
    unsafe fn write(&self, p: *mut u8, pull: *mut Pull) -> *mut u8 {
        // SAFETY: the table is that of this type.
        unsafe { table::write::<Self::Profile>(p, (self as *const Self).cast(), Self::TABLE.as_ptr(), pull) }
    }

    /// Reads fields up to `end` and returns `end`, or a pointer that stands for an error. By table, unless given.
    ///
    /// # Safety
    /// `p..end` is readable. `push` is valid if the message streams.
    #[inline(always)]
    unsafe fn read(&mut self, p: *const u8, end: *const u8, push: *mut Push) -> *const u8 {
        // SAFETY: the table is that of this type.
        unsafe {
            table::read::<Self::Profile>(p, end, (self as *mut Self).cast(), Self::TABLE.as_ptr(), push)
        }
    }

    /// Length of the encoding, without streamed fields. By table, unless given.
    #[inline(always)]
    fn measure(&self) -> usize {
        // SAFETY: the table is that of this type.
        unsafe { table::measure::<Self::Profile>((self as *const Self).cast(), Self::TABLE.as_ptr()) }
    }

    /// Whether all required fields are there, in nested messages too.
    #[inline(always)]
    fn is_complete(&self) -> bool {
        true
    }
}

/// A message whose fields are all in memory.
pub trait Message: Codec {
    /// Longest encoding, in bytes.
    const MAX_ENCODED_LEN: usize = Self::MAX;

    /// Encodes into an array that has room for every value of this type, which is checked at compile time.
    /// Returns the bytes written.
    #[inline(always)]
    fn encode<'a, const N: usize>(&self, buffer: &'a mut [u8; N]) -> &'a [u8] {
        const {
            assert!(N >= Self::MAX, "the array is shorter than MAX_ENCODED_LEN");
            assert!(Self::ENCODES, "this message was generated for decoding only");
        }
        // SAFETY: the array has room for the longest encoding.
        unsafe { write_all(self, buffer) }
    }

    /// Encodes into any slice that is long enough for this value. Returns the bytes written.
    ///
    /// # Errors
    /// [`Error::NoSpace`], with the slice untouched.
    #[inline(always)]
    fn encode_to_slice<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], Error> {
        const { assert!(Self::ENCODES, "this message was generated for decoding only") }
        if buffer.len() < Self::MAX && buffer.len() < self.measure() {
            return Err(Error::NoSpace);
        }
        // SAFETY: the slice has room for the longest encoding, or for the measured one.
        Ok(unsafe { write_all(self, buffer) })
    }

    /// Length of the encoding of this value.
    #[inline(always)]
    fn encoded_len(&self) -> usize {
        self.measure()
    }

    /// Decodes `bytes` into what is there: singular fields are replaced, lists grow, messages merge.
    ///
    /// # Errors
    /// See [`Error`]. The fields before the fault are read; every field is valid.
    #[inline(always)]
    fn merge(&mut self, bytes: &[u8]) -> Result<(), Error> {
        const { assert!(Self::DECODES, "this message was generated for encoding only") }
        let range = bytes.as_ptr_range();
        // SAFETY: a slice is readable; the message does not stream.
        let p = unsafe { self.read(range.start, range.end, core::ptr::null_mut()) };
        if p != range.end {
            return Err(Error::of(p));
        }
        if !self.is_complete() {
            return Err(Error::MissingRequired);
        }
        Ok(())
    }

    /// Decodes `bytes` into a new message.
    ///
    /// # Errors
    /// See [`Error`].
    #[inline(always)]
    fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut message = Self::default();
        message.merge(bytes)?;
        Ok(message)
    }
}

/// # Safety
/// `buffer` has room for this value.
#[inline(always)]
unsafe fn write_all<'a, M: Codec>(message: &M, buffer: &'a mut [u8]) -> &'a [u8] {
    // SAFETY: `write` stops within the room it was promised.
    unsafe {
        let start = buffer.as_mut_ptr();
        let n = message.write(start, core::ptr::null_mut()) as usize - start as usize;
        core::hint::assert_unchecked(n <= M::MAX && n <= buffer.len());
        buffer.get_unchecked(..n)
    }
}

/// A message with streamed fields, its own or those of a message in it.
pub trait StreamMessage: Codec {
    /// Longest encoding without the streamed payloads.
    const FIXED_ENCODED_LEN: usize = Self::MAX;

    /// Encodes into `buffer`, with the streamed payloads from `source`. Returns the bytes written.
    ///
    /// The buffer must have room for [`StreamMessage::FIXED_ENCODED_LEN`] and the payloads.
    ///
    /// # Errors
    /// [`Error::NoSpace`], [`Error::Capacity`] for a payload over its limit, [`Error::Length`] for a promise not
    /// kept, [`StreamError::User`] with what the source failed with.
    #[inline(always)]
    fn encode_with<'a, S: Source>(
        &self,
        source: &mut S,
        buffer: &'a mut [u8],
    ) -> Result<&'a [u8], StreamError<S::Error>> {
        const { assert!(Self::ENCODES, "this message was generated for decoding only") }
        if buffer.len() < Self::MAX {
            return Err(StreamError::Codec(Error::NoSpace));
        }
        let mut user = User { callbacks: source, error: None };
        let mut pull = Pull::new(&mut user, buffer.len() - Self::MAX);
        // SAFETY: the buffer has room for the fixed part, and `pull` for the rest of it.
        unsafe {
            let start = buffer.as_mut_ptr();
            let p = self.write(start, &mut pull);
            let n = p as usize - start as usize;
            if n > buffer.len() {
                return Err(match user.error {
                    Some(error) => StreamError::User(error),
                    None => StreamError::Codec(Error::of(p)),
                });
            }
            Ok(buffer.get_unchecked(..n))
        }
    }

    /// Decodes `bytes` into what is there, streamed payloads into `sink`.
    ///
    /// # Errors
    /// See [`Error`]; [`StreamError::User`] with what the sink failed with. Every field is valid afterwards.
    #[inline(always)]
    fn merge_with<S: Sink>(&mut self, sink: &mut S, bytes: &[u8]) -> Result<(), StreamError<S::Error>> {
        const { assert!(Self::DECODES, "this message was generated for encoding only") }
        let range = bytes.as_ptr_range();
        let mut user = User { callbacks: sink, error: None };
        let mut push = Push::new(&mut user);
        // SAFETY: a slice is readable, and `push` lives until after the call.
        let p = unsafe { self.read(range.start, range.end, &mut push) };
        if p != range.end {
            return Err(match user.error {
                Some(error) => StreamError::User(error),
                None => StreamError::Codec(Error::of(p)),
            });
        }
        if !self.is_complete() {
            return Err(StreamError::Codec(Error::MissingRequired));
        }
        Ok(())
    }

    /// Decodes `bytes` into a new message, streamed payloads into `sink`.
    ///
    /// # Errors
    /// As [`StreamMessage::merge_with`].
    #[inline(always)]
    fn decode_with<S: Sink>(sink: &mut S, bytes: &[u8]) -> Result<Self, StreamError<S::Error>> {
        let mut message = Self::default();
        message.merge_with(sink, bytes)?;
        Ok(message)
    }
}
