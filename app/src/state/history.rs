//! Undo and redo as snapshots of a small document. Typing in one file, or dragging one limit,
//! melts into one step until the user pauses or does something else.

use std::collections::BTreeMap;
use std::sync::Arc;

/// All texts of the document, by path. Texts are shared, so a snapshot costs a pointer per file.
pub type Texts = BTreeMap<Arc<str>, Arc<str>>;

/// A pause this long begins a new step, in seconds.
const PAUSE: f64 = 1.0;
/// Steps kept.
const DEPTH: usize = 500;

#[derive(Clone, Debug)]
struct Step {
    before: Texts,
    title: String,
}

/// What can be undone and redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// What the last change was about and when, while the next one about it still belongs to the same step.
    going_on: Option<(String, f64)>,
}

impl History {
    /// Remembers `before` under a title; called just before the change.
    pub fn record(&mut self, before: Texts, title: impl Into<String>) {
        self.going_on = None;
        self.push(before, title.into());
    }

    /// The same for changes that melt into one step: typing in a file, dragging a limit. `about` tells them apart.
    pub fn record_going_on(&mut self, before: Texts, about: &str, title: &str, now: f64) {
        let goes_on = self.going_on.as_ref().is_some_and(|(last, at)| last == about && now - at < PAUSE);
        if goes_on && let Some(step) = self.undo.last_mut() {
            title.clone_into(&mut step.title);
        } else {
            self.push(before, title.to_owned());
        }
        self.redo.clear();
        self.going_on = Some((about.to_owned(), now));
    }

    fn push(&mut self, before: Texts, title: String) {
        self.redo.clear();
        self.undo.push(Step { before, title });
        if self.undo.len() > DEPTH {
            self.undo.remove(0);
        }
    }

    /// The texts before the last step, given those of now; and the step's title.
    pub fn undo(&mut self, now: Texts) -> Option<(Texts, String)> {
        let step = self.undo.pop()?;
        self.going_on = None;
        self.redo.push(Step { before: now, title: step.title.clone() });
        Some((step.before, step.title))
    }

    /// The texts after the step that was undone last; and its title.
    pub fn redo(&mut self, now: Texts) -> Option<(Texts, String)> {
        let step = self.redo.pop()?;
        self.going_on = None;
        self.undo.push(Step { before: now, title: step.title.clone() });
        Some((step.before, step.title))
    }

    /// Title of the step `undo` would take back.
    pub fn undo_title(&self) -> Option<&str> {
        self.undo.last().map(|step| step.title.as_str())
    }

    /// Title of the step `redo` would repeat.
    pub fn redo_title(&self) -> Option<&str> {
        self.redo.last().map(|step| step.title.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Texts {
        Texts::from([("a".into(), text.into())])
    }

    #[test]
    fn typing_without_a_pause_is_one_step() {
        let mut history = History::default();
        history.record_going_on(texts(""), "a", "typing", 0.0);
        history.record_going_on(texts("x"), "a", "typing", 0.4);
        history.record_going_on(texts("xy"), "a", "typing", 3.0);
        assert_eq!(history.undo(texts("xyz")).map(|(t, _)| t), Some(texts("xy")));
        assert_eq!(history.undo(texts("xy")).map(|(t, _)| t), Some(texts("")));
        assert!(history.undo(texts("")).is_none());
        assert_eq!(history.redo(texts("")).map(|(t, _)| t), Some(texts("xy")));
    }

    #[test]
    fn a_new_change_forgets_what_was_undone() {
        let mut history = History::default();
        history.record(texts("1"), "limit");
        history.undo(texts("2"));
        history.record(texts("1"), "other");
        assert!(history.redo(texts("3")).is_none());
    }
}
