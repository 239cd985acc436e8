//! What a plan costs: RAM and wire exactly, flash and cycles modelled.
//!
//! ```text
//! Plan ─┬─ layout, bounds ───────────▶ RAM, longest encoding          (exact)
//!       └─ parts of each field ──────▶ flash                          (counts × constants: estimated)
//! walk over a sample ─── events ─────▶ encode and decode cycles       (counts × constants: estimated)
//! ```
//!
//! The constants stand in `assets/cost-model.json`, with the command that fitted them and the error
//! it found. An estimate is replaced by a measurement as soon as there is one, and never fails a budget.

mod constants;
mod estimate;
mod events;

pub use constants::{Constants, StyleConstants};
pub use estimate::{estimate, firmware_parts, flash_parts};
pub use events::{Event, Events, FieldCount, FlashPart, FlashParts, SampleCount};

use std::collections::HashMap;

use crate::origin::OriginId;
use crate::plan::{MaxEncoded, Style};
use crate::schema::MessageId;
use crate::units::{Bytes, Cycles};

/// What every message of a plan costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// Per planned message.
    pub messages: HashMap<MessageId, MessageCost>,
    /// Half width of the expected range of every estimate here, in percent.
    pub error_percent: u32,
}

/// What one message costs in a firmware of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageCost {
    /// The message.
    pub id: MessageId,
    /// Size of the struct: exact.
    pub ram: Bytes,
    /// Longest encoding: exact.
    pub max_encoded: MaxEncoded,
    /// Encoding of the sample: exact.
    pub wire: Bytes,
    /// Code and tables of this message, of all messages nested in it and of the runtime they need: estimated.
    pub flash: Bytes,
    /// The runtime's part of `flash`; messages of one firmware share it.
    pub shared_flash: Bytes,
    /// Encoding the sample: estimated.
    pub encode: Cycles,
    /// Decoding the sample: estimated.
    pub decode: Cycles,
    /// The style it was priced in.
    pub style: Style,
    /// Its fields, by number.
    pub fields: Vec<FieldCost>,
}

/// What one field costs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldCost {
    /// The field.
    pub origin: OriginId,
    /// Name in the schema.
    pub proto_name: String,
    /// Field number.
    pub number: u32,
    /// Bytes it takes in the struct, without padding: exact. Members of a oneof share their place.
    pub ram: Bytes,
    /// Longest it can be on the wire, tag included: exact.
    pub max_encoded: MaxEncoded,
    /// Its bytes in the sample, tags and lengths included: exact.
    pub wire: Bytes,
    /// Its own code or table entries: estimated.
    pub flash: Bytes,
    /// Its part of encoding the sample, nested messages included: estimated.
    pub encode: Cycles,
    /// Its part of decoding the sample, nested messages included: estimated.
    pub decode: Cycles,
}
