//! The suite's schemas as our generator sees them, and the verdict over an answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirebench_engine::files::{FileError, Files, Input};
use wirebench_engine::options::{Limits, Optimize, resolve};
use wirebench_engine::plan::{Choices, Plan, lower};
use wirebench_engine::schema::{MessageId, Model, check};
use wirebench_engine::wire;

use crate::vectors::{Vector, folder};

/// The message types of the vectors, in the order in which testees number them.
pub const MESSAGES: [&str; 2] =
    ["protobuf_test_messages.proto2.TestAllTypesProto2", "protobuf_test_messages.proto3.TestAllTypesProto3"];

/// Their paths in generated code.
pub const PATHS: [&str; 2] = [
    "protobuf_test_messages::proto2::TestAllTypesProto2",
    "protobuf_test_messages::proto3::TestAllTypesProto3",
];

/// Groups of vectors that do not pass as a whole: group, passed, all. Recursive fields are left out of the generated
/// code by the settings beside the schemas, so they are kept as they came; message sets are messages without fields.
pub const INCOMPLETE: &[(&str, usize, usize)] =
    &[("ValidDataOneofBinary", 72, 74), ("ValidMessageSetEncoding", 1, 4)];

/// The same where unknown fields are skipped.
pub const INCOMPLETE_SKIPPING: &[(&str, usize, usize)] = &[
    ("MessageSetEncoding", 0, 1),
    ("RepeatedScalarMessageMerge", 0, 2),
    ("UnknownOrdering", 0, 2),
    ("UnknownVarint", 0, 2),
    ("ValidDataMap", 238, 240),
    ("ValidDataOneof", 72, 74),
    ("ValidDataOneofBinary", 72, 74),
    ("ValidMessageSetEncoding", 0, 4),
];

/// The schemas with their limits.
pub struct Suite {
    pub model: Model,
    pub limits: Limits,
}

/// The files beside the vectors.
struct Beside;

impl Files for Beside {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, FileError> {
        let file = folder().join("schemas").join(path);
        std::fs::read(file).map(Arc::from).map_err(|_| FileError::NotFound(path.to_owned()))
    }
}

impl Suite {
    pub fn load() -> Suite {
        let input = Input {
            roots: ["proto2", "proto3"].map(|s| format!("google/protobuf/test_messages_{s}.proto")).to_vec(),
            import_roots: vec![String::new()],
            settings: Some("wirebench.toml".to_owned()),
        };
        let checked = check(&input, &Beside);
        let model = checked.model.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics));
        let limits = resolve(&model, &input, &Beside).limits;
        Suite { model, limits }
    }

    /// The same messages, but they skip unknown fields.
    pub fn skipping(mut self) -> Suite {
        self.limits.messages.values_mut().for_each(|settings| settings.keep_unknown = None);
        self
    }

    pub fn plan(&self, optimize: Optimize) -> Plan {
        let choices = Choices { optimize: Some(optimize), ..Choices::default() };
        let planned = lower(&self.model, &self.limits, &choices);
        assert!(planned.refused.is_empty(), "{:#?}", planned.diagnostics);
        planned.plan
    }

    pub fn message(&self, vector: &Vector) -> MessageId {
        self.model.find_message(&vector.message).expect("the schemas hold the message")
    }

    /// Whether a testee's answer is what the suite expects: the error, the meaning, or the bytes.
    pub fn accepts(&self, vector: &Vector, answer: Option<&[u8]>) -> bool {
        match (&vector.reply, answer) {
            (None, None) => true,
            (Some(reply), Some(answer)) if vector.compares_bytes() => reply == answer,
            (Some(reply), Some(answer)) => {
                let of = |bytes| wire::annotate(&self.model, Some(self.message(vector)), bytes);
                let (reply, answer) = (of(reply), of(answer));
                answer.is_valid() && reply.value == answer.value
            }
            _ => false,
        }
    }
}

/// How many vectors passed and how many there are, by group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    groups: BTreeMap<String, (usize, usize)>,
    failed: Vec<String>,
}

impl Counts {
    pub fn of(suite: &Suite, vectors: &[Vector], answers: &[Option<Vec<u8>>]) -> Counts {
        assert_eq!(vectors.len(), answers.len());
        let mut counts = Counts::default();
        for (vector, answer) in vectors.iter().zip(answers) {
            let count = counts.groups.entry(vector.group().to_owned()).or_default();
            count.1 += 1;
            if suite.accepts(vector, answer.as_deref()) {
                count.0 += 1;
            } else {
                counts.failed.push(vector.name.clone());
            }
        }
        counts
    }

    /// Vectors that passed, and all.
    pub fn total(&self) -> (usize, usize) {
        self.groups.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    }

    /// The groups that did not pass as a whole.
    pub fn incomplete(&self) -> Vec<(&str, usize, usize)> {
        let all = self.groups.iter().map(|(group, (passed, all))| (group.as_str(), *passed, *all));
        all.filter(|(_, passed, all)| passed != all).collect()
    }

    /// Names of the vectors that did not pass.
    pub fn failed(&self) -> &[String] {
        &self.failed
    }
}
