//! [`Config`]: what to generate from, how, and where to.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use wirebench_engine::diagnostic::{Diagnostic, Severity};
use wirebench_engine::files::{Files, Input};
use wirebench_engine::options::{self, Optimize};
use wirebench_engine::plan::{self, Choices};
use wirebench_engine::{print, schema};

use crate::directives;
use crate::error::Error;
use crate::files::RecordingFiles;
use crate::vendor;

/// What to generate from, how, and where to.
///
/// Relative paths start at the working folder, which in a build script is the package's.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("wirebench-build-example-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let schema = folder.join("gps.proto");
/// std::fs::write(&schema, "syntax = \"proto3\"; message Gps { sint32 lat = 1; sint32 lon = 2; }")?;
///
/// let generated = wirebench_build::Config::new()
///     .schema(&schema)
///     .optimize(wirebench_build::Optimize::Size)
///     .out_dir(&folder) // in a build script not needed: OUT_DIR
///     .generate()?;
///
/// assert_eq!(generated.path, folder.join("gps.rs"));
/// assert!(std::fs::read_to_string(&generated.path)?.contains("pub struct Gps"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    schemas: Vec<PathBuf>,
    import_roots: Vec<PathBuf>,
    settings: Option<PathBuf>,
    optimize: Option<Optimize>,
    out_dir: Option<PathBuf>,
    out_file: Option<PathBuf>,
    deny_refused: bool,
    hide_notes: bool,
    vendor_runtime: bool,
}

/// What was generated.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The generated file.
    pub path: PathBuf,
    /// The runtime's copy beside it, if one was asked for.
    pub runtime: Option<PathBuf>,
    /// Full names of the messages in it, sorted.
    pub messages: Vec<String>,
    /// Full names of the messages that were left out, sorted; why is in the warnings.
    pub refused: Vec<String>,
    /// Warnings and notes, warnings first.
    pub remarks: Vec<Diagnostic>,
    /// The lines printed for cargo.
    pub directives: Vec<String>,
}

impl Config {
    /// Nothing to generate from yet.
    pub fn new() -> Config {
        Config::default()
    }

    /// Adds a schema file. All schemas of one firmware go into one call.
    pub fn schema(mut self, path: impl AsRef<Path>) -> Config {
        self.schemas.push(path.as_ref().to_owned());
        self
    }

    /// Adds a folder that answers imports, after those added before. The folders around a schema are tried last.
    pub fn import_root(mut self, folder: impl AsRef<Path>) -> Config {
        self.import_roots.push(folder.as_ref().to_owned());
        self
    }

    /// The `wirebench.toml` to use. Without this the one in the folder of the first schema or the nearest folder
    /// around it is taken, if there is one; one that is made later in a folder without schemas is found when
    /// the script runs next.
    pub fn settings(mut self, path: impl AsRef<Path>) -> Config {
        self.settings = Some(path.as_ref().to_owned());
        self
    }

    /// Shape of the code for all messages, over what the settings say.
    pub fn optimize(mut self, optimize: Optimize) -> Config {
        self.optimize = Some(optimize);
        self
    }

    /// Folder to write to, made if it is missing. Without this `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl AsRef<Path>) -> Config {
        self.out_dir = Some(folder.as_ref().to_owned());
        self
    }

    /// Name of the generated file. Without this the first schema's name with the ending `.rs`.
    pub fn out_file(mut self, name: impl AsRef<Path>) -> Config {
        self.out_file = Some(name.as_ref().to_owned());
        self
    }

    /// Whether a message that cannot be generated is an error. Without this it is a warning, and the message is
    /// left out with those that hold it.
    pub fn deny_refused(mut self, deny: bool) -> Config {
        self.deny_refused = deny;
        self
    }

    /// Whether cargo shows notes, such as a length nobody set and what was chosen for it. Without this it does.
    pub fn notes(mut self, show: bool) -> Config {
        self.hide_notes = !show;
        self
    }

    /// Whether to write the runtime next to the generated file, as `wirebench_runtime.rs`, for projects that take
    /// it into their own sources instead of depending on `wirebench-runtime`.
    ///
    /// It belongs at the root of the crate, under this name; the generated code can stand anywhere:
    ///
    /// ```text
    /// mod wirebench_runtime {
    ///     include!(concat!(env!("OUT_DIR"), "/wirebench_runtime.rs"));
    /// }
    /// ```
    pub fn vendor_runtime(mut self, vendor: bool) -> Config {
        self.vendor_runtime = vendor;
        self
    }

    /// Generates, writes, and prints for cargo which files to watch and what to warn of.
    ///
    /// The same sources give the same bytes; files that are as they should be are not touched.
    ///
    /// # Errors
    /// [`Error::Schema`] with every problem of the schema and its settings, with file and line;
    /// the others when there is nowhere to write to.
    pub fn generate(&self) -> Result<Generated, Error> {
        let files = RecordingFiles::default();
        let made = self.generate_from(&files);
        if let Err(Error::Schema { .. }) = &made {
            // Cargo watches what a failing script named, too.
            let output = self.folder().unwrap_or_default();
            directives::print(&directives::directives(&self.watched(&files, &output), &[]));
        }
        made
    }

    /// As [`Config::generate`]; on an error says why on standard error and ends the process with exit code 1,
    /// which is how a build script fails without a panic message around its own.
    pub fn generate_or_exit(&self) -> Generated {
        self.generate().unwrap_or_else(|error| {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "{error}");
            std::process::exit(1)
        })
    }

    fn generate_from(&self, files: &RecordingFiles) -> Result<Generated, Error> {
        let folder = self.folder()?;
        let path = folder.join(self.file_name()?);
        let made = self.make(files)?;
        let remarks = made.remarks;
        let shown: Vec<Diagnostic> = remarks
            .iter()
            .filter(|remark| !self.hide_notes || remark.severity != Severity::Note)
            .cloned()
            .collect();
        let lines = directives::directives(&self.watched(files, &folder), &shown);

        let mut text = made.text;
        let mut runtime = None;
        if self.vendor_runtime {
            text = vendor::call_vendored(&text);
            let beside = path.with_file_name(vendor::FILE);
            write(&beside, &vendor::module())?;
            runtime = Some(beside);
        }
        write(&path, &text)?;
        directives::print(&lines);
        Ok(Generated {
            path,
            runtime,
            messages: made.messages,
            refused: made.refused,
            remarks,
            directives: lines,
        })
    }

    /// The code, or all that is wrong.
    fn make(&self, files: &RecordingFiles) -> Result<Made, Error> {
        let input = self.input(files);
        let checked = schema::check(&input, files);
        let mut diagnostics = checked.diagnostics;
        let Some(model) = checked.model else { return Err(failed(diagnostics)) };
        let resolved = options::resolve(&model, &input, files);
        diagnostics.extend(resolved.diagnostics);
        let choices = Choices { optimize: self.optimize, ..Choices::default() };
        let planned = plan::lower(&model, &resolved.limits, &choices);
        // A refused message is an error of that message alone.
        diagnostics.extend(planned.diagnostics.into_iter().map(|mut diagnostic| {
            if diagnostic.is_error() && !self.deny_refused {
                diagnostic.severity = Severity::Warning;
            }
            diagnostic
        }));
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(failed(diagnostics));
        }
        sort(&mut diagnostics);
        let name = |id| model.message(id).full_name.to_string();
        let mut messages: Vec<String> = planned.plan.messages.iter().map(|m| name(m.id)).collect();
        let mut refused: Vec<String> = planned.refused.iter().map(|(id, _)| name(*id)).collect();
        messages.sort();
        refused.sort();
        Ok(Made { text: print::print(&planned.plan).text, messages, refused, remarks: diagnostics })
    }

    fn input(&self, files: &dyn Files) -> Input {
        let roots: Vec<String> = self.schemas.iter().map(|path| slashes(path)).collect();
        let settings = match &self.settings {
            Some(path) => Some(slashes(path)),
            None => roots.first().and_then(|root| options::find_settings(files, root)),
        };
        Input { roots, import_roots: self.import_roots.iter().map(|path| slashes(path)).collect(), settings }
    }

    fn watched(&self, files: &RecordingFiles, output: &Path) -> Vec<String> {
        let roots: Vec<String> = self.import_roots.iter().map(|root| slashes(root)).collect();
        files.watched(&roots, output)
    }

    fn folder(&self) -> Result<PathBuf, Error> {
        let folder = self.out_dir.clone().or_else(|| env::var_os("OUT_DIR").map(PathBuf::from));
        folder.ok_or(Error::NoOutDir)
    }

    fn file_name(&self) -> Result<PathBuf, Error> {
        let name = match (&self.out_file, self.schemas.first()) {
            (Some(name), _) => name.clone(),
            (None, Some(schema)) => Path::new(schema.file_name().unwrap_or_default()).with_extension("rs"),
            // Without a schema there is an error that says so.
            (None, None) => PathBuf::from("messages.rs"),
        };
        match name.file_name() {
            Some(file) if !(self.vendor_runtime && file == vendor::FILE) => Ok(name),
            _ => Err(Error::OutFile { path: name }),
        }
    }
}

/// Generated code before it is written.
struct Made {
    text: String,
    messages: Vec<String>,
    refused: Vec<String>,
    remarks: Vec<Diagnostic>,
}

fn failed(mut diagnostics: Vec<Diagnostic>) -> Error {
    sort(&mut diagnostics);
    Error::Schema { diagnostics }
}

/// Worst first; within a severity by file and place.
fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let place = |d: &Diagnostic| d.span.as_ref().map(|s| (s.file.clone(), s.range.start));
        b.severity.cmp(&a.severity).then_with(|| place(a).cmp(&place(b)))
    });
}

/// The path as the engine spells paths.
fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Writes a file with the folders around it, unless it is there with the same text.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let failed = |source| Error::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}
