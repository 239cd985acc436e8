//! Where the files of a project are. Paths use `/` and are what the user sees in problems.

use std::sync::Arc;

/// The files that belong to a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The schema being edited.
    pub schema: Arc<str>,
    /// `wirebench.toml`, which need not exist.
    pub settings: Arc<str>,
    /// Folder of the sample messages.
    pub samples: Arc<str>,
    /// Folder that answers imports first.
    pub folder: Arc<str>,
    /// Whether it is the built-in sample: not on disk until it is saved somewhere.
    pub is_built_in: bool,
}

impl Project {
    /// The project of a schema: settings and samples stand beside it.
    pub fn of_schema(path: &str) -> Project {
        let path = path.replace('\\', "/");
        let folder = path.rfind('/').map_or("", |at| &path[..at]);
        let beside = |name: &str| -> Arc<str> {
            if folder.is_empty() { name.into() } else { format!("{folder}/{name}").into() }
        };
        Project {
            settings: beside("wirebench.toml"),
            samples: beside("samples"),
            folder: if folder.is_empty() { ".".into() } else { folder.into() },
            schema: path.as_str().into(),
            is_built_in: false,
        }
    }

    /// The sample that comes with the program: `schemas/telemetry.proto` where that exists, else the built-in copy.
    pub fn sample() -> Project {
        Project { is_built_in: true, ..Project::of_schema("schemas/telemetry.proto") }
    }

    /// Path of a message's sample.
    pub fn sample_of(&self, message: &str) -> Arc<str> {
        format!("{}/{message}.json", self.samples).into()
    }

    /// The message a sample path belongs to.
    pub fn message_of_sample<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&*self.samples)?.strip_prefix('/')?.strip_suffix(".json")
    }

    /// Last part of the schema's path.
    pub fn title(&self) -> &str {
        self.schema.rsplit('/').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_samples_stand_beside_the_schema() {
        let project = Project::of_schema("schemas\\telemetry.proto");
        assert_eq!((&*project.settings, project.title()), ("schemas/wirebench.toml", "telemetry.proto"));
        let sample = project.sample_of("a.B");
        assert_eq!((&*sample, project.message_of_sample(&sample)), ("schemas/samples/a.B.json", Some("a.B")));
        assert_eq!(&*Project::of_schema("x.proto").settings, "wirebench.toml");
    }
}
