//! The sample project, built in for the case that its folder is not there.

macro_rules! embedded {
    ($($path:literal),* $(,)?) => {
        &[$((concat!("schemas/", $path), include_str!(concat!("../../../schemas/", $path)))),*]
    };
}

/// Path and text of every file. The settings name all the schemas, so all of them are here.
pub const FILES: &[(&str, &str)] = embedded![
    "wirebench.toml",
    "telemetry.proto",
    "telemetry_batch.proto",
    "configuration.proto",
    "command.proto",
    "firmware_chunk.proto",
    "firmware_chunk_streamed.proto",
    "growth.proto",
    "growth_varied.proto",
    "samples/comparison.Telemetry.json",
];

/// The text of a built-in file.
pub fn text(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}
