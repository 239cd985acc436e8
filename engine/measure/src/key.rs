//! Keys of cached builds and results: a hash of everything that could change them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A key, as 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Key {
    /// A hash of parts that are told apart; `kind` keeps keys of different things apart.
    pub fn start(kind: &str) -> KeyHash {
        let mut hash = KeyHash(Sha256::new());
        hash.add(kind);
        hash
    }

    /// The first 64 bits, as a number: the build id of a firmware. Never 0.
    pub fn number(&self) -> u64 {
        u64::from_str_radix(self.0.get(..16).unwrap_or("1"), 16).unwrap_or(1).max(1)
    }

    /// The first eight digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

/// A key in the making.
pub struct KeyHash(Sha256);

impl KeyHash {
    /// Adds a part. Its length goes in too, so `ab, c` and `a, bc` differ.
    pub fn add(&mut self, part: &str) -> &mut KeyHash {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
        self
    }

    /// The key.
    pub fn finish(self) -> Key {
        let digest = self.0.finalize();
        Key(digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        let mut hash = Key::start("test");
        for part in parts {
            hash.add(part);
        }
        hash.finish()
    }

    #[test]
    fn parts_are_told_apart() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_eq!(key(&[]).to_string().len(), 32);
    }
}
