//! Generates quick-protobuf's code, for a heap without std.

use std::error::Error;
use std::fs;

use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;
use schema::Schemas;

fn main() -> Result<(), Box<dyn Error>> {
    let Schemas { folder, files } = Schemas::write()?;
    let config = ConfigBuilder::new(&files, None, Some(&folder), &[folder.clone()])?;
    FileDescriptor::run(&config.nostd(true).build())?;
    // The generated modules are files that carry inner attributes, so they cannot be included as text.
    let (comparison, varied) = (folder.join("comparison.rs"), folder.join("comparison/varied.rs"));
    let modules =
        format!("#[path = {comparison:?}]\npub mod comparison;\n#[path = {varied:?}]\npub mod varied;\n");
    fs::write(folder.join("modules.rs"), modules)?;
    Ok(())
}
