//! Builds and runs every library in every scenario.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use wirebench_measure::builder::Built;
use wirebench_measure::cache::FolderLock;
use wirebench_measure::environment::Environment;
use wirebench_measure::mailbox::State;
use wirebench_measure::progress::{Cancel, Control};
use wirebench_measure::run::{INSTRUCTION_LIMIT, Ran, RunError, preset, run};
use wirebench_measure::settings::{Core, CoreLibrary, MemoryRoutines, Region, Settings};
use wirebench_measure::suite::SuiteError;
use wirebench_measure::toolchain::{Toolchain, ToolchainError};
use wirebench_sim::{Image, Machine, Memory};

use crate::args::Args;
use crate::ours;
use crate::peers::{Peer, Source};
use crate::project::{EMPTY, Project, Purpose, target_folder};
use crate::row::{Library, Report, Row};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No compiler for the firmware.
    #[error("{0}")]
    Toolchain(#[from] ToolchainError),
    /// A program could not be started.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's words.
        #[source]
        source: io::Error,
    },
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The system's words.
        #[source]
        source: io::Error,
    },
    /// The compiler or linker refused.
    #[error("{what} does not build:\n{log}")]
    Build {
        /// The library.
        what: String,
        /// What was printed.
        log: String,
    },
    /// Our own codec could not be measured.
    #[error("{0}")]
    Suite(#[from] SuiteError),
    /// A library is not to be had on this machine.
    #[error("{0}")]
    LeftOut(String),
    /// A firmware did not run to its end.
    #[error("{name}: {source}")]
    Run {
        /// The firmware.
        name: String,
        /// Why.
        #[source]
        source: RunError,
    },
}

/// What only the comparison's firmware reports, in the builds that split.
#[derive(Clone, Copy, Default)]
struct Reported {
    /// Of all messages of all runs.
    message_bytes: u64,
    heap: u64,
}

/// Measures what was asked for. A library or scenario that fails is named in the report; the rest goes on.
///
/// # Errors
/// If there is no toolchain, or the floor cannot be measured.
pub fn all(args: &Args) -> Result<Report, Error> {
    let settings = Settings {
        opt_level: args.opt_level,
        core_library: Some(CoreLibrary::Rebuilt),
        memory_routines: MemoryRoutines::Small,
        ..Settings::default()
    };
    let toolchain = Toolchain::find(&Environment::of_this_process(), Core::default(), settings.core_library)?;
    // One run at a time: all use the same folder.
    let cancel = Cancel::default();
    let control = Control { cancel: &cancel, progress: &|_| {} };
    let _lock = FolderLock::take(&target_folder(), control)
        .map_err(|source| Error::File { path: target_folder(), source })?;
    let project = Project::write(&args.peers, &args.scenarios, &settings, &toolchain)?;
    let mut report = Report {
        compiler: toolchain.version.clone(),
        opt_level: args.opt_level.word().to_owned(),
        libraries: Vec::new(),
        left_out: Vec::new(),
        rows: Vec::new(),
        failures: Vec::new(),
    };
    let mut bench = Bench { settings: &settings, project: &project, empty: (0, 0), report: &mut report };
    for peer in &args.peers {
        eprintln!("{}: building and running", peer.name);
        let measured = match peer.source {
            Source::Ours(optimize) => ours::measure(peer, optimize, &args.scenarios, &settings, bench.report),
            Source::Rust(..) | Source::Native(_) => bench.library(peer).and_then(|()| match peer.name {
                "null" => ours::floor(peer, &args.scenarios, &settings, bench.report),
                _ => Ok(()),
            }),
        };
        match measured {
            Ok(()) => {}
            Err(error) if peer.name == "null" => return Err(error),
            Err(Error::LeftOut(why)) => {
                bench.report.left_out.push(Library { name: peer.name.to_owned(), note: why })
            }
            Err(error) => bench.report.failures.push(error.to_string()),
        }
    }
    check_wire(&mut report, &args.peers);
    let order = |row: &Row| args.scenarios.iter().position(|s| *s == row.scenario);
    report.rows.sort_by_key(order);
    Ok(report)
}

struct Bench<'a> {
    settings: &'a Settings,
    project: &'a Project<'a>,
    /// Flash and static data of the empty firmware.
    empty: (u64, u64),
    report: &'a mut Report,
}

impl Bench<'_> {
    fn library(&mut self, peer: &Peer) -> Result<(), Error> {
        let whole = self.project.build(peer, Purpose::Whole)?;
        let split = self.project.build(peer, Purpose::Split)?;
        if let Some(empty) = whole.get(EMPTY) {
            let image = self.run(empty)?.image;
            self.empty = (image.flash, image.static_ram);
        }
        self.report.libraries.push(Library::of(peer));
        for (scenario, whole) in whole.iter().filter(|(scenario, _)| *scenario != EMPTY) {
            let row = match split.get(scenario) {
                Some(split) => self.row(peer, scenario, whole, split),
                None => continue,
            };
            match row {
                Ok(row) => self.report.rows.push(row),
                Err(error) => self.report.failures.push(error.to_string()),
            }
        }
        Ok(())
    }

    fn row(&self, peer: &Peer, scenario: &str, whole: &Built, split: &Built) -> Result<Row, Error> {
        let (ran, parts) = (self.run(whole)?, self.run(split)?);
        let runs = parts.mailbox.total.len() as u64 + 1;
        let reported = self.reported(split)?;
        let fewest = |samples: &[u32]| samples.iter().min().copied().unwrap_or(0).into();
        let flash = ran.image.flash.saturating_sub(self.empty.0);
        Ok(Row {
            scenario: scenario.to_owned(),
            library: peer.name.to_owned(),
            flash,
            codec_flash: self.report.above_null(scenario, flash),
            cycles: fewest(&ran.mailbox.total),
            encode_cycles: fewest(&parts.mailbox.encode),
            decode_cycles: fewest(&parts.mailbox.decode),
            is_lazy: peer.is_lazy_in.contains(&scenario),
            storage: peer.storage,
            instructions: ran.instructions,
            stack: ran.peak_stack,
            heap: reported.heap,
            static_ram: ran.image.static_ram.saturating_sub(self.empty.1 + arena(&whole.elf)),
            message_size: reported.message_bytes / runs,
            wire_length: parts.mailbox.wire_length,
            checksum: parts.mailbox.checksum,
        })
    }

    /// Runs a firmware; one whose own check failed is an error.
    fn run(&self, built: &Built) -> Result<Ran, Error> {
        let cancel = Cancel::default();
        let control = Control { cancel: &cancel, progress: &|_| {} };
        let fail = |source| Error::Run { name: built.name.clone(), source };
        let ran = run(built, self.settings, control).map_err(fail)?;
        match ran.mailbox.state {
            State::Passed => Ok(ran),
            _ => Err(Error::Build {
                what: built.name.clone(),
                log: "a value did not come back as it was sent".to_owned(),
            }),
        }
    }

    /// Runs a firmware once more for the words it leaves outside the mailbox.
    fn reported(&self, built: &Built) -> Result<Reported, Error> {
        let fail = |source| Error::Run { name: built.name.clone(), source };
        let image = Image::load(&built.elf).map_err(|e| fail(e.into()))?;
        let region = |r: Region| wirebench_sim::Region::new(r.origin, r.length);
        let memory = Memory::new(region(self.settings.memory.flash), region(self.settings.memory.ram));
        let mut machine =
            Machine::new(&image, preset(self.settings.core), memory).map_err(|e| fail(e.into()))?;
        machine.run(INSTRUCTION_LIMIT);
        let word = |symbol: &str| {
            let mut bytes = [0; 4];
            let address = image.symbols().iter().find(|s| s.name == symbol)?.address;
            machine.read_memory(address, &mut bytes).ok()?;
            Some(u64::from(u32::from_le_bytes(bytes)))
        };
        Ok(Reported {
            message_bytes: word("PEER_MESSAGE_BYTES").unwrap_or(0),
            heap: word("PEER_HEAP_PEAK").unwrap_or(0),
        })
    }
}

/// Bytes of the heap's arena, which is not charged: what is used of it is.
fn arena(elf: &[u8]) -> u64 {
    let Ok(image) = Image::load(elf) else { return 0 };
    image.symbols().iter().find(|s| s.name == "PEER_HEAP_ARENA").map_or(0, |s| s.size.into())
}

/// Every protobuf library has to put the same bytes on the wire; where one does not, its row is no comparison.
fn check_wire(report: &mut Report, peers: &[&Peer]) {
    let is_protobuf = |row: &Row| peers.iter().any(|peer| peer.name == row.library && peer.is_protobuf);
    let mut first: BTreeMap<String, (u32, Option<u32>, String)> = BTreeMap::new();
    for row in report.rows.iter().filter(|row| is_protobuf(row)) {
        let (length, checksum, library) = first
            .entry(row.scenario.clone())
            .or_insert_with(|| (row.wire_length, row.checksum, row.library.clone()));
        // The suite of our own codec has compared the bytes with its own encoding; it reports their number.
        let is_other = checksum.is_some() && row.checksum.is_some() && *checksum != row.checksum;
        *checksum = checksum.or(row.checksum);
        if *length != row.wire_length || is_other {
            report.failures.push(format!(
                "{}: {} puts other bytes on the wire than {library}: {} bytes instead of {length}",
                row.scenario, row.library, row.wire_length
            ));
        }
    }
}
