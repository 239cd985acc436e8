//! Bars of cost. Estimates are hatched, measured values solid, stale ones have an amber edge; a bar
//! can be split into slices, one per field, each in the field's hue.

use egui::{Color32, CornerRadius, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2};

use crate::theme;

/// One slice of a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Its share of the bar, in the bar's unit.
    pub value: f64,
    /// Hue of its field; `None` for what belongs to no field.
    pub hue: Option<usize>,
    /// What it is, for the tooltip and screen readers: "name: 34 B".
    pub label: String,
    /// Lit up because the user points at the field somewhere.
    pub is_lit: bool,
}

/// How a bar is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Exact.
    Solid,
    /// Measured: solid, in the accent where it is not split by field.
    Measured,
    /// Estimated.
    Hatched,
}

/// A bar on a track. The track's full width stands for `scale`.
pub struct Bar<'a> {
    /// The slices, from the left.
    pub slices: &'a [Slice],
    /// What the full width stands for.
    pub scale: f64,
    /// Solid or hatched.
    pub fill: Fill,
    /// Whether it belongs to an older revision.
    pub is_stale: bool,
    /// Height in points.
    pub height: f32,
}

/// What the user did with a bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BarResponse {
    /// The slice under the pointer.
    pub hovered: Option<usize>,
    /// The slice that was clicked.
    pub clicked: Option<usize>,
}

impl Bar<'_> {
    /// Draws it over the available width.
    pub fn show(&self, ui: &mut Ui) -> BarResponse {
        let theme = theme::current(ui.ctx());
        let width = ui.available_width().max(8.0);
        let (track, response) = ui.allocate_exact_size(Vec2::new(width, self.height), Sense::hover());
        let radius = CornerRadius::same(3);
        ui.painter().rect_filled(track, radius, theme.sunken);
        let mut answer = BarResponse::default();
        let mut left = track.left();
        for (at, slice) in self.slices.iter().enumerate() {
            let share = if self.scale > 0.0 { (slice.value / self.scale).clamp(0.0, 1.0) } else { 0.0 };
            let right = (left + track.width() * share as f32).min(track.right());
            let gap = if self.slices.len() > 1 && right - left > 3.0 { 1.0 } else { 0.0 };
            let rect =
                Rect::from_min_max(Pos2::new(left, track.top()), Pos2::new(right - gap, track.bottom()));
            left = right;
            if rect.width() <= 0.0 {
                continue;
            }
            let hit = ui.interact(rect, response.id.with(at), Sense::click());
            hit.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &slice.label));
            if hit.hovered() {
                answer.hovered = Some(at);
            }
            if hit.clicked() {
                answer.clicked = Some(at);
            }
            let color = match (slice.hue, self.fill) {
                (Some(hue), _) => theme.field(hue),
                (None, Fill::Measured) => theme.accent,
                (None, _) => theme.faint,
            };
            self.paint(ui, rect, color, radius);
            if slice.is_lit || hit.hovered() {
                let edge = Stroke::new(1.5, theme.text);
                ui.painter().rect_stroke(rect, radius, edge, egui::StrokeKind::Inside);
            }
            hit.on_hover_text(&slice.label);
        }
        if self.is_stale {
            let whole =
                Rect::from_min_max(track.min, Pos2::new(left.max(track.left() + 2.0), track.bottom()));
            ui.painter().rect_stroke(whole, radius, Stroke::new(1.0, theme.stale), egui::StrokeKind::Outside);
        }
        answer
    }

    fn paint(&self, ui: &Ui, rect: Rect, color: Color32, radius: CornerRadius) {
        match self.fill {
            Fill::Solid | Fill::Measured => {
                ui.painter().rect_filled(rect, radius, color);
            }
            Fill::Hatched => hatch(ui, rect, color, radius),
        }
    }
}

/// Diagonal lines over a faint ground, clipped to the rectangle.
pub fn hatch(ui: &Ui, rect: Rect, color: Color32, radius: CornerRadius) {
    const GAP: f32 = 5.0;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, radius, color.gamma_multiply(0.35));
    let mut x = rect.left() - rect.height();
    // Lines start on a grid of the screen, so that neighbouring slices continue each other.
    x -= x.rem_euclid(GAP);
    let mut lines = Vec::new();
    while x < rect.right() {
        let points = [Pos2::new(x, rect.bottom()), Pos2::new(x + rect.height(), rect.top())];
        lines.push(Shape::line_segment(points, Stroke::new(1.4, color)));
        x += GAP;
    }
    painter.extend(lines);
}
