//! Which compiler builds the firmware. The ladder, first step that holds:
//!
//! 1. a toolchain with the bare-metal target installed (prebuilt core library);
//! 2. a toolchain with the library's sources (core library rebuilt, `-Z build-std=core`);
//! 3. none: measuring is off, in one clear sentence with the one command that mends it.
//!
//! The linker is always named, because a distribution's compiler comes without one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::Environment;
use crate::process::output;
use crate::settings::{Core, CoreLibrary};

mod doctor;

pub use doctor::{Check, doctor};

/// The oldest compiler that builds the firmware: naked functions are stable since.
const OLDEST: (u32, u32) = (1, 88);
/// The linkers that do, in order of preference.
const LINKERS: [&str; 3] = ["rust-lld", "ld.lld", "lld"];

/// What builds firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The compiler.
    pub rustc: PathBuf,
    /// Cargo.
    pub cargo: PathBuf,
    /// The linker.
    pub linker: PathBuf,
    /// Where its core library comes from.
    pub core_library: CoreLibrary,
    /// `rustc 1.96.0 (ac68faa20 2026-05-25)`.
    pub version: String,
    /// Everything that can change its output: the verbose version and the linker's.
    pub identity: String,
}

/// Why there is no toolchain for the firmware.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolchainError {
    /// No compiler at all.
    #[error("no Rust compiler was found")]
    NoCompiler,
    /// Compilers, but each too old.
    #[error("{found} is too old; the measurement firmware needs Rust {}.{} or newer", OLDEST.0, OLDEST.1)]
    TooOld {
        /// The newest found.
        found: String,
    },
    /// A compiler, but no cargo beside it or on the search path.
    #[error("there is a Rust compiler, but no cargo")]
    NoCargo,
    /// No compiler has the target or the sources.
    #[error("no Rust toolchain here can build for {target}")]
    NoTarget {
        /// The target.
        target: &'static str,
        /// The installed toolchains that were looked at.
        looked_at: Vec<String>,
    },
    /// The wish for a prebuilt or rebuilt core library cannot be met.
    #[error("no Rust toolchain here has a {} core library for {target}", wanted.word())]
    NotThatCore {
        /// What was asked for.
        wanted: CoreLibrary,
        /// The target.
        target: &'static str,
    },
    /// No linker.
    #[error("no linker for bare-metal targets was found (rust-lld, ld.lld or lld)")]
    NoLinker,
}

impl ToolchainError {
    /// The one command that mends it on this machine.
    pub fn remedy(&self, environment: &Environment) -> String {
        let has_rustup = !environment.programs("rustup").is_empty();
        let has_apt = !environment.programs("apt-get").is_empty();
        match self {
            ToolchainError::NoCompiler | ToolchainError::NoCargo if !has_rustup => INSTALL_RUSTUP.to_owned(),
            ToolchainError::NoCompiler | ToolchainError::NoCargo => {
                "rustup toolchain install stable".to_owned()
            }
            ToolchainError::TooOld { .. } if has_rustup => "rustup update stable".to_owned(),
            ToolchainError::TooOld { .. } => INSTALL_RUSTUP.to_owned(),
            ToolchainError::NoTarget { target, .. } if has_rustup => format!("rustup target add {target}"),
            ToolchainError::NotThatCore { wanted: CoreLibrary::Prebuilt, target } if has_rustup => {
                format!("rustup target add {target}")
            }
            ToolchainError::NotThatCore { wanted: CoreLibrary::Rebuilt, .. } if has_rustup => {
                "rustup component add rust-src".to_owned()
            }
            ToolchainError::NoTarget { .. } | ToolchainError::NotThatCore { .. } if has_apt => {
                "sudo apt-get install rustc-web cargo-web rust-web-src lld".to_owned()
            }
            ToolchainError::NoTarget { .. } | ToolchainError::NotThatCore { .. } => INSTALL_RUSTUP.to_owned(),
            ToolchainError::NoLinker if has_apt => "sudo apt-get install lld".to_owned(),
            ToolchainError::NoLinker if has_rustup => "rustup component add llvm-tools".to_owned(),
            ToolchainError::NoLinker => INSTALL_RUSTUP.to_owned(),
        }
    }
}

const INSTALL_RUSTUP: &str = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh";

/// A compiler that was found, and what it has.
#[derive(Clone, Debug)]
struct Compiler {
    rustc: PathBuf,
    /// `rustc 1.96.0 (..)`.
    version: String,
    verbose: String,
    number: (u32, u32),
    sysroot: PathBuf,
    host: String,
}

impl Compiler {
    fn ask(rustc: PathBuf) -> Option<Compiler> {
        let verbose = output(Command::new(&rustc).arg("-vV")).ok()?;
        let sysroot = output(Command::new(&rustc).args(["--print", "sysroot"])).ok()?;
        let field = |name: &str| verbose.lines().find_map(|l| l.strip_prefix(name)).map(str::to_owned);
        let number = field("release: ")?;
        let mut parts = number.split(['.', '-']).map(|part| part.parse().ok());
        let number = (parts.next()??, parts.next()??);
        let version = verbose.lines().next()?.to_owned();
        let host = field("host: ")?;
        let sysroot = PathBuf::from(sysroot.trim());
        // Past rustup's proxy, which may choose another toolchain in another folder.
        let own = sysroot.join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX));
        let rustc = if own.is_file() { own } else { rustc };
        Some(Compiler { rustc, version, number, sysroot, host, verbose })
    }

    fn has_prebuilt(&self, target: &str) -> bool {
        let folder = self.sysroot.join("lib/rustlib").join(target).join("lib");
        let Ok(files) = folder.read_dir() else { return false };
        files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
    }

    fn has_sources(&self) -> bool {
        self.sysroot.join("lib/rustlib/src/rust/library/core/src/lib.rs").is_file()
    }

    fn offers(&self, target: &str, wanted: Option<CoreLibrary>) -> Option<CoreLibrary> {
        let prebuilt = wanted != Some(CoreLibrary::Rebuilt) && self.has_prebuilt(target);
        let rebuilt = wanted != Some(CoreLibrary::Prebuilt) && self.has_sources();
        match (prebuilt, rebuilt) {
            (true, _) => Some(CoreLibrary::Prebuilt),
            (false, true) => Some(CoreLibrary::Rebuilt),
            (false, false) => None,
        }
    }

    /// The cargo that fits: beside the compiler, else the first on the search path.
    fn cargo(&self, environment: &Environment) -> Option<PathBuf> {
        let beside = self.rustc.with_file_name(format!("cargo{}", std::env::consts::EXE_SUFFIX));
        if beside.is_file() {
            return Some(beside);
        }
        environment.programs("cargo").into_iter().next()
    }

    fn linker(&self, environment: &Environment) -> Option<(PathBuf, String)> {
        let own = self.sysroot.join("lib/rustlib").join(&self.host).join("bin");
        let own = own.join(format!("rust-lld{}", std::env::consts::EXE_SUFFIX));
        let found = LINKERS.iter().flat_map(|name| environment.programs(name));
        std::iter::once(own).chain(found).find_map(|linker| Some((linker.clone(), linker_version(&linker)?)))
    }
}

/// What the linker says it is; `None` where it does not run, as a link to a package that is not installed.
fn linker_version(linker: &Path) -> Option<String> {
    // `rust-lld` and `lld` are several linkers in one and need to be told which.
    output(Command::new(linker).args(["-flavor", "gnu", "--version"])).ok().map(|text| text.trim().to_owned())
}

/// All compilers: on the search path, of rustup, of the system; the same sysroot once.
fn compilers(environment: &Environment) -> Vec<Compiler> {
    let mut programs = environment.programs("rustc");
    let rustup = environment.variable("RUSTUP_HOME").map(PathBuf::from);
    let rustup = rustup.or_else(|| environment.home().map(|home| home.join(".rustup")));
    if let Some(toolchains) = rustup.and_then(|home| home.join("toolchains").read_dir().ok()) {
        let mut found: Vec<PathBuf> = toolchains
            .flatten()
            .map(|folder| folder.path().join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX)))
            .filter(|rustc| rustc.is_file())
            .collect();
        found.sort();
        // The stable one before dated and nightly ones.
        found.sort_by_key(|rustc| !rustc.to_string_lossy().contains("stable"));
        programs.extend(found);
    }
    let mut compilers: Vec<Compiler> = Vec::new();
    for compiler in programs.into_iter().filter_map(Compiler::ask) {
        if compilers.iter().all(|known| known.sysroot != compiler.sysroot) {
            compilers.push(compiler);
        }
    }
    compilers
}

impl Toolchain {
    /// The first toolchain of the ladder that builds for `core`, with the core library asked for if any.
    ///
    /// Takes a few tenths of a second: it asks every compiler for its version.
    ///
    /// # Errors
    /// The first step of the ladder that is missing; [`ToolchainError::remedy`] names the command that mends it.
    pub fn find(
        environment: &Environment,
        core: Core,
        wanted: Option<CoreLibrary>,
    ) -> Result<Toolchain, ToolchainError> {
        choose(environment, &compilers(environment), core, wanted)
    }
}

fn choose(
    environment: &Environment,
    compilers: &[Compiler],
    core: Core,
    wanted: Option<CoreLibrary>,
) -> Result<Toolchain, ToolchainError> {
    let target = core.target();
    let newest = compilers.iter().max_by_key(|c| c.number).ok_or(ToolchainError::NoCompiler)?;
    if newest.number < OLDEST {
        return Err(ToolchainError::TooOld { found: newest.version.clone() });
    }
    let usable: Vec<&Compiler> = compilers.iter().filter(|c| c.number >= OLDEST).collect();
    let with = |kind| usable.iter().find(|c| c.offers(target, Some(kind)).is_some()).map(|c| (*c, kind));
    let found = match wanted {
        Some(kind) => with(kind),
        None => with(CoreLibrary::Prebuilt).or_else(|| with(CoreLibrary::Rebuilt)),
    };
    let Some((compiler, core_library)) = found else {
        let looked_at = usable.iter().map(|c| c.version.clone()).collect();
        return Err(match wanted {
            Some(wanted) if usable.iter().any(|c| c.offers(target, None).is_some()) => {
                ToolchainError::NotThatCore { wanted, target }
            }
            _ => ToolchainError::NoTarget { target, looked_at },
        });
    };
    let cargo = compiler.cargo(environment).ok_or(ToolchainError::NoCargo)?;
    let (linker, linker_version) = compiler.linker(environment).ok_or(ToolchainError::NoLinker)?;
    Ok(Toolchain {
        rustc: compiler.rustc.clone(),
        cargo,
        linker,
        core_library,
        version: compiler.version.clone(),
        identity: format!("{}{linker_version}", compiler.verbose),
    })
}
