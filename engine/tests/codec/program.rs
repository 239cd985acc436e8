//! The fixed part of the program that runs generated code: reads inputs, uses each message in every way, says what
//! came of it.
//!
//! In: one line per input, `message hex`. Out: one line per input and style, `ok hex` or `error Kind hex`, the bytes
//! being the message as encoded afterwards; a message that fails to be valid ends the program.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::io::{BufRead, Write};

use wirebench_runtime::{Codec, Error, Message, Place, Sink, Source, Step, StreamError, StreamMessage};

pub type Run = fn(&[u8]) -> String;

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Encodes in every way there is and compares the results.
fn encode<M: Message>(message: &M) -> Vec<u8> {
    let mut buffer = vec![0x55; M::MAX_ENCODED_LEN + 8];
    let bytes = message.encode_to_slice(&mut buffer[..M::MAX_ENCODED_LEN]).unwrap().to_vec();
    assert!(buffer[M::MAX_ENCODED_LEN..].iter().all(|b| *b == 0x55), "wrote past the end");
    assert_eq!(message.encoded_len(), bytes.len(), "measured another length");
    let mut exact = vec![0x55; bytes.len() + 8];
    assert_eq!(message.encode_to_slice(&mut exact[..bytes.len()]).unwrap(), bytes);
    assert!(exact[bytes.len()..].iter().all(|b| *b == 0x55), "wrote past the exact end");
    if !bytes.is_empty() {
        let short = bytes.len() - 1;
        assert_eq!(message.encode_to_slice(&mut exact[..short]), Err(Error::NoSpace));
    }
    bytes
}

/// Uses a message: every field is read by clone, comparison and print.
fn use_it<M: Message + Clone + PartialEq + Debug>(message: &M) -> Vec<u8> {
    let copy = message.clone();
    let _ = copy == *message;
    let printed = format!("{message:?}");
    assert_eq!(printed, format!("{copy:?}"));
    let bytes = encode(message);
    assert_eq!(encode(&copy), bytes, "a copy is encoded differently");
    bytes
}

pub fn plain<M: Message + Clone + PartialEq + Debug>(input: &[u8]) -> String {
    // An exact heap slice: reading past its end is found by a sanitizer.
    let input = input.to_vec().into_boxed_slice();
    let mut message = M::default();
    match message.merge(&input) {
        Ok(()) => {
            let bytes = use_it(&message);
            let again = M::decode(&bytes).expect("its own bytes are refused");
            assert_eq!(use_it(&again), bytes, "its own bytes decode to something else");
            format!("ok {}", hex(&bytes))
        }
        Err(error) => {
            let bytes = use_it(&message);
            let _ = message.merge(&input);
            use_it(&message);
            format!("error {error:?} {}", hex(&bytes))
        }
    }
}

#[derive(Default, Clone, PartialEq, Debug)]
struct Store(BTreeMap<Vec<(u32, u32)>, Vec<u8>>);

fn key(place: &Place) -> Vec<(u32, u32)> {
    let steps: Vec<Step> = place.steps().collect();
    assert_eq!(place.field(), steps[0].field);
    assert_eq!(place.index(), steps.get(1).map_or(0, |s| s.index));
    steps.iter().map(|s| (s.field, s.index)).collect()
}

impl Sink for Store {
    type Error = String;
    fn push(&mut self, place: &Place, at: usize, len: usize, window: &[u8]) -> Result<(), String> {
        let kept = self.0.entry(key(place)).or_default();
        if at == 0 {
            kept.clear();
        }
        assert!(kept.len() == at && at + window.len() <= len && window.len() <= 32);
        assert!(!window.is_empty() || len == 0);
        kept.extend_from_slice(window);
        Ok(())
    }
}

impl Source for Store {
    type Error = String;
    fn len(&mut self, place: &Place) -> Result<Option<usize>, String> {
        Ok(self.0.get(&key(place)).map(Vec::len))
    }
    fn pull(&mut self, place: &Place, at: usize, window: &mut [u8]) -> Result<usize, String> {
        let kept = &self.0[&key(place)];
        // Now and then less than asked for.
        let n = if at % 3 == 1 { 1 } else { window.len() };
        window[..n].copy_from_slice(&kept[at..at + n]);
        Ok(n)
    }
}

/// Fails at the n-th call.
struct Failing(u32, Store);

impl Failing {
    fn step(&mut self) -> Result<(), String> {
        self.0 = self.0.checked_sub(1).ok_or("stopped")?;
        Ok(())
    }
}

impl Sink for Failing {
    type Error = String;
    fn push(&mut self, place: &Place, at: usize, len: usize, window: &[u8]) -> Result<(), String> {
        self.step()?;
        self.1.push(place, at, len, window)
    }
}

impl Source for Failing {
    type Error = String;
    fn len(&mut self, place: &Place) -> Result<Option<usize>, String> {
        self.step()?;
        self.1.len(place)
    }
    fn pull(&mut self, place: &Place, at: usize, window: &mut [u8]) -> Result<usize, String> {
        self.step()?;
        self.1.pull(place, at, window)
    }
}

/// Promises one byte more than it has, or has more than it promised.
struct Lying(Store, bool);

impl Source for Lying {
    type Error = String;
    fn len(&mut self, place: &Place) -> Result<Option<usize>, String> {
        Ok(self.0.len(place)?.map(|n| if self.1 { n + 1 } else { n }))
    }
    fn pull(&mut self, place: &Place, at: usize, window: &mut [u8]) -> Result<usize, String> {
        let kept = &self.0.0[&key(place)];
        if at >= kept.len() {
            return Ok(0);
        }
        if !self.1 {
            return Ok(window.len() + 1);
        }
        self.0.pull(place, at, &mut window[..1])
    }
}

fn stream_out<M: StreamMessage>(message: &M, store: &Store) -> Result<Vec<u8>, StreamError<String>> {
    let payloads: usize = store.0.values().map(Vec::len).sum();
    let room = M::FIXED_ENCODED_LEN + payloads;
    let mut buffer = vec![0x55; room + 8];
    let result = message.encode_with(&mut store.clone(), &mut buffer[..room]).map(<[u8]>::to_vec);
    assert!(buffer[room..].iter().all(|b| *b == 0x55), "wrote past the end");
    result
}

pub fn streaming<M: StreamMessage + Clone + PartialEq + Debug>(input: &[u8]) -> String {
    let input = input.to_vec().into_boxed_slice();
    let mut message = M::default();
    let mut store = Store::default();
    let result = message.merge_with(&mut store, &input);
    let _ = format!("{message:?}");
    assert!(message.clone() == message || message != message);
    let bytes = match (result, stream_out(&message, &store)) {
        (Ok(()), bytes) => bytes.expect("its own payloads are refused"),
        (Err(StreamError::Codec(error)), bytes) => {
            return format!("error {error:?} {}", bytes.map_or("-".to_owned(), |b| hex(&b)));
        }
        (Err(StreamError::User(_)), _) => unreachable!("the store takes everything"),
    };
    let mut other = Store::default();
    let again = M::decode_with(&mut other, &bytes).expect("its own bytes are refused");
    assert_eq!(stream_out(&again, &other).unwrap(), bytes);

    for stop in 0..6 {
        let mut half = M::default();
        let mut failing = Failing(stop, Store::default());
        match half.merge_with(&mut failing, &input) {
            Ok(()) => assert_eq!(failing.1, store),
            Err(error) => assert_eq!(error, StreamError::User("stopped".to_owned())),
        }
        let _ = format!("{half:?}");
        let mut buffer = vec![0; bytes.len() + M::FIXED_ENCODED_LEN];
        match message.encode_with(&mut Failing(stop, store.clone()), &mut buffer) {
            Ok(written) => assert_eq!(written, bytes),
            Err(error) => assert_eq!(error, StreamError::User("stopped".to_owned())),
        }
    }
    if store.0.values().any(|payload| !payload.is_empty()) {
        for more in [true, false] {
            let mut buffer = vec![0; bytes.len() + M::FIXED_ENCODED_LEN + 64];
            let lied = message.encode_with(&mut Lying(store.clone(), more), &mut buffer);
            let expected = [Error::Length, Error::Capacity].map(StreamError::Codec);
            assert!(lied.clone().is_err_and(|e| expected.contains(&e)), "{lied:?}");
        }
        let mut buffer = vec![0; bytes.len() - 1];
        let short = message.encode_with(&mut store.clone(), &mut buffer);
        assert_eq!(short, Err(StreamError::Codec(Error::NoSpace)));
    }
    format!("ok {}", hex(&bytes))
}

/// Longest encoding without payloads, and size in memory.
pub fn sizes<M: Codec>() -> (usize, usize) {
    (M::MAX, size_of::<M>())
}

pub fn main(messages: &[(&str, &[Run])]) {
    let out = std::io::stdout().lock();
    let mut out = std::io::BufWriter::new(out);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (name, input) = line.split_once(' ').unwrap();
        let input = unhex(input);
        let (_, runs) = messages.iter().find(|(n, _)| *n == name).expect("a message of that name");
        for run in *runs {
            let result = std::panic::catch_unwind(|| run(&input));
            let result = result.unwrap_or_else(|_| "panic".to_owned());
            writeln!(out, "{result}").unwrap();
        }
    }
}
