//! Generated code compiles without a warning: all schemas of the repository, in every shape, edition and place,
//! with the runtime as a package or vendored.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wirebench_build::{Config, Error, Generated, Optimize};

const EDITIONS: [&str; 2] = ["2021", "2024"];

/// A folder of one test, emptied.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("compiles-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All `.proto` files of a folder, sorted.
fn schemas(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "proto")).collect();
    found.sort();
    found
}

/// Code of all files of `schemas/`, as one firmware.
fn of_repository(optimize: Optimize, out: &Path, vendor: bool) -> Generated {
    let folder = repository().join("schemas");
    let files = schemas(&folder);
    assert!(files.len() >= 8, "{files:?}");
    let config = files.iter().fold(Config::new(), |config, file| config.schema(file));
    let config = config.settings(folder.join("wirebench.toml")).optimize(optimize).vendor_runtime(vendor);
    let generated = config.out_dir(out).out_file("messages.rs").deny_refused(true).generate().unwrap();
    assert!(generated.messages.len() > 40, "{:?}", generated.messages);
    generated
}

/// A compiler for crates that depend on the runtime, and nothing but the runtime.
struct Compiler {
    folder: PathBuf,
}

impl Compiler {
    /// With the runtime compiled into `folder`.
    fn with_runtime(folder: &Path) -> Compiler {
        let compiler = Compiler { folder: folder.to_owned() };
        let runtime = repository().join("engine/runtime/src/lib.rs");
        let arguments =
            ["--crate-name=wirebench_runtime", "--crate-type=rlib", "--edition=2024", "--emit=metadata"];
        compiler.rustc(&arguments, &runtime).unwrap();
        compiler
    }

    /// Checks a library or program whose root is `root`, with every warning an error.
    fn check(&self, kind: &str, edition: &str, root: &str) -> Result<(), String> {
        let path = self.folder.join("root.rs");
        fs::write(&path, root).unwrap();
        let (kind, edition) = (format!("--crate-type={kind}"), format!("--edition={edition}"));
        let library =
            format!("wirebench_runtime={}", self.folder.join("libwirebench_runtime.rmeta").display());
        let mut arguments = vec![&*kind, &*edition, "--crate-name=user", "--emit=metadata", "-Dwarnings"];
        if self.folder.join("libwirebench_runtime.rmeta").exists() {
            arguments.extend(["--extern", &library]);
        }
        self.rustc(&arguments, &path).map_err(|said| format!("edition {edition}, {kind}:\n{root}\n{said}"))
    }

    fn rustc(&self, arguments: &[&str], root: &Path) -> Result<(), String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command.args(arguments).arg("--out-dir").arg(&self.folder).arg("--cap-lints=forbid").arg(root);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() && said.trim().is_empty() { Ok(()) } else { Err(said) }
    }
}

/// The ways into a crate: `include!` in a module or at the root, and as a module's file.
fn roots() -> [String; 3] {
    [
        "mod messages { include!(\"messages.rs\"); }".to_owned(),
        "include!(\"messages.rs\");".to_owned(),
        "mod messages;".to_owned(),
    ]
}

#[test]
fn all_schemas_compile_without_a_warning_in_every_shape_edition_and_place() {
    let folder = scratch("schemas");
    let compiler = Compiler::with_runtime(&folder);
    for optimize in Optimize::ALL {
        of_repository(optimize, &folder, false);
        for edition in EDITIONS {
            for root in roots() {
                compiler.check("lib", edition, &format!("#![no_std]\n{root}\n")).unwrap();
            }
            // Of a program rustc asks that everything is used.
            let program = "mod messages { include!(\"messages.rs\"); }\nfn main() {}\n";
            compiler.check("bin", edition, program).unwrap();
        }
    }
}

#[test]
fn a_vendored_runtime_compiles_without_a_warning_and_without_the_package() {
    let folder = scratch("vendored");
    let compiler = Compiler { folder: folder.clone() };
    for optimize in Optimize::ALL {
        let generated = of_repository(optimize, &folder, true);
        assert_eq!(generated.runtime, Some(folder.join("wirebench_runtime.rs")));
        for edition in EDITIONS {
            for runtime in
                ["mod wirebench_runtime { include!(\"wirebench_runtime.rs\"); }", "mod wirebench_runtime;"]
            {
                let root = format!(
                    "#![no_std]\n{runtime}\npub mod app {{ pub mod messages {{ include!(\"messages.rs\"); }} }}\n"
                );
                compiler.check("lib", edition, &root).unwrap();
            }
        }
    }
    let program = "mod wirebench_runtime;\nmod messages;\nfn main() {\n    use wirebench_runtime::Message;\n    let sent = messages::comparison::Telemetry { device_id: 7, ..messages::comparison::Telemetry::new() };\n    let mut buffer = [0; messages::comparison::Telemetry::MAX_ENCODED_LEN];\n    assert_eq!(sent.encode(&mut buffer), [0x08, 7]);\n}\n";
    compiler.check("bin", "2024", program).unwrap();
    // And runs.
    compiler
        .rustc(&["--crate-type=bin", "--edition=2024", "--crate-name=program"], &folder.join("root.rs"))
        .unwrap();
    assert!(
        Command::new(folder.join(format!("program{}", std::env::consts::EXE_SUFFIX)))
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_warning_or_a_runtime_of_another_version_fails_the_check() {
    let folder = scratch("fails");
    let compiler = Compiler::with_runtime(&folder);
    let path = of_repository(Optimize::Auto, &folder, false).path;
    let text = fs::read_to_string(&path).unwrap();
    let check = |text: &str| {
        fs::write(&path, text).unwrap();
        compiler.check("lib", "2024", "#![no_std]\nmod messages;\n")
    };
    check(&text).unwrap();
    let said = check(&format!("{text}\nfn unused() {{}}\n")).unwrap_err();
    assert!(said.contains("never used"), "{said}");
    let handshake = "::wirebench_runtime::check_version(";
    assert!(text.contains(handshake));
    let said = check(&text.replace(handshake, "::wirebench_runtime::check_version(1_000 + ")).unwrap_err();
    assert!(said.contains("do not belong together"), "{said}");
}

#[test]
fn every_case_that_can_be_generated_compiles_without_a_warning() {
    let folder = scratch("cases");
    let compiler = Compiler::with_runtime(&folder);
    let mut cases: Vec<PathBuf> = fs::read_dir(repository().join("engine/tests/cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("schema.proto"))
        .filter(|schema| schema.is_file())
        .collect();
    cases.sort();
    // One case nests hundreds of messages, which is deeper than the compiler goes unless it is told to.
    let mut root = String::from("#![no_std]\n#![recursion_limit = \"1024\"]\n");
    let mut generated = 0;
    for (at, schema) in cases.iter().enumerate() {
        let name = format!("case_{at}");
        match Config::new().schema(schema).out_dir(&folder).out_file(format!("{name}.rs")).generate() {
            Ok(_) => {
                generated += 1;
                root.push_str(&format!("mod {name} {{ include!(\"{name}.rs\"); }}\n"));
            }
            // Cases of errors.
            Err(Error::Schema { .. }) => {}
            Err(error) => panic!("{}: {error}", schema.display()),
        }
    }
    assert!(generated > 40, "only {generated} of {} cases", cases.len());
    for edition in EDITIONS {
        compiler.check("lib", edition, &root).unwrap();
    }
}
