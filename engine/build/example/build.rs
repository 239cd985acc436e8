//! Generates the messages and puts the link scripts where the linker looks for them.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    wirebench_build::Config::new().schema("proto/device.proto").settings("wirebench.toml").generate_or_exit();

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    for script in ["link.x", "memory.x"] {
        fs::copy(script, out.join(script))?;
        println!("cargo:rerun-if-changed={script}");
    }
    println!("cargo:rustc-link-search={}", out.display());
    Ok(())
}
