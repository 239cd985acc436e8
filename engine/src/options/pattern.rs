//! Names with wildcards.

/// Whether a name contains a wildcard.
pub(super) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether `pattern` covers `name`: `*` stands for any characters (dots too), `?` for one.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // Where to go on after a mismatch: behind the last `*`, with one more character under it.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, n));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after, from)) => {
                    retry = Some((after, from + 1));
                    p = after;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_covers_dots_and_nothing() {
        assert!(
            matches("*.path", "a.b.path") && matches("*T.path", "T.path") && matches("T.old_*", "T.old_")
        );
        assert!(matches("a.*.c*", "a.b.b.cc") && matches("*", "") && matches("T.?", "T.x"));
        assert!(!matches("*.path", "path") && !matches("T.x", "T.xy") && !matches("a*b", "ac"));
    }

    #[test]
    fn many_stars_stay_fast() {
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
    }
}
