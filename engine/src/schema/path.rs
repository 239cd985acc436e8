//! Paths with `/`, as strings: what the user sees is what is compared.

/// The path without `.`, empty and (where possible) `..` parts, so that one file has one spelling.
pub(crate) fn normalize(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}

/// `folder/name`; a folder of `""` is the working folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder if folder.ends_with('/') => format!("{folder}{name}"),
        folder => format!("{folder}/{name}"),
    }
}

/// The folder a path stands in; `None` for the top.
pub(crate) fn folder(path: &str) -> Option<&str> {
    match path.rfind('/') {
        Some(0) if path.len() > 1 => Some("/"),
        Some(at) if at > 0 => Some(&path[..at]),
        Some(_) => None,
        None if path.is_empty() => None,
        None => Some(""),
    }
}

/// The folder of a file and all folders around it, nearest first.
pub(crate) fn folders_up(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(folder(path), |at| folder(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_spelling() {
        assert_eq!(normalize("a/./b//../c.proto"), "a/c.proto");
        assert_eq!(normalize("/x/../a.proto"), "/a.proto");
        assert_eq!(normalize("../a.proto"), "../a.proto");
        assert_eq!(normalize("a\\b.proto"), "a/b.proto");
    }

    #[test]
    fn folders_go_up_to_the_top() {
        assert_eq!(folders_up("a/b/c.proto").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_up("/a/c.proto").collect::<Vec<_>>(), ["/a", "/"]);
        assert_eq!(folders_up("c.proto").collect::<Vec<_>>(), [""]);
    }
}
