//! The arrangement of the panes. Two first arrangements: one for wide windows, one for narrow ones; the
//! user can drag panes anywhere from there.

use egui::{Color32, CornerRadius, Frame, Margin, Rect, Stroke, Ui, Visuals};
use egui_tiles::{Behavior, EditAction, ResizeState, TabState, Tile, TileId, Tiles, Tree, UiResponse};

use super::{Desk, Pane, bytes, code, cost, limits, log, message, problems, schema};
use crate::theme;
use crate::update::Action;

/// From this width on there is room for three columns.
const WIDE: f32 = 1100.0;

/// The panes' arrangement.
pub struct Layout {
    tree: Tree<Pane>,
    is_wide: bool,
    /// Whether the user has moved something; then the arrangement stays as it is.
    is_own: bool,
}

impl Layout {
    /// The first arrangement for a window of that width.
    pub fn new(width: f32) -> Layout {
        let is_wide = width >= WIDE;
        Layout { tree: if is_wide { wide() } else { narrow() }, is_wide, is_own: false }
    }

    /// Draws all panes.
    pub fn ui(&mut self, ui: &mut Ui, desk: &mut Desk<'_>) {
        let width = ui.available_width();
        let session = &desk.state.session;
        if session.is_layout_reset || (!self.is_own && (width >= WIDE) != self.is_wide) {
            *self = Layout::new(width);
        }
        if let Some(pane) = session.focus {
            self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(found) if *found == pane));
        }
        if session.focus.is_some() || session.is_layout_reset {
            desk.ask(Action::Taken { reveal: None, focus: true });
        }
        let mut behavior = Panes { desk, is_edited: false };
        self.tree.ui(&mut behavior, ui);
        self.is_own |= behavior.is_edited;
    }
}

fn wide() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let schema = tab(&mut tiles, &[Pane::Schema]);
    let code = tab(&mut tiles, &[Pane::Code]);
    let cost = tab(&mut tiles, &[Pane::Cost]);
    let limits = tab(&mut tiles, &[Pane::Limits, Pane::Problems, Pane::Log]);
    let message = tab(&mut tiles, &[Pane::Message]);
    let bytes = tab(&mut tiles, &[Pane::Bytes]);
    let top = row(&mut tiles, &[(schema, 1.0), (code, 1.0)]);
    let bottom = row(&mut tiles, &[(limits, 1.3), (message, 0.7)]);
    let left = column(&mut tiles, &[(top, 1.1), (bottom, 0.9)]);
    let right = column(&mut tiles, &[(cost, 1.25), (bytes, 0.9)]);
    let root = row(&mut tiles, &[(left, 1.9), (right, 1.0)]);
    Tree::new(egui::Id::unique("panes"), root, tiles)
}

fn narrow() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let text = tab(&mut tiles, &[Pane::Schema, Pane::Code]);
    let cost = tab(&mut tiles, &[Pane::Cost]);
    let limits = tab(&mut tiles, &[Pane::Limits, Pane::Message, Pane::Problems, Pane::Log]);
    let bytes = tab(&mut tiles, &[Pane::Bytes]);
    let top = row(&mut tiles, &[(text, 1.1), (cost, 0.9)]);
    let bottom = row(&mut tiles, &[(limits, 1.1), (bytes, 0.9)]);
    let root = column(&mut tiles, &[(top, 1.1), (bottom, 0.9)]);
    Tree::new(egui::Id::unique("panes"), root, tiles)
}

fn tab(tiles: &mut Tiles<Pane>, panes: &[Pane]) -> TileId {
    let ids = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
    tiles.insert_tab_tile(ids)
}

fn row(tiles: &mut Tiles<Pane>, parts: &[(TileId, f32)]) -> TileId {
    linear(tiles, egui_tiles::LinearDir::Horizontal, parts)
}

fn column(tiles: &mut Tiles<Pane>, parts: &[(TileId, f32)]) -> TileId {
    linear(tiles, egui_tiles::LinearDir::Vertical, parts)
}

fn linear(tiles: &mut Tiles<Pane>, dir: egui_tiles::LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = egui_tiles::Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
    for (id, share) in parts {
        linear.shares.set_share(*id, *share);
    }
    tiles.insert_container(linear)
}

struct Panes<'a, 'b> {
    desk: &'a mut Desk<'b>,
    is_edited: bool,
}

impl Behavior<Pane> for Panes<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let theme = theme::current(ui.ctx());
        let margin = match pane {
            Pane::Schema | Pane::Code => Margin { left: 0, right: 0, top: 4, bottom: 0 },
            _ => Margin { left: 12, right: 8, top: 8, bottom: 4 },
        };
        let rect = ui.max_rect();
        let radius = CornerRadius { nw: 0, ne: 0, sw: 6, se: 6 };
        ui.painter().rect_filled(rect, radius, theme.surface);
        Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            let desk = &mut *self.desk;
            match pane {
                Pane::Schema => schema::schema_ui(ui, desk),
                Pane::Limits => limits::limits_ui(ui, desk),
                Pane::Code => code::code_ui(ui, desk),
                Pane::Message => message::message_ui(ui, desk),
                Pane::Bytes => bytes::bytes_ui(ui, desk),
                Pane::Cost => cost::cost_ui(ui, desk),
                Pane::Problems => problems::problems_ui(ui, desk),
                Pane::Log => log::log_ui(ui, desk),
            }
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        let count = self.desk.state.derived.problems.len();
        match pane {
            Pane::Problems if count > 0 => format!("{} {count}", pane.title()).into(),
            _ => pane.title().into(),
        }
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        6.0
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        28.0
    }

    fn tab_title_spacing(&self, _: &Visuals) -> f32 {
        12.0
    }

    fn min_size(&self) -> f32 {
        120.0
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> Color32 {
        visuals.panel_fill
    }

    fn tab_bg_color(&self, _: &Visuals, _: &Tiles<Pane>, _: TileId, _: &TabState) -> Color32 {
        Color32::TRANSPARENT
    }

    fn tab_outline_stroke(&self, _: &Visuals, _: &Tiles<Pane>, _: TileId, _: &TabState) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, visuals: &Visuals) -> Stroke {
        visuals.widgets.noninteractive.bg_stroke
    }

    fn tab_text_color(&self, visuals: &Visuals, _: &Tiles<Pane>, _: TileId, state: &TabState) -> Color32 {
        if state.active { visuals.text_color() } else { visuals.weak_text_color() }
    }

    fn resize_stroke(&self, style: &egui::Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::NONE,
            ResizeState::Hovering => Stroke::new(2.0, style.visuals.weak_text_color()),
            ResizeState::Dragging => Stroke::new(2.0, style.visuals.hyperlink_color),
        }
    }

    fn dragged_overlay_color(&self, visuals: &Visuals) -> Color32 {
        visuals.window_fill
    }

    fn paint_on_top_of_tile(&self, _: &egui::Painter, _: &egui::Style, _: TileId, _: Rect) {}

    fn on_edit(&mut self, _: EditAction) {
        self.is_edited = true;
    }
}
