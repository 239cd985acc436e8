//! The menu bar, made from the list of commands.

use egui::{Button, MenuBar, RichText, Ui};

use super::Desk;
use crate::command::{Command, Menu};
use crate::theme;
use crate::update::Action;

/// Draws the menu bar.
pub fn menu_bar_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.title(), |ui| {
                ui.set_min_width(220.0);
                for command in Command::ALL.iter().filter(|command| command.menu() == menu) {
                    if command.begins_group() {
                        ui.separator();
                    }
                    if command_ui(ui, desk, *command) {
                        ui.close();
                    }
                }
            });
        }
    });
}

/// One row; greyed out with the reason where it cannot be used.
fn command_ui(ui: &mut Ui, desk: &mut Desk<'_>, command: Command) -> bool {
    let theme = theme::current(ui.ctx());
    let unavailable = command.unavailable(desk.state);
    let mut button = Button::new(title(desk, command));
    if let Some(shortcut) = command.shortcut() {
        button = button.shortcut_text(RichText::new(ui.format_shortcut(&shortcut)).color(theme.faint));
    }
    let response = ui.add_enabled(unavailable.is_none(), button);
    let help = command.help();
    let response = match unavailable {
        Some(why) => response.on_disabled_hover_text(format!("{help}\nNot now: {why}")),
        None => response.on_hover_text(help),
    };
    if response.clicked() {
        desk.ask(Action::Run(command));
    }
    response.clicked()
}

/// Undo and redo name their step.
fn title(desk: &Desk<'_>, command: Command) -> String {
    let history = &desk.state.document.history;
    let step = match command {
        Command::Undo => history.undo_title(),
        Command::Redo => history.redo_title(),
        _ => None,
    };
    match step {
        Some(step) => format!("{} {step}", command.title()),
        None => command.title().to_owned(),
    }
}
