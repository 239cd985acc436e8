//! A text editor for code: egui's `TextEdit` with cached colours, line numbers, a colour per line in
//! the gutter, quiet hints at line ends, and problems underlined. Everything but the text is painted
//! over it, so nothing here ever moves a character.

use std::borrow::Cow;
use std::ops::Range;

use egui::cache::{ComputerMut, FrameCache};
use egui::text::{CCursor, CCursorRange, CharIndex, LayoutJob};
use egui::{Align2, Color32, Frame, Galley, Margin, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2};

use super::highlight::{self, Lexer};
use crate::theme::{self, Theme};

/// What the editor shows.
pub struct CodeEditor<'a> {
    /// Tells editors apart.
    pub id: &'a str,
    /// What it is, for screen readers and tests.
    pub label: &'a str,
    /// The text.
    pub text: &'a str,
    /// Whether it can only be read.
    pub is_read_only: bool,
    /// Splits the text into coloured tokens.
    pub lexer: Lexer,
    /// Lines with something to show, by line.
    pub lines: &'a [LineNote],
    /// Underlined ranges.
    pub marks: &'a [Mark],
    /// A byte offset to scroll into view, this once.
    pub reveal: Option<usize>,
    /// Whether the cursor goes there too, and the keyboard with it.
    pub takes_focus: bool,
}

/// What a line shows beside its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineNote {
    /// Line, from 0.
    pub line: usize,
    /// Hue in the gutter.
    pub hue: Option<usize>,
    /// Whether the whole line is lit.
    pub is_lit: bool,
    /// Whether the line stands for the selection.
    pub is_selected: bool,
    /// Quiet text at the end of the line; a click on it is reported.
    pub hint: String,
    /// What the hint means, for its tooltip.
    pub hint_help: String,
}

/// An underlined range.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Its colour.
    pub color: Color32,
    /// Shown on hover.
    pub message: String,
}

/// What the user did in the editor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditorResponse {
    /// The new text, if it changed.
    pub changed: Option<String>,
    /// Line under the pointer, from 0.
    pub hovered_line: Option<usize>,
    /// Line whose text was clicked, from 0.
    pub clicked_line: Option<usize>,
    /// Line whose hint was clicked, from 0.
    pub clicked_hint: Option<usize>,
}

/// Space between the longest hinted line and the hints.
const HINT_GAP: f32 = 24.0;

/// The coloured text, kept as long as text and theme stay the same.
#[derive(Default)]
struct Jobs;

#[derive(Clone, Copy)]
struct JobKey<'a> {
    text: &'a str,
    lexer: Lexer,
    is_dark: bool,
}

impl std::hash::Hash for JobKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        (self.lexer as usize).hash(state);
        self.is_dark.hash(state);
    }
}

impl ComputerMut<JobKey<'_>, LayoutJob> for Jobs {
    fn compute(&mut self, key: JobKey<'_>) -> LayoutJob {
        let theme = Theme::named(if key.is_dark { egui::Theme::Dark } else { egui::Theme::Light });
        highlight::layout(key.text, 0..key.text.len(), &(key.lexer)(key.text), &theme::code(), theme)
    }
}

impl CodeEditor<'_> {
    /// Draws the editor over the available space.
    pub fn show(self, ui: &mut Ui) -> EditorResponse {
        egui::ScrollArea::both().id_salt(self.id).auto_shrink(false).show(ui, |ui| self.content_ui(ui)).inner
    }

    fn content_ui(self, ui: &mut Ui) -> EditorResponse {
        let theme = theme::current(ui.ctx());
        let lines = self.text.split('\n').count();
        let longest = self.text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&theme::code(), '0'));
        let gutter = (digit * lines.to_string().len().max(2) as f32 + 26.0).ceil();
        // Lines do not wrap: the editor is as wide as the longest one, tabs counted as four.
        let tabs = if self.text.contains('\t') { 4 } else { 1 };
        let width = (gutter + digit * (longest * tabs) as f32 + 32.0).max(ui.available_width());
        let clip = ui.clip_rect();
        let backgrounds = ui.painter().add(Shape::Noop);

        let mut buffer = Cow::Borrowed(self.text);
        let mut fixed = self.text;
        let is_dark = ui.theme() == egui::Theme::Dark;
        let lexer = self.lexer;
        let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _wrap: f32| {
            let key = JobKey { text: text.as_str(), lexer, is_dark };
            let job =
                ui.memory_mut(|memory| memory.caches.cache::<FrameCache<LayoutJob, Jobs>>().get(key).clone());
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let text: &mut dyn egui::TextBuffer = if self.is_read_only { &mut fixed } else { &mut buffer };
        let margin = Margin { left: gutter as i8, right: 16, top: 6, bottom: 6 };
        let id = egui::Id::unique(("code editor", self.id));
        let output = egui::TextEdit::multiline(text)
            .id(id)
            .code_editor()
            .frame(Frame::new().inner_margin(margin))
            .min_size(ui.available_size())
            .desired_width(width)
            .layouter(&mut layouter)
            .show(ui);
        let mut answer = EditorResponse::default();
        let response = output.response.response;
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, self.label);
            info.current_text_value = Some(self.text.to_owned());
            info
        });

        let view = View { galley: &output.galley, origin: output.galley_pos, clip, text: self.text };
        if let Some(pointer) = response.hover_pos().filter(|p| clip.contains(*p)) {
            answer.hovered_line = view.line_at(pointer.y);
        }
        if response.clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            answer.clicked_line = view.line_at(pointer.y);
        }

        let mut shapes = Vec::new();
        if response.has_focus()
            && let Some(range) = output.cursor_range
        {
            let rect = output.galley.pos_from_cursor(range.primary).translate(output.galley_pos.to_vec2());
            shapes.push(Shape::rect_filled(view.across(rect), 0.0, theme.row_hover()));
        }
        for note in self.lines {
            if let Some(row) = view.row(note.line)
                && let Some(hue) = note.hue.filter(|_| note.is_lit || note.is_selected)
            {
                shapes.push(Shape::rect_filled(view.across(row), 0.0, theme.field_wash(hue)));
            }
        }
        ui.painter().set(backgrounds, Shape::Vec(shapes));

        answer.clicked_hint = self.hints_ui(ui, &view, id);
        self.marks_ui(ui, &view, id);
        self.gutter_ui(ui, &view, gutter, theme);

        if let Some(offset) = self.reveal {
            let column = self.text.get(..offset).map_or(0, |before| before.chars().count());
            let cursor = CCursor::new(CharIndex(column));
            if self.takes_focus {
                let mut state = output.state;
                state.cursor.set_char_range(Some(CCursorRange::one(cursor)));
                state.store(ui.ctx(), id);
                response.request_focus();
            }
            let rect = output.galley.pos_from_cursor(cursor).translate(output.galley_pos.to_vec2());
            ui.scroll_to_rect(rect.expand2(Vec2::new(gutter + 24.0, 0.0)), Some(egui::Align::Center));
        }
        if let Cow::Owned(text) = buffer
            && text != self.text
        {
            answer.changed = Some(text);
        }
        answer
    }

    /// Hints stand in one column, right of the longest line that has one; where the pane is too narrow for
    /// that, as far right as they fit, but never over the line's own text.
    fn hints_ui(&self, ui: &mut Ui, view: &View<'_>, id: egui::Id) -> Option<usize> {
        let theme = theme::current(ui.ctx());
        let hinted: Vec<(&LineNote, Rect)> = self
            .lines
            .iter()
            .filter(|note| !note.hint.is_empty())
            .filter_map(|note| Some((note, view.row(note.line)?)))
            .collect();
        let longest = hinted.iter().map(|(_, row)| row.right()).fold(0.0, f32::max);
        let galleys: Vec<_> = hinted
            .iter()
            .map(|(note, _)| ui.painter().layout_no_wrap(note.hint.clone(), theme::code_small(), theme.faint))
            .collect();
        let widest = galleys.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
        let column = (longest + HINT_GAP).min(view.clip.right() - widest - HINT_GAP / 2.0);
        let mut clicked = None;
        for ((note, row), galley) in hinted.into_iter().zip(galleys) {
            if !row.intersects(view.clip) {
                continue;
            }
            let x = column.max(row.right() + HINT_GAP / 2.0);
            let at = Align2::LEFT_CENTER.anchor_size(Pos2::new(x, row.center().y), galley.size());
            let response = ui.interact(at.expand(2.0), id.with(("hint", note.line)), Sense::click());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &note.hint));
            if response.clicked() {
                clicked = Some(note.line);
            }
            let color = match (response.hovered(), note.is_lit) {
                (true, _) => theme.accent,
                (false, true) => theme.text,
                (false, false) => theme.faint,
            };
            ui.painter().galley_with_override_text_color(at.min, galley, color);
            if !note.hint_help.is_empty() {
                response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(&note.hint_help);
            }
        }
        clicked
    }

    fn marks_ui(&self, ui: &mut Ui, view: &View<'_>, id: egui::Id) {
        for (at, mark) in self.marks.iter().enumerate() {
            let Some(rect) = view.range(mark.range.clone()).filter(|rect| rect.intersects(view.clip)) else {
                continue;
            };
            squiggle(ui, rect, mark.color);
            let response = ui.interact(rect, id.with(("mark", at)), Sense::hover());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &mark.message));
            response.on_hover_text(&mark.message);
        }
    }

    /// Stays at the left edge while the text scrolls sideways.
    fn gutter_ui(&self, ui: &Ui, view: &View<'_>, width: f32, theme: &Theme) {
        let left = view.clip.left();
        let painter = ui.painter();
        let strip = Rect::from_min_max(
            Pos2::new(left, view.clip.top()),
            Pos2::new(left + width - 8.0, view.clip.bottom()),
        );
        painter.rect_filled(strip, 0.0, theme.surface);
        for (line, row) in view.visible_rows() {
            let note =
                self.lines.binary_search_by_key(&line, |note| note.line).ok().map(|at| &self.lines[at]);
            let is_lit = note.is_some_and(|note| note.is_lit || note.is_selected);
            let color = if is_lit { theme.text } else { theme.faint };
            let at = Pos2::new(left + width - 18.0, row.center().y);
            painter.text(at, Align2::RIGHT_CENTER, line + 1, theme::code_small(), color);
            if let Some(hue) = note.and_then(|note| note.hue) {
                let grow = if is_lit { 1.0 } else { 0.0 };
                let bar = Rect::from_min_max(
                    Pos2::new(left + width - 13.0 - grow, row.top() + 1.0),
                    Pos2::new(left + width - 10.0 + grow, row.bottom() - 1.0),
                );
                painter.rect_filled(bar, 1.5, theme.field(hue));
            }
        }
    }
}

/// Where the text stands on the screen. Lines do not wrap, so a row is a line.
struct View<'a> {
    galley: &'a Galley,
    origin: Pos2,
    clip: Rect,
    text: &'a str,
}

impl View<'_> {
    fn row(&self, line: usize) -> Option<Rect> {
        Some(self.galley.rows.get(line)?.rect().translate(self.origin.to_vec2()))
    }

    fn line_at(&self, y: f32) -> Option<usize> {
        let y = y - self.origin.y;
        let line = self.galley.rows.partition_point(|row| row.max_y() <= y);
        (line < self.galley.rows.len() && y >= 0.0).then_some(line)
    }

    fn visible_rows(&self) -> impl Iterator<Item = (usize, Rect)> {
        let first = self.galley.rows.partition_point(|row| row.max_y() + self.origin.y < self.clip.top());
        (first..self.galley.rows.len())
            .filter_map(|line| Some((line, self.row(line)?)))
            .take_while(|(_, row)| row.top() < self.clip.bottom())
    }

    /// The row's rectangle from edge to edge.
    fn across(&self, row: Rect) -> Rect {
        Rect::from_x_y_ranges(self.clip.x_range(), row.y_range())
    }

    /// The first line of a byte range; at least a character wide.
    fn range(&self, range: Range<usize>) -> Option<Rect> {
        let before = self.text.get(..range.start)?;
        let line = before.bytes().filter(|b| *b == b'\n').count();
        let start_of_line = before.rfind('\n').map_or(0, |at| at + 1);
        let column = self.text[start_of_line..range.start].chars().count();
        let inside = self.text.get(range).unwrap_or_default().split('\n').next().unwrap_or_default();
        let row = self.galley.rows.get(line)?;
        let left = row.x_offset(CharIndex(column));
        let right = row.x_offset(CharIndex(column + inside.chars().count())).max(left + 8.0);
        let rect = Rect::from_x_y_ranges(left..=right, row.min_y()..=row.max_y());
        Some(rect.translate(self.origin.to_vec2() + Vec2::new(row.pos.x, 0.0)))
    }
}

fn squiggle(ui: &Ui, rect: Rect, color: Color32) {
    const STEP: f32 = 3.0;
    let y = rect.bottom() - 1.5;
    let points = (0..)
        .map(|at| Pos2::new(rect.left() + at as f32 * STEP, if at % 2 == 0 { y } else { y - 2.5 }))
        .take_while(|point| point.x <= rect.right() + 0.5)
        .collect();
    ui.painter().add(Shape::line(points, Stroke::new(1.3, color)));
}
