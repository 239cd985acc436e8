//! The whole pipeline on changed schemas.

use wirebench_engine::diagnostic::Diagnostic;
use wirebench_engine::files::Input;
use wirebench_engine::pipeline::{Output, Request, run};
use wirebench_engine::wire;

use crate::runner::fuzz;
use crate::seeds::{TOKENS, beside, files};

/// Runs the pipeline on `bytes` in place of the file a seed comes from.
fn run_in_place(from: &str, bytes: &[u8]) -> Output {
    let (mut files, name) = beside(from);
    files.insert(name, bytes);
    let settings = from.starts_with("../schemas").then(|| "wirebench.toml".to_owned());
    let input = Input { roots: vec![name.to_owned()], settings, ..Input::default() };
    run(&Request { input, ..Request::default() }, &files)
}

fn check_place(output: &Output, found: &Diagnostic) {
    assert!(!found.message.is_empty() && !found.to_string().is_empty());
    let Some(span) = &found.span else { return };
    assert!(span.line > 0 && span.column > 0, "{found}");
    if let Some(source) = output.sources.iter().find(|source| source.path == span.file) {
        assert!(source.text.get(span.range.clone()).is_some(), "{found}: {:?}", span.range);
    }
}

/// A schema without errors has everything: each message is planned or refused with a reason, and the sample
/// is what its bytes say.
fn check_output(output: &Output) {
    output.diagnostics.iter().for_each(|found| check_place(output, found));
    let Some(model) = &output.model else {
        assert!(output.diagnostics.iter().any(Diagnostic::is_error), "no model and no error");
        assert!(output.printed.is_none());
        return;
    };
    let (Some(planned), Some(printed), Some(costs)) = (&output.planned, &output.printed, &output.costs)
    else {
        panic!("a stage is missing");
    };
    assert!(!printed.text.is_empty());
    for (_, reason) in &planned.refused {
        let is_said = output.diagnostics.iter().any(|d| d.is_error() && d.message.contains(&reason.message));
        assert!(is_said, "{} is not said", reason.message);
    }
    for message in &planned.plan.messages {
        assert!(costs.messages.contains_key(&message.id), "{} costs nothing", message.full_name);
        let spelled = format!("pub struct {}", message.rust_name);
        assert!(printed.text.contains(&spelled), "{spelled} is not printed");
    }
    for (id, sample) in &output.samples {
        let name = &model.message(*id).full_name;
        assert!(sample.annotated.is_valid(), "{name}: {:?}", sample.annotated.problems);
        assert_eq!(sample.annotated.value, *sample.value, "{name}");
        assert_eq!(wire::encode_bytes(model, *id, &sample.annotated.value), *sample.bytes, "{name}");
    }
}

#[test]
fn fuzz_schema() {
    fuzz(200, files(".proto"), TOKENS, |from, bytes| check_output(&run_in_place(from, bytes)));
}
