//! What a firmware's ELF file says: how much flash and RAM it takes, and which symbol takes how much.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wirebench_sim::SymbolKind;

/// Which part of a firmware a symbol belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Code and tables printed from the plan.
    Generated,
    /// The runtime that generated code links.
    Runtime,
    /// The scenario: fills, copies and compares values, with everything the compiler inlined into it.
    Scenario,
    /// Memory routines, arithmetic of the compiler, and the core library.
    Helpers,
    /// Start-up and counters: in the empty firmware too.
    Harness,
}

impl Part {
    /// As shown: `generated code`.
    pub fn word(self) -> &'static str {
        match self {
            Part::Generated => "generated code",
            Part::Runtime => "runtime",
            Part::Scenario => "scenario",
            Part::Helpers => "helpers",
            Part::Harness => "harness",
        }
    }
}

/// A function or constant in flash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolSize {
    /// Demangled name, without the hash.
    pub name: String,
    /// Its part.
    pub part: Part,
    /// Bytes.
    pub size: u64,
}

/// Sizes of one image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Allocated program sections, initial values of static data included, in bytes.
    pub flash: u64,
    /// Static data in RAM, in bytes.
    pub static_ram: u64,
    /// Functions and constants in flash, largest first, functions that were merged into one once.
    pub symbols: Vec<SymbolSize>,
    /// Functions by address, ascending: first address, size and name.
    pub functions: Vec<(u32, u32, String)>,
    /// Addresses of all named symbols.
    addresses: BTreeMap<String, u32>,
}

impl Image {
    /// Sizes and symbols of a loaded ELF file.
    pub fn of(elf: &wirebench_sim::Image) -> Image {
        let mut image = Image::default();
        for section in elf.sections().iter().filter(|s| s.is_allocated()) {
            image.flash += if section.is_zeroed() { 0 } else { u64::from(section.size) };
            image.static_ram += if section.is_writable() { u64::from(section.size) } else { 0 };
        }
        let mut taken: BTreeMap<u32, SymbolSize> = BTreeMap::new();
        for symbol in elf.symbols() {
            image.addresses.insert(symbol.name.clone(), symbol.address);
            let section = symbol.section.and_then(|at| elf.sections().get(at));
            let is_in_flash = section.is_some_and(|s| s.is_allocated() && !s.is_writable());
            if symbol.size == 0 || !is_in_flash {
                continue;
            }
            let name = demangled(&symbol.name);
            let part = part_of(&name);
            if symbol.kind == SymbolKind::Function {
                image.functions.push((symbol.address, symbol.size, name.clone()));
            }
            taken.entry(symbol.address).or_insert(SymbolSize { name, part, size: u64::from(symbol.size) });
        }
        image.functions.sort();
        image.functions.dedup_by_key(|f| f.0);
        image.symbols = taken.into_values().collect();
        image.symbols.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
        image
    }

    /// The address of a symbol by its name in the file, not demangled.
    pub fn address(&self, symbol: &str) -> Option<u32> {
        self.addresses.get(symbol).copied()
    }

    /// The function around an address.
    pub fn function_at(&self, address: u32) -> Option<&str> {
        let at = self.functions.partition_point(|f| f.0 <= address).checked_sub(1)?;
        let (first, size, name) = self.functions.get(at)?;
        (address - first < (*size).max(1)).then_some(name.as_str())
    }

    /// Bytes of one part.
    pub fn part(&self, part: Part) -> u64 {
        self.symbols.iter().filter(|s| s.part == part).map(|s| s.size).sum()
    }
}

/// The name as written in Rust, without the compiler's hash.
pub fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// The part a function or constant belongs to, by the crate and module it stands in. What it is generic
/// over does not count: the interpreter is the runtime's, whatever profile it is compiled for.
pub fn part_of(name: &str) -> Part {
    let mut path = name.trim_start_matches(['<', '&', '*', '[', '(']).split("::");
    let (root, module) = (path.next().unwrap_or_default(), path.next().unwrap_or_default());
    let module = module.split([' ', '>', '<']).next().unwrap_or_default();
    match (root, module) {
        ("wirebench_runtime", _) => Part::Runtime,
        ("firmware", _) | ("Reset" | "WIREBENCH_BUILD_ID" | "__rustc", _) => Part::Harness,
        ("wirebench_scenario", _) => Part::Scenario,
        ("core" | "compiler_builtins", _) | (_, "") => Part::Helpers,
        (_, "generated") => Part::Generated,
        _ => Part::Scenario,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_told_apart_by_their_path() {
        for (name, part) in [
            (
                "<telemetry::generated::comparison::Telemetry as wirebench_runtime::Message>::encode",
                Part::Generated,
            ),
            ("telemetry::stage::encode_apart::<telemetry::generated::comparison::Telemetry>", Part::Scenario),
            ("telemetry::generated::comparison::BIG_TABLE", Part::Generated),
            ("wirebench_runtime::table::read::<telemetry::generated::WirebenchProfile>", Part::Runtime),
            ("wirebench_runtime::decode::varint", Part::Runtime),
            ("<wirebench_runtime::Text<N> as core::cmp::PartialEq>::eq", Part::Runtime),
            ("firmware::bench::run", Part::Harness),
            ("telemetry::workload::run", Part::Scenario),
            ("wirebench_scenario", Part::Scenario),
            ("core::str::converts::from_utf8", Part::Helpers),
            ("memcpy", Part::Helpers),
        ] {
            assert_eq!(part_of(name), part, "{name}");
        }
    }
}
