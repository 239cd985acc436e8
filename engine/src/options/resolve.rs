//! All sources of limits to one answer per field.

use std::collections::HashMap;

use prost_reflect::prost_types::file_options::OptimizeMode;

use super::chosen::{chosen_notes, reachable};
use super::inline::Inline;
use super::limits::{
    FieldLimits, LimitSource, Limits, MessageSettings, Optimize, Overflow, Sourced, StorageChoice, Utf8Policy,
};
use super::nanopb::{Known, NanopbOption, check_options, is_integer, known, meaning};
use super::nanopb_file::{OptionsLine, read_options};
use super::pattern::{is_pattern, matches};
use super::settings::{FieldEntry, Placed, ProjectFile, StorageWish, read_settings};
use super::unmatched::unmatched;
use crate::diagnostic::{Diagnostic, Span};
use crate::files::{FileError, Files, Input};
use crate::schema::{Cardinality, Field, FieldRef, Kind, Message, MessageId, Model, SourceText};

/// Maximum length chosen where nobody set one, in bytes.
pub const CHOSEN_MAX_LEN: u32 = 32;
/// Maximum count chosen where nobody set one.
pub const CHOSEN_MAX_COUNT: u32 = 8;

/// What [`resolve`] found out.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// Limits of every field, settings of every message. Usable beside errors: what is wrong is left out.
    pub limits: Limits,
    /// Problems of `wirebench.toml` and `.options` files, overrides, and values that were chosen.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves limits and settings of all fields and messages of a model, in the order of precedence that
/// the [module](super) states.
///
/// ```
/// use wirebench_engine::files::{Input, MemoryFiles};
/// use wirebench_engine::{options, schema};
/// let files = MemoryFiles::default()
///     .with("a.proto", "syntax = \"proto3\"; message T { string name = 1; }")
///     .with("wirebench.toml", "fields.\"T.name\" = { max_len = 16 }");
/// let input = Input { roots: vec!["a.proto".into()], settings: Some("wirebench.toml".into()), ..Input::default() };
/// let model = schema::check(&input, &files).model.unwrap();
/// let resolved = options::resolve(&model, &input, &files);
/// let limits = resolved.limits.fields.values().next().unwrap();
/// assert_eq!(limits.max_len.as_ref().map(|limit| limit.value), Some(16));
/// ```
pub fn resolve(model: &Model, input: &Input, files: &dyn Files) -> Resolved {
    let mut found = Vec::new();
    let project = project_file(input, files, &mut found);
    let mut resolver = Resolver {
        model,
        inline: Inline::new(&model.pool, files),
        sidecars: sidecars(model, files, &mut found),
        file_options: HashMap::new(),
        found,
    };
    let mut limits = Limits::default();
    for id in model.message_ids() {
        let message = model.message(id);
        let of_message = resolver.message_options(message);
        for (index, field) in message.fields.iter().enumerate() {
            let layers = resolver.layers(message, field, &of_message, &project);
            limits.fields.insert(
                FieldRef { message: id, index: index as u32 },
                resolver.field(message, field, &layers),
            );
        }
        let settings = message_settings(model, message, &project);
        if settings != MessageSettings::default() {
            limits.messages.insert(id, settings);
        }
    }
    resolver.found.extend(unmatched(model, input, &project, resolver.sidecars.values().flatten()));
    limits.settings.in_use = in_use(model, &project);
    let used = reachable(model, &limits.settings.in_use);
    let mut diagnostics = resolver.found;
    diagnostics.extend(chosen_notes(model, &limits, &used));
    Resolved { limits, diagnostics }
}

/// What one source says of a field, and whether saying something else on top of it deserves a note.
struct Layer {
    entry: FieldEntry,
    source: fn(Span) -> LimitSource,
    is_field_scope: bool,
}

struct Resolver<'a> {
    model: &'a Model,
    inline: Inline<'a>,
    /// Lines of the `.options` file beside each file of the model, by index; with a mark for those used.
    sidecars: HashMap<usize, Vec<OptionsLine>>,
    file_options: HashMap<usize, Vec<NanopbOption>>,
    found: Vec<Diagnostic>,
}

impl Resolver<'_> {
    /// Options that count for all fields of a message: of its file, then of itself, lines first.
    fn message_options(&mut self, message: &Message) -> Vec<NanopbOption> {
        let Some(path) = self.user_path(message) else { return Vec::new() };
        if !self.file_options.contains_key(&message.file) {
            let inline = self.inline.of_file(&path);
            self.found.extend(check_options(&inline));
            // To nanopb the name of a file is its package.
            let lines = self.lines(message.file, &self.model.files[message.file].package);
            let options = lines.into_iter().flat_map(|line| line.options.clone()).chain(inline).collect();
            self.file_options.insert(message.file, options);
        }
        let mut options = self.file_options[&message.file].clone();
        options.extend(
            self.lines(message.file, &message.full_name).into_iter().flat_map(|line| line.options.clone()),
        );
        let own = self.inline.of_message(&message.full_name, &path);
        self.found.extend(check_options(&own));
        options.extend(own);
        options
    }

    /// Path of the file of a message, unless it is a bundled one.
    fn user_path(&self, message: &Message) -> Option<String> {
        message.span.as_ref()?;
        Some(self.model.files[message.file].path.to_string())
    }

    /// Lines of the `.options` file that cover a name, in their order.
    fn lines(&self, file: usize, full_name: &str) -> Vec<&OptionsLine> {
        let lines = self.sidecars.get(&file).map_or(&[][..], Vec::as_slice);
        lines.iter().filter(|line| matches(&line.pattern, full_name)).collect()
    }

    /// What each source says of a field, weakest first.
    fn layers(
        &mut self,
        message: &Message,
        field: &Field,
        of_message: &[NanopbOption],
        project: &ProjectFile,
    ) -> Vec<Layer> {
        let full_name = field_name(message, field);
        let mut layers = vec![Layer {
            entry: project.defaults.clone(),
            source: LimitSource::ProjectDefault,
            is_field_scope: false,
        }];
        let mut found = Vec::new();
        // A message's options come from both places; the span tells which.
        for option in of_message {
            let entry = meaning(std::slice::from_ref(option), field, &full_name, false, &mut found);
            let source = match option.span.file.ends_with(".options") {
                true => LimitSource::NanopbOptions,
                false => LimitSource::Inline,
            };
            layers.push(Layer { entry, source, is_field_scope: false });
        }
        for line in self.lines(message.file, &full_name) {
            let is_exact = !is_pattern(&line.pattern);
            let entry = meaning(&line.options, field, &full_name, is_exact, &mut found);
            layers.push(Layer { entry, source: LimitSource::NanopbOptions, is_field_scope: true });
        }
        if let Some(path) = self.user_path(message) {
            let options = self.inline.of_field(&message.full_name, field.number, &full_name, &path);
            found.extend(check_options(&options));
            let entry = meaning(&options, field, &full_name, true, &mut found);
            layers.push(Layer { entry, source: LimitSource::Inline, is_field_scope: true });
        }
        let named = project.fields.iter().filter(|(name, _)| matches(&name.value, &full_name));
        let (patterns, exact): (Vec<_>, Vec<_>) = named.partition(|(name, _)| is_pattern(&name.value));
        for (name, entry) in patterns.into_iter().chain(exact) {
            let entry = fitting(entry, field, &full_name, is_pattern(&name.value), &mut found);
            layers.push(Layer { entry, source: LimitSource::Settings, is_field_scope: true });
        }
        self.found.extend(found);
        layers
    }

    fn field(&mut self, message: &Message, field: &Field, layers: &[Layer]) -> FieldLimits {
        let full_name = field_name(message, field);
        let has_len = matches!(field.kind, Kind::String | Kind::Bytes);
        let has_count = field.cardinality != Cardinality::Singular;
        let max_len = self.pick(layers, &full_name, "max_len", |entry| entry.max_len.as_ref());
        let max_count = self.pick(layers, &full_name, "max_count", |entry| entry.max_count.as_ref());
        let wish = self.pick(layers, &full_name, "storage", |entry| entry.storage.as_ref());
        let int_width = self.pick(layers, &full_name, "int_width", |entry| entry.int_width.as_ref());
        let fixed_length = self.pick(layers, &full_name, "fixed_length", |entry| entry.fixed_length.as_ref());
        let fixed_count = self.pick(layers, &full_name, "fixed_count", |entry| entry.fixed_count.as_ref());
        if has_len {
            self.fixed(&full_name, "fixed_length", "max_size", fixed_length, max_len.is_some());
        }
        if has_count {
            self.fixed(&full_name, "fixed_count", "max_count", fixed_count, max_count.is_some());
        }
        let may_stream = has_len && !has_count && max_len.as_ref().is_none_or(is_project_default);
        let storage = self.storage(&full_name, wish, may_stream);
        // Streamed and ignored payloads take no memory: they have a bound only if somebody wants one.
        let is_inline = storage.value == StorageChoice::Inline;
        let bound = |limit: Option<Sourced<u32>>, chosen: u32| {
            let chosen = Sourced { value: chosen, source: LimitSource::Chosen };
            limit.filter(|limit| is_inline || !is_project_default(limit)).or(is_inline.then_some(chosen))
        };
        FieldLimits {
            max_len: if has_len { bound(max_len, CHOSEN_MAX_LEN) } else { None },
            max_count: if has_count { bound(max_count, CHOSEN_MAX_COUNT) } else { None },
            storage,
            int_width: int_width.filter(|_| is_integer(field.kind)),
            overflow: Overflow::default(),
            utf8: Utf8Policy::default(),
        }
    }

    /// The storage an entry asks for. There is no allocator: instead of a pointer the value stands in
    /// the message, or is streamed if it can be and nothing bounds it.
    fn storage(
        &mut self,
        full_name: &str,
        wish: Option<Sourced<StorageWish>>,
        may_stream: bool,
    ) -> Sourced<StorageChoice> {
        let Some(wish) = wish else {
            return Sourced { value: StorageChoice::Inline, source: LimitSource::Chosen };
        };
        let value = match wish.value {
            StorageWish::Use(choice) => choice,
            StorageWish::Pointer => {
                let (choice, how) = match may_stream {
                    true => (StorageChoice::Streamed, "it has no bound and is streamed"),
                    false => (StorageChoice::Inline, "it stands in the message, up to its bound"),
                };
                let text = format!("`{full_name}` asks for FT_POINTER, but there is no allocator: {how}");
                self.found.push(Diagnostic::warning(wish.source.span().cloned(), text));
                choice
            }
        };
        Sourced { value, source: wish.source }
    }

    /// Says how a fixed length or count is read, or that its number is missing.
    fn fixed(
        &mut self,
        full_name: &str,
        name: &str,
        number: &str,
        fixed: Option<Sourced<bool>>,
        has_number: bool,
    ) {
        let Some(fixed) = fixed.filter(|fixed| fixed.value) else { return };
        let span = fixed.source.span().cloned();
        self.found.push(if has_number {
            Diagnostic::note(
                span,
                format!("{name} of `{full_name}` is read as a maximum: less is accepted too"),
            )
        } else {
            Diagnostic::error(span, format!("{name} of `{full_name}` needs the number: {number} is missing"))
                .with_help(format!("add {number}"))
        });
    }

    /// The strongest value of a property; a note names what it overrides.
    fn pick<T: Clone + PartialEq + std::fmt::Debug>(
        &mut self,
        layers: &[Layer],
        full_name: &str,
        property: &str,
        of: impl Fn(&FieldEntry) -> Option<&Placed<T>>,
    ) -> Option<Sourced<T>> {
        let mut picked: Option<(&Placed<T>, &Layer)> = None;
        for layer in layers {
            let Some(value) = of(&layer.entry) else { continue };
            if let Some((weaker, other)) = picked {
                let is_elsewhere = weaker.span.file != value.span.file;
                if is_elsewhere && other.is_field_scope && layer.is_field_scope && weaker.value != value.value
                {
                    let text = format!(
                        "{property} of `{full_name}` is set here and overrides the one at {}:{}",
                        weaker.span.file, weaker.span.line
                    );
                    self.found.push(Diagnostic::note(Some(value.span.clone()), text));
                }
            }
            picked = Some((value, layer));
        }
        picked.map(|(value, layer)| Sourced {
            value: value.value.clone(),
            source: (layer.source)(value.span.clone()),
        })
    }
}

/// The messages in use that the model has.
fn in_use(model: &Model, project: &ProjectFile) -> Vec<MessageId> {
    let find = |name: &Placed<String>| {
        let at = model.messages.iter().position(|message| *message.full_name == *name.value)?;
        Some(MessageId(at as u32))
    };
    project.in_use.iter().filter_map(find).collect()
}

/// Full name of a field: `pkg.Message.field`.
pub(super) fn field_name(message: &Message, field: &Field) -> String {
    format!("{}.{}", message.full_name, field.proto_name)
}

fn is_project_default(limit: &Sourced<u32>) -> bool {
    matches!(limit.source, LimitSource::ProjectDefault(_))
}

/// The entry without what does not fit the field; an exact entry gets a warning for it.
fn fitting(
    entry: &FieldEntry,
    field: &Field,
    full_name: &str,
    is_pattern: bool,
    found: &mut Vec<Diagnostic>,
) -> FieldEntry {
    let mut entry = entry.clone();
    let mut unfit = |span: Option<Span>, property: &str, why: &str| {
        if let (Some(span), false) = (span, is_pattern) {
            let text = format!("`{full_name}` has no {property}: it is {why}");
            found.push(Diagnostic::warning(Some(span), text));
        }
    };
    if !matches!(field.kind, Kind::String | Kind::Bytes) {
        unfit(entry.max_len.take().map(|limit| limit.span), "max_len", "neither string nor bytes");
    }
    if field.cardinality == Cardinality::Singular {
        unfit(entry.max_count.take().map(|limit| limit.span), "max_count", "not repeated");
    }
    if !is_integer(field.kind) {
        unfit(entry.int_width.take().map(|width| width.span), "int_width", "not an integer");
    }
    entry
}

fn project_file(input: &Input, files: &dyn Files, found: &mut Vec<Diagnostic>) -> ProjectFile {
    let Some(path) = &input.settings else { return ProjectFile::default() };
    match files.read(path) {
        Ok(bytes) => {
            let (source, problem) = SourceText::from_bytes(path, &bytes);
            if problem.is_some() {
                found.extend(problem);
                return ProjectFile::default();
            }
            let mut project = read_settings(&source);
            found.append(&mut project.diagnostics);
            project
        }
        Err(why) => {
            found.push(Diagnostic::error(None, why.to_string()));
            ProjectFile::default()
        }
    }
}

/// The `.options` files beside the files of a model, checked as far as no field is needed for it.
fn sidecars(
    model: &Model,
    files: &dyn Files,
    found: &mut Vec<Diagnostic>,
) -> HashMap<usize, Vec<OptionsLine>> {
    let mut all = HashMap::new();
    for (at, file) in model.files.iter().enumerate() {
        let Some(stem) = file.path.strip_suffix(".proto") else { continue };
        let path = format!("{stem}.options");
        let bytes = match files.read(&path) {
            Ok(bytes) => bytes,
            Err(FileError::NotFound(_)) => continue,
            Err(why) => {
                found.push(Diagnostic::error(None, why.to_string()));
                continue;
            }
        };
        let (source, problem) = SourceText::from_bytes(&path, &bytes);
        if problem.is_some() {
            found.extend(problem);
            continue;
        }
        let (lines, problems) = read_options(&source);
        found.extend(problems);
        let options = || lines.iter().flat_map(|line| &line.options);
        lines.iter().for_each(|line| found.extend(check_options(&line.options)));
        for option in options().filter(|option| known(&option.name) == Known::Unknown) {
            let text = format!("`{}` is not an option of nanopb", option.name);
            found.push(Diagnostic::warning(Some(option.span.clone()), text));
        }
        let mut silent: Vec<&NanopbOption> =
            options().filter(|o| known(&o.name) == Known::WithoutEffect).collect();
        if let Some(first) = silent.first().map(|option| option.span.clone()) {
            silent.dedup_by(|a, b| a.name == b.name);
            let names: Vec<&str> = silent.iter().map(|option| option.name.as_str()).collect();
            let text =
                format!("without effect here, because they shape nanopb's C code: {}", names.join(", "));
            found.push(Diagnostic::note(Some(first), text));
        }
        all.insert(at, lines);
    }
    all
}

fn message_settings(model: &Model, message: &Message, project: &ProjectFile) -> MessageSettings {
    let mut settings = MessageSettings::default();
    let file = model.pool.get_file_by_name(&model.files[message.file].path);
    let written = file.and_then(|file| file.file_descriptor_proto().options.as_ref()?.optimize_for);
    // protobuf's own default is SPEED, so only what is written counts; LITE_RUNTIME means nothing here.
    match written.map(OptimizeMode::try_from) {
        Some(Ok(OptimizeMode::Speed)) => settings.optimize = Optimize::Speed,
        Some(Ok(OptimizeMode::CodeSize)) => settings.optimize = Optimize::Size,
        _ => {}
    }
    let named = project.messages.iter().filter(|(name, _)| matches(&name.value, &message.full_name));
    let (patterns, exact): (Vec<_>, Vec<_>) = named.partition(|(name, _)| is_pattern(&name.value));
    for (_, entry) in patterns.into_iter().chain(exact) {
        settings.optimize = entry.optimize.unwrap_or(settings.optimize);
        settings.direction = entry.direction.unwrap_or(settings.direction);
        settings.keep_unknown = entry.keep_unknown.or(settings.keep_unknown);
        settings.unknown_overflow = entry.unknown_overflow.unwrap_or(settings.unknown_overflow);
    }
    settings
}
