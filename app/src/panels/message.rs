//! The sample message as JSON.

use egui::{RichText, Ui};

use super::{Desk, Pane, schema::severity_color};
use crate::command::Command;
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::code_editor::{CodeEditor, Mark};
use crate::widgets::{highlight, parts};

/// Draws the pane.
pub fn message_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let Some(message) = state.derived.view.as_ref().and_then(|view| view.message.as_ref()) else {
        parts::empty_ui(ui, "Here you edit a sample of the chosen message, as JSON.", None);
        return;
    };
    let path = state.document.project.sample_of(&message.full_name);
    let own = state.document.files.get(&path).filter(|file| !file.text.trim().is_empty());
    let Some(text) =
        own.map(|file| &*file.text).or(message.sample.as_ref().map(|sample| sample.json.as_str()))
    else {
        let why = message.refused.as_deref().unwrap_or("this message has no sample yet");
        parts::empty_ui(ui, &format!("No sample: {why}."), None);
        return;
    };
    let theme = theme::current(ui.ctx());
    ui.horizontal(|ui| {
        ui.label(RichText::new(&message.name).font(theme::heading()));
        let (words, help) = match own {
            Some(file) if file.is_dirty() => ("sample, not saved", path.to_string()),
            Some(_) => ("sample", path.to_string()),
            None => ("typical values", "Made from the schema; edit them to make your own sample".to_owned()),
        };
        ui.label(RichText::new(words).font(theme::small()).color(theme.muted)).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if own.is_some() {
                let button = egui::Button::new(
                    RichText::new("Typical values").font(theme::small()).color(theme.muted),
                );
                let response = ui.add(button.frame(false)).on_hover_text(Command::FillSample.help());
                if response.clicked() {
                    desk.ask(Action::Run(Command::FillSample));
                }
            }
        });
    });
    ui.add_space(space::XS);
    let problems = message.sample.as_ref().map(|sample| sample.diagnostics.as_slice()).unwrap_or_default();
    let marks: Vec<Mark> = problems
        .iter()
        .filter_map(|problem| {
            Some(Mark {
                range: problem.span.as_ref()?.range.clone(),
                color: severity_color(theme, problem.severity),
                message: problem.message.clone(),
            })
        })
        .collect();
    if let Some(first) = problems.iter().find(|problem| problem.is_error()) {
        parts::ribbon_ui(ui, theme.problem, &first.message)
            .on_hover_text("The bytes are those of the typical sample until this is mended");
        ui.add_space(space::XS);
    }
    let response = CodeEditor {
        id: "sample",
        label: "Sample message",
        text,
        is_read_only: own.is_some_and(|file| file.read_only.is_some()),
        lexer: highlight::json_tokens,
        lines: &[],
        marks: &marks,
        reveal: state.session.reveal.sample,
        takes_focus: true,
    }
    .show(ui);
    if state.session.reveal.sample.is_some() {
        desk.ask(Action::Taken { reveal: Some(Pane::Message), focus: false });
    }
    if let Some(text) = response.changed {
        desk.ask(Action::TypeSample(text));
    }
}
