//! Tokens, highlighting and outline of any text.

use wirebench_engine::syntax::{Token, highlight, lex, outline};

use crate::runner::fuzz;
use crate::seeds::{TOKENS, files};

/// Every byte lies in exactly one token.
fn check_tokens(text: &str, tokens: &[Token]) {
    let mut at = 0;
    for token in tokens {
        assert_eq!(token.range.start, at);
        assert!(token.range.end > at && text.is_char_boundary(token.range.end));
        at = token.range.end;
    }
    assert_eq!(at, text.len());
}

/// Every declaration lies in the text and in its parent, behind which it stands in the list.
fn check_outline(text: &str) {
    let found = outline(text);
    for (index, decl) in found.decls.iter().enumerate() {
        let inner = [&decl.name_range]
            .into_iter()
            .chain(&decl.label)
            .chain(&decl.type_range)
            .chain(&decl.number_range)
            .chain(&decl.options)
            .chain(&decl.body);
        for range in inner {
            assert!(text.get(range.clone()).is_some(), "{decl:?}");
            // A missing name has a place behind what there is of the declaration.
            let is_inside = decl.range.start <= range.start && range.end <= decl.range.end;
            assert!(is_inside || range.is_empty(), "{decl:?}");
        }
        assert!(text.get(decl.range.clone()).is_some(), "{decl:?}");
        assert!(decl.comment.as_ref().is_none_or(|range| text.get(range.clone()).is_some()), "{decl:?}");
        if let Some(parent) = decl.parent {
            assert!(parent < index);
            let parent = &found.decls[parent].range;
            assert!(parent.start <= decl.range.start && decl.range.end <= parent.end, "{decl:?}");
        }
    }
}

#[test]
fn fuzz_text() {
    fuzz(6000, files(".proto"), TOKENS, |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let tokens = lex(&text);
        check_tokens(&text, &tokens);
        let coloured = highlight(&text);
        check_tokens(&text, &coloured);
        assert_eq!(coloured.len(), tokens.len());
        check_outline(&text);
    });
}
