//! Small parts shared by the panels: empty states, ribbons, figures, choices.

use egui::{Align, Color32, CornerRadius, Frame, Layout, Margin, Response, RichText, Sense, Ui, Vec2};

use crate::theme::{self, space};

/// What would be here, and the one action that fills it. Returns whether the action was chosen.
pub fn empty_ui(ui: &mut Ui, sentence: &str, action: Option<&str>) -> bool {
    let theme = theme::current(ui.ctx());
    let mut chosen = false;
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.3).min(96.0));
        ui.label(RichText::new(sentence).color(theme.muted));
        if let Some(action) = action {
            ui.add_space(space::S);
            chosen = ui.button(action).clicked();
        }
    });
    chosen
}

/// A line across a pane that says something about everything below it.
pub fn ribbon_ui(ui: &mut Ui, signal: Color32, text: &str) -> Response {
    let theme = theme::current(ui.ctx());
    Frame::new()
        .fill(theme.ribbon(signal))
        .inner_margin(Margin::symmetric(8, 4))
        .corner_radius(CornerRadius::same(4))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(text).font(theme::small()).color(signal))
        })
        .inner
}

/// A figure with its unit: right-aligned, the unit quieter than the number.
pub fn figure_ui(ui: &mut Ui, number: &str, unit: &str, color: Color32) {
    let theme = theme::current(ui.ctx());
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        if !unit.is_empty() {
            ui.label(RichText::new(unit).font(theme::small()).color(theme.faint));
        }
        ui.label(RichText::new(number).font(theme::number()).color(color));
    });
}

/// A square in the field's hue.
pub fn swatch_ui(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::new(4.0, 14.0), Sense::hover());
    ui.painter().rect_filled(rect, CornerRadius::same(2), color);
}

/// One of several words. Returns the newly chosen position.
pub fn segmented_ui(ui: &mut Ui, label: &str, words: &[(&str, &str)], chosen: usize) -> Option<usize> {
    let theme = theme::current(ui.ctx());
    let mut picked = None;
    let frame =
        Frame::new().fill(theme.sunken).corner_radius(CornerRadius::same(6)).inner_margin(Margin::same(2));
    let row = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding = Vec2::new(space::S, 2.0);
        for (at, (word, help)) in words.iter().enumerate() {
            let is_chosen = at == chosen;
            let text = RichText::new(*word).color(if is_chosen { theme.text } else { theme.muted });
            let button = egui::Button::new(text)
                .fill(if is_chosen { theme.raised } else { Color32::TRANSPARENT })
                .min_size(Vec2::new(0.0, 22.0));
            let response = ui.add(button).on_hover_text(*help);
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, format!("{label}: {word}"))
            });
            if response.clicked() && !is_chosen {
                picked = Some(at);
            }
        }
    };
    ui.horizontal(|ui| frame.show(ui, |ui| ui.horizontal(row)));
    picked
}

/// Gives an input its accessible name.
pub fn name(response: &Response, name: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
}

/// `1234567` as `1 234 567`, with thin gaps that every font has.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1\u{a0}000"), (1_234_567, "1\u{a0}234\u{a0}567")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
