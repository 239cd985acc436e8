//! What cannot be generated yet, each refusal naming the construct and its place.
//!
//! A refused message takes those that hold it with it; everything else of the schema still works.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::types::Reason;
use crate::options::{FieldLimits, Limits, StorageChoice};
use crate::schema::{Cardinality, Field, FieldRef, Kind, Message, MessageId, Model};

/// The most items or bytes a container can hold: its length is a u16.
pub const MOST: u32 = u16::MAX as u32;

/// Deepest nesting of a message with streamed fields; the runtime's paths end there.
const STREAM_DEPTH: usize = 7;

/// The largest struct, and the longest encoding protobuf allows.
pub const LARGEST: u64 = i32::MAX as u64;

/// Limits of a field; a model made by hand may have none.
pub fn limits_of(limits: &Limits, message: MessageId, index: usize) -> FieldLimits {
    limits.fields.get(&FieldRef { message, index: index as u32 }).cloned().unwrap_or_else(|| FieldLimits {
        max_len: None,
        max_count: None,
        storage: crate::options::Sourced {
            value: StorageChoice::Inline,
            source: crate::options::LimitSource::Chosen,
        },
        int_width: None,
        overflow: crate::options::Overflow::default(),
        utf8: crate::options::Utf8Policy::default(),
    })
}

/// Messages a message holds in place: its fields that are neither ignored nor otherwise kept elsewhere.
pub fn children(model: &Model, limits: &Limits, id: MessageId) -> Vec<(usize, MessageId)> {
    let mut found = Vec::new();
    for (index, field) in model.message(id).fields.iter().enumerate() {
        if let Kind::Message(child) = field.kind
            && limits_of(limits, id, index).storage.value != StorageChoice::Ignored
        {
            found.push((index, child));
        }
    }
    found
}

/// The wanted messages with children before their parents, and the reasons of those that cannot be generated.
pub struct Sorted {
    /// What can be generated, children first.
    pub order: Vec<MessageId>,
    /// What cannot, by id.
    pub refused: BTreeMap<MessageId, Reason>,
}

/// Sorts out `wanted` and what it reaches.
pub fn sort_out(model: &Model, limits: &Limits, wanted: &[MessageId]) -> Sorted {
    let mut reached: Vec<MessageId> = Vec::new();
    let mut seen = HashSet::new();
    let mut queue: VecDeque<MessageId> = wanted.iter().copied().collect();
    while let Some(id) = queue.pop_front() {
        if !seen.insert(id) {
            continue;
        }
        reached.push(id);
        queue.extend(children(model, limits, id).into_iter().map(|(_, child)| child));
    }
    reached.sort();

    let mut refused = BTreeMap::new();
    for id in &reached {
        if let Some(reason) = own_reason(model, limits, *id) {
            refused.insert(*id, reason);
        }
    }

    // Children first; what is left over stands in a cycle or above one.
    let mut waiting: HashMap<MessageId, usize> = HashMap::new();
    let mut parents: HashMap<MessageId, Vec<(MessageId, usize)>> = HashMap::new();
    for id in &reached {
        let inner: Vec<_> =
            children(model, limits, *id).into_iter().filter(|(_, child)| seen.contains(child)).collect();
        waiting.insert(*id, inner.len());
        for (index, child) in inner {
            parents.entry(child).or_default().push((*id, index));
        }
    }
    let mut ready: VecDeque<MessageId> = reached.iter().copied().filter(|id| waiting[id] == 0).collect();
    let mut order = Vec::new();
    while let Some(id) = ready.pop_front() {
        order.push(id);
        for (parent, index) in parents.get(&id).into_iter().flatten() {
            if refused.contains_key(&id) && !refused.contains_key(parent) {
                refused.insert(*parent, holds_refused(model, *parent, *index, id));
            }
            if let Some(left) = waiting.get_mut(parent) {
                *left -= 1;
                if *left == 0 {
                    ready.push_back(*parent);
                }
            }
        }
    }
    let sorted: HashSet<MessageId> = order.iter().copied().collect();
    let left: HashSet<MessageId> = reached.iter().copied().filter(|id| !sorted.contains(id)).collect();
    for id in &reached {
        if left.contains(id)
            && !refused.contains_key(id)
            && let Some(reason) = cycle_reason(model, limits, *id, &left)
        {
            refused.insert(*id, reason);
        }
    }
    // Those above a cycle hold something refused.
    let mut changed = true;
    while changed {
        changed = false;
        for id in &reached {
            if !refused.contains_key(id) {
                let bad = children(model, limits, *id).into_iter().find(|(_, c)| refused.contains_key(c));
                if let Some((index, child)) = bad {
                    refused.insert(*id, holds_refused(model, *id, index, child));
                    changed = true;
                }
            }
        }
    }
    order.retain(|id| !refused.contains_key(id));
    let streams = stream_depths(model, limits, &order);
    for id in &order {
        let fields = &model.message(*id).fields;
        let mut inner = children(model, limits, *id).into_iter().map(|(at, child)| (&fields[at], child));
        if let Some((group, _)) = inner.find(|(f, child)| f.delimited && streams.contains_key(child)) {
            let what = format!(
                "field {}.{}: a group that holds a streamed field is not supported yet",
                model.message(*id).full_name,
                group.proto_name
            );
            refused.insert(*id, Reason { message: what, span: group.span.clone() });
        } else if model.message(*id).is_map_entry && streams.contains_key(id) {
            refused.insert(
                *id,
                Reason {
                    message: format!(
                        "map entry {} holds a streamed field, which is not supported yet",
                        model.message(*id).full_name
                    ),
                    span: model.message(*id).span.clone(),
                },
            );
        } else if streams.get(id).is_some_and(|depth| *depth > STREAM_DEPTH) {
            let message = model.message(*id);
            refused.insert(
                *id,
                Reason {
                    message: format!(
                        "message {} holds a streamed field more than {STREAM_DEPTH} messages deep, which is not supported",
                        message.full_name
                    ),
                    span: message.span.clone(),
                },
            );
        }
    }
    order.retain(|id| !refused.contains_key(id));
    Sorted { order, refused }
}

/// How many messages deep the deepest streamed field of each message lies; children stand first in `order`.
fn stream_depths(model: &Model, limits: &Limits, order: &[MessageId]) -> HashMap<MessageId, usize> {
    let mut depths: HashMap<MessageId, usize> = HashMap::new();
    for id in order {
        let own = (0..model.message(*id).fields.len())
            .any(|index| limits_of(limits, *id, index).storage.value == StorageChoice::Streamed)
            .then_some(0);
        let inner =
            children(model, limits, *id).iter().filter_map(|(_, c)| depths.get(c)).max().map(|d| d + 1);
        if let Some(depth) = own.max(inner) {
            depths.insert(*id, depth);
        }
    }
    depths
}

fn holds_refused(model: &Model, parent: MessageId, index: usize, child: MessageId) -> Reason {
    let field = &model.message(parent).fields[index];
    Reason {
        message: format!(
            "field {}.{} is of type {}, which cannot be generated",
            model.message(parent).full_name,
            field.proto_name,
            model.message(child).full_name
        ),
        span: field.span.clone(),
    }
}

/// The way from `id` back to itself, as a reason.
fn cycle_reason(model: &Model, limits: &Limits, id: MessageId, left: &HashSet<MessageId>) -> Option<Reason> {
    let mut came: HashMap<MessageId, (MessageId, usize)> = HashMap::new();
    let mut queue = VecDeque::from([id]);
    while let Some(at) = queue.pop_front() {
        for (index, child) in children(model, limits, at) {
            if child == id {
                let mut steps = vec![(at, index)];
                while let Some(step) = came.get(&steps[steps.len() - 1].0) {
                    steps.push(*step);
                }
                steps.reverse();
                let path = steps
                    .iter()
                    .map(|(m, f)| {
                        let message = model.message(*m);
                        format!("{}.{}", message.full_name, message.fields[*f].proto_name)
                    })
                    .collect::<Vec<_>>()
                    .join(" -> ");
                let first = &model.message(id).fields[steps[0].1];
                return Some(Reason {
                    message: format!(
                        "message {} holds itself ({path} -> {0}), which would need memory without a bound; make one of these fields `storage = \"ignored\"`",
                        model.message(id).full_name
                    ),
                    span: first.span.clone(),
                });
            }
            if left.contains(&child) && child != id && !came.contains_key(&child) {
                came.insert(child, (at, index));
                queue.push_back(child);
            }
        }
    }
    None
}

/// A construct in the message itself that is not supported.
fn own_reason(model: &Model, limits: &Limits, id: MessageId) -> Option<Reason> {
    let message = model.message(id);
    for (index, field) in message.fields.iter().enumerate() {
        let limits = limits_of(limits, id, index);
        if limits.storage.value == StorageChoice::Ignored && !message.is_map_entry {
            continue;
        }
        if message.is_map_entry && limits.storage.value != StorageChoice::Inline {
            return Some(Reason {
                message: format!(
                    "field {}.{}: the key and value of a map cannot be left out or streamed",
                    message.full_name, field.proto_name
                ),
                span: message.span.clone(),
            });
        }
        if let Some(what) = unsupported(field, &limits) {
            return Some(Reason {
                message: format!("field {}.{}: {what}", message.full_name, field.proto_name),
                span: field.span.clone(),
            });
        }
    }
    for oneof in &message.oneofs {
        if oneof.fields.len() > 255 {
            return Some(Reason {
                message: format!(
                    "oneof {}.{} has {} members, more than the supported 255",
                    message.full_name,
                    oneof.proto_name,
                    oneof.fields.len()
                ),
                span: oneof.span.clone(),
            });
        }
    }
    None
}

fn unsupported(field: &Field, limits: &FieldLimits) -> Option<String> {
    let is_blob = matches!(field.kind, Kind::String | Kind::Bytes);
    if limits.int_width.is_some() {
        return Some("a narrowed integer (`int_width`) is not supported yet".to_owned());
    }
    let is_repeated = field.cardinality != Cardinality::Singular;
    if limits.storage.value == StorageChoice::Streamed {
        if !is_blob {
            return Some("only string and bytes fields can be streamed yet".to_owned());
        }
        if is_repeated {
            return Some("streaming a repeated field is not supported yet".to_owned());
        }
        if field.oneof.is_some() {
            return Some("streaming a member of a oneof is not supported yet".to_owned());
        }
        return None;
    }
    let over = |what: &str, limit: &Option<crate::options::Sourced<u32>>| match limit {
        None => Some(format!("it has no maximum {what}; give it one, or stream or ignore it")),
        Some(limit) if limit.value == 0 => {
            Some(format!("its maximum {what} is 0; make it `storage = \"ignored\"`"))
        }
        Some(limit) if limit.value > MOST => {
            Some(format!("its maximum {what} is {}, more than the supported {MOST}", limit.value))
        }
        Some(_) => None,
    };
    if is_blob && let Some(what) = over("length", &limits.max_len) {
        return Some(what);
    }
    if is_repeated { over("count", &limits.max_count) } else { None }
}

/// A struct or encoding beyond what protobuf or a 32-bit target allows.
pub fn too_large(message: &Message, what: &str, bytes: u64) -> Option<Reason> {
    (bytes > LARGEST).then(|| Reason {
        message: format!(
            "message {}: {what} of {bytes} bytes is over the limit of {LARGEST}",
            message.full_name
        ),
        span: message.span.clone(),
    })
}
