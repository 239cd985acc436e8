//! Where a workload's streamed payloads come from and go to: the sample's, by their place.

use std::fmt::Write as _;

use wirebench_engine::plan::{Item, MessagePlan, Plan, Storage};
use wirebench_engine::wire::{MessageValue, Value};

use super::literal::byte_string;

/// A streamed payload and the way to it: field numbers with positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    steps: Vec<(u32, usize)>,
    bytes: Vec<u8>,
}

impl Payload {
    /// Its length in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// Whether a message streams: a field of its own, or one of a message in it.
pub fn is_streaming(plan: &Plan, message: &MessagePlan) -> bool {
    message.fields.iter().any(|field| match &field.storage {
        Storage::Streamed { .. } => true,
        Storage::One(Item::Message(id)) | Storage::List { item: Item::Message(id), .. } => {
            plan.message(*id).is_some_and(|inner| is_streaming(plan, inner))
        }
        _ => false,
    })
}

/// The sample's streamed payloads in the order they are written.
pub fn payloads(plan: &Plan, message: &MessagePlan, value: &MessageValue) -> Vec<Payload> {
    let mut found = Vec::new();
    collect(plan, message, value, &mut Vec::new(), &mut found);
    found
}

fn collect(
    plan: &Plan,
    message: &MessagePlan,
    value: &MessageValue,
    steps: &mut Vec<(u32, usize)>,
    found: &mut Vec<Payload>,
) {
    for entry in &value.fields {
        let Some(field) = message.field(entry.number) else { continue };
        let inner = match &field.storage {
            Storage::One(Item::Message(id)) | Storage::List { item: Item::Message(id), .. } => {
                plan.message(*id)
            }
            _ => None,
        };
        let items = match &entry.value {
            Value::List(items) => &items[..],
            one => std::slice::from_ref(one),
        };
        for (at, item) in items.iter().enumerate() {
            steps.push((entry.number, at));
            match (&field.storage, inner, item) {
                (Storage::Streamed { .. }, _, Value::Text(bytes) | Value::Bytes(bytes)) => {
                    found.push(Payload { steps: steps.clone(), bytes: bytes.clone() });
                }
                (_, Some(inner), Value::Message(value)) => collect(plan, inner, value, steps, found),
                _ => {}
            }
            steps.pop();
        }
    }
}

/// The text of `Sent` (a source) and `Received` (a sink that checks) for these payloads. Where the codec is
/// replaced by a copy there are no places: all payloads are one then, at the default place.
pub fn text(payloads: &[Payload], is_copy: bool) -> String {
    let mut table = String::new();
    if is_copy {
        let all: Vec<u8> = payloads.iter().flat_map(|p| p.bytes.iter().copied()).collect();
        let _ = writeln!(table, "    (&[(0, 0)], {}),", byte_string(&all));
    } else {
        for payload in payloads {
            // A place names its steps from the inside out.
            let steps: Vec<String> =
                payload.steps.iter().rev().map(|(f, at)| format!("({f}, {at})")).collect();
            let _ = writeln!(table, "    (&[{}], {}),", steps.join(", "), byte_string(&payload.bytes));
        }
    }
    include_str!("stage/payloads.rs").replace("    // @PAYLOADS@\n", &table)
}
