//! One measurement: the scenario some times against the counter, then once on a painted stack.

use core::sync::atomic::Ordering::Relaxed;

use crate::counter::{self, Counter};
use crate::mailbox::{ABI, MAILBOX, SAMPLES, State};
use crate::{FAILED, barrier, regions, stack};

unsafe extern "C" {
    /// Defined by [`crate::scenario!`] in the binary.
    safe fn wirebench_scenario() -> u32;
}

unsafe extern "Rust" {
    /// Defined by [`crate::scenario!`] in the binary.
    safe static WIREBENCH_BUILD_ID: [u32; 2];
}

type Scenario = extern "C" fn() -> u32;

extern "C" fn nothing() -> u32 {
    1
}

/// Measures the binary's scenario and fills the mailbox.
pub(crate) fn run() {
    let mailbox = &MAILBOX;
    mailbox.abi.store(ABI, Relaxed);
    mailbox.state.store(State::Running as u32, Relaxed);
    mailbox.build_id[0].store(WIREBENCH_BUILD_ID[0], Relaxed);
    mailbox.build_id[1].store(WIREBENCH_BUILD_ID[1], Relaxed);
    mailbox.cpuid.store(counter::cpuid(), Relaxed);
    let counter = Counter::start();
    mailbox.counter.store(counter as u32, Relaxed);

    // Calls go through pointers the optimizer cannot see behind: harness and scenario stay apart,
    // and the empty firmware keeps the same harness as every other.
    let mut empty: Scenario = nothing;
    let mut scenario: Scenario = wirebench_scenario;
    barrier::opaque(&mut empty);
    barrier::opaque(&mut scenario);

    timed(counter, empty);
    mailbox.overhead.store(timed(counter, empty).cycles, Relaxed);
    mailbox.region_overhead.store(regions::empty_region(counter), Relaxed);

    let mut passed = true;
    for sample in 0..SAMPLES {
        let run = timed(counter, scenario);
        let sums = regions::end();
        passed &= run.result != FAILED;
        mailbox.total[sample].store(run.cycles, Relaxed);
        mailbox.encode[sample].store(sums.encode, Relaxed);
        mailbox.decode[sample].store(sums.decode, Relaxed);
        mailbox.checksum.store(sums.checksum, Relaxed);
        mailbox.wire_length.store(run.result, Relaxed);
    }
    mailbox.samples.store(SAMPLES as u32, Relaxed);
    mailbox.stack.store(stack_of(scenario), Relaxed);
    mailbox.finish(if passed { State::Passed } else { State::CheckFailed });
}

struct Run {
    cycles: u32,
    result: u32,
}

#[inline(never)]
fn timed(counter: Counter, scenario: Scenario) -> Run {
    regions::begin(counter);
    let start = counter.now();
    let result = scenario();
    let end = counter.now();
    Run { cycles: counter.since(start, end), result }
}

/// Deepest stack of one run, in bytes below this frame.
#[inline(never)]
fn stack_of(scenario: Scenario) -> u32 {
    let top = stack::pointer();
    MAILBOX.stack_base.store(top as u32, Relaxed);
    stack::paint(top);
    scenario();
    stack::used_below(top)
}
