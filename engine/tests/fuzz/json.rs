//! Any text as the sample of a message.

use wirebench_engine::wire::{self, MessageValue, Value, json, sample};

use crate::runner::{Seed, fuzz};
use crate::seeds::schemas;

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "true",
    "false",
    "-0.0",
    "1e39",
    "-1e400",
    "1.0",
    "0.5",
    "\"NaN\"",
    "\"-Infinity\"",
    "\"12\"",
    "\"1e3\"",
    "\\u0000",
    "\\ud83d",
    "\\ude00",
    "\"é\"",
    "\"aGk=\"",
    "\"_-8\"",
    "\"@type\"",
    "\"1970-01-01T00:00:00Z\"",
    "\"3.000000001s\"",
    "{\"a\":",
    "[[[[",
    "//",
];

/// JSON has one NaN.
fn with_one_nan(mut value: MessageValue) -> MessageValue {
    fn one(value: &mut Value) {
        match value {
            Value::Float(v) if v.is_nan() => *v = f32::NAN,
            Value::Double(v) if v.is_nan() => *v = f64::NAN,
            Value::Message(inner) => inner.fields.iter_mut().for_each(|f| one(&mut f.value)),
            Value::List(items) => items.iter_mut().for_each(one),
            _ => {}
        }
    }
    value.fields.iter_mut().for_each(|f| one(&mut f.value));
    value
}

#[test]
fn fuzz_json() {
    let schemas = schemas();
    let mut seeds = Vec::new();
    for (at, schema) in schemas.iter().enumerate() {
        for (message, id) in schema.messages.iter().enumerate().take(12) {
            let values = [
                sample::typical(&schema.model, &schema.limits, *id),
                sample::random(&schema.model, &schema.limits, *id, 1),
            ];
            for value in values {
                let text = json::print(&schema.model, *id, &value);
                if text.len() < 4000 {
                    seeds.push(Seed { from: format!("{at} {message}"), bytes: text.into_bytes() });
                }
            }
        }
    }
    fuzz(2500, seeds, TOKENS, move |from, bytes| {
        let (at, message) = from.split_once(' ').expect("two numbers");
        let schema = &schemas[at.parse::<usize>().expect("a number")];
        let id = schema.messages[message.parse::<usize>().expect("a number")];
        let model = &schema.model;
        let text = String::from_utf8_lossy(bytes);
        match json::parse(model, id, "sample.json", &text) {
            Ok(value) => {
                let printed = json::print(model, id, &value);
                let again = json::parse(model, id, "printed.json", &printed)
                    .unwrap_or_else(|why| panic!("{printed} is refused: {why:?}"));
                assert_eq!(with_one_nan(again), with_one_nan(value.clone()), "{printed}");
                let encoded = wire::encode(model, id, &value);
                let annotated = wire::annotate(model, Some(id), &encoded.bytes);
                assert_eq!(annotated.value, value, "{printed}");
                wire::check_limits(model, &schema.limits, id, &value);
            }
            Err(problems) => {
                assert!(!problems.is_empty());
                for problem in problems {
                    let span = problem.span.as_ref().expect("every problem of a sample has a place");
                    assert!(
                        text.get(span.range.clone()).is_some() && !problem.message.is_empty(),
                        "{problem}"
                    );
                }
            }
        }
    });
}
