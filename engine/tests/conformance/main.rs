//! The conformance suite of protobuf: all 1401 binary tests of proto2 and proto3, on generated code in every style and
//! on the engine's own reader and writer of wire bytes. See `README.md` beside this file.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the counts are what this test is for")]

mod suite;
mod testee;
mod vectors;

use std::path::{Path, PathBuf};
use std::process::Command;

use suite::{Counts, INCOMPLETE, INCOMPLETE_SKIPPING, Suite};
use testee::STYLES;
use wirebench_engine::wire;

/// As [`INCOMPLETE`], for the engine's own reader and writer: they take a message set for unknown fields.
const INCOMPLETE_WIRE: &[(&str, usize, usize)] = &[("ValidMessageSetEncoding", 1, 4)];

/// Runs generated code on all vectors, prints how many pass, and compares those that do not.
fn check(suite: &Suite, name: &str, incomplete: &[(&str, usize, usize)]) {
    let vectors = vectors::vectors();
    let program = testee::build(suite, name);
    for (style, answers) in STYLES.iter().zip(testee::run(&program, &vectors)) {
        let counts = Counts::of(suite, &vectors, &answers);
        let (passed, all) = counts.total();
        println!("{name}, {}: {passed} of {all}", style.word());
        assert_eq!(counts.incomplete(), incomplete, "{}: {:#?}", style.word(), counts.failed());
    }
}

#[test]
fn generated_code_answers_as_the_suite_expects() {
    check(&Suite::load(), "conformance", INCOMPLETE);
}

#[test]
fn without_unknown_fields_exactly_the_vectors_about_them_fail() {
    check(&Suite::load().skipping(), "conformance_skipping", INCOMPLETE_SKIPPING);
}

#[test]
fn the_engines_own_reader_and_writer_answer_as_the_suite_expects() {
    let suite = Suite::load();
    let vectors = vectors::vectors();
    let answers: Vec<Option<Vec<u8>>> = vectors
        .iter()
        .map(|vector| {
            let message = suite.message(vector);
            let read = wire::annotate(&suite.model, Some(message), &vector.request);
            read.is_valid().then(|| wire::encode(&suite.model, message, &read.value).bytes)
        })
        .collect();
    let counts = Counts::of(&suite, &vectors, &answers);
    let (passed, all) = counts.total();
    println!("wire: {passed} of {all}");
    assert_eq!(counts.incomplete(), INCOMPLETE_WIRE, "{:#?}", counts.failed());
}

/// Fetches the suite; `./test --long` does.
#[test]
fn long_the_vectors_are_those_the_suite_runs() {
    if std::env::var_os("WIREBENCH_LONG").is_none() {
        return;
    }
    let fresh = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("conformance_recorded");
    std::fs::create_dir_all(&fresh).unwrap();
    let recorded = Command::new(vectors::folder().join("record/record.sh")).arg(&fresh).status().unwrap();
    assert!(recorded.success());
    let table = "vectors.tsv.gz";
    assert!(vectors::text(&fresh.join(table)) == vectors::text(&vectors::folder().join(table)));
    for schema in ["proto2", "proto3"] {
        let schema = format!("schemas/google/protobuf/test_messages_{schema}.proto");
        let text = |folder: &Path| std::fs::read_to_string(folder.join(&schema)).unwrap();
        assert!(text(&fresh) == text(&vectors::folder()), "{schema}");
    }
}
