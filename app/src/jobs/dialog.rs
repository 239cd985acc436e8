//! Choosing files with the system's dialog.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::state::session::PathPurpose;
use crate::update::Event;

/// A dialog that lets the user choose a file.
pub trait FileDialog: Send + Sync {
    /// Waits for the user. `None` after a cancel, and at once where the system has no dialog.
    fn choose(&self, purpose: PathPurpose) -> Option<PathBuf>;
}

/// The desktop's own dialog.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDialog;

impl FileDialog for SystemDialog {
    fn choose(&self, purpose: PathPurpose) -> Option<PathBuf> {
        let dialog = rfd::FileDialog::new().add_filter("Protobuf schema", &["proto"]);
        match purpose {
            PathPurpose::Open => dialog.set_title("Open schema").pick_file(),
            PathPurpose::SaveAs => {
                dialog.set_title("Save schema as").set_file_name("schema.proto").save_file()
            }
        }
    }
}

/// Nobody closes a dialog faster than this: it was never shown, because the desktop has no portal.
const NOBODY_IS_FASTER: Duration = Duration::from_millis(250);

/// Shows the dialog on its own thread.
pub fn pick(dialog: Arc<dyn FileDialog>, purpose: PathPurpose, report: impl Fn(Event) + Send + 'static) {
    let work = move || {
        let start = Instant::now();
        let path = dialog.choose(purpose);
        let was_shown = path.is_some() || start.elapsed() > NOBODY_IS_FASTER;
        report(Event::Picked { purpose, path, was_shown });
    };
    // Without a thread there is no dialog; the command can be given again.
    let _ = std::thread::Builder::new().name("file dialog".to_owned()).spawn(work);
}
