//! Generates and compiles the libraries in C and C++: for each scenario one object with the scenario, the generated
//! code and the library, optimized as one program.
//!
//! ```text
//! schemas + limits ─▶ generator (Python) ─▶ C / C++ ─┬─▶ gcc -flto ─▶ gcc -r -fwhole-program ─▶ <scenario>.o
//! firmware/c/<library>.c, library's own sources ─────┘
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wirebench_measure::settings::OptLevel;

use crate::fetch::{self, Python, make_folder, run};
use crate::measure::Error;
use crate::peers::Native;
use crate::project::{HERE, Purpose, target_folder};

/// The core of the comparison, as gcc spells it.
const CORE: [&str; 4] = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"];

/// The schema files, in the form generators take: those for Rust, and the streamed one.
const SCHEMAS: [&str; 3] = ["comparison.proto", "comparison_varied.proto", "firmware_chunk_streamed.proto"];

/// What one library's program is compiled from.
struct Program {
    /// The compiler.
    compiler: &'static str,
    /// Its flags for this library.
    flags: &'static [&'static str],
    /// The file with the scenarios.
    scenarios: PathBuf,
    /// Generated code and the library.
    sources: Vec<PathBuf>,
    /// Folders of headers.
    includes: Vec<PathBuf>,
}

/// Compiles a library's scenarios into `folder`.
///
/// # Errors
/// If a tool is missing or the library cannot be fetched, it is left out; if it does not compile, that is a failure.
pub fn compile(
    native: Native,
    scenarios: &[&str],
    purpose: Purpose,
    level: OptLevel,
    folder: &Path,
) -> Result<(), Error> {
    let program = match native {
        Native::Nanopb => nanopb()?,
        Native::EmbeddedProto => embedded_proto()?,
        Native::Zcbor => zcbor()?,
    };
    make_folder(folder)?;
    let level = format!("-O{}", level.word());
    let compile = |source: &Path, object: &Path, more: &[String]| {
        let mut gcc = Command::new(program.compiler);
        gcc.args(CORE).args([
            level.as_str(),
            "-flto",
            "-ffunction-sections",
            "-fdata-sections",
            "-Wall",
            "-Wextra",
        ]);
        gcc.args(program.flags).args(more).arg("-c").arg(source).arg("-o").arg(object);
        for include in &program.includes {
            gcc.arg("-I").arg(include);
        }
        checked(&mut gcc)
    };
    let mut objects = Vec::new();
    for source in &program.sources {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let object = folder.join(format!("{name}.o"));
        compile(source, &object, &[])?;
        objects.push(object);
    }
    for scenario in scenarios {
        let part = folder.join(format!("{scenario}.part.o"));
        let mut more = vec![format!("-DCHOSEN={scenario}")];
        if purpose == Purpose::Split {
            more.push("-DSPLIT".to_owned());
        }
        compile(&program.scenarios, &part, &more)?;
        // The whole program is known here, so what only one place uses can become part of it.
        let mut link = Command::new(program.compiler);
        link.args(CORE).args([level.as_str(), "-flto", "-fwhole-program", "-flinker-output=nolto-rel"]);
        link.args(["-ffunction-sections", "-fdata-sections", "-r", "-nostdlib"]).args(program.flags);
        link.arg(&part).args(&objects).arg("-o").arg(folder.join(format!("{scenario}.o")));
        checked(&mut link)?;
    }
    Ok(())
}

/// Runs the compiler; a refusal is a failure of the comparison, not of the machine.
fn checked(command: &mut Command) -> Result<(), Error> {
    let output = command.output().map_err(|_| {
        Error::LeftOut(
            "arm-none-eabi-gcc is not installed (Debian: gcc-arm-none-eabi, libnewlib-arm-none-eabi, \
                        libstdc++-arm-none-eabi-newlib)"
                .to_owned(),
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Error::Build { what: command.get_program().to_string_lossy().into_owned(), log })
}

/// The small C library and the compiler's own, for what the memory routines of the harness do not cover.
pub fn libraries() -> Vec<PathBuf> {
    let find = |what: &str| {
        let printed = run(Command::new("arm-none-eabi-gcc").args(CORE).arg(what)).ok()?;
        Some(PathBuf::from(printed.trim()))
    };
    [find("-print-file-name=libc_nano.a"), find("-print-libgcc-file-name")].into_iter().flatten().collect()
}

/// The schemas in a folder of their own, merged and renamed as for the libraries in Rust.
fn schemas() -> Result<PathBuf, Error> {
    let folder = target_folder().join("schemas");
    make_folder(&folder)?;
    let fail =
        |error: Box<dyn std::error::Error>| Error::LeftOut(format!("the schemas cannot be written: {error}"));
    schema::Schemas::write_into(&folder).map_err(fail)?;
    let streamed = Path::new(HERE).join("../../schemas").join(SCHEMAS[2]);
    fs::copy(&streamed, folder.join(SCHEMAS[2])).map_err(|source| Error::File { path: streamed, source })?;
    Ok(folder)
}

fn scenarios(name: &str) -> PathBuf {
    Path::new(HERE).join("firmware/c").join(name)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::File { path: path.to_owned(), source })
}

fn nanopb() -> Result<Program, Error> {
    let (library, python, schemas) = (fetch::nanopb()?, Python::environment()?, schemas()?);
    let generated = target_folder().join("nanopb");
    make_folder(&generated)?;
    write(
        &schemas.join("comparison.options"),
        "comparison.TelemetryBatch.samples max_count:20\ncomparison.Configuration.device_name max_length:32\n\
         comparison.Configuration.peripherals max_count:8\ncomparison.FirmwareChunk.data max_size:256\n\
         comparison.Growth_*.label max_length:16\n",
    )?;
    write(&schemas.join("comparison_varied.options"), "comparison.varied.Growth_*.label max_length:16\n")?;
    let generator = library.join("generator/nanopb_generator.py");
    // The generator finds the limits beside the schemas.
    run(Command::new(python.program("python"))
        .current_dir(&schemas)
        .arg(generator)
        .arg("-D")
        .arg(&generated)
        .args(SCHEMAS))?;
    let mut sources: Vec<PathBuf> =
        SCHEMAS.iter().map(|schema| generated.join(schema.replace(".proto", ".pb.c"))).collect();
    sources.extend(["pb_common.c", "pb_encode.c", "pb_decode.c"].map(|file| library.join(file)));
    Ok(Program {
        compiler: "arm-none-eabi-gcc",
        flags: &["-DPB_NO_ERRMSG"],
        scenarios: scenarios("nanopb.c"),
        sources,
        includes: vec![generated, library],
    })
}

fn embedded_proto() -> Result<Program, Error> {
    let (python, schemas) = (Python::environment()?, schemas()?);
    let generated = target_folder().join("embedded-proto");
    make_folder(&generated)?;
    let label = |n: u32| format!("\"Growth_{n:02}\": {{\"label\": {{\"maxLength\": 16}}}}");
    let labels = (1..=20).map(label).collect::<Vec<_>>().join(", ");
    let options = generated.join("options.json");
    write(
        &options,
        &format!(
            "{{\"comparison\": {{\"TelemetryBatch\": {{\"samples\": {{\"maxLength\": 20}}}},\n \
             \"Configuration\": {{\"device_name\": {{\"maxLength\": 32}}, \"peripherals\": {{\"maxLength\": 8}}}},\n \
             \"FirmwareChunk\": {{\"data\": {{\"maxLength\": 256}}}},\n \
             \"streamed\": {{\"FirmwareChunk\": {{\"data\": {{\"callbackStorage\": true}}}}}},\n \
             \"varied\": {{{labels}}}, {labels}}}}}\n"
        ),
    )?;
    run(Command::new(python.program("embeddedproto"))
        .current_dir(&schemas)
        // Otherwise the generator asks a server for a licence while it works.
        .env("EMBEDDEDPROTO_LICENSE_DISABLE_CHECKIN", "1")
        .arg("-I.")
        .arg(format!("--eams_opt=options_file={}", options.display()))
        .arg(format!("--eams_out={}", generated.display()))
        .args(SCHEMAS))?;
    Ok(Program {
        compiler: "arm-none-eabi-g++",
        flags: &[
            "-std=c++17",
            "-fno-exceptions",
            "-fno-rtti",
            "-fno-threadsafe-statics",
            "-fno-use-cxa-atexit",
        ],
        scenarios: scenarios("embedded_proto.cpp"),
        sources: Vec::new(),
        includes: vec![generated, python.package("EmbeddedProto")?.join("src")],
    })
}

fn zcbor() -> Result<Program, Error> {
    let python = Python::environment()?;
    let library = python.package("zcbor")?;
    let generated = target_folder().join("zcbor");
    make_folder(&generated)?;
    let growth = (1..=20).flat_map(|n| [format!("Growth_{n:02}"), format!("Varied_{n:02}")]);
    let messages =
        ["Telemetry", "TelemetryBatch", "Configuration", "DeviceCommand", "DeviceAck", "FirmwareChunk"];
    run(Command::new(python.program("zcbor"))
        .arg("code")
        .arg("--cddl")
        .arg(scenarios("comparison.cddl"))
        .args(["--decode", "--encode", "--entry-types"])
        .args(messages.map(str::to_owned).into_iter().chain(growth))
        .args(["--output-c".into(), generated.join("comparison.c")])
        .args(["--output-h".into(), generated.join("comparison.h")])
        .args(["--output-h-types".into(), generated.join("comparison_types.h")]))?;
    let own = ["comparison_encode.c", "comparison_decode.c"].map(|file| generated.join(file));
    let common =
        ["zcbor_common.c", "zcbor_encode.c", "zcbor_decode.c"].map(|file| library.join("src").join(file));
    Ok(Program {
        compiler: "arm-none-eabi-gcc",
        flags: &[],
        scenarios: scenarios("zcbor.c"),
        sources: own.into_iter().chain(common).collect(),
        includes: vec![generated, library.join("include")],
    })
}
