//! What happened since the window opened.

use egui::{RichText, Ui};

use super::Desk;
use crate::state::notices::Tone;
use crate::theme;
use crate::widgets::parts;

/// Draws the pane.
pub fn log_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let log = &desk.state.notices.log;
    if log.is_empty() {
        parts::empty_ui(
            ui,
            "What happens stands here: files opened and saved, measurements, failures.",
            None,
        );
        return;
    }
    let theme = theme::current(ui.ctx());
    egui::ScrollArea::vertical().id_salt("log").stick_to_bottom(true).auto_shrink(false).show(ui, |ui| {
        for notice in log {
            ui.horizontal_top(|ui| {
                let minutes = (notice.at / 60.0) as u64;
                let time = format!("{minutes:02}:{:04.1}", notice.at - minutes as f64 * 60.0);
                ui.label(RichText::new(time).font(theme::code_small()).color(theme.faint));
                let color = match notice.tone {
                    Tone::Info => theme.text,
                    Tone::Warning => theme.warning,
                    Tone::Error => theme.problem,
                };
                let text = RichText::new(&notice.text).font(theme::code_small()).color(color);
                ui.add(egui::Label::new(text).wrap().selectable(true));
            });
        }
    });
}
