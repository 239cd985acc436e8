//! Lists of numbers: arrays of C, Rust and their relatives, with or without brackets and a declaration.

use std::ops::Range;

use super::{Form, Wrong};

/// Whether text without brackets is a list rather than plain digits.
pub(super) fn is_list(inner: &str) -> bool {
    prefixes(inner) > 1 || is_decimal_with_commas(inner)
}

/// How many numbers start with `0x`; the same letters inside of base64 do not count.
fn prefixes(inner: &str) -> usize {
    let is_start =
        |at: usize| !inner[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c));
    inner
        .match_indices('0')
        .filter(|(at, _)| inner[at + 1..].starts_with(['x', 'X']) && is_start(*at))
        .count()
}

/// `8, 7`: commas, and a number that cannot be a hex byte of two digits.
fn is_decimal_with_commas(inner: &str) -> bool {
    inner.contains(',')
        && inner.split(',').map(str::trim).any(|item| item.len() % 2 == 1 && item.parse::<u8>().is_ok())
}

/// Reads the list.
pub(super) fn parse(text: &str, content: Range<usize>) -> Result<(Vec<u8>, Form), Wrong> {
    let (items, bracket) = inside_brackets(text, content)?;
    let mut bytes = Vec::new();
    let mut has_prefix = false;
    let mut pos = items.start;
    while let Some(range) = next_item(text, pos..items.end)? {
        let item = &text[range.clone()];
        has_prefix |= item.starts_with("0x") || item.starts_with("0X");
        match byte(item) {
            Ok(byte) => bytes.push(byte),
            Err(words) => return Err((range, words)),
        }
        pos = range.end;
    }
    let form = match (bracket, has_prefix) {
        (Some('{'), _) => Form::CArray,
        (Some(_), true) => Form::RustArray,
        (None, true) => Form::HexList,
        (_, false) => Form::DecimalList,
    };
    Ok((bytes, form))
}

/// The items' range, and the opening bracket if there is one.
fn inside_brackets(text: &str, content: Range<usize>) -> Result<(Range<usize>, Option<char>), Wrong> {
    // A type like `[u8; 2]` or `[]` stands before the equals sign.
    let start = text[content.clone()].find('=').map_or(content.start, |at| content.start + at + 1);
    let Some(open) = text[start..content.end].find(['{', '[']).map(|at| start + at) else {
        return Ok((start..content.end, None));
    };
    let bracket = if text[open..].starts_with('{') { '{' } else { '[' };
    let closing = if bracket == '{' { '}' } else { ']' };
    match text[open..content.end].rfind(closing) {
        Some(at) => Ok((open + 1..open + at, Some(bracket))),
        None => Err((open..open + 1, format!("the list has no closing {closing}"))),
    }
}

/// The next run of characters that is neither blank, comma nor comment.
fn next_item(text: &str, range: Range<usize>) -> Result<Option<Range<usize>>, Wrong> {
    let mut pos = range.start;
    loop {
        let rest = &text[pos..range.end];
        let skipped = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        pos += skipped;
        let rest = &text[pos..range.end];
        if rest.is_empty() {
            return Ok(None);
        }
        if rest.starts_with("//") || rest.starts_with('#') {
            pos += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(at) => pos += at + 2,
                None => return Err((pos..pos + 2, "the comment has no end".to_owned())),
            }
        } else {
            // A character literal may hold a comma or a blank.
            let quoted = if rest.starts_with("b'") { 2 } else { usize::from(rest.starts_with('\'')) };
            let first = rest[quoted..].chars().next().map_or(0, char::len_utf8) * usize::from(quoted > 0);
            let head = quoted + first;
            let ends = |c: char| c.is_whitespace() || c == ',';
            let len = rest[head..].find(ends).unwrap_or(rest.len() - head) + head;
            return Ok(Some(pos..pos + len));
        }
    }
}

fn byte(item: &str) -> Result<u8, String> {
    let not_a_byte = || format!("{item:?} is not a byte");
    if let Some(character) = item.strip_prefix('b').unwrap_or(item).strip_prefix('\'') {
        return match character.strip_suffix('\'').map(str::as_bytes) {
            Some([byte]) => Ok(*byte),
            _ => Err(not_a_byte()),
        };
    }
    let lower = item.to_ascii_lowercase();
    let (digits, radix) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(hex), _) => (hex, 16),
        (None, Some(binary)) => (binary, 2),
        (None, None) => (lower.as_str(), 10),
    };
    // `8u8`, `0x08U`; a hex number ends in no other letter than its own digits.
    let digits = digits.strip_suffix("u8").unwrap_or(digits).trim_end_matches(['u', 'l']);
    let digits = digits.replace('_', "");
    let number = i64::from_str_radix(&digits, radix).map_err(|_| not_a_byte())?;
    match number {
        // Java and Kotlin print bytes as signed.
        -128..=-1 => Ok(number as i8 as u8),
        0..=255 => Ok(number as u8),
        _ => Err(format!("{item} does not fit a byte")),
    }
}
