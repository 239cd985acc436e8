//! The desktop window: state, panels, workers and panes put together, and the frame loop.
//!
//! ```text
//! every frame: events ─▶ receive ┐
//!              shortcuts ────────┼─▶ draw (reads only) ─▶ actions ─▶ apply ─▶ effects ─▶ jobs
//! ```

use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use crate::command::Command;
use crate::jobs::{Jobs, Services, SystemDialog, Wake};
use crate::panels::{self, Desk, Layout};
use crate::state::State;
use crate::state::project::Project;
use crate::theme;
use crate::update::{self, Action, Effect};

/// Title of the window.
const TITLE: &str = "Wirebench";

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is nothing to open a window on.
    #[error(
        "there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set); `wirebench --help` lists what works without one"
    )]
    NoDisplay,
    /// Neither renderer could open a window.
    #[error("no window could be opened: {wgpu} (wgpu); {glow} (OpenGL)")]
    NoRenderer {
        /// What wgpu said.
        wgpu: String,
        /// What glow said.
        glow: String,
    },
}

/// Opens the window on a schema, or on the sample project, and returns when it is closed.
///
/// # Errors
/// Without a display, or if neither wgpu nor OpenGL can open a window on it.
pub fn run(path: Option<String>) -> Result<(), WindowError> {
    if !has_display() {
        return Err(WindowError::NoDisplay);
    }
    let open = |renderer: eframe::Renderer| {
        let viewport = egui::ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id("wirebench")
            .with_icon(theme::window_icon())
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([640.0, 420.0])
            .with_drag_and_drop(true);
        let options = eframe::NativeOptions { viewport, renderer, ..eframe::NativeOptions::default() };
        let path = path.clone();
        eframe::run_native(
            TITLE,
            options,
            Box::new(|creation| Ok(Box::new(Workbench::new(&creation.egui_ctx, path, Services::system())))),
        )
    };
    let Err(wgpu) = open(eframe::Renderer::Wgpu) else { return Ok(()) };
    open(eframe::Renderer::Glow)
        .map_err(|glow| WindowError::NoRenderer { wgpu: wgpu.to_string(), glow: glow.to_string() })
}

/// Whether there can be a window. Systems other than Unix with X11 or Wayland always have a display.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].into_iter().any(is_set)
}

impl Services {
    /// The real outside world.
    pub fn system() -> Services {
        Services {
            dialog: Arc::new(SystemDialog),
            measurer: Arc::new(crate::jobs::Simulator),
            is_threaded: true,
        }
    }
}

/// The application.
pub struct Workbench {
    state: State,
    jobs: Jobs,
    layout: Option<Layout>,
}

impl Workbench {
    /// Sets up fonts and style, and opens a schema or the sample project.
    pub fn new(ctx: &egui::Context, path: Option<String>, services: Services) -> Workbench {
        theme::install_fonts(ctx);
        theme::install_style(ctx);
        let waker = ctx.clone();
        let wake: Wake = Arc::new(move || waker.request_repaint());
        let mut workbench =
            Workbench { state: State::default(), jobs: Jobs::new(services, wake), layout: None };
        let project = path.map_or_else(Project::sample, |path| Project::of_schema(&path));
        workbench.jobs.run(Effect::Read(project), ctx);
        workbench
    }

    /// What it knows.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out an action and what it asks of the outside world.
    pub fn apply(&mut self, action: Action, ctx: &egui::Context) {
        let effects = update::apply(&mut self.state, action);
        self.carry_out(effects, ctx);
    }

    fn carry_out(&mut self, effects: Vec<Effect>, ctx: &egui::Context) {
        for effect in effects {
            self.jobs.run(effect, ctx);
        }
    }

    /// Takes in what jobs reported, until they report nothing more.
    fn receive(&mut self, ctx: &egui::Context) {
        loop {
            let events = self.jobs.events();
            if events.is_empty() {
                return;
            }
            for event in events {
                let effects = update::receive(&mut self.state, event);
                self.carry_out(effects, ctx);
            }
        }
    }

    /// One frame.
    pub fn frame_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.state.now = ui.input(|input| input.time);
        self.receive(&ctx);
        let mut asked = self.input(ui);
        for action in std::mem::take(&mut asked) {
            self.apply(action, &ctx);
        }
        self.receive(&ctx);
        if ctx.options(|options| options.theme_preference) != self.state.session.theme {
            ctx.set_theme(self.state.session.theme);
            // This frame's root was made in the old style.
            ui.set_style(ctx.global_style());
            ctx.request_repaint();
        }
        let title = title(&self.state);
        ctx.send_viewport_cmd_once_changed(title);

        let mut out = Vec::new();
        let mut desk = Desk { state: &self.state, out: &mut out };
        draw(ui, &mut desk, &mut self.layout);
        let is_hovering = out.iter().any(|action| matches!(action, Action::Hover(_)));
        if !is_hovering && self.state.session.hovered.is_some() {
            out.push(Action::Hover(None));
        }
        let before = self.state.session.hovered.clone();
        let asks = out.iter().any(|action| !matches!(action, Action::Hover(_)));
        for action in out {
            self.apply(action, &ctx);
        }
        if asks || before != self.state.session.hovered {
            ctx.request_repaint();
        }
    }

    /// Shortcuts, dropped files and the close button. Taken before anything is drawn, so that the text
    /// fields' own undo never sees Ctrl+Z.
    fn input(&mut self, ui: &Ui) -> Vec<Action> {
        let mut asked = Vec::new();
        let is_dialog_open = self.state.session.dialog.is_some();
        ui.input_mut(|input| {
            // Longer shortcuts first: Ctrl+Shift+S must not be taken for Ctrl+S.
            let mut commands: Vec<_> = Command::ALL
                .iter()
                .flat_map(|command| {
                    [command.shortcut(), command.other_shortcut()]
                        .into_iter()
                        .flatten()
                        .map(|keys| (*command, keys))
                })
                .collect();
            commands.sort_by_key(|(_, keys)| std::cmp::Reverse(usize::from(keys.modifiers.shift)));
            for (command, keys) in commands {
                // A dialog has the keyboard to itself; undo under it would surprise.
                if !is_dialog_open && input.consume_shortcut(&keys) {
                    asked.push(Action::Run(command));
                }
            }
            for file in &input.raw.dropped_files {
                asked.push(Action::OpenPath(file.path().to_string_lossy().replace('\\', "/")));
            }
        });
        if ui.input(|input| input.viewport().close_requested()) && !self.state.session.is_closing {
            if self.state.document.is_dirty() {
                ui.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            }
            asked.push(Action::AskToClose);
        }
        asked
    }
}

fn title(state: &State) -> String {
    match state.document.schema() {
        Some(_) => {
            let mark = if state.document.is_dirty() { "● " } else { "" };
            format!("{mark}{} – {TITLE}", state.document.project.title())
        }
        None => TITLE.to_owned(),
    }
}

/// Sends the title only when it changed, because every command wakes the window up.
trait SendOnce {
    fn send_viewport_cmd_once_changed(&self, title: String);
}

impl SendOnce for egui::Context {
    fn send_viewport_cmd_once_changed(&self, title: String) {
        let id = egui::Id::unique("window title");
        let is_new = self.data_mut(|data| {
            let last = data.get_temp_mut_or_default::<String>(id);
            let is_new = *last != title;
            last.clone_from(&title);
            is_new
        });
        if is_new {
            self.send_viewport_cmd(egui::ViewportCommand::Title(title));
        }
    }
}

fn draw(ui: &mut Ui, desk: &mut Desk<'_>, layout: &mut Option<Layout>) {
    let theme = theme::current(ui.ctx());
    let bar = |vertical| Frame::new().fill(theme.surface).inner_margin(Margin::symmetric(12, vertical));
    Panel::top("menu bar")
        .frame(bar(2))
        .show_separator_line(false)
        .show(ui, |ui| panels::menu_bar_ui(ui, desk));
    Panel::top("toolbar")
        .frame(bar(4))
        .show_separator_line(false)
        .show(ui, |ui| panels::toolbar_ui(ui, desk));
    if desk.state.session.is_tour_shown {
        let frame = bar(6).fill(theme.ribbon(theme.accent));
        Panel::top("tour").frame(frame).show_separator_line(false).show(ui, |ui| panels::tour_ui(ui, desk));
    }
    Panel::bottom("status bar")
        .frame(bar(3))
        .show_separator_line(false)
        .show(ui, |ui| panels::status_bar_ui(ui, desk));
    CentralPanel::no_frame().frame(Frame::new().fill(theme.background).inner_margin(Margin::same(6))).show(
        ui,
        |ui| {
            let width = ui.available_width();
            layout.get_or_insert_with(|| Layout::new(width)).ui(ui, desk);
        },
    );
    panels::overlays_ui(ui, desk);
    panels::dialog_ui(ui, desk);
}

impl eframe::App for Workbench {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.receive(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.frame_ui(ui);
    }
}
