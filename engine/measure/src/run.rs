//! Runs a firmware on the simulated core and reads what it left: the mailbox, and what the
//! simulator alone knows (instructions, cycles by function, the exact stack).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wirebench_sim::{ElfError, Machine, MachineError, Memory, Preset, Profile, Region, Stop};

use crate::builder::Built;
use crate::image::{Image, Part, demangled, part_of};
use crate::mailbox::{self, Mailbox, MailboxError, State};
use crate::progress::{Control, Progress};
use crate::settings::{Core, Settings};

/// More than any scenario needs; a firmware that is not done by then never ends. About two seconds.
pub const INSTRUCTION_LIMIT: u64 = 200_000_000;
/// Instructions between two looks at the cancel: a few milliseconds.
const SLICE: u64 = 500_000;

/// The symbol around every scenario.
const SCENARIO: &str = "wirebench_scenario";
/// Functions of the template that call it.
const TIMED: &str = "firmware::bench::timed";
const PAINTED: &str = "firmware::bench::stack_of";
/// Functions of the regions firmware that hold nothing but the codec.
const ENCODE: &str = "stage::encode_apart";
const DECODE: &str = "stage::decode_apart";

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The firmware's own report.
    pub mailbox: Mailbox,
    /// Its sizes.
    pub image: Image,
    /// Instructions of one run of the scenario.
    pub instructions: u64,
    /// Instructions of its encode calls; 0 where they do not stand apart.
    pub encode_instructions: u64,
    /// Instructions of its decode calls.
    pub decode_instructions: u64,
    /// Deepest stack of the scenario, its caller's frame left out, in bytes.
    pub peak_stack: u64,
    /// Every function of one run, the most cycles of its own first.
    pub functions: Vec<FunctionCycles>,
}

/// One function over all its calls in one run of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCycles {
    /// Demangled name.
    pub name: String,
    /// Its part.
    pub part: Part,
    /// Calls.
    pub calls: u64,
    /// Instructions of its own.
    pub instructions: u64,
    /// Cycles of its own.
    pub cycles_self: u64,
    /// Cycles with everything it called.
    pub cycles_inclusive: u64,
}

/// Why a run gave no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ELF file cannot be loaded.
    #[error("the firmware cannot be loaded: {0}")]
    Elf(#[from] ElfError),
    /// The simulated chip cannot hold it.
    #[error("the firmware cannot be started: {0}")]
    Machine(#[from] MachineError),
    /// It did what the core cannot do.
    #[error("the firmware faulted at {pc:#010x} in {symbol}: {what}")]
    Fault {
        /// Address of the instruction.
        pc: u32,
        /// Function around it.
        symbol: String,
        /// What it did.
        what: String,
    },
    /// It panicked.
    #[error("the firmware panicked")]
    Panic,
    /// It did not end within [`INSTRUCTION_LIMIT`] instructions.
    #[error("the firmware did not end within {limit} instructions; it was at {pc:#010x} in {symbol}")]
    Endless {
        /// Instructions executed.
        limit: u64,
        /// Where it was.
        pc: u32,
        /// Function around it.
        symbol: String,
    },
    /// It is another build than the one asked for.
    #[error("the firmware reports build {found:#018x}, expected was {expected:#018x}")]
    WrongBuild {
        /// Reported.
        found: u64,
        /// Expected.
        expected: u64,
    },
    /// No mailbox symbol.
    #[error("the firmware has no mailbox")]
    NoMailbox,
    /// The mailbox says nothing.
    #[error("{0}")]
    Mailbox(#[from] MailboxError),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// The timing preset of a core.
pub fn preset(core: Core) -> Preset {
    match core {
        Core::CortexM4f => Preset::cortex_m4f(),
        Core::CortexM4 => Preset::cortex_m4(),
    }
}

/// Runs a firmware to its end.
///
/// A failed check of the firmware's own is no error here: it stands in the mailbox's state.
///
/// # Errors
/// A firmware that cannot be loaded, faults, panics, never ends, or leaves no result of this build.
pub fn run(built: &Built, settings: &Settings, control: Control) -> Result<Ran, RunError> {
    run_within(built, settings, INSTRUCTION_LIMIT, control)
}

/// [`run`] with another limit of instructions.
///
/// # Errors
/// As [`run`].
pub fn run_within(built: &Built, settings: &Settings, limit: u64, control: Control) -> Result<Ran, RunError> {
    control.report(Progress::Running { name: built.name.clone() });
    let elf = wirebench_sim::Image::load(&built.elf)?;
    let image = Image::of(&elf);
    let place = image.address(mailbox::SYMBOL).ok_or(RunError::NoMailbox)?;
    let region = |r: crate::settings::Region| Region::new(r.origin, r.length);
    let memory = Memory::new(region(settings.memory.flash), region(settings.memory.ram));
    let mut machine = Machine::new(&elf, preset(settings.core), memory)?;
    machine.record_profile(true);
    until_it_stops(&mut machine, limit, control)?;

    let mut bytes = [0; mailbox::SIZE];
    machine.read_memory(place, &mut bytes).map_err(|_| RunError::NoMailbox)?;
    let mailbox = Mailbox::read(&bytes)?;
    match mailbox.state {
        State::Passed | State::CheckFailed => {}
        State::Panicked => return Err(RunError::Panic),
        State::Faulted { pc, status } => {
            let symbol = symbol_at(&machine, pc);
            return Err(RunError::Fault { pc, symbol, what: format!("fault status {status:#010x}") });
        }
    }
    let expected = built.key.number();
    if mailbox.build_id != expected {
        return Err(RunError::WrongBuild { found: mailbox.build_id, expected });
    }
    let profile = machine.profile().unwrap_or_default();
    let top = image.address("__stack_top").unwrap_or(0);
    Ok(ran(mailbox, image, &Calls::of(&profile), top))
}

fn until_it_stops(machine: &mut Machine, limit: u64, control: Control) -> Result<(), RunError> {
    loop {
        if control.cancel.is_cancelled() {
            return Err(RunError::Cancelled);
        }
        match machine.run(SLICE.min(limit - machine.instructions().min(limit))) {
            Stop::Breakpoint(_) | Stop::Exit(_) => return Ok(()),
            Stop::Limit if machine.instructions() < limit => {}
            Stop::Limit => {
                let pc = machine.registers().r[15];
                return Err(RunError::Endless { limit, pc, symbol: symbol_at(machine, pc) });
            }
            Stop::Fault(fault) => {
                let symbol = fault.symbol.as_deref().map_or_else(|| "no function".to_owned(), demangled);
                return Err(RunError::Fault { pc: fault.pc, symbol, what: fault.to_string() });
            }
        }
    }
}

fn symbol_at(machine: &Machine, pc: u32) -> String {
    machine.function_at(pc).map_or_else(|| "no function".to_owned(), |name| demangled(&name))
}

/// A profile's call tree with readable names.
struct Calls<'a> {
    profile: &'a Profile,
    names: Vec<String>,
}

impl Calls<'_> {
    fn of(profile: &Profile) -> Calls<'_> {
        Calls { profile, names: profile.functions.iter().map(|f| demangled(&f.name)).collect() }
    }

    fn name(&self, node: usize) -> &str {
        &self.names[self.profile.tree[node].function]
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.profile.tree[node].parent
    }

    /// The scenario's own nodes below one of the template's functions.
    fn scenarios(&self, caller: &str) -> Vec<usize> {
        (0..self.profile.tree.len())
            .filter(|node| self.name(*node) == SCENARIO)
            .filter(|node| self.parent(*node).is_some_and(|parent| self.name(parent) == caller))
            .collect()
    }

    /// These nodes with everything called from them. Parents precede children, so one pass is enough.
    fn below(&self, roots: &[usize]) -> Vec<usize> {
        let mut inside = vec![false; self.profile.tree.len()];
        for node in 0..inside.len() {
            inside[node] = roots.contains(&node) || self.parent(node).is_some_and(|parent| inside[parent]);
        }
        (0..inside.len()).filter(|node| inside[*node]).collect()
    }

    fn instructions(&self, nodes: &[usize]) -> u64 {
        nodes.iter().map(|node| self.profile.tree[*node].instructions).sum()
    }

    /// Instructions of the functions of that name, with everything they called.
    fn instructions_in(&self, function: &str, nodes: &[usize]) -> u64 {
        let apart: Vec<usize> = nodes.iter().copied().filter(|n| self.name(*n).contains(function)).collect();
        self.instructions(&self.below(&apart))
    }
}

fn ran(mailbox: Mailbox, image: Image, calls: &Calls, stack_top: u32) -> Ran {
    let timed = calls.scenarios(TIMED);
    let runs = timed.iter().map(|n| calls.profile.tree[*n].calls).sum::<u64>().max(1);
    let inside = calls.below(&timed);
    let painted = calls.below(&calls.scenarios(PAINTED));
    let deepest = painted.iter().map(|n| u64::from(calls.profile.tree[*n].stack)).max().unwrap_or(0);
    let base = u64::from(stack_top.saturating_sub(mailbox.stack_base));
    Ran {
        instructions: calls.instructions(&inside) / runs,
        encode_instructions: calls.instructions_in(ENCODE, &inside) / runs,
        decode_instructions: calls.instructions_in(DECODE, &inside) / runs,
        peak_stack: deepest.saturating_sub(base),
        functions: functions(calls, &inside, runs),
        mailbox,
        image,
    }
}

fn functions(calls: &Calls, nodes: &[usize], runs: u64) -> Vec<FunctionCycles> {
    let mut sums: BTreeMap<&str, FunctionCycles> = BTreeMap::new();
    for node in nodes {
        let name = calls.name(*node);
        let cost = &calls.profile.tree[*node];
        let sum = sums.entry(name).or_insert_with(|| FunctionCycles {
            name: name.to_owned(),
            part: part_of(name),
            calls: 0,
            instructions: 0,
            cycles_self: 0,
            cycles_inclusive: 0,
        });
        sum.calls += cost.calls;
        sum.instructions += cost.instructions;
        sum.cycles_self += cost.cycles_self;
        // A recursive call is inside its outer call already.
        let mut above = calls.parent(*node);
        while above.is_some_and(|a| calls.name(a) != name) {
            above = above.and_then(|a| calls.parent(a));
        }
        sum.cycles_inclusive += if above.is_none() { cost.cycles_inclusive } else { 0 };
    }
    let mut list: Vec<FunctionCycles> = sums.into_values().collect();
    for sum in &mut list {
        for value in [&mut sum.calls, &mut sum.instructions, &mut sum.cycles_self, &mut sum.cycles_inclusive]
        {
            *value /= runs;
        }
    }
    list.sort_by(|a, b| b.cycles_self.cmp(&a.cycles_self).then_with(|| a.name.cmp(&b.name)));
    list
}
