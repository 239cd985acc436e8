//! A text as the user edits it (LF, no byte order mark), and how it was written on disk: every line
//! that was not edited goes back with the ending it had.

use std::sync::Arc;

/// How the text was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Format {
    has_byte_order_mark: bool,
    /// Per line of the saved text: whether it ended in CR LF.
    crlf: Vec<bool>,
}

/// An open file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextFile {
    /// The text as edited.
    pub text: Arc<str>,
    /// The text as on disk; `None` while there is no such file.
    pub saved: Option<Arc<str>>,
    /// Why it cannot be edited.
    pub read_only: Option<String>,
    format: Format,
}

impl TextFile {
    /// A file read from disk. Bytes that are not UTF-8 open read-only, the bad ones shown as `�`.
    pub fn read(bytes: &[u8]) -> TextFile {
        let (has_byte_order_mark, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => (true, rest),
            None => (false, bytes),
        };
        let mut read_only = None;
        let raw = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
                read_only = Some(format!("not UTF-8 (line {line}): opened read-only"));
                String::from_utf8_lossy(bytes).into_owned()
            }
        };
        let crlf = raw.split_inclusive('\n').map(|line| line.ends_with("\r\n")).collect();
        let text: Arc<str> = raw.replace("\r\n", "\n").into();
        TextFile { saved: Some(text.clone()), text, read_only, format: Format { has_byte_order_mark, crlf } }
    }

    /// A file that is not on disk yet.
    pub fn unsaved(text: impl Into<Arc<str>>) -> TextFile {
        TextFile { text: text.into(), ..TextFile::default() }
    }

    /// Whether saving would change the disk.
    pub fn is_dirty(&self) -> bool {
        match &self.saved {
            Some(saved) => !Arc::ptr_eq(saved, &self.text) && **saved != *self.text,
            None => !self.text.is_empty(),
        }
    }

    /// The bytes to write: unchanged lines keep their ending, new ones get that of most lines.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.text.len() + 64);
        if self.format.has_byte_order_mark {
            bytes.extend_from_slice(b"\xef\xbb\xbf");
        }
        let endings = self.endings();
        for (line, ending) in self.text.split_inclusive('\n').zip(endings) {
            match line.strip_suffix('\n') {
                Some(line) => {
                    bytes.extend_from_slice(line.as_bytes());
                    bytes.extend_from_slice(if ending { b"\r\n" } else { b"\n" });
                }
                None => bytes.extend_from_slice(line.as_bytes()),
            }
        }
        bytes
    }

    /// After a save: the disk now holds the text.
    pub fn mark_saved(&mut self) {
        self.format.crlf = self.endings();
        self.saved = Some(self.text.clone());
    }

    /// Per line of the text: whether it ends in CR LF.
    fn endings(&self) -> Vec<bool> {
        let new: Vec<&str> = self.text.split_inclusive('\n').collect();
        if !self.format.crlf.contains(&true) {
            return vec![false; new.len()];
        }
        let old: Vec<&str> = self.saved.as_deref().unwrap_or_default().split_inclusive('\n').collect();
        let usual = self.format.crlf.iter().filter(|crlf| **crlf).count() * 2 >= self.format.crlf.len();
        let is_same = |(a, b): &(&&str, &&str)| a.trim_end_matches('\n') == b.trim_end_matches('\n');
        let prefix = old.iter().zip(&new).take_while(is_same).count();
        let rest = old.len().min(new.len()) - prefix;
        let suffix = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count().min(rest);
        let ending_of_old = |line: usize| self.format.crlf.get(line).copied().unwrap_or(usual);
        (0..new.len())
            .map(|line| {
                if line < prefix {
                    // The last line may have had no ending at all.
                    if old[line].ends_with('\n') { ending_of_old(line) } else { usual }
                } else if line >= new.len() - suffix {
                    let line = line + old.len() - new.len();
                    if old[line].ends_with('\n') { ending_of_old(line) } else { usual }
                } else {
                    usual
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(before: &str, from: &str, to: &str) -> String {
        let mut file = TextFile::read(before.as_bytes());
        file.text = file.text.replace(from, to).into();
        String::from_utf8(file.to_bytes()).expect("it was text")
    }

    #[test]
    fn an_untouched_file_is_written_as_it_was() {
        for text in ["", "a", "a\n", "a\r\nb\n", "\u{feff}a\r\n\r\nb", "\r\n", "a\rb\n", "a\r\r\n"] {
            let file = TextFile::read(text.as_bytes());
            assert_eq!(file.to_bytes(), text.as_bytes(), "{text:?}");
            assert!(!file.is_dirty());
        }
    }

    #[test]
    fn unchanged_lines_keep_their_ending_and_new_ones_get_the_usual() {
        assert_eq!(edited("a\r\nb\nc\r\n", "b", "b\nx"), "a\r\nb\nx\r\nc\r\n");
        assert_eq!(edited("a\r\nb\nc\r\n", "a", "y"), "y\r\nb\nc\r\n");
        assert_eq!(edited("a\nb", "b", "b\nc"), "a\nb\nc");
        assert_eq!(edited("a\r\nb", "b", "b\nc\n"), "a\r\nb\r\nc\r\n");
    }

    #[test]
    fn bytes_that_are_no_text_open_read_only_and_name_their_line() {
        let file = TextFile::read(b"a\nb\xff");
        assert!(file.read_only.as_deref().is_some_and(|why| why.contains("line 2")));
    }
}
