//! What the window tells the user: a toast for a few seconds, and a line in the log for good.

use std::collections::VecDeque;

/// How a notice is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Info,
    /// Worth a look.
    Warning,
    /// Something failed.
    Error,
}

/// One notice.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Seconds since the window opened.
    pub at: f64,
    /// How it is meant.
    pub tone: Tone,
    /// What happened; the first line is the toast.
    pub text: String,
}

/// Toasts and the log.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    /// All of them, oldest first.
    pub log: VecDeque<Notice>,
    /// Position in the log (counted from the first ever) up to which toasts were dismissed.
    dismissed: usize,
    forgotten: usize,
}

/// Lines of the log kept.
const KEPT: usize = 2000;

impl Notices {
    /// Adds a notice that is shown as a toast.
    pub fn say(&mut self, at: f64, tone: Tone, text: impl Into<String>) {
        self.log.push_back(Notice { at, tone, text: text.into() });
        if self.log.len() > KEPT {
            self.log.pop_front();
            self.forgotten += 1;
        }
    }

    /// Adds a line to the log without a toast.
    pub fn note(&mut self, at: f64, text: impl Into<String>) {
        let is_all_dismissed = self.dismissed == self.forgotten + self.log.len();
        self.say(at, Tone::Info, text);
        if is_all_dismissed {
            self.dismiss();
        }
    }

    /// The toasts to show now, newest last: information for 4 s, warnings for 8 s, errors for 12 s.
    pub fn toasts(&self, now: f64) -> impl Iterator<Item = &Notice> {
        let fresh = self.dismissed.saturating_sub(self.forgotten);
        self.log.iter().skip(fresh).filter(move |notice| now < notice.at + lifetime(notice.tone))
    }

    /// Hides all toasts of now.
    pub fn dismiss(&mut self) {
        self.dismissed = self.forgotten + self.log.len();
    }
}

fn lifetime(tone: Tone) -> f64 {
    match tone {
        Tone::Info => 4.0,
        Tone::Warning => 8.0,
        Tone::Error => 12.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toasts_go_and_the_log_stays() {
        let mut notices = Notices::default();
        notices.say(0.0, Tone::Info, "saved");
        notices.say(0.0, Tone::Error, "failed");
        assert_eq!(notices.toasts(1.0).count(), 2);
        assert_eq!(notices.toasts(5.0).map(|n| n.text.as_str()).collect::<Vec<_>>(), ["failed"]);
        notices.dismiss();
        assert_eq!((notices.toasts(5.0).count(), notices.log.len()), (0, 2));
    }

    #[test]
    fn a_note_is_no_toast() {
        let mut notices = Notices::default();
        notices.note(0.0, "read");
        assert_eq!((notices.toasts(0.0).count(), notices.log.len()), (0, 1));
    }
}
