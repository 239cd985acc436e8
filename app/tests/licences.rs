//! Everything we link is under a licence a product can ship: MIT, Apache-2.0 and the like, never GPL.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences without obligations beyond naming the authors.
const ALLOWED: [&str; 15] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "CC0-1.0",
    "0BSD",
    "BSL-1.0",
    "Unicode-3.0",
    "OFL-1.1",
    "Ubuntu-font-1.0",
];

/// Whether an SPDX expression can be met with allowed licences. `/` is the old way to write `OR`.
fn can_be_met(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words);
    met && rest.is_empty()
}

fn either<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = both(words);
    while rest.first() == Some(&"OR") {
        let (other, left) = both(&rest[1..]);
        met |= other;
        rest = left;
    }
    (met, rest)
}

fn both<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = one(words);
    while rest.first() == Some(&"AND") {
        let (other, left) = one(&rest[1..]);
        met &= other;
        rest = left;
    }
    (met, rest)
}

fn one<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => {
            let (met, rest) = either(inner);
            if rest.first() == Some(&")") { (met, &rest[1..]) } else { (false, rest) }
        }
        [name, "WITH", exception, rest @ ..] => {
            (ALLOWED.contains(&format!("{name} WITH {exception}").as_str()) || ALLOWED.contains(name), rest)
        }
        [name, rest @ ..] => (ALLOWED.contains(name), rest),
        [] => (false, words),
    }
}

#[test]
fn expressions_are_understood() {
    assert!(can_be_met("MIT OR Apache-2.0"));
    assert!(can_be_met("MIT/Apache-2.0"));
    assert!(can_be_met("(MIT OR GPL-3.0-only) AND Unicode-3.0"));
    assert!(!can_be_met("MIT AND GPL-2.0-only"));
    assert!(!can_be_met("GPL-3.0-or-later"));
    assert!(!can_be_met("(MIT"));
    assert!(!can_be_met(""));
}

#[test]
fn every_dependency_has_a_licence_we_can_ship() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(top)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "cargo listed only {} packages", packages.len());
    let wrong: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(can_be_met))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
