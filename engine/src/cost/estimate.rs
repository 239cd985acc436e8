//! Counts times constants.

use std::collections::{HashMap, HashSet};

use crate::cost::{Constants, Costs, Events, FieldCost, FlashPart, FlashParts, MessageCost, SampleCount};
use crate::plan::{FieldPlan, Item, Label, MessagePlan, Plan, Scalar, Storage, Style};
use crate::schema::MessageId;
use crate::units::{Bytes, Cycles};

/// Prices every message of the plan, each in a firmware of its own.
///
/// `samples` holds what a walk over a message's sample found; a message without one is priced with nothing set.
pub fn estimate(plan: &Plan, samples: &HashMap<MessageId, SampleCount>, constants: &Constants) -> Costs {
    let nothing = SampleCount::default();
    let messages = plan
        .messages
        .iter()
        .map(|message| {
            let sample = samples.get(&message.id).unwrap_or(&nothing);
            (message.id, message_cost(plan, message, sample, constants))
        })
        .collect();
    Costs { messages, error_percent: constants.error_percent }
}

fn message_cost(
    plan: &Plan,
    message: &MessagePlan,
    sample: &SampleCount,
    constants: &Constants,
) -> MessageCost {
    let fields: Vec<FieldCost> =
        message.fields.iter().map(|field| field_cost(message, field, sample, constants)).collect();
    let (frame_encode, frame_decode) = cycles(&sample.frame, constants);
    let (mut own, mut shared) = (0.0, 0.0);
    for (style, parts) in firmware_parts(plan, message) {
        let constants = constants.style(style);
        own += parts.weigh(&constants.flash);
        shared += constants.runtime_flash + parts.used().weigh(&constants.first_use);
    }
    MessageCost {
        id: message.id,
        ram: Bytes(message.layout.size),
        max_encoded: message.max_encoded.clone(),
        wire: Bytes(sample.wire),
        flash: Bytes(round(own + shared)),
        shared_flash: Bytes(round(shared)),
        encode: fields.iter().fold(Cycles(round(frame_encode)), |sum, field| sum + field.encode),
        decode: fields.iter().fold(Cycles(round(frame_decode)), |sum, field| sum + field.decode),
        style: message.style,
        fields,
    }
}

fn field_cost(
    message: &MessagePlan,
    field: &FieldPlan,
    sample: &SampleCount,
    constants: &Constants,
) -> FieldCost {
    let count = sample.fields.get(&field.number).cloned().unwrap_or_default();
    let (encode, decode) = cycles(&count.events, constants);
    FieldCost {
        origin: field.origin,
        proto_name: field.proto_name.clone(),
        number: field.number,
        ram: Bytes(field.layout.size),
        max_encoded: field.max_encoded.clone(),
        wire: Bytes(count.wire),
        flash: Bytes(round(flash_parts(field).weigh(&constants.style(message.style).flash))),
        encode: Cycles(round(encode)),
        decode: Cycles(round(decode)),
    }
}

/// Encode and decode cycles of counted events.
fn cycles(events: &HashMap<Style, Events>, constants: &Constants) -> (f64, f64) {
    events.iter().fold((0.0, 0.0), |(encode, decode), (style, events)| {
        let style = constants.style(*style);
        (encode + events.weigh(&style.encode), decode + events.weigh(&style.decode))
    })
}

/// The parts a firmware with only this message is made of, nested messages included, by style.
pub fn firmware_parts(plan: &Plan, message: &MessagePlan) -> HashMap<Style, FlashParts> {
    let mut styles: HashMap<Style, FlashParts> = HashMap::new();
    for message in reached_messages(plan, message) {
        let parts = styles.entry(message.style).or_default();
        parts.add(FlashPart::Message, 1);
        for field in &message.fields {
            parts.merge(&flash_parts(field));
        }
    }
    styles
}

/// The parts a field's code or table entries are made of.
pub fn flash_parts(field: &FieldPlan) -> FlashParts {
    let mut parts = FlashParts::default();
    match &field.storage {
        Storage::One(item) => parts.add(item_part(item), 1),
        Storage::List { item, .. } => {
            parts.add(item_part(item), 1);
            parts.add(FlashPart::List, 1);
        }
        Storage::Streamed { .. } => parts.add(FlashPart::Stream, 1),
    }
    match field.label {
        Label::Flag { .. } | Label::Required { .. } => parts.add(FlashPart::Flag, 1),
        Label::Oneof { .. } => parts.add(FlashPart::Oneof, 1),
        Label::Implicit | Label::Always | Label::Repeated | Label::Stream => {}
    }
    parts
}

fn item_part(item: &Item) -> FlashPart {
    match item {
        Item::Scalar(scalar) if is_wide(*scalar) => FlashPart::Wide,
        Item::Scalar(_) | Item::Enum { .. } => FlashPart::Scalar,
        Item::Text { .. } | Item::Bytes { .. } => FlashPart::Len,
        Item::Message(_) => FlashPart::Nested,
    }
}

fn is_wide(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Double | Scalar::Int64 | Scalar::Uint64 | Scalar::Sint64 | Scalar::Fixed64 | Scalar::Sfixed64
    )
}

/// The message and all messages nested in it, each once.
fn reached_messages<'p>(plan: &'p Plan, root: &'p MessagePlan) -> Vec<&'p MessagePlan> {
    let mut seen = HashSet::from([root.id]);
    let mut reached = vec![root];
    let mut at = 0;
    while at < reached.len() {
        for field in &reached[at].fields {
            let (Storage::One(Item::Message(id)) | Storage::List { item: Item::Message(id), .. }) =
                &field.storage
            else {
                continue;
            };
            if let Some(message) = plan.message(*id)
                && seen.insert(*id)
            {
                reached.push(message);
            }
        }
        at += 1;
    }
    reached
}

/// The nearest whole number; a model's negative sum counts as nothing.
fn round(value: f64) -> u64 {
    value.round().max(0.0) as u64
}
