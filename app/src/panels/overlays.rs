//! What floats over the panes: toasts, the tour, the sign that a file can be dropped.

use egui::{Align2, Area, Frame, Id, Margin, Order, RichText, Stroke, Ui, Vec2};
use egui_material_icons::icons;

use super::Desk;
use crate::state::notices::{Notice, Tone};
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::parts;

/// Draws toasts and the drop sign.
pub fn overlays_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    toasts_ui(ui, desk);
    if ui.input(|input| !input.raw.hovered_files.is_empty()) {
        drop_ui(ui);
    }
}

/// Three things to try, above the panes until dismissed.
pub fn tour_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        for (icon, text) in [
            (icons::ICON_TUNE, "Change a limit and watch RAM."),
            (icons::ICON_MOUSE, "Hover a byte: its field lights up everywhere."),
            (icons::ICON_PLAY_ARROW, "Press F5 to measure."),
        ] {
            ui.label(icon.rich_text().size(16.0).color(theme.accent));
            ui.label(RichText::new(text).color(theme.text));
            ui.add_space(space::S);
        }
        if ui.button("Got it").clicked() {
            desk.ask(Action::EndTour);
        }
    });
}

fn toasts_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let toasts: Vec<Notice> = desk.state.notices.toasts(desk.state.now).cloned().collect();
    if toasts.is_empty() {
        return;
    }
    // Toasts go away by time alone, so the window has to wake up for it.
    ui.request_repaint_after(std::time::Duration::from_millis(500));
    Area::new(Id::unique("toasts"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, Vec2::new(-16.0, -40.0))
        .show(ui.ctx(), |ui| {
            for toast in toasts.iter().rev().take(4).rev() {
                toast_ui(ui, desk, toast);
                ui.add_space(space::XS);
            }
        });
}

fn toast_ui(ui: &mut Ui, desk: &mut Desk<'_>, toast: &Notice) {
    let theme = theme::current(ui.ctx());
    let (icon, color) = match toast.tone {
        Tone::Info => (icons::ICON_CHECK_CIRCLE, theme.good),
        Tone::Warning => (icons::ICON_WARNING, theme.warning),
        Tone::Error => (icons::ICON_ERROR, theme.problem),
    };
    Frame::popup(&ui.global_style())
        .inner_margin(Margin::symmetric(12, 8))
        .stroke(Stroke::new(1.0, theme.line))
        .show(ui, |ui| {
            ui.set_max_width(380.0);
            ui.horizontal_top(|ui| {
                ui.label(icon.rich_text().size(16.0).color(color));
                let first = toast.text.lines().next().unwrap_or_default();
                ui.add(egui::Label::new(first).wrap()).on_hover_text(&toast.text);
                let close = egui::Button::new(icons::ICON_CLOSE.rich_text().size(14.0).color(theme.faint))
                    .frame(false);
                let response = ui.add(close);
                parts::name(&response, "Dismiss notices");
                if response.clicked() {
                    desk.ask(Action::Dismiss);
                }
            });
        });
}

fn drop_ui(ui: &mut Ui) {
    let theme = theme::current(ui.ctx());
    let screen = ui.content_rect();
    let painter = ui.layer_painter(egui::LayerId::new(Order::Foreground, Id::unique("drop")));
    painter.rect_filled(screen, 0.0, theme.backdrop());
    painter.rect_stroke(screen.shrink(12.0), 8.0, Stroke::new(2.0, theme.accent), egui::StrokeKind::Inside);
    painter.text(
        screen.center(),
        Align2::CENTER_CENTER,
        "Drop a .proto file to open it",
        theme::heading(),
        theme.text,
    );
}
