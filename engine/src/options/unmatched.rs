//! Names in settings that mean nothing: silent misses are the commonest mistake in files of limits.

use super::nanopb_file::OptionsLine;
use super::pattern::matches;
use super::resolve::field_name;
use super::settings::{Placed, ProjectFile};
use crate::diagnostic::Diagnostic;
use crate::files::Input;
use crate::schema::Model;
use crate::schema::path::{folder, join, normalize};

/// Full names of what a model declares.
struct Names {
    fields: Vec<String>,
    messages: Vec<String>,
    /// Packages, oneofs, enums and their values, which nanopb's lines may name too.
    others: Vec<String>,
}

impl Names {
    fn of(model: &Model) -> Names {
        let mut names = Names { fields: Vec::new(), messages: Vec::new(), others: Vec::new() };
        let packages = model.files.iter().map(|file| &file.package).filter(|package| !package.is_empty());
        names.others.extend(packages.cloned());
        for message in &model.messages {
            let inside = |name: &str| format!("{}.{name}", message.full_name);
            names.messages.push(message.full_name.to_string());
            names.others.extend(message.oneofs.iter().map(|oneof| inside(&oneof.proto_name)));
            names.fields.extend(message.fields.iter().map(|field| field_name(message, field)));
        }
        for enumeration in &model.enums {
            let inside = |name: &str| format!("{}.{name}", enumeration.full_name);
            names.others.push(enumeration.full_name.to_string());
            names.others.extend(enumeration.values.iter().map(|value| inside(&value.proto_name)));
        }
        names
    }
}

/// Warnings for names and patterns that match nothing. Those of `wirebench.toml` may be meant for a
/// schema that is not open now, so they are only judged when all of its schemas are.
pub(super) fn unmatched<'a>(
    model: &Model,
    input: &Input,
    project: &ProjectFile,
    lines: impl Iterator<Item = &'a OptionsLine>,
) -> Vec<Diagnostic> {
    let names = Names::of(model);
    let covers = |names: &[String], pattern: &str| names.iter().any(|name| matches(pattern, name));
    let mut found = Vec::new();
    for line in lines {
        let all = [&names.fields, &names.messages, &names.others];
        if !all.iter().any(|names| covers(names, &line.pattern)) {
            let text = format!("`{}` matches nothing in the schema", line.pattern);
            let warning = Diagnostic::warning(Some(line.span.clone()), text);
            found.push(advised(warning, &line.pattern, &names.fields));
        }
    }
    if !is_whole(model, input, project) {
        return found;
    }
    let fields = project.fields.iter().map(|(name, _)| (name, &names.fields, "field"));
    let messages = project.messages.iter().map(|(name, _)| (name, &names.messages, "message"));
    for (name, known, what) in fields.chain(messages) {
        if !covers(known, &name.value) {
            let text = format!("`{}` matches no {what} of the schemas", name.value);
            found.push(advised(Diagnostic::warning(Some(name.span.clone()), text), &name.value, known));
        }
    }
    for name in project.in_use.iter().filter(|name| !names.messages.contains(&name.value)) {
        let text = format!("`{}` in `in_use` is no message of the schemas", name.value);
        found.push(advised(Diagnostic::warning(Some(name.span.clone()), text), &name.value, &names.messages));
    }
    found
}

/// Whether all schemas of the settings file are loaded.
fn is_whole(model: &Model, input: &Input, project: &ProjectFile) -> bool {
    let base = input.settings.as_deref().and_then(folder).unwrap_or("");
    let is_loaded = |schema: &Placed<String>| {
        let path = normalize(&join(base, &schema.value));
        model.files.iter().any(|file| *file.path == *path)
    };
    project.schemas.iter().all(is_loaded)
}

fn advised(warning: Diagnostic, name: &str, known: &[String]) -> Diagnostic {
    match nearest(name, known) {
        Some(other) => warning.with_help(format!("did you mean `{other}`?")),
        None => warning,
    }
}

/// The known name that differs least, if it differs little.
fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let distance = |other: &str| -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in name.bytes().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, b) in other.bytes().enumerate() {
                let cost = if a == b { diagonal } else { 1 + diagonal.min(row[j]).min(row[j + 1]) };
                diagonal = row[j + 1];
                row[j + 1] = cost;
            }
        }
        row[other.len()]
    };
    let close = known.iter().filter(|other| other.len().abs_diff(name.len()) <= 3);
    let best = close.map(|other| (distance(other), other.as_str())).min()?;
    (best.0 <= 3).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_a_letter_is_recognized() {
        let known = ["T.name".to_owned(), "T.number".to_owned()];
        assert_eq!(nearest("T.nmae", &known), Some("T.name"));
        assert_eq!(nearest("Other.thing", &known), None);
    }
}
