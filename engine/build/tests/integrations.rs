//! The runtime's integrations add nothing unless asked for.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// The packages the runtime pulls in with these features, without itself.
fn packages(features: &str) -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args(["tree", "--package=wirebench-runtime", "--edges=normal", "--prefix=none", "--format={p}"]);
    let output = cargo.args(["--locked", "--features", features]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().skip(1).map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn without_features_the_runtime_depends_on_nothing() {
    assert_eq!(packages(""), Vec::<String>::new());
}

#[test]
fn each_feature_pulls_in_its_own_library_and_no_other_integration() {
    let integrations = ["defmt", "serde", "heapless", "embedded-io"];
    for feature in integrations {
        let packages = packages(feature);
        for other in integrations {
            assert_eq!(packages.iter().any(|p| p == other), other == feature, "{feature}: {packages:?}");
        }
    }
}
