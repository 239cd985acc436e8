//! The outside world: worker threads, files, dialogs, the clipboard. Effects go in, events come out.
//!
//! Each worker has a name and catches panics. The engine's worker takes the newest request only; one
//! measurement runs at a time and can be cancelled.

mod compute;
mod dialog;
mod files;
mod measure;
mod newest;
mod sample;
mod simulator;

pub use dialog::{FileDialog, SystemDialog};
pub use measure::Measurer;
pub use simulator::Simulator;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use wirebench_measure::progress::Cancel;

use crate::update::{Effect, Event};
use newest::Newest;

/// Wakes the window up, so that it looks for events.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Parts of the outside world that tests replace.
pub struct Services {
    /// Chooses files.
    pub dialog: Arc<dyn FileDialog>,
    /// Measures.
    pub measurer: Arc<dyn Measurer>,
    /// Whether the engine runs on its own thread. Tests run it in place, so that a frame is enough.
    pub is_threaded: bool,
}

/// Runs effects and collects events.
pub struct Jobs {
    services: Services,
    wake: Wake,
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    compute: Option<Newest<crate::update::ComputeJob>>,
    cancel: Cancel,
}

impl Jobs {
    /// Starts the workers.
    pub fn new(services: Services, wake: Wake) -> Jobs {
        let (sender, receiver) = channel();
        let compute = services.is_threaded.then(|| {
            let (sender, wake) = (sender.clone(), wake.clone());
            Newest::start("engine", move |job| {
                // The receiver is gone only when the window is.
                let _ = sender.send(compute::run(&job));
                wake();
            })
        });
        Jobs { services, wake, sender, receiver, compute, cancel: Cancel::default() }
    }

    /// The events since the last call.
    pub fn events(&self) -> Vec<Event> {
        self.receiver.try_iter().collect()
    }

    /// Carries out an effect. Text for the clipboard and closing go through egui.
    pub fn run(&mut self, effect: Effect, ctx: &egui::Context) {
        match effect {
            Effect::Compute(job) => match &self.compute {
                Some(worker) => worker.submit(job),
                None => self.report(compute::run(&job)),
            },
            Effect::Measure(job) => {
                self.cancel = Cancel::default();
                let (sender, wake) = (self.sender.clone(), self.wake.clone());
                measure::start(self.services.measurer.clone(), job, self.cancel.clone(), move |event| {
                    let _ = sender.send(event);
                    wake();
                });
            }
            Effect::CancelMeasure => self.cancel.cancel(),
            Effect::Pick(purpose) => {
                let (sender, wake) = (self.sender.clone(), self.wake.clone());
                dialog::pick(self.services.dialog.clone(), purpose, move |event| {
                    let _ = sender.send(event);
                    wake();
                });
            }
            Effect::Read(project) => self.report(files::read_project(project)),
            Effect::Write(files) => self.report(files::write(&files)),
            Effect::WriteAs { project, files } => self.report(files::write_as(project, &files)),
            Effect::Copy(text) => ctx.copy_text(text),
            Effect::Close => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    fn report(&self, event: Event) {
        // The receiver lives as long as `self`.
        let _ = self.sender.send(event);
        (self.wake)();
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// What a panic said.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
