//! Tokens to outline. A loop over statements with a stack of open blocks: broken text costs the
//! statement it stands in, and no nesting can overflow the stack.

use std::ops::Range;

use super::lexer::{Token, TokenKind, lex};
use super::outline::{Decl, DeclKind, Outline};

/// The declarations of a text. Never fails; what cannot be made out is skipped up to the next `;`, `}`
/// or line that starts like a declaration.
///
/// ```
/// use wirebench_engine::syntax::{DeclKind, outline};
/// let found = outline("message T { string name = 1 [deprecated = true]; $$ }");
/// assert_eq!(found.decls.len(), 2);
/// assert_eq!((found.decls[1].kind, found.full_name(1).as_str()), (DeclKind::Field, "T.name"));
/// ```
pub fn outline(text: &str) -> Outline {
    let tokens = lex(text);
    let words = (0..tokens.len()).filter(|at| !tokens[*at].is_trivia()).collect();
    let mut parser = Parser { text, tokens, words, at: 0, decls: Vec::new(), open: Vec::new() };
    while parser.at < parser.words.len() {
        parser.statement();
    }
    for index in std::mem::take(&mut parser.open) {
        parser.finish_body(index, text.len());
    }
    Outline { decls: parser.decls }
}

/// Words that start a declaration wherever they stand at the start of a line: broken text recovers there.
const STARTERS: [&str; 14] = [
    "message",
    "enum",
    "oneof",
    "service",
    "extend",
    "option",
    "reserved",
    "extensions",
    "import",
    "package",
    "optional",
    "repeated",
    "required",
    "rpc",
];

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Indices of the tokens that are not trivia.
    words: Vec<usize>,
    /// Position in `words`.
    at: usize,
    decls: Vec<Decl>,
    /// Indices of the declarations whose body is open, outermost first.
    open: Vec<usize>,
}

impl<'a> Parser<'a> {
    fn token(&self, ahead: usize) -> Option<&Token> {
        self.words.get(self.at + ahead).map(|at| &self.tokens[*at])
    }

    /// The text of a token ahead; empty past the end.
    fn word(&self, ahead: usize) -> &'a str {
        self.token(ahead).map_or("", |token| &self.text[token.range.clone()])
    }

    fn is_identifier(&self, ahead: usize) -> bool {
        self.token(ahead).is_some_and(|token| token.kind == TokenKind::Identifier)
    }

    /// Start of the next token, or the end of the text.
    fn here(&self) -> usize {
        self.token(0).map_or(self.text.len(), |token| token.range.start)
    }

    /// End of the token before.
    fn end_before(&self) -> usize {
        match self.at.checked_sub(1).and_then(|at| self.words.get(at)) {
            Some(at) => self.tokens[*at].range.end,
            None => 0,
        }
    }

    fn bump(&mut self) -> Range<usize> {
        let range = self.token(0).map_or(self.text.len()..self.text.len(), |token| token.range.clone());
        self.at += 1;
        range
    }

    fn eat(&mut self, word: &str) -> Option<Range<usize>> {
        (self.word(0) == word && !word.is_empty()).then(|| self.bump())
    }

    fn scope(&self) -> Option<DeclKind> {
        self.open.last().map(|index| self.decls[*index].kind)
    }

    fn statement(&mut self) {
        use DeclKind as K;
        let scope = self.scope();
        match self.word(0) {
            ";" => {
                self.bump();
                return;
            }
            "}" => {
                let end = self.bump().end;
                if let Some(index) = self.open.pop() {
                    self.finish_body(index, end);
                }
                return;
            }
            _ => {}
        }
        let in_message = matches!(scope, Some(K::Message | K::Group));
        match (scope, self.word(0)) {
            (None, "syntax") if self.word(1) == "=" => self.line(K::Syntax),
            (None, "edition") if self.word(1) == "=" => self.line(K::Edition),
            (None, "import") => self.line(K::Import),
            (None, "package") => self.line(K::Package),
            (None, "service") => self.block(K::Service),
            (None | Some(K::Message | K::Group), "message") => self.block(K::Message),
            (None | Some(K::Message | K::Group), "enum") => self.block(K::Enum),
            (None | Some(K::Message | K::Group), "extend") => self.block(K::Extend),
            (Some(K::Message | K::Group), "oneof") => self.block(K::Oneof),
            (Some(K::Extend), "option") => self.recover(),
            (_, "option") => self.line(K::Option),
            (Some(K::Message | K::Group | K::Enum), "reserved") => self.line(K::Reserved),
            (Some(K::Message | K::Group), "extensions") => self.line(K::Extensions),
            (Some(K::Enum), _) if self.is_identifier(0) => self.enum_value(),
            (Some(K::Service), "rpc") => self.block(K::Rpc),
            _ if in_message || matches!(scope, Some(K::Oneof | K::Extend)) => self.field(),
            _ => self.recover(),
        }
    }

    /// Adds a declaration that starts at the next token.
    fn start(&mut self, kind: DeclKind) -> usize {
        let here = self.here();
        self.decls.push(Decl {
            kind,
            parent: self.open.last().copied(),
            name: String::new(),
            name_range: here..here,
            range: here..here,
            label: None,
            type_range: None,
            number_range: None,
            number: None,
            options: None,
            body: None,
            comment: self.comment_above(),
        });
        self.decls.len() - 1
    }

    fn set_name(&mut self, index: usize, range: Range<usize>) {
        self.decls[index].name = self.text[range.clone()].to_owned();
        self.decls[index].name_range = range;
    }

    fn finish(&mut self, index: usize) {
        self.decls[index].range.end = self.end_before().max(self.decls[index].range.start);
    }

    fn finish_body(&mut self, index: usize, end: usize) {
        self.decls[index].range.end = end;
        if let Some(body) = &mut self.decls[index].body {
            body.end = end;
        }
    }

    /// A statement that ends with `;`: its name is the string, dotted name or option name in it.
    fn line(&mut self, kind: DeclKind) {
        let index = self.start(kind);
        self.bump();
        match kind {
            DeclKind::Import | DeclKind::Syntax | DeclKind::Edition => {
                self.eat("=");
                if matches!(self.word(0), "public" | "weak") {
                    self.decls[index].label = Some(self.bump());
                }
                if self.token(0).is_some_and(|token| token.kind == TokenKind::String) {
                    let range = self.bump();
                    self.decls[index].name = self.text[range.clone()].trim_matches(['"', '\'']).to_owned();
                    self.decls[index].name_range = range;
                }
            }
            DeclKind::Package => {
                let name = self.dotted_name();
                self.set_name(index, name);
            }
            DeclKind::Option => {
                let start = self.here();
                while !matches!(self.word(0), "" | "=" | ";" | "{" | "}") {
                    self.bump();
                }
                self.set_name(index, start..self.end_before().max(start));
                if self.eat("=").is_some() {
                    let start = self.here();
                    self.skip_to_semicolon();
                    self.decls[index].options = Some(start..self.end_before().max(start));
                }
            }
            _ => {
                let start = self.here();
                self.skip_to_semicolon();
                self.set_name(index, start..self.end_before().max(start));
            }
        }
        self.end_of_line(index);
    }

    /// Takes the `;`, or gives up on the rest of the statement.
    fn end_of_line(&mut self, index: usize) {
        let is_whole = self.eat(";").is_some();
        self.finish(index);
        if !is_whole && !self.at_starter() {
            self.recover();
        }
    }

    /// A statement with a `{ .. }`.
    fn block(&mut self, kind: DeclKind) {
        if matches!(kind, DeclKind::Message | DeclKind::Enum) && matches!(self.word(1), "=" | ";") {
            // Half-typed: a word of the language where a name belongs.
            return self.recover();
        }
        let index = self.start(kind);
        self.bump();
        let name = self.dotted_name();
        self.set_name(index, name);
        if kind == DeclKind::Rpc {
            let mut depth = 0usize;
            while !matches!(self.word(0), "" | ";" | "{" | "}") && (depth > 0 || !self.at_starter()) {
                depth = match self.word(0) {
                    "(" => depth + 1,
                    ")" => depth.saturating_sub(1),
                    _ => depth,
                };
                self.bump();
            }
        }
        self.open_body(index);
    }

    fn open_body(&mut self, index: usize) {
        if self.word(0) == "{" {
            let brace = self.bump();
            self.decls[index].body = Some(brace.clone());
            self.decls[index].range.end = brace.end;
            self.open.push(index);
        } else {
            self.end_of_line(index);
        }
    }

    fn field(&mut self) {
        let index = self.start(DeclKind::Field);
        if matches!(self.word(0), "optional" | "required" | "repeated") && self.word(1) != "=" {
            self.decls[index].label = Some(self.bump());
        }
        if self.word(0) == "map" && self.word(1) == "<" {
            self.decls[index].kind = DeclKind::MapField;
            let start = self.here();
            while !matches!(self.word(0), "" | ">" | ";" | "}" | "{" | "=") {
                self.bump();
            }
            self.eat(">");
            self.decls[index].type_range = Some(start..self.end_before());
        } else if self.word(0) == "group" && self.is_identifier(1) {
            self.decls[index].kind = DeclKind::Group;
            self.decls[index].type_range = Some(self.bump());
        } else {
            let range = self.dotted_name();
            if range.is_empty() {
                self.decls.pop();
                return self.recover();
            }
            self.decls[index].type_range = Some(range);
        }
        if self.is_identifier(0) {
            let name = self.bump();
            self.set_name(index, name);
        }
        self.number_and_options(index);
        if self.decls[index].kind == DeclKind::Group {
            self.open_body(index);
        } else {
            self.end_of_line(index);
        }
    }

    fn enum_value(&mut self) {
        let index = self.start(DeclKind::EnumValue);
        let name = self.bump();
        self.set_name(index, name);
        self.number_and_options(index);
        self.end_of_line(index);
    }

    /// `= 5 [ .. ]`, as far as it is there.
    fn number_and_options(&mut self, index: usize) {
        if self.eat("=").is_some() {
            let start = self.here();
            self.eat("-");
            if self.token(0).is_some_and(|token| token.kind == TokenKind::Number) {
                let end = self.bump().end;
                self.decls[index].number = parse_integer(&self.text[start..end]);
                self.decls[index].number_range = Some(start..end);
            }
        }
        if self.word(0) == "[" {
            let start = self.here();
            self.skip_brackets();
            self.decls[index].options = Some(start..self.end_before());
        }
    }

    /// `.a.b`, as one range; empty at the next token if there is none.
    fn dotted_name(&mut self) -> Range<usize> {
        let start = self.here();
        let mut end = start;
        if let Some(dot) = self.eat(".") {
            end = dot.end;
        }
        while self.is_identifier(0) {
            end = self.bump().end;
            match self.eat(".") {
                Some(dot) => end = dot.end,
                None => break,
            }
        }
        start..end
    }

    /// From `[` past its `]`. An unclosed list ends at a `;` or `}` outside of `{ .. }` values.
    fn skip_brackets(&mut self) {
        let (mut square, mut curly) = (0usize, 0usize);
        while self.at < self.words.len() {
            match self.word(0) {
                "[" => square += 1,
                "]" => square = square.saturating_sub(1),
                "{" => curly += 1,
                "}" if curly == 0 => return,
                "}" => curly -= 1,
                ";" if curly == 0 => return,
                _ => {}
            }
            self.bump();
            if square == 0 && curly == 0 {
                return;
            }
        }
    }

    /// Up to a `;` or `}` outside of `{ .. }` values, without taking it.
    fn skip_to_semicolon(&mut self) {
        let mut curly = 0usize;
        while self.at < self.words.len() {
            match self.word(0) {
                ";" if curly == 0 => return,
                "}" if curly == 0 => return,
                "{" => curly += 1,
                "}" => curly -= 1,
                _ if curly == 0 && self.at_starter() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the next token starts a line like a declaration does.
    fn at_starter(&self) -> bool {
        STARTERS.contains(&self.word(0)) && self.text[self.end_before()..self.here()].contains('\n')
    }

    /// Skips what cannot be made out: past the next `;`, or before a `}` or a declaration's line.
    fn recover(&mut self) {
        let mut curly = 0usize;
        let start = self.at;
        while self.at < self.words.len() {
            match self.word(0) {
                "{" => curly += 1,
                "}" if curly == 0 => break,
                "}" => {
                    curly -= 1;
                    if curly == 0 {
                        self.bump();
                        break;
                    }
                }
                ";" if curly == 0 => {
                    self.bump();
                    break;
                }
                _ if curly == 0 && self.at > start && self.at_starter() => break,
                _ => {}
            }
            self.bump();
        }
        if self.at == start && self.word(0) != "}" {
            self.bump();
        }
    }

    /// Comments that end right above the next token, without a blank line in between.
    fn comment_above(&self) -> Option<Range<usize>> {
        let mut at = *self.words.get(self.at)?;
        let mut found: Option<Range<usize>> = None;
        while at > 0 {
            at -= 1;
            let token = &self.tokens[at];
            match token.kind {
                TokenKind::LineComment | TokenKind::BlockComment => {
                    if self.is_trailing(at) {
                        break;
                    }
                    let end = found.map_or(token.range.end, |range| range.end);
                    found = Some(token.range.start..end);
                }
                TokenKind::Whitespace => {
                    let lines = self.text[token.range.clone()].bytes().filter(|b| *b == b'\n').count();
                    if lines > 1 {
                        break;
                    }
                }
                _ => break,
            }
        }
        found
    }

    /// Whether a comment stands behind other code on its line, and so belongs to that.
    fn is_trailing(&self, comment: usize) -> bool {
        let start = self.tokens[comment].range.start;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = self.text[line..start].trim_start_matches('\u{feff}');
        !before.trim().is_empty() && self.text[start..self.here()].contains('\n')
    }
}

/// Value of an integer literal: decimal, hex or octal, with a sign.
fn parse_integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8).ok()?,
        None => digits.parse::<i128>().ok()?,
    };
    i64::try_from(if negative { -value } else { value }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(DeclKind, String)> {
        let found = outline(text);
        (0..found.decls.len()).map(|at| (found.decls[at].kind, found.full_name(at))).collect()
    }

    #[test]
    fn members_of_oneofs_and_values_of_enums_belong_to_the_scope_around() {
        use DeclKind::*;
        let text = "package p; message T { oneof o { int32 a = 1; } enum E { V = 0; } map<int32, T> m = 2; }";
        let expected = [
            (Package, "p.p"),
            (Message, "p.T"),
            (Oneof, "p.T.o"),
            (Field, "p.T.a"),
            (Enum, "p.T.E"),
            (EnumValue, "p.T.V"),
            (MapField, "p.T.m"),
        ];
        assert_eq!(names(text), expected.map(|(kind, name)| (kind, name.to_owned())));
    }

    #[test]
    fn a_broken_statement_costs_only_itself() {
        let text = "message T {\n  string a = \n  optional int32 b = 2;\n  $$ ;\n int32 c = 3;\n}\nenum E { Z = 0; }";
        let found: Vec<_> = names(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(found, ["T", "T.a", "T.b", "T.c", "E", "Z"]);
    }

    #[test]
    fn ten_thousand_levels_need_no_stack() {
        let text = "message M {".repeat(10_000);
        assert_eq!(outline(&text).decls.len(), 10_000);
    }

    #[test]
    fn options_numbers_and_comments_keep_their_place() {
        let text = "message T {\n  // far\n\n  // near\n  /* nearer */\n  int32 a = -0x10 [x = { y: \"];\" }]; // tail\n  int32 b = 2;\n}";
        let found = outline(text);
        let a = &found.decls[1];
        let piece = |range: &Option<Range<usize>>| range.clone().map_or("", |range| &text[range]);
        assert_eq!(a.number, Some(-16));
        assert_eq!(piece(&a.options), "[x = { y: \"];\" }]");
        assert_eq!(piece(&a.comment), "// near\n  /* nearer */");
        assert_eq!(found.decls[2].comment, None);
    }
}
