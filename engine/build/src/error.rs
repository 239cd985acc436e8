//! Why no code was generated.

use std::fmt;
use std::io;
use std::path::PathBuf;

use wirebench_engine::diagnostic::{Diagnostic, Severity};

/// Why no code was generated. `Display` says everything there is to say, a line per problem.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The schema or its settings have errors.
    #[error("{}", Listed(diagnostics))]
    Schema {
        /// All of them, warnings too, errors first.
        diagnostics: Vec<Diagnostic>,
    },
    /// There is no folder to write to.
    #[error("OUT_DIR is not set: this is no build script, so name a folder with `out_dir`")]
    NoOutDir,
    /// The name of the generated file is not a file's.
    #[error("`{}` cannot be the name of the generated file", path.display())]
    OutFile {
        /// The name.
        path: PathBuf,
    },
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        #[source]
        source: io::Error,
    },
}

/// The diagnostics one below the other, then how many errors there are.
struct Listed<'a>(&'a [Diagnostic]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in self.0 {
            writeln!(f, "{diagnostic}")?;
        }
        let errors = self.0.iter().filter(|d| d.severity == Severity::Error).count();
        write!(f, "{errors} error{}: no code was generated", if errors == 1 { "" } else { "s" })
    }
}
