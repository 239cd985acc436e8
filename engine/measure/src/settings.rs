//! How measurement firmware is built. All of it is part of every result's key.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A processor firmware is built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Core {
    /// Cortex-M4 with single-precision FPU.
    #[default]
    CortexM4f,
    /// Cortex-M4 without FPU.
    CortexM4,
}

impl Core {
    /// The Rust target.
    pub fn target(self) -> &'static str {
        match self {
            Core::CortexM4f => "thumbv7em-none-eabihf",
            Core::CortexM4 => "thumbv7em-none-eabi",
        }
    }

    /// The word of the command line and of results: `cortex-m4f`.
    pub fn word(self) -> &'static str {
        match self {
            Core::CortexM4f => "cortex-m4f",
            Core::CortexM4 => "cortex-m4",
        }
    }
}

/// The compiler's optimization level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OptLevel {
    /// `s`: small.
    #[default]
    #[serde(rename = "s")]
    Small,
    /// `z`: smallest.
    #[serde(rename = "z")]
    Smallest,
    /// `2`.
    #[serde(rename = "2")]
    Two,
    /// `3`: fastest.
    #[serde(rename = "3")]
    Three,
}

impl OptLevel {
    /// All levels, in the order they are offered.
    pub const ALL: [OptLevel; 4] = [OptLevel::Small, OptLevel::Smallest, OptLevel::Two, OptLevel::Three];

    /// As rustc and the command line spell it.
    pub fn word(self) -> &'static str {
        match self {
            OptLevel::Small => "s",
            OptLevel::Smallest => "z",
            OptLevel::Two => "2",
            OptLevel::Three => "3",
        }
    }
}

impl FromStr for OptLevel {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<OptLevel, UnknownWord> {
        let found = OptLevel::ALL.into_iter().find(|level| level.word() == word);
        found.ok_or_else(|| UnknownWord { word: word.to_owned(), known: "s, z, 2, 3" })
    }
}

/// A word that names no setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not one of {known}")]
pub struct UnknownWord {
    /// The word.
    pub word: String,
    /// The words there are.
    pub known: &'static str,
}

/// Where the core library comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreLibrary {
    /// Built by the toolchain's makers at their level, as every user of a stable toolchain has it.
    Prebuilt,
    /// Built with the firmware, at its level (`-Z build-std`).
    Rebuilt,
}

impl CoreLibrary {
    /// The word of results: `prebuilt` or `rebuilt`.
    pub fn word(self) -> &'static str {
        match self {
            CoreLibrary::Prebuilt => "prebuilt",
            CoreLibrary::Rebuilt => "rebuilt",
        }
    }
}

/// Who copies, sets and compares memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryRoutines {
    /// The compiler's: fast on long blocks, up to 300 bytes each.
    #[default]
    Compiler,
    /// The template's: about 100 bytes together.
    Small,
}

impl MemoryRoutines {
    /// The word of results: `compiler` or `small`.
    pub fn word(self) -> &'static str {
        match self {
            MemoryRoutines::Compiler => "compiler",
            MemoryRoutines::Small => "small",
        }
    }
}

/// A region of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Region {
    /// First address.
    pub origin: u32,
    /// Length in bytes.
    pub length: u32,
}

/// Where flash and RAM are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemoryMap {
    /// Program memory.
    pub flash: Region,
    /// Data and stack.
    pub ram: Region,
}

impl Default for MemoryMap {
    /// The simulated chip: 1 MiB of flash at 0x0800_0000, 256 KiB of RAM at 0x2000_0000.
    fn default() -> MemoryMap {
        MemoryMap {
            flash: Region { origin: 0x0800_0000, length: 1 << 20 },
            ram: Region { origin: 0x2000_0000, length: 256 << 10 },
        }
    }
}

impl fmt::Display for MemoryMap {
    /// The text of `memory.x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "MEMORY\n{{")?;
        writeln!(f, "  FLASH (rx)  : ORIGIN = {:#010x}, LENGTH = {}", self.flash.origin, self.flash.length)?;
        writeln!(f, "  RAM   (rwx) : ORIGIN = {:#010x}, LENGTH = {}\n}}", self.ram.origin, self.ram.length)
    }
}

/// How measurement firmware is built. Always fat LTO, one codegen unit, `panic = "abort"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Settings {
    /// What it runs on.
    pub core: Core,
    /// Optimization level.
    pub opt_level: OptLevel,
    /// `None`: what the toolchain has, the prebuilt one first.
    pub core_library: Option<CoreLibrary>,
    /// Memory routines.
    pub memory_routines: MemoryRoutines,
    /// Whether the compiler may merge functions with the same code (rustc's own default).
    pub merge_functions: bool,
    /// Memory of the chip.
    pub memory: MemoryMap,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            core: Core::default(),
            opt_level: OptLevel::default(),
            core_library: None,
            memory_routines: MemoryRoutines::default(),
            merge_functions: true,
            memory: MemoryMap::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_read_back_from_its_word() {
        for level in OptLevel::ALL {
            assert_eq!(level.word().parse(), Ok(level));
        }
        assert_eq!("4".parse::<OptLevel>().unwrap_err().to_string(), "\"4\" is not one of s, z, 2, 3");
    }
}
