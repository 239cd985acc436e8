//! Cost by field, by function and by message.

use egui::{Align, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use wirebench_engine::cost::FieldCost;
use wirebench_engine::origin::{FieldKey, Origin};

use super::{Desk, Pane, links};
use crate::state::measuring::{FunctionRow, Report};
use crate::state::session::{CostTable, SortColumn};
use crate::state::view::{MessageView, View, hue_of};
use crate::theme;
use crate::update::Action;
use crate::widgets::parts;

const HEIGHT: f32 = 22.0;

/// Draws the choice of tables and the chosen one.
pub fn tables_ui(
    ui: &mut Ui,
    desk: &mut Desk<'_>,
    view: &View,
    message: &MessageView,
    report: Option<&Report>,
) {
    const TABLES: [(CostTable, &str, &str); 3] = [
        (CostTable::Fields, "Fields", "What each field costs"),
        (CostTable::Functions, "Functions", "What each function of the measured firmware costs"),
        (CostTable::Messages, "Messages", "What each message of the schema costs"),
    ];
    let chosen = desk.state.session.cost_table;
    let words = TABLES.map(|(_, word, help)| (word, help));
    let at = TABLES.iter().position(|(table, _, _)| *table == chosen).unwrap_or(0);
    if let Some(at) = parts::segmented_ui(ui, "cost by", &words, at) {
        desk.ask(Action::ShowCostBy(TABLES[at].0));
    }
    match chosen {
        CostTable::Fields => fields_ui(ui, desk, message),
        CostTable::Functions => match report {
            Some(report) => functions_ui(ui, desk, &report.functions),
            None => {
                parts::empty_ui(
                    ui,
                    "Measure first: then every function stands here with its size and cycles.",
                    None,
                );
            }
        },
        CostTable::Messages => messages_ui(ui, desk, view),
    }
}

fn fields_ui(ui: &mut Ui, desk: &mut Desk<'_>, message: &MessageView) {
    let theme = theme::current(ui.ctx());
    let Some(cost) = &message.cost else { return };
    let sort = desk.state.session.sort;
    let mut fields: Vec<&FieldCost> = cost.fields.iter().collect();
    fields.sort_by(|a, b| {
        let order = match sort.column {
            SortColumn::Number => a.number.cmp(&b.number),
            SortColumn::Name => a.proto_name.cmp(&b.proto_name),
            SortColumn::Ram => a.ram.cmp(&b.ram),
            SortColumn::Wire => a.wire.cmp(&b.wire),
            SortColumn::Flash => a.flash.cmp(&b.flash),
            SortColumn::Cycles => cycles(a).cmp(&cycles(b)),
        };
        if sort.is_descending { order.reverse() } else { order }
    });
    const COLUMNS: [(SortColumn, &str, &str); 5] = [
        (SortColumn::Name, "Field", "Name in the schema"),
        (SortColumn::Ram, "RAM", "Bytes in the struct (exact)"),
        (SortColumn::Wire, "Wire", "Bytes in the sample, tag and length included (exact)"),
        (SortColumn::Flash, "Flash", "Its own code or table entries (estimated)"),
        (SortColumn::Cycles, "Cycles", "Its part of encoding and decoding the sample (estimated)"),
    ];
    TableBuilder::new(ui)
        .id_salt("cost by field")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::remainder().clip(true))
        .columns(Column::exact(56.0), 3)
        .column(Column::exact(64.0))
        .header(HEIGHT, |mut header| {
            for (column, title, help) in COLUMNS {
                header.col(|ui| {
                    let arrow = match (sort.column == column, sort.is_descending) {
                        (false, _) => "",
                        (true, true) => " ↓",
                        (true, false) => " ↑",
                    };
                    let text =
                        RichText::new(format!("{title}{arrow}")).font(theme::small()).color(theme.faint);
                    let layout = match column {
                        SortColumn::Name => Layout::left_to_right(Align::Center),
                        _ => Layout::right_to_left(Align::Center),
                    };
                    ui.with_layout(layout, |ui| {
                        let response = ui.add(egui::Button::new(text).frame(false)).on_hover_text(help);
                        parts::name(&response, &format!("Sort by {title}"));
                        if response.clicked() {
                            desk.ask(Action::Sort(column));
                        }
                    });
                });
            }
        })
        .body(|body| {
            body.rows(HEIGHT, fields.len(), |mut row| {
                let field = fields[row.index()];
                let key = FieldKey { message: message.full_name.clone(), number: field.number };
                let origin = Origin::Field(key);
                row.set_selected(links::is_selected(desk.state, Some(&origin)));
                row.set_hovered(links::is_lit(desk.state, Some(&origin)));
                row.col(|ui| {
                    parts::swatch_ui(ui, theme.field(hue_of(field.number)));
                    ui.add(egui::Label::new(&field.proto_name).truncate());
                });
                for (value, unit) in
                    [(field.ram.0, "B"), (field.wire.0, "B"), (field.flash.0, "B"), (cycles(field), "")]
                {
                    row.col(|ui| parts::figure_ui(ui, &parts::grouped(value), unit, theme.text));
                }
                let response = row.response();
                if response.hovered() {
                    links::hover(desk, Some(&origin));
                }
                if response.clicked() {
                    links::click(desk, Some(&origin), Pane::Cost);
                }
            });
        });
}

fn cycles(field: &FieldCost) -> u64 {
    field.encode.0 + field.decode.0
}

fn functions_ui(ui: &mut Ui, desk: &mut Desk<'_>, functions: &[FunctionRow]) {
    let theme = theme::current(ui.ctx());
    TableBuilder::new(ui)
        .id_salt("cost by function")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::remainder().clip(true))
        .column(Column::exact(64.0))
        .columns(Column::exact(72.0), 2)
        .header(HEIGHT, |mut header| {
            for (title, help) in [
                ("Function", "Hottest first"),
                ("Flash", "Code and constants (from the ELF file)"),
                ("Cycles", "Its own cycles in one round trip (simulated)"),
                ("Instr.", "Its own instructions in one round trip (simulated)"),
            ] {
                header.col(|ui| {
                    let text = RichText::new(title).font(theme::small()).color(theme.faint);
                    let layout = match title {
                        "Function" => Layout::left_to_right(Align::Center),
                        _ => Layout::right_to_left(Align::Center),
                    };
                    ui.with_layout(layout, |ui| ui.label(text).on_hover_text(help));
                });
            }
        })
        .body(|body| {
            body.rows(HEIGHT, functions.len(), |mut row| {
                let function = &functions[row.index()];
                row.set_hovered(links::is_lit(desk.state, function.origin.as_ref()));
                row.col(|ui| {
                    let name = RichText::new(short_name(&function.name)).font(theme::code_small());
                    ui.add(egui::Label::new(name).truncate()).on_hover_text(&function.name);
                });
                row.col(|ui| parts::figure_ui(ui, &parts::grouped(function.flash.0), "B", theme.text));
                for value in [function.cycles.0, function.instructions] {
                    let color = if value == 0 { theme.faint } else { theme.text };
                    row.col(|ui| parts::figure_ui(ui, &parts::grouped(value), "", color));
                }
                let response = row.response();
                if response.hovered() {
                    links::hover(desk, function.origin.as_ref());
                }
            });
        });
}

/// A function's name without the crate most of them have in common, and without what it is generic over.
fn short_name(name: &str) -> &str {
    let name = name.strip_prefix("wirebench_runtime::").unwrap_or(name);
    name.find("::<").map_or(name, |at| &name[..at])
}

fn messages_ui(ui: &mut Ui, desk: &mut Desk<'_>, view: &View) {
    let theme = theme::current(ui.ctx());
    TableBuilder::new(ui)
        .id_salt("cost by message")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::remainder().clip(true))
        .columns(Column::exact(60.0), 3)
        .columns(Column::exact(64.0), 2)
        .header(HEIGHT, |mut header| {
            for (title, help) in [
                ("Message", "Message types of the opened schema"),
                ("RAM", "Size of the struct (exact)"),
                ("Wire", "Bytes of the sample (exact)"),
                ("Flash", "In a firmware of its own: code, tables, messages inside, runtime (estimated)"),
                ("Encode", "Cycles to encode the sample (estimated)"),
                ("Decode", "Cycles to decode the sample (estimated)"),
            ] {
                header.col(|ui| {
                    let text = RichText::new(title).font(theme::small()).color(theme.faint);
                    let layout = match title {
                        "Message" => Layout::left_to_right(Align::Center),
                        _ => Layout::right_to_left(Align::Center),
                    };
                    ui.with_layout(layout, |ui| ui.label(text).on_hover_text(help));
                });
            }
        })
        .body(|body| {
            body.rows(HEIGHT, view.messages.len(), |mut row| {
                let message = &view.messages[row.index()];
                row.set_selected(desk.state.session.message.as_deref() == Some(&*message.full_name));
                row.col(|ui| {
                    let color = if message.refused.is_some() { theme.faint } else { theme.text };
                    let label = egui::Label::new(RichText::new(&message.name).color(color)).truncate();
                    ui.add(label).on_hover_text(message.refused.as_deref().unwrap_or(&message.full_name));
                });
                let cost = message.cost.as_ref();
                for (value, unit) in [
                    (cost.map(|cost| cost.ram.0), "B"),
                    (cost.map(|cost| cost.wire.0), "B"),
                    (cost.map(|cost| cost.flash.0), "B"),
                    (cost.map(|cost| cost.encode.0), ""),
                    (cost.map(|cost| cost.decode.0), ""),
                ] {
                    row.col(|ui| match value {
                        Some(value) => parts::figure_ui(ui, &parts::grouped(value), unit, theme.text),
                        None => parts::figure_ui(ui, "–", "", theme.faint),
                    });
                }
                if row.response().clicked() {
                    desk.ask(Action::ChooseMessage(message.full_name.clone()));
                }
            });
        });
}
