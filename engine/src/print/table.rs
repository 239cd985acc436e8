//! A message as a table.

use super::types::{Speller, bit};
use super::writer::Writer;
use crate::options::UnknownOverflow;
use crate::plan::{
    FieldPlan, Item, Label, MessagePlan, OFFSET_IN_TABLE, Scalar, Storage, UnknownPlan, list_data,
};

/// Name of a message's table.
pub fn name(message: &MessagePlan) -> String {
    format!("{}_TABLE", screaming(&message.rust_name.0))
}

/// `DeviceCommand` as `DEVICE_COMMAND`; every capital starts a word, so different names stay different.
fn screaming(camel: &str) -> String {
    let mut out = String::new();
    for (at, c) in camel.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_uppercase());
    }
    out
}

/// The `static` with the message's table.
pub fn table(w: &mut Writer, spell: Speller<'_>, message: &MessagePlan) {
    let mut count = 2;
    let entries: Vec<(&FieldPlan, Vec<String>)> = message
        .fields
        .iter()
        .map(|field| {
            let words = entry(spell, message, field);
            count += words.len();
            (field, words)
        })
        .collect();
    let unknown = message.unknown.as_ref().map_or_else(Vec::new, |unknown| unknown_entry(message, unknown));
    count += unknown.len();
    let head = format!("static {}: ::wirebench_runtime::table::Table<{count}> =", name(message));
    w.gap();
    w.block_ending(head, "};", |w| {
        w.line("use ::wirebench_runtime::table;");
        w.line("table::Table::new([");
        w.inside(|w| {
            w.line(format!("table::head::<{}>(),", message.rust_name));
            for (field, words) in entries {
                w.scope(field.origin, |w| w.line(format!("{},", words.join(", "))));
            }
            if !unknown.is_empty() {
                w.line(format!("{},", unknown.join(", ")));
            }
            w.line("table::END,");
        });
        w.line("])");
    });
}

/// The words of the entry that says where unknown fields go.
fn unknown_entry(message: &MessagePlan, unknown: &UnknownPlan) -> Vec<String> {
    let offset = format!("::core::mem::offset_of!({}, {})", message.rust_name, unknown.rust_name);
    let drops = unknown.overflow == UnknownOverflow::Drop;
    let room = format!("table::room({}, {drops})", unknown.cap);
    if unknown.offset < OFFSET_IN_TABLE {
        return vec![format!("table::unknown({offset})"), room];
    }
    let numbers = [offset, "0".to_owned(), "0".to_owned(), "0".to_owned()];
    let numbers = numbers.map(|number| format!("table::number({number})"));
    ["table::LARGE_UNKNOWN".to_owned(), room].into_iter().chain(numbers).collect()
}

fn kind(field: &FieldPlan) -> &'static str {
    match field.item() {
        Some(Item::Scalar(scalar)) => match scalar {
            Scalar::Uint32 => "UINT32",
            Scalar::Int32 => "INT32",
            Scalar::Sint32 => "SINT32",
            Scalar::Uint64 | Scalar::Int64 => "INT64",
            Scalar::Sint64 => "SINT64",
            Scalar::Bool => "BOOL",
            Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32 => "FIXED32",
            Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64 => "FIXED64",
        },
        Some(Item::Enum { closed: false, .. }) => "INT32",
        Some(Item::Enum { closed: true, .. }) => "CLOSED",
        Some(Item::Text { checked: true, .. }) => "TEXT",
        Some(Item::Text { checked: false, .. } | Item::Bytes { .. }) => "BYTES",
        Some(Item::Message(_)) if field.is_group => "GROUP",
        Some(Item::Message(_)) => "MESSAGE",
        None => "STREAM",
    }
}

/// Where a field's value lies in the struct.
fn offset(message: &MessagePlan, field: &FieldPlan) -> String {
    let owner = &message.rust_name;
    match field.label {
        Label::Oneof { oneof, .. } => match message.oneofs.get(oneof) {
            Some(oneof) => {
                let payload = oneof.payload_offset - oneof.offset;
                format!("::core::mem::offset_of!({owner}, {}) + {payload}", oneof.rust_name)
            }
            None => "0".to_owned(),
        },
        Label::Stream => "0".to_owned(),
        _ => format!("::core::mem::offset_of!({owner}, {})", field.rust_name),
    }
}

/// Where the byte is that says whether a field is there, and what of it.
fn state(message: &MessagePlan, field: &FieldPlan) -> (String, String) {
    let owner = &message.rust_name;
    match field.label {
        Label::Oneof { oneof, value } => {
            let name = message.oneofs.get(oneof).map_or(String::new(), |o| o.rust_name.to_string());
            (format!("::core::mem::offset_of!({owner}, {name})"), value.to_string())
        }
        _ => {
            let (byte, mask) = bit(field).unwrap_or_default();
            let plus = if byte == 0 { String::new() } else { format!(" + {byte}") };
            (format!("::core::mem::offset_of!({owner}, has){plus}"), mask)
        }
    }
}

/// The third word: capacity, table or numbers.
fn third(spell: Speller<'_>, item: Option<Item>) -> Option<String> {
    match item? {
        Item::Text { cap, .. } | Item::Bytes { cap } => Some(format!("table::number({cap})")),
        Item::Message(id) => Some(format!("table::message::<{}>()", spell.message(id))),
        Item::Enum { id, closed: true } => {
            let mut numbers: Vec<i32> = spell
                .plan
                .enumeration(id)
                .map(|e| e.values.iter().map(|v| v.number).collect())
                .unwrap_or_default();
            let default = numbers.first().copied();
            numbers.sort_unstable();
            numbers.dedup();
            // The default stands first.
            numbers.sort_by_key(|n| Some(*n) != default);
            let list = numbers.iter().map(|n| format!(", {n}")).collect::<String>();
            Some(format!("table::values(&[{}{list}])", numbers.len()))
        }
        _ => None,
    }
}

/// The words of a field's entry.
fn entry(spell: Speller<'_>, message: &MessagePlan, field: &FieldPlan) -> Vec<String> {
    let item = field.item();
    let kind = kind(field);
    let number = field.number;
    let at = offset(message, field);
    let is_blob = matches!(item, Some(Item::Text { .. } | Item::Bytes { .. }));
    let is_packed = matches!(field.storage, Storage::List { packed: true, .. });
    if spell.plan.is_large(message, field) {
        return large_entry(spell, message, field);
    }
    if field.label == Label::Implicit && !is_blob {
        return vec![format!("table::field({number}, table::{kind}, {at})")];
    }
    let first = if is_packed { "packed" } else { "complex" };
    let mut words = vec![format!("table::{first}({number}, table::{kind}, {at})")];
    let mut third = third(spell, item);
    match field.label {
        Label::Implicit => {
            if let Some(Item::Text { cap, .. } | Item::Bytes { cap }) = item {
                words.push(format!("table::implicit({cap})"));
            }
            third = None;
        }
        Label::Flag { .. } => {
            let (byte, mask) = state(message, field);
            words.push(format!("table::flag({byte}, {mask})"));
        }
        Label::Required { .. } => {
            let (byte, mask) = state(message, field);
            words.push(format!("table::required({byte}, {mask})"));
        }
        Label::Always => words.push("table::always()".to_owned()),
        Label::Oneof { .. } => {
            let (byte, value) = state(message, field);
            words.push(format!("table::oneof({byte}, {value})"));
        }
        Label::Repeated => {
            let (cap, of, data, is_scalar) = list(spell, field);
            let of = format!("::core::mem::size_of::<{of}>()");
            let name = match (is_scalar, field.is_map) {
                (true, _) => "scalars",
                (_, true) => "map",
                _ => "list",
            };
            words.push(format!("table::{name}({cap}, {of}, {data})"));
        }
        Label::Stream => {
            let longest = stream_longest(field);
            words.push(format!("table::stream({longest})"));
        }
    }
    words.extend(third);
    words
}

/// Longest payload of a streamed field, as the runtime takes it.
pub fn stream_longest(field: &FieldPlan) -> u32 {
    match field.storage {
        Storage::Streamed { max_len: Some(n), .. } => n.min((1 << 27) - 1),
        _ => (1 << 27) - 1,
    }
}

fn list(spell: Speller<'_>, field: &FieldPlan) -> (u32, String, u64, bool) {
    match &field.storage {
        Storage::List { cap, item, .. } => (
            *cap,
            spell.item(item),
            list_data(spell.plan.item_layout(item)),
            matches!(item, Item::Scalar(_) | Item::Enum { .. }),
        ),
        _ => (0, String::new(), 2, false),
    }
}

/// The six words of an entry behind the escape; the third word of the short form comes last.
fn large_entry(spell: Speller<'_>, message: &MessagePlan, field: &FieldPlan) -> Vec<String> {
    let number = field.number;
    let kind = kind(field);
    let first =
        if matches!(field.storage, Storage::List { packed: true, .. }) { "large_packed" } else { "large" };
    let is_blob = matches!(field.item(), Some(Item::Text { .. } | Item::Bytes { .. }));
    let (occurrence, a, b) = match field.label {
        Label::Implicit | Label::Stream => {
            let name = if is_blob { "LARGE_IMPLICIT" } else { "LARGE_PLAIN" };
            (format!("table::{name}"), "0".to_owned(), "0".to_owned())
        }
        Label::Flag { .. } => {
            let (byte, mask) = state(message, field);
            ("table::LARGE_FLAG".to_owned(), byte, mask)
        }
        Label::Required { .. } => {
            let (byte, mask) = state(message, field);
            ("table::LARGE_REQUIRED".to_owned(), byte, mask)
        }
        Label::Always => ("table::LARGE_REQUIRED".to_owned(), "0".to_owned(), "0".to_owned()),
        Label::Oneof { .. } => {
            let (byte, value) = state(message, field);
            ("table::LARGE_ONEOF".to_owned(), byte, value)
        }
        Label::Repeated => {
            let (cap, of, data, is_scalar) = list(spell, field);
            let name = match (is_scalar, field.is_map) {
                (true, _) => "large_scalars",
                (_, true) => "large_map",
                _ => "large_list",
            };
            (format!("table::{name}({data})"), format!("::core::mem::size_of::<{of}>()"), cap.to_string())
        }
    };
    vec![
        format!("table::{first}({number}, table::{kind})"),
        occurrence,
        format!("table::number({})", offset(message, field)),
        format!("table::number({a})"),
        format!("table::number({b})"),
        third(spell, field.item()).unwrap_or_else(|| "table::number(0)".to_owned()),
    ]
}
