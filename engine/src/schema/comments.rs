//! Comments as the schema's author attached them, without comment marks.

use std::collections::HashMap;

use prost_reflect::prost_types::FileDescriptorProto;

/// Comments of one file by descriptor path.
pub(super) struct Comments<'a> {
    by_path: HashMap<&'a [i32], (&'a str, &'a str)>,
}

impl<'a> Comments<'a> {
    pub fn new(file: &'a FileDescriptorProto) -> Comments<'a> {
        let locations = file.source_code_info.iter().flat_map(|info| &info.location);
        let by_path = locations
            .map(|at| (at.path.as_slice(), (at.leading_comments(), at.trailing_comments())))
            .filter(|(_, (leading, trailing))| !leading.is_empty() || !trailing.is_empty())
            .collect();
        Comments { by_path }
    }

    /// The comment above a declaration.
    pub fn leading(&self, path: &[i32]) -> String {
        self.by_path.get(path).map_or(String::new(), |(leading, _)| plain(leading))
    }

    /// The comment above a declaration, or else the one behind it.
    pub fn leading_or_trailing(&self, path: &[i32]) -> String {
        match self.by_path.get(path) {
            Some(("", trailing)) => plain(trailing),
            Some((leading, _)) => plain(leading),
            None => String::new(),
        }
    }
}

/// Lines without the space after the comment mark and without trailing space.
fn plain(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}
