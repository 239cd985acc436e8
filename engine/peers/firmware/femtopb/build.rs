//! Generates femtopb's code.

use std::error::Error;

use schema::Schemas;

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = Schemas::write()?;
    femtopb_build::compile_protos_into(&schemas.files, &[&schemas.folder], &schemas.folder)?;
    Ok(())
}
