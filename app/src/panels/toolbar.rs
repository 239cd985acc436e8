//! What is open, which message, which style, and the one primary action.

use egui::{Align, Button, Layout, ProgressBar, RichText, Ui, Vec2};
use egui_material_icons::icons;
use wirebench_engine::options::Optimize;

use super::Desk;
use crate::command::Command;
use crate::state::measuring::Running;
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::parts;

/// Draws the toolbar.
pub fn toolbar_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    ui.horizontal(|ui| {
        ui.set_height(32.0);
        ui.spacing_mut().item_spacing.x = space::M;
        file_ui(ui, desk);
        message_ui(ui, desk);
        style_ui(ui, desk);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            match desk.state.measuring.running.clone() {
                Some(running) => progress_ui(ui, desk, &running),
                None => measure_ui(ui, desk),
            }
            target_ui(ui);
        });
    });
}

fn file_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    let document = &desk.state.document;
    let (title, help) = match document.schema() {
        Some(_) if document.project.is_built_in => {
            (document.project.title().to_owned(), "The built-in sample; saving asks for a place".to_owned())
        }
        Some(_) => (document.project.title().to_owned(), document.project.schema.to_string()),
        None => ("Open schema…".to_owned(), Command::Open.help().to_owned()),
    };
    ui.spacing_mut().item_spacing.x = space::XS;
    let icon = icons::ICON_FOLDER_OPEN.rich_text().size(18.0).color(theme.muted);
    let open = ui.add(Button::new(icon).frame(false)).on_hover_text("Open schema… (Ctrl+O)");
    parts::name(&open, "Open schema");
    if open.clicked() {
        desk.ask(Action::Run(Command::Open));
    }
    ui.label(RichText::new(title).font(theme::heading())).on_hover_text(help);
    if document.is_dirty() {
        let names: Vec<String> = document.dirty_paths().iter().map(|path| path.to_string()).collect();
        ui.label(RichText::new("●").size(10.0).color(theme.accent))
            .on_hover_text(format!("Not saved:\n{}", names.join("\n")));
    }
    ui.spacing_mut().item_spacing.x = space::M;
}

fn message_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    let Some(view) = desk.state.derived.view.clone() else { return };
    let chosen = view.message.as_ref().map_or("no message", |message| message.name.as_str());
    let combo = egui::ComboBox::from_id_salt("message type").selected_text(chosen).width(140.0).height(400.0);
    let response = combo.show_ui(ui, |ui| {
        for row in &view.messages {
            let is_chosen = view.message.as_ref().is_some_and(|message| message.full_name == row.full_name);
            let color = if row.refused.is_some() { theme.faint } else { theme.text };
            let response = ui.selectable_label(is_chosen, RichText::new(&row.name).color(color));
            let response = match &row.refused {
                Some(why) => response.on_hover_text(format!("{}\nno code: {why}", row.full_name)),
                None => response.on_hover_text(&*row.full_name),
            };
            if response.clicked() {
                desk.ask(Action::ChooseMessage(row.full_name.clone()));
            }
        }
    });
    parts::name(&response.response, "Message type");
}

fn style_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let words = Optimize::ALL.map(|optimize| (optimize.word(), Command::Optimize(optimize).help()));
    let chosen = Optimize::ALL.iter().position(|optimize| *optimize == desk.state.session.optimize);
    if let Some(at) = parts::segmented_ui(ui, "optimize", &words, chosen.unwrap_or(0)) {
        desk.ask(Action::Run(Command::Optimize(Optimize::ALL[at])));
    }
}

fn target_ui(ui: &mut Ui) {
    let theme = theme::current(ui.ctx());
    if ui.available_width() < 170.0 {
        return;
    }
    ui.label(RichText::new("Cortex-M4F · simulated").font(theme::small()).color(theme.muted)).on_hover_text(
        "Measurements run on a simulated Cortex-M4F with 0 wait states; cycles are about ±10 %",
    );
}

fn measure_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let theme = theme::current(ui.ctx());
    let unavailable = Command::Measure.unavailable(desk.state);
    let text = RichText::new("Measure").color(theme.on_accent);
    let icon = icons::ICON_PLAY_ARROW.rich_text().size(18.0).color(theme.on_accent);
    let keys = RichText::new("F5").font(theme::small()).color(theme.on_accent);
    let button = Button::new((icon, text, keys)).fill(theme.accent).min_size(Vec2::new(112.0, 28.0));
    let response = ui.add_enabled(unavailable.is_none(), button);
    parts::name(&response, "Measure now");
    let response = response.on_hover_text(Command::Measure.help());
    let response = match unavailable {
        Some(why) => response.on_disabled_hover_text(format!("Not now: {why}")),
        None => response,
    };
    if response.clicked() {
        desk.ask(Action::Run(Command::Measure));
    }
}

/// While it runs, the button is its progress with a way to stop it.
fn progress_ui(ui: &mut Ui, desk: &mut Desk<'_>, running: &Running) {
    let theme = theme::current(ui.ctx());
    let cancel = Button::new(icons::ICON_CLOSE.rich_text().size(16.0)).min_size(Vec2::splat(28.0));
    let response =
        ui.add_enabled(!running.is_cancelling, cancel).on_hover_text("Cancel measuring (Shift+F5)");
    parts::name(&response, "Cancel measuring");
    if response.clicked() {
        desk.ask(Action::Run(Command::CancelMeasure));
    }
    let text = RichText::new(&running.step).font(theme::small()).color(theme.text);
    let bar = ProgressBar::new(running.fraction)
        .desired_width(220.0)
        .desired_height(28.0)
        .corner_radius(5.0)
        .fill(theme.selection)
        .text(text);
    let response = ui.add(bar);
    parts::name(&response, "Measuring");
}
