//! The dialog over the window: palette, path box, questions, help.

use egui::{Frame, Id, Key, Margin, Modal, RichText, Ui, Vec2};

use super::Desk;
use super::palette::palette_ui;
use crate::command::{Command, Menu};
use crate::state::session::{AfterUnsaved, Dialog, PathPurpose};
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::parts;

/// Draws the dialog, if one is open.
pub fn dialog_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(dialog) = desk.state.session.dialog.clone() else { return };
    let theme = theme::current(ui.ctx());
    let id = Id::unique(("dialog", std::mem::discriminant(&dialog)));
    let mut area = Modal::default_area(id);
    if matches!(dialog, Dialog::Palette(_)) {
        area = area.anchor(egui::Align2::CENTER_TOP, Vec2::new(0.0, 72.0));
    }
    let frame = Frame::popup(&ui.global_style()).inner_margin(Margin::same(12));
    let modal = Modal::new(id).area(area).frame(frame).backdrop_color(theme.backdrop());
    let response = modal.show(ui.ctx(), |ui| match &dialog {
        Dialog::Palette(palette) => palette_ui(ui, desk, palette),
        Dialog::Path { purpose, path, problem } => path_ui(ui, desk, *purpose, path, problem.as_deref()),
        Dialog::Unsaved(after) => unsaved_ui(ui, desk, after),
        Dialog::Overwrite { path } => overwrite_ui(ui, desk, path),
        Dialog::Help => help_ui(ui, desk),
    });
    if response.should_close() && desk.state.session.dialog.as_ref() == Some(&dialog) {
        desk.ask(Action::Dialog(None));
    }
}

fn path_ui(ui: &mut Ui, desk: &mut Desk<'_>, purpose: PathPurpose, path: &str, problem: Option<&str>) {
    let theme = theme::current(ui.ctx());
    let (title, verb) = match purpose {
        PathPurpose::Open => ("Open schema", "Open"),
        PathPurpose::SaveAs => ("Save schema as", "Save"),
    };
    ui.set_width(440.0);
    ui.label(RichText::new(title).font(theme::heading()));
    ui.add_space(space::S);
    let mut typed = path.to_owned();
    let edit = egui::TextEdit::singleline(&mut typed)
        .hint_text("path/to/schema.proto")
        .font(theme::code())
        .desired_width(f32::INFINITY)
        .margin(Vec2::new(8.0, 6.0));
    let response = ui.add(edit);
    parts::name(&response, "Path of the schema");
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if !is_entered {
        response.request_focus();
    }
    if let Some(problem) = problem {
        ui.label(RichText::new(problem).color(theme.problem));
    }
    ui.add_space(space::S);
    if typed != path {
        desk.ask(Action::Dialog(Some(Dialog::Path { purpose, path: typed, problem: None })));
    }
    ui.horizontal(|ui| {
        if primary_ui(ui, verb) || is_entered {
            desk.ask(Action::UsePath);
        }
        if ui.button("Cancel").clicked() {
            desk.ask(Action::Dialog(None));
        }
    });
}

fn unsaved_ui(ui: &mut Ui, desk: &mut Desk<'_>, after: &AfterUnsaved) {
    let theme = theme::current(ui.ctx());
    ui.set_width(380.0);
    ui.label(RichText::new("Save changes?").font(theme::heading()));
    ui.add_space(space::XS);
    let paths = desk.state.document.dirty_paths();
    let names: Vec<&str> = paths.iter().map(|path| path.rsplit('/').next().unwrap_or_default()).collect();
    let text = format!("Not saved yet: {}.", names.join(", "));
    ui.add(egui::Label::new(RichText::new(text).color(theme.muted)).wrap());
    ui.add_space(space::S);
    ui.horizontal(|ui| {
        if primary_ui(ui, "Save") {
            desk.ask(Action::SaveThen(after.clone()));
        }
        if ui.button("Discard").clicked() {
            desk.ask(Action::DiscardThen(after.clone()));
        }
        if ui.button("Cancel").clicked() {
            desk.ask(Action::Dialog(None));
        }
    });
}

fn overwrite_ui(ui: &mut Ui, desk: &mut Desk<'_>, path: &str) {
    let theme = theme::current(ui.ctx());
    ui.set_width(380.0);
    ui.label(RichText::new("Replace the file?").font(theme::heading()));
    ui.add_space(space::XS);
    ui.add(egui::Label::new(RichText::new(format!("{path} exists already.")).color(theme.muted)).wrap());
    ui.add_space(space::S);
    ui.horizontal(|ui| {
        if ui.button("Replace").clicked() {
            desk.ask(Action::Overwrite(path.to_owned()));
        }
        if primary_ui(ui, "Cancel") {
            desk.ask(Action::Dialog(None));
        }
    });
}

fn help_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    ui.set_width(560.0);
    ui.label(RichText::new("How to read the figures").font(theme::heading()));
    ui.add_space(space::XS);
    egui::Grid::new("figures").num_columns(2).spacing([space::L, 2.0]).show(ui, |ui| {
        for (word, meaning) in [
            ("exact", "follows from schema and limits: struct sizes, bytes on the wire"),
            ("estimated", "modelled, drawn hatched, with its expected error"),
            ("measured", "read from the firmware's ELF file: flash"),
            ("simulated", "ran as firmware on a simulated Cortex-M4F; cycles are about ±10 %"),
            ("stale", "amber: from before the last change"),
        ] {
            ui.label(RichText::new(word).color(theme.accent));
            ui.label(RichText::new(meaning).color(theme.muted));
            ui.end_row();
        }
    });
    ui.add_space(space::M);
    ui.label(RichText::new("Shortcuts").font(theme::heading()));
    ui.add_space(space::XS);
    egui::ScrollArea::vertical().id_salt("help").max_height(300.0).auto_shrink([false, true]).show(
        ui,
        |ui| {
            egui::Grid::new("shortcuts").num_columns(3).spacing([space::L, 2.0]).show(ui, |ui| {
                for menu in Menu::ALL {
                    for command in Command::ALL.iter().filter(|command| command.menu() == menu) {
                        let Some(shortcut) = command.shortcut() else { continue };
                        ui.label(RichText::new(ui.format_shortcut(&shortcut)).font(theme::code_small()));
                        ui.label(command.title());
                        ui.label(RichText::new(command.help()).font(theme::small()).color(theme.muted));
                        ui.end_row();
                    }
                }
            });
        },
    );
    ui.add_space(space::S);
    if primary_ui(ui, "Close") {
        desk.ask(Action::Dialog(None));
    }
}

/// The button most users want.
fn primary_ui(ui: &mut Ui, text: &str) -> bool {
    let theme = theme::current(ui.ctx());
    ui.add(egui::Button::new(RichText::new(text).color(theme.on_accent)).fill(theme.accent)).clicked()
}
