//! What the message costs: bars for flash, RAM, cycles and wire bytes. Estimates are hatched and split
//! by field, measured values solid above them; below, tables by field, function and message.

use egui::{Align, Layout, RichText, Ui, Vec2};
use wirebench_engine::cost::{FieldCost, MessageCost};
use wirebench_engine::origin::{FieldKey, Origin};
use wirebench_engine::plan::{MaxEncoded, Style};

use super::{Desk, Pane, cost_tables, links, status_bar};
use crate::command::Command;
use crate::state::measuring::{Report, Run};
use crate::state::view::{MessageView, hue_of};
use crate::theme::{self, space};
use crate::update::Action;
use crate::widgets::bar::{Bar, Fill, Slice};
use crate::widgets::parts;

/// One figure with its bar.
struct Metric {
    name: &'static str,
    help: &'static str,
    unit: &'static str,
    /// By field, from the model; what belongs to no field last.
    slices: Vec<(Option<FieldKey>, Slice)>,
    /// From the model; exact or estimated.
    modelled: Option<u64>,
    is_exact: bool,
    measured: Option<u64>,
    /// What the full width stands for, at least.
    scale: u64,
    /// The most it can be, where that is known and more than now.
    worst: Option<u64>,
    note: String,
}

/// Draws the pane.
pub fn cost_ui(ui: &mut Ui, desk: &mut Desk<'_>) {
    let state = desk.state;
    let Some(view) = state.derived.view.clone() else {
        let (sentence, action) = match state.document.schema() {
            None => {
                ("Here stands what a message costs in flash, RAM, cycles and bytes.", Some("Open schema…"))
            }
            Some(_) => ("The cost stands here as soon as the schema has no errors.", None),
        };
        if parts::empty_ui(ui, sentence, action) {
            desk.ask(Action::Run(Command::Open));
        }
        return;
    };
    status_bar::stale_ribbon_ui(ui, state);
    let Some(message) = &view.message else {
        parts::empty_ui(ui, "This schema declares no message.", None);
        return;
    };
    let subject = view.subject(state.session.optimize);
    let report = state.measuring.latest(&message.full_name).cloned();
    let exact = subject.as_ref().and_then(|subject| state.measuring.current(subject)).cloned();
    let is_stale = exact.is_none();
    let report = exact.or(report);
    header_ui(ui, desk, message, report.as_deref(), is_stale);
    let Some(cost) = &message.cost else {
        let why = message.refused.as_deref().unwrap_or("it was not planned");
        parts::empty_ui(ui, &format!("No code for this message: {why}."), None);
        return;
    };
    let good = report.as_deref().filter(|report| report.check.is_ok());
    egui::ScrollArea::vertical().id_salt("cost").auto_shrink(false).show(ui, |ui| {
        let bottom = ui.max_rect().bottom();
        for metric in metrics(desk, message, cost, good) {
            metric_ui(ui, desk, &metric, view.error_percent, is_stale);
        }
        ui.add_space(space::S);
        // The table scrolls by itself where there is room for it; else the whole pane does.
        let height = (bottom - ui.cursor().top()).max(LEAST_TABLE);
        ui.allocate_ui(Vec2::new(ui.available_width(), height), |ui| {
            ui.set_min_height(height);
            cost_tables::tables_ui(ui, desk, &view, message, good);
        });
    });
}

/// Least height of the choice of tables and the table under it.
const LEAST_TABLE: f32 = 112.0;

fn header_ui(
    ui: &mut Ui,
    desk: &mut Desk<'_>,
    message: &MessageView,
    report: Option<&Report>,
    is_stale: bool,
) {
    let theme = theme::current(ui.ctx());
    let small = |text: String, color| RichText::new(text).font(theme::small()).color(color);
    ui.horizontal(|ui| {
        ui.label(RichText::new(&message.name).font(theme::heading()));
        if let Some((style, reason)) = &message.style {
            let word = match style {
                Style::Table => "size",
                Style::Calls => "balanced",
                Style::Straight => "speed",
            };
            ui.label(small(format!("style {word}"), theme.muted)).on_hover_text(reason);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let Some(report) = report.filter(|report| report.check.is_ok()) else { return };
            let (text, color) = match (is_stale, report.is_from_cache) {
                (true, _) => ("measured before the last change", theme.stale),
                (false, true) => ("measured, from the cache", theme.muted),
                (false, false) => ("measured", theme.muted),
            };
            ui.label(small(text.to_owned(), color))
                .on_hover_text(format!("{}\n{}", report.preset, report.settings));
        });
    });
    if let Some(Err(why)) = report.filter(|_| !is_stale).map(|report| &report.check) {
        let text = format!("Check failed: {why}. No figures without a check.");
        parts::ribbon_ui(ui, theme.problem, &text);
    }
    if let Some(failure) = &desk.state.measuring.failure {
        parts::ribbon_ui(ui, theme.problem, &failure.message);
        if let Some(help) = &failure.help {
            ui.add(egui::Label::new(small(help.clone(), theme.muted)).wrap().selectable(true));
        }
    }
    ui.add_space(space::XS);
}

fn metrics(
    desk: &Desk<'_>,
    message: &MessageView,
    cost: &MessageCost,
    report: Option<&Report>,
) -> Vec<Metric> {
    let slices = |value: &dyn Fn(&FieldCost) -> u64, unit: &str, total: u64, rest: &str| {
        split(desk, message, cost, value, unit, total, rest)
    };
    let (flash, wire) = (cost.flash.0, cost.wire.0);
    let worst = match &cost.max_encoded {
        MaxEncoded::Bounded(bytes) => Some(bytes.0),
        MaxEncoded::FixedPlus { .. } | MaxEncoded::Unbounded { .. } => None,
    };
    let (encode, decode) = (cost.encode.0, cost.decode.0);
    let encoded = report.and_then(|report| report.encode);
    let decoded = report.and_then(|report| report.decode);
    let runs = [encoded, decoded].into_iter().flatten().map(|run| run.cycles.0);
    let cycles_scale = runs.chain([encode, decode]).max().unwrap_or(0);
    let mut metrics = vec![
        Metric {
            name: "Flash",
            help: "Code and tables of this message, of the messages in it, and of the runtime they need",
            unit: "B",
            slices: slices(&|field| field.flash.0, "B", flash, "runtime and messages inside"),
            modelled: Some(flash),
            is_exact: false,
            measured: report.and_then(|report| report.flash).map(|flash| flash.0),
            scale: 0,
            worst: None,
            note: format!("{} of it is runtime, linked once per firmware", cost.shared_flash),
        },
        Metric {
            name: "RAM",
            help: "Size of the message struct",
            unit: "B",
            slices: slices(&|field| field.ram.0, "B", cost.ram.0, "presence bits and padding"),
            modelled: Some(cost.ram.0),
            is_exact: true,
            measured: None,
            scale: 0,
            worst: None,
            note: String::new(),
        },
        Metric {
            name: "Encode",
            help: "Cycles to encode the sample",
            unit: "cycles",
            slices: slices(&|field| field.encode.0, "cycles", encode, "entry and exit"),
            modelled: Some(encode),
            is_exact: false,
            measured: encoded.map(|run| run.cycles.0),
            scale: cycles_scale,
            worst: None,
            note: instructions(encoded),
        },
        Metric {
            name: "Decode",
            help: "Cycles to decode the sample",
            unit: "cycles",
            slices: slices(&|field| field.decode.0, "cycles", decode, "entry and exit"),
            modelled: Some(decode),
            is_exact: false,
            measured: decoded.map(|run| run.cycles.0),
            scale: cycles_scale,
            worst: None,
            note: instructions(decoded),
        },
        Metric {
            name: "Wire",
            help: "Bytes of the encoded sample; the track's full width is the longest encoding",
            unit: "B",
            slices: slices(&|field| field.wire.0, "B", wire, "other"),
            modelled: Some(wire),
            is_exact: true,
            measured: None,
            scale: worst.unwrap_or(0),
            worst,
            note: crate::state::view::wire_text(&cost.max_encoded),
        },
    ];
    if let Some(report) = report {
        let stack = Metric {
            name: "Stack",
            help: "Most stack that encoding and decoding the sample took",
            unit: "B",
            slices: Vec::new(),
            modelled: None,
            is_exact: false,
            measured: Some(report.stack.0),
            scale: report.stack.0.max(512),
            worst: None,
            note: report
                .round_trip
                .map(|run| {
                    format!(
                        "round trip {} cycles, fill, copy and compare included",
                        parts::grouped(run.cycles.0)
                    )
                })
                .unwrap_or_default(),
        };
        metrics.insert(2, stack);
    }
    metrics
}

fn instructions(run: Option<Run>) -> String {
    run.map(|run| format!("{} instructions", parts::grouped(run.instructions))).unwrap_or_default()
}

/// A total by field; what is left over last.
fn split(
    desk: &Desk<'_>,
    message: &MessageView,
    cost: &MessageCost,
    value: &dyn Fn(&FieldCost) -> u64,
    unit: &str,
    total: u64,
    rest: &str,
) -> Vec<(Option<FieldKey>, Slice)> {
    let mut sum = 0;
    let mut slices: Vec<(Option<FieldKey>, Slice)> = Vec::with_capacity(cost.fields.len() + 1);
    for field in &cost.fields {
        // Members of a oneof share their place in RAM, so the parts may be more than the whole.
        let part = value(field).min(total.saturating_sub(sum));
        sum += part;
        let key = FieldKey { message: message.full_name.clone(), number: field.number };
        let origin = Origin::Field(key.clone());
        let is_lit =
            links::is_lit(desk.state, Some(&origin)) || links::is_selected(desk.state, Some(&origin));
        let label = format!("{}: {} {unit}", field.proto_name, parts::grouped(part));
        slices
            .push((Some(key), Slice { value: part as f64, hue: Some(hue_of(field.number)), label, is_lit }));
    }
    let left = total.saturating_sub(sum);
    if left > 0 {
        let label = format!("{rest}: {} {unit}", parts::grouped(left));
        slices.push((None, Slice { value: left as f64, hue: None, label, is_lit: false }));
    }
    slices
}

fn metric_ui(ui: &mut Ui, desk: &mut Desk<'_>, metric: &Metric, error_percent: u32, is_stale: bool) {
    const HEIGHT: f32 = 24.0;
    const NAME_WIDTH: f32 = 52.0;
    const FIGURE_WIDTH: f32 = 88.0;
    const EVIDENCE_WIDTH: f32 = 104.0;
    let theme = theme::current(ui.ctx());
    let scale =
        [Some(metric.scale), metric.modelled, metric.measured].into_iter().flatten().max().unwrap_or(0);
    ui.horizontal(|ui| {
        ui.set_height(HEIGHT);
        ui.spacing_mut().item_spacing.x = space::S;
        let cell = |ui: &mut Ui, width: f32, add: &mut dyn FnMut(&mut Ui)| {
            ui.allocate_ui_with_layout(
                Vec2::new(width, HEIGHT),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.set_max_width(width);
                    add(ui);
                },
            );
        };
        cell(ui, NAME_WIDTH, &mut |ui| {
            ui.label(metric.name).on_hover_text(metric.help);
        });
        let has_room = ui.available_width() > 280.0;
        let right = FIGURE_WIDTH + space::S + if has_room { EVIDENCE_WIDTH + space::S } else { 0.0 };
        let bar_width = (ui.available_width() - right).max(24.0);
        ui.allocate_ui_with_layout(Vec2::new(bar_width, HEIGHT), Layout::top_down(Align::Min), |ui| {
            ui.set_width(bar_width);
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add_space(if metric.measured.is_some() && metric.modelled.is_some() { 2.0 } else { 5.0 });
            bars_ui(ui, desk, metric, scale, is_stale);
        });
        let color = if metric.measured.is_some() && is_stale { theme.stale } else { theme.text };
        cell(ui, FIGURE_WIDTH, &mut |ui| match metric.measured.or(metric.modelled) {
            Some(number) => parts::figure_ui(ui, &parts::grouped(number), metric.unit, color),
            None => parts::figure_ui(ui, "–", metric.unit, theme.faint),
        });
        if has_room {
            cell(ui, EVIDENCE_WIDTH, &mut |ui| {
                let text =
                    RichText::new(evidence(metric, error_percent)).font(theme::small()).color(theme.muted);
                ui.add(egui::Label::new(text).truncate()).on_hover_text(details(metric, error_percent));
            });
        }
    });
}

/// The measured bar, and the modelled one by field, thinner if there are both.
fn bars_ui(ui: &mut Ui, desk: &mut Desk<'_>, metric: &Metric, scale: u64, is_stale: bool) {
    if let Some(measured) = metric.measured {
        let label = format!("{} measured: {} {}", metric.name, parts::grouped(measured), metric.unit);
        let slice = Slice { value: measured as f64, hue: None, label, is_lit: false };
        Bar { slices: &[slice], scale: scale as f64, fill: Fill::Measured, is_stale, height: 12.0 }.show(ui);
    }
    if metric.modelled.is_some() {
        let slices: Vec<Slice> = metric.slices.iter().map(|(_, slice)| slice.clone()).collect();
        let fill = if metric.is_exact { Fill::Solid } else { Fill::Hatched };
        let height = if metric.measured.is_some() { 6.0 } else { 14.0 };
        let response = Bar { slices: &slices, scale: scale as f64, fill, is_stale: false, height }.show(ui);
        let origin = |at: Option<usize>| metric.slices.get(at?)?.0.clone().map(Origin::Field);
        links::hover(desk, origin(response.hovered).as_ref());
        links::click(desk, origin(response.clicked).as_ref(), Pane::Cost);
    }
}

/// Where the figure comes from, beside it.
fn evidence(metric: &Metric, error_percent: u32) -> String {
    match (metric.measured, metric.modelled) {
        // Sizes are read from the firmware's ELF file; nothing is simulated about them.
        (Some(_), _) if metric.name == "Flash" => "measured".to_owned(),
        (Some(_), _) => "simulated".to_owned(),
        (None, Some(_)) if metric.is_exact => match metric.worst {
            Some(worst) => format!("exact, ≤ {} B", parts::grouped(worst)),
            None => "exact".to_owned(),
        },
        (None, Some(_)) => format!("estimated ±{error_percent} %"),
        (None, None) => String::new(),
    }
}

/// Everything there is to say about the figure.
fn details(metric: &Metric, error_percent: u32) -> String {
    let mut lines = vec![metric.help.to_owned()];
    if let Some(measured) = metric.measured {
        lines.push(format!(
            "{}: {} {}",
            evidence(metric, error_percent),
            parts::grouped(measured),
            metric.unit
        ));
    }
    if let Some(modelled) = metric.modelled {
        let how = if metric.is_exact { "exact".to_owned() } else { format!("estimated ±{error_percent} %") };
        lines.push(format!("{how}: {} {}", parts::grouped(modelled), metric.unit));
    }
    if !metric.note.is_empty() {
        lines.push(metric.note.clone());
    }
    lines.join("\n")
}
