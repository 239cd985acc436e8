//! Firmware as text in, ELF files out, by cargo in a process group of its own.
//!
//! All firmwares of one call are binaries of one project, so cargo links them side by side. A
//! combination of settings keeps its build folder: the core library is built once for it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde_json::Value;

use crate::cache::{Cache, FolderLock, write_whole};
use crate::firmware::{Firmware, needs_unstable, write_project};
use crate::key::Key;
use crate::process::{Ended, Line, run};
use crate::progress::{Control, Progress};
use crate::settings::{CoreLibrary, Settings};
use crate::toolchain::Toolchain;

/// A firmware that was built, or found in the cache.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its name.
    pub name: String,
    /// Key of its contents; the build id in its mailbox is [`Key::number`].
    pub key: Key,
    /// Where the ELF file is.
    pub path: PathBuf,
    /// The ELF file.
    pub elf: Vec<u8>,
}

/// Why there is no ELF file.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or folder of the cache could not be used.
    #[error("{} cannot be used: {source}", path.display())]
    Cache {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        #[source]
        source: io::Error,
    },
    /// Cargo could not be started.
    #[error("{} cannot be started: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The system's words.
        #[source]
        source: io::Error,
    },
    /// The compiler or linker refused.
    #[error("the measurement firmware does not build: {message}\n{advice}")]
    Failed {
        /// What the compiler said first.
        message: String,
        /// What to do about it.
        advice: String,
        /// Everything the compiler and cargo said.
        log: String,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// Builds firmwares with one toolchain and settings.
#[derive(Clone, Debug)]
pub struct Builder {
    /// What builds.
    pub toolchain: Toolchain,
    /// How.
    pub settings: Settings,
    /// Where results are kept.
    pub cache: Cache,
}

impl Builder {
    /// The ELF files of these firmwares, in their order. What is in the cache is not built again.
    ///
    /// # Errors
    /// The first firmware that does not build ends the call; after any error no partial file is left.
    pub fn build(&self, firmwares: &[Firmware], control: Control) -> Result<Vec<Built>, BuildError> {
        let keys: Vec<Key> = firmwares.iter().map(|f| f.key(&self.settings, &self.toolchain)).collect();
        let missing: Vec<(Firmware, Key)> = firmwares
            .iter()
            .zip(&keys)
            .filter(|(_, key)| read_elf(&self.cache.elf(key)).is_none())
            .map(|(firmware, key)| (firmware.clone(), key.clone()))
            .collect();
        if !missing.is_empty() {
            self.build_missing(&missing, control)?;
        }
        let built = firmwares.iter().zip(keys).map(|(firmware, key)| {
            let path = self.cache.elf(&key);
            let elf = fs::read(&path).map_err(|source| BuildError::Cache { path: path.clone(), source })?;
            Ok(Built { name: firmware.name.clone(), key, path, elf })
        });
        built.collect()
    }

    fn build_missing(&self, missing: &[(Firmware, Key)], control: Control) -> Result<(), BuildError> {
        let folder = self.cache.build(&self.folder_key());
        let cache_error = |path: &Path| {
            let path = path.to_owned();
            move |source| BuildError::Cache { path, source }
        };
        let lock = FolderLock::take(&folder, control).map_err(cache_error(&folder))?;
        let Some(_lock) = lock else { return Err(BuildError::Cancelled) };
        let project = folder.join("project");
        let target = folder.join("target");
        let numbered: Vec<_> = missing.iter().map(|(f, key)| (f.clone(), key.number())).collect();
        write_project(&project, &numbered, &self.settings, &self.toolchain).map_err(cache_error(&project))?;

        let started = SystemTime::now();
        let executables = match self.cargo(&project, &target, missing.len(), control) {
            Ok(executables) => executables,
            Err(error) => {
                remove_newer(&target, started);
                return Err(error);
            }
        };
        for (firmware, key) in missing {
            let Some(executable) = executables.get(&firmware.name) else {
                return Err(BuildError::Failed {
                    message: format!("cargo built no {}", firmware.name),
                    advice: REPORT.to_owned(),
                    log: String::new(),
                });
            };
            let elf = fs::read(executable).map_err(cache_error(executable))?;
            let place = self.cache.elf(key);
            write_whole(&place, &elf).map_err(cache_error(&place))?;
        }
        Ok(())
    }

    /// One folder per combination that needs a core library of its own. What else differs is told apart by
    /// the build id in each firmware's text, which is a hash of all settings.
    fn folder_key(&self) -> Key {
        let mut hash = Key::start("build folder");
        hash.add(&self.toolchain.identity).add(self.toolchain.core_library.word());
        hash.add(self.settings.core.target()).add(self.settings.opt_level.word());
        hash.add(if self.settings.merge_functions { "merged" } else { "unmerged" });
        hash.finish()
    }

    fn cargo(
        &self,
        project: &Path,
        target: &Path,
        firmwares: usize,
        control: Control,
    ) -> Result<BTreeMap<String, PathBuf>, BuildError> {
        let rebuilds_core = self.toolchain.core_library == CoreLibrary::Rebuilt && !target.exists();
        control.report(Progress::BuildStarted { firmwares, rebuilds_core });
        let mut command = self.command(project, target);
        let mut output = CargoOutput { firmwares, ..CargoOutput::default() };
        let ended = run(&mut command, control.cancel, |line| output.take(line, control));
        let ended =
            ended.map_err(|source| BuildError::Start { program: self.toolchain.cargo.clone(), source })?;
        match ended {
            Ended::Cancelled => Err(BuildError::Cancelled),
            Ended::Exited(status) if status.success() => Ok(output.executables),
            Ended::Exited(_) => Err(output.failure()),
        }
    }

    fn command(&self, project: &Path, target: &Path) -> Command {
        let mut command = Command::new(&self.toolchain.cargo);
        command.args(["build", "--release", "--bins", "--message-format=json", "--color=never"]);
        command.arg("--target-dir").arg(target).current_dir(project);
        // What the user set for his own builds, or cargo for the program that runs us, does not reach this one.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if (text.starts_with("CARGO") || text.starts_with("RUSTC") || text == "RUSTFLAGS")
                && !is_kept(&text)
            {
                command.env_remove(&name);
            }
        }
        if needs_unstable(&self.settings, &self.toolchain) {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }
}

/// How cargo reaches registries stays as the user set it: a rebuilt core needs them once.
fn is_kept(variable: &str) -> bool {
    let kept = ["CARGO_HOME", "CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTR", "CARGO_SOURCE_"];
    kept.iter().any(|start| variable.starts_with(start))
}

const REPORT: &str = "This is a fault of Wirebench: please report it with the log.";

/// What cargo said so far.
#[derive(Default)]
struct CargoOutput {
    firmwares: usize,
    executables: BTreeMap<String, PathBuf>,
    errors: Vec<String>,
    log: String,
}

impl CargoOutput {
    fn take(&mut self, line: Line, control: Control) {
        match line {
            Line::Out(line) => match serde_json::from_str::<Value>(&line) {
                Ok(message) => self.message(&message, control),
                Err(_) => self.say(&line),
            },
            Line::Err(line) => {
                if let Some(rest) = line.trim_start().strip_prefix("Compiling ") {
                    let package = rest.split(' ').next().unwrap_or(rest).to_owned();
                    control.report(Progress::Compiling { package });
                }
                self.say(&line);
            }
        }
    }

    fn say(&mut self, line: &str) {
        self.log.push_str(line);
        self.log.push('\n');
    }

    fn message(&mut self, message: &Value, control: Control) {
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                let (Some(name), Some(path)) =
                    (message["target"]["name"].as_str(), message["executable"].as_str())
                else {
                    return;
                };
                self.executables.insert(name.to_owned(), path.into());
                let (done, of) = (self.executables.len(), self.firmwares);
                control.report(Progress::Linked { name: name.to_owned(), done, of });
            }
            Some("compiler-message") => {
                let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
                self.say(rendered.trim_end());
                if message["message"]["level"] == "error" {
                    self.errors.push(message["message"]["message"].as_str().unwrap_or_default().to_owned());
                }
            }
            _ => {}
        }
    }

    fn failure(self) -> BuildError {
        let said = self.log.lines().find(|line| line.starts_with("error"));
        let message = self.errors.first().cloned().or_else(|| said.map(str::to_owned));
        let message = message.unwrap_or_else(|| "cargo ended with an error".to_owned());
        let advice = advice(&message, &self.log).to_owned();
        BuildError::Failed { message, advice, log: self.log }
    }
}

/// What to do about a failed build.
fn advice(message: &str, log: &str) -> &'static str {
    let says = |text: &str| message.contains(text) || log.contains(text);
    if says("can't find crate for `core`") || says("E0463") {
        "Install the target: rustup target add thumbv7em-none-eabihf (see `wirebench doctor`)."
    } else if says("will not fit in region")
        || says("leaves less than 1 KiB")
        || says("section '") && says("overlap")
    {
        "The firmware is larger than the chip's flash or RAM: lower the limits, or choose a larger memory."
    } else if says("failed to download")
        || says("Could not resolve host")
        || says("failed to fetch")
        || says("network")
    {
        "Rebuilding the core library needs the network once. Connect, or install the prebuilt target: \
         rustup target add thumbv7em-none-eabihf."
    } else if says("No space left on device") {
        "The disk is full: free some space, or point WIREBENCH_CACHE to another one."
    } else if says("linker `") || says("linking with `") {
        "The linker failed: `wirebench doctor` says which one is used and how to install another."
    } else {
        REPORT
    }
}

fn read_elf(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok().filter(|bytes| bytes.starts_with(b"\x7fELF"))
}

/// Removes what a build that was ended had begun to write. Cargo builds whatever is missing again.
fn remove_newer(folder: &Path, started: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_newer(&path, started);
            // Fails where something older is left, as it should.
            let _ = fs::remove_dir(&path);
        } else if entry.metadata().and_then(|m| m.modified()).is_ok_and(|at| at >= started) {
            let _ = fs::remove_file(&path);
        }
    }
}
