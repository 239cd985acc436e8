//! `wirebench.toml` to rules, each with its place; what is wrong in it costs only the entry it stands in.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike, Value};

use super::LARGEST_LIMIT;
use super::limits::{Direction, IntWidth, Optimize, StorageChoice, UnknownOverflow};
use crate::diagnostic::{Diagnostic, Span};
use crate::schema::SourceText;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// What one entry says of the fields it names.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldEntry {
    pub max_len: Option<Placed<u32>>,
    pub max_count: Option<Placed<u32>>,
    pub storage: Option<Placed<StorageWish>>,
    pub int_width: Option<Placed<IntWidth>>,
    /// Only nanopb's: whether every value has exactly the maximum length.
    pub fixed_length: Option<Placed<bool>>,
    /// Only nanopb's: whether there are always exactly the maximum number of items.
    pub fixed_count: Option<Placed<bool>>,
}

/// The storage an entry asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StorageWish {
    /// One that there is.
    Use(StorageChoice),
    /// nanopb's FT_POINTER, which takes memory from an allocator.
    Pointer,
}

/// What one entry says of the messages it names.
#[derive(Clone, Debug, Default)]
pub(super) struct MessageEntry {
    pub optimize: Option<Optimize>,
    pub direction: Option<Direction>,
    pub keep_unknown: Option<u32>,
    pub unknown_overflow: Option<UnknownOverflow>,
}

/// The settings file as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectFile {
    pub schemas: Vec<Placed<String>>,
    pub in_use: Vec<Placed<String>>,
    pub defaults: FieldEntry,
    pub fields: Vec<(Placed<String>, FieldEntry)>,
    pub messages: Vec<(Placed<String>, MessageEntry)>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a settings file.
pub(super) fn read_settings(source: &SourceText) -> ProjectFile {
    let mut reader = Reader { source, found: ProjectFile::default() };
    match Document::parse(&*source.text) {
        Ok(document) => reader.document(document.as_table()),
        Err(why) => {
            let problem = Diagnostic::error(
                Some(source.span(why.span().unwrap_or(0..0))),
                format!("{} cannot be read: {}", source.path, why.message().trim().replace('\n', "; ")),
            );
            reader
                .found
                .diagnostics
                .push(problem.with_help("no limit of this file is used until it is mended"));
        }
    }
    reader.found
}

struct Reader<'a> {
    source: &'a SourceText,
    found: ProjectFile,
}

/// Where a key of a table stands.
fn key_range(table: &dyn TableLike, key: &str) -> Range<usize> {
    table.get_key_value(key).and_then(|(key, item)| key.span().or_else(|| item.span())).unwrap_or(0..0)
}

impl Reader<'_> {
    fn error(&mut self, range: Range<usize>, message: String, help: &str) {
        let problem = Diagnostic::error(Some(self.source.span(range)), message);
        self.found.diagnostics.push(problem.with_help(help));
    }

    fn document(&mut self, table: &dyn TableLike) {
        for (key, item) in table.iter() {
            let at = key_range(table, key);
            match key {
                "version" => self.version(item, at),
                "schemas" => self.found.schemas = self.names(key, item, at),
                "in_use" => self.found.in_use = self.names(key, item, at),
                "defaults" => {
                    if let Some(entry) = self.table(key, item, at) {
                        self.found.defaults = self.field_entry(entry, &["max_len", "max_count"]);
                    }
                }
                "fields" => {
                    for (name, entry) in self.entries(key, item, at) {
                        let entry =
                            self.field_entry(entry, &["max_len", "max_count", "storage", "int_width"]);
                        self.found.fields.push((name, entry));
                    }
                }
                "messages" => {
                    for (name, entry) in self.entries(key, item, at) {
                        let entry = self.message_entry(entry);
                        self.found.messages.push((name, entry));
                    }
                }
                _ => {
                    self.unknown(key, at, &["version", "schemas", "in_use", "defaults", "fields", "messages"])
                }
            }
        }
    }

    fn version(&mut self, item: &Item, at: Range<usize>) {
        if item.as_integer() != Some(1) {
            let range = item.span().unwrap_or(at);
            let text =
                format!("version {} of this file is not known", self.source.text[range.clone()].trim());
            self.error(range, text, "write `version = 1`");
        }
    }

    fn unknown(&mut self, key: &str, at: Range<usize>, known: &[&str]) {
        self.error(at, format!("`{key}` is not a setting"), &format!("settings here: {}", known.join(", ")));
    }

    fn names(&mut self, key: &str, item: &Item, at: Range<usize>) -> Vec<Placed<String>> {
        let Some(array) = item.as_array() else {
            self.error(
                item.span().unwrap_or(at),
                format!("`{key}` must be a list of names"),
                "write [\"a\", \"b\"]",
            );
            return Vec::new();
        };
        let mut names = Vec::new();
        for value in array {
            let range = value.span().unwrap_or(at.clone());
            match value.as_str() {
                Some(name) => names.push(Placed { value: name.to_owned(), span: self.source.span(range) }),
                None => self.error(range, format!("`{key}` must hold names"), "write it in quotes"),
            }
        }
        names
    }

    fn table<'i>(&mut self, key: &str, item: &'i Item, at: Range<usize>) -> Option<&'i dyn TableLike> {
        let table = item.as_table_like();
        if table.is_none() {
            self.error(
                item.span().unwrap_or(at),
                format!("`{key}` must be a table"),
                &format!("write [{key}]"),
            );
        }
        table
    }

    /// The named tables of `[fields]` or `[messages]`.
    fn entries<'i>(
        &mut self,
        key: &str,
        item: &'i Item,
        at: Range<usize>,
    ) -> Vec<(Placed<String>, &'i dyn TableLike)> {
        let Some(table) = self.table(key, item, at) else { return Vec::new() };
        let mut entries = Vec::new();
        for (name, entry) in table.iter() {
            let at = key_range(table, name);
            let Some(entry) = entry.as_table_like() else {
                let text = format!("settings of `{name}` must be a table");
                self.error(entry.span().unwrap_or(at), text, "write { max_len = 16 }");
                continue;
            };
            let is_nested = |(_, item): (&str, &Item)| item.is_table_like();
            if entry.is_dotted() && entry.iter().any(is_nested) {
                let text = format!("`{name}` is taken as a table, because the name around it has no quotes");
                self.error(
                    at,
                    text,
                    "write the full name in quotes: \"pkg.Message.field\" = { max_len = 16 }",
                );
                continue;
            }
            entries.push((Placed { value: name.to_owned(), span: self.source.span(at) }, entry));
        }
        entries
    }

    fn field_entry(&mut self, table: &dyn TableLike, known: &[&str]) -> FieldEntry {
        let mut entry = FieldEntry::default();
        for (key, item) in table.iter() {
            let at = key_range(table, key);
            if !known.contains(&key) {
                self.unknown(key, at, known);
                continue;
            }
            let range = item.span().unwrap_or(at);
            let span = self.source.span(range.clone());
            match key {
                "max_len" => entry.max_len = self.limit(key, item, range).map(|value| Placed { value, span }),
                "max_count" => {
                    entry.max_count = self.limit(key, item, range).map(|value| Placed { value, span })
                }
                "storage" => {
                    let value =
                        self.word(
                            item,
                            range,
                            "\"inline\", \"streamed\" or \"ignored\"",
                            |word| match word {
                                "inline" => Some(StorageChoice::Inline),
                                "streamed" => Some(StorageChoice::Streamed),
                                "ignored" => Some(StorageChoice::Ignored),
                                _ => None,
                            },
                        );
                    entry.storage = value.map(|value| Placed { value: StorageWish::Use(value), span });
                }
                _ => {
                    let value = match item.as_integer() {
                        Some(8) => Some(IntWidth::W8),
                        Some(16) => Some(IntWidth::W16),
                        Some(32) => Some(IntWidth::W32),
                        Some(64) => Some(IntWidth::W64),
                        _ => None,
                    };
                    if value.is_none() {
                        let text = format!("int_width cannot be {}", self.source.text[range.clone()].trim());
                        self.error(range, text, "write 8, 16, 32 or 64");
                    }
                    entry.int_width = value.map(|value| Placed { value, span });
                }
            }
        }
        entry
    }

    fn message_entry(&mut self, table: &dyn TableLike) -> MessageEntry {
        let mut entry = MessageEntry::default();
        for (key, item) in table.iter() {
            let at = key_range(table, key);
            let range = item.span().unwrap_or(at.clone());
            match key {
                "optimize" => {
                    let wanted = "\"auto\", \"size\", \"balanced\" or \"speed\"";
                    entry.optimize = self.word(item, range, wanted, Optimize::from_word);
                }
                "direction" => {
                    entry.direction =
                        self.word(item, range, "\"both\", \"encode\" or \"decode\"", |word| match word {
                            "both" => Some(Direction::Both),
                            "encode" => Some(Direction::Encode),
                            "decode" => Some(Direction::Decode),
                            _ => None,
                        });
                }
                "keep_unknown" => entry.keep_unknown = self.limit(key, item, range),
                "unknown_overflow" => {
                    entry.unknown_overflow =
                        self.word(item, range, "\"error\" or \"drop\"", |word| match word {
                            "error" => Some(UnknownOverflow::Error),
                            "drop" => Some(UnknownOverflow::Drop),
                            _ => None,
                        });
                }
                _ => {
                    let known = ["optimize", "direction", "keep_unknown", "unknown_overflow"];
                    self.unknown(key, at, &known);
                }
            }
        }
        entry
    }

    /// A length or count.
    fn limit(&mut self, key: &str, item: &Item, range: Range<usize>) -> Option<u32> {
        let written = self.source.text[range.clone()].trim().to_owned();
        match item.as_integer() {
            Some(value) if (1..=i64::from(LARGEST_LIMIT)).contains(&value) => return Some(value as u32),
            Some(0) if key == "keep_unknown" => self.error(
                range,
                "keep_unknown cannot be 0".to_owned(),
                "to skip unknown fields leave it out",
            ),
            Some(0) => self.error(
                range,
                format!("{key} cannot be 0: the field could hold nothing"),
                "to leave a field out of the code write storage = \"ignored\"",
            ),
            Some(_) => self.error(
                range,
                format!("{key} cannot be {written}: it must be 1 to {LARGEST_LIMIT}"),
                "longer payloads can be moved in pieces: storage = \"streamed\"",
            ),
            None => {
                let what = item.as_value().map_or("table", Value::type_name);
                self.error(
                    range,
                    format!("{key} must be a whole number from 1 to {LARGEST_LIMIT}, not a {what}"),
                    &format!("write {key} = 16"),
                );
            }
        }
        None
    }

    fn word<T>(
        &mut self,
        item: &Item,
        range: Range<usize>,
        wanted: &str,
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = item.as_str().and_then(meaning);
        if value.is_none() {
            let text = format!("{} means nothing here", self.source.text[range.clone()].trim());
            self.error(range, text, &format!("write {wanted}"));
        }
        value
    }
}
