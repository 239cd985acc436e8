//! Embeds the runtime's sources, so that a project can have them written next to its generated code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let sources = here.join("../runtime/src");
    println!("cargo:rerun-if-changed={}", sources.display());
    let mut files = Vec::new();
    collect(&sources, &mut files)?;
    files.sort();
    let mut text =
        String::from("/// Files of the runtime: path and text.\nconst RUNTIME: &[(&str, &str)] = &[\n");
    for file in files {
        let inside = file.strip_prefix(&sources).map_err(io::Error::other)?;
        let inside =
            inside.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let _ = writeln!(text, "    ({inside:?}, include_str!({:?})),", fs::canonicalize(&file)?);
    }
    text.push_str("];\n");
    fs::write(out.join("runtime.rs"), text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
