//! Conversions to and from the containers of `heapless`: of the same capacity always, of another one if it fits.

use heapless::{String, Vec};

use crate::containers::{Blob, List, RawText, Text};
use crate::error::Error;

impl<T: Clone, const N: usize> From<List<T, N>> for Vec<T, N> {
    fn from(list: List<T, N>) -> Vec<T, N> {
        // Both have room for `N`.
        list.iter().cloned().collect()
    }
}

impl<T: Clone, const N: usize> From<Vec<T, N>> for List<T, N> {
    fn from(items: Vec<T, N>) -> List<T, N> {
        let mut list = List::new();
        // Cannot fail: both have room for `N`.
        let _ = list.extend_from_slice(&items);
        list
    }
}

/// [`Error::Capacity`] when there are more than `N`.
impl<T: Clone, const N: usize, const M: usize> TryFrom<&Vec<T, M>> for List<T, N> {
    type Error = Error;
    fn try_from(items: &Vec<T, M>) -> Result<List<T, N>, Error> {
        List::try_from(items.as_slice())
    }
}

/// [`Error::Capacity`] when there are more than `M`.
impl<T: Clone, const N: usize, const M: usize> TryFrom<&List<T, N>> for Vec<T, M> {
    type Error = Error;
    fn try_from(list: &List<T, N>) -> Result<Vec<T, M>, Error> {
        Vec::from_slice(list).map_err(|_| Error::Capacity)
    }
}

impl<const N: usize> From<Blob<N>> for Vec<u8, N> {
    fn from(blob: Blob<N>) -> Vec<u8, N> {
        // Both have room for `N`.
        blob.iter().copied().collect()
    }
}

impl<const N: usize> From<Vec<u8, N>> for Blob<N> {
    fn from(bytes: Vec<u8, N>) -> Blob<N> {
        let mut blob = Blob::new();
        // Cannot fail: both have room for `N`.
        let _ = blob.set(&bytes);
        blob
    }
}

/// [`Error::Capacity`] when there are more than `N`.
impl<const N: usize, const M: usize> TryFrom<&Vec<u8, M>> for Blob<N> {
    type Error = Error;
    fn try_from(bytes: &Vec<u8, M>) -> Result<Blob<N>, Error> {
        Blob::try_from(bytes.as_slice())
    }
}

/// [`Error::Capacity`] when there are more than `M`.
impl<const N: usize, const M: usize> TryFrom<&Blob<N>> for Vec<u8, M> {
    type Error = Error;
    fn try_from(blob: &Blob<N>) -> Result<Vec<u8, M>, Error> {
        Vec::from_slice(blob).map_err(|_| Error::Capacity)
    }
}

impl<const N: usize> From<Text<N>> for String<N> {
    fn from(text: Text<N>) -> String<N> {
        let mut string = String::new();
        // Cannot fail: both have room for `N`.
        let _ = string.push_str(&text);
        string
    }
}

impl<const N: usize> From<String<N>> for Text<N> {
    fn from(string: String<N>) -> Text<N> {
        let mut text = Text::new();
        // Cannot fail: both have room for `N`.
        let _ = text.set(&string);
        text
    }
}

/// [`Error::Capacity`] when it has more than `N` bytes.
impl<const N: usize, const M: usize> TryFrom<&String<M>> for Text<N> {
    type Error = Error;
    fn try_from(string: &String<M>) -> Result<Text<N>, Error> {
        Text::try_from(string.as_str())
    }
}

/// [`Error::Capacity`] when it has more than `M` bytes.
impl<const N: usize, const M: usize> TryFrom<&Text<N>> for String<M> {
    type Error = Error;
    fn try_from(text: &Text<N>) -> Result<String<M>, Error> {
        String::try_from(text.as_str()).map_err(|_| Error::Capacity)
    }
}

impl<const N: usize> From<String<N>> for RawText<N> {
    fn from(string: String<N>) -> RawText<N> {
        let mut text = RawText::new();
        // Cannot fail: both have room for `N`.
        let _ = text.set(&string);
        text
    }
}

/// [`Error::Capacity`] when it has more than `N` bytes.
impl<const N: usize, const M: usize> TryFrom<&String<M>> for RawText<N> {
    type Error = Error;
    fn try_from(string: &String<M>) -> Result<RawText<N>, Error> {
        RawText::try_from(string.as_str())
    }
}

/// [`Error::Utf8`] when it is not UTF-8, [`Error::Capacity`] when it has more than `M` bytes.
impl<const N: usize, const M: usize> TryFrom<&RawText<N>> for String<M> {
    type Error = Error;
    fn try_from(text: &RawText<N>) -> Result<String<M>, Error> {
        String::try_from(text.as_str()?).map_err(|_| Error::Capacity)
    }
}
