//! [`Profile`]: the call tree as data, and its sums by function.

use super::recorder::{Node, ROOT};
use crate::symbols::Symbols;

/// What a firmware spent where, from its reset (or from when recording was switched on) until now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Every function that was executed, the one with the most cycles of its own first.
    pub functions: Vec<FunctionCost>,
    /// Every call path; a parent precedes its children.
    pub tree: Vec<CallNode>,
    /// Where the stack was deepest.
    pub deepest: StackPath,
}

/// One function over all its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCost {
    /// Mangled name; `?` for code without a symbol.
    pub name: String,
    /// First address; 0 for code without a symbol.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// Calls and tail calls.
    pub calls: u64,
    /// Instructions of its own.
    pub instructions: u64,
    /// Cycles of its own.
    pub cycles_self: u64,
    /// Cycles until it returned, callees included; recursive calls counted once.
    pub cycles_inclusive: u64,
}

/// One call path: a function as called from a certain chain of callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallNode {
    /// Index into [`Profile::functions`].
    pub function: usize,
    /// Index into [`Profile::tree`]; `None` for where recording began, and for its tail calls.
    pub parent: Option<usize>,
    /// Calls along this path.
    pub calls: u64,
    /// Instructions of its own.
    pub instructions: u64,
    /// Cycles of its own.
    pub cycles_self: u64,
    /// Cycles with everything called from it.
    pub cycles_inclusive: u64,
    /// Deepest stack while it executed itself, in bytes from the initial stack pointer.
    pub stack: u32,
}

/// The deepest stack, and the calls that led there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackPath {
    /// Bytes from the initial stack pointer.
    pub bytes: u32,
    /// Indices into [`Profile::functions`], outermost first.
    pub path: Vec<usize>,
}

/// Turns the recorded nodes into a [`Profile`].
pub(super) fn report(symbols: &Symbols, nodes: &[Node], initial_sp: u32) -> Profile {
    let inclusive = inclusive_cycles(nodes);
    let (functions, place) = functions(symbols, nodes, &inclusive);
    let stack = |node: &Node| match node.lowest_sp {
        u32::MAX => 0,
        sp => initial_sp.saturating_sub(sp),
    };
    let tree: Vec<CallNode> = nodes
        .iter()
        .zip(&inclusive)
        .skip(1)
        .map(|(node, &cycles_inclusive)| CallNode {
            function: place[slot(node.function)],
            parent: node.parent.checked_sub(1),
            calls: node.calls,
            instructions: node.instructions,
            cycles_self: node.cycles,
            cycles_inclusive,
            stack: stack(node),
        })
        .collect();
    let deepest = deepest(&tree);
    Profile { functions, tree, deepest }
}

/// Cycles of each node with its descendants. Children follow their parents, so one pass from the end
/// is enough.
fn inclusive_cycles(nodes: &[Node]) -> Vec<u64> {
    let mut cycles: Vec<u64> = nodes.iter().map(|n| n.cycles).collect();
    for index in (1..nodes.len()).rev() {
        cycles[nodes[index].parent] += cycles[index];
    }
    cycles
}

/// Slot 0 is for code without a symbol.
fn slot(function: Option<usize>) -> usize {
    function.map_or(0, |index| index + 1)
}

/// The functions in their final order, and for each slot its place in it.
fn functions(symbols: &Symbols, nodes: &[Node], inclusive: &[u64]) -> (Vec<FunctionCost>, Vec<usize>) {
    let slots = nodes.iter().map(|n| slot(n.function)).max().unwrap_or(0) + 1;
    let mut costs: Vec<Option<FunctionCost>> = vec![None; slots];
    for node in &nodes[1..] {
        let cost = costs[slot(node.function)].get_or_insert_with(|| named(symbols, node.function));
        cost.calls += node.calls;
        cost.instructions += node.instructions;
        cost.cycles_self += node.cycles;
    }
    for index in outermost(nodes, slots) {
        if let Some(cost) = &mut costs[slot(nodes[index].function)] {
            cost.cycles_inclusive += inclusive[index];
        }
    }
    let mut order: Vec<usize> = (0..slots).filter(|&s| costs[s].is_some()).collect();
    order.sort_by_key(|&s| costs[s].as_ref().map(|c| (std::cmp::Reverse(c.cycles_self), c.address)));
    let mut place = vec![0; slots];
    for (position, &slot) in order.iter().enumerate() {
        place[slot] = position;
    }
    (order.iter().filter_map(|&s| costs[s].take()).collect(), place)
}

fn named(symbols: &Symbols, function: Option<usize>) -> FunctionCost {
    let known = function.and_then(|index| symbols.get(index));
    FunctionCost {
        name: known.map_or_else(|| "?".to_owned(), |f| f.name.clone()),
        address: known.map_or(0, |f| f.range.start),
        size: known.map_or(0, |f| f.range.end - f.range.start),
        calls: 0,
        instructions: 0,
        cycles_self: 0,
        cycles_inclusive: 0,
    }
}

/// The nodes that have no ancestor of the same function, by a walk that keeps count of the functions
/// on its path.
fn outermost(nodes: &[Node], slots: usize) -> Vec<usize> {
    enum Step {
        Enter(usize),
        Leave(usize),
    }
    let mut children = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate().skip(1) {
        children[node.parent].push(index);
    }
    let mut on_path = vec![0u32; slots];
    let mut found = Vec::new();
    let mut steps: Vec<Step> = children[ROOT].iter().map(|&c| Step::Enter(c)).collect();
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(index) => {
                let count = &mut on_path[slot(nodes[index].function)];
                if *count == 0 {
                    found.push(index);
                }
                *count += 1;
                steps.push(Step::Leave(index));
                steps.extend(children[index].iter().map(|&c| Step::Enter(c)));
            }
            Step::Leave(index) => on_path[slot(nodes[index].function)] -= 1,
        }
    }
    found
}

fn deepest(tree: &[CallNode]) -> StackPath {
    // Of equally deep ones the first, which is the outermost.
    let Some((mut at, bytes)) = tree
        .iter()
        .map(|n| n.stack)
        .enumerate()
        .max_by_key(|&(index, bytes)| (bytes, std::cmp::Reverse(index)))
    else {
        return StackPath::default();
    };
    let mut path = vec![tree[at].function];
    while let Some(parent) = tree[at].parent {
        path.push(tree[parent].function);
        at = parent;
    }
    path.reverse();
    StackPath { bytes, path }
}
