//! Generates prost's code.

use std::error::Error;

use schema::Schemas;

fn main() -> Result<(), Box<dyn Error>> {
    prost_build::compile_fds(Schemas::write()?.compile()?)?;
    Ok(())
}
