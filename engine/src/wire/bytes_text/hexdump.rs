//! Hexdumps as `xxd`, `hexdump -C`, `od -tx1` and Wireshark print them: an offset, bytes, perhaps characters.

use std::ops::Range;

use super::Wrong;
use super::digits::hex;

/// Most bytes of a line where nothing else marks the column of characters.
const BYTES_PER_LINE: usize = 16;
/// Longest run of equal lines that `*` may stand for, in bytes.
const MAX_REPEATED: u64 = 1 << 24;

/// One line, split into what it says.
struct Line<'a> {
    offset: u64,
    /// Offset of `rest` in the line.
    rest_at: usize,
    rest: &'a str,
    /// `00000000:` rather than `00000000  `.
    has_colon: bool,
}

/// Whether every line starts with an offset that is set off from the bytes.
pub(super) fn is_hexdump(inner: &str) -> bool {
    let mut lines = inner.lines().filter(|l| !l.trim().is_empty() && l.trim() != "*").peekable();
    let is_one_line = inner.lines().count() == 1;
    let Some(first) = lines.peek().and_then(|l| split(l)) else { return false };
    // Lines of four digits are plain hex: only the last offset of a hexdump has nothing behind it.
    if first.rest.trim().is_empty() {
        return false;
    }
    // Groups of hex between single blanks would do for plain hex, unless the offsets of several lines count on.
    let is_set_off = first.has_colon || first.rest.starts_with("  ") || first.rest.starts_with('\t');
    if is_one_line {
        return is_set_off;
    }
    let starts_at_zero = first.offset == 0;
    let offsets: Option<Vec<u64>> = lines.map(|line| split(line).map(|l| l.offset)).collect();
    let counts_on = |offsets: Vec<u64>| {
        let rises = offsets.windows(2).all(|pair| pair[0] < pair[1]);
        // From 0 on they are offsets even where one is wrong; other numbers may rise by chance.
        rises && (starts_at_zero || parse(inner, 0..inner.len()).is_ok())
    };
    offsets.is_some_and(|offsets| is_set_off || counts_on(offsets))
}

fn split(line: &str) -> Option<Line<'_>> {
    let indent = line.len() - line.trim_start().len();
    let body = &line[indent..];
    let body = body.strip_prefix("0x").unwrap_or(body);
    let start = line.len() - body.len();
    let digits = body.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(body.len());
    if !(4..=16).contains(&digits) {
        return None;
    }
    let offset = u64::from_str_radix(&body[..digits], 16).ok()?;
    let has_colon = body[digits..].starts_with(':');
    let rest_at = start + digits + usize::from(has_colon);
    let rest = &line[rest_at..];
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(Line { offset, rest_at, rest, has_colon })
}

/// Reads all lines; their offsets must count on from the first one's.
pub(super) fn parse(text: &str, content: Range<usize>) -> Result<Vec<u8>, Wrong> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut first_offset = None;
    let mut last_line = 0..0;
    let mut repeats = false;
    let mut at = content.start;
    for whole in text[content].split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let line = whole.trim_end();
        if line.trim() == "*" {
            repeats = true;
            continue;
        }
        let Some(Line { offset, rest_at, rest, has_colon }) = split(line) else {
            if line.trim().is_empty() {
                continue;
            }
            return Err((start..start + line.len(), "the line does not start with an offset".to_owned()));
        };
        let base = *first_offset.get_or_insert(offset);
        if repeats {
            repeats = false;
            let wanted = offset.saturating_sub(base);
            if wanted > MAX_REPEATED {
                return Err((start..start + rest_at, format!("* stands for more than {MAX_REPEATED} bytes")));
            }
            let line: Vec<u8> = bytes.get(last_line.clone()).unwrap_or_default().to_vec();
            while !line.is_empty() && (bytes.len() as u64) < wanted {
                bytes.extend_from_slice(&line);
            }
        }
        if offset != base.saturating_add(bytes.len() as u64) {
            let words = format!("the offset says {offset:#x}, but {} bytes came before it", bytes.len());
            return Err((start..start + rest_at, words));
        }
        let before = bytes.len();
        row(start + rest_at, rest, has_colon, &mut bytes)?;
        last_line = before..bytes.len();
    }
    Ok(bytes)
}

/// Appends the bytes of one line; `rest` is what follows its offset.
fn row(at: usize, rest: &str, has_colon: bool, bytes: &mut Vec<u8>) -> Result<(), Wrong> {
    let lead = rest.len() - rest.trim_start().len();
    let body = &rest[lead..];
    // The characters stand between bars, behind two blanks (xxd), or behind sixteen bytes.
    let end = match (body.find('|'), has_colon) {
        (Some(bar), _) => bar,
        (None, true) => body.find("  ").unwrap_or(body.len()),
        (None, false) => body.find("   ").unwrap_or(body.len()),
    };
    let before = bytes.len();
    let mut pos = 0;
    for token in body[..end].split([' ', '\t']) {
        if !token.is_empty() {
            if !has_colon && bytes.len() - before >= BYTES_PER_LINE {
                break;
            }
            hex(at + lead + pos, token, bytes)?;
        }
        pos += token.len() + 1;
    }
    Ok(())
}
