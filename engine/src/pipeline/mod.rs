//! One edit: from sources to everything the window and the command line show.
//!
//! A pure function, run on a worker for the window and directly by the command line. Nothing here
//! fails as a whole: each stage that could run has its result, and all problems are collected.

mod walk;

pub use walk::count;

use std::collections::HashMap;
use std::sync::Arc;

use crate::cost::{self, Constants, Costs};
use crate::diagnostic::Diagnostic;
use crate::files::{Files, Input};
use crate::options::{self, LimitSource, Limits, Optimize, Sourced};
use crate::plan::{self, Choices, Planned};
use crate::print::{self, Printed};
use crate::schema::{self, FieldRef, MessageId, Model, SourceText};
use crate::units::Bytes;
use crate::wire::{self, Annotated, MessageValue};

/// What to run the engine on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The sources.
    pub input: Input,
    /// Overrides what the settings say, for all messages.
    pub optimize: Option<Optimize>,
    /// Sample texts (ProtoJSON) by full message name; a message without one gets the typical sample.
    pub samples: HashMap<String, String>,
}

/// Everything one run produced. `None` where an earlier stage gave nothing to work on.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The texts that were read.
    pub sources: Vec<SourceText>,
    /// The checked schema.
    pub model: Option<Arc<Model>>,
    /// Limits and settings.
    pub limits: Option<Arc<Limits>>,
    /// The plan, refused messages beside it.
    pub planned: Option<Arc<Planned>>,
    /// The generated code.
    pub printed: Option<Arc<Printed>>,
    /// What it costs.
    pub costs: Option<Arc<Costs>>,
    /// The sample of every message that is no map entry.
    pub samples: HashMap<MessageId, Sample>,
    /// Problems and remarks of the sources, errors first, then by place. Those of samples stand with them.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a root could not be read at all (missing, unreadable): nothing was checked.
    pub could_not_read: bool,
}

/// A sample message in all its forms.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The values. With errors in the text: those of the typical sample.
    pub value: Arc<MessageValue>,
    /// ProtoJSON of the values, as Wirebench writes it.
    pub json: String,
    /// The encoded message.
    pub bytes: Arc<[u8]>,
    /// The encoded message, annotated byte by byte.
    pub annotated: Arc<Annotated>,
    /// Problems of the sample text; spans lie in that text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs all stages on the sources.
///
/// ```
/// use wirebench_engine::files::{Input, MemoryFiles};
/// use wirebench_engine::pipeline::{run, Request};
///
/// let files = MemoryFiles::default()
///     .with("gps.proto", "syntax = \"proto3\"; message Gps { sint32 lat = 1; sint32 lon = 2; }");
/// let input = Input { roots: vec!["gps.proto".into()], ..Input::default() };
/// let output = run(&Request { input, ..Request::default() }, &files);
/// assert!(output.diagnostics.is_empty());
/// let model = output.model.expect("the schema is good");
/// let gps = model.find_message("Gps").expect("it is declared");
/// assert_eq!(output.costs.expect("it was planned").messages[&gps].ram.0, 8);
/// ```
pub fn run(request: &Request, files: &dyn Files) -> Output {
    let checked = schema::check(&request.input, files);
    let could_not_read = request.input.roots.iter().any(|root| files.read(root).is_err());
    let mut output = Output {
        sources: checked.sources,
        diagnostics: checked.diagnostics,
        could_not_read,
        ..Output::default()
    };
    if let Some(model) = checked.model {
        run_model(request, files, model, &mut output);
    }
    sort(&mut output.diagnostics);
    output
}

/// The stages behind a schema that could be checked.
fn run_model(request: &Request, files: &dyn Files, model: Model, output: &mut Output) {
    let resolved = options::resolve(&model, &request.input, files);
    output.diagnostics.extend(resolved.diagnostics);
    let limits = resolved.limits;
    let choices = Choices { optimize: request.optimize, ..Choices::default() };
    let planned = plan::lower(&model, &limits, &choices);
    price_choices(&model, &limits, &planned, &mut output.diagnostics);
    output.diagnostics.extend(planned.diagnostics.iter().cloned());

    for id in model.message_ids().filter(|id| !model.message(*id).is_map_entry) {
        let name = &model.message(id).full_name;
        let text = request.samples.get(&**name).map(String::as_str);
        output.samples.insert(id, sample(&model, &limits, id, &format!("{name}.json"), text));
    }
    let counts = planned
        .plan
        .messages
        .iter()
        .filter_map(|message| {
            let sample = output.samples.get(&message.id)?;
            let count = walk::count(&planned.plan, message, &sample.value, sample.bytes.len() as u64);
            Some((message.id, count))
        })
        .collect();
    output.costs = Some(Arc::new(cost::estimate(&planned.plan, &counts, Constants::bundled())));
    output.printed = Some(Arc::new(print::print(&planned.plan)));
    output.planned = Some(Arc::new(planned));
    output.limits = Some(Arc::new(limits));
    output.model = Some(Arc::new(model));
}

/// Adds to the note on every limit that was chosen what the choice costs in RAM.
fn price_choices(model: &Model, limits: &Limits, planned: &Planned, notes: &mut [Diagnostic]) {
    let is_chosen = |limit: &Option<Sourced<u32>>| {
        limit.as_ref().is_some_and(|limit| limit.source == LimitSource::Chosen)
    };
    for message in &planned.plan.messages {
        for plan in &message.fields {
            let at = FieldRef { message: message.id, index: plan.index as u32 };
            let chosen =
                limits.fields.get(&at).is_some_and(|l| is_chosen(&l.max_len) || is_chosen(&l.max_count));
            let span = &model.field(at).span;
            if let (true, Some(note)) =
                (chosen && span.is_some(), notes.iter_mut().find(|note| note.span == *span))
            {
                note.message.push_str(&format!(", which takes {} of RAM", Bytes(plan.layout.size)));
            }
        }
    }
}

/// The sample of a message: of the text, else (or where the text is wrong) the typical one.
/// `file` names the text in diagnostics.
pub fn sample(model: &Model, limits: &Limits, id: MessageId, file: &str, text: Option<&str>) -> Sample {
    let mut diagnostics = Vec::new();
    let mut value = None;
    if let Some(text) = text {
        match wire::json::parse(model, id, file, text) {
            Ok(parsed) => {
                diagnostics = wire::check_limits(model, limits, id, &parsed);
                value = Some(parsed);
            }
            Err(problems) => diagnostics = problems,
        }
    }
    let value = value.unwrap_or_else(|| wire::sample::typical(model, limits, id));
    let bytes = wire::encode(model, id, &value).bytes;
    Sample {
        json: wire::json::print(model, id, &value),
        annotated: Arc::new(wire::annotate(model, Some(id), &bytes)),
        bytes: Arc::from(bytes),
        value: Arc::new(value),
        diagnostics,
    }
}

/// Errors first; within a severity by file and place.
fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let place = |d: &Diagnostic| d.span.as_ref().map(|s| (s.file.clone(), s.range.start));
        b.severity.cmp(&a.severity).then_with(|| place(a).cmp(&place(b)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::MemoryFiles;

    #[test]
    fn a_chosen_limit_says_what_it_costs() {
        let files = MemoryFiles::default()
            .with("a.proto", "syntax = \"proto3\"; message T { string name = 1; uint32 id = 2; }");
        let input = Input { roots: vec!["a.proto".into()], ..Input::default() };
        let output = run(&Request { input, ..Request::default() }, &files);
        let notes: Vec<String> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert_eq!(notes, ["`name` has no maximum length: 32 bytes chosen, which takes 34 B of RAM"]);
    }
}
