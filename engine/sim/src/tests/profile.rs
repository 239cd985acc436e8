//! Who is charged for what: calls, returns, tail calls, recursion.

use super::golden;
use crate::profile::{Marks, Recorder};
use crate::{FunctionCost, Profile, Stop};

fn function<'a>(profile: &'a Profile, name: &str) -> &'a FunctionCost {
    profile.functions.iter().find(|f| f.name.ends_with(name)).unwrap_or_else(|| panic!("{name} is missing"))
}

fn recorded(name: &str) -> (Profile, crate::Machine) {
    let mut machine = golden::machine(name);
    machine.record_profile(true);
    assert_eq!(machine.run(u64::MAX), Stop::Exit(0));
    (machine.profile().unwrap(), machine)
}

#[test]
fn every_cycle_is_charged_once() {
    for name in golden::FIXTURES {
        let (profile, machine) = recorded(name);
        let own: u64 = profile.functions.iter().map(|f| f.cycles_self).sum();
        let instructions: u64 = profile.functions.iter().map(|f| f.instructions).sum();
        assert_eq!((own, instructions), (machine.cycles(), machine.instructions()), "{name}");
        let by_path: u64 = profile.tree.iter().map(|n| n.cycles_self).sum();
        assert_eq!(by_path, machine.cycles(), "{name}");
        assert_eq!(function(&profile, "Reset").cycles_inclusive, machine.cycles(), "{name}");
    }
}

#[test]
fn calls_are_counted_as_the_program_makes_them() {
    let (profile, _) = recorded("workloads-o3");
    let calls = |name| function(&profile, name).calls;
    // Two rounds of 24 records: each is encoded once, checked once and decoded twice.
    assert_eq!(calls("4wire6decode"), 2 * 24 * 2);
    assert_eq!(calls("4wire8checksum"), 2 * 24);
    assert_eq!(calls("9heap_sort"), 2);
    assert_eq!(calls("15long_arithmetic"), 2 * 80);
    assert_eq!(calls("Reset"), 1);
    assert_eq!(calls("run"), 1);
}

#[test]
fn parents_precede_their_children_and_include_them() {
    let (profile, _) = recorded("workloads-os");
    let mut children = vec![0; profile.tree.len()];
    for (index, node) in profile.tree.iter().enumerate() {
        if let Some(parent) = node.parent {
            assert!(parent < index);
            children[parent] += node.cycles_inclusive;
        }
    }
    for (node, children) in profile.tree.iter().zip(children) {
        assert_eq!(node.cycles_inclusive, node.cycles_self + children);
    }
    let order: Vec<u64> = profile.functions.iter().map(|f| f.cycles_self).collect();
    assert!(order.is_sorted_by(|a, b| a >= b));
}

#[test]
fn recursion_is_included_once() {
    let (profile, machine) = recorded("workloads-os");
    let recursive = function(&profile, "8dispatch9ackermann");
    assert!(recursive.calls > 10);
    assert!(recursive.cycles_inclusive >= recursive.cycles_self);
    assert!(recursive.cycles_inclusive < machine.cycles());
    assert!(profile.functions.iter().all(|f| f.cycles_inclusive <= machine.cycles()));
}

#[test]
fn the_deepest_stack_has_its_path() {
    for name in golden::FIXTURES {
        let (profile, machine) = recorded(name);
        assert_eq!(profile.deepest.bytes, machine.peak_stack(), "{name}");
        let deepest = profile.tree.iter().map(|n| n.stack).max();
        assert_eq!(deepest, Some(profile.deepest.bytes), "{name}");
        let names: Vec<&str> =
            profile.deepest.path.iter().map(|&f| profile.functions[f].name.as_str()).collect();
        assert_eq!(names[..2], ["Reset", "run"], "{name}");
    }
}

#[test]
fn recording_changes_no_figure() {
    for name in golden::FIXTURES {
        let (_, recorded) = recorded(name);
        let mut plain = golden::machine(name);
        assert_eq!(plain.run(u64::MAX), Stop::Exit(0));
        assert_eq!(plain.registers(), recorded.registers());
        let figures = |m: &crate::Machine| (m.cycles(), m.instructions(), m.peak_stack());
        assert_eq!(figures(&plain), figures(&recorded));
        assert_eq!(plain.profile(), None);
    }
}

#[test]
fn recording_may_begin_late_and_end_early() {
    let mut machine = golden::machine("workloads-os");
    assert_eq!(machine.run(50_000), Stop::Limit);
    machine.record_profile(true);
    let before = machine.cycles();
    assert_eq!(machine.run(20_000), Stop::Limit);
    let profile = machine.profile().unwrap();
    let charged: u64 = profile.functions.iter().map(|f| f.cycles_self).sum();
    assert_eq!(charged, machine.cycles() - before);
    machine.record_profile(false);
    assert_eq!(machine.profile(), None);
}

#[test]
fn code_without_symbols_is_one_function() {
    let mut machine = super::program(&[0xf000, 0xf800, 0xbf00]); // BL to the NOP after it
    machine.record_profile(true);
    assert_eq!(machine.run(10), Stop::Breakpoint(0));
    let profile = machine.profile().unwrap();
    assert_eq!(profile.functions.len(), 1);
    assert_eq!((profile.functions[0].name.as_str(), profile.functions[0].instructions), ("?", 2));
}

/// Endless recursion must neither exhaust memory nor overflow a stack of the host.
#[test]
fn endless_recursion_is_bounded() {
    // BL to itself, 100000 deep, without using the stack.
    let mut machine = super::program(&[0xf7ff, 0xfffe]);
    machine.record_profile(true);
    assert_eq!(machine.run(100_000), Stop::Limit);
    let profile = machine.profile().unwrap();
    assert_eq!(profile.functions[0].calls, 100_001);
    assert_eq!(profile.functions[0].cycles_inclusive, machine.cycles());
}

/// A tail call hangs below the caller's caller, where it returns to.
#[test]
fn a_tail_call_becomes_a_sibling() {
    use crate::decode::Decoder;
    use crate::symbols::Symbols;
    let symbols =
        Symbols::from_ranges([("main", 0x100..0x120), ("first", 0x200..0x220), ("second", 0x300..0x320)]);
    let marks = |clock| Marks { clock, instructions: clock, lowest_sp: 0x1000 - clock as u32 };
    let decoder = Decoder::new(crate::Core::CORTEX_M4.features);
    let (bl, b, bx) = (decoder.decode(0xf000, 0xf8fe), decoder.decode(0xe07e, 0), decoder.decode(0x4770, 0));
    let mut recorder = Recorder::new(symbols.into(), 0x100, marks(0));
    recorder.jump(&bl, 0x104, 0x200, marks(10));
    recorder.jump(&b, 0x204, 0x300, marks(15));
    recorder.jump(&bx, 0x304, 0x108, marks(22));
    recorder.settle(marks(30));
    let profile = recorder.profile(0x1000);
    let named = |name| profile.functions.iter().position(|f| f.name == name).unwrap();
    let parents: Vec<_> = profile.tree.iter().map(|n| (n.function, n.parent)).collect();
    assert_eq!(parents, [(named("main"), None), (named("first"), Some(0)), (named("second"), Some(0))]);
    let own = ["main", "first", "second"].map(|name| profile.functions[named(name)].cycles_self);
    assert_eq!(own, [10 + 8, 5, 7]);
    assert_eq!(profile.functions[named("main")].cycles_inclusive, 30);
    assert_eq!(profile.functions[named("second")].calls, 1);
    assert_eq!(profile.deepest.bytes, 30);
}
