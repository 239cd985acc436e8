//! Containers in serde's terms: lists are sequences, blobs are bytes, texts are strings.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::containers::{Blob, List, RawText, Text};

impl<T: Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

/// A sequence of at most `N` items.
impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T, N>, D::Error> {
        struct Items<T, const N: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
            type Value = List<T, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {N} items")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T, N>, A::Error> {
                let mut list = List::new();
                while let Some(item) = items.next_element()? {
                    list.push(item).map_err(|_| A::Error::invalid_length(N + 1, &self))?;
                }
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

impl<const N: usize> Serialize for Blob<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_slice())
    }
}

/// At most `N` bytes; also as a sequence of numbers, as formats without bytes have them.
impl<'de, const N: usize> Deserialize<'de> for Blob<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Blob<N>, D::Error> {
        struct Bytes<const N: usize>;

        impl<'de, const N: usize> Visitor<'de> for Bytes<N> {
            type Value = Blob<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {N} bytes")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Blob<N>, E> {
                Blob::try_from(bytes).map_err(|_| E::invalid_length(bytes.len(), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<Blob<N>, A::Error> {
                let mut blob = Blob::new();
                while let Some(byte) = bytes.next_element()? {
                    blob.push(byte).map_err(|_| A::Error::invalid_length(N + 1, &self))?;
                }
                Ok(blob)
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// A string of at most `N` bytes, for both kinds of text.
struct Characters<C, const N: usize>(PhantomData<C>);

impl<'de, C: for<'a> TryFrom<&'a str>, const N: usize> Visitor<'de> for Characters<C, N> {
    type Value = C;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string of at most {N} bytes")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<C, E> {
        C::try_from(text).map_err(|_| E::invalid_length(text.len(), &self))
    }
}

impl<const N: usize> Serialize for Text<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A string of at most `N` bytes.
impl<'de, const N: usize> Deserialize<'de> for Text<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<N>, D::Error> {
        deserializer.deserialize_str(Characters::<Text<N>, N>(PhantomData))
    }
}

/// Fails for bytes that are not UTF-8.
impl<const N: usize> Serialize for RawText<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Ok(text) => serializer.serialize_str(text),
            Err(error) => Err(S::Error::custom(error)),
        }
    }
}

/// A string of at most `N` bytes.
impl<'de, const N: usize> Deserialize<'de> for RawText<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawText<N>, D::Error> {
        deserializer.deserialize_str(Characters::<RawText<N>, N>(PhantomData))
    }
}
