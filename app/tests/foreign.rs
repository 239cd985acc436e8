//! The whole path on schemas this project did not write, as their authors published them: those of the crates
//! in `corpora`, which `./test` fetches. And on a file of which a part cannot be generated yet.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use support::{Ran, Scratch, run};
use wirebench_engine::files::Input;
use wirebench_engine::pipeline::{self, Request};
use wirebench_measure::environment::Environment;

/// This machine, with builds and results under the target folder: the core library is built once for all tests.
fn environment() -> Environment {
    let mut environment = Environment::of_this_process();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-cache");
    environment.variables.insert("WIREBENCH_CACHE".to_owned(), cache.to_string_lossy().into_owned());
    environment
}

fn cli(arguments: &[&str], input: &[u8]) -> Ran {
    run(arguments, input, &environment())
}

/// Where the sources of a fetched crate lie.
fn sources(krate: &str) -> PathBuf {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(&corpora)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "the schemas are not here; run: cargo fetch --locked --manifest-path {}\n{}",
        corpora.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Json = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("it lists packages");
    let package = packages.iter().find(|package| package["name"] == krate).expect("the lock file names it");
    Path::new(package["manifest_path"].as_str().expect("a path")).with_file_name("")
}

/// A copy of a crate's .proto files, out of reach of settings that lie above the registry.
fn copied(krate: &str, folder: &str) -> (Scratch, Vec<String>) {
    let scratch = Scratch::new(krate);
    let mut schemas = Vec::new();
    for entry in std::fs::read_dir(sources(krate).join(folder)).expect("the crate has its schemas").flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".proto") {
            let bytes = std::fs::read(entry.path()).expect("it can be read");
            schemas.push(scratch.write(&name, bytes));
        }
    }
    schemas.sort();
    (scratch, schemas)
}

fn rustc(arguments: &[&str]) {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-A", "warnings"])
        .args(arguments)
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Generates the code of a schema in every shape and checks that the compiler accepts it.
fn generated_code_compiles(scratch: &Scratch, schema: &str, code: u8) {
    let library = scratch.path("libwirebench_runtime.rmeta");
    if !Path::new(&library).exists() {
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/runtime/src/lib.rs");
        rustc(&["--crate-name", "wirebench_runtime", "-o", &library, &runtime.to_string_lossy()]);
    }
    for optimize in ["size", "balanced", "speed"] {
        let out = scratch.path(&format!("generated-{optimize}"));
        let ran = cli(&["generate", schema, "--out", &out, "--optimize", optimize], b"");
        assert_eq!(ran.code, code, "{ran:#?}");
        let stem = Path::new(schema).file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text =
            std::fs::read_to_string(Path::new(&out).join(format!("{stem}.rs"))).expect("it was written");
        let source = scratch.write(&format!("{stem}_{optimize}.rs"), format!("#![no_std]\n{}", text));
        let external = format!("wirebench_runtime={library}");
        rustc(&["--extern", &external, "-o", &scratch.path("generated.rmeta"), &source]);
    }
}

/// The typical sample of every message of a schema goes through `encode` and `decode` and comes back.
fn samples_come_back(schema: &str) -> usize {
    let input = Input { roots: vec![schema.to_owned()], ..Input::default() };
    let output = pipeline::run(&Request { input, ..Request::default() }, &wirebench::disk::DiskFiles);
    let model = output.model.expect("the schema is good");
    let mut tried = 0;
    for (id, sample) in &output.samples {
        let message = model.message(*id);
        if !model.files[message.file].is_root {
            continue;
        }
        let arguments = ["--schema", schema, "--type", &*message.full_name, "-"];
        let encoded = cli(&[&["encode"], &arguments[..]].concat(), sample.json.as_bytes());
        assert_eq!(encoded.code, 0, "{}: {encoded:#?}", message.full_name);
        let decoded = cli(&[&["decode"], &arguments[..]].concat(), encoded.out.as_bytes());
        assert_eq!((decoded.code, decoded.out.trim()), (0, sample.json.trim()), "{}", message.full_name);
        let again = cli(&[&["encode"], &arguments[..]].concat(), decoded.out.as_bytes());
        assert_eq!(again.out, encoded.out, "{}", message.full_name);
        tried += 1;
    }
    tried
}

/// Measures one message on the simulator, checks included.
fn measured(schema: &str, message: &str, code: u8) {
    let ran = cli(&["measure", schema, "--type", message, "--json"], b"");
    assert_eq!(ran.code, code, "{ran:#?}");
    let json: Json = serde_json::from_str(&ran.out).expect("it prints JSON");
    let row = &json["messages"][0];
    assert_eq!((&row["message"], &row["checked"]), (&Json::from(message), &Json::from(true)), "{json:#}");
    for figure in ["codec_flash", "wire", "message"] {
        assert!(row["figures"][figure].as_u64() > Some(0), "{figure}: {json:#}");
    }
}

#[test]
fn the_schemas_of_zmk_studio_go_the_whole_path() {
    let (scratch, schemas) = copied("zmk-studio-api", "proto/zmk");
    assert_eq!(schemas.len(), 5, "{schemas:?}");
    let mut tried = 0;
    for schema in &schemas {
        let ran = cli(&["check", schema], b"");
        assert!(ran.code == 0 && ran.out.contains(" 0 refused"), "{ran:#?}");
        tried += samples_come_back(schema);
    }
    assert!(tried > 40, "only {tried} messages");
    let studio = scratch.path("studio.proto");
    generated_code_compiles(&scratch, &studio, 0);
    measured(&scratch.path("core.proto"), "zmk.core.GetDeviceInfoResponse", 0);
}

#[test]
fn the_schema_of_vector_tiles_goes_the_whole_path() {
    let (scratch, schemas) = copied("mvt", "protos");
    let [schema] = &schemas[..] else { panic!("{schemas:?}") };
    let ran = cli(&["check", schema], b"");
    assert!(ran.code == 0 && ran.out.contains("4 messages generated, 0 refused"), "{ran:#?}");
    assert!(ran.err.contains("`geometry` has no maximum count: 8 items chosen"), "{}", ran.err);
    assert_eq!(samples_come_back(schema), 4);
    generated_code_compiles(&scratch, schema, 0);
    measured(schema, "vector_tile.Tile.Feature", 0);
}

#[test]
fn what_is_not_supported_is_named_and_the_rest_of_the_file_works() {
    let scratch = Scratch::new("mixed");
    let schema = scratch.write(
        "mixed.proto",
        "syntax = \"proto3\";\npackage mixed;\n\nmessage Status {\n  uint32 uptime = 1;\n  string name = 2;\n}\n\n\
         message Node {\n  uint32 value = 1;\n  Node next = 2;\n}\n\nmessage Holder {\n  Node node = 1;\n}\n",
    );
    let ran = cli(&["check", &schema], b"");
    assert!(ran.out.contains("1 message generated, 2 refused"), "{ran:#?}");
    for (place, wanted) in [
        ("11:8", "message mixed.Node holds itself (mixed.Node.next -> mixed.Node)"),
        ("15:8", "field mixed.Holder.node is of type mixed.Node, which cannot be generated"),
    ] {
        ran.ended(1, &format!("{schema}:{place}: error: {wanted}"));
    }
    generated_code_compiles(&scratch, &schema, 1);
    measured(&schema, "mixed.Status", 1);
    cli(&["measure", &schema, "--type", "Node"], b"").ended(2, "no code is generated for Node");
}
