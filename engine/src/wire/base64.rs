//! Base64, both alphabets, with or without padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Padded, standard alphabet.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0u32, |word, (at, b)| word | u32::from(*b) << (16 - 8 * at));
        for at in 0..4 {
            if at <= chunk.len() {
                out.push(char::from(ALPHABET[(word >> (18 - 6 * at)) as usize & 63]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

/// The bytes; or the offset of what is wrong, and what that is. Line breaks and blanks are skipped.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, (usize, String)> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut digits, mut padding) = (0u32, 0usize, 0usize);
    for (at, c) in text.char_indices() {
        let digit = match c {
            'A'..='Z' => c as u32 - 'A' as u32,
            'a'..='z' => c as u32 - 'a' as u32 + 26,
            '0'..='9' => c as u32 - '0' as u32 + 52,
            '+' | '-' => 62,
            '/' | '_' => 63,
            '=' => {
                padding += 1;
                if padding > 2 {
                    return Err((at, "base64 ends with at most two =".to_owned()));
                }
                continue;
            }
            ' ' | '\t' | '\r' | '\n' => continue,
            _ => return Err((at, format!("{c:?} is not a base64 character"))),
        };
        if padding > 0 {
            return Err((at, format!("{c:?} follows the = that ends base64")));
        }
        word = word << 6 | digit;
        digits += 1;
        if digits.is_multiple_of(4) {
            out.extend_from_slice(&word.to_be_bytes()[1..]);
            word = 0;
        }
    }
    let left = digits % 4;
    if left == 1 || (padding > 0 && left + padding != 4) {
        return Err((text.len(), format!("{digits} base64 characters do not make whole bytes")));
    }
    if left > 1 {
        // Two digits hold one byte, three hold two; the bits below are filling.
        let bytes = (word << (6 * (4 - left))).to_be_bytes();
        out.extend_from_slice(&bytes[1..left]);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        for len in 0..9u8 {
            let bytes: Vec<u8> = (0..len).map(|b| b.wrapping_mul(83)).collect();
            let text = encode(&bytes);
            assert_eq!(text.len() % 4, 0);
            assert_eq!(decode(&text), Ok(bytes.clone()));
            assert_eq!(decode(text.trim_end_matches('=')), Ok(bytes));
        }
        assert_eq!(encode(b"\xfb\xff"), "+/8=");
        assert_eq!(decode("-_8"), Ok(vec![0xfb, 0xff]));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        assert_eq!(decode("AA*A").unwrap_err().0, 2);
        assert_eq!(decode("A=AA").unwrap_err().0, 2);
        assert_eq!(decode("AAAAA").unwrap_err().0, 5);
        assert_eq!(decode("AAA==").unwrap_err().0, 5);
    }
}
