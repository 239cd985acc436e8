//! Results as JSON in the cache folder. A file that cannot be read as a result is as good as none.

use std::fs;
use std::io;

use serde::{Deserialize, Serialize};

use crate::cache::{Cache, write_whole};
use crate::key::Key;
use crate::measure::Measured;

/// Version of the stored form. Part of every key, so that older results are not found.
pub const VERSION: &str = "1";

#[derive(Serialize, Deserialize)]
struct Stored<T> {
    version: String,
    result: T,
}

/// The stored result of that key.
pub fn load(cache: &Cache, key: &Key) -> Option<Measured> {
    let text = fs::read_to_string(cache.result(key)).ok()?;
    let stored: Stored<Measured> = serde_json::from_str(&text).ok()?;
    (stored.version == VERSION && stored.result.key == *key).then_some(stored.result)
}

/// Stores a result, whole or not at all.
///
/// # Errors
/// If the cache folder cannot be written.
pub fn save(cache: &Cache, measured: &Measured) -> io::Result<()> {
    let stored = Stored { version: VERSION.to_owned(), result: measured };
    let text = serde_json::to_vec_pretty(&stored).map_err(io::Error::other)?;
    write_whole(&cache.result(&measured.key), &text)
}
