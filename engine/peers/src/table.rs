//! Prints the report.

use std::fmt::Write as _;

use crate::row::{Report, Row, title};
use crate::summary::{OURS, losses, per_type};

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

/// What stands under the table: the libraries, those left out, and failures.
fn notes(report: &Report, bullet: &str) -> String {
    let mut text = String::new();
    let types = per_type(report);
    if !types.is_empty() {
        text.push_str("One more message type costs:\n\n");
        for line in types {
            let _ = writeln!(text, "{bullet}{line}");
        }
        text.push('\n');
    }
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
            for (column, cell) in line.iter().enumerate() {
                let width = width(column);
                let _ = match column {
                    0 => write!(text, "  {cell:<width$}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
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
