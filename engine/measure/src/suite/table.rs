//! The table for people: aligned text and Markdown. The JSON is the contract's.

use std::fmt::Write as _;

use super::{Shapes, SuiteResult, SuiteRow};

const HEAD: [&str; 11] = [
    "scenario",
    "kind",
    "flash",
    "codec",
    "cycles",
    "encode",
    "decode",
    "instructions",
    "stack",
    "message",
    "wire",
];

impl SuiteResult {
    /// The contract's JSON, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Aligned columns for a terminal.
    pub fn to_text(&self) -> String {
        let lines: Vec<Vec<String>> = self.lines().collect();
        let width = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0).max(HEAD[column].len())
        };
        let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
        let mut text = format!("{}\n\n", self.caption());
        let head: Vec<String> = HEAD.iter().map(|word| (*word).to_owned()).collect();
        for line in std::iter::once(&head).chain(&lines) {
            let mut row = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                let _ = match column {
                    0 | 1 => write!(row, "{gap}{cell:<width$}"),
                    _ => write!(row, "{gap}{cell:>width$}"),
                };
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// A Markdown table with its caption.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("{}\n\n| {} |\n", self.caption(), HEAD.join(" | "));
        text.push_str("| --- | --- |");
        text.push_str(&" ---: |".repeat(HEAD.len() - 2));
        text.push('\n');
        for line in self.lines() {
            let _ = writeln!(text, "| {} |", line.join(" | "));
        }
        text
    }

    /// What the figures are and how they came about, in two sentences.
    fn caption(&self) -> String {
        let s = &self.settings;
        format!(
            "{}, 0 wait states, simulated (cycles \u{b1}10 %, sizes and instructions exact). {}, opt-level {}, {} LTO, core library {}, \
             memory routines: {}, function merging {}, optimize {}; sizes in bytes, flash over the empty firmware.",
            if self.core == "cortex-m4f" { "Cortex-M4F" } else { &self.core },
            s.toolchain,
            s.opt_level,
            s.lto,
            s.core_library,
            s.memory_routines,
            if s.merge_functions { "on" } else { "off" },
            s.optimize,
        )
    }

    fn lines(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.rows.iter().map(|row| {
            let name = match row.shapes {
                Shapes::Equal => row.scenario.clone(),
                Shapes::Varied => format!("{} (varied)", row.scenario),
            };
            if !row.checked {
                let mut line = vec![name, row.kind.replace('_', " "), "check failed".to_owned()];
                line.resize(HEAD.len(), String::new());
                return line;
            }
            let cell = |value: Option<u64>| value.map_or_else(String::new, |v| v.to_string());
            let figures = [
                row.flash,
                self.codec_flash(row),
                row.cycles,
                row.encode_cycles,
                row.decode_cycles,
                row.instructions,
                row.stack,
                row.message,
                row.wire,
            ];
            let mut line = vec![name, row.kind.replace('_', " ")];
            line.extend(figures.into_iter().map(cell));
            line
        })
    }

    /// Flash of a round trip less its null row.
    fn codec_flash(&self, row: &SuiteRow) -> Option<u64> {
        let is_null = |other: &&SuiteRow| {
            other.kind == "null" && other.scenario == row.scenario && other.shapes == row.shapes
        };
        let null = self.rows.iter().find(is_null)?;
        (row.kind == "round_trip").then(|| row.flash?.checked_sub(null.flash?)).flatten()
    }
}
