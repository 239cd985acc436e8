//! JSON text to a tree that knows where everything stands. Numbers stay text, keys stay in order and
//! may occur twice: what that means is the reader's business.

use std::ops::Range;

/// Deepest nesting read, as protobuf's own JSON parsers have it.
const MAX_DEPTH: usize = 100;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Byte range in the text.
    pub range: Range<usize>,
    pub kind: NodeKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeKind {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    Text(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub key: String,
    /// Byte range of the key, quotes included.
    pub key_range: Range<usize>,
    pub value: Node,
}

/// The first thing that is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub range: Range<usize>,
    pub message: String,
    pub help: Option<&'static str>,
}

impl NodeKind {
    /// What it is, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            NodeKind::Null => "null",
            NodeKind::Bool(_) => "true or false",
            NodeKind::Number(_) => "a number",
            NodeKind::Text(_) => "a string",
            NodeKind::Array(_) => "a list",
            NodeKind::Object(_) => "an object",
        }
    }
}

/// Parses the whole text.
pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let mut parser = Parser { text, pos: 0 };
    parser.blank();
    let node = parser.value(0)?;
    parser.blank();
    if parser.pos < text.len() {
        return Err(parser.error_here("nothing may follow the value".to_owned()));
    }
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.pos += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.pos += usize::from(found);
        found
    }

    fn error_here(&self, message: String) -> SyntaxError {
        let end = self.text[self.pos..].chars().next().map_or(self.pos, |c| self.pos + c.len_utf8());
        SyntaxError { range: self.pos..end, message, help: None }
    }

    /// `expected`, and what stands there instead.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        let mut error = match self.text[self.pos..].chars().next() {
            Some(c) => self.error_here(format!("expected {expected}, found {c:?}")),
            None => self.error_here(format!("expected {expected}, but the text ends here")),
        };
        error.help = match self.peek() {
            Some(b'\'') => Some("JSON strings stand in double quotes"),
            Some(b'/' | b'#') => Some("JSON has no comments"),
            _ => None,
        };
        error
    }

    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(self.error_here(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let start = self.pos;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => NodeKind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { range: start..self.pos, kind })
    }

    fn object(&mut self, depth: usize) -> Result<NodeKind, SyntaxError> {
        self.pos += 1;
        let mut members = Vec::new();
        self.blank();
        if self.take(b'}') {
            return Ok(NodeKind::Object(members));
        }
        loop {
            self.blank();
            let start = self.pos;
            if self.peek() != Some(b'"') {
                let mut error = self.unexpected("a field name in double quotes");
                if self.peek() == Some(b'}') && !members.is_empty() {
                    error.help = Some("remove the comma before it");
                }
                return Err(error);
            }
            let key = self.string()?;
            let key_range = start..self.pos;
            self.blank();
            if !self.take(b':') {
                return Err(self.unexpected("a colon after the field name"));
            }
            self.blank();
            let value = self.value(depth + 1)?;
            members.push(Member { key, key_range, value });
            self.blank();
            if self.take(b'}') {
                return Ok(NodeKind::Object(members));
            }
            if !self.take(b',') {
                return Err(self.unexpected("a comma or }"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<NodeKind, SyntaxError> {
        self.pos += 1;
        let mut items = Vec::new();
        self.blank();
        if self.take(b']') {
            return Ok(NodeKind::Array(items));
        }
        loop {
            self.blank();
            if self.peek() == Some(b']') {
                let mut error = self.unexpected("a value");
                error.help = Some("remove the comma before it");
                return Err(error);
            }
            items.push(self.value(depth + 1)?);
            self.blank();
            if self.take(b']') {
                return Ok(NodeKind::Array(items));
            }
            if !self.take(b',') {
                return Err(self.unexpected("a comma or ]"));
            }
        }
    }

    fn word(&mut self) -> Result<NodeKind, SyntaxError> {
        let rest = &self.text[self.pos..];
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let kind = match &rest[..len] {
            "null" => NodeKind::Null,
            "true" => NodeKind::Bool(true),
            "false" => NodeKind::Bool(false),
            word => {
                let help = match word {
                    "NaN" | "Infinity" | "nan" | "inf" => {
                        "write \"NaN\", \"Infinity\" or \"-Infinity\" in quotes"
                    }
                    _ => "text and enum names stand in double quotes",
                };
                let range = self.pos..self.pos + len;
                return Err(SyntaxError { range, message: format!("{word} is not JSON"), help: Some(help) });
            }
        };
        self.pos += len;
        Ok(kind)
    }

    fn number(&mut self) -> Result<NodeKind, SyntaxError> {
        let start = self.pos;
        self.take(b'-');
        let whole = self.digits()?;
        if whole > 1 && self.text.as_bytes()[self.pos - whole] == b'0' {
            self.pos -= whole;
            return Err(self.error_here("numbers do not start with 0".to_owned()));
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(NodeKind::Number(self.text[start..self.pos].to_owned()))
    }

    /// At least one digit; returns how many.
    fn digits(&mut self) -> Result<usize, SyntaxError> {
        let start = self.pos;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.pos += 1;
        }
        if self.pos == start { Err(self.unexpected("a digit")) } else { Ok(self.pos - start) }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let start = self.pos;
        self.pos += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.pos..];
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.pos += plain;
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => {
                    let mut error =
                        self.error_here("a line break or control character in a string".to_owned());
                    error.help = Some("write \\n for a line break, \\u0000 for others");
                    return Err(error);
                }
                None => {
                    let message = "the string has no closing quote".to_owned();
                    return Err(SyntaxError { range: start..self.pos, message, help: None });
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.pos;
        self.pos += 1;
        let escaped = self.peek();
        self.pos += usize::from(escaped.is_some_and(|b| b.is_ascii()));
        Ok(match escaped {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => {
                self.pos = start;
                return Err(self.error_here("unknown escape in a string".to_owned()));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, SyntaxError> {
        let lone = |end: usize| SyntaxError {
            range: start..end,
            message: "half of a surrogate pair without its other half".to_owned(),
            help: None,
        };
        let first = self.hex4()?;
        let code = match first {
            0xd800..=0xdbff => {
                if !(self.take(b'\\') && self.take(b'u')) {
                    return Err(lone(self.pos));
                }
                let second = self.hex4()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone(self.pos));
                }
                0x10000 + ((first - 0xd800) << 10 | (second - 0xdc00))
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| lone(self.pos))
    }

    fn hex4(&mut self) -> Result<u32, SyntaxError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            let Some(digit) = digit else { return Err(self.unexpected("a hex digit")) };
            code = code << 4 | digit;
            self.pos += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, String) {
        let error = parse(text).expect_err(text);
        (error.range.start, error.message)
    }

    #[test]
    fn values_keep_their_order_spelling_and_place() {
        let node = parse(r#" {"a": -1.50e+2, "a": ["\u00e9\ud83d\ude00\n", true]}"#).expect("JSON");
        let NodeKind::Object(members) = node.kind else { panic!("an object") };
        assert_eq!(members[0].value.kind, NodeKind::Number("-1.50e+2".into()));
        assert_eq!((members[1].key.as_str(), members[1].key_range.clone()), ("a", 17..20));
        let NodeKind::Array(items) = &members[1].value.kind else { panic!("a list") };
        assert_eq!(items[0].kind, NodeKind::Text("é😀\n".into()));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_eq!(error(r#"{"u":1,}"#), (7, "expected a field name in double quotes, found '}'".into()));
        assert_eq!(error("{'u':1}").0, 1);
        assert_eq!(error("[1 2]"), (3, "expected a comma or ], found '2'".into()));
        assert_eq!(error(r#"{"a":01}"#).0, 5);
        assert_eq!(error(r#"{"a":NaN}"#), (5, "NaN is not JSON".into()));
        assert_eq!(error(r#""\ud800x""#).1, "half of a surrogate pair without its other half");
        assert_eq!(error(""), (0, "expected a value, but the text ends here".into()));
        assert_eq!(error("{} {}").0, 3);
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        assert!(error(&"[".repeat(100_000)).1.contains("deeper"));
    }
}
