//! What the user edits: the schema, its settings and its samples, with one history over all of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::history::{History, Texts};
use super::project::Project;
use super::text_file::TextFile;

/// The open project.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Where its files are.
    pub project: Project,
    /// The open files by path. The settings and the samples stand here too once they exist or were edited.
    pub files: BTreeMap<Arc<str>, TextFile>,
    /// Undo and redo.
    pub history: History,
    /// Counts every change of a text or of the project.
    pub revision: u64,
}

impl Document {
    /// The schema being edited.
    pub fn schema(&self) -> Option<&TextFile> {
        self.files.get(&self.project.schema)
    }

    /// Text of a file, empty if there is none.
    pub fn text(&self, path: &str) -> Arc<str> {
        self.files.get(path).map(|file| file.text.clone()).unwrap_or_default()
    }

    /// Whether any file has unsaved changes.
    pub fn is_dirty(&self) -> bool {
        self.files.values().any(TextFile::is_dirty)
    }

    /// Paths with unsaved changes.
    pub fn dirty_paths(&self) -> Vec<Arc<str>> {
        self.files.iter().filter(|(_, file)| file.is_dirty()).map(|(path, _)| path.clone()).collect()
    }

    /// Changes one file as one undo step. Nothing happens if the text is the same or the file read-only.
    pub fn edit(&mut self, path: &Arc<str>, text: impl Into<Arc<str>>, title: &str) -> bool {
        let text = text.into();
        if !self.can_change(path, &text) {
            return false;
        }
        let before = self.texts();
        self.history.record(before, title);
        self.put(path, text);
        true
    }

    /// The same for typing, which melts into one step.
    pub fn type_text(&mut self, path: &Arc<str>, text: impl Into<Arc<str>>, now: f64) -> bool {
        let about = format!("typing {path}");
        self.edit_going_on(path, text, &about, "typing", now)
    }

    /// The same for any change that melts into the one just before it if both are about the same thing.
    pub fn edit_going_on(
        &mut self,
        path: &Arc<str>,
        text: impl Into<Arc<str>>,
        about: &str,
        title: &str,
        now: f64,
    ) -> bool {
        let text = text.into();
        if !self.can_change(path, &text) {
            return false;
        }
        let before = self.texts();
        self.history.record_going_on(before, about, title, now);
        self.put(path, text);
        true
    }

    /// Takes the last step back; its title.
    pub fn undo(&mut self) -> Option<String> {
        let (texts, title) = self.history.undo(self.texts())?;
        self.restore(texts);
        Some(title)
    }

    /// Repeats the step that was taken back last; its title.
    pub fn redo(&mut self) -> Option<String> {
        let (texts, title) = self.history.redo(self.texts())?;
        self.restore(texts);
        Some(title)
    }

    /// The sample texts by full message name.
    pub fn samples(&self) -> HashMap<String, String> {
        self.files
            .iter()
            .filter_map(|(path, file)| Some((self.project.message_of_sample(path)?, file)))
            .filter(|(_, file)| !file.text.trim().is_empty())
            .map(|(message, file)| (message.to_owned(), file.text.to_string()))
            .collect()
    }

    fn can_change(&self, path: &str, text: &Arc<str>) -> bool {
        match self.files.get(path) {
            Some(file) => file.read_only.is_none() && file.text != *text,
            None => !text.is_empty(),
        }
    }

    fn put(&mut self, path: &Arc<str>, text: Arc<str>) {
        self.files.entry(path.clone()).or_default().text = text;
        self.revision += 1;
    }

    fn texts(&self) -> Texts {
        self.files.iter().map(|(path, file)| (path.clone(), file.text.clone())).collect()
    }

    /// Files that did not exist in the snapshot go back to nothing, but stay known: they may be on disk.
    fn restore(&mut self, mut texts: Texts) {
        for (path, file) in &mut self.files {
            file.text = texts.remove(path).unwrap_or_default();
        }
        self.files.retain(|_, file| file.saved.is_some() || !file.text.is_empty());
        for (path, text) in texts {
            self.files.insert(path, TextFile::unsaved(text));
        }
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let project = Project::of_schema("p/a.proto");
        let files = BTreeMap::from([(project.schema.clone(), TextFile::read(b"one"))]);
        Document { project, files, ..Document::default() }
    }

    #[test]
    fn one_undo_takes_back_a_change_of_the_settings() {
        let mut document = document();
        let settings = document.project.settings.clone();
        assert!(document.edit(&settings, "[fields]", "limit"));
        assert_eq!(document.dirty_paths(), std::slice::from_ref(&settings));
        assert_eq!(document.undo().as_deref(), Some("limit"));
        assert!(!document.is_dirty() && document.files.len() == 1);
        assert_eq!(document.redo().as_deref(), Some("limit"));
        assert_eq!(&*document.text(&settings), "[fields]");
    }

    #[test]
    fn a_read_only_file_does_not_change() {
        let mut document = document();
        let path = document.project.schema.clone();
        document.files.insert(path.clone(), TextFile::read(b"\xff"));
        assert!(!document.type_text(&path, "x", 0.0));
    }
}
