//! What panels can ask for, what that asks of the outside world, and what comes back from it.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use wirebench_engine::options::{LimitChange, Optimize};
use wirebench_engine::origin::{FieldKey, Origin};
use wirebench_engine::pipeline::Output;
use wirebench_engine::schema::MessageId;

use crate::command::Command;
use crate::panels::Pane;
use crate::state::derived::Computed;
use crate::state::measuring::{Failure, Report, Subject};
use crate::state::project::Project;
use crate::state::session::{AfterUnsaved, CostTable, Dialog, PathPurpose, SortColumn};
use crate::state::text_file::TextFile;

/// Something a panel asks for.
#[derive(Clone, Debug)]
pub enum Action {
    /// A command from menu, toolbar, palette or keyboard.
    Run(Command),
    /// The schema's text after typing.
    TypeSchema(String),
    /// The sample's text after typing.
    TypeSample(String),
    /// Another limit for a field.
    SetLimit {
        /// The field.
        field: FieldKey,
        /// What changes.
        change: LimitChange,
    },
    /// The pointer is over something that stands for this, or over nothing.
    Hover(Option<Origin>),
    /// Something was clicked; the other panes scroll to it.
    Select {
        /// What it stands for.
        origin: Origin,
        /// The pane it was clicked in, which does not scroll.
        from: Pane,
    },
    /// Look at another message, by full name.
    ChooseMessage(Arc<str>),
    /// Go to the place of a problem, by its position in the list.
    GoToProblem(usize),
    /// Show the field's row in the limits table.
    EditLimitOf(FieldKey),
    /// Sort the cost table by a column; twice turns the order around.
    Sort(SortColumn),
    /// Show another table under the cost bars.
    ShowCostBy(CostTable),
    /// Hide the toasts.
    Dismiss,
    /// Hide the tour.
    EndTour,
    /// Show, change or close the dialog.
    Dialog(Option<Dialog>),
    /// The path in the path dialog is meant.
    UsePath,
    /// Save the schema there although the file exists.
    Overwrite(String),
    /// Save everything, then go on.
    SaveThen(AfterUnsaved),
    /// Forget unsaved changes and go on.
    DiscardThen(AfterUnsaved),
    /// Open a schema that was named or dropped.
    OpenPath(String),
    /// The window's close button.
    AskToClose,
    /// A pane has scrolled or come to the front as asked.
    Taken {
        /// The pane that scrolled.
        reveal: Option<Pane>,
        /// Whether the panes were brought to the front.
        focus: bool,
    },
}

/// Something the outside world has to do.
#[derive(Clone)]
pub enum Effect {
    /// Run the engine; newest wins.
    Compute(ComputeJob),
    /// Measure.
    Measure(MeasureJob),
    /// Stop measuring.
    CancelMeasure,
    /// Let the user choose a file with the system's dialog.
    Pick(PathPurpose),
    /// Read a project.
    Read(Project),
    /// Write files.
    Write(Vec<(Arc<str>, Vec<u8>)>),
    /// Write the schema somewhere else, and its settings and samples beside it.
    WriteAs {
        /// The new project.
        project: Project,
        /// Its files.
        files: Vec<(Arc<str>, Vec<u8>)>,
    },
    /// Put a text on the clipboard.
    Copy(String),
    /// Close the window.
    Close,
}

/// What the engine is to run on.
#[derive(Clone, Debug)]
pub struct ComputeJob {
    /// Revision of the document.
    pub revision: u64,
    /// Where the files are.
    pub project: Project,
    /// The schema's text as shown.
    pub schema: Arc<str>,
    /// The texts that are open, by path; everything else is read from disk.
    pub texts: BTreeMap<Arc<str>, Arc<str>>,
    /// Overrides what the settings say, unless auto.
    pub optimize: Optimize,
    /// Sample texts by full message name.
    pub samples: HashMap<String, String>,
}

/// What is to be measured.
#[derive(Clone)]
pub struct MeasureJob {
    /// What the result belongs to.
    pub subject: Subject,
    /// The message in the output's model.
    pub message: MessageId,
    /// Code, plan and samples.
    pub output: Arc<Output>,
}

/// Something a job reports.
pub enum Event {
    /// The engine ran.
    Computed(Computed),
    /// The engine failed as a whole.
    ComputeCrashed {
        /// Revision it ran on.
        revision: u64,
        /// What went wrong.
        why: String,
    },
    /// The file dialog closed.
    Picked {
        /// What it was for.
        purpose: PathPurpose,
        /// The chosen path.
        path: Option<PathBuf>,
        /// Whether a dialog can have been seen at all.
        was_shown: bool,
    },
    /// A project was read.
    Opened {
        /// Which.
        project: Project,
        /// Its files, or why the schema could not be read.
        files: Result<BTreeMap<Arc<str>, TextFile>, String>,
    },
    /// Files were written.
    Saved {
        /// Those that were.
        paths: Vec<Arc<str>>,
        /// The first that was not, and why.
        failed: Option<String>,
    },
    /// The schema was written under another name.
    SavedAs {
        /// The new project.
        project: Project,
        /// Why it failed.
        outcome: Result<(), String>,
    },
    /// A measurement goes on.
    MeasureStep {
        /// Which.
        subject: Subject,
        /// In words.
        step: String,
        /// From 0 to 1.
        fraction: f32,
    },
    /// A measurement ended.
    Measured {
        /// Which.
        subject: Subject,
        /// Figures, why there are none, or `None` after a cancel.
        outcome: Option<Result<Report, Failure>>,
    },
}
