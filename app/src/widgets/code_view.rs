//! Read-only code of any length: only the rows on screen are laid out.

use egui::{Align2, Pos2, Rect, Sense, Ui, Vec2};

use super::code_editor::LineNote;
use super::highlight::{self, Token};
use crate::theme;

/// A text with its lines and tokens, prepared once.
#[derive(Clone, Debug, Default)]
pub struct CodeLines {
    /// The whole text.
    pub text: String,
    /// Offset of the start of every line.
    pub starts: Vec<usize>,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Characters of the longest line.
    pub width: usize,
}

impl CodeLines {
    /// Splits and lexes a text.
    pub fn new(text: &str, lexer: highlight::Lexer) -> CodeLines {
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let width = text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
        CodeLines { text: text.to_owned(), starts, tokens: lexer(text), width }
    }

    /// The line that holds a byte offset, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    fn range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        start..end
    }

    /// Number of lines; a final newline does not begin another.
    pub fn count(&self) -> usize {
        self.starts.len() - usize::from(self.text.ends_with('\n'))
    }
}

/// What to show.
pub struct CodeView<'a> {
    /// Tells views apart.
    pub id: &'a str,
    /// The text.
    pub lines: &'a CodeLines,
    /// Lines with something to show, by line.
    pub notes: &'a [LineNote],
    /// A line to scroll into view, this once.
    pub reveal: Option<usize>,
}

/// What the user did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeViewResponse {
    /// Line under the pointer, from 0.
    pub hovered_line: Option<usize>,
    /// Line that was clicked, from 0.
    pub clicked_line: Option<usize>,
}

impl CodeView<'_> {
    /// Draws the visible rows.
    pub fn show(self, ui: &mut Ui) -> CodeViewResponse {
        let theme = theme::current(ui.ctx());
        let font = theme::code();
        let (row_height, char_width) =
            ui.fonts_mut(|fonts| (fonts.row_height(&font).ceil(), fonts.glyph_width(&font, '0')));
        let gutter = char_width * self.lines.count().to_string().len().max(2) as f32 + 26.0;
        let mut answer = CodeViewResponse::default();
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = egui::ScrollArea::both().id_salt(self.id).auto_shrink(false);
        if let Some(line) = self.reveal {
            let middle = line as f32 * row_height - ui.available_height() / 2.0;
            area = area.vertical_scroll_offset(middle.max(0.0));
        }
        area.show_rows(ui, row_height, self.lines.count(), |ui, rows| {
            ui.set_min_width(gutter + char_width * self.lines.width as f32 + 16.0);
            let clip = ui.clip_rect();
            for line in rows {
                let size = Vec2::new(ui.available_width(), row_height);
                let (rect, response) = ui.allocate_exact_size(size, Sense::click());
                let range = self.lines.range(line);
                response.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Label, true, &self.lines.text[range.clone()])
                });
                if response.hovered() {
                    answer.hovered_line = Some(line);
                }
                if response.clicked() {
                    answer.clicked_line = Some(line);
                }
                let note =
                    self.notes.binary_search_by_key(&line, |note| note.line).ok().map(|at| &self.notes[at]);
                let is_lit = note.is_some_and(|note| note.is_lit || note.is_selected);
                if is_lit && let Some(hue) = note.and_then(|note| note.hue) {
                    let across = Rect::from_x_y_ranges(clip.x_range(), rect.y_range());
                    ui.painter().rect_filled(across, 0.0, theme.field_wash(hue));
                }
                let job = highlight::layout(&self.lines.text, range, &self.lines.tokens, &font, theme);
                let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
                ui.painter().galley(Pos2::new(rect.left() + gutter, rect.top()), galley, theme.text);
                let color = if is_lit { theme.text } else { theme.faint };
                let at = Pos2::new(rect.left() + gutter - 18.0, rect.center().y);
                ui.painter().text(at, Align2::RIGHT_CENTER, line + 1, theme::code_small(), color);
                if let Some(hue) = note.and_then(|note| note.hue) {
                    let bar = Rect::from_min_max(
                        Pos2::new(rect.left() + gutter - 13.0, rect.top()),
                        Pos2::new(rect.left() + gutter - 10.0, rect.bottom()),
                    );
                    ui.painter().rect_filled(bar, 0.0, theme.field(hue));
                }
            }
        });
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_offset() {
        let lines = CodeLines::new("ab\nc\n", highlight::rust_tokens);
        assert_eq!((lines.count(), lines.width), (2, 2));
        assert_eq!([0, 2, 3, 4].map(|offset| lines.line_of(offset)), [0, 0, 1, 1]);
    }
}
