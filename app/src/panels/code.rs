//! The generated Rust, read-only, linked to the fields.

use egui::Ui;
use wirebench_engine::origin::Origin;

use super::{Desk, Pane, links, status_bar};
use crate::command::Command;
use crate::state::view::hue_of;
use crate::update::Action;
use crate::widgets::code_editor::LineNote;
use crate::widgets::code_view::CodeView;
use crate::widgets::parts;

/// Draws the pane.
pub fn code_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let Some(view) = state.derived.view.as_ref().filter(|view| !view.code.text.is_empty()) else {
        let (sentence, action) = match state.document.schema() {
            None => ("Here stands the Rust that is generated from a schema.", Some("Open schema…")),
            Some(_) => ("Here stands the generated Rust, as soon as the schema has no errors.", None),
        };
        if parts::empty_ui(ui, sentence, action) {
            desk.ask(Action::Run(Command::Open));
        }
        return;
    };
    status_bar::stale_ribbon_ui(ui, state);
    let notes: Vec<LineNote> = view
        .code_origins
        .iter()
        .enumerate()
        .filter_map(|(line, origin)| {
            let origin = origin.as_ref()?;
            Some(LineNote {
                line,
                hue: hue(origin),
                is_lit: links::is_lit(state, Some(origin)),
                is_selected: links::is_selected(state, Some(origin)),
                ..LineNote::default()
            })
        })
        .collect();
    let reveal = state.session.reveal.code;
    let response = CodeView { id: "code", lines: &view.code, notes: &notes, reveal }.show(ui);
    let origin_on =
        |line: Option<usize>| view.code_origins.get(line?)?.as_ref().filter(|origin| is_field(origin));
    links::hover(desk, origin_on(response.hovered_line));
    links::click(desk, origin_on(response.clicked_line), Pane::Code);
    if reveal.is_some() {
        desk.ask(Action::Taken { reveal: Some(Pane::Code), focus: false });
    }
}

fn is_field(origin: &Origin) -> bool {
    matches!(origin, Origin::Field(_))
}

fn hue(origin: &Origin) -> Option<usize> {
    match origin {
        Origin::Field(key) => Some(hue_of(key.number)),
        _ => None,
    }
}
