//! A firmware as text, and the Cargo project it is built in.
//!
//! ```text
//! template + runtime (both embedded) + Firmware { files } ─▶ <project>/Cargo.toml
//!                                                            <project>/.cargo/config.toml   all settings
//!                                                            <project>/src/..               the template
//!                                                            <project>/runtime/..           the runtime
//!                                                            <project>/src/bin/<name>/..    one binary each
//! ```
//! The project builds by itself, with `cargo build --release` and nothing else (and `RUSTC_BOOTSTRAP=1`
//! where the core library is rebuilt).

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::key::Key;
use crate::settings::{CoreLibrary, MemoryRoutines, Settings};
use crate::toolchain::Toolchain;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// Manifest of the runtime's copy: its optional integrations are left out, so nothing has to be fetched.
const RUNTIME_MANIFEST: &str = "[package]
name = \"wirebench-runtime\"
version = \"0.1.0\"
edition = \"2024\"
license = \"MIT OR Apache-2.0\"

[lib]
path = \"src/lib.rs\"
test = false
doctest = false
bench = false

[lints.rust]
unexpected_cfgs = \"allow\"
";

/// One firmware to be built: a binary of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firmware {
    /// Name of the binary: `telemetry_round_trip`. ASCII letters, digits and `_`.
    pub name: String,
    /// Its files, `main.rs` first: name and text. [`BUILD_ID`] in `main.rs` stands for the build id.
    pub files: Vec<(String, String)>,
}

/// Stands in `main.rs` where the build id goes.
pub const BUILD_ID: &str = "@BUILD_ID@";

impl Firmware {
    /// The firmware without a scenario: what the others' sizes are compared with.
    pub fn empty() -> Firmware {
        let main = format!(
            "//! The firmware without a scenario.\n#![no_std]\n#![no_main]\n\nfn run() -> u32 {{\n    1\n}}\n\n\
             firmware::scenario!(run, build_id: {BUILD_ID});\n"
        );
        Firmware { name: "empty".to_owned(), files: vec![("main.rs".to_owned(), main)] }
    }

    /// Hash of everything that goes into its ELF file.
    pub fn key(&self, settings: &Settings, toolchain: &Toolchain) -> Key {
        let mut hash = Key::start("firmware");
        hash.add(&tool_key().to_string());
        hash.add(&serde_json::to_string(settings).unwrap_or_default());
        hash.add(&toolchain.identity);
        hash.add(toolchain.core_library.word());
        for (name, text) in &self.files {
            hash.add(name).add(text);
        }
        hash.finish()
    }
}

/// Hash of the embedded template and runtime.
pub fn tool_key() -> Key {
    let mut hash = Key::start("tool");
    for (path, text) in embedded::TEMPLATE.iter().chain(embedded::RUNTIME) {
        hash.add(path).add(text);
    }
    hash.finish()
}

/// Hash of the embedded template alone.
pub fn template_key() -> Key {
    let mut hash = Key::start("template");
    for (path, text) in embedded::TEMPLATE {
        hash.add(path).add(text);
    }
    hash.finish()
}

/// Writes the project with these firmwares into `folder`. Files that are there with the same text keep their
/// time stamps, so that cargo rebuilds only what changed; binaries of earlier projects are removed.
///
/// # Errors
/// If a file cannot be written.
pub fn write_project(
    folder: &Path,
    firmwares: &[(Firmware, u64)],
    settings: &Settings,
    toolchain: &Toolchain,
) -> io::Result<()> {
    let mut written = BTreeSet::new();
    let mut put = |path: PathBuf, text: &str| -> io::Result<()> {
        let file = folder.join(&path);
        written.insert(file.clone());
        if fs::read(&file).is_ok_and(|old| old == text.as_bytes()) {
            return Ok(());
        }
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, text)
    };
    for (path, text) in embedded::TEMPLATE {
        match *path {
            "Cargo.toml" => put(path.into(), &manifest(text, settings))?,
            _ => put(path.into(), text)?,
        }
    }
    for (path, text) in embedded::RUNTIME {
        put(Path::new("runtime").join(path), text)?;
    }
    put("runtime/Cargo.toml".into(), RUNTIME_MANIFEST)?;
    put("memory.x".into(), &settings.memory.to_string())?;
    put(".cargo/config.toml".into(), &config(settings, toolchain))?;
    for (firmware, build_id) in firmwares {
        for (name, text) in &firmware.files {
            let text = text.replace(BUILD_ID, &format!("{build_id:#018x}"));
            put(Path::new("src/bin").join(&firmware.name).join(name), &text)?;
        }
    }
    remove_others(&folder.join("src"), &written)?;
    remove_others(&folder.join("runtime"), &written)
}

/// The template's manifest with the runtime and the choices Cargo takes only from there.
fn manifest(template: &str, settings: &Settings) -> String {
    let default = match settings.memory_routines {
        MemoryRoutines::Compiler => "default = []",
        MemoryRoutines::Small => "default = [\"small-memory\"]",
    };
    let text = template.replace("default = []", default);
    format!("{text}wirebench-runtime = {{ path = \"runtime\" }}\n")
}

fn config(settings: &Settings, toolchain: &Toolchain) -> String {
    let target = settings.core.target();
    let quoted = |path: &Path| format!("{:?}", path.to_string_lossy());
    let mut flags = vec!["-C", "link-arg=-Tlink.x", "-C", "link-arg=--nmagic"];
    if !settings.merge_functions {
        flags.push("-Zmerge-functions=disabled");
    }
    let mut text = format!(
        "[build]\ntarget = {target:?}\nrustc = {}\nincremental = false\n\n[target.{target}]\nlinker = {}\nrustflags = {flags:?}\n\n\
         [profile.release]\nopt-level = {}\n",
        quoted(&toolchain.rustc),
        quoted(&toolchain.linker),
        match settings.opt_level.word() {
            level @ ("2" | "3") => level.to_owned(),
            level => format!("{level:?}"),
        },
    );
    if needs_unstable(settings, toolchain) {
        text.insert_str(0, "# Build with RUSTC_BOOTSTRAP=1: what is asked for below is unstable.\n");
    }
    if toolchain.core_library == CoreLibrary::Rebuilt {
        text.push_str("\n[unstable]\nbuild-std = [\"core\"]\n");
    }
    text
}

/// Whether the build has to ask for features the stable compiler keeps locked.
pub fn needs_unstable(settings: &Settings, toolchain: &Toolchain) -> bool {
    toolchain.core_library == CoreLibrary::Rebuilt || !settings.merge_functions
}

/// Removes files below `folder` that are not in `keep`, and folders that become empty.
fn remove_others(folder: &Path, keep: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, keep)?;
            if fs::read_dir(&path)?.next().is_none() {
                fs::remove_dir(&path)?;
            }
        } else if !keep.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
