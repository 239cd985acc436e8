//! The words of problems, and which values they take out of the message.

use std::ops::Range;

use crate::diagnostic::Severity::{self, Error, Note, Warning};
use crate::schema::{EnumId, Field, Kind};
use crate::wire::Value;
use crate::wire::problem::ProblemKind;
use crate::wire::scalar;
use crate::wire::span::{self, Standing};
use crate::wire::varint::{self, Varint, VarintError, WireType};

use super::walk::{Frame, Record, Walk};

/// Largest field number.
const MAX_FIELD_NUMBER: u64 = (1 << 29) - 1;

impl<'a> Walk<'a> {
    pub fn problem(
        &mut self,
        severity: Severity,
        kind: ProblemKind,
        range: Range<usize>,
        span: Option<u32>,
        words: String,
    ) {
        let (model, spans) = (self.model, &self.spans);
        let path = || span.map_or(String::new(), |at| span::path(model, spans, at as usize));
        self.problems.add(severity, kind, range, span, path, words);
    }

    /// An error that takes the record's value away.
    pub fn damage(&mut self, record: Record<'a>, kind: ProblemKind, range: Range<usize>, words: String) {
        self.spans[record.at as usize].standing = Standing::Damaged;
        self.problem(Error, kind, range, Some(record.at), words);
    }

    /// The frame ends inside the record. Said once: what lies in a cut frame is cut as a consequence.
    pub fn cut(&mut self, frame: &Frame, record: Record<'a>, range: Range<usize>, words: String) {
        let nested = record.field.is_some_and(|f| matches!(f.kind, Kind::Message(_)) || is_packed(f, record));
        if !nested {
            self.spans[record.at as usize].standing = Standing::Damaged;
        }
        if !frame.is_cut {
            self.problem(Error, ProblemKind::Cut, range, Some(record.at), words);
        }
    }

    pub fn unreadable_tag(&mut self, frame: &Frame, pos: usize, error: VarintError) -> usize {
        match error {
            // The message around it was reported already.
            VarintError::Cut if frame.is_cut => self.unread(frame, pos),
            VarintError::Cut => {
                self.garbage(frame, pos, ProblemKind::Cut, "a tag ends in the middle".to_owned())
            }
            VarintError::TooLong { len } => {
                let words = format!("a tag of {len} bytes: the rest of the message cannot be read");
                self.garbage(frame, pos, ProblemKind::VarintTooLong, words)
            }
        }
    }

    /// Says what is wrong with a tag; `false` if the field cannot exist.
    pub fn check_tag(&mut self, record: Record<'a>, range: Range<usize>, tag: Varint) -> bool {
        let number = tag.value >> 3;
        let words = if number == 0 {
            "field number 0 is not allowed".to_owned()
        } else if number > MAX_FIELD_NUMBER || tag.dropped_bits {
            format!("field number {number} is over {MAX_FIELD_NUMBER}, the largest there is")
        } else {
            self.check_overlong(record.at, range, "the tag", tag);
            return true;
        };
        self.damage(record, ProblemKind::FieldNumber, range, words);
        false
    }

    pub fn check_overlong(&mut self, at: u32, range: Range<usize>, what: &str, read: Varint) {
        let needed = varint::len(read.value);
        if read.len > needed {
            let words = format!("{what} takes {} bytes where {needed} would do", read.len);
            self.problem(Note, ProblemKind::OverlongVarint, range, Some(at), words);
        }
    }

    pub fn other_wire_type(&mut self, record: Record<'a>, tag: Range<usize>, field: &Field) {
        let declared = scalar::wire_type(field).name();
        let words = format!(
            "{} is declared as {declared} but comes as {}: counts as unknown",
            field.proto_name,
            record.wire_type.name()
        );
        self.problem(Warning, ProblemKind::OtherWireType, tag, Some(record.at), words);
    }

    pub fn unknown_field(&mut self, record: Record<'a>, tag: Range<usize>) {
        let words = format!("the schema has no field {} ({})", record.number, record.wire_type.name());
        self.problem(Note, ProblemKind::UnknownField, tag, Some(record.at), words);
    }

    /// Remarks on the value of a leaf that holds a varint; says whether it counts, in the leaf too.
    pub fn check_varint(&mut self, leaf: u32, kind: Option<Kind>, read: Varint) -> Standing {
        let range = self.spans[leaf as usize].range();
        if read.dropped_bits {
            let words =
                "the tenth byte has bits over 64: some decoders refuse it, others drop them".to_owned();
            self.problem(Warning, ProblemKind::VarintOver64Bits, range.clone(), Some(leaf), words);
        }
        self.check_overlong(leaf, range.clone(), "the value", read);
        let Some(kind) = kind else { return Standing::Known };
        if let Some(words) = wider_than_field(kind, read.value) {
            self.problem(Warning, ProblemKind::WiderThanField, range.clone(), Some(leaf), words);
        }
        match kind {
            Kind::Enum(id) => self.check_enum(leaf, id, range, read.value as i32),
            _ => Standing::Known,
        }
    }

    fn check_enum(&mut self, leaf: u32, id: EnumId, range: Range<usize>, number: i32) -> Standing {
        let Some(model) = self.model else { return Standing::Known };
        let declared = model.enumeration(id);
        if declared.values.iter().any(|v| v.number == number) {
            return Standing::Known;
        }
        let name = &declared.full_name;
        if !declared.is_closed {
            let words = format!("{number} is no named value of {name}");
            self.problem(Note, ProblemKind::UnknownEnumValue, range, Some(leaf), words);
            return Standing::Known;
        }
        let words = format!("{number} is no value of the closed enum {name}: counts as unknown");
        self.problem(Warning, ProblemKind::UnknownEnumValue, range, Some(leaf), words);
        self.spans[leaf as usize].standing = Standing::UnknownEnumValue;
        Standing::UnknownEnumValue
    }
}

/// Words for a varint that does not fit its field.
fn wider_than_field(kind: Kind, raw: u64) -> Option<String> {
    let fits = match kind {
        Kind::Int32 | Kind::Enum(_) => i64::from(raw as i32) as u64 == raw,
        Kind::Uint32 | Kind::Sint32 => raw >> 32 == 0,
        Kind::Bool => raw <= 1,
        _ => true,
    };
    if fits {
        return None;
    }
    let is_short_negative = raw >> 32 == 0 && matches!(kind, Kind::Int32 | Kind::Enum(_));
    Some(match scalar::of_raw(kind, raw) {
        Value::Bool(_) => format!("{raw} for a bool: reads as true"),
        Value::Signed(v) if is_short_negative => negative_in_five_bytes(v),
        Value::Enum(v) if is_short_negative => negative_in_five_bytes(i64::from(v)),
        Value::Signed(v) => format!("{raw:#x} is wider than 32 bits: reads as {v}"),
        Value::Enum(v) => format!("{raw:#x} is wider than 32 bits: reads as {v}"),
        _ => format!("{raw:#x} is wider than 32 bits: reads as {}", raw as u32),
    })
}

fn negative_in_five_bytes(value: i64) -> String {
    format!("{value} in the five bytes of careless senders: negative numbers take ten")
}

fn is_packed(field: &Field, record: Record<'_>) -> bool {
    record.wire_type == WireType::Len && scalar::is_packable(field.kind)
}
