//! What the device does: its state, the commands it obeys, the telemetry it sends.

use wirebench_runtime::{List, Text};

use crate::clock;
use crate::messages::device::command::Action;
use crate::messages::device::event::Kind;
use crate::messages::device::{Acknowledge, Command, Outcome, Telemetry};

/// The state of the device.
pub struct Device {
    name: Text<16>,
    output: bool,
    /// Cycles between two telemetries nobody asked for; 0 for none.
    report_cycles: u32,
    reported_at: u32,
    samples: Samples,
}

impl Device {
    /// As after a reset.
    pub const fn new() -> Device {
        Device {
            name: Text::new(),
            output: false,
            report_cycles: 0,
            reported_at: 0,
            samples: Samples { state: 1 },
        }
    }

    /// Carries out a command and says what to answer.
    pub fn obey(&mut self, command: &Command) -> Kind {
        let outcome = match &command.action {
            Action::Read(_) => return Kind::Telemetry(self.telemetry(command.sequence)),
            Action::Configure(configure) => {
                self.name = configure.name.clone();
                self.report_cycles = configure.report_cycles;
                self.reported_at = clock::now();
                Outcome::DONE
            }
            Action::SetOutput(on) => {
                self.output = *on;
                Outcome::DONE
            }
            Action::NotSet => Outcome::UNKNOWN,
        };
        Kind::Acknowledge(Acknowledge { sequence: command.sequence, outcome })
    }

    /// Telemetry, if it is time for it.
    pub fn due(&mut self, now: u32) -> Option<Kind> {
        if self.report_cycles == 0 || now.wrapping_sub(self.reported_at) < self.report_cycles {
            return None;
        }
        self.reported_at = now;
        Some(Kind::Telemetry(self.telemetry(0)))
    }

    fn telemetry(&mut self, sequence: u32) -> Telemetry {
        let mut samples = List::new();
        // Ends when the list is full.
        while samples.push(self.samples.next()).is_ok() {}
        Telemetry {
            sequence,
            name: self.name.clone(),
            uptime_cycles: clock::now(),
            output: self.output,
            samples,
        }
    }
}

/// A sensor that needs no hardware: a fixed row of numbers around zero.
struct Samples {
    state: u32,
}

impl Samples {
    fn next(&mut self) -> i32 {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.state >> 22) as i32 - 512
    }
}
