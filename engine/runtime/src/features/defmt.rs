//! How containers look in a defmt log: as strings, bytes and lists. The formatting is the host's work.

use defmt::{Format, Formatter, write};

use crate::containers::{Blob, List, RawText, Text};

impl<T: Format, const N: usize> Format for List<T, N> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=[?]}", self.as_slice());
    }
}

impl<const N: usize> Format for Blob<N> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=[u8]}", self.as_slice());
    }
}

impl<const N: usize> Format for Text<N> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=str:?}", self.as_str());
    }
}

/// As text where it is UTF-8, else as bytes.
impl<const N: usize> Format for RawText<N> {
    fn format(&self, f: Formatter<'_>) {
        match self.as_str() {
            Ok(text) => write!(f, "{=str:?}", text),
            Err(_) => write!(f, "{=[u8]}", self.as_bytes()),
        }
    }
}
