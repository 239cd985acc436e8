//! The command palette: every command by its name.

use egui::{Align, Key, Layout, Modifiers, RichText, Sense, Ui, Vec2};

use super::Desk;
use crate::command::Command;
use crate::state::session::{Dialog, Palette};
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::parts;

/// Commands whose title or menu holds every word of the query, in the order of the menus.
pub fn matches(query: &str) -> Vec<Command> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<(bool, Command)> = Command::ALL
        .iter()
        .filter_map(|command| {
            let title = command.title().to_lowercase();
            let all = format!("{} {title} {}", command.menu().title(), command.help()).to_lowercase();
            let is_in_title = words.iter().all(|word| title.contains(word.as_str()));
            words.iter().all(|word| all.contains(word.as_str())).then_some((!is_in_title, *command))
        })
        .collect();
    found.sort_by_key(|(is_weak, _)| *is_weak);
    found.into_iter().map(|(_, command)| command).collect()
}

/// Draws the palette's content.
pub fn palette_ui(ui: &mut Ui, desk: &mut Desk<'_>, palette: &Palette) {
    let theme = theme::current(ui.ctx());
    let is_pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (is_down, is_up) = (is_pressed(Key::ArrowDown), is_pressed(Key::ArrowUp));

    ui.set_width(480.0);
    let mut query = palette.query.clone();
    let edit = egui::TextEdit::singleline(&mut query)
        .hint_text("Type a command")
        .desired_width(f32::INFINITY)
        .margin(Vec2::new(8.0, 6.0));
    let response = ui.add(edit);
    parts::name(&response, "Find a command");
    response.request_focus();
    ui.add_space(space::XS);

    // Enter may come in the same frame as the text before it, so it counts for what is typed by now.
    let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
    let found = matches(&query);
    let last = found.len().saturating_sub(1);
    let mut row = if query == palette.query { palette.row.min(last) } else { 0 };
    if is_down {
        row = (row + 1).min(last);
    }
    if is_up {
        row = row.saturating_sub(1);
    }
    let is_moved = row != palette.row;

    let mut chosen = is_entered.then(|| found.get(row).copied()).flatten();
    egui::ScrollArea::vertical().id_salt("palette").max_height(360.0).auto_shrink([false, true]).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (at, command) in found.iter().enumerate() {
                let (rect, response) =
                    ui.allocate_exact_size(Vec2::new(ui.available_width(), 28.0), Sense::click());
                let unavailable = command.unavailable(desk.state);
                response.widget_info(|| {
                    egui::WidgetInfo::labeled(
                        egui::Role::Button,
                        unavailable.is_none(),
                        format!("Run: {}", command.title()),
                    )
                });
                if at == row || response.hovered() {
                    let fill = if at == row { theme.selection } else { theme.row_hover() };
                    ui.painter().rect_filled(rect, 4.0, fill);
                }
                if at == row && is_moved {
                    ui.scroll_to_rect(rect, None);
                }
                let mut line =
                    ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink2(Vec2::new(8.0, 0.0))));
                line.horizontal_centered(|ui| {
                    let color = if unavailable.is_some() { theme.faint } else { theme.text };
                    ui.label(RichText::new(command.title()).color(color));
                    if let Some(why) = unavailable {
                        ui.label(RichText::new(why).font(theme::small()).color(theme.faint));
                    }
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        let keys = match command.shortcut() {
                            Some(shortcut) => ui.format_shortcut(&shortcut),
                            None => String::new(),
                        };
                        ui.label(RichText::new(keys).font(theme::small()).color(theme.muted));
                    });
                });
                if response.on_hover_text(command.help()).clicked() {
                    chosen = Some(*command);
                }
            }
            if found.is_empty() {
                ui.label(RichText::new("No command has these words").color(theme.muted));
            }
        },
    );
    match chosen {
        Some(command) => {
            desk.ask(Action::Dialog(None));
            desk.ask(Action::Run(command));
        }
        None if is_moved || query != palette.query => {
            desk.ask(Action::Dialog(Some(Dialog::Palette(Palette { query, row }))));
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_by_its_own_title() {
        for command in Command::ALL {
            assert_eq!(matches(command.title()).first(), Some(command));
        }
    }

    #[test]
    fn words_may_stand_in_any_order() {
        assert!(matches("dark theme").contains(&Command::ThemeDark));
        assert!(matches("no such words").is_empty());
    }
}
