//! Prints the report.

use std::fmt::Write as _;

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
    let heap = if row.heap == 0 { "-".to_owned() } else { row.heap.to_string() };
    [
        row.library.clone(),
        row.flash.to_string(),
        codec.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
        row.cycles.to_string(),
        row.encode_cycles.to_string(),
        row.decode_cycles.to_string(),
        row.instructions.to_string(),
        row.ram().to_string(),
        heap,
        row.message_size.to_string(),
        row.wire_length.to_string(),
    ]
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

/// What stands under the table: the libraries, those left out, and failures.
fn notes(report: &Report, bullet: &str) -> String {
    let mut text = String::new();
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
