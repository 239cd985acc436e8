//! Values behind a tag: varints, fixed sizes, and what lies behind a length.

use std::ops::Range;

use crate::diagnostic::Severity::{Error, Warning};
use crate::schema::{Field, Kind};
use crate::wire::problem::ProblemKind;
use crate::wire::readings::{self, ReadAs};
use crate::wire::scalar;
use crate::wire::span::{Role, Standing};
use crate::wire::varint::{self, VarintError, WireType};

use super::MAX_DEPTH;
use super::walk::{Frame, Record, Walk, message_of, too_deep};

impl<'a> Walk<'a> {
    pub fn varint_value(&mut self, frame: &Frame, record: Record<'a>, pos: usize) -> usize {
        let end = frame.range.end;
        match varint::read(&self.bytes[pos..end]) {
            Ok(value) => {
                let range = pos..pos + value.len;
                let kind = record.field.map(|f| f.kind);
                let leaf = self.push_leaf(record, Role::Value, range.clone(), Standing::Known);
                let standing = self.check_varint(leaf, kind, value);
                if standing == Standing::UnknownEnumValue {
                    self.spans[record.at as usize].standing = standing;
                }
                range.end
            }
            Err(VarintError::Cut) => {
                self.leaf(record, Role::Value, pos..end, Standing::Damaged);
                let words = if pos == end { "the value is missing" } else { "the value ends in the middle" };
                self.cut(frame, record, pos..end, words.to_owned());
                end
            }
            Err(VarintError::TooLong { len }) => {
                let range = pos..pos + len;
                self.leaf(record, Role::Value, range.clone(), Standing::Damaged);
                let words = format!("a varint of {len} bytes: ten are the most");
                self.damage(record, ProblemKind::VarintTooLong, range.clone(), words);
                range.end
            }
        }
    }

    pub fn fixed_value(&mut self, frame: &Frame, record: Record<'a>, pos: usize, size: usize) -> usize {
        let end = frame.range.end;
        let left = end - pos;
        if left < size {
            self.leaf(record, Role::Value, pos..end, Standing::Damaged);
            self.cut(frame, record, pos..end, format!("the value takes {size} bytes, {}", bytes_left(left)));
            return end;
        }
        self.leaf(record, Role::Value, pos..pos + size, Standing::Known);
        pos + size
    }

    /// Reads a length. Returns what is there of the payload, and whether bytes of it are missing; `None` where
    /// the length itself cannot be read: the rest of the frame is lost then.
    pub fn length(&mut self, frame: &Frame, record: Record<'a>, pos: usize) -> Option<(Range<usize>, bool)> {
        let end = frame.range.end;
        let length = match varint::read(&self.bytes[pos..end]) {
            Ok(length) => length,
            Err(VarintError::Cut) => {
                self.leaf(record, Role::Length, pos..end, Standing::Damaged);
                let words =
                    if pos == end { "the length is missing" } else { "the length ends in the middle" };
                self.cut(frame, record, pos..end, words.to_owned());
                return None;
            }
            Err(VarintError::TooLong { len }) => {
                self.leaf(record, Role::Length, pos..pos + len, Standing::Damaged);
                self.leaf(record, Role::Garbage, pos + len..end, Standing::Damaged);
                let words = format!("a length of {len} bytes: ten are the most");
                self.damage(record, ProblemKind::VarintTooLong, pos..end, words);
                return None;
            }
        };
        let start = pos + length.len;
        self.leaf(record, Role::Length, pos..start, Standing::Known);
        self.check_overlong(record.at, pos..start, "the length", length);
        let left = end - start;
        if length.value > left as u64 {
            let words = format!("the length says {} bytes, {}", length.value, bytes_left(left));
            self.cut(frame, record, start..end, words);
            return Some((start..end, true));
        }
        Some((start..start + length.value as usize, false))
    }

    /// Reads the bytes behind a length. Returns how many items they hold.
    pub fn payload(&mut self, frame: &Frame, record: Record<'a>, payload: Range<usize>, is_cut: bool) -> u32 {
        let Some(field) = record.field else {
            return self.guessed(frame, record, payload, is_cut);
        };
        if scalar::is_packable(field.kind) && !field.delimited {
            return self.packed(record, Some(field.kind), scalar::wire_type_of(field.kind), payload, is_cut);
        }
        if field.kind != Kind::Bytes && field.kind != Kind::String {
            self.nested(frame, record, payload, is_cut);
            return 1;
        }
        let standing = if is_cut { Standing::Damaged } else { Standing::Known };
        self.leaf(record, Role::Value, payload.clone(), standing);
        if is_cut {
            self.spans[record.at as usize].standing = Standing::Damaged;
        } else if field.kind == Kind::String {
            self.check_utf8(record, field, payload);
        }
        1
    }

    fn nested(&mut self, frame: &Frame, record: Record<'a>, payload: Range<usize>, is_cut: bool) {
        if frame.depth >= MAX_DEPTH {
            self.leaf(record, Role::Value, payload.clone(), Standing::Damaged);
            return self.damage(record, ProblemKind::TooDeep, payload, too_deep());
        }
        self.fields(&Frame {
            range: payload,
            parent: Some(record.at),
            message: record.field.and_then(message_of),
            depth: frame.depth + 1,
            group: None,
            is_cut: frame.is_cut || is_cut,
        });
    }

    fn packed(
        &mut self,
        record: Record<'a>,
        kind: Option<Kind>,
        item: WireType,
        payload: Range<usize>,
        is_cut: bool,
    ) -> u32 {
        let first = self.spans[record.at as usize].index;
        let mut pos = payload.start;
        let mut count = 0;
        while pos < payload.end {
            let rest = pos..payload.end;
            let size = match item {
                WireType::I64 => Ok(8),
                WireType::I32 => Ok(4),
                _ => varint::read(&self.bytes[rest.clone()]).map(|v| v.len),
            };
            let end = match size {
                Ok(size) => rest.end.min(pos + size),
                Err(VarintError::TooLong { len }) => pos + len,
                Err(VarintError::Cut) => rest.end,
            };
            let leaf = self.push_leaf(record, Role::PackedItem, pos..end, Standing::Known);
            self.spans[leaf as usize].index = first.saturating_add(count);
            match size {
                Ok(size) if size > rest.len() => {
                    let words =
                        format!("the last packed item takes {size} bytes, {}", bytes_left(rest.len()));
                    self.damaged_item(leaf, ProblemKind::PackedLength, words, is_cut);
                }
                Ok(_) if item == WireType::Varint => {
                    if let Ok(value) = varint::read(&self.bytes[rest]) {
                        self.check_varint(leaf, kind, value);
                    }
                }
                Ok(_) => {}
                Err(VarintError::TooLong { len }) => {
                    let words = format!("a varint of {len} bytes: ten are the most");
                    self.damaged_item(leaf, ProblemKind::VarintTooLong, words, false);
                }
                Err(VarintError::Cut) => {
                    let words = "the last packed item ends in the middle".to_owned();
                    self.damaged_item(leaf, ProblemKind::Cut, words, is_cut);
                }
            }
            pos = end;
            count += 1;
        }
        count
    }

    /// An item without value; not worth words where its record was reported as cut already.
    fn damaged_item(&mut self, leaf: u32, kind: ProblemKind, words: String, is_reported: bool) {
        let span = &mut self.spans[leaf as usize];
        span.standing = Standing::Damaged;
        let range = span.range();
        if !is_reported {
            self.problem(Error, kind, range, Some(leaf), words);
        }
    }

    /// A payload no declaration explains: by the user's choice, else by what it looks like.
    fn guessed(&mut self, frame: &Frame, record: Record<'a>, payload: Range<usize>, is_cut: bool) -> u32 {
        let chosen = self.choices.get(&self.spans, record.at);
        let bytes = &self.bytes[payload.clone()];
        match chosen.unwrap_or_else(|| readings::likely_payload(bytes)) {
            ReadAs::Message if frame.depth < MAX_DEPTH && (!is_cut || chosen.is_some()) => {
                let spans = self.spans.len();
                let problems = self.problems.mark();
                self.nested(frame, record, payload.clone(), is_cut);
                // A guess that does not hold is no fault of the bytes: decoders skip unknown fields unread.
                // Where the user chose readings, errors may be those of a choice, and stay.
                if self.choices.0.is_empty() && self.problems.errors > problems.errors {
                    self.spans.truncate(spans);
                    self.problems.back_to(problems);
                    self.leaf(record, Role::Value, payload, Standing::Known);
                }
            }
            ReadAs::PackedVarints => return self.packed(record, None, WireType::Varint, payload, is_cut),
            ReadAs::PackedFixed32 => return self.packed(record, None, WireType::I32, payload, is_cut),
            ReadAs::PackedFixed64 => return self.packed(record, None, WireType::I64, payload, is_cut),
            _ => {
                let standing = if is_cut { Standing::Damaged } else { Standing::Known };
                self.leaf(record, Role::Value, payload, standing);
            }
        }
        1
    }

    fn check_utf8(&mut self, record: Record<'a>, field: &Field, payload: Range<usize>) {
        let Err(error) = std::str::from_utf8(&self.bytes[payload.clone()]) else { return };
        let at = payload.start + error.valid_up_to();
        let byte = self.bytes[at];
        let (severity, words) = if field.utf8_checked {
            (Error, format!("byte {byte:#04x} at offset {at} is not valid UTF-8"))
        } else {
            let words = format!("byte {byte:#04x} at offset {at} is not valid UTF-8; proto2 allows that");
            (Warning, words)
        };
        self.problem(severity, ProblemKind::Utf8, at..payload.end, Some(record.at), words);
    }
}

fn bytes_left(left: usize) -> String {
    match left {
        0 => "nothing is left".to_owned(),
        1 => "only 1 is left".to_owned(),
        _ => format!("only {left} are left"),
    }
}
