//! The compiler's errors in our shape: all of them, each with its place in the source.

use miette::Diagnostic as _;

use super::load::{Loaded, Sources};
use crate::diagnostic::Diagnostic;
use crate::syntax::DeclKind;

/// The text with every byte outside of ASCII replaced, so that columns in bytes, which the parser
/// counts, and columns in characters, which its error report counts, are the same.
pub(super) fn ascii(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii() { byte as char } else { '?' }).collect()
}

/// Most errors of one file that are shown: after them the rest is noise.
const MOST: usize = 100;

/// An error of the compiler and those it found with it.
pub(super) fn problems(error: &protox::Error, at: usize, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = vec![problem(error, at, sources)];
    found.extend(
        error.related().into_iter().flatten().take(MOST - 1).map(|error| problem(error, at, sources)),
    );
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
    let advice = error.help().map(|help| help.to_string());
    // The compiler calls a bad import path a bad group name; only its advice tells them apart.
    let is_import = advice.as_ref().is_some_and(|advice| advice.starts_with("imports may not"));
    let words = if is_import { "this import path is not allowed".to_owned() } else { reword(&message) };
    let mut diagnostic = Diagnostic::error(file.span(range), words);
    let first = labels.first().filter(|label| label.label() == Some("first defined here"));
    let first = first.and_then(|label| file.span(label.offset()..label.offset() + label.len()));
    diagnostic.help = help(&message, file, sources)
        .or_else(|| first.map(|span| format!("first defined at {}:{}:{}", span.file, span.line, span.column)))
        .or_else(|| advice.map(|advice| advice.replace('\'', "`")));
    diagnostic
}

/// A few messages in clearer words; names stand in backquotes everywhere.
fn reword(message: &str) -> String {
    match message {
        "invalid token" => "this is not protobuf: no word, number, string or mark starts here".to_owned(),
        "a map field key type must be an integer, boolean or string" => {
            "the key of a map must be an integer, bool or string".to_owned()
        }
        message if message.starts_with("expected 'enum'") && message.ends_with("found 'syntax'") => {
            "the `syntax` line stands in the file's first place, and only there".to_owned()
        }
        message if message.starts_with("message numbers") => message.replacen("message", "field", 1),
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
    let name = message.strip_prefix("name '").and_then(|rest| rest.strip_suffix("' is defined twice"));
    declared_too(name?, file)
}

/// The declaration that has a name already, where the compiler does not know its place: the entry of a
/// map field, or a value of another enum.
fn declared_too(name: &str, file: &Loaded) -> Option<String> {
    let names = file.outline.full_names();
    for (decl, full_name) in file.outline.decls.iter().zip(&names) {
        let span = file.span(decl.name_range.clone())?;
        if decl.kind == DeclKind::MapField {
            let scope = &full_name[..full_name.len() - decl.name.len()];
            if format!("{scope}{}", map_entry_name(&decl.name)) == name {
                let (line, column) = (span.line, span.column);
                return Some(format!(
                    "the map field `{}` at {}:{line}:{column} declares a message of that name for its entries",
                    decl.name, span.file
                ));
            }
        }
        if decl.kind == DeclKind::EnumValue && full_name == name {
            return Some(format!(
                "first defined at {}:{}:{}; as in C++, values of an enum belong to the scope around the enum",
                span.file, span.line, span.column
            ));
        }
    }
    None
}

/// Name of the message a map field declares: `gain_table` makes `GainTableEntry`.
fn map_entry_name(field: &str) -> String {
    let words = field.split('_').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    });
    words.collect::<String>() + "Entry"
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
