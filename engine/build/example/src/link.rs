//! Frames on the line: a message's length as a varint, then the message.

use core::task::Poll;

use wirebench_runtime::{Error, Message};

use crate::messages::device::event::Kind;
use crate::messages::device::{Command, Event};
use crate::uart::Uart;

/// Longest command that is taken, in bytes. Commands of newer hosts may have fields this firmware skips.
const LONGEST_COMMAND: usize = 64;

/// The receiving side: bytes of a frame, and the command in it.
pub struct Inbox {
    state: State,
    bytes: [u8; LONGEST_COMMAND],
    command: Command,
}

/// Where in a frame the line is.
enum State {
    /// In the length: the bits so far, and where the next ones go.
    Length { value: u32, shift: u32 },
    /// In the message.
    Body { length: u32, at: u32 },
}

impl State {
    const START: State = State::Length { value: 0, shift: 0 };
}

impl Inbox {
    /// Nothing received yet.
    pub const fn new() -> Inbox {
        Inbox { state: State::START, bytes: [0; LONGEST_COMMAND], command: Command::new() }
    }

    /// Takes a byte from the line, if there is one; ready when a frame is complete. After an error the next frame
    /// starts where this one was to end.
    ///
    /// # Errors
    /// [`Error::NoSpace`] for a frame that is too long, which is skipped, [`Error::BadVarint`] for a length over
    /// 32 bits, and those of [`Message::merge`].
    pub fn poll(&mut self, uart: &impl Uart) -> Poll<Result<&Command, Error>> {
        let Poll::Ready(byte) = uart.read() else { return Poll::Pending };
        match &mut self.state {
            State::Length { value, shift } => {
                *value |= u32::from(byte & 0x7f) << (*shift & 31);
                if byte >= 0x80 {
                    *shift += 7;
                    if *shift > 28 {
                        self.state = State::START;
                        return Poll::Ready(Err(Error::BadVarint));
                    }
                    return Poll::Pending;
                }
                self.state = State::Body { length: *value, at: 0 };
            }
            State::Body { at, .. } => {
                if let Some(place) = self.bytes.get_mut(*at as usize) {
                    *place = byte;
                }
                *at += 1;
            }
        }
        match self.state {
            State::Body { length, at } if at == length => {
                self.state = State::START;
                Poll::Ready(self.decode(length as usize))
            }
            _ => Poll::Pending,
        }
    }

    fn decode(&mut self, length: usize) -> Result<&Command, Error> {
        let frame = self.bytes.get(..length).ok_or(Error::NoSpace)?;
        self.command = Command::new();
        self.command.merge(frame)?;
        Ok(&self.command)
    }
}

/// Bytes of a frame's length: no event needs more.
const LENGTH: usize = 1;
const _: () = assert!(Event::MAX_ENCODED_LEN < 128, "the length takes one byte");

/// The sending side: an event, the frame it is encoded into, and how much of that was sent.
pub struct Outbox {
    event: Event,
    frame: [u8; LENGTH + Event::MAX_ENCODED_LEN],
    length: usize,
    sent: usize,
}

impl Outbox {
    /// Nothing to send yet.
    pub const fn new() -> Outbox {
        Outbox { event: Event::new(), frame: [0; LENGTH + Event::MAX_ENCODED_LEN], length: 0, sent: 0 }
    }

    /// Whether everything was sent.
    pub fn is_free(&self) -> bool {
        self.sent >= self.length
    }

    /// Encodes an event to be sent.
    ///
    /// # Errors
    /// The event itself while another one is being sent.
    pub fn put(&mut self, kind: Kind) -> Result<(), Kind> {
        if !self.is_free() {
            return Err(kind);
        }
        self.event.kind = kind;
        let [length, body @ ..] = &mut self.frame;
        let encoded = self.event.encode(body).len();
        *length = encoded as u8;
        self.length = LENGTH + encoded;
        self.sent = 0;
        Ok(())
    }

    /// Sends the next byte, if there is one and the line takes it.
    pub fn poll(&mut self, uart: &impl Uart) {
        let frame = self.frame.get(..self.length).unwrap_or(&[]);
        if let Some(byte) = frame.get(self.sent)
            && uart.write(*byte).is_ready()
        {
            self.sent += 1;
        }
    }
}
