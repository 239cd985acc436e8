//! Text to tokens, without loss: the tokens' ranges follow each other and cover the text.

use std::ops::Range;

/// What a token is. [`lex`] gives words as [`TokenKind::Identifier`]; [`super::highlight`] tells
/// keywords, types and options apart, which in protobuf depends on where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Spaces, tabs and line ends.
    Whitespace,
    /// `//` to the end of the line, without the line end.
    LineComment,
    /// `/* .. */`; up to the end of the text if it is not closed.
    BlockComment,
    /// A word.
    Identifier,
    /// A word of the language where it acts as one: `message`, `repeated`.
    Keyword,
    /// The name of a type: scalar, message or enum.
    Type,
    /// A word inside options: `packed`, `(nanopb).max_size`.
    Option,
    /// An integer or float, as far as it looks like one.
    Number,
    /// A quoted string; up to the end of the line if it is not closed.
    String,
    /// One character of `{}[]()<>=;,.:+-/`.
    Punctuation,
    /// The byte order mark at the start of the text.
    ByteOrderMark,
    /// Anything else.
    Unknown,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Byte range in the text.
    pub range: Range<usize>,
}

impl Token {
    /// Whether it only separates other tokens: white space, comments and the byte order mark.
    pub fn is_trivia(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Whitespace
                | TokenKind::LineComment
                | TokenKind::BlockComment
                | TokenKind::ByteOrderMark
        )
    }

    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

/// Cuts a text into tokens. Never fails; linear in the length of the text.
///
/// ```
/// use wirebench_engine::syntax::{TokenKind, lex};
/// let text = "uint32 n = 1; // rpm";
/// let tokens = lex(text);
/// assert_eq!(tokens.iter().map(|t| &text[t.range.clone()]).collect::<String>(), text);
/// assert_eq!(tokens.last().map(|t| t.kind), Some(TokenKind::LineComment));
/// ```
pub fn lex(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (kind, len) = first_token(&text[at..], at == 0);
        tokens.push(Token { kind, range: at..at + len });
        at += len;
    }
    tokens
}

/// Kind and length of the token a non-empty rest of the text starts with.
fn first_token(rest: &str, at_start: bool) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let run = |ok: fn(u8) -> bool| bytes.iter().take_while(|b| ok(**b)).count();
    match bytes[0] {
        b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => (TokenKind::Whitespace, run(is_space)),
        b'/' if bytes.get(1) == Some(&b'/') => {
            (TokenKind::LineComment, rest.find('\n').map_or(rest.len(), |end| trim_return(bytes, end)))
        }
        b'/' if bytes.get(1) == Some(&b'*') => {
            (TokenKind::BlockComment, rest[2..].find("*/").map_or(rest.len(), |end| end + 4))
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::Identifier, run(is_word)),
        b'0'..=b'9' => (TokenKind::Number, number_len(bytes)),
        b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => (TokenKind::Number, number_len(bytes)),
        quote @ (b'"' | b'\'') => (TokenKind::String, string_len(bytes, quote)),
        b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'=' | b';' | b',' | b'.' | b':' | b'+'
        | b'-' | b'/' => (TokenKind::Punctuation, 1),
        _ if at_start && rest.starts_with('\u{feff}') => (TokenKind::ByteOrderMark, '\u{feff}'.len_utf8()),
        first if first.is_ascii() => (TokenKind::Unknown, 1),
        _ => (TokenKind::Unknown, run(|b| !b.is_ascii())),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A line comment before CRLF ends before the carriage return.
fn trim_return(bytes: &[u8], line_end: usize) -> usize {
    if bytes[line_end - 1] == b'\r' { line_end - 1 } else { line_end }
}

/// Digits, letters, dots and signs after an exponent; whether it is a valid number is decided elsewhere.
fn number_len(bytes: &[u8]) -> usize {
    let is_hex = bytes[0] == b'0' && bytes.get(1).is_some_and(|b| b.eq_ignore_ascii_case(&b'x'));
    let mut len = 1;
    while let Some(byte) = bytes.get(len) {
        let after_exponent = !is_hex && bytes[len - 1].eq_ignore_ascii_case(&b'e');
        if is_word(*byte) || *byte == b'.' || (after_exponent && matches!(byte, b'+' | b'-')) {
            len += 1;
        } else {
            break;
        }
    }
    len
}

/// Up to the closing quote; an open string ends before the line end.
fn string_len(bytes: &[u8], quote: u8) -> usize {
    let mut len = 1;
    while let Some(byte) = bytes.get(len) {
        match byte {
            b'\n' => return len,
            b'\\' if bytes.get(len + 1).is_some_and(|b| *b != b'\n') => len += 2,
            byte if *byte == quote => return len + 1,
            _ => len += 1,
        }
    }
    // A backslash before a multi-byte character must not cut it in two.
    while len < bytes.len() && bytes[len] & 0xc0 == 0x80 {
        len += 1;
    }
    len.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(TokenKind, &str)]) {
        let found: Vec<_> = lex(text).into_iter().map(|t| (t.kind, &text[t.range])).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn words_numbers_and_strings_are_told_apart() {
        use TokenKind::*;
        check(
            "x=-1.5e-3'a\\'b'",
            &[
                (Identifier, "x"),
                (Punctuation, "="),
                (Punctuation, "-"),
                (Number, "1.5e-3"),
                (String, "'a\\'b'"),
            ],
        );
    }

    #[test]
    fn an_open_string_ends_with_its_line_and_an_open_comment_with_the_text() {
        use TokenKind::*;
        check("\"ab\n/* c", &[(String, "\"ab"), (Whitespace, "\n"), (BlockComment, "/* c")]);
    }

    #[test]
    fn a_backslash_before_a_wide_character_keeps_it_whole() {
        use TokenKind::*;
        check("'\\é'é", &[(String, "'\\é'"), (Unknown, "é")]);
        check("'\\é", &[(String, "'\\é")]);
    }

    #[test]
    fn a_byte_order_mark_is_one_only_at_the_start() {
        use TokenKind::*;
        check("\u{feff};\u{feff}", &[(ByteOrderMark, "\u{feff}"), (Punctuation, ";"), (Unknown, "\u{feff}")]);
    }

    #[test]
    fn a_comment_before_crlf_leaves_the_line_end_alone() {
        use TokenKind::*;
        check("//a\r\n", &[(LineComment, "//a"), (Whitespace, "\r\n")]);
    }
}
