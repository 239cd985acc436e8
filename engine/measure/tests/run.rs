//! Runs of small firmwares on the simulated core: what a good one gives, and how each bad one is named.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{control, shared_cache, toolchain};
use wirebench_measure::builder::{Builder, Built};
use wirebench_measure::firmware::Firmware;
use wirebench_measure::mailbox::State;
use wirebench_measure::progress::Cancel;
use wirebench_measure::run::{Ran, RunError, run, run_within};
use wirebench_measure::settings::{Core, MemoryRoutines, Settings};

fn built_with(settings: &Settings, name: &str, body: &str) -> Built {
    let main = format!(
        "#![no_std]\n#![no_main]\nuse core::hint::black_box;\nfn run() -> u32 {{ {body} }}\n\
         firmware::scenario!(run, build_id: @BUILD_ID@);\n"
    );
    let firmware = Firmware { name: name.to_owned(), files: vec![("main.rs".to_owned(), main)] };
    let builder = Builder { toolchain: toolchain(), settings: settings.clone(), cache: shared_cache() };
    builder.build(&[firmware], control(&Cancel::default())).unwrap().remove(0)
}

fn built(name: &str, body: &str) -> Built {
    built_with(&Settings::default(), name, body)
}

fn ran(name: &str, body: &str) -> Result<Ran, RunError> {
    run(&built(name, body), &Settings::default(), control(&Cancel::default()))
}

#[test]
fn a_good_run_gives_cycles_instructions_and_stack() {
    let ran = ran("good", "let mut a = [0u32; 64]; for (i, v) in black_box(&mut a).iter_mut().enumerate() { *v = i as u32; } black_box(&a)[9] + 20")
        .unwrap();
    assert_eq!(ran.mailbox.state, State::Passed);
    assert!(ran.mailbox.is_dwt);
    assert_eq!(ran.mailbox.wire_length, 29);
    assert_eq!(ran.mailbox.total.len(), 8);
    assert!(ran.mailbox.total.iter().all(|c| (64..1500).contains(c)), "{:?}", ran.mailbox.total);
    assert!((64..1000).contains(&ran.instructions), "{}", ran.instructions);
    assert!((256..400).contains(&ran.peak_stack), "{}", ran.peak_stack);
    // Paint sees what was written, the simulator where the pointer stood.
    assert!(
        u64::from(ran.mailbox.stack) <= ran.peak_stack && ran.peak_stack - u64::from(ran.mailbox.stack) < 32
    );
    assert!(
        ran.functions.iter().any(|f| f.name == "wirebench_scenario" && f.calls == 1),
        "{:?}",
        ran.functions
    );
}

#[test]
fn an_empty_scenario_costs_next_to_nothing() {
    let ran = ran("nothing", "1").unwrap();
    assert!(ran.mailbox.total.iter().all(|cycles| *cycles < 4), "{:?}", ran.mailbox.total);
    // The target keeps a frame pointer in every function, so even this one pushes and pops.
    assert!(ran.instructions <= 4, "{}", ran.instructions);
    assert!(ran.peak_stack <= 8, "{}", ran.peak_stack);
}

#[test]
fn a_failed_check_is_a_state_of_its_own() {
    let ran = ran("failing", "firmware::FAILED").unwrap();
    assert_eq!(ran.mailbox.state, State::CheckFailed);
}

#[test]
fn a_panic_is_named() {
    let error = ran("panicking", "black_box([1u32, 2])[black_box(3)]").unwrap_err();
    assert!(matches!(error, RunError::Panic), "{error}");
}

#[test]
fn a_fault_is_named_with_address_and_function() {
    let body = "unsafe { (black_box(0x6000_0000usize) as *const u32).read_volatile() }";
    let error = ran("faulting", body).unwrap_err();
    let RunError::Fault { pc, symbol, .. } = &error else { panic!("{error}") };
    assert!((0x0800_0000..0x0810_0000).contains(pc), "{error}");
    assert_eq!(symbol, "wirebench_scenario");
}

#[test]
fn a_firmware_that_never_ends_is_stopped() {
    let built = built("endless", "loop { black_box(1); }");
    let cancel = Cancel::default();
    let error = run_within(&built, &Settings::default(), 3_000_000, control(&cancel)).unwrap_err();
    let RunError::Endless { symbol, limit, .. } = &error else { panic!("{error}") };
    assert_eq!((symbol.as_str(), *limit), ("wirebench_scenario", 3_000_000));
}

#[test]
fn a_run_can_be_cancelled() {
    let built = built("endless", "loop { black_box(1); }");
    let cancel = Cancel::default();
    cancel.cancel();
    let error = run(&built, &Settings::default(), control(&cancel)).unwrap_err();
    assert!(matches!(error, RunError::Cancelled), "{error}");
}

#[test]
fn another_build_than_the_one_asked_for_is_refused() {
    let mut built = built("stale", "5");
    built.key = Firmware::empty().key(&Settings::default(), &toolchain());
    let error = run(&built, &Settings::default(), control(&Cancel::default())).unwrap_err();
    assert!(matches!(error, RunError::WrongBuild { .. }), "{error}");
}

#[test]
fn a_file_that_is_no_firmware_is_refused() {
    let mut built = built("stale", "5");
    built.elf.truncate(100);
    let error = run(&built, &Settings::default(), control(&Cancel::default())).unwrap_err();
    assert!(matches!(error, RunError::Elf(_)), "{error}");
}

/// Exercises every routine with every small count and alignment, and checks what lies around.
const MEMORY_CHECK: &str = "
    let mut from = [0u8; 64];
    for (i, byte) in from.iter_mut().enumerate() { *byte = i as u8 + 1; }
    for offset in 0..4 { for count in 0..40usize {
        let mut to = [0xaau8; 64];
        to[offset..offset + black_box(count)].copy_from_slice(&from[black_box(offset)..offset + count]);
        for (i, byte) in to.iter().enumerate() {
            let inside = i >= offset && i < offset + count;
            if *byte != if inside { i as u8 + 1 } else { 0xaa } { return firmware::FAILED; }
        }
        if to[offset..offset + black_box(count)] != from[offset..offset + black_box(count)] { return firmware::FAILED; }
        if count > 0 {
            to[offset + count - 1] ^= 0x80;
            if to[offset..offset + black_box(count)] == from[offset..offset + black_box(count)] { return firmware::FAILED; }
            if (to[offset..offset + black_box(count)] < from[offset..offset + black_box(count)]) { return firmware::FAILED; }
        }
        to[offset..offset + black_box(count)].fill(black_box(0x55));
        for (i, byte) in to.iter().enumerate() {
            let inside = i >= offset && i < offset + count;
            if *byte != if inside { 0x55 } else { 0xaa } { return firmware::FAILED; }
        }
        to[offset..offset + black_box(count)].fill(0);
        for (i, byte) in to.iter().enumerate() {
            let inside = i >= offset && i < offset + count;
            if *byte != if inside { 0 } else { 0xaa } { return firmware::FAILED; }
        }
    } }
    1";

#[test]
fn the_small_memory_routines_do_what_the_compilers_do() {
    for (routines, name) in
        [(MemoryRoutines::Compiler, "memory_compiler"), (MemoryRoutines::Small, "memory_small")]
    {
        let settings = Settings { memory_routines: routines, ..Settings::default() };
        let ran =
            run(&built_with(&settings, name, MEMORY_CHECK), &settings, control(&Cancel::default())).unwrap();
        assert_eq!(ran.mailbox.state, State::Passed, "{name}");
        let routines_size = ran.image.symbols.iter().filter(|s| s.name.contains("mem")).map(|s| s.size);
        let sum: u64 = routines_size.sum();
        assert!(sum > 60, "{:?}", ran.image.symbols);
        assert_eq!(sum < 140, routines == MemoryRoutines::Small, "{name}: {sum} {:?}", ran.image.symbols);
    }
}

#[test]
fn both_counters_count_the_same() {
    let body = "
        use firmware::counter::Counter;
        let mut elapsed = [0; 2];
        for (counter, elapsed) in [Counter::Dwt, Counter::start_sys_tick()].into_iter().zip(&mut elapsed) {
            let start = counter.now();
            for i in 0..1000u32 { black_box(i); }
            *elapsed = counter.since(start, counter.now());
        }
        if elapsed[0] < 1000 || elapsed[0].abs_diff(elapsed[1]) > 20 { return firmware::FAILED }
        elapsed[1]";
    assert_eq!(ran("counters", body).unwrap().mailbox.state, State::Passed);
}

#[test]
fn a_core_without_floating_point_unit_runs_too() {
    let settings = Settings { core: Core::CortexM4, ..Settings::default() };
    let built = built_with(&settings, "soft", "(black_box(1.5f32) * black_box(2.0)) as u32");
    let ran = run(&built, &settings, control(&Cancel::default())).unwrap();
    assert_eq!(ran.mailbox.wire_length, 3);
}
