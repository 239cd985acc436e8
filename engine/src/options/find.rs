//! Where a project keeps its settings.

use crate::files::Files;
use crate::schema::path::{folders_up, join};

/// Name of the settings file.
const NAME: &str = "wirebench.toml";

/// The `wirebench.toml` in the folder of a schema or the nearest folder around it.
///
/// ```
/// use wirebench_engine::files::MemoryFiles;
/// use wirebench_engine::options::find_settings;
/// let files = MemoryFiles::default().with("proj/wirebench.toml", "version = 1");
/// assert_eq!(find_settings(&files, "proj/proto/a.proto").as_deref(), Some("proj/wirebench.toml"));
/// assert_eq!(find_settings(&files, "other/a.proto"), None);
/// ```
pub fn find_settings(files: &dyn Files, root_path: &str) -> Option<String> {
    let path = root_path.replace('\\', "/");
    folders_up(&path).map(|folder| join(folder, NAME)).find(|candidate| files.exists(candidate))
}
