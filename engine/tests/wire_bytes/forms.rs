//! Text forms of bytes: read as what they are, written so that they read back.

use wirebench_engine::wire::bytes_text::{Form, format, parse, read};

use crate::support::{case_folder, hex};

fn form(text: &str) -> (Vec<u8>, Form) {
    let parsed = parse(text).unwrap_or_else(|e| panic!("{text:?}: {e}"));
    (parsed.bytes, parsed.form)
}

fn error(text: &str) -> String {
    parse(text).map(|p| format!("{p:?}")).expect_err(text).to_string()
}

/// F08: one line of each form people paste, all the same two bytes.
#[test]
fn every_pasted_form_of_the_case_means_the_same_bytes() {
    let samples = std::fs::read_to_string(case_folder().join("F08/sample.txt")).unwrap();
    let forms: Vec<Form> = samples
        .lines()
        .map(|line| {
            let (bytes, form) = form(line);
            assert_eq!(bytes, [8, 7], "{line:?}");
            form
        })
        .collect();
    let wanted = [
        Form::Hex,
        Form::SpacedHex,
        Form::HexList,
        Form::CArray,
        Form::DecimalList,
        Form::PythonBytes,
        Form::Base64,
        Form::SpacedHex,
        Form::Hex,
        Form::Hexdump,
        Form::Hexdump,
        Form::Escapes,
    ];
    assert_eq!(forms, wanted);
}

#[test]
fn forms_are_read_as_people_write_them() {
    let bytes = hex("0896011203e9a9");
    for (text, wanted) in [
        ("08 96 01\n12 03 E9 A9\n", Form::SpacedHex),
        ("08960112 03e9a9", Form::SpacedHex),
        ("0x08960112 03e9a9", Form::SpacedHex),
        ("0x08 0x96 0x01 0x12 0x03 0xe9 0xA9", Form::HexList),
        (
            "static const uint8_t kMsg[7] = {\n  0x08, 0x96, 0x01, // tag, 150\n  18, 3, 0xE9U, 0xa9,\n};",
            Form::CArray,
        ),
        ("let bytes: [u8; 7] = [0x08u8, 0x96, 0x01, 0x12, 0x03, 0xe9, 0xa9];", Form::RustArray),
        ("&[8, 150, 1, 18, 3, 233, 169]", Form::DecimalList),
        ("vec![8u8, 150, 1, 18, 3, 233, 169]", Form::DecimalList),
        ("[8, -106, 1, 18, 3, -23, -87]", Form::DecimalList),
        ("8 150 1 18 3 233 169", Form::DecimalList),
        ("8, 150, 1, 18, 3, 233, 169", Form::DecimalList),
        ("payload = b'\\x08\\x96\\x01\\x12\\x03' b'\\xe9\\xa9'", Form::PythonBytes),
        ("b\"\\b\\226\\001\\x12\\003\\351\\251\"", Form::PythonBytes),
        ("\"\\010\\226\\001\\022\\003\\351\\251\"", Form::CString),
        ("\\010\\226\\001\\022\\003\\351\\251", Form::Escapes),
        ("CJYBEgPpqQ==", Form::Base64),
        ("00000000: 0896 0112 03e9 a9                        .......", Form::Hexdump),
        ("00000000  08 96 01 12  03 e9 a9  |.......|\n00000007\n", Form::Hexdump),
        ("0000000 08 96 01 12\n0000004 03 e9 a9\n0000007", Form::Hexdump),
        ("0000   08 96 01 12 03 e9 a9                               .......", Form::Hexdump),
        ("0x0000:  0896 0112 03e9 a9", Form::Hexdump),
    ] {
        assert_eq!(form(text), (bytes.clone(), wanted), "{text:?}");
    }
    assert_eq!(form(" \n"), (vec![], Form::Hex));
    assert_eq!(form("{'a', 0x00, ',', ' '}"), (vec![b'a', 0, b',', b' '], Form::CArray));
}

/// Groups of four digits look like offsets, and may even rise.
#[test]
fn lines_of_plain_hex_are_no_hexdump() {
    for (text, bytes) in [
        ("0801\n1001\n", "08011001"),
        ("0801 0203\n1001 0405", "0801020310010405"),
        ("0801\r\n1203\r\n", "08011203"),
    ] {
        assert_eq!(parse(text).map(|parsed| parsed.bytes), Ok(hex(bytes)), "{text:?}");
    }
    assert_eq!(
        error("000000 08 96\n000003 01"),
        "line 2, column 1: the offset says 0x3, but 2 bytes came before it"
    );
}

/// `0x` is two base64 characters too.
#[test]
fn base64_that_holds_0x_is_no_list() {
    let bytes = hex("6b4c74c4001b");
    let text = format(&bytes, Form::Base64);
    assert!(text.matches("0x").count() > 1, "{text}");
    assert_eq!(form(&text), (bytes, Form::Base64));
}

#[test]
fn a_starred_hexdump_fills_in_its_equal_lines() {
    let zeros = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00";
    let text = format!("00000000  {zeros}  |................|\n*\n00000040  08 07  |..|\n00000042\n");
    let (bytes, form) = form(&text);
    assert_eq!((bytes.len(), &bytes[0x40..], form), (0x42, [8u8, 7].as_slice(), Form::Hexdump));
}

#[test]
fn errors_name_the_character_and_its_place() {
    assert_eq!(error("08 0g"), "line 1, column 5: 'g' is not a hex digit");
    assert_eq!(error("08 07\n1"), "line 2, column 1: \"1\" is one hex digit; a byte has two");
    assert_eq!(error("080"), "line 1, column 1: 3 hex digits are an odd number; a byte has two");
    assert_eq!(error("{0x08, 0x107}"), "line 1, column 8: 0x107 does not fit a byte");
    assert_eq!(error("[8, x]"), "line 1, column 5: \"x\" is not a byte");
    assert_eq!(error("[8, 7"), "line 1, column 1: the list has no closing ]");
    assert_eq!(error("b\"\\x0"), "line 1, column 2: the literal has no closing \"");
    assert_eq!(error("b\"\\q\""), "line 1, column 3: there is no escape \\q");
    assert_eq!(error("\\477"), "line 1, column 1: \\477 is over \\377, the largest byte");
    assert_eq!(error("CAc*="), "line 1, column 4: '*' is not a base64 character");
    let text = "CAcéZg==";
    assert_eq!(parse(text).map_err(|why| text[why.range].to_owned()), Err("é".to_owned()));
    assert_eq!(
        error("00000000: 0807\n00000004: 01"),
        "line 2, column 1: the offset says 0x4, but 2 bytes came before it"
    );
    assert_eq!(error("hello world"), "line 1, column 1: 'h' is not a hex digit");
}

#[test]
fn a_file_of_bytes_is_taken_as_it_is() {
    assert_eq!(read(&[0x08, 0x07]).unwrap().form, Form::Binary);
    assert_eq!(read(&[0xff, 0x00]).unwrap().bytes, [0xff, 0x00]);
    assert_eq!(read(b"0807\r\n").unwrap().bytes, [8, 7]);
}

#[test]
fn what_is_written_reads_back_in_every_form() {
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [&all[..], &all[7..8], &all[48..58], b"\\\"'?\x000", b"1234567890123456", b"  |  "] {
        for form in [
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
        ] {
            let text = format(bytes, form);
            let parsed = parse(&text).unwrap_or_else(|e| panic!("{form:?} {text:?}: {e}"));
            assert_eq!(parsed.bytes, bytes, "{form:?} {text:?}");
        }
    }
}
