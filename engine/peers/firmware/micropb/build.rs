//! Generates micropb's code with the comparison's bounds.

use std::error::Error;

use micropb_gen::{Config, Generator};
use schema::Schemas;

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = Schemas::write()?;
    let descriptors = schemas.descriptor_set()?;
    let mut generator = Generator::new();
    generator.use_container_heapless();
    generator.configure(".comparison.TelemetryBatch.samples", Config::new().max_len(20));
    generator.configure(".comparison.Configuration.device_name", Config::new().max_bytes(32));
    generator.configure(".comparison.Configuration.peripherals", Config::new().max_len(8));
    generator.configure(".comparison.FirmwareChunk.data", Config::new().max_bytes(256));
    for package in ["comparison", "comparison.varied"] {
        for n in 1..=20 {
            generator.configure(&format!(".{package}.Growth_{n:02}.label"), Config::new().max_bytes(16));
        }
    }
    if std::env::var_os("CARGO_FEATURE_TUNED").is_some() {
        generator.configure(".", Config::new().no_accessors(true));
        generator.wire_type_check(false).calculate_max_size(false);
    }
    generator.compile_fdset_file(&descriptors, schemas.folder.join("messages.rs"))?;
    Ok(())
}
