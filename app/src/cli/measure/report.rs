//! Measured figures as text and as JSON.

use std::fmt::Write;

use serde_json::{Value as Json, json};
use wirebench_engine::plan::{MaxEncoded, MessagePlan, Style};
use wirebench_measure::measure::{Bench, CheckFailure, Figures, Measured, Outcome, Region, Row as Firmware};

/// Version of the JSON; a key that changes its meaning raises it.
const JSON_VERSION: u32 = 1;

/// Functions shown in the text.
const SHOWN_FUNCTIONS: usize = 6;

/// One message and what was measured of it.
pub struct Row<'a> {
    /// Its plan.
    pub message: &'a MessagePlan,
    /// The result.
    pub measured: &'a Measured,
}

impl Row<'_> {
    /// The check that failed, if one did.
    pub fn failure(&self) -> Option<&CheckFailure> {
        match &self.measured.outcome {
            Outcome::Failed(failure) => Some(failure),
            Outcome::Checked(_) => None,
        }
    }
}

/// The word of a style, as `--optimize` takes it.
fn style_word(style: Style) -> &'static str {
    match style {
        Style::Table => "size",
        Style::Calls => "balanced",
        Style::Straight => "speed",
    }
}

/// A block per message.
pub fn to_text(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        // Writing to a string does not fail.
        let _ = message_text(&mut text, row);
    }
    text
}

fn message_text(text: &mut String, row: &Row<'_>) -> std::fmt::Result {
    let message = row.message;
    let from_cache = if row.measured.is_from_cache { ", from the cache" } else { "" };
    writeln!(text, "{} ({}: {})", message.full_name, style_word(message.style), message.style_reason)?;
    writeln!(text, "  simulated: {}, ±10 % in cycles{from_cache}", row.measured.preset)?;
    let figures = match &row.measured.outcome {
        Outcome::Checked(figures) => figures,
        Outcome::Failed(failure) => return writeln!(text, "  FAILED: {failure}"),
    };
    let Some(whole) = figures.main() else { return Ok(()) };
    let codec = figures.codec_flash().map_or_else(String::new, |bytes| format!("; the codec {bytes} B"));
    writeln!(text, "  flash      {:>7} B  over an empty firmware{codec}", whole.flash)?;
    for (part, bytes) in &figures.parts {
        writeln!(text, "             {bytes:>7} B  {}", part.word())?;
    }
    writeln!(text, "  message    {:>7} B", figures.message)?;
    writeln!(text, "  peak stack {:>7} B  messages and buffers included", whole.stack)?;
    writeln!(
        text,
        "  wire       {:>7} B  {}, checked against the host's encoder",
        figures.wire,
        longest(&message.max_encoded)
    )?;
    writeln!(text, "               cycles  instructions")?;
    let regions = [("encode", &figures.encode_region), ("decode", &figures.decode_region)];
    for (name, region) in regions {
        let Some(region) = region else { continue };
        writeln!(text, "  {name:<10} {:>8} {:>13}", region.cycles.min, region.instructions)?;
    }
    // Messages of one direction have no round trip: what there is of it was timed as a whole.
    let (name, what) = match (&figures.round_trip, &figures.encode) {
        (Some(_), _) => ("round trip", "fill, copy and compare included"),
        (None, Some(_)) => ("whole", "fill included"),
        (None, None) => ("whole", "decode alone"),
    };
    writeln!(text, "  {name:<10} {:>8} {:>13}  {what}", whole.cycles.min, whole.instructions)?;
    writeln!(text, "  most cycles of its own:")?;
    for function in figures.per_function.iter().take(SHOWN_FUNCTIONS) {
        writeln!(text, "    {:>8}  {} ({})", function.cycles_self, function.name, function.part.word())?;
    }
    Ok(())
}

fn longest(max: &MaxEncoded) -> String {
    match max {
        MaxEncoded::Bounded(bytes) => format!("longest {bytes}"),
        MaxEncoded::FixedPlus { fixed, streams } => format!("longest {fixed} and {}", streams.join(", ")),
        MaxEncoded::Unbounded { why } => format!("no longest: {why}"),
    }
}

/// One object with settings and a list of messages; figures are missing where a check failed.
pub fn to_json(bench: &Bench, rows: &[Row<'_>]) -> Json {
    let settings = &bench.builder.settings;
    let first = rows.first().map(|row| row.measured);
    let messages: Vec<Json> = rows.iter().map(row_json).collect();
    json!({
        "version": JSON_VERSION,
        "core": settings.core.word(),
        "model": first.map(|m| m.model.clone()),
        "evidence": "simulated",
        "preset": first.map(|m| m.preset.clone()),
        "settings": {
            "opt_level": settings.opt_level.word(),
            "lto": "fat",
            "core_library": bench.builder.toolchain.core_library.word(),
            "memory_routines": settings.memory_routines.word(),
            "merge_functions": settings.merge_functions,
            "toolchain": bench.builder.toolchain.version,
            "tool": concat!("wirebench ", env!("CARGO_PKG_VERSION")),
        },
        "messages": messages,
    })
}

fn row_json(row: &Row<'_>) -> Json {
    let mut object = json!({
        "message": &*row.message.full_name,
        "style": style_word(row.message.style),
        "key": row.measured.key.to_string(),
        "from_cache": row.measured.is_from_cache,
        "checked": row.failure().is_none(),
        "failure": row.failure().map(ToString::to_string),
    });
    if let (Outcome::Checked(figures), Some(map)) = (&row.measured.outcome, object.as_object_mut()) {
        map.insert("figures".to_owned(), figures_json(figures));
    }
    object
}

fn figures_json(figures: &Figures) -> Json {
    let firmware = |row: &Option<Firmware>| {
        row.as_ref().map(|row| {
            json!({
                "flash": row.flash, "static_ram": row.static_ram, "stack": row.stack,
                "cycles": row.cycles.min, "cycles_median": row.cycles.median, "instructions": row.instructions,
            })
        })
    };
    let region = |region: &Option<Region>| {
        region.as_ref().map(|region| {
            json!({
                "cycles": region.cycles.min, "cycles_median": region.cycles.median,
                "instructions": region.instructions,
            })
        })
    };
    let parts: serde_json::Map<String, Json> =
        figures.parts.iter().map(|(part, bytes)| (part.word().replace(' ', "_"), json!(bytes))).collect();
    let functions: Vec<Json> = figures
        .per_function
        .iter()
        .map(|f| {
            json!({
                "name": f.name, "part": f.part.word(), "calls": f.calls, "instructions": f.instructions,
                "cycles_self": f.cycles_self, "cycles_inclusive": f.cycles_inclusive,
            })
        })
        .collect();
    json!({
        "message": figures.message,
        "wire": figures.wire,
        "codec_flash": figures.codec_flash(),
        "round_trip": firmware(&figures.round_trip),
        "encode_only": firmware(&figures.encode),
        "decode_only": firmware(&figures.decode),
        "null": firmware(&figures.null),
        "encode": region(&figures.encode_region),
        "decode": region(&figures.decode_region),
        "flash_parts": parts,
        "functions": functions,
    })
}
