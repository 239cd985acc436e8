//! `wirebench.toml` and `.options` files: reading any, and changing one limit in what can be read.

use std::collections::HashMap;

use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::options::{
    FieldLimits, IntWidth, LimitChange, MessageSettings, Resolved, StorageChoice, resolve, set_limit,
    set_limit_in_options,
};
use wirebench_engine::schema::{FieldRef, Model, check};

use crate::runner::{Seed, fuzz};
use crate::seeds::files;

const SCHEMA: &str = "syntax = \"proto3\";\npackage a.b;\n\
    message T { string name = 1; repeated bytes parts = 2; uint32 small = 3; Sub sub = 4; }\n\
    message Sub { repeated Sub.Leaf leaves = 1; string path = 2; message Leaf { bytes data = 1; } }\n";

/// Fields of that schema, and whether each is a string.
const FIELDS: [(&str, bool); 5] = [
    ("a.b.T.name", true),
    ("a.b.T.parts", false),
    ("a.b.T.small", false),
    ("a.b.Sub.path", true),
    ("a.b.Sub.Leaf.data", false),
];

const CHANGES: [LimitChange; 6] = [
    LimitChange::MaxLen(20),
    LimitChange::MaxLen(65_535),
    LimitChange::MaxCount(3),
    LimitChange::Storage(StorageChoice::Streamed),
    LimitChange::Storage(StorageChoice::Inline),
    LimitChange::IntWidth(IntWidth::W16),
];

const SETTINGS_TOKENS: &[&str] = &[
    "version = 1\n",
    "[fields]\n",
    "[fields.\"a.b.T.name\"]\n",
    "[messages]\n",
    "[defaults]\n",
    "\"a.b.T.name\" = { max_len = 16 }\n",
    "\"a.b.T.parts\".max_count = 2\n",
    "\"a.b.*\" = { max_len = 8, max_count = 2 }\n",
    "fields.\"a.b.T.small\" = { int_width = 8 }\n",
    "\"*\" = { storage = \"ignored\" }\n",
    "max_len = 9\n",
    "max_count = 9\n",
    "in_use = [\"a.b.T\"]\n",
    "schemas = [\"a.proto\"]\n",
    "\"\"\"",
    "'''",
    "\"",
    "# ",
    "\r\n",
    "{",
    "}",
    "[[",
    "]]",
    "=",
    ",",
    ".",
    "\u{feff}",
    "é",
];

const OPTIONS_TOKENS: &[&str] = &[
    "a.b.T.name max_size:16\n",
    "a.b.T.name max_length:15 # tail\n",
    "a.b.T.parts max_count:2 max_size:8\n",
    "a.b.* max_size:8\n",
    "* max_count:3, max_size:32\n",
    "a.b.T.small int_size:IS_8\n",
    "a.b.T type:FT_CALLBACK\n",
    " max_size:",
    " type:FT_IGNORE",
    "/*",
    "*/",
    "//",
    "# ",
    ";",
    ",",
    "\"",
    "\r\n",
    "*",
    "?",
    "\u{feff}",
    "é",
];

/// The schema with settings and an `.options` file beside it.
struct Project {
    model: Model,
    input: Input,
}

impl Project {
    fn new() -> Project {
        let input = Input {
            roots: vec!["a.proto".to_owned()],
            settings: Some("wirebench.toml".to_owned()),
            ..Input::default()
        };
        let model = check(&input, &MemoryFiles::default().with("a.proto", SCHEMA)).model;
        Project { model: model.expect("the schema is good"), input }
    }

    fn resolve(&self, settings: &str, options: &str) -> Resolved {
        let files = MemoryFiles::default()
            .with("a.proto", SCHEMA)
            .with("wirebench.toml", settings)
            .with("a.options", options);
        let resolved = resolve(&self.model, &self.input, &files);
        for found in &resolved.diagnostics {
            let Some(span) = &found.span else { continue };
            assert!(span.line > 0 && span.column > 0 && !found.message.is_empty(), "{found}");
        }
        assert_eq!(resolved.limits.fields.len(), self.fields().count());
        resolved
    }

    fn fields(&self) -> impl Iterator<Item = (FieldRef, String)> + '_ {
        self.model.message_ids().flat_map(|message| {
            let holder = self.model.message(message);
            holder.fields.iter().enumerate().map(move |(index, field)| {
                let name = format!("{}.{}", holder.full_name, field.proto_name);
                (FieldRef { message, index: index as u32 }, name)
            })
        })
    }

    /// What a text says of every field but one, and of the messages; without the places it says it at.
    fn others(&self, resolved: &Resolved, but: &str) -> (Vec<Said>, HashMap<String, MessageSettings>) {
        let fields = self.fields().filter(|(_, name)| name != but);
        let said = fields.map(|(field, _)| Said::of(&resolved.limits.fields[&field])).collect();
        let messages = self.model.message_ids();
        let named =
            messages.map(|id| (self.model.message(id).full_name.to_string(), resolved.limits.message(id)));
        (said, named.collect())
    }

    fn of(&self, resolved: &Resolved, field: &str) -> Said {
        let (field, _) = self.fields().find(|(_, name)| name == field).expect("the schema has it");
        Said::of(&resolved.limits.fields[&field])
    }

    /// After a change the field has the new value where it can have one, and nothing else is different.
    fn check_change(&self, before: &Resolved, after: &Resolved, field: &str, change: LimitChange) {
        assert_eq!(self.others(before, field), self.others(after, field));
        let said = self.of(after, field);
        let has = match change {
            LimitChange::MaxLen(value) => said.max_len.is_none_or(|now| now == value),
            LimitChange::MaxCount(value) => said.max_count.is_none_or(|now| now == value),
            // Only strings and bytes are streamed: elsewhere the wish is refused with a diagnostic.
            LimitChange::Storage(value) => said.storage == value || field.ends_with(".small"),
            LimitChange::IntWidth(value) => said.int_width.is_none_or(|now| now == value),
        };
        assert!(has, "{change:?} gave {said:?}");
    }
}

/// The limits of a field without their sources.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    max_len: Option<u32>,
    max_count: Option<u32>,
    storage: StorageChoice,
    int_width: Option<IntWidth>,
}

impl Said {
    fn of(limits: &FieldLimits) -> Said {
        Said {
            max_len: limits.max_len.as_ref().map(|limit| limit.value),
            max_count: limits.max_count.as_ref().map(|limit| limit.value),
            storage: limits.storage.value,
            int_width: limits.int_width.as_ref().map(|limit| limit.value),
        }
    }
}

/// Which field and change an input is tried with: any, but always the same for the same input.
fn picked<T: Copy>(of: &[T], bytes: &[u8], salt: usize) -> T {
    let sum = bytes.iter().fold(salt, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    of[(sum >> 3) % of.len()]
}

fn seeds(ending: &str, own: &[&str]) -> Vec<Seed> {
    let own = own.iter().map(|text| Seed { from: "limits".to_owned(), bytes: text.as_bytes().to_vec() });
    files(ending).into_iter().chain(own).collect()
}

#[test]
fn fuzz_settings() {
    const OWN: [&str; 5] = [
        "",
        "version = 1\n[fields]\n\"a.b.T.name\" = { max_len = 16 } # shown\n\"a.b.*\" = { max_count = 4 }\n",
        "fields.\"a.b.T.small\" = { int_width = 8 }\nin_use = [\"a.b.T\"]\n",
        "[fields.\"a.b.Sub.path\"]\r\nmax_len = 3\r\n\r\n[messages]\r\n\"a.b.T\" = { optimize = \"speed\" }\r\n",
        "[fields]\n\"a.b.T.parts\".max_count = 3\n\"a.b.T.parts\".max_len = 9\n[defaults]\nmax_len = 5\n",
    ];
    let project = Project::new();
    fuzz(1500, seeds("wirebench.toml", &OWN), SETTINGS_TOKENS, move |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let before = project.resolve(&text, "");
        let (field, _) = picked(&FIELDS, bytes, 1);
        let change = picked(&CHANGES, bytes, 2);
        if let Ok(changed) = set_limit(&text, field, change) {
            project.check_change(&before, &project.resolve(&changed, ""), field, change);
            assert_eq!(set_limit(&changed, field, change).as_ref(), Ok(&changed), "a second time");
        }
    });
}

#[test]
fn fuzz_options() {
    const OWN: [&str; 3] = [
        "# limits\na.b.T.name max_size:17 # shown\na.b.* max_count:4\n",
        "a.b.T.parts max_count:3, max_size:9; // both\r\na.b.T.small int_size:IS_8\r\n",
        "/* all */ * max_size:32\na.b.Sub.path max_length:\"20\"\n*.data type:FT_CALLBACK\n",
    ];
    let project = Project::new();
    fuzz(1500, seeds(".options", &OWN), OPTIONS_TOKENS, move |_, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let before = project.resolve("", &text);
        let (field, is_string) = picked(&FIELDS, bytes, 1);
        let change = picked(&CHANGES, bytes, 2);
        if let Ok(changed) = set_limit_in_options(&text, field, is_string, change) {
            project.check_change(&before, &project.resolve("", &changed), field, change);
            let again = set_limit_in_options(&changed, field, is_string, change);
            assert_eq!(again.as_ref(), Ok(&changed), "a second time");
        }
    });
}
