//! Hex without brackets, with or without separators, and decimal numbers between blanks.

use std::ops::Range;

use super::{Form, Wrong};

/// Characters that may stand between hex bytes.
const SEPARATORS: [char; 8] = [' ', '\t', '\r', '\n', ':', '-', ',', ';'];

/// Reads `0807`, `08 07`, `08:07`, `0x0807`, `8 7`.
pub(super) fn parse(text: &str, content: Range<usize>) -> Result<(Vec<u8>, Form), Wrong> {
    let inner = &text[content.clone()];
    let (start, inner) = match inner.strip_prefix("0x").or_else(|| inner.strip_prefix("0X")) {
        Some(rest) => (content.start + 2, rest),
        None => (content.start, inner),
    };
    let mut tokens: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for token in inner.split(SEPARATORS) {
        if !token.is_empty() {
            tokens.push((start + at, token));
        }
        // All separators take one byte.
        at += token.len() + 1;
    }
    if is_decimal(&tokens) {
        let bytes = tokens.iter().filter_map(|(_, token)| token.parse().ok()).collect();
        return Ok((bytes, Form::DecimalList));
    }
    let mut bytes = Vec::with_capacity(inner.len() / 2);
    for (at, token) in &tokens {
        hex(*at, token, &mut bytes)?;
    }
    Ok((bytes, if tokens.len() > 1 { Form::SpacedHex } else { Form::Hex }))
}

/// Numbers of different lengths that all fit a byte; two digits each would be hex.
fn is_decimal(tokens: &[(usize, &str)]) -> bool {
    tokens.len() > 1
        && tokens
            .iter()
            .all(|(_, token)| token.bytes().all(|b| b.is_ascii_digit()) && token.parse::<u8>().is_ok())
        && tokens.iter().any(|(_, token)| token.len() % 2 == 1)
        && tokens.iter().all(|(_, token)| token.len() == 1 || !token.starts_with('0'))
}

/// Appends the bytes of hex digits that start at offset `at`.
pub(super) fn hex(at: usize, token: &str, bytes: &mut Vec<u8>) -> Result<(), Wrong> {
    if let Some((bad, c)) = token.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        return Err((at + bad..at + bad + c.len_utf8(), format!("{c:?} is not a hex digit")));
    }
    if token.len() % 2 == 1 {
        let words = match token.len() {
            1 => format!("{token:?} is one hex digit; a byte has two"),
            len => format!("{len} hex digits are an odd number; a byte has two"),
        };
        return Err((at..at + token.len(), words));
    }
    let digit = |b: u8| char::from(b).to_digit(16).unwrap_or_default() as u8;
    bytes.extend(
        token.as_bytes().as_chunks::<2>().0.iter().map(|[high, low]| digit(*high) << 4 | digit(*low)),
    );
    Ok(())
}

/// Whether text that base64 can read was probably meant as that: whole groups of four, and no words between
/// blanks.
pub(super) fn looks_like_base64(inner: &str) -> bool {
    let is_padded = inner.ends_with('=');
    let digits = inner.chars().filter(|c| !c.is_whitespace() && *c != '=').count();
    let has_blanks = inner.contains([' ', '\t']);
    !has_blanks && digits > 1 && (is_padded || digits.is_multiple_of(4) || digits > 16)
}
