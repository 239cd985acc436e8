//! The comparison's scenarios: which messages, with which values and buffers.
//!
//! Values and buffers are those of the harness's definition; the samples stand beside the schemas.
//! Where a program would fill and compare in a loop, the loop is written here, because unrolled
//! statements would dominate the scenario's size.

/// Whether the growth types share one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shapes {
    /// All types have the same fields; also for scenarios where it makes no difference.
    Equal,
    /// Every type has its own order and numbers.
    Varied,
}

/// A scenario's definition.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name in results.
    pub name: &'static str,
    /// Shapes of the growth types.
    pub shapes: Shapes,
    /// Schema, in `schemas/`.
    pub schema: &'static str,
    /// Its messages, in the order they are sent.
    pub messages: Vec<Message>,
}

/// A message of a scenario.
#[derive(Clone, Debug)]
pub struct Message {
    /// Full name; the sample is `samples/<full name>.json`.
    pub full_name: String,
    /// Bytes of the send and of the receive buffer, each.
    pub buffer: u64,
    /// Hand-written statements in place of printed ones.
    pub body: Option<Body>,
}

/// Statements that fill `m` and compare `r`.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Fills.
    pub fill: &'static str,
    /// Compares.
    pub compare: &'static str,
    /// Source and sink of a streamed payload, and its length.
    pub callbacks: Option<(&'static str, u64)>,
}

/// All scenarios, in the order of the table.
pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![
        one("telemetry", "telemetry.proto", "comparison.Telemetry", 64, None),
        one("telemetry_batch", "telemetry_batch.proto", "comparison.TelemetryBatch", 512, Some(BATCH)),
        one("configuration", "configuration.proto", "comparison.Configuration", 256, None),
        command(),
        one("firmware_chunk", "firmware_chunk.proto", "comparison.FirmwareChunk", 512, Some(CHUNK)),
        one(
            "firmware_chunk_streamed",
            "firmware_chunk_streamed.proto",
            "comparison.streamed.FirmwareChunk",
            512,
            Some(STREAMED),
        ),
    ];
    for (name, types) in [("growth_1", 1), ("growth_5", 5), ("growth_20", 20)] {
        all.push(growth(name, types, Shapes::Equal));
        all.push(growth(name, types, Shapes::Varied));
    }
    all
}

fn one(
    name: &'static str,
    schema: &'static str,
    full_name: &str,
    buffer: u64,
    body: Option<Body>,
) -> Scenario {
    let messages = vec![Message { full_name: full_name.to_owned(), buffer, body }];
    Scenario { name, shapes: Shapes::Equal, schema, messages }
}

fn command() -> Scenario {
    let message = |name: &str| Message { full_name: name.to_owned(), buffer: 32, body: None };
    let messages = vec![message("comparison.DeviceCommand"), message("comparison.DeviceAck")];
    Scenario { name: "command", shapes: Shapes::Equal, schema: "command.proto", messages }
}

fn growth(name: &'static str, types: usize, shapes: Shapes) -> Scenario {
    let (schema, package) = match shapes {
        Shapes::Equal => ("growth.proto", "comparison"),
        Shapes::Varied => ("growth_varied.proto", "comparison.varied"),
    };
    let message = |n| Message { full_name: format!("{package}.Growth_{n:02}"), buffer: 64, body: None };
    Scenario { name, shapes, schema, messages: (1..=types).map(message).collect() }
}

const BATCH: Body = Body {
    fill: "\
m.device_id = 4660;
m.timestamp = 1700000000000;
for i in 0..20u32 {
    let sample = crate::generated::comparison::Sample {
        offset_ms: 50 * i,
        x: 0.5 + i as f32,
        y: -1.25 * (i + 1) as f32,
        z: 9.75 + i as f32,
    };
    m.samples.push(sample).ok()?;
}
",
    compare: "\
if r.device_id != 4660 || r.timestamp != 1700000000000 || r.samples.len() != 20 { return None }
for (i, sample) in r.samples.iter().enumerate() {
    let i = i as u32;
    if sample.offset_ms != 50 * i || sample.x != 0.5 + i as f32 { return None }
    if sample.y != -1.25 * (i + 1) as f32 || sample.z != 9.75 + i as f32 { return None }
}
",
    callbacks: None,
};

const CHUNK: Body = Body {
    fill: "\
m.offset = 4096;
m.total_size = 131072;
for i in 0..256u32 {
    m.data.push((7 * i + 3) as u8).ok()?;
}
m.crc32 = 0xdeadbeef;
",
    compare: "\
if r.offset != 4096 || r.total_size != 131072 || r.crc32 != 0xdeadbeef || r.data.len() != 256 { return None }
for (i, byte) in r.data.iter().enumerate() {
    if *byte != (7 * i as u32 + 3) as u8 { return None }
}
",
    callbacks: None,
};

const STREAMED: Body = Body {
    fill: "\
m.offset = 4096;
m.total_size = 131072;
m.crc32 = 0xdeadbeef;
",
    compare: "\
if r.offset != 4096 || r.total_size != 131072 || r.crc32 != 0xdeadbeef { return None }
",
    callbacks: Some((include_str!("chunk_callbacks.rs"), 256)),
};
