//! What panels draw, worked out once per result and selected message instead of once per frame.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use wirebench_engine::cost::{FieldCost, MessageCost};
use wirebench_engine::options::{FieldLimits, LimitSource, Optimize, Sourced, StorageChoice};
use wirebench_engine::origin::{FieldKey, Origin};
use wirebench_engine::pipeline::{Output, Sample};
use wirebench_engine::plan::{MaxEncoded, Style};
use wirebench_engine::schema::{Cardinality, Field, FieldRef, Kind, MessageId, Model};
use wirebench_engine::wire;

use super::derived::Computed;
use super::measuring::Subject;
use crate::widgets::code_view::CodeLines;
use crate::widgets::highlight;

/// Everything the panels draw of one good result.
#[derive(Clone, Default)]
pub struct View {
    /// Message types of the opened schema that can be looked at, in order of the file.
    pub messages: Vec<MessageRow>,
    /// The selected one.
    pub message: Option<MessageView>,
    /// Fields declared in the opened schema, by line.
    pub declared: Vec<DeclaredField>,
    /// The generated code.
    pub code: Arc<CodeLines>,
    /// Per line of the code: what it belongs to.
    pub code_origins: Arc<[Option<Origin>]>,
    /// Half width of the expected range of every estimate, in percent.
    pub error_percent: u32,
}

/// A message type in lists.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageRow {
    /// Full name.
    pub full_name: Arc<str>,
    /// Last part of the name.
    pub name: String,
    /// Why it has no code.
    pub refused: Option<String>,
    /// What it costs, where it has code.
    pub cost: Option<MessageCost>,
}

/// The selected message.
#[derive(Clone)]
pub struct MessageView {
    /// Its id in the model of this result.
    pub id: MessageId,
    /// Full name.
    pub full_name: Arc<str>,
    /// Last part of the name.
    pub name: String,
    /// Its comment in the schema.
    pub comment: String,
    /// Why it has no code.
    pub refused: Option<String>,
    /// Shape of its code and why.
    pub style: Option<(Style, String)>,
    /// What it costs.
    pub cost: Option<MessageCost>,
    /// Its fields in order of declaration.
    pub fields: Vec<FieldRow>,
    /// Its sample.
    pub sample: Option<Sample>,
    /// The sample's bytes.
    pub bytes: Arc<[ByteInfo]>,
    /// The sample's spans, records before what they hold.
    pub spans: Arc<[SpanRow]>,
    fingerprint: Option<u64>,
}

/// A field with its limits and costs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRow {
    /// The same everywhere, stable under reordering.
    pub key: FieldKey,
    /// Name in the schema.
    pub name: String,
    /// Type, as the schema writes it.
    pub type_name: String,
    /// The message it holds, for following it.
    pub holds: Option<Arc<str>>,
    /// Its hue.
    pub hue: usize,
    /// Its comment.
    pub comment: String,
    /// Longest value.
    pub max_len: Option<LimitCell>,
    /// Most items.
    pub max_count: Option<LimitCell>,
    /// Where its payload lives.
    pub storage: StorageChoice,
    /// Where the storage was chosen.
    pub storage_source: String,
    /// Whether it can be streamed.
    pub can_stream: bool,
    /// Why its message has no code, if this field is the reason.
    pub cost: Option<FieldCost>,
    /// Offset of its name in its schema file, if that is the opened one.
    pub offset: Option<usize>,
}

/// A limit and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitCell {
    /// The limit.
    pub value: u32,
    /// Where it stands: `wirebench.toml:14`.
    pub source: String,
    /// Whether nobody wrote it.
    pub is_chosen: bool,
}

/// A field's place in the opened schema.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredField {
    /// Range of its name.
    pub name: Range<usize>,
    /// Which field.
    pub key: FieldKey,
    /// Its message, if that is not the selected one.
    pub message: Arc<str>,
    /// Its hue.
    pub hue: usize,
    /// Limit and cost in a few characters: `max 32 · 36 B · ≤ 34 B wire`.
    pub hint: String,
    /// The same in a sentence.
    pub hint_help: String,
}

/// One byte of the sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteInfo {
    /// The byte.
    pub byte: u8,
    /// Index of its leaf in [`MessageView::spans`].
    pub span: usize,
    /// Hues of the records around its own record, outermost first.
    pub around: Vec<usize>,
}

/// One span of the sample's bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanRow {
    /// Offsets.
    pub range: Range<usize>,
    /// What it is.
    pub role: wire::Role,
    /// How it stands to the schema.
    pub standing: wire::Standing,
    /// Path of its field: `samples[3].x`.
    pub path: String,
    /// Its value, or what the tag or length says.
    pub text: String,
    /// The field.
    pub origin: Option<Origin>,
    /// The field's hue.
    pub hue: Option<usize>,
    /// Messages around it.
    pub depth: usize,
    /// The span it lies in.
    pub parent: Option<usize>,
}

/// The hue of a field number.
pub fn hue_of(number: u32) -> usize {
    number.saturating_sub(1) as usize % crate::theme::FIELD_HUES
}

impl View {
    /// Works out what panels draw of a result.
    pub fn build(computed: &Computed, schema_path: &str, selected: Option<&str>) -> View {
        let output = &computed.output;
        let Some(model) = output.model.as_deref() else { return View::default() };
        let refused: HashMap<MessageId, &str> = output
            .planned
            .iter()
            .flat_map(|planned| planned.refused.iter().map(|(id, reason)| (*id, reason.message.as_str())))
            .collect();
        let messages: Vec<MessageRow> = model
            .message_ids()
            .filter(|id| is_shown(model, *id))
            .map(|id| {
                let message = model.message(id);
                MessageRow {
                    full_name: message.full_name.clone(),
                    name: message.proto_name.clone(),
                    refused: refused.get(&id).map(|why| (*why).to_owned()),
                    cost: cost_of(output, id).cloned(),
                }
            })
            .collect();
        let chosen = selected.and_then(|name| model.find_message(name)).filter(|id| is_shown(model, *id));
        let chosen = chosen.or_else(|| model.find_message(&first_choice(model, &messages)?));
        let (code, code_origins) = code(output, model);
        View {
            message: chosen.map(|id| message_view(output, model, id, schema_path)),
            messages,
            declared: declared(output, model, schema_path),
            code,
            code_origins,
            error_percent: output.costs.as_ref().map_or(0, |costs| costs.error_percent),
        }
    }

    /// The same for another message, without doing the rest again.
    pub fn with_message(&self, computed: &Computed, schema_path: &str, name: &str) -> View {
        let mut view = self.clone();
        if let Some(model) = computed.output.model.as_deref()
            && let Some(id) = model.find_message(name)
        {
            view.message = Some(message_view(&computed.output, model, id, schema_path));
        }
        view
    }

    /// What a measurement of the selected message in this style would belong to.
    pub fn subject(&self, optimize: Optimize) -> Option<Subject> {
        let message = self.message.as_ref()?;
        message.cost.as_ref()?;
        Some(Subject { message: message.full_name.clone(), optimize, fingerprint: message.fingerprint? })
    }
}

/// Messages of the opened files, without map entries.
fn is_shown(model: &Model, id: MessageId) -> bool {
    let message = model.message(id);
    model.files[message.file].is_root && !message.is_map_entry
}

/// The first message that nothing else in the file holds and that has code.
fn first_choice(model: &Model, rows: &[MessageRow]) -> Option<String> {
    let held: Vec<&str> = model
        .messages
        .iter()
        .flat_map(|message| &message.fields)
        .filter_map(|field| match field.kind {
            Kind::Message(id) => Some(&*model.message(id).full_name),
            _ => None,
        })
        .collect();
    let usable = |row: &&MessageRow| row.refused.is_none();
    rows.iter()
        .filter(usable)
        .find(|row| !held.contains(&&*row.full_name))
        .or_else(|| rows.iter().find(usable))
        .or(rows.first())
        .map(|row| row.full_name.to_string())
}

fn cost_of(output: &Output, id: MessageId) -> Option<&MessageCost> {
    output.costs.as_ref()?.messages.get(&id)
}

fn message_view(output: &Output, model: &Model, id: MessageId, schema_path: &str) -> MessageView {
    let message = model.message(id);
    let planned = output.planned.as_deref();
    let plan = planned.and_then(|planned| planned.plan.message(id));
    let cost = cost_of(output, id);
    let sample = output.samples.get(&id).cloned();
    let (bytes, spans) = sample.as_ref().map(|sample| annotated(model, sample)).unwrap_or_default();
    let fields = message
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let key = FieldRef { message: id, index: index as u32 };
            let limits = output.limits.as_ref().and_then(|limits| limits.fields.get(&key));
            field_row(model, &message.full_name, field, limits, cost, schema_path)
        })
        .collect();
    MessageView {
        id,
        full_name: message.full_name.clone(),
        name: message.proto_name.clone(),
        comment: message.comment.clone(),
        refused: planned
            .and_then(|planned| planned.refused.iter().find(|(refused, _)| *refused == id))
            .map(|(_, reason)| reason.message.clone()),
        style: plan.map(|plan| (plan.style, plan.style_reason.clone())),
        cost: cost.cloned(),
        fields,
        fingerprint: output.printed.as_ref().zip(sample.as_ref()).map(|(printed, sample)| {
            let mut hasher = DefaultHasher::new();
            printed.text.hash(&mut hasher);
            sample.bytes.hash(&mut hasher);
            hasher.finish()
        }),
        sample,
        bytes,
        spans,
    }
}

fn field_row(
    model: &Model,
    message: &Arc<str>,
    field: &Field,
    limits: Option<&FieldLimits>,
    cost: Option<&MessageCost>,
    schema_path: &str,
) -> FieldRow {
    let storage = limits.map(|limits| &limits.storage);
    FieldRow {
        key: FieldKey { message: message.clone(), number: field.number },
        name: field.proto_name.clone(),
        type_name: type_name(model, field),
        holds: match field.kind {
            Kind::Message(id) if is_shown(model, id) => Some(model.message(id).full_name.clone()),
            _ => None,
        },
        hue: hue_of(field.number),
        comment: field.comment.clone(),
        max_len: limits.and_then(|limits| limits.max_len.as_ref()).map(limit_cell),
        max_count: limits.and_then(|limits| limits.max_count.as_ref()).map(limit_cell),
        storage: storage.map(|storage| storage.value).unwrap_or_default(),
        storage_source: storage.map(|storage| source_text(&storage.source)).unwrap_or_default(),
        can_stream: matches!(field.kind, Kind::String | Kind::Bytes)
            && field.cardinality == Cardinality::Singular,
        cost: cost.and_then(|cost| cost.fields.iter().find(|f| f.number == field.number)).cloned(),
        offset: field.span.as_ref().filter(|span| &*span.file == schema_path).map(|span| span.range.start),
    }
}

fn limit_cell(limit: &Sourced<u32>) -> LimitCell {
    LimitCell {
        value: limit.value,
        source: source_text(&limit.source),
        is_chosen: limit.source == LimitSource::Chosen,
    }
}

/// Where a limit stands, short: `wirebench.toml:14`.
fn source_text(source: &LimitSource) -> String {
    let (span, what) = match source {
        LimitSource::Chosen => return "chosen".to_owned(),
        LimitSource::ProjectDefault(span) => (span, " default"),
        LimitSource::Settings(span) | LimitSource::NanopbOptions(span) | LimitSource::Inline(span) => {
            (span, "")
        }
    };
    let file = span.file.rsplit('/').next().unwrap_or_default();
    format!("{file}:{}{what}", span.line)
}

/// The type as the schema writes it.
fn type_name(model: &Model, field: &Field) -> String {
    let item = |kind: Kind| match kind {
        Kind::Message(id) => model.message(id).proto_name.clone(),
        Kind::Enum(id) => model.enumeration(id).proto_name.clone(),
        scalar => format!("{scalar:?}").to_lowercase(),
    };
    match (field.cardinality, field.kind) {
        (Cardinality::Map, Kind::Message(entry)) => {
            let parts: Vec<String> =
                model.message(entry).fields.iter().map(|field| item(field.kind)).collect();
            format!("map<{}>", parts.join(", "))
        }
        (Cardinality::Repeated, kind) => format!("repeated {}", item(kind)),
        (_, kind) => item(kind),
    }
}

fn declared(output: &Output, model: &Model, schema_path: &str) -> Vec<DeclaredField> {
    let mut found = Vec::new();
    for id in model.message_ids() {
        let message = model.message(id);
        let cost = cost_of(output, id);
        for (index, field) in message.fields.iter().enumerate() {
            let Some(span) = field.span.as_ref().filter(|span| &*span.file == schema_path) else { continue };
            let key = FieldRef { message: id, index: index as u32 };
            let limits = output.limits.as_ref().and_then(|limits| limits.fields.get(&key));
            let row = field_row(model, &message.full_name, field, limits, cost, schema_path);
            found.push(DeclaredField {
                name: span.range.clone(),
                hint: hint(&row),
                hint_help: hint_help(&row),
                key: row.key,
                message: message.full_name.clone(),
                hue: row.hue,
            });
        }
    }
    found.sort_by_key(|field| field.name.start);
    found
}

/// Limit and cost at the end of a schema line.
fn hint(row: &FieldRow) -> String {
    let mut parts = Vec::new();
    if let Some(limit) = &row.max_len {
        parts.push(format!("max {}", limit.value));
    }
    if let Some(limit) = &row.max_count {
        parts.push(format!("max {}×", limit.value));
    }
    match row.storage {
        StorageChoice::Inline => {}
        StorageChoice::Streamed => parts.push("streamed".to_owned()),
        StorageChoice::Ignored => parts.push("ignored".to_owned()),
    }
    if let Some(cost) = &row.cost {
        parts.push(format!("{}", cost.ram));
        if let MaxEncoded::Bounded(bytes) = cost.max_encoded {
            parts.push(format!("≤ {bytes} wire"));
        }
    }
    parts.join(" · ")
}

fn hint_help(row: &FieldRow) -> String {
    let mut lines = vec![format!("{} {} = {}", row.type_name, row.name, row.key.number)];
    let mut limit = |name: &str, cell: &Option<LimitCell>| {
        if let Some(cell) = cell {
            let from = if cell.is_chosen { "chosen by Wirebench" } else { &cell.source };
            lines.push(format!("{name} {} ({from})", cell.value));
        }
    };
    limit("max length", &row.max_len);
    limit("max count", &row.max_count);
    if let Some(cost) = &row.cost {
        lines.push(format!("{} of RAM, {} on the wire (exact)", cost.ram, wire_text(&cost.max_encoded)));
    }
    lines.push("Click to edit its limits".to_owned());
    lines.join("\n")
}

/// The longest encoding in words: `at most 34 B`.
pub fn wire_text(max: &MaxEncoded) -> String {
    match max {
        MaxEncoded::Bounded(bytes) => format!("at most {bytes}"),
        MaxEncoded::FixedPlus { fixed, .. } => format!("{fixed} plus what is streamed"),
        MaxEncoded::Unbounded { why } => format!("unbounded: {why}"),
    }
}

/// The code's lines, and the innermost origin of each.
fn code(output: &Output, model: &Model) -> (Arc<CodeLines>, Arc<[Option<Origin>]>) {
    let Some(printed) = &output.printed else { return Default::default() };
    let lines = CodeLines::new(&printed.text, highlight::rust_tokens);
    let mut origins = vec![None; lines.starts.len()];
    // Nested ranges follow their parent, so the innermost is written last.
    for span in &printed.spans {
        let first = lines.line_of(span.range.start);
        let last = lines.line_of(span.range.end.saturating_sub(1).max(span.range.start));
        let origin = model.origins.get(span.origin);
        for line in &mut origins[first..=last] {
            *line = Some(origin.clone());
        }
    }
    (Arc::new(lines), origins.into())
}

fn annotated(model: &Model, sample: &Sample) -> (Arc<[ByteInfo]>, Arc<[SpanRow]>) {
    let arena = &sample.annotated.spans;
    let rows: Vec<SpanRow> = arena
        .iter()
        .enumerate()
        .map(|(at, span)| {
            let origin = span.origin.map(|origin| model.origins.get(origin).clone());
            SpanRow {
                range: span.range(),
                role: span.role,
                standing: span.standing,
                path: wire::span_path(Some(model), arena, at),
                text: sample.annotated.text(Some(model), &sample.bytes, at),
                hue: (span.number > 0).then(|| hue_of(span.number)),
                origin,
                depth: span.depth as usize,
                parent: span.parent.map(|parent| parent as usize),
            }
        })
        .collect();
    let mut bytes: Vec<ByteInfo> = Vec::with_capacity(sample.bytes.len());
    for (offset, byte) in sample.bytes.iter().enumerate() {
        let Some(span) = wire::leaf_at(arena, offset) else { continue };
        let mut around = Vec::new();
        // The leaf's own record colours the byte itself; the records around that one are lines below it.
        let mut next = rows[span].parent.and_then(|record| rows[record].parent);
        while let Some(record) = next {
            around.extend(rows[record].hue);
            next = rows[record].parent;
        }
        around.reverse();
        bytes.push(ByteInfo { byte: *byte, span, around });
    }
    (bytes.into(), rows.into())
}
