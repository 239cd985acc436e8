//! The toolchain ladder on described machines: each missing step is named, with the command that mends it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use support::Scratch;
use wirebench_measure::environment::Environment;
use wirebench_measure::settings::{Core, CoreLibrary};
use wirebench_measure::toolchain::{Toolchain, ToolchainError, doctor};

/// A machine in a folder: programs in `bin`, one sysroot.
struct Machine {
    scratch: Scratch,
}

impl Machine {
    fn new() -> Machine {
        let machine = Machine { scratch: Scratch::new("machine") };
        fs::create_dir_all(machine.bin()).unwrap();
        machine
    }

    fn bin(&self) -> PathBuf {
        self.scratch.0.join("bin")
    }

    fn sysroot(&self) -> PathBuf {
        self.scratch.0.join("sysroot")
    }

    fn program(self, name: &str, script: &str) -> Machine {
        let file = self.bin().join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn compiler(self, release: &str) -> Machine {
        let sysroot = self.sysroot();
        let script = format!(
            "case \"$1\" in\n-vV) echo 'rustc {release} (abc 2026-01-01)'; echo 'host: x86_64-unknown-linux-gnu'; echo 'release: {release}';;\n\
             --print) echo {};;\nesac",
            sysroot.display()
        );
        self.program("rustc", &script)
    }

    fn file(self, path: &str) -> Machine {
        let file = self.sysroot().join("lib/rustlib").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
        self
    }

    fn with_target(self) -> Machine {
        self.file("thumbv7em-none-eabihf/lib/libcore-0123.rlib")
    }

    fn with_sources(self) -> Machine {
        self.file("src/rust/library/core/src/lib.rs")
    }

    fn with_cargo(self) -> Machine {
        self.program("cargo", "exit 0")
    }

    fn with_linker(self) -> Machine {
        self.program("ld.lld", "echo LLD 14.0.6")
    }

    fn with_rustup(self) -> Machine {
        self.program("rustup", "exit 0")
    }

    fn environment(&self) -> Environment {
        let variables = [("HOME".to_owned(), self.scratch.0.display().to_string())].into();
        Environment { path: vec![self.bin()], system: Vec::new(), variables }
    }

    fn find(&self) -> Result<Toolchain, ToolchainError> {
        Toolchain::find(&self.environment(), Core::default(), None)
    }

    /// The first check that is not good: what, and the command that mends it.
    fn first_failure(&self) -> Option<(&'static str, String)> {
        let checks = doctor(&self.environment(), Core::default());
        let failed = checks.into_iter().find(|check| !check.ok)?;
        Some((failed.what, failed.fix.expect("a failed check says what mends it")))
    }
}

#[test]
fn an_installed_target_is_the_first_step() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().with_target().with_sources();
    let toolchain = machine.find().unwrap();
    assert_eq!(toolchain.core_library, CoreLibrary::Prebuilt);
    assert_eq!(toolchain.version, "rustc 1.95.0 (abc 2026-01-01)");
    assert_eq!(machine.first_failure(), None);
}

#[test]
fn sources_are_the_second_step() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().with_sources();
    assert_eq!(machine.find().unwrap().core_library, CoreLibrary::Rebuilt);
    assert_eq!(machine.first_failure(), None);
}

#[test]
fn a_wished_for_core_library_that_is_not_there_is_named() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().with_sources().with_rustup();
    let wanted = Some(CoreLibrary::Prebuilt);
    let error = Toolchain::find(&machine.environment(), Core::default(), wanted).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no Rust toolchain here has a prebuilt core library for thumbv7em-none-eabihf"
    );
    assert_eq!(error.remedy(&machine.environment()), "rustup target add thumbv7em-none-eabihf");
}

#[test]
fn without_a_compiler_the_doctor_says_how_to_install_one() {
    let machine = Machine::new();
    assert_eq!(machine.find(), Err(ToolchainError::NoCompiler));
    let (what, fix) = machine.first_failure().unwrap();
    assert_eq!(what, "Rust compiler");
    assert!(fix.contains("https://sh.rustup.rs"), "{fix}");
}

#[test]
fn an_old_compiler_is_named_with_its_version() {
    let machine = Machine::new().compiler("1.63.0").with_cargo().with_linker().with_target().with_rustup();
    let error = machine.find().unwrap_err();
    assert!(error.to_string().starts_with("rustc 1.63.0 (abc 2026-01-01) is too old"), "{error}");
    assert_eq!(machine.first_failure(), Some(("Rust compiler", "rustup update stable".to_owned())));
}

#[test]
fn without_cargo_the_doctor_says_so() {
    let machine = Machine::new().compiler("1.95.0").with_linker().with_target();
    assert_eq!(machine.find(), Err(ToolchainError::NoCargo));
    assert_eq!(machine.first_failure().unwrap().0, "Cargo");
}

#[test]
fn without_target_and_sources_rustup_is_offered_where_it_is() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().with_rustup();
    assert!(matches!(machine.find(), Err(ToolchainError::NoTarget { .. })));
    let fix = "rustup target add thumbv7em-none-eabihf".to_owned();
    assert_eq!(machine.first_failure(), Some(("Bare-metal target", fix)));
}

#[test]
fn without_target_sources_and_rustup_the_distribution_is_asked() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().program("apt-get", "exit 0");
    let (what, fix) = machine.first_failure().unwrap();
    assert_eq!(what, "Bare-metal target");
    assert!(fix.starts_with("sudo apt-get install ") && fix.contains("rust-web-src"), "{fix}");
}

#[test]
fn a_linker_that_does_not_run_is_no_linker() {
    let broken = Machine::new().compiler("1.95.0").with_cargo().with_target().program("rust-lld", "exit 127");
    assert_eq!(broken.find(), Err(ToolchainError::NoLinker));
    let broken = broken.program("apt-get", "exit 0");
    assert_eq!(broken.first_failure(), Some(("Linker", "sudo apt-get install lld".to_owned())));
    let mended = broken.with_linker();
    assert_eq!(mended.find().unwrap().linker, mended.bin().join("ld.lld"));
}

#[test]
fn a_cache_folder_that_cannot_be_written_is_reported() {
    let machine = Machine::new().compiler("1.95.0").with_cargo().with_linker().with_target();
    let mut environment = machine.environment();
    let blocked = machine.scratch.0.join("file");
    fs::write(&blocked, "").unwrap();
    environment.variables.insert("WIREBENCH_CACHE".into(), blocked.join("cache").display().to_string());
    let checks = doctor(&environment, Core::default());
    let failed: Vec<_> = checks.iter().filter(|check| !check.ok).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].what, "Cache folder");
}
