//! The line at the bottom: problems, fields, saved or not, and where the figures come from.

use egui::{Align, Layout, RichText, Ui};
use egui_material_icons::icons;
use wirebench_engine::diagnostic::Severity;

use super::{Desk, Pane};
use crate::command::Command;
use crate::state::State;
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::parts;

/// Draws the status bar.
pub fn status_bar_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    let quiet = |text: String| RichText::new(text).font(theme::small()).color(theme.muted);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        problems_ui(ui, desk);
        if let Some(message) = desk.state.derived.view.as_ref().and_then(|view| view.message.as_ref()) {
            ui.label(quiet(counted(message.fields.len(), "field")));
        }
        let document = &desk.state.document;
        if document.schema().is_some() {
            let words = match (document.is_dirty(), document.project.is_built_in) {
                (true, _) => "unsaved changes",
                (false, true) => "built-in sample",
                (false, false) => "saved",
            };
            ui.label(quiet(words.to_owned()));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(quiet(evidence(desk.state)));
        });
    });
}

fn problems_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    let derived = &desk.state.derived;
    let (errors, warnings) = (derived.count(Severity::Error), derived.count(Severity::Warning));
    let (icon, color, text) = match (errors, warnings) {
        (0, 0) => (icons::ICON_CHECK_CIRCLE, theme.good, "no problems".to_owned()),
        (0, n) => (icons::ICON_WARNING, theme.warning, counted(n, "warning")),
        (n, 0) => (icons::ICON_ERROR, theme.problem, counted(n, "error")),
        (n, m) => {
            (icons::ICON_ERROR, theme.problem, format!("{}, {}", counted(n, "error"), counted(m, "warning")))
        }
    };
    if desk.state.document.schema().is_none() {
        return;
    }
    let icon = icon.rich_text().size(14.0).color(color);
    let text = RichText::new(text).font(theme::small()).color(theme.muted);
    let response = ui.add(egui::Button::new((icon, text)).frame(false)).on_hover_text("Show problems");
    if response.clicked() {
        desk.ask(Action::Run(Command::Show(Pane::Problems)));
    }
}

/// Where the figures on screen come from.
fn evidence(state: &State) -> String {
    let Some(view) = &state.derived.view else { return String::new() };
    let estimate = format!("estimates ±{} %", view.error_percent);
    let subject = view.subject(state.session.optimize);
    match subject.and_then(|subject| state.measuring.current(&subject).cloned()) {
        Some(report) if report.check.is_ok() => {
            let from = if report.is_from_cache { ", from the cache" } else { "" };
            format!("{estimate} · simulated: {}{from}", report.preset)
        }
        _ => estimate,
    }
}

/// `1 field`, `7 fields`.
pub fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// Says that what stands below is older than the text.
pub fn stale_ribbon_ui(ui: &mut Ui, state: &State) {
    if state.derived.is_stale() {
        let theme = theme::current(ui.ctx());
        let errors = counted(state.derived.count(Severity::Error), "error");
        parts::ribbon_ui(ui, theme.stale, &format!("Stale: from before the schema had {errors}"));
        ui.add_space(space::XS);
    }
}
