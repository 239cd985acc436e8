//! Starting, stopping and taking in measurements.

use super::Effect;
use super::action::MeasureJob;
use crate::command::Command;
use crate::panels::Pane;
use crate::state::State;
use crate::state::measuring::{Failure, Report, Running, Subject};
use crate::state::notices::Tone;

/// Measures the message looked at.
pub fn start(state: &mut State) -> Vec<Effect> {
    if Command::Measure.unavailable(state).is_some() {
        return Vec::new();
    }
    let (Some(view), Some(good)) = (state.derived.view.clone(), &state.derived.good) else {
        return Vec::new();
    };
    let (Some(subject), Some(message)) = (view.subject(state.session.optimize), &view.message) else {
        return Vec::new();
    };
    state.measuring.failure = None;
    state.measuring.running = Some(Running {
        subject: subject.clone(),
        step: "starting".to_owned(),
        fraction: 0.0,
        is_cancelling: false,
    });
    state.session.focus = Some(Pane::Cost);
    state.notices.note(state.now, format!("measuring {}", subject.message));
    vec![Effect::Measure(MeasureJob { subject, message: message.id, output: good.output.clone() })]
}

/// Asks the running measurement to stop.
pub fn cancel(state: &mut State) -> Vec<Effect> {
    match &mut state.measuring.running {
        Some(running) => {
            running.is_cancelling = true;
            running.step = "stopping".to_owned();
            vec![Effect::CancelMeasure]
        }
        None => Vec::new(),
    }
}

/// The running measurement goes on.
pub fn step(state: &mut State, subject: &Subject, step: String, fraction: f32) -> Vec<Effect> {
    if let Some(running) = &mut state.measuring.running
        && running.subject == *subject
        && !running.is_cancelling
    {
        running.fraction = running.fraction.max(fraction);
        if running.step != step {
            state.notices.note(state.now, step.clone());
            running.step = step;
        }
    }
    Vec::new()
}

/// The measurement ended.
pub fn finished(
    state: &mut State,
    subject: &Subject,
    outcome: Option<Result<Report, Failure>>,
) -> Vec<Effect> {
    if state.measuring.running.as_ref().is_some_and(|running| running.subject == *subject) {
        state.measuring.running = None;
    }
    let now = state.now;
    match outcome {
        None => state.notices.say(now, Tone::Info, "Measuring was cancelled"),
        Some(Err(failure)) => {
            let help = failure.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
            state.notices.say(now, Tone::Error, format!("{}{help}", failure.message));
            state.measuring.failure = Some(failure);
        }
        Some(Ok(report)) => {
            match &report.check {
                Err(why) => {
                    let text =
                        format!("{}: the check failed, so there are no figures\n{why}", subject.message);
                    state.notices.say(now, Tone::Error, text);
                }
                Ok(()) => {
                    let from = if report.is_from_cache { " (from the cache)" } else { "" };
                    let mut parts = vec![format!("{} measured{from}", subject.message)];
                    parts.extend(report.flash.map(|flash| format!("{flash} of flash")));
                    parts.extend(report.encode.map(|run| format!("encode {}", run.cycles)));
                    parts.extend(report.decode.map(|run| format!("decode {}", run.cycles)));
                    let text = parts.join(", ");
                    state.notices.say(now, Tone::Info, text);
                }
            }
            state.measuring.keep(report);
        }
    }
    Vec::new()
}
