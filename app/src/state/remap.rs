//! Places of an older text in a newer one, good enough until the engine has read the newer one: what
//! stands before or after the edit moves with it, what was edited is gone.

use std::ops::Range;
use std::sync::Arc;

/// From byte ranges of an older text to those of a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remap {
    /// Bytes both texts begin with.
    prefix: usize,
    /// Bytes both texts end with.
    suffix: usize,
    old: usize,
    new: usize,
}

impl Remap {
    /// Compares two texts.
    pub fn new(old: &Arc<str>, new: &Arc<str>) -> Remap {
        if Arc::ptr_eq(old, new) {
            return Remap { prefix: old.len(), suffix: 0, old: old.len(), new: new.len() };
        }
        let prefix = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - prefix;
        let suffix = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count().min(rest);
        Remap { prefix, suffix, old: old.len(), new: new.len() }
    }

    /// The range in the newer text, unless the edit touched it.
    pub fn map(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if range.end <= self.prefix {
            Some(range.clone())
        } else if range.start >= self.old - self.suffix && range.end <= self.old {
            Some(range.start + self.new - self.old..range.end + self.new - self.old)
        } else {
            None
        }
    }

    /// The place of an offset: that of the edit, if it was inside.
    pub fn offset(&self, offset: usize) -> usize {
        self.map(&(offset..offset)).map_or(self.prefix, |range| range.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_around_an_edit_move_with_it() {
        let remap = Remap::new(&"abc def ghi".into(), &"abc wxyz ghi".into());
        assert_eq!(remap.map(&(0..3)), Some(0..3));
        assert_eq!(remap.map(&(8..11)), Some(9..12));
        assert_eq!(remap.map(&(4..7)), None);
    }

    #[test]
    fn repeated_text_does_not_overlap_itself() {
        let remap = Remap::new(&"aa".into(), &"aaa".into());
        assert_eq!(remap.map(&(0..2)), Some(0..2));
        let remap = Remap::new(&"aaa".into(), &"a".into());
        assert_eq!(remap.map(&(2..3)), None);
    }
}
