//! What a long piece of work tells about itself, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a measurement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Another measurement uses the same build folder; waiting for it.
    Waiting,
    /// Cargo started.
    BuildStarted {
        /// How many firmwares it builds.
        firmwares: usize,
        /// Whether the core library may have to be built first, which takes half a minute once.
        rebuilds_core: bool,
    },
    /// A crate is being compiled: `core`, `wirebench-runtime`, `wirebench-firmware`.
    Compiling {
        /// Name of the crate.
        package: String,
    },
    /// One firmware is linked.
    Linked {
        /// Name of the firmware, as in [`crate::firmware::Firmware::name`].
        name: String,
        /// How many are linked so far.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// A firmware runs on the simulated core.
    Running {
        /// Name of the firmware.
        name: String,
    },
    /// The result comes from the cache; nothing was built or run.
    FromCache {
        /// Name of what was asked for.
        name: String,
    },
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Progress::Waiting => f.write_str("waiting for another measurement"),
            Progress::BuildStarted { firmwares: 1, rebuilds_core: false } => {
                f.write_str("building the firmware")
            }
            Progress::BuildStarted { firmwares, rebuilds_core } => {
                let core = if *rebuilds_core { " (the core library is built once)" } else { "" };
                write!(f, "building {firmwares} firmwares{core}")
            }
            Progress::Compiling { package } => write!(f, "compiling {package}"),
            Progress::Linked { name, done, of } => write!(f, "built {name} ({done} of {of})"),
            Progress::Running { name } => write!(f, "running {name}"),
            Progress::FromCache { name } => write!(f, "{name}: from the cache"),
        }
    }
}

/// Asks work to stop; shared between the one who asks and the one who works.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks. Work stops at its next look, within a tenth of a second.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How work reports and is stopped.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Called with every step, from the thread that measures.
    pub progress: &'a (dyn Fn(Progress) + 'a),
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl Control<'_> {
    /// Reports a step.
    pub fn report(&self, step: Progress) {
        (self.progress)(step);
    }
}
