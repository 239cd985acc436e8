//! The build of firmware: what comes out, what is left after a failure or a cancel.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use support::{Scratch, control, shared_cache, silent, toolchain};
use wirebench_measure::builder::{BuildError, Builder};
use wirebench_measure::cache::Cache;
use wirebench_measure::environment::Environment;
use wirebench_measure::firmware::Firmware;
use wirebench_measure::image::{Image, Part};
use wirebench_measure::progress::{Cancel, Control, Progress};
use wirebench_measure::settings::{CoreLibrary, Settings};
use wirebench_measure::toolchain::Toolchain;

fn builder(cache: Cache) -> Builder {
    Builder { toolchain: toolchain(), settings: Settings::default(), cache }
}

fn firmware(name: &str, run: &str) -> Firmware {
    let main = format!("#![no_std]\n#![no_main]\n{run}\nfirmware::scenario!(run, build_id: @BUILD_ID@);\n");
    Firmware { name: name.to_owned(), files: vec![("main.rs".to_owned(), main)] }
}

/// All files below a folder, folders left out.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|e| e.path());
    paths.flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

#[test]
fn the_empty_firmware_is_small_and_has_a_mailbox() {
    let cancel = Cancel::default();
    let built = builder(shared_cache()).build(&[Firmware::empty()], control(&cancel)).unwrap();
    let image = Image::of(&wirebench_sim::Image::load(&built[0].elf).unwrap());
    assert!((600..1400).contains(&image.flash), "{} B", image.flash);
    assert!(image.address(wirebench_measure::mailbox::SYMBOL).is_some());
    assert!(image.part(Part::Harness) > 400, "{:?}", image.symbols);
}

#[test]
fn a_second_build_of_the_same_comes_from_the_cache() {
    let cancel = Cancel::default();
    let builder = builder(shared_cache());
    let firmwares = [firmware("cached", "fn run() -> u32 { 77 }")];
    let first = builder.build(&firmwares, control(&cancel)).unwrap();
    let steps = RefCell::new(Vec::new());
    let record = |step: Progress| steps.borrow_mut().push(step);
    let second = builder.build(&firmwares, Control { progress: &record, cancel: &cancel }).unwrap();
    assert_eq!(first[0].elf, second[0].elf);
    assert_eq!(steps.into_inner(), []);
}

#[test]
fn a_firmware_that_does_not_compile_is_an_error_in_the_compilers_words() {
    let cancel = Cancel::default();
    let builder = builder(shared_cache());
    let broken = firmware("broken", "fn run() -> u32 { missing() }");
    let key = broken.key(&builder.settings, &builder.toolchain);
    let error = builder.build(&[broken], control(&cancel)).unwrap_err();
    let BuildError::Failed { message, log, .. } = error else { panic!("{error}") };
    assert_eq!(message, "cannot find function `missing` in this scope");
    assert!(log.contains("broken/main.rs:3"), "{log}");
    assert!(!builder.cache.elf(&key).exists());
}

#[test]
fn a_firmware_larger_than_the_chip_is_an_error_that_says_so() {
    let cancel = Cancel::default();
    let builder = builder(shared_cache());
    let large = "static BLOCK: [u8; 2 << 20] = [1; 2 << 20];\nfn run() -> u32 { u32::from(BLOCK[core::hint::black_box(7)]) }";
    let error = builder.build(&[firmware("large", large)], control(&cancel)).unwrap_err();
    let BuildError::Failed { advice, .. } = &error else { panic!("{error}") };
    assert!(advice.contains("larger than the chip's flash or RAM"), "{error}");
}

#[test]
fn cancel_leaves_no_process_and_no_partial_file() {
    let scratch = Scratch::new("cancel");
    let builder = builder(Cache::at(&scratch.0));
    let cancel = Cancel::default();
    // The first crate that compiles is `core` or the firmware's library: in the middle of the work.
    let stop = |step: Progress| {
        if matches!(step, Progress::Compiling { .. }) {
            cancel.cancel();
        }
    };
    let error =
        builder.build(&[Firmware::empty()], Control { progress: &stop, cancel: &cancel }).unwrap_err();
    assert!(matches!(error, BuildError::Cancelled), "{error}");
    let left = files(&scratch.0);
    let is_project =
        |file: &Path| file.components().any(|c| c.as_os_str() == "project") || file.ends_with("lock");
    assert!(left.iter().all(|file| is_project(file)), "{left:?}");
    assert_eq!(processes_with(&scratch.0.display().to_string()), Vec::<String>::new());
}

#[test]
fn functions_stay_apart_where_merging_is_off() {
    let cancel = Cancel::default();
    let twins = "#[inline(never)] fn one(a: &mut [u32; 9]) { for v in a.iter_mut() { *v = v.wrapping_mul(77) ^ 5; } }
        #[inline(never)] fn two(a: &mut [u32; 9]) { for v in a.iter_mut() { *v = v.wrapping_mul(77) ^ 5; } }
        fn run() -> u32 { let mut a = core::hint::black_box([1; 9]); one(&mut a); core::hint::black_box(&mut a); two(&mut a); a[3] | 1 }";
    let flash = |merge_functions| {
        let settings = Settings { merge_functions, ..Settings::default() };
        let builder = Builder { settings, ..builder(shared_cache()) };
        let built = builder.build(&[firmware("twins", twins)], control(&cancel)).unwrap();
        Image::of(&wirebench_sim::Image::load(&built[0].elf).unwrap()).flash
    };
    let (merged, apart) = (flash(true), flash(false));
    assert!(merged < apart, "{merged} B merged, {apart} B apart");
}

#[test]
fn the_templates_own_memory_is_the_simulated_chips() {
    let text = include_str!("../../../firmware-template/memory.x");
    let map = Settings::default().memory.to_string();
    assert!(text.ends_with(&map), "memory.x is not the default memory map:\n{map}");
}

/// Where a target is installed its core library is used as it is, and nothing unstable is asked for.
#[cfg(unix)]
#[test]
fn a_prebuilt_core_library_is_linked_as_it_is() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let cancel = Cancel::default();
    let base = builder(shared_cache());
    base.build(&[Firmware::empty()], control(&cancel)).unwrap();
    if base.toolchain.core_library == CoreLibrary::Prebuilt {
        return;
    }
    // A toolchain like the one there is, with the core library that was just rebuilt as the installed one.
    let scratch = Scratch::new("prebuilt");
    let sysroot = scratch.0.join("sysroot");
    let target = sysroot.join("lib/rustlib/thumbv7em-none-eabihf/lib");
    fs::create_dir_all(&target).unwrap();
    let rebuilt = files(&base.cache.root().join("build"));
    for library in ["libcore-", "libcompiler_builtins-"] {
        let is_it = |file: &&std::path::PathBuf| {
            let name = file.file_name().unwrap().to_string_lossy();
            name.starts_with(library) && name.ends_with(".rlib") && file.to_string_lossy().contains("eabihf")
        };
        let file = rebuilt.iter().find(is_it).unwrap();
        fs::copy(file, target.join(file.file_name().unwrap())).unwrap();
    }
    let rustc = scratch.0.join("rustc");
    let script = format!(
        "#!/bin/sh\nexec {} --sysroot {} \"$@\"\n",
        base.toolchain.rustc.display(),
        sysroot.display()
    );
    fs::write(&rustc, script).unwrap();
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).unwrap();
    symlink(&base.toolchain.cargo, scratch.0.join("cargo")).unwrap();

    let mut environment = Environment::of_this_process();
    environment.path.insert(0, scratch.0.clone());
    let wanted = Some(CoreLibrary::Prebuilt);
    let found = Toolchain::find(&environment, Settings::default().core, wanted).unwrap();
    assert_eq!((found.core_library, &found.rustc), (CoreLibrary::Prebuilt, &rustc));
    let builder = Builder {
        toolchain: found,
        settings: Settings::default(),
        cache: Cache::at(scratch.0.join("cache")),
    };
    let built = builder.build(&[Firmware::empty()], control(&cancel)).unwrap();
    let flash = |elf: &[u8]| Image::of(&wirebench_sim::Image::load(elf).unwrap()).flash;
    let own = base.build(&[Firmware::empty()], control(&cancel)).unwrap();
    assert_eq!(flash(&built[0].elf), flash(&own[0].elf));
}

#[test]
fn a_cancelled_wait_for_the_build_folder_ends() {
    let cancel = Cancel::default();
    cancel.cancel();
    let scratch = Scratch::new("waiting");
    let builder = builder(Cache::at(&scratch.0));
    let error =
        builder.build(&[Firmware::empty()], Control { progress: &silent, cancel: &cancel }).unwrap_err();
    assert!(matches!(error, BuildError::Cancelled), "{error}");
}

#[test]
fn a_cargo_that_cannot_be_started_is_an_error() {
    let scratch = Scratch::new("no-cargo");
    let mut builder = builder(Cache::at(&scratch.0));
    builder.toolchain.cargo = scratch.0.join("no-such-cargo");
    let error = builder.build(&[Firmware::empty()], control(&Cancel::default())).unwrap_err();
    assert!(matches!(error, BuildError::Start { .. }), "{error}");
}

#[test]
fn an_elf_file_in_the_cache_that_is_damaged_is_built_again() {
    let cancel = Cancel::default();
    let builder = builder(shared_cache());
    let firmwares = [firmware("damaged", "fn run() -> u32 { 78 }")];
    let first = builder.build(&firmwares, control(&cancel)).unwrap();
    fs::write(&first[0].path, b"not an ELF file").unwrap();
    let second = builder.build(&firmwares, control(&cancel)).unwrap();
    assert_eq!(first[0].elf, second[0].elf);
}

#[test]
fn both_kinds_of_core_library_have_their_own_key() {
    let builder = builder(shared_cache());
    let mut other = builder.toolchain.clone();
    other.core_library = match other.core_library {
        CoreLibrary::Prebuilt => CoreLibrary::Rebuilt,
        CoreLibrary::Rebuilt => CoreLibrary::Prebuilt,
    };
    let firmware = Firmware::empty();
    assert_ne!(firmware.key(&builder.settings, &builder.toolchain), firmware.key(&builder.settings, &other));
}

/// Command lines of living processes that mention `text`, this one left out.
#[cfg(target_os = "linux")]
fn processes_with(text: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|e| e.file_name().to_string_lossy() != own)
        .filter_map(|e| fs::read(e.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(text))
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn processes_with(_: &str) -> Vec<String> {
    Vec::new()
}
