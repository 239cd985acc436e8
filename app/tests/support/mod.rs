//! Runs the command line in this process, and folders for its files.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use wirebench::cli::{self, Asked, Terminal};
use wirebench_measure::environment::Environment;

/// How a run ended and what it said.
#[derive(Debug)]
pub struct Ran {
    pub code: u8,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Fails unless the run ended with that code and said that sentence on standard error.
    #[track_caller]
    pub fn ended(&self, code: u8, said: &str) {
        assert!(self.code == code && self.err.contains(said), "wanted {code} and {said:?}: {self:#?}");
    }
}

/// Runs one command line in an environment.
pub fn run(arguments: &[&str], input: &[u8], environment: &Environment) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = std::iter::once("wirebench").chain(arguments.iter().copied()).map(OsString::from);
    let mut terminal =
        Terminal { input: &mut &*input, out: &mut out, err: &mut err, environment: environment.clone() };
    let asked = cli::run(words, &mut terminal);
    let Asked::Done(code) = asked else { panic!("{arguments:?} opened the window") };
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    Ran { code, out: text(out), err: text(err) }
}

/// A folder of its own, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the target folder can be written");
        Scratch(folder)
    }

    /// Path of a file in it, as an argument.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the target folder has a plain name").to_owned()
    }

    /// Writes a file, and its folder where it has none yet; returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        let folder = Path::new(&path).parent().expect("it lies in the folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes)).expect("it can be written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
