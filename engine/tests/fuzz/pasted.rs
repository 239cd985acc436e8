//! Any text as bytes somebody pasted.

use wirebench_engine::wire::bytes_text::{Form, format, parse, read};

use crate::runner::{Seed, fuzz};
use crate::seeds::files;

const FORMS: [Form; 11] = [
    Form::Hex,
    Form::SpacedHex,
    Form::HexList,
    Form::CArray,
    Form::RustArray,
    Form::DecimalList,
    Form::PythonBytes,
    Form::CString,
    Form::Escapes,
    Form::Base64,
    Form::Hexdump,
];

const TOKENS: &[&str] = &[
    "0x",
    "0X",
    "\\x",
    "\\",
    "\\0",
    "\\377",
    "\\400",
    "\"",
    "'",
    "b\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    ":",
    "-",
    "=",
    "==",
    "|",
    "00000000  ",
    "0010: ",
    "\n",
    "\r\n",
    "/*",
    "*/",
    "//",
    "#",
    "uint8_t a[] = ",
    "let a: [u8; 2] = ",
    "256",
    "-1",
    "ff",
    "é",
    "\u{feff}",
];

#[test]
fn fuzz_pasted_bytes() {
    const BYTES: [&[u8]; 3] = [&[], b"\x08\x07hello \"world\"\\\n\x00\xff", &[0x5a; 40]];
    let printed = BYTES.iter().flat_map(|bytes| FORMS.map(|form| format(bytes, form)));
    let seeds = printed.map(|text| Seed { from: "printed".to_owned(), bytes: text.into_bytes() });
    fuzz(8000, seeds.chain(files(".hex")).collect(), TOKENS, |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        match parse(&text) {
            Ok(parsed) => {
                let printed = format(&parsed.bytes, parsed.form);
                let again = parse(&printed).unwrap_or_else(|why| panic!("{printed:?} is refused: {why}"));
                // Base64 of nothing but hex digits reads as hex.
                let is_ambiguous = parsed.form == Form::Base64 && again.form == Form::Hex;
                assert!(is_ambiguous || again.bytes == parsed.bytes, "{printed:?} of {:?}", parsed.form);
            }
            Err(error) => {
                assert!(
                    text.get(error.range.clone()).is_some() && error.line > 0 && error.column > 0,
                    "{error:?}"
                );
                assert!(!error.message.is_empty());
            }
        }
        if let Ok(parsed) = read(bytes) {
            assert!(parsed.form != Form::Binary || parsed.bytes == bytes);
        }
    });
}
