//! Any memory as a mailbox: read or refused, and never more.

#[path = "../../tests/fuzz/runner.rs"]
mod runner;

use runner::{Seed, fuzz};
use wirebench_measure::mailbox::{Mailbox, SIZE};

/// A finished mailbox of two samples.
fn mailbox() -> Vec<u8> {
    let mut words = [0u32; SIZE / 4];
    words[..16].copy_from_slice(&[0x424d_4257, 1, 7, 8, 1, 1, 0, 2, 10, 3, 52, 99, 400, 0x2000_4000, 0, 0]);
    words[16..18].copy_from_slice(&[110, 90]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn fuzz_mailbox() {
    let seeds = [mailbox(), mailbox()[..40].to_vec()];
    let seeds = seeds.map(|bytes| Seed { from: "mailbox".to_owned(), bytes });
    fuzz(20_000, seeds.to_vec(), &[], |_, bytes| match Mailbox::read(bytes) {
        Ok(read) => {
            let samples = read.total.len();
            assert!(samples <= 8 && read.encode.len() == samples && read.decode.len() == samples);
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    });
}
