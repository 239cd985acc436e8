//! The sample on the wire: annotated hex, and below it one row per tag, length and value.

use egui::{RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use wirebench_engine::origin::Origin;
use wirebench_engine::wire::{Role, Standing};

use super::{Desk, Pane, links, status_bar};
use crate::command::Command;
use crate::state::view::{ByteInfo, MessageView, SpanRow};
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::hex::{Cell, HexView, Look};
use crate::widgets::parts;

/// Draws the pane.
pub fn bytes_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let message = state.derived.view.as_ref().and_then(|view| view.message.as_ref());
    let Some(message) = message.filter(|message| message.sample.is_some()) else {
        parts::empty_ui(
            ui,
            "Here stand the bytes of the sample message, each in the colour of its field.",
            None,
        );
        return;
    };
    status_bar::stale_ribbon_ui(ui, state);
    header_ui(ui, desk, message);
    if message.bytes.is_empty() {
        parts::empty_ui(ui, "All fields have their default value: the message takes no bytes.", None);
        return;
    }
    let cells: Vec<Cell> =
        message.bytes.iter().enumerate().map(|(at, byte)| cell(desk, message, at, byte)).collect();
    let describe = |offset: usize| describe(message, offset);
    let reveal = state.session.reveal.byte;
    let max_height = (ui.available_height() * 0.5).max(56.0);
    let response = HexView { cells: &cells, describe: &describe, reveal, max_height }.show(ui);
    let origin_at = |offset: Option<usize>| message.spans[message.bytes.get(offset?)?.span].origin.as_ref();
    links::hover(desk, origin_at(response.hovered));
    links::click(desk, origin_at(response.clicked), Pane::Bytes);
    if reveal.is_some() {
        desk.ask(Action::Taken { reveal: Some(Pane::Bytes), focus: false });
    }
    ui.add_space(space::S);
    rows_ui(ui, desk, message, reveal);
}

fn header_ui(ui: &mut Ui, desk: &mut Desk<'_>, message: &MessageView) {
    let theme = theme::current(ui.ctx());
    let payload: usize = message
        .spans
        .iter()
        .filter(|span| matches!(span.role, Role::Value | Role::PackedItem))
        .map(|span| span.range.len())
        .sum();
    ui.horizontal(|ui| {
        ui.label(RichText::new(&message.name).font(theme::heading()));
        let total = message.bytes.len();
        let words = format!("{total} B: {payload} values, {} tags and lengths", total - payload);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let button = egui::Button::new(RichText::new("Copy hex").font(theme::small()).color(theme.muted));
            if ui.add(button.frame(false)).on_hover_text(Command::CopyBytes.help()).clicked() {
                desk.ask(Action::Run(Command::CopyBytes));
            }
            // What the button leaves; a narrow pane shows less of it.
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let label = egui::Label::new(RichText::new(&words).font(theme::small()).color(theme.muted));
                ui.add(label.truncate()).on_hover_text(&words);
            });
        });
    });
    ui.add_space(space::XS);
}

fn cell(desk: &Desk<'_>, message: &MessageView, offset: usize, byte: &ByteInfo) -> Cell {
    let span = &message.spans[byte.span];
    Cell {
        byte: byte.byte,
        look: match (span.role, span.standing) {
            (Role::Garbage, _) | (_, Standing::Damaged) => Look::Damaged,
            (Role::Tag | Role::EndGroup, _) => Look::Tag,
            (Role::Length, _) => Look::Length,
            (Role::Record | Role::Value | Role::PackedItem, _) => Look::Value,
        },
        hue: span.hue,
        around: byte.around.clone(),
        is_start: offset == span.range.start,
        is_end: offset + 1 == span.range.end,
        is_lit: is_lit(desk, message, byte.span),
        is_selected: links::is_selected(desk.state, span.origin.as_ref()),
    }
}

/// A byte is lit with its own field and with the fields around it.
fn is_lit(desk: &Desk<'_>, message: &MessageView, span: usize) -> bool {
    let mut next = Some(span);
    while let Some(at) = next {
        if links::is_lit(desk.state, message.spans[at].origin.as_ref()) {
            return true;
        }
        next = message.spans[at].parent;
    }
    false
}

/// A byte in words: `name, length: 5`.
fn describe(message: &MessageView, offset: usize) -> String {
    let Some(byte) = message.bytes.get(offset) else { return String::new() };
    let span = &message.spans[byte.span];
    let path = if span.path.is_empty() { "no field" } else { &span.path };
    format!("{path}, {}: {}", role_word(span.role), span.text)
}

fn role_word(role: Role) -> &'static str {
    match role {
        Role::Record => "field",
        Role::Tag => "tag",
        Role::Length => "length",
        Role::Value => "value",
        Role::PackedItem => "item",
        Role::EndGroup => "end of group",
        Role::Garbage => "unreadable",
    }
}

fn rows_ui(ui: &mut Ui, desk: &mut Desk<'_>, message: &MessageView, reveal: Option<usize>) {
    let theme = theme::current(ui.ctx());
    let rows: Vec<&SpanRow> = message.spans.iter().filter(|span| span.role != Role::Record).collect();
    let height = 20.0;
    let mut table = TableBuilder::new(ui)
        .id_salt("spans")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(egui::Layout::left_to_right(egui::Align::Center))
        .column(Column::exact(72.0))
        .column(Column::initial(128.0).at_least(60.0).clip(true))
        .column(Column::exact(48.0))
        .column(Column::remainder().clip(true));
    if let Some(offset) = reveal
        && let Some(row) = rows.iter().position(|row| row.range.start >= offset)
    {
        table = table.scroll_to_row(row, None);
    }
    let head = |text: &str| RichText::new(text).font(theme::small()).color(theme.faint);
    table
        .header(height, |mut header| {
            for title in ["Bytes", "Field", "", "Value"] {
                header.col(|ui| {
                    ui.label(head(title));
                });
            }
        })
        .body(|body| {
            body.rows(height, rows.len(), |mut row| {
                let span = rows[row.index()];
                let lit = links::is_lit(desk.state, span.origin.as_ref());
                row.set_selected(links::is_selected(desk.state, span.origin.as_ref()));
                row.set_hovered(lit);
                let code = |text: String, color| RichText::new(text).font(theme::code_small()).color(color);
                row.col(|ui| {
                    let range = match span.range.len() {
                        1 => format!("{:04x}", span.range.start),
                        _ => format!("{:04x}-{:04x}", span.range.start, span.range.end - 1),
                    };
                    ui.label(code(range, theme.faint));
                });
                row.col(|ui| {
                    ui.add_space(space::S * span.depth as f32);
                    parts::swatch_ui(ui, span.hue.map_or(theme.faint, |hue| theme.field(hue)));
                    ui.label(code(span.path.clone(), theme.text)).on_hover_text(&span.path);
                });
                row.col(|ui| {
                    ui.label(RichText::new(role_word(span.role)).font(theme::small()).color(theme.muted));
                });
                row.col(|ui| {
                    let color = if span.role == Role::Value || span.role == Role::PackedItem {
                        theme.text
                    } else {
                        theme.muted
                    };
                    ui.label(code(span.text.clone(), color)).on_hover_text(standing_text(span));
                });
                let response = row.response();
                let origin: Option<&Origin> = span.origin.as_ref();
                if response.hovered() {
                    links::hover(desk, origin);
                }
                if response.clicked() {
                    links::click(desk, origin, Pane::Bytes);
                }
            });
        });
}

fn standing_text(span: &SpanRow) -> String {
    let standing = match span.standing {
        Standing::Known => return span.text.clone(),
        Standing::Unknown => "no field has this number",
        Standing::OtherWireType => "declared with another wire type: counts as unknown",
        Standing::UnknownEnumValue => "not a value of the enum",
        Standing::Damaged => "cut off or malformed",
    };
    format!("{}\n{standing}", span.text)
}
