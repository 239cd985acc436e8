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
        match decl.kind {
            DeclKind::Field | DeclKind::MapField => {}
            DeclKind::EnumValue => {}
            DeclKind::Group => {}
            _ => mark(&mut tokens, decl.range.start..decl.range.start + 1, TokenKind::Keyword),
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
