//! String literals of Python, C and Rust, and escapes without quotes.

use std::ops::Range;

use super::{Form, Wrong};

/// Reads one or more literals after each other: `b"\x08" b"\x07"`. What stands around them may be a name and `=`.
pub(super) fn quoted(text: &str, content: Range<usize>) -> Result<(Vec<u8>, Form), Wrong> {
    let mut bytes = Vec::new();
    let mut form = Form::CString;
    let mut pos = content.start;
    let mut is_first = true;
    while pos < content.end {
        let rest = &text[pos..content.end];
        let Some(quote_at) = rest.find(['"', '\'']) else {
            return between(text, pos..content.end, false).map(|()| (bytes, form));
        };
        let before = &rest[..quote_at];
        if before.trim_end().ends_with(['b', 'B']) || before.ends_with("br") {
            form = Form::PythonBytes;
        }
        if !is_first {
            between(text, pos..pos + quote_at, true)?;
        }
        is_first = false;
        let quote = if rest[quote_at..].starts_with('"') { '"' } else { '\'' };
        let start = pos + quote_at + 1;
        let Some(len) = literal_len(&text[start..content.end], quote) else {
            return Err((start - 1..start, format!("the literal has no closing {quote}")));
        };
        unescape(text, start..start + len, &mut bytes)?;
        pos = start + len + 1;
    }
    Ok((bytes, form))
}

/// Between and behind literals only signs that join them may stand.
fn between(text: &str, range: Range<usize>, has_next: bool) -> Result<(), Wrong> {
    for (at, c) in text[range.clone()].char_indices() {
        let is_prefix = has_next && matches!(c, 'b' | 'B' | 'r');
        if !(c.is_whitespace() || matches!(c, '+' | '\\' | '(' | ')' | ';' | ',') || is_prefix) {
            let at = range.start + at;
            return Err((at..at + c.len_utf8(), format!("{c:?} stands outside of the literal")));
        }
    }
    Ok(())
}

/// Bytes up to the closing quote.
fn literal_len(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices() {
        if is_escaped {
            is_escaped = false;
        } else if c == '\\' {
            is_escaped = true;
        } else if c == quote {
            return Some(at);
        }
    }
    None
}

/// Reads escapes without quotes: `\010\007`.
pub(super) fn escaped(text: &str, content: Range<usize>) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::new();
    unescape(text, content, &mut bytes)?;
    Ok(bytes)
}

/// Appends what the characters and escapes in the range stand for.
fn unescape(text: &str, range: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), Wrong> {
    let mut chars = text[range.clone()].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let at = range.start + at;
        if c != '\\' {
            if !c.is_ascii() {
                return Err((at..at + c.len_utf8(), format!("{c:?} is not a byte; write it as escapes")));
            }
            bytes.push(c as u8);
            continue;
        }
        let Some((_, escape)) = chars.next() else {
            return Err((at..at + 1, "a backslash ends the text".to_owned()));
        };
        let unknown = || Err((at..at + 1 + escape.len_utf8(), format!("there is no escape \\{escape}")));
        bytes.push(match escape {
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'a' => 7,
            'b' => 8,
            'v' => 11,
            'f' => 12,
            '\\' | '"' | '\'' | '?' => escape as u8,
            // A line that goes on.
            '\n' => continue,
            'x' | 'X' => {
                let digits = take_digits(&mut chars, 16, 2);
                let Ok(byte) = u8::from_str_radix(&digits, 16) else { return unknown() };
                byte
            }
            '0'..='7' => {
                let more = take_digits(&mut chars, 8, 2);
                match u8::from_str_radix(&format!("{escape}{more}"), 8) {
                    Ok(byte) => byte,
                    Err(_) => {
                        let end = at + 2 + more.len();
                        return Err((at..end, format!("\\{escape}{more} is over \\377, the largest byte")));
                    }
                }
            }
            _ => return unknown(),
        });
    }
    Ok(())
}

fn take_digits(
    chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>,
    radix: u32,
    most: usize,
) -> String {
    let mut digits = String::new();
    while digits.len() < most
        && let Some((_, c)) = chars.next_if(|(_, c)| c.is_digit(radix))
    {
        digits.push(c);
    }
    digits
}
