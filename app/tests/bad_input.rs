//! Bad input at the command line: the exit code and the sentence a user sees.

mod support;

use support::{Ran, Scratch, run};
use wirebench_measure::environment::Environment;

const GOOD: &str = "syntax = \"proto3\";\nmessage T { string a = 1; }\n";

/// A command line on a machine without any toolchain.
fn bare(arguments: &[&str]) -> Ran {
    run(arguments, b"", &Environment::default())
}

/// The subcommands that only read a schema, on this one.
fn on_schema(scratch: &Scratch, schema: &str) -> [Ran; 3] {
    let out = scratch.path("out");
    [bare(&["check", schema]), bare(&["generate", schema, "--out", &out]), bare(&["measure", schema])]
}

#[test]
fn a_missing_file_cannot_be_run_on() {
    let scratch = Scratch::new("missing");
    let (schema, good) = (scratch.path("no.proto"), scratch.write("good.proto", GOOD));
    let wanted = format!("there is no file {schema}");
    for ran in on_schema(&scratch, &schema) {
        ran.ended(2, &wanted);
    }
    bare(&["encode", "--schema", &schema, "--type", "T", "-"]).ended(2, &wanted);
    bare(&["decode", "--schema", &schema, "--type", "T", "-"]).ended(2, &wanted);
    let sample = scratch.path("no.json");
    let wanted = format!("{sample}: error: it cannot be read");
    bare(&["encode", "--schema", &good, "--type", "T", &sample]).ended(2, &wanted);
    bare(&["decode", "--schema", &good, "--type", "T", &sample]).ended(2, &wanted);
    let folder = scratch.path("");
    bare(&["check", &folder]).ended(2, "cannot be read: it is a folder");
}

#[test]
fn a_schema_that_is_not_utf_8_is_named_with_its_byte() {
    let scratch = Scratch::new("latin");
    let schema =
        scratch.write("latin.proto", b"syntax = \"proto3\";\n// gr\xfc\xdf\nmessage T { string a = 1; }\n");
    let wanted = format!("{schema}:2:6: error: {schema} is not UTF-8: byte 0xfc fits nowhere");
    for ran in on_schema(&scratch, &schema) {
        ran.ended(1, &wanted);
    }
    let good = scratch.write("good.proto", GOOD);
    let sample = scratch.write("latin.json", b"{\"a\": \"gr\xfc\xdf\"}");
    let ran = bare(&["encode", "--schema", &good, "--type", "T", &sample]);
    assert_ne!(ran.code, 0);
    ran.ended(ran.code, &format!("{sample}: error: the sample is not UTF-8 from byte 9 on"));
}

#[test]
fn every_error_of_a_schema_is_named_with_its_line() {
    let scratch = Scratch::new("errors");
    let schema = scratch.write(
        "errors.proto",
        "syntax = \"proto3\";\nmessage T {\n  string a = 1;\n  uint32 b = 1;\n  Missing c = 3;\n}\n",
    );
    for ran in on_schema(&scratch, &schema) {
        ran.ended(1, &format!("{schema}:4:14: error: field number `1` is already used"));
        ran.ended(1, &format!("{schema}:5:3: error: name `Missing` is not defined"));
    }
    assert!(!std::path::Path::new(&scratch.path("out")).exists(), "code was written for a bad schema");
}

#[test]
fn a_limit_of_nothing_or_of_4_gib_is_refused_with_its_line() {
    for (limit, wanted, help) in [
        ("0", "max_len cannot be 0: the field could hold nothing", "write storage = \"ignored\""),
        ("4294967296", "max_len cannot be 4294967296: it must be 1 to 65535", "storage = \"streamed\""),
    ] {
        let scratch = Scratch::new(&format!("limit-{limit}"));
        let schema = scratch.write("good.proto", GOOD);
        let settings = scratch
            .write("wirebench.toml", format!("version = 1\n[fields]\n\"T.a\" = {{ max_len = {limit} }}\n"));
        for ran in &on_schema(&scratch, &schema)[..2] {
            ran.ended(1, &format!("{settings}:3:21: error: {wanted}"));
            ran.ended(1, help);
        }
    }
}

#[test]
fn a_nanopb_limit_of_nothing_or_of_4_gib_is_refused_with_its_line() {
    for (limit, wanted) in [
        ("0", "max_size cannot be 0: the field could hold nothing"),
        ("4294967296", "max_size cannot be 4294967296: it must be 1 to 65535"),
    ] {
        let scratch = Scratch::new(&format!("nanopb-limit-{limit}"));
        let schema = scratch.write("good.proto", GOOD);
        let options = scratch.write("good.options", format!("# limits\nT.a max_size:{limit}\n"));
        bare(&["check", &schema]).ended(1, &format!("{options}:2:5: error: {wanted}"));
    }
}

#[test]
fn a_sample_over_its_limit_is_refused_with_the_field_and_its_size() {
    let scratch = Scratch::new("sample");
    let schema = scratch.write("good.proto", GOOD);
    scratch.write("wirebench.toml", "version = 1\n[fields]\n\"T.a\" = { max_len = 4 }\n");
    let sample = scratch.write("long.json", "{\"a\": \"hello\"}");
    let ran = bare(&["encode", "--schema", &schema, "--type", "T", &sample]);
    ran.ended(1, "a: 5/4 B");
    ran.ended(1, "shorten it by 1 byte, or raise the maximum length to 5");
    assert_eq!(ran.out, "");
    let fits = scratch.write("fits.json", "{\"a\": \"hell\"}");
    let ran = bare(&["encode", "--schema", &schema, "--type", "T", &fits]);
    assert_eq!((ran.code, ran.out.trim()), (0, "0a 04 68 65 6c 6c"));
}

#[test]
fn without_any_compiler_the_doctor_names_the_first_step() {
    let scratch = Scratch::new("no-compiler");
    let schema = scratch.write("good.proto", GOOD);
    let cache = scratch.path("cache");
    let variables = [("WIREBENCH_CACHE".to_owned(), cache)].into();
    let environment = Environment { variables, ..Environment::default() };
    let ran = run(&["doctor"], b"", &environment);
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(
        ran.out.starts_with("--  Rust compiler: no Rust compiler was found.\n       to mend it: "),
        "{}",
        ran.out
    );
    let ran = run(&["measure", &schema], b"", &environment);
    ran.ended(2, "error: measuring is off: no Rust compiler was found");
    ran.ended(2, "`wirebench doctor` says which step is missing and how to mend it");
}

/// A rustup toolchain as it comes: everything but the bare-metal target.
#[cfg(unix)]
#[test]
fn without_the_thumb_target_the_doctor_names_it_and_the_command() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("no-target");
    let schema = scratch.write("good.proto", GOOD);
    let sysroot = scratch.path("sysroot");
    let compiler = format!(
        "case \"$1\" in\n-vV) echo 'rustc 1.95.0 (abc 2026-01-01)'; echo 'host: x86_64-unknown-linux-gnu'; \
         echo 'release: 1.95.0';;\n--print) echo {sysroot};;\nesac"
    );
    for (name, script) in
        [("rustc", &*compiler), ("cargo", "exit 0"), ("rustup", "exit 0"), ("ld.lld", "echo LLD 19.1.0")]
    {
        let file = scratch.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let environment = Environment {
        path: vec![scratch.path("bin").into()],
        variables: [("WIREBENCH_CACHE".to_owned(), scratch.path("cache"))].into(),
        ..Environment::default()
    };
    let ran = run(&["doctor"], b"", &environment);
    assert_eq!(ran.code, 2, "{ran:#?}");
    let failed: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("-- ")).collect();
    assert!(failed.len() == 1 && failed[0].starts_with("--  Bare-metal target: "), "{}", ran.out);
    assert!(ran.out.contains("       to mend it: rustup target add thumbv7em-none-eabihf\n"), "{}", ran.out);
    run(&["measure", &schema], b"", &environment)
        .ended(2, "error: measuring is off: no Rust toolchain here can build for thumbv7em-none-eabihf");
}
