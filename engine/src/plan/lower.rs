//! From the checked schema and its limits to the plan.

use std::collections::{BTreeMap, HashMap};

use super::facts::message_longest;
use super::layout;
use super::length::{self, Longest};
use super::names::{Members, Names, Scope, camel, shout};
use super::refuse::{self, Sorted, limits_of};
use super::style;
use super::types::{
    EnumPlan, EnumValuePlan, FieldPlan, Item, Label, Layout, MessagePlan, OneofPlan, Plan, Planned, Reason,
    Scalar, Storage, Style, UnknownPlan,
};
use crate::diagnostic::Diagnostic;
use crate::options::{Direction, Limits, Optimize, StorageChoice};
use crate::schema::{Cardinality, EnumId, Field, Kind, Message, MessageId, Model, Presence};

/// What overrides the settings: for the command line, and to price alternatives.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// For every message, whatever its settings say.
    pub optimize: Option<Optimize>,
    /// The style of single messages, above everything else.
    pub styles: HashMap<MessageId, Style>,
}

/// Takes every decision about the generated code.
pub fn lower(model: &Model, limits: &Limits, choices: &Choices) -> Planned {
    let wanted = wanted(model, limits);
    let Sorted { order, mut refused } = refuse::sort_out(model, limits, &wanted);
    let mut names = Names::of(model, |id| {
        model
            .message(id)
            .fields
            .iter()
            .enumerate()
            .any(|(index, field)| has_bit(model, limits, id, index, field))
    });
    let mut done: HashMap<MessageId, (MessagePlan, Longest)> = HashMap::new();
    for id in order {
        if let Some((index, child)) =
            refuse::children(model, limits, id).into_iter().find(|(_, child)| refused.contains_key(child))
        {
            let field = &model.message(id).fields[index];
            let message = format!(
                "field {}.{} is of type {}, which cannot be generated",
                model.message(id).full_name,
                field.proto_name,
                model.message(child).full_name
            );
            refused.insert(id, Reason { message, span: field.span.clone() });
            continue;
        }
        match message(model, limits, id, &mut names, &done) {
            Ok(lowered) => {
                done.insert(id, lowered);
            }
            Err(reason) => {
                refused.insert(id, reason);
            }
        }
    }
    let mut messages: Vec<MessagePlan> = done.into_values().map(|(message, _)| message).collect();
    messages.sort_by_key(|m| m.id);
    let index = messages.iter().enumerate().map(|(at, m)| (m.id, at)).collect();
    let enums = enums(model, &names, &messages);
    let enum_index = enums.iter().enumerate().map(|(at, e)| (e.id, at)).collect();
    let mut plan = Plan { messages, enums, index, enum_index, options_hash: 0 };
    let mut diagnostics = widen_directions(model, &mut plan);
    style::choose(&mut plan, limits, choices);
    plan.options_hash = hash(&plan);
    diagnostics.extend(
        refused.values().map(|reason| Diagnostic::error(reason.span.clone(), reason.message.clone())),
    );
    Planned { plan, refused: refused.into_iter().collect(), diagnostics }
}

/// The messages the firmware uses, or all of the root files.
fn wanted(model: &Model, limits: &Limits) -> Vec<MessageId> {
    if !limits.settings.in_use.is_empty() {
        return limits.settings.in_use.clone();
    }
    model
        .message_ids()
        .filter(|id| model.files.get(model.message(*id).file).is_some_and(|f| f.is_root))
        .filter(|id| !model.message(*id).is_map_entry)
        .collect()
}

/// Whether a field is marked by a presence bit.
fn has_bit(model: &Model, limits: &Limits, id: MessageId, index: usize, field: &Field) -> bool {
    field.oneof.is_none()
        && !model.message(id).is_map_entry
        && field.cardinality == Cardinality::Singular
        && field.presence != Presence::Implicit
        && limits_of(limits, id, index).storage.value == StorageChoice::Inline
}

fn message(
    model: &Model,
    limits: &Limits,
    id: MessageId,
    names: &mut Names,
    done: &HashMap<MessageId, (MessagePlan, Longest)>,
) -> Result<(MessagePlan, Longest), Reason> {
    let schema = model.message(id);
    let child_layout = |id: MessageId| done.get(&id).map(|(m, _)| m.layout).unwrap_or_default();
    let mut members = Members::default();
    let settings = limits.message(id);
    let unknown = settings.keep_unknown.filter(|_| !schema.is_map_entry).map(|cap| UnknownPlan {
        rust_name: members.field("unknown_fields"),
        cap: cap.min(refuse::MOST),
        overflow: settings.unknown_overflow,
        offset: 0,
    });
    let mut oneofs = oneofs(schema, id, &mut members, names);
    let mut variants: Vec<Scope> = oneofs.iter().map(|_| variant_scope()).collect();
    let mut fields = Vec::new();
    let mut bits = 0;
    for (index, field) in schema.fields.iter().enumerate() {
        let field_limits = limits_of(limits, id, index);
        if field_limits.storage.value == StorageChoice::Ignored {
            continue;
        }
        let storage = storage(model, field, &field_limits);
        let label = match field.oneof {
            _ if matches!(storage, Storage::Streamed { .. }) => Label::Stream,
            // Numbered below, by field number.
            Some(oneof) => Label::Oneof { oneof, value: 0 },
            None if schema.is_map_entry => Label::Always,
            None if field.cardinality != Cardinality::Singular => Label::Repeated,
            None if field.presence == Presence::Implicit => Label::Implicit,
            None => {
                bits += 1;
                // Numbered below, by field number.
                if field.presence == Presence::Required {
                    Label::Required { bit: 0 }
                } else {
                    Label::Flag { bit: 0 }
                }
            }
        };
        let rust_name = match label {
            Label::Oneof { oneof, .. } => variants[oneof].take(camel(&field.proto_name)),
            Label::Flag { .. } => members.field_with_accessors(&field.proto_name),
            _ => members.field(&field.proto_name),
        };
        let longest =
            length::field(&field.proto_name, field.number, &storage, label, field.delimited, |id| {
                done.get(&id).map(|(_, longest)| longest.clone()).unwrap_or_default()
            });
        fields.push(FieldPlan {
            origin: field.origin,
            index,
            proto_name: field.proto_name.clone(),
            rust_name,
            comment: field.comment.clone(),
            number: field.number,
            layout: layout::storage(&storage, child_layout),
            storage,
            label,
            offset: 0,
            max_encoded: longest.max_encoded(),
            default: field.default.clone(),
            is_map: field.cardinality == Cardinality::Map,
            is_group: field.delimited,
        });
    }
    fields.sort_by_key(|f| f.number);
    let mut next_bit = 0;
    for (at, field) in fields.iter_mut().enumerate() {
        match &mut field.label {
            Label::Flag { bit } | Label::Required { bit } => {
                *bit = next_bit;
                next_bit += 1;
            }
            Label::Oneof { oneof, value } => {
                // The discriminant follows the order of the variants, which is that of this list.
                oneofs[*oneof].fields.push(at);
                *value = oneofs[*oneof].fields.len() as u8;
            }
            _ => {}
        }
    }
    let (module, rust_name) = names.messages.get(&id).cloned().unwrap_or_default();
    let mut plan = MessagePlan {
        id,
        origin: schema.origin,
        full_name: schema.full_name.clone(),
        proto_name: schema.proto_name.clone(),
        module,
        inner: names.inner.get(&id).cloned().unwrap_or_default(),
        rust_name,
        comment: schema.comment.clone(),
        fields,
        oneofs,
        presence_bits: bits,
        has_offset: 0,
        layout: Layout::default(),
        max_encoded: super::types::MaxEncoded::Bounded(crate::units::Bytes(0)),
        style: Style::Table,
        style_reason: String::new(),
        direction: settings.direction,
        is_map_entry: schema.is_map_entry,
        unknown,
    };
    place(&mut plan);
    let longest =
        message_longest(&plan, |id| done.get(&id).map(|(_, longest)| longest.clone()).unwrap_or_default());
    plan.max_encoded = longest.max_encoded();
    if let Some(reason) = refuse::too_large(schema, "a struct", plan.layout.size)
        .or_else(|| refuse::too_large(schema, "an encoding", longest.bytes.max(longest.fixed)))
    {
        return Err(reason);
    }
    Ok((plan, longest))
}

/// The oneofs that have members in the struct, all in declaration order.
fn oneofs(schema: &Message, id: MessageId, members: &mut Members, names: &mut Names) -> Vec<OneofPlan> {
    schema
        .oneofs
        .iter()
        .map(|oneof| OneofPlan {
            origin: oneof.origin,
            proto_name: oneof.proto_name.clone(),
            rust_name: members.field(&oneof.proto_name),
            type_name: names.take_inner(id, &oneof.proto_name),
            comment: oneof.comment.clone(),
            offset: 0,
            payload_offset: 0,
            layout: Layout::default(),
            fields: Vec::new(),
        })
        .collect()
}

fn variant_scope() -> Scope {
    let mut scope = Scope::default();
    scope.take("NotSet".to_owned());
    scope
}

fn storage(model: &Model, field: &Field, limits: &crate::options::FieldLimits) -> Storage {
    let max_len = limits.max_len.as_ref().map(|l| l.value);
    if limits.storage.value == StorageChoice::Streamed {
        return Storage::Streamed { text: field.kind == Kind::String, max_len };
    }
    let cap = max_len.unwrap_or(1);
    let item = match field.kind {
        Kind::Double => Item::Scalar(Scalar::Double),
        Kind::Float => Item::Scalar(Scalar::Float),
        Kind::Int32 => Item::Scalar(Scalar::Int32),
        Kind::Int64 => Item::Scalar(Scalar::Int64),
        Kind::Uint32 => Item::Scalar(Scalar::Uint32),
        Kind::Uint64 => Item::Scalar(Scalar::Uint64),
        Kind::Sint32 => Item::Scalar(Scalar::Sint32),
        Kind::Sint64 => Item::Scalar(Scalar::Sint64),
        Kind::Fixed32 => Item::Scalar(Scalar::Fixed32),
        Kind::Fixed64 => Item::Scalar(Scalar::Fixed64),
        Kind::Sfixed32 => Item::Scalar(Scalar::Sfixed32),
        Kind::Sfixed64 => Item::Scalar(Scalar::Sfixed64),
        Kind::Bool => Item::Scalar(Scalar::Bool),
        Kind::String => Item::Text { cap, checked: field.utf8_checked },
        Kind::Bytes => Item::Bytes { cap },
        Kind::Enum(id) => Item::Enum { id, closed: model.enumeration(id).is_closed },
        Kind::Message(id) => Item::Message(id),
    };
    if field.cardinality == Cardinality::Singular {
        return Storage::One(item);
    }
    let is_scalar = matches!(item, Item::Scalar(_) | Item::Enum { .. });
    let mut cap = limits.max_count.as_ref().map_or(1, |l| l.value);
    if let (Cardinality::Map, Kind::Message(entry)) = (field.cardinality, field.kind)
        && model.message(entry).fields.iter().any(|f| f.number == 1 && f.kind == Kind::Bool)
    {
        // There are no more keys.
        cap = cap.min(2);
    }
    Storage::List { cap, item, packed: field.packed && is_scalar }
}

/// Places fields, oneofs and presence bits in the struct: by alignment, large first, then by number.
fn place(plan: &mut MessagePlan) {
    for oneof in &mut plan.oneofs {
        let payloads: Vec<Layout> = oneof.fields.iter().map(|at| plan.fields[*at].layout).collect();
        (oneof.layout, oneof.payload_offset) = layout::oneof(&payloads);
    }
    let order = plan.struct_order();
    let mut layouts: Vec<Layout> = order
        .iter()
        .map(|slot| match slot {
            Slot::Field(at) => plan.fields[*at].layout,
            Slot::Oneof(at) => plan.oneofs[*at].layout,
            Slot::Unknown => plan.unknown.as_ref().map_or_else(Layout::default, |unknown| {
                layout::item(&Item::Bytes { cap: unknown.cap }, |_| Layout::default())
            }),
        })
        .collect();
    let has_bytes = u64::from(plan.presence_bits.div_ceil(8));
    if has_bytes > 0 {
        layouts.push(Layout { size: has_bytes, align: 1 });
    }
    let (offsets, layout) = layout::structure(&layouts);
    plan.layout = layout;
    if has_bytes > 0 {
        plan.has_offset = offsets.last().copied().unwrap_or(0);
    }
    for (slot, offset) in order.iter().zip(&offsets) {
        match slot {
            Slot::Unknown => {
                if let Some(unknown) = &mut plan.unknown {
                    unknown.offset = *offset;
                }
            }
            Slot::Field(at) => plan.fields[*at].offset = *offset,
            Slot::Oneof(at) => {
                let oneof = &mut plan.oneofs[*at];
                oneof.offset = *offset;
                oneof.payload_offset += *offset;
                for member in &oneof.fields {
                    plan.fields[*member].offset = oneof.payload_offset;
                }
            }
        }
    }
}

/// A member of a message's struct, by position in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A field outside of oneofs, in [`MessagePlan::fields`].
    Field(usize),
    /// A oneof, in [`MessagePlan::oneofs`].
    Oneof(usize),
    /// The unknown fields.
    Unknown,
}

impl MessagePlan {
    /// The struct's members as they lie in memory; the presence bits come last.
    pub fn struct_order(&self) -> Vec<Slot> {
        let mut slots: Vec<(u64, u32, Slot)> = Vec::new();
        for (at, field) in self.fields.iter().enumerate() {
            if !matches!(field.label, Label::Oneof { .. } | Label::Stream) {
                slots.push((field.layout.align, field.number, Slot::Field(at)));
            }
        }
        for (at, oneof) in self.oneofs.iter().enumerate() {
            if let Some(first) = oneof.fields.first() {
                slots.push((oneof.layout.align, self.fields[*first].number, Slot::Oneof(at)));
            }
        }
        if self.unknown.is_some() {
            slots.push((2, u32::MAX, Slot::Unknown));
        }
        slots.sort_by_key(|(align, number, _)| (std::cmp::Reverse(*align), *number));
        slots.into_iter().map(|(_, _, slot)| slot).collect()
    }
}

/// Enums of planned fields, and all of the root files.
fn enums(model: &Model, names: &Names, messages: &[MessagePlan]) -> Vec<EnumPlan> {
    let mut used: BTreeMap<EnumId, ()> = BTreeMap::new();
    for message in messages {
        for field in &message.fields {
            if let Some(Item::Enum { id, .. }) = field.item() {
                used.insert(id, ());
            }
        }
    }
    let mut plans = Vec::new();
    for (at, item) in model.enums.iter().enumerate() {
        let id = EnumId(at as u32);
        let is_root = model.files.get(item.file).is_some_and(|f| f.is_root);
        if !is_root && !used.contains_key(&id) {
            continue;
        }
        let (module, rust_name) = names.enums.get(&id).cloned().unwrap_or_default();
        let mut scope = Scope::default();
        let values = item
            .values
            .iter()
            .map(|value| EnumValuePlan {
                proto_name: value.proto_name.clone(),
                rust_name: scope.take(shout(&value.proto_name)),
                number: value.number,
                comment: value.comment.clone(),
            })
            .collect();
        plans.push(EnumPlan {
            id,
            origin: item.origin,
            full_name: item.full_name.clone(),
            module,
            rust_name,
            comment: item.comment.clone(),
            values,
        });
    }
    plans
}

/// Gives children the halves their parents need, and says so.
fn widen_directions(model: &Model, plan: &mut Plan) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for at in plan.bottom_up().into_iter().rev() {
        let parent = plan.messages[at].direction;
        let children: Vec<MessageId> = plan.messages[at].fields.iter().filter_map(FieldPlan::child).collect();
        for child in children {
            let Some(child_at) = plan.index.get(&child).copied() else { continue };
            let own = plan.messages[child_at].direction;
            if own != parent && own != Direction::Both {
                plan.messages[child_at].direction = Direction::Both;
                let schema = model.message(child);
                notes.push(Diagnostic::note(
                    schema.span.clone(),
                    format!(
                        "{} is generated in both directions, because {} needs it",
                        schema.full_name, plan.messages[at].full_name
                    ),
                ));
            }
        }
    }
    notes
}

/// FNV-1a over everything that shapes the code.
fn hash(plan: &Plan) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for message in &plan.messages {
        add(&message.full_name);
        add(&format!("{:?} {:?} {:?}", message.style, message.direction, message.layout));
        if let Some(unknown) = &message.unknown {
            add(&format!("{unknown:?}"));
        }
        for field in &message.fields {
            let default = &field.default;
            add(&format!(
                "{} {} {:?} {:?} {} {default:?}",
                field.number, field.rust_name, field.label, field.storage, field.offset
            ));
        }
    }
    for item in &plan.enums {
        add(&item.full_name);
        for value in &item.values {
            add(&format!("{} {}", value.rust_name, value.number));
        }
    }
    hash
}
