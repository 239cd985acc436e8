//! Embeds the firmware template, the runtime's sources and the comparison's schemas, so that the
//! program measures without a checkout of its own sources.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let engine = here.join("..");
    let template = engine.join("../firmware-template");
    let mut text = String::new();
    embed(&mut text, "TEMPLATE", &template, &["Cargo.toml", "link.x", "src"])?;
    embed(&mut text, "RUNTIME", &engine.join("runtime"), &["src"])?;
    fs::write(out.join("embedded.rs"), text)?;

    let mut text = String::new();
    embed(&mut text, "SCHEMAS", &engine.join("../schemas"), &["."])?;
    fs::write(out.join("schemas.rs"), text)
}

/// Prints a constant with every file of `folder` that lies under one of `parts`.
fn embed(text: &mut String, name: &str, folder: &Path, parts: &[&str]) -> io::Result<()> {
    let mut files = Vec::new();
    for part in parts {
        let path = folder.join(part);
        println!("cargo:rerun-if-changed={}", path.display());
        collect(&path, &mut files)?;
    }
    files.sort();
    let _ = writeln!(text, "/// Files of one folder: path and text.\npub const {name}: &[(&str, &str)] = &[");
    for file in files {
        let inside = file.strip_prefix(folder).map_err(io::Error::other)?;
        let inside =
            inside.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let _ = writeln!(text, "    ({inside:?}, include_str!({:?})),", fs::canonicalize(&file)?);
    }
    text.push_str("];\n");
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?.path();
        // The empty firmware is written like every other one.
        if entry.is_dir() && entry.file_name().is_some_and(|name| name == "bin") {
            continue;
        }
        let is_text = |e: &std::ffi::OsStr| ["rs", "proto", "json", "toml"].iter().any(|known| e == *known);
        if entry.is_dir() || entry.extension().is_some_and(is_text) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}
