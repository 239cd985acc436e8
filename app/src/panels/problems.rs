//! Everything that is wrong, with its place; a click goes there.

use egui::{Align, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;
use wirebench_engine::diagnostic::Severity;

use super::{Desk, schema::severity_color};
use crate::theme;
use crate::update::Action;
use crate::widgets::parts;

/// Draws the pane.
pub fn problems_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let problems = desk.state.derived.problems.clone();
    if problems.is_empty() {
        let sentence = match desk.state.document.schema() {
            Some(_) => "No problems: schema, limits and samples are fine.",
            None => "Problems of schema, limits and samples stand here with their place.",
        };
        parts::empty_ui(ui, sentence, None);
        return;
    }
    let theme = theme::current(ui.ctx());
    let heights: Vec<f32> = problems.iter().map(|p| if p.help.is_some() { 42.0 } else { 24.0 }).collect();
    TableBuilder::new(ui)
        .id_salt("problems")
        .sense(Sense::click())
        .auto_shrink(false)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(20.0))
        .column(Column::remainder().clip(true))
        .column(Column::initial(150.0).at_least(80.0).clip(true))
        .body(|body| {
            body.heterogeneous_rows(heights.into_iter(), |mut row| {
                let at = row.index();
                let problem = &problems[at];
                row.set_selected(desk.state.session.current_problem == Some(at));
                let color = severity_color(theme, problem.severity);
                row.col(|ui| {
                    ui.label(icon(problem.severity).rich_text().size(15.0).color(color));
                });
                row.col(|ui| {
                    let Some(help) = &problem.help else {
                        ui.add(egui::Label::new(&problem.message).truncate());
                        return;
                    };
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        ui.add_space(3.0);
                        ui.add(egui::Label::new(&problem.message).truncate());
                        let help = RichText::new(help).font(theme::small()).color(theme.muted);
                        ui.add(egui::Label::new(help).truncate());
                    });
                });
                row.col(|ui| {
                    if let Some(span) = &problem.span {
                        let file = span.file.rsplit('/').next().unwrap_or_default();
                        let place = format!("{file}:{}", span.line);
                        ui.add(
                            egui::Label::new(
                                RichText::new(place).font(theme::code_small()).color(theme.muted),
                            )
                            .truncate(),
                        )
                        .on_hover_text(format!("{}:{}:{}", span.file, span.line, span.column));
                    }
                });
                let response = row.response();
                response.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Go to: {}", problem.message))
                });
                if response.on_hover_text(problem.to_string()).clicked() {
                    desk.ask(Action::GoToProblem(at));
                }
            });
        });
}

/// The icon of a severity.
pub fn icon(severity: Severity) -> egui_material_icons::MaterialIcon {
    match severity {
        Severity::Error => icons::ICON_ERROR,
        Severity::Warning => icons::ICON_WARNING,
        Severity::Note => icons::ICON_INFO,
    }
}
