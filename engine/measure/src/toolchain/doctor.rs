//! The ladder as a list of checks, for the window and for `wirebench doctor`.

use crate::environment::Environment;
use crate::settings::{Core, CoreLibrary};

use super::{LINKERS, OLDEST, Toolchain, ToolchainError, choose, compilers};

/// One step of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What is looked for.
    pub what: &'static str,
    /// Whether it is there.
    pub ok: bool,
    /// What was found, or what is missing, in one sentence.
    pub detail: String,
    /// The one command that mends it; `None` where nothing needs to be mended.
    pub fix: Option<String>,
}

/// Checks everything a measurement needs. All `ok` means that it can build; the first that is not is
/// the one to mend first.
pub fn doctor(environment: &Environment, core: Core) -> Vec<Check> {
    let compilers = compilers(environment);
    let result = choose(environment, &compilers, core, None);
    let mut checks = vec![compiler_check(environment, &result, &compilers)];
    checks.push(cargo_check(environment, &result));
    checks.push(target_check(environment, core, &result, &compilers));
    checks.push(linker_check(environment, &result));
    checks.push(cache_check(environment));
    checks
}

fn failed(what: &'static str, error: &ToolchainError, environment: &Environment) -> Check {
    Check { what, ok: false, detail: format!("{error}."), fix: Some(error.remedy(environment)) }
}

fn passed(what: &'static str, detail: String) -> Check {
    Check { what, ok: true, detail, fix: None }
}

type Found<'a> = &'a Result<Toolchain, ToolchainError>;

fn compiler_check(environment: &Environment, result: Found, compilers: &[super::Compiler]) -> Check {
    const WHAT: &str = "Rust compiler";
    match result {
        Ok(toolchain) => passed(WHAT, format!("{} at {}", toolchain.version, toolchain.rustc.display())),
        Err(error @ (ToolchainError::NoCompiler | ToolchainError::TooOld { .. })) => {
            failed(WHAT, error, environment)
        }
        Err(_) => {
            let newest = compilers.iter().filter(|c| c.number >= OLDEST).map(|c| c.version.clone());
            passed(WHAT, newest.collect::<Vec<_>>().join(", "))
        }
    }
}

fn cargo_check(environment: &Environment, result: Found) -> Check {
    const WHAT: &str = "Cargo";
    let error = ToolchainError::NoCargo;
    match result {
        Ok(toolchain) => passed(WHAT, toolchain.cargo.display().to_string()),
        Err(_) => match environment.programs("cargo").first() {
            Some(cargo) => passed(WHAT, cargo.display().to_string()),
            None => failed(WHAT, &error, environment),
        },
    }
}

fn target_check(
    environment: &Environment,
    core: Core,
    result: Found,
    compilers: &[super::Compiler],
) -> Check {
    const WHAT: &str = "Bare-metal target";
    let target = core.target();
    let usable = || compilers.iter().filter(|c| c.number >= OLDEST);
    let offer = match result {
        Ok(toolchain) => Some(toolchain.core_library),
        Err(_) => usable().find_map(|c| c.offers(target, None)),
    };
    match offer {
        Some(CoreLibrary::Prebuilt) => passed(WHAT, format!("{target} is installed.")),
        Some(CoreLibrary::Rebuilt) => passed(
            WHAT,
            format!(
                "{target} is not installed, but the library's sources are: core is rebuilt, half a minute once."
            ),
        ),
        None => {
            let looked_at = usable().map(|c| c.version.clone()).collect();
            let error = ToolchainError::NoTarget { target, looked_at };
            let mut check = failed(WHAT, &error, environment);
            check.detail = format!("{error}: neither the target nor the library's sources are installed.");
            check
        }
    }
}

fn linker_check(environment: &Environment, result: Found) -> Check {
    const WHAT: &str = "Linker";
    if let Ok(toolchain) = result {
        return passed(WHAT, toolchain.linker.display().to_string());
    }
    let on_path = LINKERS.iter().flat_map(|name| environment.programs(name));
    match on_path.into_iter().find(|linker| super::linker_version(linker).is_some()) {
        Some(linker) => passed(WHAT, linker.display().to_string()),
        None if matches!(result, Err(ToolchainError::NoLinker)) => {
            failed(WHAT, &ToolchainError::NoLinker, environment)
        }
        // Rustup's toolchains bring their own; which one is used shows once a compiler is chosen.
        None if !environment.programs("rustup").is_empty() => {
            passed(WHAT, "comes with rustup's toolchain".to_owned())
        }
        None => failed(WHAT, &ToolchainError::NoLinker, environment),
    }
}

fn cache_check(environment: &Environment) -> Check {
    const WHAT: &str = "Cache folder";
    let Some(root) = environment.cache_root() else {
        return Check {
            what: WHAT,
            ok: false,
            detail: "There is no home folder to keep builds and results in.".to_owned(),
            fix: Some("export WIREBENCH_CACHE=/tmp/wirebench".to_owned()),
        };
    };
    let probe = root.join(format!(".probe-{}", std::process::id()));
    let written = std::fs::create_dir_all(&root).and_then(|()| std::fs::write(&probe, b"wirebench"));
    let _ = std::fs::remove_file(&probe);
    match written {
        Ok(()) => passed(WHAT, root.display().to_string()),
        Err(why) => Check {
            what: WHAT,
            ok: false,
            detail: format!("{} cannot be written: {why}.", root.display()),
            fix: Some("export WIREBENCH_CACHE=<a folder you can write>".to_owned()),
        },
    }
}
