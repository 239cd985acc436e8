//! The runtime as one module of the user's crate.
//!
//! ```text
//! lib.rs + error.rs + table/mod.rs + ..  ─▶  mod wirebench_root { .. mod error { .. } .. }
//!                                            pub use wirebench_root::*;
//! ```
//! Optional integrations are left out: their features are those of the runtime's own package, not of the user's.

use std::fmt::Write as _;

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// Name of the file with the vendored runtime.
pub const FILE: &str = "wirebench_runtime.rs";

/// Where the runtime's own root stands in the user's crate.
const ROOT: &str = "crate::wirebench_runtime::wirebench_root::";

/// Modules that are left out.
const LEFT_OUT: [&str; 1] = ["features"];

/// The generated code with the paths of a runtime in the same crate.
pub fn call_vendored(generated: &str) -> String {
    generated.replace("::wirebench_runtime::", "crate::wirebench_runtime::")
}

/// The text of [`FILE`].
pub fn module() -> String {
    let mut text = format!(
        "// The runtime of Wirebench {}, as one module: put it at the root of the crate as `wirebench_runtime`.\n\
         // MIT OR Apache-2.0. Changes are lost when it is written again.\n\n\
         #[allow(dead_code, unused, unsafe_code, unexpected_cfgs, missing_docs, clippy::all)]\n\
         mod wirebench_root {{\n",
        env!("CARGO_PKG_VERSION")
    );
    inline(&mut text, "lib.rs", "", 1);
    text.push_str("}\n\n#[allow(unused_imports)]\npub use wirebench_root::*;\n");
    text
}

/// Appends a file; `folder` is where the modules it declares stand.
fn inline(text: &mut String, path: &str, folder: &str, depth: usize) {
    let Some((_, source)) = RUNTIME.iter().find(|(name, _)| *name == path) else {
        debug_assert!(false, "{path} is declared, but not there");
        return;
    };
    let indent = "    ".repeat(depth);
    let mut in_example = false;
    for line in source.lines() {
        if depth == 1 && line.starts_with("#![") && line.ends_with(']') {
            continue;
        }
        if let Some((head, name)) = declared(line) {
            if LEFT_OUT.contains(&name) {
                continue;
            }
            let (file, inside) = place(folder, name);
            let _ = writeln!(text, "{indent}{head} {{");
            inline(text, &file, &inside, depth + 1);
            let _ = writeln!(text, "{indent}}}");
            continue;
        }
        let mut line = line.replace("crate::", ROOT).replace("feature = \"", "wirebench_feature = \"");
        if let "/// ```" | "//! ```" = line.trim_start() {
            in_example = !in_example;
            if in_example {
                // An example of the runtime's own package, which is no crate here.
                line.push_str("ignore");
            }
        }
        match line.is_empty() {
            true => text.push('\n'),
            false => {
                let _ = writeln!(text, "{indent}{line}");
            }
        }
    }
}

/// `pub mod table;` as `pub mod table` and `table`.
fn declared(line: &str) -> Option<(&str, &str)> {
    let head = line.strip_suffix(';')?;
    let (visibility, name) = head.rsplit_once("mod ")?;
    let is_visibility = visibility.is_empty() || visibility.starts_with("pub");
    (is_visibility && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some((head, name))
}

/// The file of a module, and the folder of those it declares.
fn place(folder: &str, name: &str) -> (String, String) {
    let beside = format!("{folder}{name}.rs");
    let inside = format!("{folder}{name}/");
    match RUNTIME.iter().any(|(path, _)| *path == beside) {
        true => (beside, inside),
        false => (format!("{inside}mod.rs"), inside),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_runtime_is_in_it_but_the_integrations() {
        let module = module();
        for (path, source) in RUNTIME.iter().filter(|(path, _)| !path.starts_with("features")) {
            let first = source.lines().next().unwrap();
            assert!(first.starts_with("//! ") && module.contains(first), "{path}: {first}");
        }
        assert!(!module.contains("mod features"), "its packages are not there");
    }

    #[test]
    fn a_declared_module_is_told_from_other_lines() {
        assert_eq!(declared("pub mod table;"), Some(("pub mod table", "table")));
        assert_eq!(declared("mod error;"), Some(("mod error", "error")));
        assert_eq!(declared("// the mod error;"), None);
        assert_eq!(declared("use crate::mod_a;"), None);
        assert_eq!(declared("mod tests {"), None);
    }
}
