//! The printed code of the comparison's schemas, as it stands in `golden/`. Rewritten by
//! `UPDATE_GOLDEN=1 cargo test -p wirebench-engine --test codec golden`.

use wirebench_engine::options::Optimize;
use wirebench_engine::print::print;

use crate::support::{Schema, folder};

/// The schemas of the comparison, by file name without ending.
pub const COMPARISON: [&str; 8] = [
    "telemetry",
    "telemetry_batch",
    "configuration",
    "command",
    "firmware_chunk",
    "firmware_chunk_streamed",
    "growth",
    "growth_varied",
];

fn check(schema: &str, optimize: Optimize) {
    let planned = Schema::of_repository(&[&format!("{schema}.proto")]).plan(optimize);
    assert!(planned.refused.is_empty(), "{:?}", planned.diagnostics);
    let text = print(&planned.plan).text;
    let path = folder().join("golden").join(format!("{schema}.{}.rs", optimize.word()));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let difference = golden.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(golden == text, "{} differs, first in line {:?}", path.display(), difference.map(|at| at + 1));
}

#[test]
fn printed_code_is_as_in_the_golden_files() {
    for schema in COMPARISON.iter().filter(|s| !s.starts_with("growth")) {
        for optimize in [Optimize::Size, Optimize::Balanced, Optimize::Speed] {
            check(schema, optimize);
        }
    }
}
