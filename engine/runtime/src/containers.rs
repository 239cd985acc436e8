//! Strings, bytes and lists of bounded length, stored in place.
//!
//! All are `{ len: u16, data }` with a defined layout, so that a table can address them, and all-zero bytes are
//! the empty value. The data beyond the length stays uninitialised: an empty list of 20 items costs two bytes to
//! make, not 320.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

use crate::error::Error;
use crate::raw;

/// A list of at most `N` items (`N` up to 65535). Derefs to a slice.
///
/// Items must not need dropping: the types of generated messages never do, and a list never drops its items.
///
/// ```
/// use wirebench_runtime::{Error, List};
///
/// let mut list = List::<u32, 2>::new();
/// list.push(7)?;
/// *list.grow()? = 8;
/// assert_eq!(list.push(9), Err(Error::Capacity));
/// assert_eq!(list[..], [7, 8]);
/// # Ok::<(), Error>(())
/// ```
#[repr(C)]
pub struct List<T, const N: usize> {
    len: u16,
    data: [MaybeUninit<T>; N],
}

impl<T, const N: usize> List<T, N> {
    const FITS: () = assert!(N <= u16::MAX as usize && !core::mem::needs_drop::<T>());

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> List<T, N> {
        let () = List::<T, N>::FITS;
        List { len: 0, data: [const { MaybeUninit::uninit() }; N] }
    }

    /// Most items it can hold.
    pub const CAPACITY: usize = N;

    /// The items.
    #[inline(always)]
    pub const fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` items are initialised, and `len <= N`.
        unsafe { core::slice::from_raw_parts(self.data.as_ptr().cast(), self.len as usize) }
    }

    /// The items, to be changed.
    #[inline(always)]
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: the first `len` items are initialised, and `len <= N`.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_mut_ptr().cast(), self.len as usize) }
    }

    /// Appends an item.
    ///
    /// # Errors
    /// [`Error::Capacity`] when the list is full.
    #[inline(always)]
    pub fn push(&mut self, item: T) -> Result<(), Error> {
        match self.data.get_mut(self.len as usize) {
            Some(place) => {
                place.write(item);
                self.len += 1;
                Ok(())
            }
            None => Err(Error::Capacity),
        }
    }

    /// Appends a default item and returns it, to be filled in place.
    ///
    /// # Errors
    /// [`Error::Capacity`] when the list is full.
    #[inline(always)]
    pub fn grow(&mut self) -> Result<&mut T, Error>
    where
        T: Default,
    {
        match self.data.get_mut(self.len as usize) {
            Some(place) => {
                self.len += 1;
                Ok(place.write(T::default()))
            }
            None => Err(Error::Capacity),
        }
    }

    /// Appends copies of all `items`.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing appended, when they do not all fit.
    #[inline]
    pub fn extend_from_slice(&mut self, items: &[T]) -> Result<(), Error>
    where
        T: Clone,
    {
        if items.len() > N - self.len() {
            return Err(Error::Capacity);
        }
        for item in items {
            self.push(item.clone())?;
        }
        Ok(())
    }

    /// Replaces the content by copies of `items`.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing changed, when they do not all fit.
    #[inline]
    pub fn set(&mut self, items: &[T]) -> Result<(), Error>
    where
        T: Clone,
    {
        if items.len() > N {
            return Err(Error::Capacity);
        }
        self.len = 0;
        self.extend_from_slice(items)
    }

    /// Removes and returns the last item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: the item was initialised and is not part of the list any more.
        self.data.get(self.len as usize).map(|item| unsafe { item.assume_init_read() })
    }

    /// Keeps the first `len` items; does nothing when there are fewer.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if len < self.len as usize {
            self.len = len as u16;
        }
    }

    /// Removes all items.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T, const N: usize> Default for List<T, N> {
    #[inline(always)]
    fn default() -> List<T, N> {
        List::new()
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T: Clone, const N: usize> Clone for List<T, N> {
    #[inline]
    fn clone(&self) -> List<T, N> {
        let mut copy = List::new();
        for item in self.as_slice() {
            // Cannot fail: both have room for `N`.
            let _ = copy.push(item.clone());
        }
        copy
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    #[inline]
    fn eq(&self, other: &List<T, N>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl<T: Clone, const N: usize> TryFrom<&[T]> for List<T, N> {
    type Error = Error;
    #[inline]
    fn try_from(items: &[T]) -> Result<List<T, N>, Error> {
        let mut list = List::new();
        list.extend_from_slice(items)?;
        Ok(list)
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> core::slice::Iter<'a, T> {
        self.as_slice().iter()
    }
}

/// Bytes, at most `N` (up to 65535). Derefs to `[u8]`.
///
/// ```
/// use wirebench_runtime::{Blob, Error};
///
/// let mut blob = Blob::<4>::new();
/// blob.set(&[1, 2, 3])?;
/// assert_eq!(blob.extend_from_slice(&[4, 5]), Err(Error::Capacity));
/// assert_eq!(blob[..], [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[repr(C)]
pub struct Blob<const N: usize> {
    len: u16,
    data: [MaybeUninit<u8>; N],
}

impl<const N: usize> Blob<N> {
    const FITS: () = assert!(N <= u16::MAX as usize);

    /// Most bytes it can hold.
    pub const CAPACITY: usize = N;

    /// No bytes.
    #[inline(always)]
    pub const fn new() -> Blob<N> {
        let () = Blob::<N>::FITS;
        Blob { len: 0, data: [const { MaybeUninit::uninit() }; N] }
    }

    /// The bytes.
    #[inline(always)]
    pub const fn as_slice(&self) -> &[u8] {
        // SAFETY: the first `len` bytes are initialised, and `len <= N`.
        unsafe { core::slice::from_raw_parts(self.data.as_ptr().cast(), self.len as usize) }
    }

    /// The bytes, to be changed.
    #[inline(always)]
    pub const fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the first `len` bytes are initialised, and `len <= N`.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_mut_ptr().cast(), self.len as usize) }
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing changed, when `bytes` are more than `N`.
    #[inline(always)]
    pub fn set(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() > N {
            return Err(Error::Capacity);
        }
        self.len = 0;
        self.extend_from_slice(bytes)
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing appended, when they do not fit.
    #[inline(always)]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let len = self.len as usize;
        if bytes.len() > N - len {
            return Err(Error::Capacity);
        }
        // SAFETY: `len + bytes.len() <= N`, and a borrowed slice cannot overlap `self.data`.
        unsafe {
            raw::copy::<false>(self.data.as_mut_ptr().cast::<u8>().add(len), bytes.as_ptr(), bytes.len())
        };
        self.len = (len + bytes.len()) as u16;
        Ok(())
    }

    /// Appends one byte.
    ///
    /// # Errors
    /// [`Error::Capacity`] when it is full.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) -> Result<(), Error> {
        match self.data.get_mut(self.len as usize) {
            Some(place) => {
                place.write(byte);
                self.len += 1;
                Ok(())
            }
            None => Err(Error::Capacity),
        }
    }

    /// Removes all bytes.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.len = 0;
    }
}

impl<const N: usize> Default for Blob<N> {
    #[inline(always)]
    fn default() -> Blob<N> {
        Blob::new()
    }
}

impl<const N: usize> Deref for Blob<N> {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl<const N: usize> DerefMut for Blob<N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        self.as_mut_slice()
    }
}

impl<const N: usize> Clone for Blob<N> {
    #[inline]
    fn clone(&self) -> Blob<N> {
        let mut copy = Blob::new();
        // Cannot fail: both have room for `N`.
        let _ = copy.set(self.as_slice());
        copy
    }
}

impl<const N: usize> PartialEq for Blob<N> {
    #[inline]
    fn eq(&self, other: &Blob<N>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<const N: usize> Eq for Blob<N> {}

impl<const N: usize> fmt::Debug for Blob<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl<const N: usize> TryFrom<&[u8]> for Blob<N> {
    type Error = Error;
    #[inline]
    fn try_from(bytes: &[u8]) -> Result<Blob<N>, Error> {
        let mut blob = Blob::new();
        blob.set(bytes)?;
        Ok(blob)
    }
}

/// A string of at most `N` bytes of UTF-8 (up to 65535). Derefs to `str`.
///
/// ```
/// use wirebench_runtime::{Error, Text};
///
/// let mut name = Text::<8>::new();
/// name.set("motor")?;
/// assert_eq!(name.push_str("-left"), Err(Error::Capacity));
/// assert_eq!(&*name, "motor");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[repr(transparent)]
pub struct Text<const N: usize>(Blob<N>);

impl<const N: usize> Text<N> {
    /// Most bytes it can hold.
    pub const CAPACITY: usize = N;

    /// The empty string.
    #[inline(always)]
    pub const fn new() -> Text<N> {
        Text(Blob::new())
    }

    /// The string.
    #[inline(always)]
    pub const fn as_str(&self) -> &str {
        // SAFETY: every way in takes a `str` or checks UTF-8 before the length is set.
        unsafe { core::str::from_utf8_unchecked(self.0.as_slice()) }
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing changed, when `text` has more than `N` bytes.
    #[inline(always)]
    pub fn set(&mut self, text: &str) -> Result<(), Error> {
        self.0.set(text.as_bytes())
    }

    /// Appends `text`.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing appended, when it does not fit.
    #[inline(always)]
    pub fn push_str(&mut self, text: &str) -> Result<(), Error> {
        self.0.extend_from_slice(text.as_bytes())
    }

    /// Makes it empty.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.0.clear();
    }
}

impl<const N: usize> Default for Text<N> {
    #[inline(always)]
    fn default() -> Text<N> {
        Text::new()
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;
    #[inline(always)]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> PartialEq<str> for Text<N> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// Formatted text; what does not fit is refused piece by piece.
impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text).map_err(|_| fmt::Error)
    }
}

impl<const N: usize> TryFrom<&str> for Text<N> {
    type Error = Error;
    #[inline]
    fn try_from(text: &str) -> Result<Text<N>, Error> {
        let mut own = Text::new();
        own.set(text)?;
        Ok(own)
    }
}

/// A proto2 string: bytes that should be UTF-8, which nobody has checked. At most `N` bytes (up to 65535).
///
/// ```
/// use wirebench_runtime::{Error, RawText};
///
/// let mut name = RawText::<8>::try_from("motor")?;
/// assert_eq!(name.as_str(), Ok("motor"));
/// name.set_bytes(&[0xff])?;
/// assert_eq!(name.as_str(), Err(Error::Utf8));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[repr(transparent)]
pub struct RawText<const N: usize>(Blob<N>);

impl<const N: usize> RawText<N> {
    /// Most bytes it can hold.
    pub const CAPACITY: usize = N;

    /// The empty string.
    #[inline(always)]
    pub const fn new() -> RawText<N> {
        RawText(Blob::new())
    }

    /// The bytes as they are.
    #[inline(always)]
    pub const fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// The string.
    ///
    /// # Errors
    /// [`Error::Utf8`] when the bytes are not UTF-8.
    #[inline]
    pub fn as_str(&self) -> Result<&str, Error> {
        let bytes = self.as_bytes();
        // SAFETY: the slice is readable for its length, and the string is made only after the check.
        unsafe {
            if raw::is_utf8(bytes.as_ptr(), bytes.len()) {
                Ok(core::str::from_utf8_unchecked(bytes))
            } else {
                Err(Error::Utf8)
            }
        }
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing changed, when `text` has more than `N` bytes.
    #[inline(always)]
    pub fn set(&mut self, text: &str) -> Result<(), Error> {
        self.0.set(text.as_bytes())
    }

    /// Replaces the content by bytes that need not be UTF-8.
    ///
    /// # Errors
    /// [`Error::Capacity`], with nothing changed, when `bytes` are more than `N`.
    #[inline(always)]
    pub fn set_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.set(bytes)
    }

    /// Makes it empty.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.0.clear();
    }
}

impl<const N: usize> Default for RawText<N> {
    #[inline(always)]
    fn default() -> RawText<N> {
        RawText::new()
    }
}

impl<const N: usize> PartialEq<str> for RawText<N> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> PartialEq<&str> for RawText<N> {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

/// As text where it is UTF-8, else as bytes.
impl<const N: usize> fmt::Debug for RawText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Ok(text) => text.fmt(f),
            Err(_) => self.as_bytes().fmt(f),
        }
    }
}

impl<const N: usize> TryFrom<&str> for RawText<N> {
    type Error = Error;
    #[inline]
    fn try_from(text: &str) -> Result<RawText<N>, Error> {
        let mut own = RawText::new();
        own.set(text)?;
        Ok(own)
    }
}
