//! Which function an address belongs to.

use std::ops::Range;

use crate::elf::{Image, SymbolKind};

/// A function's place and (mangled) name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) range: Range<u32>,
}

/// Functions by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    /// Ordered by start; at most one per start.
    functions: Vec<Function>,
}

impl Symbols {
    pub(crate) fn of(image: &Image) -> Self {
        let named = image.symbols().iter().filter(|s| s.kind == SymbolKind::Function && s.section.is_some());
        let mut functions: Vec<Function> = named
            .map(|s| Function { name: s.name.clone(), range: s.address..s.address.saturating_add(s.size) })
            .collect();
        // Of several names at one address the longest function wins, then the first in the file.
        functions.sort_by_key(|f| (f.range.start, std::cmp::Reverse(f.range.end)));
        functions.dedup_by_key(|f| f.range.start);
        // Assembly without sizes reaches to the next function.
        for index in 0..functions.len() {
            let next = functions.get(index + 1).map_or(u32::MAX, |f| f.range.start);
            let range = &mut functions[index].range;
            range.end = if range.end == range.start { next } else { range.end.min(next) };
        }
        Self { functions }
    }

    /// The index of the function that holds `address`.
    pub(crate) fn find(&self, address: u32) -> Option<usize> {
        let after = self.functions.partition_point(|f| f.range.start <= address);
        let index = after.checked_sub(1)?;
        self.functions[index].range.contains(&address).then_some(index)
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Function> {
        self.functions.get(index)
    }

    /// The name of the function that holds `address`.
    pub(crate) fn name_at(&self, address: u32) -> Option<String> {
        self.find(address).and_then(|index| self.get(index)).map(|f| f.name.clone())
    }

    #[cfg(test)]
    pub(crate) fn from_ranges<const N: usize>(functions: [(&str, Range<u32>); N]) -> Self {
        let functions = functions.map(|(name, range)| Function { name: name.to_owned(), range });
        Self { functions: functions.into() }
    }
}
