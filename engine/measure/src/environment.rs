//! The part of the machine the toolchain search looks at. Passed in, so that a test can describe a
//! machine where something is missing.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

/// Search path and variables.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Folders of `PATH`, in order.
    pub path: Vec<PathBuf>,
    /// Folders that are looked at after `PATH`, where distributions put a compiler with sources.
    pub system: Vec<PathBuf>,
    /// Environment variables.
    pub variables: BTreeMap<String, String>,
}

impl Environment {
    /// This process's.
    pub fn of_this_process() -> Environment {
        let path = env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
        Environment {
            path,
            system: vec!["/usr/bin".into(), "/usr/local/bin".into()],
            variables: env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        }
    }

    /// A variable, unless it is empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's home.
    pub fn home(&self) -> Option<PathBuf> {
        self.variable("HOME").or_else(|| self.variable("USERPROFILE")).map(PathBuf::from)
    }

    /// Every program of that name on the search path and in the system's folders, once each.
    pub fn programs(&self, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for folder in self.path.iter().chain(&self.system) {
            let file = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            if is_program(&file) && !found.contains(&file) {
                found.push(file);
            }
        }
        found
    }

    /// The folder all results and builds are kept under: `WIREBENCH_CACHE`, else the system's cache folder.
    pub fn cache_root(&self) -> Option<PathBuf> {
        if let Some(folder) = self.variable("WIREBENCH_CACHE") {
            return Some(folder.into());
        }
        if let Some(folder) = self.variable("LOCALAPPDATA") {
            return Some(Path::new(folder).join("wirebench"));
        }
        if let Some(folder) = self.variable("XDG_CACHE_HOME") {
            return Some(Path::new(folder).join("wirebench"));
        }
        let home = self.home()?;
        let folder = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        Some(home.join(folder).join("wirebench"))
    }
}

/// Whether the file is there, links followed, and may be executed.
fn is_program(file: &Path) -> bool {
    let Ok(meta) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        meta.is_file() && meta.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    meta.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Environment { variables, ..Environment::default() }
    }

    #[test]
    fn the_named_cache_folder_wins() {
        let environment = with(&[("WIREBENCH_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]);
        assert_eq!(environment.cache_root(), Some("/c".into()));
        assert_eq!(
            with(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]).cache_root(),
            Some("/x/wirebench".into())
        );
        assert_eq!(with(&[]).cache_root(), None);
    }
}
