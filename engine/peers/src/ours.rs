//! Our own rows, from the comparison suite of the measurement crate.

use wirebench_engine::options::Optimize;
use wirebench_measure::environment::Environment;
use wirebench_measure::measure::Bench;
use wirebench_measure::progress::{Cancel, Control};
use wirebench_measure::settings::Settings;
use wirebench_measure::suite::{Scenario, SuiteError, SuiteRow, scenarios, suite_of};

use crate::measure::Error;
use crate::peers::Peer;
use crate::row::{Library, Report, Row};

/// Measures the scenarios with one setting of our codec, and adds the rows to the report.
///
/// # Errors
/// If the suite has no result.
pub fn measure(
    peer: &Peer,
    optimize: Optimize,
    wanted: &[&str],
    settings: &Settings,
    report: &mut Report,
) -> Result<(), Error> {
    report.libraries.push(Library::of(peer));
    add(peer, optimize, wanted, settings, report, |row| row.kind != "null")
}

/// Adds the rows of the floor: our own scenarios with a copy of the struct in place of the codec.
///
/// # Errors
/// If the suite has no result.
pub fn floor(null: &Peer, wanted: &[&str], settings: &Settings, report: &mut Report) -> Result<(), Error> {
    add(null, Optimize::Auto, wanted, settings, report, |row| row.kind == "null")
}

fn add(
    peer: &Peer,
    optimize: Optimize,
    wanted: &[&str],
    settings: &Settings,
    report: &mut Report,
    belongs: impl Fn(&SuiteRow) -> bool,
) -> Result<(), Error> {
    let round_trip = |name: &str| name.trim_end_matches("_encode").trim_end_matches("_decode").to_owned();
    let is_wanted = |scenario: &Scenario| wanted.iter().any(|name| round_trip(name) == scenario.full_name());
    let chosen: Vec<Scenario> = scenarios().into_iter().filter(is_wanted).collect();
    let bench = Bench::new(&Environment::of_this_process(), settings.clone()).map_err(SuiteError::Measure)?;
    let cancel = Cancel::default();
    let result = suite_of(&chosen, &bench, optimize, Control { cancel: &cancel, progress: &|_| {} })?;
    report.failures.extend(result.failures.iter().map(|failure| format!("{}: {failure}", peer.name)));
    for row in result.rows.iter().filter(|row| row.checked && belongs(row)) {
        let Some(scenario) = place(row) else { continue };
        if !wanted.contains(&scenario.as_str()) {
            continue;
        }
        let flash = row.flash.unwrap_or(0);
        report.rows.push(Row {
            codec_flash: report.above_null(&scenario, flash),
            scenario,
            library: peer.name.to_owned(),
            flash,
            cycles: row.cycles.unwrap_or(0),
            encode_cycles: row.encode_cycles.unwrap_or(0),
            decode_cycles: row.decode_cycles.unwrap_or(0),
            is_lazy: false,
            storage: peer.storage,
            instructions: row.instructions.unwrap_or(0),
            stack: row.stack.unwrap_or(0),
            heap: 0,
            static_ram: 0,
            message_size: row.message.unwrap_or(0),
            wire_length: row.wire.unwrap_or(0) as u32,
            checksum: None,
        });
    }
    Ok(())
}

/// The scenario a row of the suite belongs to. One direction alone is compared for telemetry only.
fn place(row: &SuiteRow) -> Option<String> {
    let varied = if row.shapes == wirebench_measure::suite::Shapes::Varied { "_varied" } else { "" };
    match row.kind.as_str() {
        "round_trip" | "null" => Some(format!("{}{varied}", row.scenario)),
        one_direction if row.scenario == "telemetry" => Some(format!("telemetry_{one_direction}")),
        _ => None,
    }
}
