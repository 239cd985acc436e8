//! Prints the report.

use std::fmt::Write as _;

use crate::peers::Storage;
use crate::row::{Report, Row, title};

const HEADER: [&str; 11] = [
    "library",
    "flash",
    "codec",
    "cycles",
    "encode",
    "decode",
    "instructions",
    "RAM",
    "of it heap",
    "message",
    "wire",
];

fn cells(row: &Row) -> [String; 11] {
    let codec = row.codec_flash.filter(|_| row.library != "null");
    [
        row.library.clone(),
        row.flash.to_string(),
        codec.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
        row.cycles.to_string(),
        or_dash(row.encode_cycles),
        format!("{}{}", or_dash(row.decode_cycles), if row.is_lazy { "*" } else { "" }),
        row.instructions.to_string(),
        row.ram().to_string(),
        or_dash(row.heap),
        row.message_size.to_string(),
        row.wire_length.to_string(),
    ]
}

/// A figure, or a dash for one there is not.
fn or_dash(figure: u64) -> String {
    if figure == 0 { "-".to_owned() } else { figure.to_string() }
}

/// Rows of one scenario after the other.
fn groups(report: &Report) -> Vec<(&str, Vec<&Row>)> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in &report.rows {
        match groups.last_mut() {
            Some((scenario, rows)) if *scenario == row.scenario => rows.push(row),
            _ => groups.push((&row.scenario, vec![row])),
        }
    }
    groups
}

/// The library whose losses are listed: what a user gets who sets nothing.
const OURS: &str = "wirebench";

/// Every figure in which a protobuf library or zcbor is below ours: codec flash, cycles of encode and decode, RAM,
/// and among those that own their data without a heap, message size.
fn losses(report: &Report) -> Vec<String> {
    let mut losses = Vec::new();
    for (scenario, rows) in groups(report) {
        let Some(ours) = rows.iter().find(|row| row.library == OURS) else { continue };
        for other in rows.iter().filter(|row| row.library != "null" && !row.library.starts_with(OURS)) {
            let owns = other.storage == Storage::Owned;
            let codec = |row: &Row| row.codec_flash.map_or(0, |bytes| bytes.max(0) as u64);
            let figures = [
                ("bytes of codec flash", codec(ours), codec(other), true),
                ("cycles of encode", ours.encode_cycles, other.encode_cycles, true),
                ("cycles of decode", ours.decode_cycles, other.decode_cycles, !other.is_lazy),
                ("cycles", ours.cycles, other.cycles, true),
                ("bytes of RAM", ours.ram(), other.ram(), true),
                ("bytes of message", ours.message_size, other.message_size, owns),
            ];
            let lost = figures.iter().filter(|(_, own, their, counts)| *counts && *own != 0 && their < own);
            losses.extend(lost.map(|(what, own, their, _)| {
                format!("{}: {} needs {their} {what}, {OURS} {own}", title(scenario), other.library)
            }));
        }
    }
    losses
}

/// What stands under the table: the libraries, those left out, and failures.
fn notes(report: &Report, bullet: &str) -> String {
    let mut text = String::new();
    let losses = losses(report);
    if !losses.is_empty() {
        let _ = writeln!(text, "Where {OURS} loses:\n");
        for loss in losses {
            let _ = writeln!(text, "{bullet}{loss}");
        }
        text.push('\n');
    }
    for library in &report.libraries {
        let _ = writeln!(text, "{bullet}{}: {}", library.name, library.note);
    }
    for library in &report.left_out {
        let _ = writeln!(text, "{bullet}{} is left out: {}", library.name, library.note);
    }
    for failure in &report.failures {
        let _ = writeln!(text, "{bullet}FAILED: {failure}");
    }
    text
}

/// The tables in columns.
pub fn text(report: &Report) -> String {
    let mut text = format!("{}, opt-level {}\n", report.compiler, report.opt_level);
    for (scenario, rows) in groups(report) {
        let _ = writeln!(text, "\n{}", title(scenario));
        let lines: Vec<[String; 11]> =
            std::iter::once(HEADER.map(str::to_owned)).chain(rows.iter().map(|row| cells(row))).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
        for line in &lines {
            let _ = write!(text, "  {:<1$}", line[0], width(0));
            for column in 1..HEADER.len() {
                let _ = write!(text, "  {:>1$}", line[column], width(column));
            }
            text.push('\n');
        }
    }
    let _ = write!(text, "\n{}", notes(report, ""));
    text
}

/// The tables for a README.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("{}, opt-level {}\n", report.compiler, report.opt_level);
    for (scenario, rows) in groups(report) {
        let _ = writeln!(text, "\n**{}**\n\n| {} |", title(scenario), HEADER.join(" | "));
        let _ = writeln!(text, "| --- |{}", " ---: |".repeat(HEADER.len() - 1));
        for row in rows {
            let _ = writeln!(text, "| {} |", cells(row).join(" | "));
        }
    }
    let _ = write!(text, "\n{}", notes(report, "- "));
    text
}
