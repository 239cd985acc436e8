//! A copy of the example in a folder of its own, and cargo over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wirebench_measure::environment::Environment;
use wirebench_measure::settings::{Core, CoreLibrary};
use wirebench_measure::toolchain::Toolchain;

/// Where the test has the registers of the serial port: behind the example's RAM.
pub const USART: u32 = 0x2002_0000;

/// A copy of the example.
pub struct Project {
    name: String,
    folder: PathBuf,
    toolchain: Toolchain,
}

impl Project {
    pub fn copy(name: &str) -> Project {
        let example = example();
        let folder = temporary().join(format!("example-{name}"));
        let _ = fs::remove_dir_all(&folder);
        copy(&example, &folder);
        let name = format!("wirebench-example-{name}");
        let project = Project { name, folder, toolchain: toolchain() };
        // Cargo tells packages of one target folder apart by their names.
        for file in ["Cargo.toml", "Cargo.toml", "Cargo.lock"] {
            project.change(file, "\"wirebench-example\"", &format!("{:?}", project.name));
        }
        // The packages of the repository, from where the copy lies.
        let absolute = |path: &str| format!("path = {:?}", example.join(path).canonicalize().unwrap());
        project.change("Cargo.toml", "path = \"../../runtime\"", &absolute("../../runtime"));
        project.change("Cargo.toml", "path = \"..\"", &absolute(".."));
        project
    }

    /// Replaces a part of one file.
    pub fn change(&self, file: &str, from: &str, to: &str) {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    /// Adds a file.
    pub fn add(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).unwrap();
    }

    /// Builds it for release, with the port where the test has it.
    pub fn cargo(&self) -> Output {
        let mut cargo = Command::new(&self.toolchain.cargo);
        // What the user set for his own builds, or cargo for this test, does not reach this one.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let is_kept = ["CARGO_HOME", "CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTR", "CARGO_SOURCE_"];
            if (text.starts_with("CARGO")
                || text.starts_with("RUSTC")
                || text == "RUSTFLAGS"
                || text == "OUT_DIR")
                && !is_kept.iter().any(|start| text.starts_with(start))
            {
                cargo.env_remove(&name);
            }
        }
        cargo.current_dir(&self.folder);
        cargo.env("RUSTC", &self.toolchain.rustc);
        cargo.env("CARGO_TARGET_THUMBV7EM_NONE_EABIHF_LINKER", &self.toolchain.linker);
        cargo.args(["rustc", "--release", "--locked", "--verbose", "--color=never"]);
        if self.toolchain.core_library == CoreLibrary::Rebuilt {
            cargo.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core");
        }
        cargo.arg("--target-dir").arg(target());
        cargo.args(["--", "-Dwarnings", &format!("-Clink-arg=--defsym=USART1={USART:#x}")]);
        cargo.output().unwrap()
    }

    /// What cargo says of a build that succeeds.
    pub fn build(&self) -> String {
        let output = self.cargo();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    /// The ELF file of the last build.
    pub fn elf(&self) -> Vec<u8> {
        fs::read(target().join("thumbv7em-none-eabihf/release").join(&self.name)).unwrap()
    }
}

pub fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("example")
}

fn temporary() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// One for all copies: what they depend on is built once.
fn target() -> PathBuf {
    temporary().join("example-target")
}

/// The bare-metal toolchain. Without one these tests fail: they would prove nothing.
fn toolchain() -> Toolchain {
    let environment = Environment::of_this_process();
    Toolchain::find(&environment, Core::CortexM4f, None).unwrap_or_else(|error| {
        panic!("these tests build firmware, and {error}; to mend it: {}", error.remedy(&environment))
    })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_name().unwrap();
        match entry.is_dir() {
            true if name == "target" => {}
            true => copy(&entry, &to.join(name)),
            false => drop(fs::copy(&entry, to.join(name)).unwrap()),
        }
    }
}
