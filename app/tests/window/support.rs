//! A window on a copy of the sample project, with a measurer and a file dialog under the test's control.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use egui::Theme;
use egui_kittest::Harness;
use wirebench::jobs::{FileDialog, Measurer, Services};
use wirebench::state::State;
use wirebench::state::measuring::{Failure, Report};
use wirebench::state::session::PathPurpose;
use wirebench::update::MeasureJob;
use wirebench::window::Workbench;
use wirebench_measure::progress::Control;

/// A window under test.
pub struct Bench {
    /// Drives it.
    pub harness: Harness<'static, Workbench>,
    /// Folder of the project.
    pub folder: PathBuf,
}

/// How a window is opened.
pub struct Setup {
    /// Size in points.
    pub size: [f32; 2],
    /// Theme.
    pub theme: Theme,
    /// Measures.
    pub measurer: Arc<dyn Measurer>,
    /// Whether texts may hold characters that the window's own fonts lack; elsewhere the system's fonts have them.
    pub allows_any_script: bool,
    /// Path the file dialog answers with.
    pub picks: Option<PathBuf>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            size: [1400.0, 900.0],
            theme: Theme::Dark,
            measurer: Arc::new(NoMeasurer),
            allows_any_script: false,
            picks: None,
        }
    }
}

/// Opens a copy of a sample schema; `test` names the folder.
pub fn open(test: &str, schema: &str) -> Bench {
    open_with(test, schema, Setup::default())
}

/// The same with other parts.
pub fn open_with(test: &str, schema: &str, setup: Setup) -> Bench {
    let folder = copy_of_samples(test);
    open_path(folder.clone(), &folder.join(schema), setup)
}

/// Opens any file.
pub fn open_path(folder: PathBuf, path: &Path, setup: Setup) -> Bench {
    let services =
        Services { dialog: Arc::new(FixedDialog(setup.picks)), measurer: setup.measurer, is_threaded: false };
    let path = path.to_str().expect("the target folder has a plain name").to_owned();
    let builder = Harness::builder().with_size(setup.size).with_theme(setup.theme).with_max_steps(200);
    let builder = if setup.allows_any_script { builder.allow_missing_glyphs() } else { builder };
    let theme = match setup.theme {
        Theme::Dark => wirebench::command::Command::ThemeDark,
        Theme::Light => wirebench::command::Command::ThemeLight,
    };
    let mut harness = builder.build_eframe(|creation| {
        let mut workbench = Workbench::new(&creation.egui_ctx, Some(path), services);
        workbench.apply(wirebench::update::Action::Run(theme), &creation.egui_ctx);
        workbench
    });
    harness.run();
    Bench { harness, folder }
}

fn copy_of_samples(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window").join(test);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of an earlier run goes away");
    }
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas"), &folder);
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the samples are there") {
        let entry = entry.expect("the samples are there");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("the sample can be copied");
        }
    }
}

impl Bench {
    /// What the window knows.
    pub fn state(&self) -> &State {
        self.harness.state().state()
    }

    /// Text of a file of the project, as edited.
    pub fn text(&self, name: &str) -> String {
        self.state().document.text(&self.path(name)).to_string()
    }

    /// Path of a file of the project, as the window knows it.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("a plain name").to_owned()
    }

    /// Text of a file of the project, on disk.
    pub fn on_disk(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("the file is there")
    }

    /// Asks for something as a panel would.
    pub fn act(&mut self, action: wirebench::update::Action) {
        let ctx = self.harness.ctx.clone();
        self.harness.state_mut().apply(action, &ctx);
        self.harness.run();
    }

    /// The size of the selected message's struct, and the bytes of its sample.
    pub fn ram_and_wire(&self) -> (u64, usize) {
        let view = self.state().derived.view.clone().expect("the schema is good");
        let message = view.message.as_ref().expect("a message is chosen");
        (message.cost.as_ref().expect("it has code").ram.0, message.bytes.len())
    }

    /// Whether any log line holds these words.
    pub fn was_said(&self, words: &str) -> bool {
        self.state().notices.log.iter().any(|notice| notice.text.contains(words))
    }
}

/// A dialog that answers at once, as on a desktop without a portal.
struct FixedDialog(Option<PathBuf>);

impl FileDialog for FixedDialog {
    fn choose(&self, _: PathPurpose) -> Option<PathBuf> {
        self.0.clone()
    }
}

/// For tests that measure nothing.
pub struct NoMeasurer;

impl Measurer for NoMeasurer {
    fn measure(&self, job: &MeasureJob, _: Control<'_>) -> Option<Result<Report, Failure>> {
        panic!("nothing should measure {}", job.subject.message);
    }
}

type Measure = dyn FnMut(&MeasureJob, Control<'_>) -> Option<Result<Report, Failure>> + Send;

/// A measurer made of a closure.
pub struct Measures(Mutex<Box<Measure>>);

impl Measures {
    /// Measures with `work`.
    pub fn with(
        work: impl FnMut(&MeasureJob, Control<'_>) -> Option<Result<Report, Failure>> + Send + 'static,
    ) -> Arc<Measures> {
        Arc::new(Measures(Mutex::new(Box::new(work))))
    }
}

impl Measurer for Measures {
    fn measure(&self, job: &MeasureJob, control: Control<'_>) -> Option<Result<Report, Failure>> {
        (self.0.lock().expect("one measurement at a time"))(job, control)
    }
}
