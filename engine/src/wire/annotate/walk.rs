//! From tag to tag: opens a record per field and hands its content to the right reader.

use std::ops::Range;

use crate::diagnostic::Severity::Error;
use crate::schema::{Cardinality, Field, FieldRef, Kind, MessageId, Model};
use crate::wire::problem::{ProblemKind, Problems};
use crate::wire::readings::Choices;
use crate::wire::scalar;
use crate::wire::span::{ByteSpan, Role, Standing};
use crate::wire::varint::{self, WireType};

use super::MAX_DEPTH;

pub(super) struct Walk<'a> {
    /// `None` where types are only guessed.
    pub model: Option<&'a Model>,
    pub bytes: &'a [u8],
    pub choices: &'a Choices,
    pub spans: Vec<ByteSpan>,
    pub problems: Problems,
}

/// One message being read.
pub(super) struct Frame {
    pub range: Range<usize>,
    pub parent: Option<u32>,
    pub message: Option<MessageId>,
    pub depth: u8,
    /// Number of the group it is the content of.
    pub group: Option<u32>,
    /// Its end was already reported as cut off.
    pub is_cut: bool,
}

/// The record being read.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub at: u32,
    pub number: u32,
    pub wire_type: WireType,
    /// The declaration, where the bytes fit it.
    pub field: Option<&'a Field>,
}

/// How many items each repeated field of a frame has so far.
#[derive(Default)]
struct Counts(Vec<(u32, u32)>);

impl Counts {
    fn of(&mut self, field: u32) -> &mut u32 {
        let at = self.0.iter().rposition(|(f, _)| *f == field).unwrap_or_else(|| {
            self.0.push((field, 0));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

impl<'a> Walk<'a> {
    pub fn new(model: Option<&'a Model>, bytes: &'a [u8], choices: &'a Choices) -> Walk<'a> {
        // Offsets in the arena are 32 bits; protobuf itself ends at 2 GiB.
        let bytes = &bytes[..bytes.len().min(u32::MAX as usize)];
        // Fields take four bytes and three spans on average; more is added where that is not enough.
        let spans = Vec::with_capacity((bytes.len() / 4 * 3 + 8).min(1 << 16));
        Walk { model, bytes, choices, spans, problems: Problems::default() }
    }

    pub fn whole(mut self, message: Option<MessageId>) -> (Vec<ByteSpan>, Problems) {
        let message = message.filter(|_| self.model.is_some());
        let range = 0..self.bytes.len();
        self.fields(&Frame { range, parent: None, message, depth: 0, group: None, is_cut: false });
        (self.spans, self.problems)
    }

    /// Reads fields until the frame, or the group it is the content of, ends. Returns where that is.
    pub fn fields(&mut self, frame: &Frame) -> usize {
        let mut pos = frame.range.start;
        let mut hint = 0;
        let mut counts = Counts::default();
        while pos < frame.range.end {
            let tag = match varint::read(&self.bytes[pos..frame.range.end]) {
                Ok(tag) => tag,
                Err(error) => return self.unreadable_tag(frame, pos, error),
            };
            let after_tag = pos + tag.len;
            let number = u32::try_from(tag.value >> 3).unwrap_or(u32::MAX);
            let Some(wire_type) = WireType::from_tag(tag.value) else {
                let words = format!("field {number} has wire type {}, which does not exist", tag.value & 7);
                return self.garbage(frame, pos, ProblemKind::WireType, words);
            };
            if wire_type == WireType::EndGroup {
                pos = after_tag;
                if self.end_group(frame, after_tag - tag.len..after_tag, number) {
                    return pos;
                }
                continue;
            }
            let found = frame.message.and_then(|message| self.find(message, number, &mut hint));
            let tag_range = pos..after_tag;
            let mut record = self.open(frame, pos, number, wire_type, found);
            if self.check_tag(record, tag_range.clone(), tag) {
                record.field = self.declared(frame, record, tag_range.clone(), found);
            }
            self.leaf(record, Role::Tag, tag_range, Standing::Known);
            let items = match (found, record.field) {
                (Some(found), Some(field)) if field.cardinality != Cardinality::Singular => {
                    let items = counts.of(found.index);
                    self.spans[record.at as usize].index = *items;
                    Some(items)
                }
                _ => None,
            };
            let count;
            (pos, count) = self.content(frame, record, after_tag);
            if let Some(items) = items {
                *items = items.saturating_add(count);
            }
            self.close(record, pos);
        }
        if let Some(number) = frame.group.filter(|_| !frame.is_cut) {
            let words = format!("group {number} has no end");
            self.problem(Error, ProblemKind::Group, pos..pos, frame.parent, words);
        }
        pos
    }

    /// Reads what follows the tag. Returns where it ends, and how many items it holds.
    fn content(&mut self, frame: &Frame, record: Record<'a>, pos: usize) -> (usize, u32) {
        match record.wire_type {
            WireType::Varint => (self.varint_value(frame, record, pos), 1),
            WireType::I64 => (self.fixed_value(frame, record, pos, 8), 1),
            WireType::I32 => (self.fixed_value(frame, record, pos, 4), 1),
            WireType::Len => {
                let Some((payload, is_cut)) = self.length(frame, record, pos) else {
                    return (frame.range.end, 1);
                };
                let after = payload.end;
                (after, self.payload(frame, record, payload, is_cut))
            }
            WireType::StartGroup | WireType::EndGroup => (self.group(frame, record, pos), 1),
        }
    }

    fn group(&mut self, frame: &Frame, record: Record<'a>, pos: usize) -> usize {
        if frame.depth >= MAX_DEPTH {
            let end = frame.range.end;
            self.leaf(record, Role::Garbage, pos..end, Standing::Damaged);
            self.damage(record, ProblemKind::TooDeep, pos..end, too_deep());
            return end;
        }
        self.fields(&Frame {
            range: pos..frame.range.end,
            parent: Some(record.at),
            message: record.field.and_then(message_of),
            depth: frame.depth + 1,
            group: Some(record.number),
            is_cut: frame.is_cut,
        })
    }

    /// Whether the end tag closes the frame's group. A stray one is garbage; the end of another group closes
    /// this one all the same.
    fn end_group(&mut self, frame: &Frame, tag: Range<usize>, number: u32) -> bool {
        let Some(open) = frame.group else {
            let words = format!("group {number} ends, but was not started");
            self.push(frame, Role::Garbage, tag.clone(), number, WireType::EndGroup, Standing::Damaged);
            self.problem(Error, ProblemKind::Group, tag, frame.parent, words);
            return false;
        };
        let standing = if open == number { Standing::Known } else { Standing::Damaged };
        self.push(frame, Role::EndGroup, tag.clone(), number, WireType::EndGroup, standing);
        if open != number {
            let words = format!("group {open} ends with the number {number}");
            self.problem(Error, ProblemKind::Group, tag, frame.parent, words);
        }
        true
    }

    /// The field of that number; fields mostly come in the order they are declared.
    fn find(&self, message: MessageId, number: u32, hint: &mut usize) -> Option<FieldRef> {
        let fields = &self.model?.message(message).fields;
        let at = (*hint..fields.len().min(*hint + 2))
            .find(|at| fields[*at].number == number)
            .or_else(|| fields.iter().position(|f| f.number == number))?;
        *hint = at;
        Some(FieldRef { message, index: at as u32 })
    }

    /// The declaration, if the bytes fit it; else says how the record stands.
    fn declared(
        &mut self,
        frame: &Frame,
        record: Record<'a>,
        tag: Range<usize>,
        found: Option<FieldRef>,
    ) -> Option<&'a Field> {
        let model = self.model?;
        let standing = match found.map(|at| model.field(at)) {
            Some(field) if fits(field, record.wire_type) => return Some(field),
            Some(field) => {
                self.other_wire_type(record, tag, field);
                Standing::OtherWireType
            }
            None => {
                if frame.message.is_some() {
                    self.unknown_field(record, tag);
                }
                Standing::Unknown
            }
        };
        self.spans[record.at as usize].standing = standing;
        None
    }

    fn open(
        &mut self,
        frame: &Frame,
        pos: usize,
        number: u32,
        wire_type: WireType,
        found: Option<FieldRef>,
    ) -> Record<'a> {
        let at = self.push(frame, Role::Record, pos..pos, number, wire_type, Standing::Known);
        let span = &mut self.spans[at as usize];
        span.field = found;
        span.origin = found.and_then(|field| Some(self.model?.field(field).origin));
        Record { at, number, wire_type, field: None }
    }

    /// Ends a record behind its last byte.
    fn close(&mut self, record: Record<'a>, end: usize) {
        let after = self.spans.len() as u32;
        let span = &mut self.spans[record.at as usize];
        span.end = end as u32;
        span.after = after;
    }

    /// Adds a leaf of a record, unless it is empty. It stands to the schema as its record does, or worse.
    pub fn leaf(&mut self, record: Record<'a>, role: Role, range: Range<usize>, standing: Standing) {
        if !range.is_empty() {
            self.push_leaf(record, role, range, standing);
        }
    }

    /// The same for bytes that are there; returns its index.
    pub fn push_leaf(
        &mut self,
        record: Record<'a>,
        role: Role,
        range: Range<usize>,
        standing: Standing,
    ) -> u32 {
        let parent = self.spans[record.at as usize];
        let (start, end) = (range.start as u32, range.end as u32);
        let after = self.spans.len() as u32 + 1;
        let standing = if standing == Standing::Known { parent.standing } else { standing };
        self.spans.push(ByteSpan { start, end, role, standing, parent: Some(record.at), after, ..parent });
        after - 1
    }

    /// Adds a span that belongs to the frame rather than to one of its records.
    fn push(
        &mut self,
        frame: &Frame,
        role: Role,
        range: Range<usize>,
        number: u32,
        wire_type: WireType,
        standing: Standing,
    ) -> u32 {
        let at = self.spans.len() as u32;
        let closes = role == Role::EndGroup;
        let group = frame.parent.filter(|_| closes).map(|at| self.spans[at as usize]);
        self.spans.push(ByteSpan {
            start: range.start as u32,
            end: range.end as u32,
            role,
            standing,
            wire_type,
            depth: frame.depth - u8::from(closes),
            number,
            index: 0,
            parent: frame.parent,
            after: at + 1,
            field: group.and_then(|g| g.field),
            origin: group.and_then(|g| g.origin),
        });
        at
    }

    /// The rest of the frame cannot be read. Returns its end.
    pub fn garbage(&mut self, frame: &Frame, pos: usize, kind: ProblemKind, words: String) -> usize {
        self.problem(Error, kind, pos..frame.range.end, frame.parent, words);
        self.unread(frame, pos)
    }

    /// The rest of the frame as garbage. Returns its end.
    pub fn unread(&mut self, frame: &Frame, pos: usize) -> usize {
        let end = frame.range.end;
        self.push(frame, Role::Garbage, pos..end, 0, WireType::Len, Standing::Damaged);
        end
    }
}

/// Whether bytes of that wire type can belong to a field; repeated numbers may be packed or not.
fn fits(field: &Field, wire_type: WireType) -> bool {
    wire_type == scalar::wire_type(field)
        || (wire_type == WireType::Len
            && field.cardinality == Cardinality::Repeated
            && scalar::is_packable(field.kind))
}

pub(super) fn message_of(field: &Field) -> Option<MessageId> {
    match field.kind {
        Kind::Message(id) => Some(id),
        _ => None,
    }
}

pub(super) fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} messages: not read")
}
