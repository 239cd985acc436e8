//! From tokens to egui's style, for both themes.

use egui::style::{Selection, WidgetVisuals, Widgets};
use egui::{CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Vec2};

use super::{Theme, space};

/// Sets both themes' styles. The user's preference picks between them.
pub fn install_style(ctx: &egui::Context) {
    for name in [egui::Theme::Dark, egui::Theme::Light] {
        ctx.style_mut_of(name, |style| apply(style, name));
    }
}

fn apply(style: &mut egui::Style, name: egui::Theme) {
    let theme = Theme::named(name);
    style.visuals = match name {
        egui::Theme::Dark => egui::Visuals::dark(),
        egui::Theme::Light => egui::Visuals::light(),
    };
    style.text_styles = [
        (TextStyle::Small, super::small()),
        (TextStyle::Body, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(14.0, FontFamily::Proportional)),
        (TextStyle::Monospace, super::code()),
        (TextStyle::Heading, super::heading()),
    ]
    .into();

    let visuals = &mut style.visuals;
    let radius = CornerRadius::same(5);
    let state = |fill, text, edge| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: edge,
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let none = Stroke::NONE;
    visuals.widgets = Widgets {
        noninteractive: state(theme.surface, theme.text, Stroke::new(1.0, theme.line)),
        inactive: state(theme.raised, theme.text, none),
        hovered: state(theme.hovered(theme.raised), theme.text, none),
        active: state(theme.selection, theme.text, Stroke::new(1.0, theme.accent)),
        open: state(theme.raised, theme.text, Stroke::new(1.0, theme.line)),
    };
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(theme.muted);
    visuals.selection = Selection { bg_fill: theme.selection, stroke: Stroke::new(1.0, theme.accent) };
    visuals.hyperlink_color = theme.accent;
    visuals.faint_bg_color = theme.sunken;
    visuals.extreme_bg_color = theme.sunken;
    visuals.text_edit_bg_color = Some(theme.sunken);
    visuals.code_bg_color = theme.sunken;
    visuals.warn_fg_color = theme.warning;
    visuals.error_fg_color = theme.problem;
    visuals.panel_fill = theme.surface;
    visuals.window_fill = theme.raised;
    visuals.window_stroke = Stroke::new(1.0, theme.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Shadow { offset: [0, 6], blur: 20, spread: 0, color: theme.backdrop() };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.text_cursor.stroke = Stroke::new(1.5, theme.accent);
    visuals.striped = false;

    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(space::S, space::XS);
    spacing.button_padding = Vec2::new(space::S, space::XS);
    spacing.interact_size = Vec2::new(24.0, 24.0);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(12);
    spacing.combo_width = 80.0;
    spacing.scroll.bar_width = 8.0;
    spacing.scroll.floating = true;
    style.interaction.tooltip_delay = 0.25;
    style.interaction.selectable_labels = false;
}
