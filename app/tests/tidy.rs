//! Keeps the borders between crates and modules, and the rules that no compiler checks.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources fails")]

use std::fs;
use std::path::{Path, PathBuf};

/// The repository's top folder.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// All Rust sources below a folder of the repository, with their path from the top.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![top().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().unwrap() != "target" {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(top()).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no sources below {folder}");
    found
}

/// The lines of code: no comments, nothing behind the file's own tests.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .map(|(at, line)| (at + 1, line.split("//").next().unwrap_or("")))
}

/// Fails with every line of code below `folder` that contains one of `words`, except in files `but` names.
fn forbid(folder: &str, words: &[&str], but: &[&str]) {
    let mut wrong = Vec::new();
    for (name, text) in sources(folder) {
        if but.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        for (line, code) in code(&text) {
            wrong.extend(
                words.iter().filter(|w| code.contains(**w)).map(|w| format!("{name}:{line}: uses {w}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_engine_has_no_threads_processes_clocks_or_windows() {
    forbid(
        "engine/src",
        &["std::process", "std::thread", "std::time", "std::fs", "std::env::", "egui", "probe_rs"],
        &[],
    );
}

#[test]
fn the_simulator_knows_nothing_of_protobuf() {
    forbid("engine/sim/src", &["wirebench_engine", "probe_rs", "egui"], &[]);
}

#[test]
fn measuring_knows_no_window_and_no_probe() {
    forbid("engine/measure/src", &["egui", "probe_rs"], &[]);
}

#[test]
fn imports_inside_the_engine_run_one_way() {
    const ORDER: [(&str, u32); 12] = [
        ("units", 0),
        ("origin", 0),
        ("files", 0),
        ("diagnostic", 0),
        ("syntax", 1),
        ("schema", 2),
        ("options", 3),
        ("plan", 4),
        ("print", 5),
        ("cost", 5),
        ("wire", 5),
        ("pipeline", 6),
    ];
    let rank = |module: &str| ORDER.iter().find(|(name, _)| *name == module).map(|(_, rank)| *rank);
    let mut wrong = Vec::new();
    for (name, text) in sources("engine/src") {
        let module = name.trim_start_matches("engine/src/").split(['/', '.']).next().unwrap();
        let Some(own) = rank(module) else { continue };
        for (line, code) in code(&text) {
            for used in code.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                if let Some(other) = rank(used)
                    && used != module
                    && (other > own || (other == own && own >= 5))
                {
                    wrong.push(format!("{name}:{line}: {module} must not use {used}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_theme_makes_colours() {
    forbid(
        "app/src",
        &["Color32::from_", "Rgba::from_", "Color32::RED", "Color32::WHITE"],
        &["app/src/theme/"],
    );
}

#[test]
fn widgets_know_neither_state_nor_engine() {
    forbid(
        "app/src/widgets",
        &["crate::state", "crate::update", "wirebench_engine", "wirebench_measure"],
        &[],
    );
}

#[test]
fn panels_change_no_state() {
    forbid(
        "app/src/panels",
        &["&mut State", "&mut Document", "&mut Session", "update::apply", "update::receive", "crate::jobs"],
        &[],
    );
}

#[test]
fn the_runtime_stands_alone() {
    let manifest = fs::read_to_string(top().join("engine/runtime/Cargo.toml")).unwrap();
    assert!(!manifest.contains("workspace"), "the runtime inherits nothing from the workspace");
    for (name, text) in sources("engine/runtime/src") {
        for (line, code) in code(&text) {
            assert!(!code.contains("std::") || code.contains("core::"), "{name}:{line} uses std");
            assert!(!code.contains("alloc::"), "{name}:{line} uses alloc");
        }
    }
}

#[test]
fn no_file_outgrows_what_one_person_can_read() {
    let long: Vec<String> =
        ["app/src", "engine/src", "engine/runtime/src", "engine/sim/src", "engine/measure/src"]
            .into_iter()
            .flat_map(sources)
            .filter(|(name, _)| !name.contains("/tests") && !name.contains("table"))
            .map(|(name, text)| (name, code(&text).count()))
            .filter(|(_, lines)| *lines > 700)
            .map(|(name, lines)| format!("{name} has {lines} lines"))
            .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["todo", "!("].concat(),
        ["unimplemented", "!("].concat(),
    ];
    for folder in ["app", "engine", "firmware-template"] {
        for (name, text) in sources(folder) {
            for (at, line) in text.lines().enumerate() {
                assert!(!marks.iter().any(|m| line.contains(m.as_str())), "{name}:{}: {line}", at + 1);
            }
        }
    }
}
