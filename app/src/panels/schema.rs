//! The schema editor: problems underlined, each field's hue in the gutter, its limit and cost at the end of the line.

use egui::Ui;
use wirebench_engine::diagnostic::Severity;
use wirebench_engine::origin::Origin;
use wirebench_engine::syntax::{self, TokenKind};

use super::{Desk, Pane, links};
use crate::command::Command;
use crate::state::remap::Remap;
use crate::state::view::DeclaredField;
use crate::theme::{self, Theme};
use crate::update::Action;
use crate::widgets::code_editor::{CodeEditor, LineNote, Mark};
use crate::widgets::highlight::{Token, TokenClass};
use crate::widgets::parts;

/// Draws the pane.
pub fn schema_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let Some(file) = state.document.schema() else {
        if parts::empty_ui(
            ui,
            "Here you edit a .proto schema and see what each field costs.",
            Some("Open schema…"),
        ) {
            desk.ask(Action::Run(Command::Open));
        }
        return;
    };
    let theme = theme::current(ui.ctx());
    if let Some(why) = &file.read_only {
        parts::ribbon_ui(ui, theme.warning, why);
    }
    let starts = line_starts(&file.text);
    let fields = placed_fields(desk, &file.text, &starts);
    let notes: Vec<LineNote> = fields.iter().map(|(line, field)| note(desk, *line, field)).collect();
    let marks = marks(desk, &file.text, theme);
    let response = CodeEditor {
        id: "schema",
        label: "Schema text",
        text: &file.text,
        is_read_only: file.read_only.is_some(),
        lexer: proto_tokens,
        lines: &notes,
        marks: &marks,
        reveal: state.session.reveal.schema,
        takes_focus: state.session.reveal.takes_focus,
    }
    .show(ui);

    let field_on = |line: usize| fields.iter().find(|(at, _)| *at == line).map(|(_, field)| field);
    if let Some(field) = response.hovered_line.and_then(field_on) {
        links::hover(desk, Some(&Origin::Field(field.key.clone())));
    }
    if let Some(field) = response.clicked_line.and_then(field_on) {
        links::click(desk, Some(&Origin::Field(field.key.clone())), Pane::Schema);
    }
    if let Some(field) = response.clicked_hint.and_then(field_on) {
        desk.ask(Action::EditLimitOf(field.key.clone()));
    }
    if state.session.reveal.schema.is_some() {
        desk.ask(Action::Taken { reveal: Some(Pane::Schema), focus: false });
    }
    if let Some(text) = response.changed {
        desk.ask(Action::TypeSchema(text));
    }
}

/// The fields of the last good result with their line in the text of now, one per line.
fn placed_fields<'a>(
    desk: &Desk<'a>,
    text: &std::sync::Arc<str>,
    starts: &[usize],
) -> Vec<(usize, &'a DeclaredField)> {
    let derived = &desk.state.derived;
    let (Some(view), Some(good)) = (&derived.view, &derived.good) else { return Vec::new() };
    let remap = Remap::new(&good.schema, text);
    let mut placed: Vec<(usize, &DeclaredField)> = view
        .declared
        .iter()
        .filter_map(|field| {
            let name = remap.map(&field.name)?;
            Some((starts.partition_point(|start| *start <= name.start).saturating_sub(1), field))
        })
        .collect();
    placed.dedup_by_key(|(line, _)| *line);
    placed
}

fn note(desk: &Desk<'_>, line: usize, field: &DeclaredField) -> LineNote {
    let origin = Origin::Field(field.key.clone());
    LineNote {
        line,
        hue: Some(field.hue),
        is_lit: links::is_lit(desk.state, Some(&origin)),
        is_selected: links::is_selected(desk.state, Some(&origin)),
        hint: field.hint.clone(),
        hint_help: field.hint_help.clone(),
    }
}

fn marks(desk: &Desk<'_>, text: &std::sync::Arc<str>, theme: &Theme) -> Vec<Mark> {
    let state = desk.state;
    let Some(latest) = &state.derived.latest else { return Vec::new() };
    let remap = Remap::new(&latest.schema, text);
    state
        .derived
        .problems
        .iter()
        .filter_map(|problem| {
            let span = problem.span.as_ref().filter(|span| *span.file == *state.document.project.schema)?;
            let range = remap.map(&span.range)?;
            let help = problem.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
            Some(Mark {
                range,
                color: severity_color(theme, problem.severity),
                message: format!("{}{help}", problem.message),
            })
        })
        .collect()
}

/// The colour of a severity.
pub fn severity_color(theme: &Theme, severity: Severity) -> egui::Color32 {
    match severity {
        Severity::Error => theme.problem,
        Severity::Warning => theme.warning,
        Severity::Note => theme.muted,
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The engine's tokens in the editor's classes.
fn proto_tokens(text: &str) -> Vec<Token> {
    syntax::highlight(text)
        .into_iter()
        .filter_map(|token| {
            let class = match token.kind {
                TokenKind::Whitespace | TokenKind::ByteOrderMark => return None,
                TokenKind::LineComment | TokenKind::BlockComment => TokenClass::Comment,
                TokenKind::Identifier | TokenKind::Unknown => TokenClass::Name,
                TokenKind::Keyword => TokenClass::Keyword,
                TokenKind::Type => TokenClass::TypeName,
                TokenKind::Option => TokenClass::Attribute,
                TokenKind::Number => TokenClass::Number,
                TokenKind::String => TokenClass::Text,
                TokenKind::Punctuation => TokenClass::Punctuation,
            };
            Some(Token { range: token.range, class })
        })
        .collect()
}
