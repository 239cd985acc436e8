//! Tokens by their role, for the editor's colours. In protobuf a word is a keyword only where it acts
//! as one: `message` may be the name of a field.

use std::ops::Range;

use super::lexer::{Token, TokenKind, lex};
use super::outline::DeclKind;
use super::parser::outline;

/// The tokens of a text with keywords, types and options told apart. Covers the text like [`lex`].
///
/// ```
/// use wirebench_engine::syntax::{TokenKind, highlight};
/// let text = "message T { uint32 message = 1; }";
/// let words: Vec<_> = highlight(text).into_iter().filter(|t| &text[t.range.clone()] == "message").collect();
/// assert_eq!((words[0].kind, words[1].kind), (TokenKind::Keyword, TokenKind::Identifier));
/// ```
pub fn highlight(text: &str) -> Vec<Token> {
    let mut tokens = lex(text);
    for decl in outline(text).decls {
        let starts_with_keyword = !matches!(
            decl.kind,
            DeclKind::Field | DeclKind::MapField | DeclKind::Group | DeclKind::EnumValue
        );
        if starts_with_keyword {
            mark(&mut tokens, decl.range.start..decl.range.start + 1, TokenKind::Keyword);
        }
        if let Some(label) = decl.label {
            mark(&mut tokens, label, TokenKind::Keyword);
        }
        if let Some(range) = decl.type_range {
            let start = range.start;
            mark(&mut tokens, range, TokenKind::Type);
            if matches!(decl.kind, DeclKind::MapField | DeclKind::Group) {
                mark(&mut tokens, start..start + 1, TokenKind::Keyword);
            }
        }
        match decl.kind {
            DeclKind::Message | DeclKind::Enum | DeclKind::Group | DeclKind::Service | DeclKind::Extend => {
                mark(&mut tokens, decl.name_range, TokenKind::Type);
            }
            DeclKind::Option => mark(&mut tokens, decl.name_range, TokenKind::Option),
            DeclKind::Reserved | DeclKind::Extensions => {
                mark(&mut tokens, decl.name_range, TokenKind::Keyword);
            }
            DeclKind::Rpc => {
                let end = decl.body.as_ref().map_or(decl.range.end, |body| body.start);
                mark(&mut tokens, decl.name_range.end..end, TokenKind::Type);
                let first = tokens.partition_point(|token| token.range.start < decl.name_range.end);
                for token in tokens[first..].iter_mut().take_while(|token| token.range.end <= end) {
                    if matches!(&text[token.range.clone()], "stream" | "returns") {
                        token.kind = TokenKind::Keyword;
                    }
                }
            }
            _ => {}
        }
        if let Some(options) = decl.options {
            mark(&mut tokens, options, TokenKind::Option);
        }
    }
    tokens
}

/// Gives a kind to the identifiers of a range.
fn mark(tokens: &mut [Token], range: Range<usize>, kind: TokenKind) {
    let first = tokens.partition_point(|token| token.range.end <= range.start);
    for token in &mut tokens[first..] {
        if token.range.start >= range.end {
            break;
        }
        if matches!(token.kind, TokenKind::Identifier | TokenKind::Type) {
            token.kind = kind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::{Identifier, Keyword, Number, Option, Punctuation, String, Type};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, TokenKind)]) {
        let words =
            highlight(text).into_iter().filter(|token| token.kind != Punctuation && !token.is_trivia());
        let found: Vec<_> = words.map(|token| (&text[token.range], token.kind)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_is_coloured_by_what_it_does() {
        check(
            "message repeated { repeated optional message = 1 [packed = true]; }",
            &[
                ("message", Keyword),
                ("repeated", Type),
                ("repeated", Keyword),
                ("optional", Type),
                ("message", Identifier),
                ("1", Number),
                ("packed", Option),
                ("true", Option),
            ],
        );
    }

    #[test]
    fn maps_ranges_services_and_options_have_their_colours() {
        check(
            "option a = \"x\"; message T { map<string, p.E> m = 1; reserved 2 to max; }",
            &[
                ("option", Keyword),
                ("a", Option),
                ("\"x\"", String),
                ("message", Keyword),
                ("T", Type),
                ("map", Keyword),
                ("string", Type),
                ("p", Type),
                ("E", Type),
                ("m", Identifier),
                ("1", Number),
                ("reserved", Keyword),
                ("2", Number),
                ("to", Keyword),
                ("max", Keyword),
            ],
        );
        check(
            "service S { rpc Call (stream A) returns (B); }",
            &[
                ("service", Keyword),
                ("S", Type),
                ("rpc", Keyword),
                ("Call", Identifier),
                ("stream", Keyword),
                ("A", Type),
                ("returns", Keyword),
                ("B", Type),
            ],
        );
    }
}
