//! Measuring: progress, cancel, the cache, a failed check, a missing toolchain.

use std::sync::mpsc::{Sender, channel};

use egui::Key;
use egui_kittest::kittest::Queryable as _;
use wirebench::command::Command;
use wirebench::state::measuring::{Failure, FunctionRow, Report, Run, Subject};
use wirebench::state::session::CostTable;
use wirebench::update::Action;
use wirebench_engine::units::{Bytes, Cycles};
use wirebench_measure::progress::Progress;

use super::commands::wait_for;
use super::support::{Bench, Measures, Setup, open_with};

fn report(subject: Subject) -> Report {
    let run = |cycles, instructions| Some(Run { cycles: Cycles(cycles), instructions });
    Report {
        subject,
        is_from_cache: false,
        preset: "Cortex-M4F, 0 wait states".to_owned(),
        settings: "opt-level s".to_owned(),
        check: Ok(()),
        flash: Some(Bytes(1234)),
        message: Bytes(32),
        stack: Bytes(280),
        wire: Bytes(28),
        encode: run(321, 200),
        decode: run(543, 300),
        round_trip: run(900, 520),
        functions: vec![FunctionRow {
            name: "wirebench_runtime::decode".to_owned(),
            flash: Bytes(700),
            cycles: Cycles(400),
            instructions: 250,
            origin: None,
        }],
    }
}

fn bench(
    test: &str,
    work: impl FnMut(
        &wirebench::update::MeasureJob,
        wirebench_measure::progress::Control<'_>,
    ) -> Option<Result<Report, Failure>>
    + Send
    + 'static,
) -> Bench {
    open_with(test, "telemetry.proto", Setup { measurer: Measures::with(work), ..Setup::default() })
}

fn measure(bench: &mut Bench) {
    bench.harness.key_press(Key::F5);
    bench.harness.step();
    wait_for(bench, |bench| bench.state().measuring.running.is_none());
}

#[test]
fn measured_figures_replace_the_estimates() {
    let mut bench = bench("measure", |job, _| Some(Ok(report(job.subject.clone()))));
    assert!(bench.harness.query_all_by_label_contains("estimated ±").next().is_some());
    measure(&mut bench);
    bench.harness.get_by_label("Flash measured: 1\u{a0}234 B");
    bench.harness.get_by_label("Encode measured: 321 cycles");
    bench.harness.get_by_label("Decode measured: 543 cycles");
    bench.harness.get_by_label("Stack measured: 280 B");
    bench.act(Action::ShowCostBy(CostTable::Functions));
    bench.harness.get_by_label("decode");
}

#[test]
fn the_button_becomes_progress_and_cancel_stops_the_work() {
    let (entered, has_entered) = channel();
    let mut bench = bench("cancel", move |_, control| {
        control.report(Progress::Compiling { package: "core".to_owned() });
        entered.send(()).expect("the test listens");
        while !control.cancel.is_cancelled() {
            std::thread::yield_now();
        }
        None
    });
    bench.harness.key_press(Key::F5);
    bench.harness.step();
    has_entered.recv().expect("it starts");
    wait_for(&mut bench, |bench| {
        bench.state().measuring.running.as_ref().is_some_and(|running| running.step == "compiling core")
    });
    assert!(Command::Measure.unavailable(bench.state()).is_some());
    bench.harness.get_by_label("Cancel measuring").click();
    wait_for(&mut bench, |bench| bench.state().measuring.running.is_none());
    assert!(bench.was_said("Measuring was cancelled"));
    assert!(bench.harness.query_all_by_label_contains("measured:").next().is_none());
    bench.harness.get_by_label("Measure now");
}

#[test]
fn a_result_from_the_cache_says_so() {
    let mut bench =
        bench("cache", |job, _| Some(Ok(Report { is_from_cache: true, ..report(job.subject.clone()) })));
    measure(&mut bench);
    assert!(bench.harness.query_all_by_label("measured, from the cache").next().is_some());
}

#[test]
fn a_failed_check_shows_as_failed_and_never_as_a_number() {
    let mut bench = bench("check", |job, _| {
        Some(Ok(Report { check: Err("26 bytes, not 28".to_owned()), ..report(job.subject.clone()) }))
    });
    measure(&mut bench);
    assert!(bench.harness.query_all_by_label_contains("Check failed: 26 bytes, not 28").next().is_some());
    assert!(bench.harness.query_all_by_label_contains("measured:").next().is_none());
}

#[test]
fn a_missing_toolchain_says_what_to_do_and_estimates_stay() {
    let mut bench = bench("toolchain", |_, _| {
        let message = "measuring is off: no thumb target".to_owned();
        Some(Err(Failure { message, help: Some("rustup target add".to_owned()), is_toolchain: true }))
    });
    measure(&mut bench);
    assert!(bench.harness.query_all_by_label_contains("no thumb target").next().is_some());
    bench.harness.get_by_label("rustup target add");
    assert!(bench.harness.query_all_by_label_contains("estimated ±").next().is_some());
}

#[test]
fn a_measurer_that_panics_is_a_failure_and_not_a_crash() {
    let mut bench = bench("panic", |_, _| panic!("out of luck"));
    measure(&mut bench);
    assert!(bench.was_said("out of luck"));
}

#[test]
fn after_an_edit_measured_figures_are_stale_and_undo_makes_them_current() {
    let mut bench = bench("stale", |job, _| Some(Ok(report(job.subject.clone()))));
    measure(&mut bench);
    let text = bench.text("telemetry.proto");
    bench.act(Action::TypeSchema(text.replace("rssi        = 7;", "rssi        = 7;\n  bool more = 8;")));
    bench.harness.get_by_label("measured before the last change");
    bench.act(Action::Run(Command::Undo));
    assert_eq!(bench.harness.query_all_by_label("measured").count(), 2);
}

#[test]
fn only_one_measurement_runs_at_a_time() {
    let (go, may_go): (Sender<()>, _) = channel();
    let mut count = 0;
    let mut bench = bench("once", move |job, _| {
        count += 1;
        assert_eq!(count, 1);
        may_go.recv().expect("the test goes on");
        Some(Ok(report(job.subject.clone())))
    });
    bench.harness.key_press(Key::F5);
    bench.harness.step();
    bench.harness.key_press(Key::F5);
    bench.harness.step();
    assert!(bench.was_said("a measurement runs already"));
    go.send(()).expect("it waits");
    wait_for(&mut bench, |bench| bench.state().measuring.running.is_none());
    assert_eq!(bench.harness.query_all_by_label("measured").count(), 2);
}
