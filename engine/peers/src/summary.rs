//! What the rows say together: where we lose, and what one more message type costs.

use crate::peers::Storage;
use crate::row::{Report, Row, title};

/// The library whose losses are listed: what a user gets who sets nothing.
pub const OURS: &str = "wirebench";

/// Every figure in which another library is below ours: codec flash, cycles, RAM, and among those that own their
/// data without a heap, message size.
pub fn losses(report: &Report) -> Vec<String> {
    let ours = report.rows.iter().filter(|row| row.library == OURS);
    ours.flat_map(|ours| {
        let others = report.rows.iter().filter(|row| row.scenario == ours.scenario);
        let others = others.filter(|row| row.library != "null" && !row.library.starts_with(OURS));
        others.flat_map(|other| lost(ours, other))
    })
    .collect()
}

fn lost(ours: &Row, other: &Row) -> Vec<String> {
    let codec = |row: &Row| row.codec_flash.map_or(0, |bytes| bytes.max(0) as u64);
    let is_owner = other.storage == Storage::Owned;
    // What, ours, the other's, and whether the two can be compared.
    let figures = [
        ("bytes of codec flash", codec(ours), codec(other), true),
        ("cycles", ours.cycles, other.cycles, true),
        ("cycles of encode", ours.encode_cycles, other.encode_cycles, true),
        ("cycles of decode", ours.decode_cycles, other.decode_cycles, !other.is_lazy),
        ("bytes of RAM", ours.ram(), other.ram(), true),
        ("bytes of message", ours.message_size, other.message_size, is_owner),
    ];
    let lost = figures.into_iter().filter(|(_, own, their, counts)| *counts && their < own);
    lost.map(|(what, own, their, _)| {
        format!("{}: {} needs {their} {what}, {OURS} {own}", title(&ours.scenario), other.library)
    })
    .collect()
}

/// Flash and cycles from 1 to 20 types, for each.
pub fn per_type(report: &Report) -> Vec<String> {
    report.libraries.iter().filter_map(|library| per_type_of(report, &library.name)).collect()
}

fn per_type_of(report: &Report, library: &str) -> Option<String> {
    let row =
        |scenario: &str| report.rows.iter().find(|row| row.library == library && row.scenario == scenario);
    let slope = |from: u64, to: u64| to.saturating_sub(from) / 19;
    let of = |one: &str, twenty: &str| {
        let (one, twenty) = (row(one)?, row(twenty)?);
        let codec = match (one.codec_flash, twenty.codec_flash) {
            (Some(one), Some(twenty)) if library != "null" => {
                format!(", {} of it codec", (twenty - one) / 19)
            }
            _ => String::new(),
        };
        let (flash, cycles) = (slope(one.flash, twenty.flash), slope(one.cycles, twenty.cycles));
        Some(format!("{flash} bytes of flash{codec}, {cycles} cycles"))
    };
    let equal = of("growth_1", "growth_20")?;
    let varied = of("growth_1_varied", "growth_20_varied")?;
    Some(format!("{library}: {equal}; with varied shapes {varied}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(library: &str, decode_cycles: u64, message_size: u64, storage: Storage, is_lazy: bool) -> Row {
        Row {
            scenario: "telemetry_batch".to_owned(),
            library: library.to_owned(),
            flash: 1000,
            codec_flash: Some(500),
            cycles: 100,
            encode_cycles: 10,
            decode_cycles,
            is_lazy,
            storage,
            instructions: 50,
            stack: 200,
            heap: 0,
            static_ram: 0,
            message_size,
            wire_length: 405,
            checksum: None,
        }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report {
            compiler: String::new(),
            opt_level: String::new(),
            libraries: Vec::new(),
            left_out: Vec::new(),
            rows,
            failures: Vec::new(),
        }
    }

    #[test]
    fn only_what_can_be_compared_is_a_loss() {
        let report = report(vec![
            row("null", 1, 1, Storage::Owned, false),
            row(OURS, 20, 336, Storage::Owned, false),
            row("wirebench-speed", 10, 336, Storage::Owned, false),
            row("lazy", 5, 72, Storage::Borrowed, true),
            row("better", 19, 320, Storage::Owned, false),
        ]);
        assert_eq!(
            losses(&report),
            [
                "Batch of 20: better needs 19 cycles of decode, wirebench 20",
                "Batch of 20: better needs 320 bytes of message, wirebench 336",
            ]
        );
    }
}
