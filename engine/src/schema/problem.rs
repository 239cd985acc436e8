//! The compiler's errors in our shape: all of them, each with its place in the source.

use miette::Diagnostic as _;

use super::load::{Loaded, Sources};
use crate::diagnostic::Diagnostic;

/// The text with every byte outside of ASCII replaced, so that columns in bytes, which the parser
/// counts, and columns in characters, which its error report counts, are the same.
pub(super) fn ascii(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii() { byte as char } else { '?' }).collect()
}

/// An error of the compiler and those it found with it.
pub(super) fn problems(error: &protox::Error, at: usize, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = vec![problem(error, at, sources)];
    found.extend(error.related().into_iter().flatten().map(|error| problem(error, at, sources)));
    found
}

fn problem(error: &dyn miette::Diagnostic, at: usize, sources: &Sources) -> Diagnostic {
    let file = &sources.files[at];
    let message = error.to_string();
    // Of two places the one to mend comes last, except where the declaration it clashes with does.
    let mut labels: Vec<_> = error.labels().into_iter().flatten().collect();
    let at_found = labels.iter().position(|label| label.label() == Some("found here"));
    let label = match at_found {
        Some(at) => Some(labels.swap_remove(at)),
        None => labels.pop(),
    };
    let range = match label {
        Some(label) => label.offset()..label.offset() + label.len(),
        // Only the end of the text has no place of its own.
        None => file.text().trim_end().len()..file.text().len(),
    };
    let mut diagnostic = Diagnostic::error(file.span(range), reword(&message));
    diagnostic.help = help(&message, file, sources).or_else(|| error.help().map(|help| help.to_string()));
    if let Some(other) = labels.first().filter(|other| other.label() == Some("first defined here")) {
        let span = file.span(other.offset()..other.offset() + other.len());
        if let (Some(span), None) = (span, &diagnostic.help) {
            diagnostic.help = Some(format!("first defined at {}:{}:{}", span.file, span.line, span.column));
        }
    }
    diagnostic
}

/// A few messages in clearer words; names stand in backquotes everywhere.
fn reword(message: &str) -> String {
    match message {
        "invalid token" => "this is not protobuf: no word, number, string or mark starts here".to_owned(),
        // The compiler says "invalid group name" for both; only this text has no name in it.
        "a map field key type must be an integer, boolean or string" => {
            "the key of a map must be an integer, bool or string".to_owned()
        }
        "expected comment terminator, but reached end of file" => "this comment is never closed".to_owned(),
        "nested block comments are not supported" => {
            "`/*` inside a comment: comments cannot be nested".to_owned()
        }
        _ => message.replace('\'', "`"),
    }
}

/// Advice for messages that leave the user alone.
fn help(message: &str, file: &Loaded, sources: &Sources) -> Option<String> {
    if let Some(name) = message.strip_prefix("name '").and_then(|rest| rest.strip_suffix("' is not defined"))
    {
        return missing_import(name, file, sources);
    }
    if message.ends_with("is defined twice") {
        return Some(
            "names of one scope must differ; values of an enum belong to the scope around the enum, \
             and a map field `x` declares a message `XEntry`"
                .to_owned(),
        );
    }
    None
}

/// The import that would make a name known, if one of the files that were read declares it.
fn missing_import(name: &str, file: &Loaded, sources: &Sources) -> Option<String> {
    let name = name.trim_start_matches('.');
    let suffix = format!(".{name}");
    let declares = |other: &&Loaded| {
        other.outline.full_names().iter().any(|full_name| full_name == name || full_name.ends_with(&suffix))
    };
    let other = sources.files.iter().filter(|other| other.path != file.path).find(declares)?;
    Some(format!("it is declared in {}: add `import \"{}\";`", other.path, other.import_name))
}
