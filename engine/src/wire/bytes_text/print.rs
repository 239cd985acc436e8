//! Bytes in the forms that editors, compilers and terminals take.

use std::fmt::Write;

use crate::wire::base64;

use super::Form;

/// Bytes per line of arrays.
const PER_LINE: usize = 12;

/// Writes bytes in a form that [`super::parse`] reads back. Hex is one line; arrays are whole declarations.
/// [`Form::Binary`] has no text and is written as plain hex.
pub fn format(bytes: &[u8], form: Form) -> String {
    match form {
        Form::Hex | Form::Binary => joined(bytes, "", |b| format!("{b:02x}")),
        Form::SpacedHex => joined(bytes, " ", |b| format!("{b:02x}")),
        Form::HexList => joined(bytes, ", ", |b| format!("{b:#04x}")),
        Form::DecimalList => format!("[{}]", joined(bytes, ", ", |b| b.to_string())),
        Form::CArray => format!("const uint8_t message[{}] = {{\n{}}};", bytes.len(), rows(bytes)),
        Form::RustArray => format!("const MESSAGE: [u8; {}] = [\n{}];", bytes.len(), rows(bytes)),
        Form::PythonBytes => format!("b\"{}\"", joined(bytes, "", python_escape)),
        Form::CString => format!("\"{}\"", joined(bytes, "", octal_escape)),
        Form::Escapes => escapes(bytes),
        Form::Base64 => base64::encode(bytes),
        Form::Hexdump => hexdump(bytes),
    }
}

fn joined(bytes: &[u8], separator: &str, each: impl Fn(u8) -> String) -> String {
    bytes.iter().map(|b| each(*b)).collect::<Vec<_>>().join(separator)
}

fn rows(bytes: &[u8]) -> String {
    bytes
        .chunks(PER_LINE)
        .map(|row| format!("    {},\n", joined(row, ", ", |b| format!("{b:#04x}"))))
        .collect()
}

fn python_escape(byte: u8) -> String {
    match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    }
}

/// Three octal digits end by themselves; `\x` in C would take the next hex digit too.
fn octal_escape(byte: u8) -> String {
    match byte {
        b'"' | b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

/// The first byte is always an escape, so that nothing else can be read into the text; so is a blank at the end.
fn escapes(bytes: &[u8]) -> String {
    let Some((first, rest)) = bytes.split_first() else { return String::new() };
    let blanks = rest.iter().rev().take_while(|b| **b == b' ').count();
    let (middle, blanks) = rest.split_at(rest.len() - blanks);
    let blanks = joined(blanks, "", |b| format!("\\{b:03o}"));
    format!("\\{first:03o}{}{blanks}", joined(middle, "", octal_escape))
}

/// As `hexdump -C` prints it, without the last line.
fn hexdump(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (at, row) in bytes.chunks(16).enumerate() {
        let hex = joined(row, " ", |b| format!("{b:02x}"));
        let text: String =
            row.iter().map(|b| if (b' '..=b'~').contains(b) { char::from(*b) } else { '.' }).collect();
        let _ = writeln!(out, "{:08x}  {hex:<47}  |{text}|", at * 16);
    }
    out
}
