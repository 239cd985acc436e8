//! The comparison's schemas, in the form every library's generator takes: one file for each package
//! (one generator overwrites its output for the second file of a package), and no enum named `Result`
//! (three generators print code that does not compile then). The bytes on the wire are the same.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;

const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../schemas");

/// The merged files: name, and the schemas in it.
const FILES: [(&str, &[&str]); 2] = [
    (
        "comparison.proto",
        &["telemetry", "telemetry_batch", "configuration", "command", "firmware_chunk", "growth"],
    ),
    ("comparison_varied.proto", &["growth_varied"]),
];

/// The schemas on disk.
pub struct Schemas {
    /// The folder they are in: the build script's output folder.
    pub folder: PathBuf,
    /// Their paths.
    pub files: Vec<PathBuf>,
}

impl Schemas {
    /// Writes the schemas into the output folder of the build script that calls this.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn write() -> Result<Schemas, Box<dyn Error>> {
        for part in FILES.iter().flat_map(|(_, parts)| *parts) {
            println!("cargo:rerun-if-changed={SCHEMAS}/{part}.proto");
        }
        Schemas::write_into(&PathBuf::from(env::var("OUT_DIR")?))
    }

    /// Writes the schemas into `folder`.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn write_into(folder: &Path) -> Result<Schemas, Box<dyn Error>> {
        let mut files = Vec::new();
        for (name, parts) in FILES {
            let mut merged = String::new();
            for part in parts {
                let text = fs::read_to_string(format!("{SCHEMAS}/{part}.proto"))?;
                // The first part keeps its header; a second `syntax` or `package` would be an error.
                let is_header = |line: &str| line.starts_with("syntax") || line.starts_with("package");
                let is_first = merged.is_empty();
                for line in text.lines().filter(|line| is_first || !is_header(line)) {
                    merged.push_str(
                        &line
                            .replace("enum Result ", "enum CommandResult ")
                            .replace("  Result ", "  CommandResult "),
                    );
                    merged.push('\n');
                }
            }
            let path = folder.join(name);
            fs::write(&path, merged)?;
            files.push(path);
        }
        Ok(Schemas { folder: folder.to_owned(), files })
    }

    /// Compiles them.
    ///
    /// # Errors
    /// If a schema is wrong.
    pub fn compile(&self) -> Result<FileDescriptorSet, Box<dyn Error>> {
        Ok(protox::compile(&self.files, [&self.folder])?)
    }

    /// The compiled schemas as a file, for the generators that take one.
    ///
    /// # Errors
    /// If a schema is wrong or the file cannot be written.
    pub fn descriptor_set(&self) -> Result<PathBuf, Box<dyn Error>> {
        let path = self.folder.join("comparison.bin");
        fs::write(&path, self.compile()?.encode_to_vec())?;
        Ok(path)
    }
}
