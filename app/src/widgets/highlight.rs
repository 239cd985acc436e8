//! Tokens of code with a class each, and the small lexers for Rust and JSON. Lexers never fail:
//! what they do not understand is punctuation.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId};

use crate::theme::Theme;

/// What a token is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say which token")]
pub enum TokenClass {
    Keyword,
    TypeName,
    Number,
    Text,
    Comment,
    Name,
    Punctuation,
    Attribute,
}

/// A piece of text with its class. Text between tokens is plain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Its class.
    pub class: TokenClass,
}

/// Splits a text into tokens, in order and without overlap.
pub type Lexer = fn(&str) -> Vec<Token>;

/// The colour of a class.
pub fn color(theme: &Theme, class: TokenClass) -> Color32 {
    let syntax = &theme.syntax;
    match class {
        TokenClass::Keyword => syntax.keyword,
        TokenClass::TypeName => syntax.type_name,
        TokenClass::Number => syntax.number,
        TokenClass::Text => syntax.text,
        TokenClass::Comment => syntax.comment,
        TokenClass::Name => syntax.name,
        TokenClass::Punctuation => syntax.punctuation,
        TokenClass::Attribute => syntax.attribute,
    }
}

/// Lays out `text[range]` in the colours of `tokens`, which may reach beyond the range.
pub fn layout(text: &str, range: Range<usize>, tokens: &[Token], font: &FontId, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: true, ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    let mut push = |range: Range<usize>, color| {
        if let Some(piece) = text.get(range).filter(|piece| !piece.is_empty()) {
            job.append(piece, 0.0, TextFormat::simple(font.clone(), color));
        }
    };
    let mut at = range.start;
    let first = tokens.partition_point(|token| token.range.end <= range.start);
    for token in tokens[first..].iter().take_while(|token| token.range.start < range.end) {
        let start = token.range.start.max(at);
        let end = token.range.end.min(range.end);
        if end <= start {
            continue;
        }
        push(at..start, theme.text);
        push(start..end, color(theme, token.class));
        at = end;
    }
    push(at..range.end, theme.text);
    job
}

/// Tokens of Rust as Wirebench prints it: line comments, strings without raw forms.
pub fn rust_tokens(text: &str) -> Vec<Token> {
    const KEYWORDS: &[&str] = &[
        "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self",
        "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
    ];
    const PRIMITIVES: &[&str] = &[
        "bool", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64", "str",
        "char",
    ];
    scan(text, "//", |word| {
        if KEYWORDS.contains(&word) {
            TokenClass::Keyword
        } else if PRIMITIVES.contains(&word) || word.starts_with(|c: char| c.is_ascii_uppercase()) {
            TokenClass::TypeName
        } else {
            TokenClass::Name
        }
    })
}

/// Tokens of JSON; names of members are told from string values.
pub fn json_tokens(text: &str) -> Vec<Token> {
    let mut tokens = scan(text, "\0", |word| match word {
        "true" | "false" | "null" => TokenClass::Keyword,
        _ => TokenClass::Punctuation,
    });
    for token in &mut tokens {
        if token.class == TokenClass::Text && text[token.range.end..].trim_start().starts_with(':') {
            token.class = TokenClass::Name;
        }
    }
    tokens
}

/// Tokens of TOML: tables and keys as names.
pub fn toml_tokens(text: &str) -> Vec<Token> {
    scan(text, "#", |word| match word {
        "true" | "false" => TokenClass::Keyword,
        _ => TokenClass::Name,
    })
}

fn scan(text: &str, comment: &str, class_of_word: impl Fn(&str) -> TokenClass) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let class = if text[at..].starts_with(comment) {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            TokenClass::Comment
        } else if bytes[at] == b'"' {
            at = end_of_string(bytes, at);
            TokenClass::Text
        } else if bytes[at] == b'#' && bytes.get(at + 1).is_some_and(|b| matches!(b, b'[' | b'!')) {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            TokenClass::Attribute
        } else if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            at = end_while(bytes, at, |b| b.is_ascii_alphanumeric() || b == b'_');
            class_of_word(&text[start..at])
        } else if bytes[at].is_ascii_digit() {
            at = end_while(bytes, at, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'));
            TokenClass::Number
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            if bytes[start].is_ascii_whitespace() {
                continue;
            }
            TokenClass::Punctuation
        };
        tokens.push(Token { range: start..at, class });
    }
    tokens
}

fn end_while(bytes: &[u8], start: usize, is_part: impl Fn(u8) -> bool) -> usize {
    start + bytes[start..].iter().take_while(|b| is_part(**b)).count()
}

/// After the closing quote, or the end of the line where it is missing.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    let mut end = at.min(bytes.len());
    // An escape may have stepped into the middle of a character.
    while end < bytes.len() && bytes[end] & 0xc0 == 0x80 {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(tokens: &[Token], text: &str) -> Vec<(String, TokenClass)> {
        tokens.iter().map(|t| (text[t.range.clone()].to_owned(), t.class)).collect()
    }

    #[test]
    fn member_names_differ_from_values() {
        let text = r#"{"a": "b", "n": -1.5}"#;
        let found = classes(&json_tokens(text), text);
        assert!(found.contains(&("\"a\"".to_owned(), TokenClass::Name)));
        assert!(found.contains(&("\"b\"".to_owned(), TokenClass::Text)));
        assert!(found.contains(&("1.5".to_owned(), TokenClass::Number)));
    }

    #[test]
    fn rust_words_have_their_class() {
        let text = "pub fn x(a: u32) -> Option<u8> { 0x1f } // end";
        let found = classes(&rust_tokens(text), text);
        for (word, class) in [
            ("pub", TokenClass::Keyword),
            ("u32", TokenClass::TypeName),
            ("Option", TokenClass::TypeName),
            ("0x1f", TokenClass::Number),
            ("// end", TokenClass::Comment),
        ] {
            assert!(found.contains(&(word.to_owned(), class)), "{word}");
        }
    }

    #[test]
    fn broken_text_of_any_kind_is_lexed_to_its_end() {
        for text in ["\"", "\"\\", "\"é\\é", "é\"\\é\n", "#[", "//", "0..", "\u{feff}\"", "\"\\\u{1F600}x"]
        {
            for lexer in [rust_tokens, json_tokens, toml_tokens] {
                let mut end = 0;
                for token in lexer(text) {
                    assert!(token.range.start >= end && text.is_char_boundary(token.range.end), "{text:?}");
                    end = token.range.end;
                }
            }
        }
    }
}
