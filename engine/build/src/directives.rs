//! What a build script tells cargo.

use std::io::Write;

use wirebench_engine::diagnostic::Diagnostic;

/// The lines for cargo: what to watch, and the remarks, in this order.
pub fn directives(watched: &[String], remarks: &[Diagnostic]) -> Vec<String> {
    let watched = watched.iter().map(|path| format!("cargo:rerun-if-changed={path}"));
    // A directive ends with its line; the help goes into one of its own.
    let remarks = remarks.iter().flat_map(|remark| {
        let text = remark.to_string();
        text.lines().map(|line| format!("cargo:warning={line}")).collect::<Vec<_>>()
    });
    watched.chain(remarks).collect()
}

/// Prints the lines where cargo reads them. A closed pipe is nobody's problem.
pub fn print(lines: &[String]) {
    let mut out = std::io::stdout().lock();
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_remark_is_a_directive() {
        let remark = Diagnostic::warning(None, "`a` is odd").with_help("make it even");
        assert_eq!(
            directives(&["a.proto".to_owned()], &[remark]),
            [
                "cargo:rerun-if-changed=a.proto",
                "cargo:warning=warning: `a` is odd",
                "cargo:warning=  help: make it even",
            ]
        );
    }
}
