//! Any bytes as a message, with and without its type.

use std::collections::HashMap;

use wirebench_engine::schema::Model;
use wirebench_engine::wire::{self, Annotated, Role, bytes_text, json, sample, textproto};

use crate::runner::{Seed, fuzz};
use crate::seeds::{Schema, files, schemas};

/// Encoded samples of all messages, by `schema message`, and the bytes the cases come with.
fn seeds(schemas: &[Schema]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for schema in schemas {
        for id in schema.messages.iter().take(12) {
            for seed in 0..3 {
                let value = sample::random(&schema.model, &schema.limits, *id, seed);
                let mut bytes = wire::encode_bytes(&schema.model, *id, &value);
                bytes.truncate(1000);
                seeds.push(Seed {
                    from: format!("{} {}", schema.path, schema.model.message(*id).full_name),
                    bytes,
                });
            }
        }
    }
    for case in files(".hex") {
        let path = case.from.replace("input.hex", "schema.proto");
        let bytes = bytes_text::read(&case.bytes).expect("the cases' bytes can be read").bytes;
        let schema = schemas.iter().find(|schema| schema.path == path);
        let message = schema.and_then(|schema| Some(schema.model.message(schema.model.find_message("T")?)));
        if let Some(message) = message.filter(|_| bytes.len() < 1000) {
            seeds.push(Seed { from: format!("{path} {}", message.full_name), bytes });
        }
    }
    seeds
}

/// Every byte lies in exactly one leaf, records hold what lies in them, and everything can be shown.
fn check_spans(model: Option<&Model>, bytes: &[u8], annotated: &Annotated) {
    let spans = &annotated.spans;
    let mut next = 0;
    for (at, span) in spans.iter().enumerate() {
        let after = span.after as usize;
        assert!(after > at && after <= spans.len(), "span {at}");
        if span.role == Role::Record {
            assert_eq!((spans[at + 1].start, spans[after - 1].end), (span.start, span.end), "record {at}");
        } else {
            assert_eq!(span.start as usize, next, "leaf {at}");
            assert!(span.end > span.start, "leaf {at}");
            assert_eq!(wire::leaf_at(spans, next), Some(at));
            next = span.end as usize;
        }
        if let Some(parent) = span.parent {
            let parent = &spans[parent as usize];
            assert!(parent.role == Role::Record && parent.start <= span.start && span.end <= parent.end);
        }
        assert!(!annotated.text(model, bytes, at).is_empty(), "span {at} has no text");
        annotated.path(model, at);
    }
    assert_eq!(next, bytes.len(), "leaves end early");
    for problem in &annotated.problems {
        assert!(problem.range.end <= bytes.len() && !problem.message.is_empty(), "{problem:?}");
    }
}

#[test]
fn fuzz_wire_typed() {
    let schemas = schemas();
    let seeds = seeds(&schemas);
    let by_name: HashMap<String, (usize, _)> = schemas
        .iter()
        .enumerate()
        .flat_map(|(at, schema)| {
            let name = move |id| format!("{} {}", schema.path, schema.model.message(id).full_name);
            schema.messages.iter().map(move |id| (name(*id), (at, *id)))
        })
        .collect();
    fuzz(2500, seeds, &[], move |from, bytes| {
        let (at, id) = by_name[from];
        let model = &schemas[at].model;
        let annotated = wire::annotate(model, Some(id), bytes);
        check_spans(Some(model), bytes, &annotated);
        let encoded = wire::encode(model, id, &annotated.value);
        textproto::print(model, id, &annotated.value);
        json::print(model, id, &annotated.value);
        wire::check_limits(model, &schemas[at].limits, id, &annotated.value);
        if annotated.is_valid() {
            let again = wire::annotate(model, Some(id), &encoded.bytes);
            assert!(again.is_valid(), "{:?}", again.problems);
            assert_eq!(again.value, annotated.value);
            assert_eq!(again.spans, encoded.spans);
            assert_eq!(wire::encode_bytes(model, id, &again.value), encoded.bytes);
        }
    });
}

#[test]
fn fuzz_wire_untyped() {
    fuzz(2500, seeds(&schemas()), &[], |_, bytes| {
        check_spans(None, bytes, &wire::annotate_raw(bytes));
    });
}
