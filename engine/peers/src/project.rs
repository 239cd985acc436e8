//! The firmware of the comparison as a Cargo project: for each library a package with one binary for each
//! scenario, three lines long. Builds one package at a time, so that the features of one library's
//! dependencies do not reach another's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wirebench_measure::builder::Built;
use wirebench_measure::key::Key;
use wirebench_measure::settings::{OptLevel, Settings};
use wirebench_measure::toolchain::Toolchain;

use crate::measure::Error;
use crate::native;
use crate::peers::{Peer, Source};

/// The scenario of the firmware that sizes are compared with.
pub const EMPTY: &str = "empty";

/// The folder of the comparison in the repository.
pub const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// What a firmware is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sizes, cycles of the whole scenario, stack.
    Whole,
    /// Cycles of encode and decode, bytes on the wire, message size, heap.
    Split,
}

/// A project on disk.
pub struct Project<'a> {
    folder: PathBuf,
    scenarios: &'a [&'a str],
    toolchain: &'a Toolchain,
    settings: &'a Settings,
}

impl<'a> Project<'a> {
    /// Writes the project of these libraries and scenarios.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(
        peers: &[&Peer],
        scenarios: &'a [&'a str],
        settings: &'a Settings,
        toolchain: &'a Toolchain,
    ) -> Result<Project<'a>, Error> {
        let folder = target_folder().join(format!("firmware-{}", settings.opt_level.word()));
        let project = Project { folder, scenarios, toolchain, settings };
        project.put("Cargo.toml", &project.workspace(peers))?;
        project.put(".cargo/config.toml", &project.config())?;
        project.put("memory.x", &settings.memory.to_string())?;
        for peer in peers.iter().filter(|peer| peer.is_package()) {
            project.put(&format!("{}/Cargo.toml", peer.name), &package(peer))?;
            if let Source::Native(_) = peer.source {
                project.put(&format!("{}/build.rs", peer.name), &link_script(&project, peer))?;
            }
            for scenario in project.scenarios_of(peer) {
                let key = project.key(peer, scenario);
                let run = match peer.source {
                    Source::Native(_) => "run",
                    Source::Rust(..) | Source::Ours(_) => scenario,
                };
                let text = format!(
                    "#![no_std]\n#![no_main]\n\nfirmware::scenario!(peer::{run}, build_id: {:#018x});\n",
                    key.number()
                );
                project.put(&format!("{}/src/bin/{}.rs", peer.name, binary(peer, scenario)), &text)?;
            }
        }
        Ok(project)
    }

    /// Builds all scenarios of a library. By scenario.
    ///
    /// # Errors
    /// What cargo says, if it fails.
    pub fn build(&self, peer: &Peer, purpose: Purpose) -> Result<BTreeMap<String, Built>, Error> {
        if let Source::Native(native) = peer.source {
            let scenarios: Vec<&str> = self.scenarios_of(peer).collect();
            let folder = self.native_folder(peer, purpose);
            native::compile(native, &scenarios, purpose, self.settings.opt_level, &folder)?;
        }
        let target = self.folder.join("target");
        let mut cargo = Command::new(&self.toolchain.cargo);
        cargo.current_dir(&self.folder).args([
            "build",
            "--release",
            "--package",
            &format!("bins-{}", peer.name),
        ]);
        // The core library is rebuilt at the level of the rest; asking for that is unstable.
        cargo.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target).env_remove("RUSTFLAGS");
        for scenario in self.scenarios_of(peer) {
            cargo.args(["--bin", &binary(peer, scenario)]);
        }
        if purpose == Purpose::Split {
            cargo.args(["--features", "split"]);
        }
        let output = cargo.output().map_err(|source| Error::Start { program: "cargo".to_owned(), source })?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Error::Build { what: peer.name.to_owned(), log });
        }
        let folder = target.join(self.settings.core.target()).join("release");
        let mut built = BTreeMap::new();
        for scenario in self.scenarios_of(peer) {
            let name = binary(peer, scenario);
            let path = folder.join(&name);
            let elf = fs::read(&path).map_err(|source| Error::File { path: path.clone(), source })?;
            built.insert(scenario.to_owned(), Built { name, key: self.key(peer, scenario), path, elf });
        }
        Ok(built)
    }

    /// The scenarios a library can do; the floor also has the empty firmware.
    fn scenarios_of(&self, peer: &Peer) -> impl Iterator<Item = &'a str> {
        let own = self.scenarios.iter().copied().filter(|scenario| !peer.cannot.contains(scenario));
        own.chain((peer.name == "null").then_some(EMPTY))
    }

    /// Where the objects of a library in C or C++ are.
    fn native_folder(&self, peer: &Peer, purpose: Purpose) -> PathBuf {
        let purpose = match purpose {
            Purpose::Whole => "whole",
            Purpose::Split => "split",
        };
        self.folder.join("objects").join(peer.name).join(purpose)
    }

    fn key(&self, peer: &Peer, scenario: &str) -> Key {
        let mut hash = Key::start("peer");
        hash.add(peer.name).add(scenario).add(self.settings.opt_level.word()).add(&self.toolchain.identity);
        hash.finish()
    }

    /// Writes a file, unless it is there with the same text: cargo goes by time stamps.
    fn put(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            return Ok(());
        }
        let written = match path.parent() {
            Some(parent) => fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)),
            None => fs::write(&path, text),
        };
        written.map_err(|source| Error::File { path, source })
    }

    /// The same profile as the firmware of our own codec.
    fn workspace(&self, peers: &[&Peer]) -> String {
        let members: Vec<&str> =
            peers.iter().filter(|peer| peer.is_package()).map(|peer| peer.name).collect();
        let level = match self.settings.opt_level {
            level @ (OptLevel::Two | OptLevel::Three) => level.word().to_owned(),
            level => format!("{:?}", level.word()),
        };
        format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[profile.release]\nopt-level = {level}\nlto = \"fat\"\n\
             codegen-units = 1\npanic = \"abort\"\ndebug = \"line-tables-only\"\noverflow-checks = false\n"
        )
    }

    fn config(&self) -> String {
        let target = self.settings.core.target();
        let scripts = format!("link-arg=-L{}", template().display());
        let mut flags = vec!["-C", "link-arg=-Tlink.x", "-C", "link-arg=--nmagic", "-C", &scripts];
        if !self.settings.merge_functions {
            flags.push("-Zmerge-functions=disabled");
        }
        format!(
            "[build]\ntarget = {target:?}\nrustc = {:?}\nincremental = false\n\n[target.{target}]\nlinker = {:?}\n\
             rustflags = {flags:?}\n\n[unstable]\nbuild-std = [\"core\", \"alloc\"]\n",
            self.toolchain.rustc, self.toolchain.linker
        )
    }
}

fn package(peer: &Peer) -> String {
    let (package, features) = match peer.source {
        Source::Rust(package, features) => (package, features),
        Source::Native(_) | Source::Ours(_) => ("c", &[][..]),
    };
    format!(
        "[package]\nname = \"bins-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[features]\nsplit = [\"peer/split\"]\n\n\
         [dependencies]\nfirmware = {{ package = \"wirebench-firmware\", path = {:?} }}\n\
         peer = {{ package = \"peer-{package}\", path = {:?}, features = {features:?} }}\n",
        peer.name,
        template(),
        Path::new(HERE).join("firmware").join(package),
    )
}

/// The build script of a library in C or C++: one object for each binary, and the compiler's libraries.
fn link_script(project: &Project, peer: &Peer) -> String {
    let objects = |purpose: Purpose| {
        let lines = project.scenarios_of(peer).map(|scenario| {
            let object = project.native_folder(peer, purpose).join(format!("{scenario}.o"));
            format!("        ({:?}, {object:?}),\n", binary(peer, scenario))
        });
        lines.collect::<String>()
    };
    format!(
        "fn main() {{\n    let objects: &[(&str, &str)] = if std::env::var_os(\"CARGO_FEATURE_SPLIT\").is_some() {{ &[\n{}    ] }} else {{ &[\n{}    ] }};\n    \
         for (binary, object) in objects {{\n        println!(\"cargo:rerun-if-changed={{object}}\");\n        \
         println!(\"cargo:rustc-link-arg-bin={{binary}}={{object}}\");\n    }}\n    \
         for library in {:?} {{\n        println!(\"cargo:rustc-link-arg-bins={{library}}\");\n    }}\n}}\n",
        objects(Purpose::Split),
        objects(Purpose::Whole),
        native::libraries(),
    )
}

/// Binaries of all libraries share an output folder, so their names say whose they are.
fn binary(peer: &Peer, scenario: &str) -> String {
    format!("{}-{scenario}", peer.name)
}

fn template() -> PathBuf {
    Path::new(HERE).join("../../firmware-template")
}

/// Where everything fetched, generated and built is kept.
pub fn target_folder() -> PathBuf {
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(HERE).join("target"), PathBuf::from);
    folder.join("peers")
}
