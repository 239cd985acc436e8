//! Unknown fields that are kept, where their room ends.

use std::path::PathBuf;
use std::process::Command;

use wirebench_engine::options::Optimize;
use wirebench_engine::print::print;

use crate::compiled::{build_runtime, runtime_of, rustc};
use crate::support::Schema;

const PROTO: &str = r#"syntax = "proto2";
enum Closed { ZERO = 0; }
message Strict { optional uint32 a = 1; repeated Closed b = 2 [packed = true]; map<uint32, Closed> c = 3; }
message Loose { optional uint32 a = 1; repeated Closed b = 2 [packed = true]; map<uint32, Closed> c = 3; }
message Clash { optional uint32 unknown_fields = 1; }
"#;

const SETTINGS: &str = r#"version = 1
[defaults]
max_count = 4
[messages]
"*" = { keep_unknown = 4 }
Loose = { unknown_overflow = "drop" }
"#;

const MAIN: &str = r#"
use wirebench_runtime::{Error, Message};
macro_rules! check { ($style:ident) => {{
    use $style::{Clash, Loose, Strict};
    // Two fields of two bytes have room, a third has not.
    let full = [0x28, 1, 0x30, 2, 0x08, 7];
    let strict = Strict::decode(&full).unwrap();
    assert_eq!((strict.a(), &strict.unknown_fields[..]), (Some(7), &[0x28, 1, 0x30, 2][..]));
    let mut buffer = [0; Strict::MAX_ENCODED_LEN];
    assert_eq!(strict.encode(&mut buffer), [0x08, 7, 0x28, 1, 0x30, 2]);
    assert_eq!(strict.encoded_len(), 6);
    let over = [0x28, 1, 0x32, 1, 9, 0x30, 2, 0x08, 7];
    assert_eq!(Strict::decode(&over), Err(Error::Capacity));
    // Dropped as a whole; what follows may still fit.
    let loose = Loose::decode(&over).unwrap();
    assert_eq!((loose.a(), &loose.unknown_fields[..]), (Some(7), &[0x28, 1, 0x30, 2][..]));
    // Numbers that a closed enum does not name, each a field of its own; entries of a map whole.
    let numbers = [0x12, 3, 5, 0, 6];
    assert_eq!(Strict::decode(&numbers).unwrap().unknown_fields[..], [0x10, 5, 0x10, 6]);
    let more = [0x12, 4, 5, 0, 6, 7];
    assert_eq!(Strict::decode(&more), Err(Error::Capacity));
    let loose = Loose::decode(&more).unwrap();
    assert_eq!((&loose.unknown_fields[..], loose.b.len()), (&[0x10, 5, 0x10, 6][..], 1));
    let entry = [0x1a, 4, 0x08, 1, 0x10, 9];
    assert_eq!(Strict::decode(&entry), Err(Error::Capacity));
    let loose = Loose::decode(&entry).unwrap();
    assert!(loose.unknown_fields.is_empty() && loose.c.is_empty());
    assert_eq!(Strict::decode(&[0x1a, 2, 0x10, 9]).unwrap().unknown_fields[..], [0x1a, 2, 0x10, 9]);
    // A field of that name gives way.
    let clash = Clash::decode(&[0x08, 3, 0x10, 4]).unwrap();
    assert_eq!((clash.unknown_fields_(), &clash.unknown_fields[..]), (Some(3), &[0x10, 4][..]));
}} }
fn main() {
    check!(size);
    check!(balanced);
    check!(speed);
}
"#;

#[test]
fn unknown_fields_without_room_are_an_error_or_dropped_as_a_whole() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codec_unknown");
    std::fs::create_dir_all(&folder).unwrap();
    build_runtime(&folder, &["-Copt-level=1", "-Cdebug-assertions=on"]);
    let schema = Schema::of_text(PROTO, SETTINGS);
    let mut main = String::new();
    for optimize in [Optimize::Size, Optimize::Balanced, Optimize::Speed] {
        let planned = schema.plan(optimize);
        assert!(planned.refused.is_empty(), "{:#?}", planned.diagnostics);
        std::fs::write(folder.join(format!("{}.rs", optimize.word())), print(&planned.plan).text).unwrap();
        main += &format!("mod {};\n", optimize.word());
    }
    std::fs::write(folder.join("main.rs"), main + MAIN).unwrap();
    let program = folder.join("program");
    let output = rustc()
        .args(["--edition=2024", "-Copt-level=1", "-Cdebug-assertions=on", "-Adead_code", "--extern"])
        .arg(runtime_of(&folder))
        .arg("-o")
        .arg(&program)
        .arg(folder.join("main.rs"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
