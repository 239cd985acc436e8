//! Samples made from the schema, and values checked against limits.

use wirebench_engine::plan::{self, MaxEncoded};
use wirebench_engine::wire::{self, Value, json, sample};

use crate::support::{self, annotate, case_folder, hex, schema_folder};

/// A sample in the repository, with the schema it belongs to.
fn stored() -> Vec<(String, String, String)> {
    let schema_of = |message: &str| match message {
        "comparison.Telemetry" => "telemetry.proto",
        "comparison.TelemetryBatch" => "telemetry_batch.proto",
        "comparison.Configuration" => "configuration.proto",
        "comparison.DeviceCommand" | "comparison.DeviceAck" => "command.proto",
        "comparison.FirmwareChunk" => "firmware_chunk.proto",
        "comparison.streamed.FirmwareChunk" => "firmware_chunk_streamed.proto",
        name if name.starts_with("comparison.varied.") => "growth_varied.proto",
        _ => "growth.proto",
    };
    let mut all = Vec::new();
    for entry in std::fs::read_dir(schema_folder().join("samples")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let message = name.strip_suffix(".json").expect("JSON").to_owned();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        all.push((schema_of(&message).to_owned(), message, text));
    }
    assert!(all.len() > 40);
    all
}

#[test]
fn the_samples_of_the_comparison_encode_within_their_limits() {
    for (schema, message, text) in stored() {
        let (model, limits) = support::load(schema_folder(), &schema).unwrap();
        let id = model.find_message(&message).unwrap_or_else(|| panic!("no {message} in {schema}"));
        let value = json::parse(&model, id, &message, &text).unwrap_or_else(|e| panic!("{message}: {e:#?}"));
        assert_eq!(wire::check_limits(&model, &limits, id, &value), [], "{message}");
        let encoded = wire::encode(&model, id, &value);
        assert_eq!(annotate(&model, Some(id), &encoded.bytes).value, value);
        let expected = match message.as_str() {
            "comparison.Telemetry" => Some(28),
            "comparison.TelemetryBatch" => Some(405),
            _ => None,
        };
        assert!(
            expected.is_none_or(|len| encoded.bytes.len() == len),
            "{message}: {} B",
            encoded.bytes.len()
        );
    }
}

#[test]
fn typical_minimum_and_maximum_hold_for_every_schema() {
    for file in ["telemetry", "telemetry_batch", "configuration", "command", "firmware_chunk", "growth"] {
        let (model, limits) = support::load(schema_folder(), &format!("{file}.proto")).unwrap();
        for id in model.message_ids() {
            let len = |value: &wire::MessageValue| {
                assert_eq!(wire::check_limits(&model, &limits, id, value), []);
                let bytes = wire::encode_bytes(&model, id, value);
                assert_eq!(annotate(&model, Some(id), &bytes).value, *value);
                bytes.len()
            };
            let typical = sample::typical(&model, &limits, id);
            let maximum = sample::maximum(&model, &limits, id).expect("all fields have bounds");
            assert_eq!(len(&sample::minimum(&model, &limits, id)), 0);
            assert!(!typical.fields.is_empty() && len(&typical) <= len(&maximum));
            for seed in 0..50 {
                assert!(len(&sample::random(&model, &limits, id, seed)) <= len(&maximum));
            }
        }
    }
}

#[test]
fn the_maximum_fills_every_bound() {
    let (model, limits) = support::load(schema_folder(), "configuration.proto").unwrap();
    let id = model.find_message("Configuration").unwrap();
    let maximum = sample::maximum(&model, &limits, id).unwrap();
    // version 6, device_name 2 + 32, peripherals 8 x (2 + index 6 + motor (2 + 6 + 2 + 6)), interval 6.
    assert_eq!(wire::encode_bytes(&model, id, &maximum).len(), 6 + 34 + 8 * (2 + 6 + 16) + 6);
}

#[test]
fn a_typical_sample_reads_like_the_real_thing() {
    let (model, limits) = support::load(schema_folder(), "telemetry.proto").unwrap();
    let id = model.find_message("Telemetry").unwrap();
    let text = json::to_value(&model, id, &sample::typical(&model, &limits, id)).to_string();
    assert_eq!(
        text,
        r#"{"deviceId":42,"timestamp":"1700000000000","temperature":21.5,"humidity":48.25,"batteryMv":3712,"status":"WARNING","rssi":-67}"#
    );
}

/// The plan's longest encoding, which sizes buffers and bars, against a message that has every bound filled.
#[test]
fn the_fullest_message_takes_what_the_plan_says_is_the_most() {
    let mut compared = 0;
    for (name, model, limits) in support::models() {
        let has_closed_enums = model.enums.iter().any(|e| e.is_closed);
        let planned = plan::lower(model, limits, &plan::Choices::default());
        for message in &planned.plan.messages {
            let MaxEncoded::Bounded(most) = message.max_encoded else { continue };
            let Some(maximum) = sample::maximum(model, limits, message.id) else { continue };
            let len = wire::encode_bytes(model, message.id, &maximum).len() as u64;
            assert!(len <= most.0, "{name} {}: {len} B are over {most}", message.full_name);
            // Structs hold numbers that a closed enum does not name; a message that decodes does not.
            if !has_closed_enums {
                assert_eq!(len, most.0, "{name} {}", message.full_name);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} messages were compared");
}

/// A recursive type ends, one without a bound has no maximum.
#[test]
fn recursion_ends_and_what_has_no_bound_has_no_maximum() {
    let (model, id) =
        support::schema("syntax = \"proto3\"; message T { T t = 1; repeated T r = 2; uint32 n = 3; }");
    let limits = wirebench_engine::options::Limits::default();
    let typical = sample::typical(&model, &limits, id);
    assert_eq!(json::to_value(&model, id, &typical).to_string(), r#"{"n":42}"#);
    assert!(sample::maximum(&model, &limits, id).is_some(), "both fields that repeat lead to T itself");
    let (model, id) = support::schema("syntax = \"proto3\"; message T { string s = 1; }");
    assert_eq!(sample::maximum(&model, &limits, id), None);
}

/// W28 and W29: what is over a limit is named with both numbers.
#[test]
fn values_over_their_limits_are_named() {
    let check = |case: &str, line: &str| {
        let (model, limits) = support::load(case_folder().join(case), "schema.proto").unwrap();
        let id = model.find_message("T").unwrap();
        let value = annotate(&model, Some(id), &hex(line)).value;
        let found = wire::check_limits(&model, &limits, id, &value);
        found.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(check("W28", "0a0831323334353637381204010203041a03010203"), [""; 0]);
    assert_eq!(check("W28", "0a09313233343536373839"), ["s: 9/8 B"]);
    assert_eq!(check("W28", "12050102030405"), ["b: 5/4 B"]);
    assert_eq!(check("W28", "1a0401020304"), ["r: 4/3 items"]);
    assert_eq!(check("W28", "0a08c3a9c3bcc3b6c3a4"), [""; 0], "a length counts bytes");
    assert_eq!(check("W28", "22036161612203626262220163"), ["rs: 3/2 items"]);
    assert_eq!(check("W28", "220461616161"), ["rs[0]: 4/3 B"]);
    assert_eq!(check("W29", "08ff011080ffffffffffffffff01"), [""; 0]);
    assert_eq!(check("W29", "088002"), ["u: 256 does not fit 8 bits"]);
    assert_eq!(check("W29", "10fffeffffffffffffff01"), ["i: -129 does not fit 8 bits"]);
    assert_eq!(check("W29", "2a0dffffffffffffffffff017f8001"), ["ri[2]: 128 does not fit 8 bits"]);
}

#[test]
fn a_value_of_another_kind_is_named_and_left_out() {
    let (model, id) =
        support::schema("syntax = \"proto3\"; message T { uint32 n = 1; repeated int32 r = 2; }");
    let mut value = wire::MessageValue::default();
    value.set(1, Value::Bool(true));
    value.set(2, Value::Signed(1));
    value.set(9, Value::Bool(true));
    let found: Vec<String> = wire::check_value(&model, id, &value).into_iter().map(|d| d.message).collect();
    assert_eq!(
        found,
        [
            "n: the value is of another kind than the field",
            "r: one value where a list belongs",
            "T has no field 9"
        ]
    );
    assert!(wire::encode_bytes(&model, id, &value).is_empty());
}
