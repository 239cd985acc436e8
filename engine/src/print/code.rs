//! A message as code: writing as calls or straight-line, measuring and reading straight-line.

use super::table::stream_longest;
use super::types::{Speller, bit, hex, tag, wire_name, wire_type};
use super::writer::Writer;
use crate::options::UnknownOverflow;
use crate::plan::{FieldPlan, Item, Label, MessagePlan, Scalar, Storage};

/// Longest messages whose fields are read in their expected order: one test a field, tried in turn.
const LONGEST_CHAIN: usize = 12;

/// What is known of the message's surroundings.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Spells types.
    pub spell: Speller<'a>,
    /// The message.
    pub message: &'a MessagePlan,
    /// Which messages stream, by position in the plan.
    pub streams: &'a [bool],
    /// Whether this one does.
    pub is_streaming: bool,
}

impl Context<'_> {
    fn child_streams(&self, field: &FieldPlan) -> bool {
        field.child().and_then(|id| self.spell.plan.index.get(&id)).is_some_and(|at| self.streams[*at])
    }

    /// Where unknown fields go and whether they are dropped when they do not fit, as arguments.
    fn keep(&self) -> Option<String> {
        let unknown = self.message.unknown.as_ref()?;
        Some(format!("&mut self.{}, {}", unknown.rust_name, unknown.overflow == UnknownOverflow::Drop))
    }

    /// What stands after the block that takes a known number of a closed enum.
    fn otherwise_keep(&self) -> Vec<String> {
        match self.keep() {
            Some(keep) => {
                vec!["} else {".to_owned(), format!("    p = get::keep(at, p, end, {keep});"), "}".to_owned()]
            }
            None => vec!["}".to_owned()],
        }
    }
}

/// `(write)`: the body between `unsafe fn write` and its end. `module` is where the functions come from.
pub fn write(w: &mut Writer, cx: Context<'_>, module: &str) {
    let is_empty = cx.message.fields.is_empty() && cx.message.unknown.is_none();
    let mutable = if is_empty { "" } else { "mut " };
    let pull = if cx.is_streaming { "pull" } else { "_" };
    w.block(
        format!("unsafe fn write(&self, {mutable}p: *mut u8, {pull}: *mut ::wirebench_runtime::Pull) -> *mut u8"),
        |w| {
            if !is_empty {
                w.line(format!("use ::wirebench_runtime::{module};"));
                w.line("// SAFETY: the caller has room for `MAX` bytes, the sum of what these fields take at most.");
                w.block("unsafe", |w| {
                    each_run(w, cx, write_field);
                    if let Some(unknown) = &cx.message.unknown {
                        w.line(format!("p = put::unknown(p, self.{}.as_slice());", unknown.rust_name));
                    }
                });
            }
            w.line("p");
        },
    );
}

/// `measure`.
pub fn measure(w: &mut Writer, cx: Context<'_>) {
    w.gap();
    w.block("fn measure(&self) -> usize", |w| {
        let unknown = cx.message.unknown.as_ref();
        let start = unknown.map_or("0".to_owned(), |unknown| format!("self.{}.len()", unknown.rust_name));
        let is_empty = cx.message.fields.iter().all(|f| f.label == Label::Stream);
        if is_empty {
            w.line(start);
            return;
        }
        w.line("use ::wirebench_runtime::count;");
        w.line(format!("let mut n = {start};"));
        each_run(w, cx, measure_field);
        w.line("n");
    });
}

/// Calls `body` for every field in number order, members of a oneof inside of a `match` or `if let`. The value is
/// given as an expression.
fn each_run(w: &mut Writer, cx: Context<'_>, body: impl Fn(&mut Writer, Context<'_>, &FieldPlan, &str)) {
    let fields = &cx.message.fields;
    let mut at = 0;
    while at < fields.len() {
        let field = &fields[at];
        let Label::Oneof { oneof, .. } = field.label else {
            w.scope(field.origin, |w| body(w, cx, field, &format!("self.{}", field.rust_name)));
            at += 1;
            continue;
        };
        let plan = &cx.message.oneofs[oneof];
        let same = |f: &FieldPlan| matches!(f.label, Label::Oneof { oneof: other, .. } if other == oneof);
        let run = fields[at..].iter().take_while(|f| same(f)).count();
        let path = cx.spell.oneof(cx.message, plan);
        w.scope(plan.origin, |w| {
            w.block(format!("match &self.{}", plan.rust_name), |w| {
                for member in &fields[at..at + run] {
                    w.scope(member.origin, |w| {
                        w.block(format!("{path}::{}(value) =>", member.rust_name), |w| {
                            body(w, cx, member, "value")
                        });
                    });
                }
                w.line(if run == plan.fields.len() {
                    format!("{path}::NotSet => {{}}")
                } else {
                    "_ => {}".to_owned()
                });
            });
        });
        at += run;
    }
}

/// The function that handles an item, and the expression it takes for `value`, a place or a reference.
fn by_value(item: &Item, value: &str, is_reference: bool) -> (String, String) {
    let star = if is_reference { "*" } else { "" };
    match item {
        Item::Scalar(scalar) => (wire_name(*scalar).to_owned(), format!("{star}{value}")),
        Item::Enum { .. } => ("int32".to_owned(), format!("{value}.0")),
        Item::Text { .. } => ("bytes".to_owned(), format!("{value}.as_bytes()")),
        Item::Bytes { .. } => ("bytes".to_owned(), format!("{value}.as_slice()")),
        Item::Message(_) => {
            ("message".to_owned(), if is_reference { value.to_owned() } else { format!("&{value}") })
        }
    }
}

fn write_field(w: &mut Writer, cx: Context<'_>, field: &FieldPlan, value: &str) {
    let tag = hex(tag(field));
    let one = |w: &mut Writer, item: &Item, value: &str, is_reference: bool, always: bool, index: &str| {
        let (name, expression) = by_value(item, value, is_reference);
        if matches!(item, Item::Message(_)) {
            if cx.child_streams(field) {
                w.line(format!("p = put::streaming(p, {tag}, {expression}, pull, {index});"));
                w.block("if put::failed(p)", |w| w.line("return p;"));
            } else {
                let name = if field.is_group { "group" } else { "message" };
                w.line(format!("p = put::{name}(p, {tag}, {expression});"));
            }
        } else {
            let some = if always { "some_" } else { "" };
            w.line(format!("p = put::{some}{name}(p, {tag}, {expression});"));
        }
    };
    match (&field.storage, field.label) {
        (Storage::Streamed { .. }, _) => {
            w.line(format!("p = put::stream(p, {tag}, {}, pull);", stream_longest(field)));
            w.block("if put::failed(p)", |w| w.line("return p;"));
        }
        (Storage::List { item, packed: true, .. }, _) => {
            let (name, expression) = by_value(item, "value", false);
            w.line(format!(
                "p = put::packed(p, {tag}, &{value}, |p, value| put::raw_{name}(p, {expression}));"
            ));
        }
        (Storage::List { item, .. }, _) => {
            if cx.child_streams(field) {
                w.block(format!("for (index, value) in {value}.iter().enumerate()"), |w| {
                    one(w, item, "value", true, true, "index");
                });
            } else {
                w.block(format!("for value in {value}.iter()"), |w| one(w, item, "value", true, true, "0"));
            }
        }
        (Storage::One(item), Label::Flag { .. }) => {
            let (byte, mask) = bit(field).unwrap_or_default();
            w.block(format!("if self.has.0[{byte}] & {mask} != 0"), |w| {
                one(w, item, value, false, true, "0")
            });
        }
        (Storage::One(item), Label::Oneof { .. }) => one(w, item, value, true, true, "0"),
        (Storage::One(item), Label::Required { .. } | Label::Always) => one(w, item, value, false, true, "0"),
        (Storage::One(item), _) => one(w, item, value, false, false, "0"),
    }
}

fn measure_field(w: &mut Writer, _: Context<'_>, field: &FieldPlan, value: &str) {
    let tag = crate::plan::tag_len(field.number);
    let one = |item: &Item, value: &str, is_reference: bool, always: bool| {
        let (mut name, expression) = by_value(item, value, is_reference);
        if field.is_group {
            name = "group".to_owned();
        }
        let some = if always && !matches!(item, Item::Message(_)) { "some_" } else { "" };
        format!("n += count::{some}{name}({tag}, {expression});")
    };
    match (&field.storage, field.label) {
        (Storage::Streamed { .. }, _) => {}
        (Storage::List { item, packed: true, .. }, _) => {
            let (name, expression) = by_value(item, "value", false);
            w.line(format!("n += count::packed({tag}, &{value}, |value| count::raw_{name}({expression}));"));
        }
        (Storage::List { item, .. }, _) => {
            w.block(format!("for value in {value}.iter()"), |w| w.line(one(item, "value", true, true)));
        }
        (Storage::One(item), Label::Flag { .. }) => {
            let (byte, mask) = bit(field).unwrap_or_default();
            w.block(format!("if self.has.0[{byte}] & {mask} != 0"), |w| {
                w.line(one(item, value, false, true))
            });
        }
        (Storage::One(item), Label::Oneof { .. }) => w.line(one(item, value, true, true)),
        (Storage::One(item), Label::Required { .. } | Label::Always) => w.line(one(item, value, false, true)),
        (Storage::One(item), _) => w.line(one(item, value, false, false)),
    }
}

/// `read`, straight-line.
pub fn read(w: &mut Writer, cx: Context<'_>) {
    let push = if cx.is_streaming { "push" } else { "_" };
    let fields = &cx.message.fields;
    // Only a `match` knows where a field's tag begins, from where on it is kept.
    let is_chain = fields.len() <= LONGEST_CHAIN
        && fields.iter().all(|f| f.number <= 15)
        && !fields.is_empty()
        && cx.message.unknown.is_none();
    w.gap();
    let head = format!(
        "unsafe fn read(&mut self, mut p: *const u8, end: *const u8, {push}: *mut ::wirebench_runtime::Push) -> *const u8"
    );
    w.block(head, |w| {
        w.line("use ::wirebench_runtime::get;");
        w.line("// A tag and a value are two bytes at least.");
        w.line("let last = end.wrapping_sub(1);");
        w.line(
            "// SAFETY: nothing is read at or after `end`; an error is greater than it and ends the loop.",
        );
        w.block("unsafe", |w| if is_chain { chain(w, cx) } else { dispatch(w, cx) });
    });
}

/// A tag, and what to do with its value.
type Arm<'a> = (u32, &'a FieldPlan, Vec<String>);

/// The tags of a message: a list of scalars is read from either of its two forms.
fn arms<'a>(cx: Context<'a>) -> Vec<Arm<'a>> {
    let mut arms = Vec::new();
    for field in &cx.message.fields {
        match &field.storage {
            Storage::List { item: item @ (Item::Scalar(_) | Item::Enum { .. }), packed, .. } => {
                let run = (field.number << 3 | 2, field, scalar_items(cx, field, item, "packed"));
                let single =
                    (field.number << 3 | wire_type(item), field, scalar_items(cx, field, item, "item"));
                if *packed {
                    arms.extend([run, single]);
                } else {
                    arms.extend([single, run]);
                }
            }
            _ => arms.push((tag(field), field, read_field(cx, field))),
        }
    }
    arms
}

/// Each field's tag is tried after the field before it; other orders go round.
fn chain(w: &mut Writer, cx: Context<'_>) {
    let next = |w: &mut Writer| {
        w.block("if p >= last", |w| w.line("return p;"));
        w.line("(tag, p) = get::tag(p);");
    };
    w.block("if p >= last", |w| w.line("return p;"));
    w.line("let mut tag;");
    w.line("(tag, p) = get::tag(p);");
    w.block("loop", |w| {
        w.line("let at = p;");
        for (tag, field, lines) in arms(cx) {
            let word = if field.label == Label::Repeated { "while" } else { "if" };
            w.scope(field.origin, |w| {
                w.block(format!("{word} tag == {}", hex(tag)), |w| {
                    for line in lines {
                        w.line(line);
                    }
                    next(w);
                });
            });
        }
        w.block("if p == at", |w| {
            w.line("// No field of this message, or a tag in more bytes than it needs.");
            w.line("(tag, p) = get::other(p, end, tag);");
            w.block("if tag == 0", next);
        });
    });
}

/// A `match` on the tag.
fn dispatch(w: &mut Writer, cx: Context<'_>) {
    w.block("while p < last", |w| {
        let keep = cx.keep();
        if keep.is_some() {
            w.line("let at = p;");
        }
        w.line("let tag;");
        w.line("(tag, p) = get::wide_tag(p, end);");
        w.block("match tag", |w| {
            for (tag, field, lines) in arms(cx) {
                w.scope(field.origin, |w| {
                    w.block(format!("{} =>", hex(tag)), |w| {
                        for line in lines {
                            w.line(line);
                        }
                    });
                });
            }
            w.line(match keep {
                Some(keep) => format!("_ => p = get::keep(at, get::skip(p, end, tag), end, {keep}),"),
                None => "_ => p = get::skip(p, end, tag),".to_owned(),
            });
        });
    });
    w.line("p");
}

/// The expression that reads one item into `value`, which is a place if `borrow` and a reference else.
fn read_into(
    cx: Context<'_>,
    field: &FieldPlan,
    item: &Item,
    value: &str,
    borrow: bool,
    index: &str,
) -> String {
    let target = if borrow { format!("&mut {value}") } else { value.to_owned() };
    match item {
        Item::Scalar(scalar) => format!("get::{}(p, end, {target})", wire_name(*scalar)),
        Item::Enum { .. } => format!("get::int32(p, end, &mut {value}.0)"),
        Item::Text { checked: true, .. } => format!("get::text(p, end, {target})"),
        Item::Text { checked: false, .. } => format!("get::raw_text(p, end, {target})"),
        Item::Bytes { .. } => format!("get::blob(p, end, {target})"),
        Item::Message(_) if cx.child_streams(field) => {
            format!("get::streaming(p, end, {target}, push, {}, {index})", field.number)
        }
        Item::Message(_) if field.is_group => format!("get::group(p, end, {}, {target})", hex(tag(field))),
        Item::Message(_) => format!("get::message(p, end, {target})"),
    }
}

fn scalar_items(cx: Context<'_>, field: &FieldPlan, item: &Item, how: &str) -> Vec<String> {
    let list = format!("&mut self.{}", field.rust_name);
    if let Item::Enum { id, closed: true } = item {
        let name = cx.spell.enumeration(*id);
        let known = format!("|number| {name}(number).is_known().then_some({name}(number))");
        if let Some(keep) = cx.keep() {
            let at = if how == "packed" { field.number.to_string() } else { "at".to_owned() };
            return vec![format!("p = get::kept_{how}(p, end, {at}, {list}, {known}, {keep});")];
        }
        return vec![format!("p = get::closed_{how}(p, end, {list}, {known});")];
    }
    let read = read_into(cx, field, item, "value", false, "0");
    vec![format!("p = get::{how}(p, end, {list}, |p, end, value| {read});")]
}

fn read_field(cx: Context<'_>, field: &FieldPlan) -> Vec<String> {
    let place = format!("self.{}", field.rust_name);
    let item = match &field.storage {
        Storage::Streamed { .. } => {
            return vec![format!(
                "p = get::stream(p, end, {}, {}, push);",
                field.number,
                stream_longest(field)
            )];
        }
        Storage::List { item, .. } if field.is_map => return vec![read_entry(cx, item, &place)],
        Storage::List { item, .. } => {
            let mut lines = Vec::new();
            if cx.child_streams(field) {
                lines.push(format!("let index = {place}.len();"));
            }
            let read = read_into(cx, field, item, "value", false, "index");
            lines.push(format!("p = get::item_in_place(p, end, &mut {place}, |p, end, value| {read});"));
            return lines;
        }
        Storage::One(item) => item,
    };
    let mark = bit(field).map(|(byte, mask)| format!("self.has.0[{byte}] |= {mask};"));
    if let Label::Oneof { oneof, .. } = field.label {
        return read_member(cx, field, item, oneof);
    }
    let read = format!("p = {};", read_into(cx, field, item, &place, true, "0"));
    let Some(mark) = mark else { return vec![read] };
    match item {
        Item::Enum { id, closed: true } => {
            let name = cx.spell.enumeration(*id);
            vec![
                "let mut number = 0;".to_owned(),
                "p = get::int32(p, end, &mut number);".to_owned(),
                format!("if p <= end && {name}(number).is_known() {{"),
                format!("    {place} = {name}(number);"),
                format!("    {mark}"),
            ]
            .into_iter()
            .chain(cx.otherwise_keep())
            .collect()
        }
        Item::Message(_) => {
            let (byte, mask) = bit(field).unwrap_or_default();
            vec![
                format!("if self.has.0[{byte}] & {mask} == 0 {{"),
                format!("    {place} = {};", cx.spell.empty_item(item)),
                format!("    {mark}"),
                "}".to_owned(),
                read,
            ]
        }
        _ => vec![mark, read],
    }
}

/// Reads an entry of a map.
fn read_entry(cx: Context<'_>, item: &Item, place: &str) -> String {
    let entry = match item {
        Item::Message(id) => cx.spell.plan.message(*id),
        _ => None,
    };
    let value = entry.and_then(|entry| entry.field(2)).and_then(FieldPlan::item);
    match value {
        Some(Item::Enum { id, closed: true }) => {
            let name = cx.spell.enumeration(id);
            let (prefix, keep) = match cx.keep() {
                Some(keep) => ("kept_map(p, end, at", format!(", {keep}")),
                None => ("closed_map(p, end", String::new()),
            };
            format!(
                "p = get::{prefix}, &mut {place}, |a, b| a.key == b.key, |number| {name}(number).is_known(){keep});"
            )
        }
        _ => format!("p = get::map(p, end, &mut {place}, |a, b| a.key == b.key);"),
    }
}

fn read_member(cx: Context<'_>, field: &FieldPlan, item: &Item, oneof: usize) -> Vec<String> {
    let plan = &cx.message.oneofs[oneof];
    let holder = format!("self.{}", plan.rust_name);
    let variant = format!("{}::{}", cx.spell.oneof(cx.message, plan), field.rust_name);
    match item {
        Item::Enum { id, closed: true } => {
            let name = cx.spell.enumeration(*id);
            vec![
                "let mut number = 0;".to_owned(),
                "p = get::int32(p, end, &mut number);".to_owned(),
                format!("if p <= end && {name}(number).is_known() {{"),
                format!("    {holder} = {variant}({name}(number));"),
            ]
            .into_iter()
            .chain(cx.otherwise_keep())
            .collect()
        }
        Item::Scalar(_) | Item::Enum { .. } => {
            let empty = match item {
                Item::Scalar(Scalar::Bool) => "false".to_owned(),
                _ => cx.spell.empty_item(item),
            };
            vec![
                format!("let mut value = {empty};"),
                format!("p = {};", read_into(cx, field, item, "value", true, "0")),
                format!("{holder} = {variant}(value);"),
            ]
        }
        _ => vec![
            format!("if !::core::matches!({holder}, {variant}(_)) {{"),
            format!("    {holder} = {variant}({});", cx.spell.empty_item(item)),
            "}".to_owned(),
            format!("if let {variant}(value) = &mut {holder} {{"),
            format!("    p = {};", read_into(cx, field, item, "value", false, "0")),
            "}".to_owned(),
        ],
    }
}
