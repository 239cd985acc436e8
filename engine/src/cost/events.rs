//! What is counted: parts of a field's code for flash, steps of the codec for cycles.

use std::collections::HashMap;
use std::ops::AddAssign;

use crate::plan::Style;

/// A step of encoding or decoding whose time is about constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// One message value, the outermost included.
    Message,
    /// A field that is not written.
    Absent,
    /// A varint or fixed value of at most 32 bits.
    Scalar,
    /// A byte of a varint behind its first.
    VarintByte,
    /// A value of 64 bits.
    Wide,
    /// A string, bytes value or packed list: its length and call.
    Len,
    /// A byte of a string or bytes value.
    CopiedByte,
    /// A presence bit, oneof discriminant or list count that was looked at.
    Label,
    /// A window of a streamed payload.
    Window,
}

/// How many events there are.
const EVENTS: usize = 9;

impl Event {
    /// All events, in the order of the constants.
    pub const ALL: [Event; EVENTS] = [
        Event::Message,
        Event::Absent,
        Event::Scalar,
        Event::VarintByte,
        Event::Wide,
        Event::Len,
        Event::CopiedByte,
        Event::Label,
        Event::Window,
    ];

    /// Name in `assets/cost-model.json`.
    pub fn word(self) -> &'static str {
        match self {
            Event::Message => "message",
            Event::Absent => "absent",
            Event::Scalar => "scalar",
            Event::VarintByte => "varint_byte",
            Event::Wide => "wide",
            Event::Len => "len",
            Event::CopiedByte => "copied_byte",
            Event::Label => "label",
            Event::Window => "window",
        }
    }
}

/// Counts of every event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Events(pub [u64; EVENTS]);

impl Events {
    /// Counts `n` more of `event`.
    pub fn add(&mut self, event: Event, n: u64) {
        let slot = &mut self.0[event as usize];
        *slot = slot.saturating_add(n);
    }

    /// Their sum, weighted with one constant per event.
    pub fn weigh(&self, constants: &[f64; EVENTS]) -> f64 {
        self.0.iter().zip(constants).map(|(count, weight)| *count as f64 * weight).sum()
    }
}

impl AddAssign<&Events> for Events {
    fn add_assign(&mut self, other: &Events) {
        for (slot, n) in self.0.iter_mut().zip(other.0) {
            *slot = slot.saturating_add(n);
        }
    }
}

/// A part of a message's flash whose size is about constant within a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashPart {
    /// Frame of a message.
    Message,
    /// A scalar or enum field.
    Scalar,
    /// A scalar of 64 bits.
    Wide,
    /// A string or bytes field.
    Len,
    /// A nested message.
    Nested,
    /// A presence bit.
    Flag,
    /// A member of a oneof.
    Oneof,
    /// A list.
    List,
    /// A streamed field.
    Stream,
}

/// How many parts there are.
const PARTS: usize = 9;

impl FlashPart {
    /// All parts, in the order of the constants.
    pub const ALL: [FlashPart; PARTS] = [
        FlashPart::Message,
        FlashPart::Scalar,
        FlashPart::Wide,
        FlashPart::Len,
        FlashPart::Nested,
        FlashPart::Flag,
        FlashPart::Oneof,
        FlashPart::List,
        FlashPart::Stream,
    ];

    /// Name in `assets/cost-model.json`.
    pub fn word(self) -> &'static str {
        match self {
            FlashPart::Message => "message",
            FlashPart::Scalar => "scalar",
            FlashPart::Wide => "wide",
            FlashPart::Len => "len",
            FlashPart::Nested => "nested",
            FlashPart::Flag => "flag",
            FlashPart::Oneof => "oneof",
            FlashPart::List => "list",
            FlashPart::Stream => "stream",
        }
    }
}

/// Counts of every part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlashParts(pub [u64; PARTS]);

impl FlashParts {
    /// Counts `n` more of `part`.
    pub fn add(&mut self, part: FlashPart, n: u64) {
        self.0[part as usize] += n;
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &FlashParts) {
        for (slot, n) in self.0.iter_mut().zip(other.0) {
            *slot += n;
        }
    }

    /// One for every part that occurs at all.
    pub fn used(&self) -> FlashParts {
        FlashParts(self.0.map(|n| n.min(1)))
    }

    /// Their sum, weighted with one constant per part.
    pub fn weigh(&self, constants: &[f64; PARTS]) -> f64 {
        self.0.iter().zip(constants).map(|(count, weight)| *count as f64 * weight).sum()
    }
}

/// What a walk over one sample found. Made by the pipeline, because values belong to `wire`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleCount {
    /// Bytes of the encoded sample.
    pub wire: u64,
    /// Events that belong to no field of the outermost message, by style.
    pub frame: HashMap<Style, Events>,
    /// Per field number of the outermost message.
    pub fields: HashMap<u32, FieldCount>,
}

/// What a walk found of one field, nested messages included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldCount {
    /// Bytes on the wire, tags and lengths included.
    pub wire: u64,
    /// Events by the style of the message they happen in.
    pub events: HashMap<Style, Events>,
}
