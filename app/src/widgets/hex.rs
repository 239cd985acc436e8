//! Bytes as hex, each in the hue of its field: tags filled, lengths outlined, values tinted; the
//! messages around a byte are lines below it.

use egui::{Align2, Color32, CornerRadius, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2};

use crate::theme::{self, Theme};

/// How a byte is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A tag: filled.
    Tag,
    /// A length: outlined.
    Length,
    /// A value: tinted.
    Value,
    /// Damaged or unreadable: a red edge.
    Damaged,
}

/// One byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The byte.
    pub byte: u8,
    /// How it is drawn.
    pub look: Look,
    /// Hue of its field.
    pub hue: Option<usize>,
    /// Hues of the records around it, outermost first.
    pub around: Vec<usize>,
    /// First byte of its leaf.
    pub is_start: bool,
    /// Last byte of its leaf.
    pub is_end: bool,
    /// Lit because the user points at its field somewhere.
    pub is_lit: bool,
    /// Belongs to the selected field.
    pub is_selected: bool,
}

/// What to show.
pub struct HexView<'a> {
    /// The bytes.
    pub cells: &'a [Cell],
    /// What a byte is, in words, by offset.
    pub describe: &'a dyn Fn(usize) -> String,
    /// An offset to scroll into view, this once.
    pub reveal: Option<usize>,
    /// Most rows to show before scrolling.
    pub max_height: f32,
}

/// What the user did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HexResponse {
    /// Offset under the pointer.
    pub hovered: Option<usize>,
    /// Offset that was clicked.
    pub clicked: Option<usize>,
}

const CELL: Vec2 = Vec2::new(23.0, 20.0);
const OFFSET_WIDTH: f32 = 44.0;
const CHAR_WIDTH: f32 = 8.0;
/// Room under a cell for the lines of the messages around it.
const NEST_STEP: f32 = 3.0;

impl HexView<'_> {
    /// Draws the visible rows; 16 bytes to a row where they fit, else 8 or 4.
    pub fn show(self, ui: &mut Ui) -> HexResponse {
        let width = ui.available_width() - 12.0;
        let fits = |n: usize| width >= OFFSET_WIDTH + CELL.x * n as f32;
        let per_row = [16, 8].into_iter().find(|n| fits(*n)).unwrap_or(4);
        let has_text = width >= OFFSET_WIDTH + (CELL.x + CHAR_WIDTH) * per_row as f32 + 12.0;
        let depth = self.cells.iter().map(|cell| cell.around.len()).max().unwrap_or(0).min(4);
        let row_height = CELL.y + 4.0 + NEST_STEP * depth as f32;
        let rows = self.cells.len().div_ceil(per_row);
        // Whole rows only, and the lines under the last one.
        let max_height = (self.max_height / row_height).floor().max(2.0) * row_height;
        let mut answer = HexResponse::default();
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = egui::ScrollArea::vertical()
            .id_salt("hex")
            .auto_shrink([false, true])
            .max_height(max_height)
            .min_scrolled_height(max_height);
        if let Some(offset) = self.reveal {
            let middle = (offset / per_row) as f32 * row_height - max_height / 2.0;
            area = area.vertical_scroll_offset(middle.max(0.0));
        }
        area.show_rows(ui, row_height, rows, |ui, visible| {
            for row in visible {
                let first = row * per_row;
                let cells = first..(first + per_row).min(self.cells.len());
                let size = Vec2::new(ui.available_width(), row_height);
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                self.row_ui(ui, rect, cells, per_row, has_text, &mut answer);
            }
        });
        answer
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        row: Rect,
        cells: std::ops::Range<usize>,
        per_row: usize,
        has_text: bool,
        answer: &mut HexResponse,
    ) {
        let theme = theme::current(ui.ctx());
        let at = Pos2::new(row.left() + OFFSET_WIDTH - 12.0, row.top() + CELL.y / 2.0);
        let offset = format!("{:04x}", cells.start);
        ui.painter().text(at, Align2::RIGHT_CENTER, offset, theme::code_small(), theme.faint);
        for (column, offset) in cells.enumerate() {
            let cell = &self.cells[offset];
            let left = row.left() + OFFSET_WIDTH + CELL.x * column as f32;
            let rect = Rect::from_min_size(Pos2::new(left, row.top()), CELL);
            let response = ui.interact(rect, ui.scope_id().with(("byte", offset)), Sense::click());
            let words = (self.describe)(offset);
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Label, true, format!("byte {offset}: {words}"))
            });
            if response.hovered() {
                answer.hovered = Some(offset);
            }
            if response.clicked() {
                answer.clicked = Some(offset);
            }
            paint_cell(ui, theme, rect, cell);
            if has_text {
                let left = row.left() + OFFSET_WIDTH + CELL.x * per_row as f32 + 12.0;
                let at = Pos2::new(left + CHAR_WIDTH * column as f32, rect.center().y);
                let shown = if cell.byte.is_ascii_graphic() { cell.byte as char } else { '·' };
                let color = if cell.is_lit { theme.text } else { theme.faint };
                ui.painter().text(at, Align2::LEFT_CENTER, shown, theme::code_small(), color);
            }
            response.on_hover_text(words);
        }
    }
}

fn paint_cell(ui: &Ui, theme: &Theme, rect: Rect, cell: &Cell) {
    let inner = Rect::from_min_max(
        rect.min + Vec2::new(if cell.is_start { 1.0 } else { 0.0 }, 1.0),
        rect.max - Vec2::new(if cell.is_end { 1.0 } else { 0.0 }, 1.0),
    );
    let round = |is_edge| if is_edge { 4 } else { 0 };
    let (left, right) = (round(cell.is_start), round(cell.is_end));
    let radius = CornerRadius { nw: left, sw: left, ne: right, se: right };
    let hue = |strong: bool| match (cell.hue, strong) {
        (Some(hue), true) => theme.field(hue),
        (Some(hue), false) => theme.field_tint(hue, cell.is_lit),
        (None, true) => theme.faint,
        (None, false) => theme.raised,
    };
    let painter = ui.painter();
    let fill = match cell.look {
        Look::Tag => hue(true),
        Look::Value => hue(false),
        Look::Length | Look::Damaged if cell.is_lit => hue(false),
        Look::Length | Look::Damaged => Color32::TRANSPARENT,
    };
    painter.rect_filled(inner, radius, fill);
    match cell.look {
        Look::Length => {
            painter.rect_stroke(inner.shrink(0.5), radius, Stroke::new(1.0, hue(true)), StrokeKind::Inside);
        }
        Look::Damaged => {
            painter.rect_stroke(inner, radius, Stroke::new(1.5, theme.problem), StrokeKind::Inside);
        }
        Look::Tag | Look::Value => {}
    }
    if cell.is_selected || (cell.is_lit && cell.look == Look::Tag) {
        let edge = Stroke::new(1.5, theme.text);
        painter.hline(inner.x_range(), inner.top() + 0.5, edge);
        painter.hline(inner.x_range(), inner.bottom() - 0.5, edge);
        if cell.is_start {
            painter.vline(inner.left() + 0.5, inner.y_range(), edge);
        }
        if cell.is_end {
            painter.vline(inner.right() - 0.5, inner.y_range(), edge);
        }
    }
    let color = if fill == Color32::TRANSPARENT { theme.text } else { theme.text_on(fill) };
    painter.text(rect.center(), Align2::CENTER_CENTER, format!("{:02x}", cell.byte), theme::number(), color);
    for (level, hue) in cell.around.iter().take(4).enumerate() {
        let y = rect.bottom() + 1.0 + NEST_STEP * level as f32;
        painter.hline(rect.x_range(), y, Stroke::new(2.0, theme.field(*hue)));
    }
}
