//! What is measured: scenarios, and the figures of one library in one scenario.

use serde::Serialize;

use crate::peers::{Peer, Storage};

/// A scenario of the comparison.
pub struct Scenario {
    /// Name of its function in every library's crate.
    pub name: &'static str,
    /// As the table shows it.
    pub title: &'static str,
}

/// All scenarios, in the order of the table.
pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "telemetry", title: "Telemetry" },
    Scenario { name: "telemetry_encode", title: "Telemetry, encode only" },
    Scenario { name: "telemetry_decode", title: "Telemetry, decode only" },
    Scenario { name: "telemetry_batch", title: "Batch of 20" },
    Scenario { name: "configuration", title: "Configuration" },
    Scenario { name: "command", title: "Command + Ack" },
    Scenario { name: "firmware_chunk", title: "Chunk, resident" },
    Scenario { name: "firmware_chunk_streamed", title: "Chunk, streamed in windows of 32 bytes" },
    Scenario { name: "growth_1", title: "Growth, 1 type" },
    Scenario { name: "growth_5", title: "Growth, 5 types of one shape" },
    Scenario { name: "growth_20", title: "Growth, 20 types of one shape" },
    Scenario { name: "growth_1_varied", title: "Growth, 1 type of the varied ones" },
    Scenario { name: "growth_5_varied", title: "Growth, 5 types of varied shapes" },
    Scenario { name: "growth_20_varied", title: "Growth, 20 types of varied shapes" },
];

/// The title of a scenario.
pub fn title(name: &str) -> &str {
    SCENARIOS.iter().find(|s| s.name == name).map_or(name, |s| s.title)
}

/// Figures of one library in one scenario. Sizes in bytes.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The scenario.
    pub scenario: String,
    /// The library.
    pub library: String,
    /// Program memory above the empty firmware.
    pub flash: u64,
    /// The same without the scenario's own part: minus the null row. `None` for the null row itself.
    pub codec_flash: Option<i64>,
    /// Cycles of the whole scenario.
    pub cycles: u64,
    /// Cycles of its encode calls.
    pub encode_cycles: u64,
    /// Cycles of its decode calls.
    pub decode_cycles: u64,
    /// Whether part of the decoding is done later, while the program reads the message.
    pub is_lazy: bool,
    /// Where the data of a decoded message is.
    pub storage: Storage,
    /// Instructions of the whole scenario.
    pub instructions: u64,
    /// Deepest stack, messages and buffers included.
    pub stack: u64,
    /// Most heap in use at a time.
    pub heap: u64,
    /// Static data above the empty firmware, the heap's arena left out.
    pub static_ram: u64,
    /// The scenario's message structs, added up.
    pub message_size: u64,
    /// Bytes on the wire, over all messages of the scenario.
    pub wire_length: u32,
    /// FNV-1a of those bytes; `None` where the harness takes none.
    pub checksum: Option<u32>,
}

impl Row {
    /// Stack, heap and static data together.
    pub fn ram(&self) -> u64 {
        self.stack + self.heap + self.static_ram
    }
}

/// A library that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Library {
    /// Its name in the rows.
    pub name: String,
    /// Version and what to know about its figures.
    pub note: String,
}

/// Everything one run found out.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Compiler of the Rust libraries.
    pub compiler: String,
    /// Optimization level.
    pub opt_level: String,
    /// The libraries.
    pub libraries: Vec<Library>,
    /// Libraries that were left out, and why.
    pub left_out: Vec<Library>,
    /// The figures, by scenario, then by library.
    pub rows: Vec<Row>,
    /// Measurements that failed: no figure of theirs stands in the rows.
    pub failures: Vec<String>,
}

impl Library {
    /// What the report says about a library.
    pub fn of(peer: &Peer) -> Library {
        Library { name: peer.name.to_owned(), note: format!("{} ({})", peer.version, peer.storage.words()) }
    }
}

impl Report {
    /// Flash above the null row of a scenario; `None` where there is no null row yet.
    pub fn above_null(&self, scenario: &str, flash: u64) -> Option<i64> {
        let null = self.rows.iter().find(|row| row.library == "null" && row.scenario == scenario)?;
        Some(flash as i64 - null.flash as i64)
    }
}
