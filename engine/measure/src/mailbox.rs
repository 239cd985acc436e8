//! Reads the mailbox a firmware leaves. The layout is the one of the template's `mailbox.rs`, by its ABI number.

/// `"WBMB"`, little-endian.
const MAGIC: u32 = 0x424d_4257;
/// The layout this file knows.
const ABI: u32 = 1;
const SAMPLES: usize = 8;
/// Words before the samples.
const HEADER: usize = 16;
/// Symbol of the mailbox.
pub const SYMBOL: &str = "WIREBENCH_MAILBOX";
/// Its size in bytes.
pub const SIZE: usize = (HEADER + 3 * SAMPLES) * 4;

/// What a scenario returns in place of its wire length where that is zero bytes.
const EMPTY_WIRE: u32 = 1 << 31;

/// What a firmware reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The build it belongs to.
    pub build_id: u64,
    /// How it ended.
    pub state: State,
    /// Whether the DWT counted (else SysTick).
    pub is_dwt: bool,
    /// Bytes on the wire, summed over the scenario's messages.
    pub wire_length: u32,
    /// FNV-1a of all of them; `None` where the firmware reports none.
    pub checksum: Option<u32>,
    /// Deepest stack by paint, in bytes.
    pub stack: u32,
    /// Stack pointer from which that counts.
    pub stack_base: u32,
    /// Cycles of the scenario, the call taken off; the first run is cold.
    pub total: Vec<u32>,
    /// Cycles of its encode regions, counter reads taken off; zeros where there are none.
    pub encode: Vec<u32>,
    /// Cycles of its decode regions.
    pub decode: Vec<u32>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Everything came back as it was sent.
    Passed,
    /// Something did not.
    CheckFailed,
    /// A panic.
    Panicked,
    /// A fault of the core, at this address.
    Faulted {
        /// Program counter.
        pc: u32,
        /// CFSR.
        status: u32,
    },
}

/// Why the mailbox says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailboxError {
    /// The firmware stopped before it was done.
    #[error("the firmware left no result")]
    Incomplete,
    /// Another layout.
    #[error("the firmware's result has layout {0}, this program reads {ABI}")]
    OtherAbi(u32),
    /// A state that does not exist.
    #[error("the firmware's result has the unknown state {0:#x}")]
    UnknownState(u32),
}

impl Mailbox {
    /// Reads the mailbox from its [`SIZE`] bytes.
    ///
    /// # Errors
    /// If they are no finished mailbox.
    pub fn read(bytes: &[u8]) -> Result<Mailbox, MailboxError> {
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| word.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
            .collect();
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        if word(0) != MAGIC {
            return Err(MailboxError::Incomplete);
        }
        if word(1) != ABI {
            return Err(MailboxError::OtherAbi(word(1)));
        }
        let state = match word(4) {
            1 => State::Passed,
            0xdead => State::CheckFailed,
            0xbad => State::Panicked,
            0xfa01 => State::Faulted { pc: word(14), status: word(15) },
            other => return Err(MailboxError::UnknownState(other)),
        };
        let count = (word(7) as usize).min(SAMPLES);
        let samples = |kind: usize, overhead: u32| -> Vec<u32> {
            (0..count).map(|k| word(HEADER + kind * SAMPLES + k).saturating_sub(overhead)).collect()
        };
        Ok(Mailbox {
            build_id: u64::from(word(2)) | u64::from(word(3)) << 32,
            state,
            is_dwt: word(5) == 1,
            wire_length: if word(10) == EMPTY_WIRE { 0 } else { word(10) },
            checksum: Some(word(11)).filter(|sum| *sum != 0),
            stack: word(12),
            stack_base: word(13),
            total: samples(0, word(8)),
            encode: samples(1, word(9)),
            decode: samples(2, word(9)),
        })
    }
}

/// FNV-1a, 32 bits: the checksum of the mailbox.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(change: &[(usize, u32)]) -> Vec<u8> {
        let mut words = [0; SIZE / 4];
        (words[0], words[1], words[4], words[7]) = (MAGIC, ABI, 1, 2);
        for (at, value) in change {
            words[*at] = *value;
        }
        words.iter().flat_map(|w: &u32| w.to_le_bytes()).collect()
    }

    #[test]
    fn overheads_are_taken_off() {
        let mailbox = Mailbox::read(&words(&[(8, 10), (9, 3), (16, 110), (17, 4), (24, 53)])).unwrap();
        assert_eq!(mailbox.total, [100, 0]);
        assert_eq!(mailbox.encode, [50, 0]);
        assert_eq!(mailbox.state, State::Passed);
    }

    #[test]
    fn an_unfinished_foreign_or_short_mailbox_is_an_error() {
        assert_eq!(Mailbox::read(&words(&[(0, 0)])), Err(MailboxError::Incomplete));
        assert_eq!(Mailbox::read(&words(&[(1, 7)])), Err(MailboxError::OtherAbi(7)));
        assert_eq!(Mailbox::read(&words(&[(4, 2)])), Err(MailboxError::UnknownState(2)));
        assert_eq!(Mailbox::read(&[]), Err(MailboxError::Incomplete));
    }

    #[test]
    fn the_checksum_is_fnv_1a() {
        assert_eq!(checksum(b""), 0x811c_9dc5);
        assert_eq!(checksum(b"a"), 0xe40c_292c);
        assert_eq!(checksum(b"foobar"), 0xbf9c_f968);
    }
}
