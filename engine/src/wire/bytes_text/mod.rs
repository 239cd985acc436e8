//! Bytes as people paste them: hex in its many spellings, arrays and strings of C, Rust and Python,
//! base64, hexdumps, escapes, decimal lists. And bytes written in the same forms.
//!
//! The forms are told apart by what only they have, in this order: quotes, escapes, offsets with columns,
//! brackets and commas, hex digits, base64's alphabet. Hex wins over base64 where both would do.

mod digits;
mod hexdump;
mod list;
mod print;
mod string;

use std::fmt;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Span};

use super::base64;

pub use print::format;

/// A way to write bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `0807`.
    Hex,
    /// `08 07`, also with colons, dashes or commas.
    SpacedHex,
    /// `0x08, 0x07`.
    HexList,
    /// `{ 0x08, 0x07 };`, with a declaration before it or none.
    CArray,
    /// `[0x08, 0x07]`, the same.
    RustArray,
    /// `[8, 7]` or `8 7`.
    DecimalList,
    /// `b"\x08\x07"`.
    PythonBytes,
    /// `"\x08\x07"`.
    CString,
    /// `\010\007`, as protoc prints bytes.
    Escapes,
    /// `CAc=`.
    Base64,
    /// Lines of offset, hex and perhaps characters.
    Hexdump,
    /// No text: the bytes themselves.
    Binary,
}

impl Form {
    /// Its name for the user: `hex`, `C array`, `Python bytes`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Hex => "hex",
            Form::SpacedHex => "spaced hex",
            Form::HexList => "0x list",
            Form::CArray => "C array",
            Form::RustArray => "Rust array",
            Form::DecimalList => "decimal list",
            Form::PythonBytes => "Python bytes",
            Form::CString => "C string",
            Form::Escapes => "escaped text",
            Form::Base64 => "base64",
            Form::Hexdump => "hexdump",
            Form::Binary => "binary",
        }
    }
}

/// Bytes and the form they came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The form.
    pub form: Form,
}

/// The first thing in a text that is not bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong, naming the characters.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl TextError {
    /// The same as a diagnostic about `file`, which holds `text`.
    pub fn diagnostic(&self, file: &str, text: &str) -> Diagnostic {
        Diagnostic::error(Some(Span::of(file.into(), text, self.range.clone())), self.message.clone())
            .with_help("bytes are read as hex, C, Rust or Python literals, base64, hexdumps or decimal lists")
    }
}

/// An error before its line is known: byte range and words.
type Wrong = (Range<usize>, String);

/// Reads bytes in any of the forms. Blank text is no bytes, in hex.
///
/// # Errors
/// The first character that does not belong, with its place, where the text is in none of the forms.
///
/// ```
/// use wirebench_engine::wire::bytes_text::{Form, parse};
/// let parsed = parse("{ 0x08, 0x07 };").expect("a C array");
/// assert_eq!((parsed.bytes.as_slice(), parsed.form), ([8, 7].as_slice(), Form::CArray));
/// assert_eq!(parse("08 0g").unwrap_err().to_string(), "line 1, column 5: 'g' is not a hex digit");
/// ```
pub fn parse(text: &str) -> Result<Parsed, TextError> {
    let (bytes, form) = parse_form(text).map_err(|(range, message)| {
        let place = Span::of("".into(), text, range);
        TextError { range: place.range, line: place.line, column: place.column, message }
    })?;
    Ok(Parsed { bytes, form })
}

/// The same for the content of a file, which may be the bytes themselves: what has control characters or is not
/// UTF-8 is taken as it is.
///
/// # Errors
/// As [`parse`], for text.
pub fn read(content: &[u8]) -> Result<Parsed, TextError> {
    let is_printable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    match std::str::from_utf8(content) {
        Ok(text) if text.chars().all(is_printable) => parse(text),
        _ => Ok(Parsed { bytes: content.to_vec(), form: Form::Binary }),
    }
}

fn parse_form(text: &str) -> Result<(Vec<u8>, Form), Wrong> {
    let start = text.len() - text.trim_start().len();
    let content = start..start + text.trim().len();
    let inner = &text[content.clone()];
    if hexdump::is_hexdump(inner) {
        return Ok((hexdump::parse(text, content)?, Form::Hexdump));
    }
    match first_mark(inner) {
        Some('\\') => return Ok((string::escaped(text, content)?, Form::Escapes)),
        Some('"' | '\'') => return string::quoted(text, content),
        Some(_) => return list::parse(text, content),
        None if list::is_list(inner) => return list::parse(text, content),
        None => {}
    }
    match digits::parse(text, content.clone()) {
        Ok(found) => Ok(found),
        Err(wrong) => match base64::decode(inner) {
            Ok(bytes) if digits::looks_like_base64(inner) => Ok((bytes, Form::Base64)),
            // Padding, or letters beyond f, say what was meant.
            Err((at, why)) if inner.ends_with('=') => Err((content.start + at..content.start + at + 1, why)),
            _ => Err(wrong),
        },
    }
}

/// The first quote, bracket or backslash behind a declaration's `=`: it says what follows.
fn first_mark(inner: &str) -> Option<char> {
    let marks = ['\\', '"', '\'', '{', '['];
    // `uint8_t message[] =` has a bracket that opens no list.
    let value = match inner.split_once('=') {
        Some((name, value)) if !name.contains(['\\', '"', '\'', '{']) && value.contains(marks) => value,
        _ => inner,
    };
    value.chars().find(|c| marks.contains(c))
}
