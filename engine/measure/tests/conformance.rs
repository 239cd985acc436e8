//! The conformance suite on the simulated core: the same vectors and verdicts as on the host (`engine/tests/conformance`),
//! answered by firmware. The requests lie in its flash, the replies in its RAM.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the counts are what this test is for")]

#[path = "../../tests/conformance/suite.rs"]
#[allow(dead_code, reason = "the host's test uses the rest")]
mod suite;
mod support;
#[path = "../../tests/conformance/vectors.rs"]
#[allow(dead_code, reason = "the host's test uses the rest")]
mod vectors;

use suite::{Counts, INCOMPLETE, MESSAGES, PATHS, Suite};
use support::{control, shared_cache, toolchain};
use vectors::Vector;
use wirebench_engine::options::Optimize;
use wirebench_engine::print::print;
use wirebench_measure::builder::Builder;
use wirebench_measure::firmware::Firmware;
use wirebench_measure::progress::Cancel;
use wirebench_measure::run::preset;
use wirebench_measure::settings::Settings;
use wirebench_sim::{Image, Machine, Memory, Region, Stop};

/// More than the suite takes.
const INSTRUCTIONS: u64 = 2_000_000_000;
/// Room for all replies.
const ROOM: usize = 96 << 10;
/// The length that stands for an error.
const ERROR: u16 = u16::MAX;

const MAIN: &str = r#"#![no_std]
#![no_main]
mod messages;

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use wirebench_runtime::Message;

/// Per request: number of the message, length, bytes.
static REQUESTS: &[u8] = b"@REQUESTS@";

/// Per reply: length in two bytes, bytes.
#[unsafe(no_mangle)]
static mut REPLIES: [u8; @ROOM@] = [0; @ROOM@];

static IS_DONE: AtomicBool = AtomicBool::new(false);

/// Decodes and encodes again; returns the length of the reply, or of an error.
#[inline(never)]
fn answer<M: Message>(request: &[u8], reply: &mut [u8]) -> usize {
    // In place: a message is many kB, and a copy of it would not fit beside the replies.
    let mut message = M::default();
    match message.merge(request) {
        Ok(()) => message.encode_to_slice(reply).map_or(@ERROR@, <[u8]>::len),
        Err(_) => @ERROR@,
    }
}

fn run() -> u32 {
    if IS_DONE.swap(true, Relaxed) {
        return 1;
    }
    let mut requests = REQUESTS;
    // SAFETY: nobody else has this array, and this runs once.
    let mut replies: &mut [u8] = unsafe { &mut *&raw mut REPLIES };
    while let [message, length, rest @ ..] = requests {
        let Some((request, rest)) = rest.split_at_checked(*length as usize) else { return firmware::FAILED };
        let Some((head, room)) = replies.split_at_mut_checked(2) else { return firmware::FAILED };
        let length = match message {
            @ARMS@
            _ => return firmware::FAILED,
        };
        head.copy_from_slice(&(length as u16).to_le_bytes());
        let Some((_, more)) = room.split_at_mut_checked(if length == @ERROR@ { 0 } else { length }) else { return firmware::FAILED };
        (requests, replies) = (rest, more);
    }
    1
}

firmware::scenario!(run, build_id: @BUILD_ID@);
"#;

fn firmware(suite: &Suite, vectors: &[Vector], style: Optimize) -> Firmware {
    let mut requests = String::new();
    for vector in vectors {
        let message = MESSAGES.iter().position(|name| *name == vector.message).expect("a known message");
        let head = [message as u8, u8::try_from(vector.request.len()).expect("short requests")];
        requests.extend(head.iter().chain(&vector.request).map(|byte| format!("\\x{byte:02x}")));
    }
    let arms: Vec<String> = (0..)
        .zip(PATHS)
        .map(|(at, path)| format!("{at} => answer::<messages::{path}>(request, room),"))
        .collect();
    let main = MAIN
        .replace("@REQUESTS@", &requests)
        .replace("@ROOM@", &ROOM.to_string())
        .replace("@ERROR@", &ERROR.to_string())
        .replace("@ARMS@", &arms.join("\n            "));
    let messages = print(&suite.plan(style)).text;
    Firmware {
        name: format!("conformance_{}", style.word()),
        files: vec![("main.rs".to_owned(), main), ("messages.rs".to_owned(), messages)],
    }
}

/// Runs the firmware and reads its replies.
fn answers(elf: &[u8], settings: &Settings, count: usize) -> Vec<Option<Vec<u8>>> {
    let image = Image::load(elf).unwrap();
    let region = |r: wirebench_measure::settings::Region| Region::new(r.origin, r.length);
    let memory = Memory::new(region(settings.memory.flash), region(settings.memory.ram));
    let mut machine = Machine::new(&image, preset(settings.core), memory).unwrap();
    let stop = machine.run(INSTRUCTIONS);
    assert!(matches!(stop, Stop::Breakpoint(_)), "{stop:?}");
    let symbol = image.symbols().iter().find(|s| s.name == "REPLIES").expect("the replies have a name");
    let mut replies = vec![0; ROOM];
    machine.read_memory(symbol.address, &mut replies).unwrap();
    let mut rest = replies.as_slice();
    let mut next = |count: usize| {
        let (taken, left) = rest.split_at(count);
        rest = left;
        taken
    };
    (0..count)
        .map(|_| match u16::from_le_bytes(next(2).try_into().unwrap()) {
            ERROR => None,
            length => Some(next(usize::from(length)).to_vec()),
        })
        .collect()
}

#[test]
fn firmware_answers_as_the_suite_expects() {
    let suite = Suite::load();
    let vectors = vectors::vectors();
    let settings = Settings::default();
    let styles = [Optimize::Size, Optimize::Speed];
    let firmwares = styles.map(|style| firmware(&suite, &vectors, style));
    let builder = Builder { toolchain: toolchain(), settings: settings.clone(), cache: shared_cache() };
    let built = builder.build(&firmwares, control(&Cancel::default())).unwrap();
    for (style, built) in styles.iter().zip(built) {
        let counts = Counts::of(&suite, &vectors, &answers(&built.elf, &settings, vectors.len()));
        let (passed, all) = counts.total();
        println!("firmware, {}: {passed} of {all}", style.word());
        assert_eq!(counts.incomplete(), INCOMPLETE, "{}: {:#?}", style.word(), counts.failed());
    }
}
