//! `wirebench doctor`: what is installed for measuring, and the one command that mends what is missing.

use serde_json::json;
use wirebench_measure::settings::Core;
use wirebench_measure::toolchain::doctor;

use crate::cli::{Outcome, Terminal};

/// Checks every step of the ladder to a firmware build.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Print a JSON array instead of lines
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Prints one line a check; good if firmware can be built.
    pub fn run(&self, terminal: &mut Terminal<'_>) -> Outcome {
        let checks = doctor(&terminal.environment, Core::CortexM4f);
        if self.json {
            let rows: Vec<_> = checks
                .iter()
                .map(|c| json!({ "what": c.what, "ok": c.ok, "detail": c.detail, "fix": c.fix }))
                .collect();
            terminal.print(format!("{:#}\n", json!(rows)));
        } else {
            for check in &checks {
                terminal.print(format!(
                    "{} {}: {}\n",
                    if check.ok { "ok " } else { "-- " },
                    check.what,
                    check.detail
                ));
                if let Some(fix) = &check.fix {
                    terminal.print(format!("       to mend it: {fix}\n"));
                }
            }
        }
        if checks.iter().all(|check| check.ok) { Outcome::Good } else { Outcome::CouldNotRun }
    }
}
