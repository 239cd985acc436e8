//! Seeded random values and noise over all schemas of the repository and of the cases.
//!
//! prost-reflect is asked for a second opinion. Where it differs from the specification, and the comparison
//! makes allowance for it:
//!
//! - implicit floats of -0.0 are not written;
//! - map entries are written in the order of a hash map, without parts that are default;
//! - a field with another wire type than declared is an error, not an unknown field;
//! - invalid UTF-8 in a proto2 string is an error;
//! - bits over 64 in the tenth byte of a varint are an error (which the specification leaves open);
//! - missing required fields are accepted.

use prost_reflect::DynamicMessage;
use wirebench_engine::schema::{Cardinality, Kind, MessageId, Model, Presence};
use wirebench_engine::wire::{self, MessageValue, ProblemKind, Value, bytes_text, json, sample, textproto};

use crate::support::{self, annotate, models, schema_folder, to_hex};

/// Messages of the schema's own files, at most `most` per schema.
fn messages(model: &Model, most: usize) -> Vec<MessageId> {
    let is_own = |id: &MessageId| {
        let message = model.message(*id);
        model.files[message.file].is_root && !message.is_map_entry
    };
    model.message_ids().filter(is_own).take(most).collect()
}

#[test]
fn what_is_encoded_is_decoded_to_the_same_value() {
    let mut bytes_seen = 0;
    for (name, model, limits) in models() {
        for id in messages(model, 24) {
            for seed in 0..25 {
                let value = sample::random(model, limits, id, seed);
                let encoded = wire::encode(model, id, &value);
                let place =
                    format!("{name} {} seed {seed}: {}", model.message(id).full_name, to_hex(&encoded.bytes));
                let annotated = annotate(model, Some(id), &encoded.bytes);
                assert_eq!(annotated.value, value, "{place}");
                assert_eq!(annotated.spans, encoded.spans, "{place}");
                // An open enum may hold a number without a name.
                let is_harmless = |kind| kind == ProblemKind::UnknownEnumValue;
                assert!(
                    annotated.problems.iter().all(|p| is_harmless(p.kind)),
                    "{place}: {:#?}",
                    annotated.problems
                );
                let sizes = wire::sizes(&encoded.spans);
                assert_eq!(sizes.total, encoded.bytes.len() as u64);
                assert_eq!(sizes.fields.iter().map(wire::FieldSize::total).sum::<u64>(), sizes.total);
                assert_eq!(wire::check_limits(model, limits, id, &value), [], "{place}");
                bytes_seen += encoded.bytes.len();
            }
        }
    }
    assert!(bytes_seen > 200_000, "only {bytes_seen} bytes were made");
}

/// JSON has one NaN; everything else comes back.
#[test]
fn random_values_come_back_from_json() {
    for (name, model, limits) in models() {
        for id in messages(model, 12) {
            for seed in 0..10 {
                let value = sample::random(model, limits, id, seed);
                let text = json::print(model, id, &value);
                let again = json::parse(model, id, "sample.json", &text)
                    .unwrap_or_else(|e| panic!("{name} {seed} {text}: {e:#?}"));
                let (value, again) = (with_one_nan(value), with_one_nan(again));
                // Empty lists are not there on the wire, and in JSON neither.
                assert_eq!(value, again, "{name} {} seed {seed}: {text}", model.message(id).full_name);
            }
        }
    }
}

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

/// The value as prost-reflect would keep it: no implicit -0.0, maps sorted by key.
fn as_prost_keeps_it(model: &Model, id: MessageId, value: &mut MessageValue) {
    let message = model.message(id);
    value.fields.retain(|set| {
        let field = message.fields.iter().find(|f| f.number == set.number);
        let is_implicit = field.is_some_and(|f| f.presence == Presence::Implicit && f.oneof.is_none());
        let is_zero = match set.value {
            Value::Float(v) => v == 0.0,
            Value::Double(v) => v == 0.0,
            _ => false,
        };
        message.is_map_entry || !(is_implicit && is_zero)
    });
    for set in &mut value.fields {
        let Some(field) = message.fields.iter().find(|f| f.number == set.number) else { continue };
        let Kind::Message(inner) = field.kind else {
            if message.is_map_entry && matches!(set.value, Value::Float(0.0) | Value::Double(0.0)) {
                set.value = if field.kind == Kind::Float { Value::Float(0.0) } else { Value::Double(0.0) };
            }
            continue;
        };
        match &mut set.value {
            Value::Message(nested) => as_prost_keeps_it(model, inner, nested),
            Value::List(items) => {
                for item in items.iter_mut() {
                    if let Value::Message(nested) = item {
                        as_prost_keeps_it(model, inner, nested);
                    }
                }
                if field.cardinality == Cardinality::Map {
                    items.sort_by_key(|item| match item {
                        Value::Message(entry) => format!("{:?}", entry.get(1)),
                        _ => String::new(),
                    });
                }
            }
            _ => {}
        }
    }
}

#[test]
fn prost_reflect_decodes_and_encodes_the_same_values() {
    for (name, model, limits) in models() {
        for id in messages(model, 12) {
            let descriptor = model.pool.get_message_by_name(&model.message(id).full_name).unwrap();
            for seed in 100..115 {
                let mut value = sample::random(model, limits, id, seed);
                let bytes = wire::encode_bytes(model, id, &value);
                let place = format!("{name} {} seed {seed}: {}", model.message(id).full_name, to_hex(&bytes));
                let theirs = DynamicMessage::decode(descriptor.clone(), bytes.as_slice())
                    .unwrap_or_else(|e| panic!("{place}: {e}"));
                let their_bytes = prost_reflect::prost::Message::encode_to_vec(&theirs);
                let mut back = annotate(model, Some(id), &their_bytes).value;
                as_prost_keeps_it(model, id, &mut value);
                as_prost_keeps_it(model, id, &mut back);
                assert_eq!(back, value, "{place}\nthey: {}", to_hex(&their_bytes));
            }
        }
    }
}

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }

    /// One of the usual ways in which bytes go wrong.
    fn mangle(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        match self.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
            1 if !bytes.is_empty() => bytes[at] = [0x00, 0x7f, 0x80, 0xff, 0x0f, 0x0c][self.below(6)],
            2 => bytes.insert(at.min(bytes.len()), self.next() as u8),
            3 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            4 => bytes.truncate(at),
            _ => {
                let from = self.below(bytes.len());
                let copied: Vec<u8> = bytes.iter().copied().skip(from).take(self.below(12)).collect();
                let at = at.min(bytes.len());
                bytes.splice(at..at, copied);
            }
        }
    }
}

/// Runs on the stack that worker threads may have as little as.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn every_prefix_and_two_thousand_mutations_keep_every_byte_in_one_span() {
    on_a_small_stack(|| {
        let mut noise = Noise(7);
        let mut mutations = 0;
        for round in 0.. {
            for (_, model, limits) in models() {
                for id in messages(model, 3) {
                    let value = sample::random(model, limits, id, round);
                    let mut bytes = wire::encode_bytes(model, id, &value);
                    bytes.truncate(600);
                    if round == 0 {
                        for len in 0..bytes.len().min(120) {
                            annotate(model, Some(id), &bytes[..len]);
                        }
                    }
                    for _ in 0..4 {
                        noise.mangle(&mut bytes);
                        let annotated = annotate(model, Some(id), &bytes);
                        mutations += 1;
                        // What was read can be written, and reads the same again.
                        let again = wire::encode_bytes(model, id, &annotated.value);
                        if annotated.is_valid() {
                            assert_eq!(
                                annotate(model, Some(id), &again).value,
                                annotated.value,
                                "{}",
                                to_hex(&bytes)
                            );
                        }
                        let raw = wire::annotate_raw(&bytes);
                        support::check_spans(model, &bytes, &raw);
                    }
                }
            }
            if mutations >= 2000 {
                break;
            }
        }
    });
}

/// Mangled bytes: accepted and refused by both, but for the named differences.
#[test]
fn prost_reflect_accepts_and_refuses_the_same_bytes() {
    let mut noise = Noise(11);
    let mut compared = 0;
    for (name, model, limits) in models() {
        for id in messages(model, 4) {
            let descriptor = model.pool.get_message_by_name(&model.message(id).full_name).unwrap();
            for seed in 0..20 {
                let mut bytes = wire::encode_bytes(model, id, &sample::random(model, limits, id, seed));
                bytes.truncate(400);
                noise.mangle(&mut bytes);
                let ours = annotate(model, Some(id), &bytes);
                let theirs = DynamicMessage::decode(descriptor.clone(), bytes.as_slice());
                let has = |kind| ours.problems.iter().any(|p| p.kind == kind);
                let is_named = match &theirs {
                    Ok(_) => has(ProblemKind::MissingRequired),
                    Err(_) => {
                        has(ProblemKind::OtherWireType)
                            || has(ProblemKind::Utf8)
                            || has(ProblemKind::VarintOver64Bits)
                    }
                };
                compared += 1;
                assert!(
                    ours.is_valid() == theirs.is_ok() || is_named,
                    "{name} {}: {}\nours: {:#?}\ntheirs: {theirs:?}",
                    model.message(id).full_name,
                    to_hex(&bytes),
                    ours.problems
                );
            }
        }
    }
    assert!(compared > 2000, "only {compared}");
}

#[test]
fn mangled_text_is_refused_or_read_and_never_more() {
    on_a_small_stack(|| {
        let (model, limits) = support::load(schema_folder(), "configuration.proto").unwrap();
        let id = model.find_message("Configuration").unwrap();
        let value = sample::typical(&model, &limits, id);
        let bytes = wire::encode_bytes(&model, id, &value);
        let json_text = json::print(&model, id, &value);
        let mut noise = Noise(3);
        for _ in 0..2000 {
            let mut mangled = json_text.clone().into_bytes();
            for _ in 0..=noise.below(3) {
                noise.mangle(&mut mangled);
            }
            let _ = json::parse(&model, id, "s", &String::from_utf8_lossy(&mangled));
        }
        for form in [
            bytes_text::Form::SpacedHex,
            bytes_text::Form::CArray,
            bytes_text::Form::PythonBytes,
            bytes_text::Form::Escapes,
            bytes_text::Form::Base64,
            bytes_text::Form::Hexdump,
        ] {
            let text = bytes_text::format(&bytes, form).into_bytes();
            for _ in 0..1000 {
                let mut mangled = text.clone();
                for _ in 0..=noise.below(3) {
                    noise.mangle(&mut mangled);
                }
                let text = String::from_utf8_lossy(&mangled);
                if let Err(error) = bytes_text::parse(&text) {
                    assert!(error.range.end <= text.len() && error.line > 0 && !error.message.is_empty());
                }
                let _ = bytes_text::read(&mangled);
            }
        }
    });
}

#[test]
fn deep_nesting_ends_at_the_limit_on_a_small_stack() {
    on_a_small_stack(|| {
        let (model, id) =
            support::schema("syntax = \"proto3\"; message T { T t = 1; repeated T r = 2; uint32 n = 3; }");
        let nest = |levels: usize, innermost: &[u8]| {
            let mut bytes = innermost.to_vec();
            for _ in 0..levels {
                let mut outer = vec![0x0a];
                let mut len = bytes.len();
                while len >= 0x80 {
                    outer.push(len as u8 | 0x80);
                    len >>= 7;
                }
                outer.push(len as u8);
                outer.append(&mut bytes);
                bytes = outer;
            }
            bytes
        };
        assert!(annotate(&model, Some(id), &nest(100, &[0x18, 7])).is_valid());
        let deep = annotate(&model, Some(id), &nest(101, &[0x18, 7]));
        assert_eq!(deep.problems[0].kind, ProblemKind::TooDeep);
        for bytes in [nest(5000, &[]), vec![0x0b; 5000], vec![0xa3; 5001]] {
            assert!(!annotate(&model, Some(id), &bytes).is_valid());
            support::check_spans(&model, &bytes, &wire::annotate_raw(&bytes));
        }
        let text = "{\"t\":".repeat(5000);
        assert!(json::parse(&model, id, "s", &text).is_err());
        // What JSON may nest, and what decodes, can be printed and written again.
        let deepest = annotate(&model, Some(id), &nest(100, &[0x18, 7])).value;
        assert_eq!(wire::encode_bytes(&model, id, &deepest), nest(100, &[0x18, 7]));
        let text = json::print(&model, id, &deepest);
        assert!(text.contains("\"n\": 7") && textproto::print(&model, id, &deepest).contains("n: 7"));
        assert!(wire::check_value(&model, id, &deepest).is_empty());
    });
}

/// The text format, read by prost-reflect.
#[test]
fn the_text_form_says_the_same() {
    for (name, model, limits) in models() {
        for id in messages(model, 6) {
            let descriptor = model.pool.get_message_by_name(&model.message(id).full_name).unwrap();
            for seed in 200..206 {
                let value = sample::random(model, limits, id, seed);
                let text = textproto::print(model, id, &value);
                let theirs = DynamicMessage::parse_text_format(descriptor.clone(), &text)
                    .unwrap_or_else(|e| panic!("{name} {seed}: {e}\n{text}"));
                let their_bytes = prost_reflect::prost::Message::encode_to_vec(&theirs);
                let mut back = with_one_nan(annotate(model, Some(id), &their_bytes).value);
                let mut value = with_one_nan(value);
                as_prost_keeps_it(model, id, &mut value);
                as_prost_keeps_it(model, id, &mut back);
                assert_eq!(back, value, "{name} {} seed {seed}:\n{text}", model.message(id).full_name);
            }
        }
    }
}

/// `Value` and `Any` nest in ways of their own.
#[test]
fn deep_well_known_types_end_at_the_limit_on_a_small_stack() {
    on_a_small_stack(|| {
        let (model, id) = support::schema(
            "syntax = \"proto3\"; import \"google/protobuf/struct.proto\"; import \"google/protobuf/any.proto\";
             message T { google.protobuf.Value v = 1; google.protobuf.Any a = 2; }",
        );
        let lists = |levels: usize| format!("{{\"v\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(json::parse(&model, id, "s", &lists(33)).is_ok());
        assert!(json::parse(&model, id, "s", &lists(90)).is_err());
        let anys = |levels: usize| {
            let open = "{\"@type\":\"x/google.protobuf.Any\",\"value\":".repeat(levels);
            format!("{{\"a\":{open}{{}}{}}}", "}".repeat(levels))
        };
        let value = json::parse(&model, id, "s", &anys(80)).unwrap();
        let text = json::print(&model, id, &value);
        assert_eq!(json::parse(&model, id, "s", &text).unwrap(), value);
        // Far more levels than text may have, from bytes.
        let mut any = Vec::new();
        for _ in 0..2000 {
            let mut inner = wire::MessageValue::default();
            inner.set(1, Value::Text(b"x/google.protobuf.Any".to_vec()));
            inner.set(2, Value::Bytes(any));
            let any_id = model.find_message("google.protobuf.Any").unwrap();
            any = wire::encode_bytes(&model, any_id, &inner);
        }
        let any_id = model.find_message("google.protobuf.Any").unwrap();
        let value = annotate(&model, Some(any_id), &any).value;
        assert!(json::print(&model, any_id, &value).contains("@type"));
    });
}
