//! Feeds a body mutated inputs, the same ones in every run.
//!
//! ```text
//! seeds ─▶ whole ─▶ body                           every run
//!      └─▶ mutate(round 0, 1, 2, ..) ─▶ body       a fixed number of rounds, or for
//!                                                  WIREBENCH_FUZZ_SECONDS seconds
//! ```
//! A body must come back, and panics where it finds something wrong. It runs on a stack of 1 MB. What it failed
//! on is printed with its round. A body that takes the whole process with it (by overflowing the stack) leaves
//! its input in the file that WIREBENCH_FUZZ_KEEP names.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Stack of the thread a body runs on: that of the window's workers.
const STACK: usize = 1 << 20;

/// After this long for one input a body counts as hanging; bodies take milliseconds.
const HANGS: Duration = Duration::from_secs(60);

/// Longest input: longer ones only take longer.
const LONGEST: usize = 32 << 10;

/// What mutations start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Says where it comes from; the body gets it with every input made of it.
    pub from: String,
    pub bytes: Vec<u8>,
}

/// Runs `body` on all seeds, then on `rounds` inputs made from them by mutations and `tokens`, or for as many
/// seconds as the environment asks.
pub fn fuzz(
    rounds: u64,
    seeds: Vec<Seed>,
    tokens: &'static [&'static str],
    body: impl Fn(&str, &[u8]) + Send + 'static,
) {
    assert!(!seeds.is_empty(), "there is nothing to start from");
    let seconds = std::env::var("WIREBENCH_FUZZ_SECONDS").ok();
    let until = seconds.map(|seconds| {
        Instant::now() + Duration::from_secs(seconds.parse().expect("WIREBENCH_FUZZ_SECONDS is a number"))
    });
    let keep = std::env::var_os("WIREBENCH_FUZZ_KEEP");
    let current = Arc::new(Mutex::new(String::new()));
    let shown = Arc::clone(&current);
    let (done, progress) = channel();
    let work = move || {
        let count = seeds.len() as u64;
        for round in 0.. {
            let is_over = match until {
                Some(until) => Instant::now() >= until,
                None => round >= count + rounds,
            };
            if is_over && round >= count {
                let _ = done.send(Some(round));
                return;
            }
            let (from, input) = match seeds.get(round as usize) {
                Some(seed) => (&*seed.from, seed.bytes.clone()),
                None => Random::new(round - count).input(&seeds, tokens),
            };
            if let Some(file) = &keep {
                std::fs::write(file, &input).expect("the input can be kept");
            }
            let words =
                format!("round {round}, from {from}, {} bytes: b\"{}\"", input.len(), input.escape_ascii());
            words.clone_into(&mut shown.lock().expect("nobody panics with it"));
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(from, &input))) {
                eprintln!("failed on {words}");
                std::panic::resume_unwind(panic);
            }
            let _ = done.send(None);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("threads can be started");
    loop {
        match progress.recv_timeout(HANGS) {
            Ok(None) => {}
            Ok(Some(inputs)) => {
                eprintln!("{inputs} inputs");
                break;
            }
            Err(RecvTimeoutError::Timeout) => {
                panic!("still busy after {HANGS:?} with {}", current.lock().expect("nobody panics with it"))
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Numbers that look random and are the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn new(round: u64) -> Random {
        let mut random = Random(round.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // The first numbers of rounds next to each other are alike.
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// A seed with one to eight changes.
    fn input<'a>(&mut self, seeds: &'a [Seed], tokens: &[&str]) -> (&'a str, Vec<u8>) {
        let seed = &seeds[self.below(seeds.len())];
        let mut bytes = seed.bytes.clone();
        for _ in 0..1 + self.below(8).min(self.below(8)) {
            self.mutate(&mut bytes, seeds, tokens);
        }
        bytes.truncate(LONGEST);
        (&seed.from, bytes)
    }

    /// A place and the end of a short stretch from there.
    fn stretch(&mut self, len: usize, longest: usize) -> std::ops::Range<usize> {
        let at = self.below(len + 1);
        at..(at + self.below(longest + 1)).min(len)
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>, seeds: &[Seed], tokens: &[&str]) {
        let len = bytes.len();
        let at = self.below(len + 1);
        match self.below(10) {
            0 if at < len => bytes[at] ^= 1 << self.below(8),
            1 if at < len => bytes[at] = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, b'\n', b'0'][self.below(8)],
            2 if at < len => bytes[at] = self.next() as u8,
            3 => bytes.insert(at, self.next() as u8),
            4 => drop(bytes.drain(self.stretch(len, 24))),
            5 => {
                let copied = bytes[self.stretch(len, 60)].to_vec();
                bytes.splice(at..at, copied);
            }
            6 => {
                let other = &seeds[self.below(seeds.len())].bytes;
                let copied = &other[self.stretch(other.len(), 80)];
                bytes.splice(at..at, copied.iter().copied());
            }
            7 if self.below(4) == 0 => bytes.truncate(at),
            8 => self.change_number(bytes),
            _ if !tokens.is_empty() => {
                let token = tokens[self.below(tokens.len())];
                bytes.splice(at..at, token.bytes());
            }
            _ => {}
        }
    }

    /// Another number in place of one that is written in digits.
    fn change_number(&mut self, bytes: &mut Vec<u8>) {
        const NUMBERS: [&str; 14] = [
            "0",
            "1",
            "-1",
            "2",
            "127",
            "255",
            "65535",
            "65536",
            "536870911",
            "536870912",
            "2147483648",
            "4294967296",
            "18446744073709551616",
            "1e400",
        ];
        let starts: Vec<usize> = (0..bytes.len())
            .filter(|at| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[*at - 1].is_ascii_digit()))
            .collect();
        if starts.is_empty() {
            return;
        }
        let start = starts[self.below(starts.len())];
        let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..start + digits, number.bytes());
    }
}
