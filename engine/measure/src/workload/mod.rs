//! What a firmware does with a codec, as Rust text: fill, encode into an array, copy, decode into a
//! fresh message, compare every field.
//!
//! ```text
//! plan + sample ─▶ fill statements ─┐
//!               ─▶ compare ────────┼─▶ workload.rs ─┬─▶ Firmware { main.rs, generated.rs, stage.rs, workload.rs }
//! stage (codec, regions, copy) ────┘                │
//! printed code ─────────────────────────────────────┘
//! ```
//! The stages are separated by barriers, so that nothing is folded into a constant. Which codec runs
//! between them is the stage's business: the real one, the real one timed in parts, or a struct copy.

mod compare;
mod fill;
mod literal;
mod names;
mod streams;
mod text;

use wirebench_engine::options::Direction;
use wirebench_engine::plan::{Item, MaxEncoded, MessagePlan, Plan, Storage};
use wirebench_engine::schema::{MessageId, Model};
use wirebench_engine::wire::{MessageValue, Value, encode_bytes};

use crate::firmware::{BUILD_ID, Firmware};
use crate::mailbox::checksum;
use names::message_path;
use text::Lines;

/// Longest buffer that is sized by a message's longest encoding; beyond, it is sized by the sample.
const LARGEST_BUFFER: u64 = 8192;

/// What of a scenario a firmware does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All of it.
    RoundTrip,
    /// All of it with the encode and decode parts timed apart and the bytes summed up. Its size means nothing.
    Regions,
    /// Fill and encode.
    Encode,
    /// Decode, from bytes in flash.
    Decode,
    /// All of it with a struct copy in place of the codec: the floor.
    Null,
}

impl Kind {
    /// The word of results: `round_trip`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::RoundTrip => "round_trip",
            Kind::Regions => "regions",
            Kind::Encode => "encode",
            Kind::Decode => "decode",
            Kind::Null => "null",
        }
    }
}

/// One message of a scenario.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The message.
    pub message: MessageId,
    /// Its encoding by the host.
    pub wire: Vec<u8>,
    /// Bytes of the send and of the receive buffer, each.
    pub buffer: u64,
    /// Statements that fill `m`.
    pub fill: String,
    /// Statements that compare `r`.
    pub compare: String,
    /// Its streamed payloads; `None` for a message that does not stream.
    pub stream: Option<Stream>,
}

/// What goes through a message's callbacks.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Bytes of all payloads.
    pub length: u64,
    /// Rust text of `Sent` and `Received`, between which the codec stands.
    pub callbacks: String,
    /// The same where a copy stands between them.
    pub callbacks_of_copy: String,
}

/// A scenario: messages that are sent one after the other.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Name of the scenario: ASCII letters, digits and `_`.
    pub name: String,
    /// Its messages.
    pub pieces: Vec<Piece>,
    /// Which halves of the codec there are: those all messages have.
    pub direction: Direction,
    /// Whether a buffer is shorter than its message's longest encoding, so that encoding can fail.
    uses_slices: bool,
}

/// Why no firmware can be written for a message and sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// The message was refused or is not part of the firmware.
    #[error("no code is generated for {message}")]
    NotGenerated {
        /// Full name.
        message: String,
    },
    /// The sample's value is of another kind than the field.
    #[error("the sample's value of {field} does not fit the field's type")]
    WrongKind {
        /// Full name of the field.
        field: String,
    },
    /// The sample's value is longer than the field's limit.
    #[error("the sample's value of {field} has length {length}, the field's limit is {limit}")]
    OverLimit {
        /// Full name of the field.
        field: String,
        /// Bytes or items of the value.
        length: u64,
        /// Most there may be.
        limit: u32,
    },
    /// A string value that is no text.
    #[error("the sample's value of {field} is not valid UTF-8")]
    NotUtf8 {
        /// Full name of the field.
        field: String,
    },
    /// Some messages are only encoded, others only decoded.
    #[error("{scenario} has no direction that all its messages are generated for")]
    NoDirection {
        /// Name of the scenario.
        scenario: String,
    },
    /// Messages and buffers do not fit the chip.
    #[error("{message} needs {needed} bytes of RAM with its buffers, the chip has {available}")]
    TooLarge {
        /// Full name.
        message: String,
        /// Twice the message and twice the buffer.
        needed: u64,
        /// Bytes of RAM.
        available: u64,
    },
}

impl Piece {
    /// The message with the sample's values, filled and compared field by field.
    ///
    /// # Errors
    /// A message without code, a sample that does not fit.
    pub fn of(
        model: &Model,
        plan: &Plan,
        message: MessageId,
        sample: &MessageValue,
    ) -> Result<Piece, WorkloadError> {
        let planned = plan.message(message).ok_or_else(|| WorkloadError::NotGenerated {
            message: model.message(message).full_name.to_string(),
        })?;
        let sample = known_fields(plan, planned, sample);
        let (mut fill, mut compare) = (Lines::default(), Lines::default());
        fill::fill(&mut fill, plan, planned, "m", &sample)?;
        compare::compare(&mut compare, plan, planned, "r", &sample)?;
        let wire = encode_bytes(model, message, &sample);
        let stream = streams::is_streaming(plan, planned).then(|| {
            let payloads = streams::payloads(plan, planned, &sample);
            Stream {
                length: payloads.iter().map(streams::Payload::len).sum(),
                callbacks: streams::text(&payloads, false),
                callbacks_of_copy: streams::text(&payloads, true),
            }
        });
        let streamed = stream.as_ref().map_or(0, |stream| stream.length);
        let longest = match &planned.max_encoded {
            MaxEncoded::Bounded(bytes) if bytes.0 <= LARGEST_BUFFER => bytes.0,
            MaxEncoded::FixedPlus { fixed, .. } => fixed.0.saturating_add(streamed),
            _ => wire.len() as u64,
        };
        let buffer = longest.max(planned.layout.size.saturating_add(streamed)).max(1);
        Ok(Piece { message, wire, buffer, fill: fill.into_text(), compare: compare.into_text(), stream })
    }
}

/// The sample without the fields the firmware does not know, because the limits say to ignore them.
fn known_fields(plan: &Plan, message: &MessagePlan, value: &MessageValue) -> MessageValue {
    let mut known = MessageValue::default();
    for entry in &value.fields {
        let Some(field) = message.field(entry.number) else { continue };
        let inner = match &field.storage {
            Storage::One(Item::Message(id)) | Storage::List { item: Item::Message(id), .. } => {
                plan.message(*id)
            }
            _ => None,
        };
        let prune = |value: &Value| match (inner, value) {
            (Some(inner), Value::Message(value)) => Value::Message(known_fields(plan, inner, value)),
            (_, value) => value.clone(),
        };
        let value = match &entry.value {
            Value::List(items) => Value::List(items.iter().map(prune).collect()),
            value => prune(value),
        };
        known.set(entry.number, value);
    }
    known
}

impl Workload {
    /// A scenario of these messages.
    ///
    /// # Errors
    /// Messages and buffers that do not fit into `ram` bytes.
    pub fn new(name: &str, plan: &Plan, pieces: Vec<Piece>, ram: u64) -> Result<Workload, WorkloadError> {
        let mut uses_slices = false;
        let (mut encodes, mut decodes) = (true, true);
        for piece in &pieces {
            let Some(message) = plan.message(piece.message) else { continue };
            encodes &= message.direction != Direction::Decode;
            decodes &= message.direction != Direction::Encode;
            let needed = 2 * (message.layout.size.saturating_add(piece.buffer));
            // A few hundred bytes belong to the harness and to the codec's own frames.
            if needed.saturating_add(2048) > ram {
                let message = message.full_name.to_string();
                return Err(WorkloadError::TooLarge { message, needed, available: ram });
            }
            uses_slices |=
                !matches!(&message.max_encoded, MaxEncoded::Bounded(most) if most.0 <= piece.buffer);
        }
        let direction = match (encodes, decodes) {
            (true, true) => Direction::Both,
            (true, false) => Direction::Encode,
            (false, true) => Direction::Decode,
            (false, false) => return Err(WorkloadError::NoDirection { scenario: name.to_owned() }),
        };
        Ok(Workload { name: name.to_owned(), pieces, direction, uses_slices })
    }

    /// The firmwares that are built for it. The first one is what a program has; its size is taken apart.
    pub fn kinds(&self) -> &'static [Kind] {
        match self.direction {
            Direction::Both => &[Kind::RoundTrip, Kind::Regions, Kind::Encode, Kind::Decode, Kind::Null],
            Direction::Encode => &[Kind::Encode, Kind::Regions, Kind::Null],
            Direction::Decode => &[Kind::Decode, Kind::Regions],
        }
    }

    /// What the firmware has to report: bytes on the wire, and their checksum.
    pub fn expected(&self) -> (u64, u32) {
        let all: Vec<u8> = self.pieces.iter().flat_map(|piece| piece.wire.iter().copied()).collect();
        (all.len() as u64, checksum(&all))
    }

    /// What the null firmware has to report: the bytes its copies moved.
    pub fn null_length(&self, plan: &Plan) -> u64 {
        let streamed =
            self.pieces.iter().filter_map(|piece| piece.stream.as_ref()).map(|stream| stream.length);
        self.message_size(plan) + streamed.sum::<u64>()
    }

    /// Bytes of the message structs, summed.
    pub fn message_size(&self, plan: &Plan) -> u64 {
        self.pieces.iter().filter_map(|piece| plan.message(piece.message)).map(|m| m.layout.size).sum()
    }

    /// The firmware of one kind.
    pub fn firmware(&self, kind: Kind, plan: &Plan, printed: &str) -> Firmware {
        let name = format!("{}_{}", self.name, kind.word());
        let main = format!(
            "//! Scenario {}, {}.\n#![no_std]\n#![no_main]\n#![recursion_limit = \"512\"]\n\n#[allow(unused, clippy::all)]\nmod generated;\n\
             #[allow(unused)]\nmod stage;\n#[allow(unused)]\nmod workload;\n\nfirmware::scenario!(workload::run, build_id: {BUILD_ID});\n",
            self.name,
            kind.word(),
        );
        let files = [
            ("main.rs", main),
            ("generated.rs", printed.to_owned()),
            ("stage.rs", self.stage(kind)),
            ("workload.rs", self.text(kind, plan)),
        ];
        Firmware { name, files: files.into_iter().map(|(n, text)| (n.to_owned(), text)).collect() }
    }

    fn stage(&self, kind: Kind) -> String {
        let codec = match kind {
            Kind::RoundTrip | Kind::Encode | Kind::Decode => include_str!("stage/codec.rs"),
            Kind::Regions => include_str!("stage/regions.rs"),
            Kind::Null => include_str!("stage/copy.rs"),
        };
        let encode = if self.uses_slices {
            "message.encode_to_slice(buffer).ok()"
        } else {
            "Some(message.encode(buffer))"
        };
        let text = format!("{}\n{}", codec.replace("@ENCODE@", encode), include_str!("stage/trip.rs"));
        if self.pieces.iter().all(|piece| piece.stream.is_none()) {
            return text;
        }
        let streamed = match kind {
            Kind::RoundTrip | Kind::Encode | Kind::Decode => include_str!("stage/codec_streamed.rs"),
            Kind::Regions => include_str!("stage/regions_streamed.rs"),
            Kind::Null => include_str!("stage/copy_streamed.rs"),
        };
        format!("{text}\n{streamed}\n{}", include_str!("stage/trip_streamed.rs"))
    }

    fn text(&self, kind: Kind, plan: &Plan) -> String {
        let mut out = Lines::default();
        out.line("use crate::stage;\n");
        let mut calls = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let Some(message) = plan.message(piece.message) else { continue };
            // Few messages stand in one function, as in a program that handles them in one place.
            let inline = if self.pieces.len() > 2 { "never" } else { "always" };
            if self.parts_of(kind) == Direction::Decode {
                let bytes: Vec<String> = piece.wire.iter().map(u8::to_string).collect();
                out.line(format_args!(
                    "static INPUT_{at}: [u8; {}] = [{}];\n",
                    bytes.len(),
                    bytes.join(", ")
                ));
            }
            if let Some(stream) = &piece.stream {
                let text = if kind == Kind::Null { &stream.callbacks_of_copy } else { &stream.callbacks };
                out.block(format_args!("mod stream_{at}"), "\n", |out| out.line(text));
            }
            out.line(format_args!("/// {}", message.full_name));
            out.line(format_args!("#[inline({inline})]"));
            out.block(format_args!("fn message_{at}() -> Option<u32>"), "\n", |out| {
                self.body(out, kind, at, piece, &message_path(message));
            });
            calls.push(format!("length += message_{at}()?;"));
        }
        out.line("#[inline(always)]");
        out.block("fn all() -> Option<u32>", "\n", |out| {
            out.line("let mut length = 0;");
            calls.iter().for_each(|call| out.line(call));
            out.line("Some(length)");
        });
        out.block("pub fn run() -> u32", "", |out| {
            let is_empty = kind != Kind::Null && self.pieces.iter().all(|piece| piece.wire.is_empty());
            let empty = if is_empty { "Some(0) => firmware::EMPTY,\n" } else { "" };
            out.block("match all()", "", |out| {
                out.line(format_args!("{empty}Some(length) => length,\nNone => firmware::FAILED,"));
            });
        });
        out.into_text()
    }

    /// Which parts of the scenario a kind does.
    fn parts_of(&self, kind: Kind) -> Direction {
        match kind {
            Kind::Encode => Direction::Encode,
            Kind::Decode => Direction::Decode,
            Kind::RoundTrip | Kind::Regions | Kind::Null => self.direction,
        }
    }

    /// The statements of one message.
    fn body(&self, out: &mut Lines, kind: Kind, at: usize, piece: &Piece, path: &str) {
        let buffer = piece.buffer;
        let parts = self.parts_of(kind);
        if parts != Direction::Decode {
            out.line(format_args!("let mut m = {path}::new();\n{}", piece.fill));
        }
        if parts != Direction::Encode {
            out.line(format_args!("let mut r = {path}::new();"));
        }
        // Two more arguments and another function for a message that streams.
        let (suffix, source, sink) = match &piece.stream {
            None => ("", String::new(), ""),
            Some(_) => ("_streamed", format!(", &mut stream_{at}::Sent"), ", &mut sink"),
        };
        if piece.stream.is_some() && parts != Direction::Encode {
            out.line(format_args!("let mut sink = stream_{at}::Received::new();"));
        }
        match parts {
            Direction::Encode => {
                out.line(format_args!("stage::encode_only{suffix}::<_, {buffer}>(&m{source})"));
                return;
            }
            Direction::Decode => {
                out.line(format_args!(
                    "let length = stage::decode_only{suffix}(&INPUT_{at}, &mut r{sink})?;"
                ));
            }
            Direction::Both => {
                let call = format!("stage::round_trip{suffix}::<_, {buffer}>(&m{source}, &mut r{sink})?;");
                out.line(format_args!("let length = {call}"));
            }
        }
        // The decode firmware is measured without the comparison; the one with regions makes it.
        if kind != Kind::Decode {
            out.line(&piece.compare);
        }
        if piece.stream.is_some() {
            out.line("if !sink.is_complete() { return None }");
        }
        out.line("Some(length)");
    }
}
