//! Every command is found in the palette and has an effect or a stated reason why not.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wirebench::command::Command;
use wirebench::state::session::{Dialog, Palette};
use wirebench::update::Action;

use super::support::{Bench, Measures, Setup, open, open_with};

const PALETTE: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn type_in_palette(bench: &mut Bench, text: &str) {
    bench.harness.key_press_modifiers(PALETTE, Key::P);
    bench.harness.run();
    bench.harness.get_by_label("Find a command").type_text(text);
    bench.harness.run();
}

/// What a command can change, in words.
fn fingerprint(bench: &Bench) -> String {
    let state = bench.state();
    let session = &state.session;
    format!(
        "{:?} {:?} {:?} {:?} {} {} {:?} {} {:?} {}",
        session.dialog,
        session.message,
        session.selected,
        session.theme,
        session.is_tour_shown,
        session.is_closing,
        session.optimize,
        state.document.revision,
        session.current_problem,
        state.notices.log.len(),
    )
}

#[test]
fn the_palette_reaches_every_command() {
    let setup = Setup { measurer: Measures::with(|_, _| None), ..Setup::default() };
    let mut bench = open_with("palette", "configuration.proto", setup);
    for command in Command::ALL {
        bench.act(Action::EndTour);
        type_in_palette(&mut bench, command.title());
        let Some(Dialog::Palette(Palette { query, .. })) = &bench.state().session.dialog else {
            panic!("the palette is not open");
        };
        assert_eq!(query, command.title());
        bench.harness.get_by_label(&format!("Run: {}", command.title()));
        let before = fingerprint(&bench);
        let unavailable = command.unavailable(bench.state());
        bench.harness.key_press(Key::Enter);
        bench.harness.run();
        assert_effect(&mut bench, *command, unavailable, &before);
        bench.act(Action::Dialog(None));
    }
}

/// The command did something, or said why not.
fn assert_effect(bench: &mut Bench, command: Command, unavailable: Option<&str>, before: &str) {
    // The dialog for files opens on another thread; its answer opens the path box.
    if matches!(command, Command::Open | Command::SaveAs) {
        wait_for(bench, |bench| matches!(bench.state().session.dialog, Some(Dialog::Path { .. })));
    }
    match (unavailable, command) {
        (Some(why), _) => assert!(bench.was_said(why), "{}: {why}", command.title()),
        // Brought to the front: what it shows can be found.
        (None, Command::Show(pane)) => {
            let shown = bench.harness.query_all_by_label_contains(pane.title()).next();
            assert!(shown.is_some(), "{}", command.title());
        }
        // Already so.
        (None, Command::Optimize(wirebench_engine::options::Optimize::Auto) | Command::ResetLayout) => {}
        (None, _) => assert_ne!(fingerprint(bench), before, "{}", command.title()),
    }
}

/// Steps the window until something is so.
pub fn wait_for(bench: &mut Bench, is_so: impl Fn(&Bench) -> bool) {
    let start = std::time::Instant::now();
    while !is_so(bench) {
        assert!(start.elapsed().as_secs() < 20, "it did not happen");
        std::thread::yield_now();
        bench.harness.step();
    }
    bench.harness.run();
}

#[test]
fn every_shortcut_runs_its_command() {
    let setup = Setup { measurer: Measures::with(|_, _| None), ..Setup::default() };
    let mut bench = open_with("shortcut", "configuration.proto", setup);
    for command in Command::ALL {
        for shortcut in [command.shortcut(), command.other_shortcut()].into_iter().flatten() {
            let unavailable = command.unavailable(bench.state());
            let before = fingerprint(&bench);
            bench.harness.key_press_modifiers(shortcut.modifiers, shortcut.logical_key);
            bench.harness.run();
            assert_effect(&mut bench, *command, unavailable, &before);
            bench.act(Action::Dialog(None));
        }
    }
}

#[test]
fn every_command_stands_in_its_menu() {
    let mut bench = open("menus", "telemetry.proto");
    for menu in wirebench::command::Menu::ALL {
        // The toolbar has a button of that name too.
        let title = bench.harness.get_all_by_label(menu.title()).next().expect("the menu is there");
        title.click();
        bench.harness.run();
        for command in Command::ALL.iter().filter(|command| command.menu() == menu) {
            let found = bench.harness.query_all_by_label_contains(command.title()).next();
            assert!(found.is_some(), "{} is not in {}", command.title(), menu.title());
        }
        bench.harness.key_press(Key::Escape);
        bench.harness.run();
    }
}

#[test]
fn enter_counts_for_what_was_typed_in_the_same_frame() {
    let mut bench = open("same frame", "telemetry.proto");
    bench.harness.key_press_modifiers(PALETTE, Key::P);
    bench.harness.run();
    bench.harness.event(egui::Event::Text("theme: light".to_owned()));
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    assert_eq!(bench.state().session.theme, egui::ThemePreference::Light);
}

#[test]
fn escape_closes_the_palette_and_arrows_move_in_it() {
    let mut bench = open("arrows", "telemetry.proto");
    type_in_palette(&mut bench, "theme");
    bench.harness.key_press(Key::ArrowDown);
    bench.harness.run();
    let Some(Dialog::Palette(palette)) = &bench.state().session.dialog else { panic!("it is open") };
    assert_eq!(palette.row, 1);
    bench.harness.key_press(Key::Escape);
    bench.harness.run();
    assert_eq!(bench.state().session.dialog, None);
}

#[test]
fn the_help_lists_every_shortcut() {
    let mut bench = open("help", "telemetry.proto");
    bench.harness.key_press(Key::F1);
    bench.harness.run();
    for command in Command::ALL.iter().filter(|command| command.shortcut().is_some()) {
        assert!(bench.harness.query_all_by_label(command.help()).next().is_some(), "{}", command.title());
    }
    bench.harness.get_by_label("Close").click();
    bench.harness.run();
    assert_eq!(bench.state().session.dialog, None);
}
