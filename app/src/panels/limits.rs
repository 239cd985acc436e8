//! The fields of the chosen message with their limits, which are edited here, and what each costs.

use egui::{Align, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder, TableRow};
use wirebench_engine::options::{LARGEST_LIMIT, LimitChange, StorageChoice};
use wirebench_engine::origin::Origin;
use wirebench_engine::plan::MaxEncoded;

use super::{Desk, Pane, links, status_bar};
use crate::command::Command;
use crate::state::view::{FieldRow, LimitCell, MessageView, wire_text};
use crate::theme::{self, ROW_HEIGHT, space};
use crate::update::Action;
use crate::widgets::parts;

/// A column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Field,
    Number,
    Type,
    MaxLen,
    MaxCount,
    Storage,
    Ram,
    Wire,
    Flash,
    Cycles,
    Source,
}

/// The columns from the left, with title, width and rank: a narrow pane shows those of the lowest ranks.
const PARTS: &[(Part, &str, f32, u8)] = &[
    (Part::Field, "Field", 116.0, 0),
    (Part::Number, "No.", 32.0, 8),
    (Part::Type, "Type", 96.0, 6),
    (Part::MaxLen, "Length", 60.0, 1),
    (Part::MaxCount, "Count", 60.0, 2),
    (Part::Storage, "Storage", 88.0, 7),
    (Part::Ram, "RAM", 52.0, 3),
    (Part::Wire, "Wire ≤", 56.0, 5),
    (Part::Flash, "Flash", 52.0, 9),
    (Part::Cycles, "Cycles", 56.0, 10),
    (Part::Source, "Limit from", 116.0, 4),
];

/// The columns that fit, from the left. A column that would be empty is left out.
fn shown(message: &MessageView, width: f32) -> Vec<(Part, &'static str, f32)> {
    let has_len = message.fields.iter().any(|field| field.max_len.is_some());
    let has_count = message.fields.iter().any(|field| field.max_count.is_some());
    let mut ranked: Vec<_> = PARTS
        .iter()
        .filter(|(part, ..)| match part {
            Part::MaxLen => has_len,
            Part::MaxCount => has_count,
            Part::Source => message.fields.iter().any(|field| !source(field).0.is_empty()),
            _ => true,
        })
        .collect();
    ranked.sort_by_key(|(.., rank)| *rank);
    let mut left = width;
    let fitting: Vec<Part> = ranked
        .into_iter()
        .take_while(|(.., width, _)| {
            left -= width + space::S;
            left >= 0.0
        })
        .map(|(part, ..)| *part)
        .collect();
    PARTS
        .iter()
        .filter(|(part, ..)| fitting.contains(part))
        .map(|(part, title, width, _)| (*part, *title, *width))
        .collect()
}

/// Draws the pane.
pub fn limits_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let Some(message) = state.derived.view.as_ref().and_then(|view| view.message.as_ref()) else {
        let (sentence, action) = match state.document.schema() {
            None => ("Here you set how long strings and lists may be.", Some("Open schema…")),
            Some(_) => {
                ("The fields stand here as soon as the schema declares a message without errors.", None)
            }
        };
        if parts::empty_ui(ui, sentence, action) {
            desk.ask(Action::Run(Command::Open));
        }
        return;
    };
    status_bar::stale_ribbon_ui(ui, state);
    header_ui(ui, desk, message);
    if message.fields.is_empty() {
        parts::empty_ui(ui, "This message has no fields.", None);
        return;
    }
    table_ui(ui, desk, message);
}

fn header_ui(ui: &mut Ui, desk: &Desk<'_>, message: &MessageView) {
    let theme = theme::current(ui.ctx());
    ui.horizontal(|ui| {
        ui.label(RichText::new(&message.name).font(theme::heading())).on_hover_text(&message.comment);
        let words = match (&message.refused, &message.cost) {
            (Some(_), _) | (None, None) => String::new(),
            (None, Some(cost)) => {
                format!("{} of RAM, {} on the wire", cost.ram, wire_text(&cost.max_encoded))
            }
        };
        ui.label(RichText::new(words).font(theme::small()).color(theme.muted));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let settings = &desk.state.document.project.settings;
            let file = settings.rsplit('/').next().unwrap_or_default();
            ui.label(RichText::new(file).font(theme::small()).color(theme.faint))
                .on_hover_text(format!("Limits are written to {settings}; the schema stays untouched"));
        });
    });
    if let Some(why) = &message.refused {
        parts::ribbon_ui(ui, theme.problem, &format!("No code for this message: {why}"));
    }
    ui.add_space(space::XS);
}

fn table_ui(ui: &mut Ui, desk: &mut Desk<'_>, message: &MessageView) {
    let theme = theme::current(ui.ctx());
    let width = ui.available_width();
    let shown = shown(message, width);
    let selected = message
        .fields
        .iter()
        .position(|field| links::is_selected(desk.state, Some(&Origin::Field(field.key.clone()))));
    let mut table = TableBuilder::new(ui)
        .id_salt("limits")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center));
    for (part, _, width) in &shown {
        table = table.column(match part {
            Part::Field => Column::remainder().at_least(*width).clip(true),
            _ => Column::exact(*width).clip(true),
        });
    }
    let is_asked_for = desk.state.session.focus == Some(Pane::Limits);
    if let Some(row) = selected.filter(|_| is_asked_for) {
        table = table.scroll_to_row(row, None);
    }
    table
        .header(20.0, |mut header| {
            for (part, title, _) in &shown {
                header.col(|ui| {
                    let text = RichText::new(*title).font(theme::small()).color(theme.faint);
                    let layout = match part {
                        Part::Ram | Part::Wire | Part::Flash | Part::Cycles | Part::Number => {
                            Layout::right_to_left(Align::Center)
                        }
                        _ => Layout::left_to_right(Align::Center),
                    };
                    ui.with_layout(layout, |ui| ui.label(text).on_hover_text(head_help(*part)));
                });
            }
        })
        .body(|body| {
            body.rows(ROW_HEIGHT, message.fields.len(), |mut row| {
                let field = &message.fields[row.index()];
                let origin = Origin::Field(field.key.clone());
                row.set_selected(links::is_selected(desk.state, Some(&origin)));
                row.set_hovered(links::is_lit(desk.state, Some(&origin)));
                for (part, ..) in &shown {
                    cell_ui(&mut row, desk, field, *part);
                }
                let response = row.response();
                response.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Row, true, format!("Field {}", field.name))
                });
                // Also over the inputs of the row.
                if response.contains_pointer() {
                    links::hover(desk, Some(&origin));
                }
                if response.clicked() {
                    links::click(desk, Some(&origin), Pane::Limits);
                }
            });
        });
}

fn head_help(part: Part) -> &'static str {
    match part {
        Part::Field => "Name in the schema",
        Part::Type => "Type, as declared",
        Part::Number => "Field number",
        Part::MaxLen => "Longest value: UTF-8 bytes of a string, bytes of a bytes field",
        Part::MaxCount => "Most items of a repeated field",
        Part::Storage => "Where the payload lives: in the message, streamed through a callback, or nowhere",
        Part::Ram => "Bytes in the struct, padding not counted (exact)",
        Part::Wire => "Most bytes on the wire, tag included (exact)",
        Part::Flash => "Its own code or table entries (estimated)",
        Part::Cycles => "Its part of encoding and decoding the sample (estimated)",
        Part::Source => "Where the limit stands",
    }
}

fn cell_ui(row: &mut TableRow<'_, '_>, desk: &mut Desk<'_>, field: &FieldRow, part: Part) {
    row.col(|ui| {
        let theme = theme::current(ui.ctx());
        let quiet = |text: &str| RichText::new(text).font(theme::code_small()).color(theme.muted);
        let cost = field.cost.as_ref();
        match part {
            Part::Field => {
                parts::swatch_ui(ui, theme.field(field.hue));
                let label = egui::Label::new(&field.name).truncate();
                let response = ui.add(label);
                if !field.comment.is_empty() {
                    response.on_hover_text(&field.comment);
                }
            }
            Part::Type => match &field.holds {
                Some(message) => {
                    let link = egui::Button::new(quiet(&field.type_name).color(theme.accent))
                        .frame(false)
                        .truncate();
                    if ui.add(link).on_hover_text(format!("Look at {message}")).clicked() {
                        desk.ask(Action::ChooseMessage(message.clone()));
                    }
                }
                None => {
                    ui.add(egui::Label::new(quiet(&field.type_name)).truncate());
                }
            },
            Part::Number => parts::figure_ui(ui, &field.key.number.to_string(), "", theme.muted),
            Part::MaxLen => limit_ui(ui, desk, field, field.max_len.as_ref(), "length", LimitChange::MaxLen),
            Part::MaxCount => {
                limit_ui(ui, desk, field, field.max_count.as_ref(), "count", LimitChange::MaxCount)
            }
            Part::Storage => storage_ui(ui, desk, field),
            Part::Ram => number_ui(ui, cost.map(|cost| cost.ram.0), "B"),
            Part::Wire => number_ui(ui, cost.and_then(|cost| bounded(&cost.max_encoded)), "B"),
            Part::Flash => number_ui(ui, cost.map(|cost| cost.flash.0), "B"),
            Part::Cycles => number_ui(ui, cost.map(|cost| cost.encode.0 + cost.decode.0), ""),
            Part::Source => {
                let (text, is_chosen) = source(field);
                let color = if is_chosen { theme.warning } else { theme.muted };
                let label =
                    egui::Label::new(RichText::new(&text).font(theme::small()).color(color)).truncate();
                let response = ui.add(label);
                if is_chosen {
                    response.on_hover_text(
                        "Nobody set this limit: Wirebench chose it. Edit it to make it yours.",
                    );
                }
            }
        }
    });
}

fn number_ui(ui: &mut Ui, number: Option<u64>, unit: &str) {
    let theme = theme::current(ui.ctx());
    match number {
        Some(number) => parts::figure_ui(ui, &parts::grouped(number), unit, theme.text),
        None => parts::figure_ui(ui, "–", "", theme.faint),
    }
}

fn bounded(max: &MaxEncoded) -> Option<u64> {
    match max {
        MaxEncoded::Bounded(bytes) => Some(bytes.0),
        MaxEncoded::FixedPlus { .. } | MaxEncoded::Unbounded { .. } => None,
    }
}

/// Where the field's limit stands, and whether nobody wrote it.
fn source(field: &FieldRow) -> (String, bool) {
    let limits = [field.max_len.as_ref(), field.max_count.as_ref()];
    match limits.into_iter().flatten().next() {
        Some(limit) => (limit.source.clone(), limit.is_chosen),
        None if field.storage != StorageChoice::Inline => (field.storage_source.clone(), false),
        None => (String::new(), false),
    }
}

fn limit_ui(
    ui: &mut Ui,
    desk: &mut Desk<'_>,
    field: &FieldRow,
    limit: Option<&LimitCell>,
    word: &str,
    change: impl Fn(u32) -> LimitChange,
) {
    let Some(limit) = limit else { return };
    let mut value = limit.value;
    ui.spacing_mut().interact_size.y = 20.0;
    ui.spacing_mut().button_padding.y = 1.0;
    let speed = (f64::from(value) * 0.01).max(0.1);
    let drag =
        egui::DragValue::new(&mut value).range(1..=LARGEST_LIMIT).speed(speed).update_while_editing(false);
    let response = ui.add_sized([56.0, 20.0], drag);
    parts::name(&response, &format!("max {word} of {}", field.name));
    let response = response.on_hover_text(format!("max {word}, from {}; drag or type", limit.source));
    if response.changed() && value != limit.value {
        desk.ask(Action::SetLimit { field: field.key.clone(), change: change(value) });
    }
}

fn storage_ui(ui: &mut Ui, desk: &mut Desk<'_>, field: &FieldRow) {
    let theme = theme::current(ui.ctx());
    let word = |storage| match storage {
        StorageChoice::Inline => "inline",
        StorageChoice::Streamed => "streamed",
        StorageChoice::Ignored => "ignored",
    };
    let small = |text: &str| RichText::new(text).font(theme::small()).color(theme.muted);
    // Quiet until the pointer is over it: most fields stay inline.
    ui.visuals_mut().widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
    let combo = egui::ComboBox::from_id_salt(("storage", field.key.number))
        .selected_text(small(word(field.storage)))
        .width(78.0);
    let response = combo.show_ui(ui, |ui| {
        for choice in [StorageChoice::Inline, StorageChoice::Streamed, StorageChoice::Ignored] {
            if choice == StorageChoice::Streamed && !field.can_stream {
                continue;
            }
            if ui.selectable_label(choice == field.storage, word(choice)).clicked() && choice != field.storage
            {
                let change = LimitChange::Storage(choice);
                desk.ask(Action::SetLimit { field: field.key.clone(), change });
            }
        }
    });
    parts::name(&response.response, &format!("storage of {}", field.name));
}
