//! Minimal changes of a text: what an edit does not name stays as it is, byte for byte.

use std::ops::Range;

/// Replaces a range of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Byte range in the text before any edit; empty to insert.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub text: String,
}

impl Edit {
    /// Inserts `text` at a byte offset.
    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit { range: at..at, text: text.into() }
    }

    /// Replaces a byte range by `text`.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { range, text: text.into() }
    }
}

/// The text after all edits, whose ranges refer to the text before. `None` if two overlap, or if one
/// lies outside the text or cuts a character.
///
/// ```
/// use wirebench_engine::syntax::{Edit, apply_edits};
/// let edits = [Edit::replace(4..5, "20"), Edit::insert(0, "- ")];
/// assert_eq!(apply_edits("max=8 # tail", &edits).as_deref(), Some("- max=20 # tail"));
/// ```
pub fn apply_edits(text: &str, edits: &[Edit]) -> Option<String> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in order {
        if edit.range.start < at {
            return None;
        }
        text.get(edit.range.clone())?;
        result.push_str(text.get(at..edit.range.start)?);
        result.push_str(&edit.text);
        at = edit.range.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_edits_are_refused() {
        assert_eq!(apply_edits("abcd", &[Edit::replace(0..2, ""), Edit::replace(1..3, "")]), None);
    }

    #[test]
    fn an_edit_outside_the_text_or_inside_a_character_is_refused() {
        assert_eq!(apply_edits("ab", &[Edit::insert(3, "x")]), None);
        assert_eq!(apply_edits("é", &[Edit::insert(1, "x")]), None);
    }
}
