//! [`Recorder`]: follows calls and returns while the firmware runs.

use std::ops::Range;
use std::sync::Arc;

use super::report::{Profile, report};
use crate::decode::{Class, Op};
use crate::symbols::Symbols;

/// Call paths kept apart; beyond, costs go to the caller's path.
const MAX_NODES: usize = 1 << 16;
/// Calls followed downwards; deeper ones are counted where the last of them was.
const MAX_FRAMES: usize = 1 << 14;

/// The tree's invisible root, above the function the reset starts.
pub(super) const ROOT: usize = 0;

/// One call path.
pub(super) struct Node {
    /// Index into the symbols; `None` for code without one.
    pub(super) function: Option<usize>,
    /// A smaller index, except for the root, which is its own parent.
    pub(super) parent: usize,
    pub(super) calls: u64,
    pub(super) instructions: u64,
    pub(super) cycles: u64,
    pub(super) lowest_sp: u32,
    children: Vec<usize>,
}

struct Frame {
    return_address: u32,
    caller: usize,
}

/// The counters a span of execution is measured by.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    pub(crate) clock: u64,
    pub(crate) instructions: u64,
    /// The lowest stack pointer since the marks before.
    pub(crate) lowest_sp: u32,
}

/// The call tree while it grows.
pub(crate) struct Recorder {
    symbols: Arc<Symbols>,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
    current: usize,
    /// The code of the current function: a jump inside it is none of our business.
    code: Range<u32>,
    since: Marks,
}

impl Recorder {
    /// Starts at `pc`, as if it had just been called.
    pub(crate) fn new(symbols: Arc<Symbols>, pc: u32, since: Marks) -> Self {
        let root = Node {
            function: None,
            parent: ROOT,
            calls: 0,
            instructions: 0,
            cycles: 0,
            lowest_sp: u32::MAX,
            children: Vec::new(),
        };
        let nodes = vec![root];
        let mut recorder = Self { symbols, nodes, frames: Vec::new(), current: ROOT, code: 0..0, since };
        recorder.go_to_child(ROOT, pc);
        recorder.nodes[recorder.current].calls += 1;
        recorder
    }

    /// Whether a jump to `target` may enter or leave a function.
    #[inline(always)]
    pub(crate) fn concerns(&self, op: &Op, target: u32) -> bool {
        matches!(op.class, Class::Call | Class::CallRegister) || !self.code.contains(&target)
            // A recursive call returns into its own function.
            || matches!(op.class, Class::BranchRegister | Class::LoadManyPc | Class::LoadPc)
    }

    /// A taken jump of `op` at `pc` to `target`; `now` includes the jump itself.
    #[inline(never)]
    pub(crate) fn jump(&mut self, op: &Op, pc: u32, target: u32, now: Marks) {
        self.settle(now);
        if matches!(op.class, Class::Call | Class::CallRegister) {
            return self.call(pc.wrapping_add(u32::from(op.length)), target);
        }
        if matches!(op.class, Class::BranchRegister | Class::LoadManyPc | Class::LoadPc)
            && let Some(depth) = self.frames.iter().rposition(|f| f.return_address == target)
        {
            self.current = self.frames[depth].caller;
            self.frames.truncate(depth);
            self.code = self.code_of(self.nodes[self.current].function, target);
            return;
        }
        if !self.code.contains(&target) {
            let parent = self.nodes[self.current].parent;
            self.go_to_child(parent, target);
            // A jump into the middle goes on with a call that was counted already.
            self.nodes[self.current].calls += u64::from(self.code.start == target);
        }
    }

    /// Adds what was spent since the marks before to the current path.
    pub(crate) fn settle(&mut self, now: Marks) {
        let node = &mut self.nodes[self.current];
        node.cycles += now.clock - self.since.clock;
        node.instructions += now.instructions - self.since.instructions;
        node.lowest_sp = node.lowest_sp.min(now.lowest_sp);
        self.since = now;
    }

    /// What was recorded, after [`settle`](Self::settle).
    pub(crate) fn profile(&self, initial_sp: u32) -> Profile {
        report(&self.symbols, &self.nodes, initial_sp)
    }

    fn call(&mut self, return_address: u32, target: u32) {
        let caller = self.current;
        if self.frames.len() < MAX_FRAMES {
            self.frames.push(Frame { return_address, caller });
            self.go_to_child(caller, target);
        }
        self.nodes[self.current].calls += 1;
    }

    /// Makes the path "`parent`, then the function at `target`" the current one.
    fn go_to_child(&mut self, parent: usize, target: u32) {
        let function = self.symbols.find(target);
        self.code = self.code_of(function, target);
        let children = &self.nodes[parent].children;
        let known = children.iter().copied().find(|&child| self.nodes[child].function == function);
        self.current = match known {
            Some(child) => child,
            None if self.nodes.len() >= MAX_NODES => parent,
            None => {
                let child = self.nodes.len();
                self.nodes.push(Node {
                    function,
                    parent,
                    calls: 0,
                    instructions: 0,
                    cycles: 0,
                    lowest_sp: u32::MAX,
                    children: Vec::new(),
                });
                self.nodes[parent].children.push(child);
                child
            }
        };
    }

    /// The addresses of a function; of code without symbol only the one jumped to.
    fn code_of(&self, function: Option<usize>, target: u32) -> Range<u32> {
        let known = function.and_then(|index| self.symbols.get(index));
        known.map_or(target..target.saturating_add(2), |f| f.range.clone())
    }
}
