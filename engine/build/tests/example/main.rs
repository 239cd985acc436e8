//! The example firmware: built for a Cortex-M4 by its own build script, and spoken to on the simulated core.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod line;
mod project;

use std::fs;
use std::sync::OnceLock;

use line::Line;
use project::{Project, example};
use wirebench_engine::files::{Input, MemoryFiles};
use wirebench_engine::schema::{self, Model};
use wirebench_engine::wire;
use wirebench_sim::Image;

/// The firmware as it stands in the repository.
fn elf() -> &'static [u8] {
    static ELF: OnceLock<Vec<u8>> = OnceLock::new();
    ELF.get_or_init(|| {
        let project = Project::copy("plain");
        project.build();
        project.elf()
    })
}

/// A device under test, and what its messages mean by the engine's own reading of the schema.
struct Device {
    line: Line,
    model: Model,
}

impl Device {
    fn start() -> Device {
        let schema = fs::read(example().join("proto/device.proto")).unwrap();
        let files = MemoryFiles::default().with("device.proto", schema);
        let input = Input { roots: vec!["device.proto".to_owned()], ..Input::default() };
        Device { line: Line::to(elf()), model: schema::check(&input, &files).model.unwrap() }
    }

    fn command(&self, json: &str) -> Vec<u8> {
        let command = self.model.find_message("device.Command").unwrap();
        let value = wire::json::parse(&self.model, command, "command.json", json).unwrap();
        wire::encode(&self.model, command, &value).bytes
    }

    /// The next event, as compact JSON.
    fn event(&mut self) -> String {
        let bytes = self.line.receive();
        let event = self.model.find_message("device.Event").unwrap();
        let read = wire::annotate(&self.model, Some(event), &bytes);
        assert!(read.problems.is_empty(), "{bytes:02x?}: {:?}", read.problems);
        assert_eq!(wire::encode(&self.model, event, &read.value).bytes, bytes, "not the canonical encoding");
        wire::json::print(&self.model, event, &read.value).split_whitespace().collect()
    }

    /// Sends a command and waits for the answer.
    fn ask(&mut self, json: &str) -> String {
        let command = self.command(json);
        self.ask_bytes(&command)
    }

    fn ask_bytes(&mut self, frame: &[u8]) -> String {
        let mut length = frame.len();
        while length >= 0x80 {
            self.line.send(&[length as u8 | 0x80]);
            length >>= 7;
        }
        self.line.send(&[length as u8]);
        self.line.send(frame);
        self.event()
    }
}

#[test]
fn the_firmware_answers_commands() {
    let mut device = Device::start();
    let configure = r#"{"sequence": 1, "configure": {"name": "pump-7"}}"#;
    assert_eq!(device.ask(configure), r#"{"acknowledge":{"sequence":1}}"#);
    assert_eq!(device.ask(r#"{"sequence": 300, "setOutput": true}"#), r#"{"acknowledge":{"sequence":300}}"#);

    let telemetry = device.ask(r#"{"sequence": 4000000000, "read": {}}"#);
    let start = r#"{"telemetry":{"sequence":4000000000,"name":"pump-7","uptimeCycles":"#;
    assert!(
        telemetry.starts_with(start) && telemetry.contains(r#","output":true,"samples":["#),
        "{telemetry}"
    );
    assert_eq!(telemetry.split_once("[").unwrap().1.split(',').count(), 8, "{telemetry}");
    assert_ne!(device.ask(r#"{"sequence": 4000000000, "read": {}}"#), telemetry, "samples go on");
    assert!(device.line.peak_stack() < 1024, "{} bytes of stack", device.line.peak_stack());
}

#[test]
fn the_firmware_refuses_what_is_no_command_and_goes_on() {
    let mut device = Device::start();
    let unknown = r#"{"acknowledge":{"sequence":9,"outcome":"UNKNOWN"}}"#;
    let malformed = r#"{"acknowledge":{"outcome":"MALFORMED"}}"#;
    let too_long = r#"{"acknowledge":{"outcome":"TOO_LONG"}}"#;
    assert_eq!(device.ask(r#"{"sequence": 9}"#), unknown);
    assert_eq!(device.ask_bytes(&[]), r#"{"acknowledge":{"outcome":"UNKNOWN"}}"#);
    assert_eq!(device.ask_bytes(&[0x08, 0x80]), malformed);
    assert_eq!(device.ask_bytes(&[0x07]), malformed);
    assert_eq!(device.ask(r#"{"configure": {"name": "seventeen letters"}}"#), malformed);
    // A name that is not UTF-8.
    assert_eq!(device.ask_bytes(&[0x1a, 0x03, 0x0a, 0x01, 0xff]), malformed);
    assert_eq!(device.ask_bytes(&[0; 64]), malformed);
    assert_eq!(device.ask_bytes(&[0; 65]), too_long);
    assert_eq!(device.ask_bytes(&[0xff; 200]), too_long);
    // A length of more than 32 bits.
    device.line.send(&[0xff; 5]);
    assert_eq!(device.event(), malformed);
    // A field of a newer host is skipped.
    let mut newer = device.command(r#"{"sequence": 9}"#);
    newer.extend([0x7a, 0x03, 1, 2, 3]);
    assert_eq!(device.ask_bytes(&newer), unknown);
    let name = r#"{"sequence": 1, "configure": {"name": "sixteen letters!"}}"#;
    assert_eq!(device.ask(name), r#"{"acknowledge":{"sequence":1}}"#);
}

#[test]
fn the_firmware_reports_by_itself_when_told_to() {
    let mut device = Device::start();
    device.ask(r#"{"sequence": 1, "configure": {"name": "a", "reportCycles": 200000}}"#);
    let uptimes: Vec<u64> = (0..3)
        .map(|_| {
            let event = device.event();
            assert!(event.starts_with(r#"{"telemetry":{"name":"a","#), "{event}");
            let uptime = event.split_once("\"uptimeCycles\":").unwrap().1;
            uptime.split_once(',').unwrap().0.parse().unwrap()
        })
        .collect();
    for pair in uptimes.windows(2) {
        assert!((199_000..202_000).contains(&(pair[1] - pair[0])), "{uptimes:?}");
    }
    // Commands are answered meanwhile.
    let mut event = device.ask(r#"{"sequence": 5, "configure": {"name": "b"}}"#);
    if event.starts_with(r#"{"telemetry""#) {
        event = device.event();
    }
    assert_eq!(event, r#"{"acknowledge":{"sequence":5}}"#);
}

#[test]
fn the_readme_states_what_the_firmware_takes() {
    let image = Image::load(elf()).unwrap();
    let sum = |wanted: fn(&wirebench_sim::Section) -> bool| -> u32 {
        image.sections().iter().filter(|s| s.is_allocated() && wanted(s)).map(|s| s.size).sum()
    };
    let flash = sum(|section| section.kind != 8);
    let ram = sum(|section| section.is_writable());
    let readme = fs::read_to_string(example().join("README.md")).unwrap();
    let stated = |what: &str| -> u32 {
        let row = readme.lines().find(|line| line.starts_with(&format!("| {what} |"))).unwrap();
        row.split('|').nth(2).unwrap().trim().trim_end_matches(" bytes").replace(',', "").parse().unwrap()
    };
    // Compilers differ a little; who makes it smaller need not say so at once.
    for (what, is) in [("flash", flash), ("static RAM", ram)] {
        let stated = stated(what);
        assert!(
            is * 20 <= stated * 21 && is * 20 >= stated * 17,
            "{what}: {is} bytes, the README says {stated}"
        );
    }
}

#[test]
fn a_panic_that_could_be_reached_does_not_link() {
    let project = Project::copy("panic");
    project.change(
        "src/device.rs",
        "self.output = *on;",
        "self.output = Some(*on).filter(|_| clock::now() != 7).unwrap();",
    );
    let output = project.cargo();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("this firmware can panic"), "{said}");
}

#[test]
fn the_build_script_runs_again_only_when_a_source_changed() {
    let project = Project::copy("again");
    let ran = |said: &str| {
        said.lines().any(|line| line.contains("Running `") && line.contains("build-script-build"))
    };
    assert!(ran(&project.build()));
    assert!(!ran(&project.build()), "nothing changed");
    project.change("proto/device.proto", "bool output = 4;", "bool output = 4;\n  uint32 more = 6;");
    project.change("src/device.rs", "output: self.output,", "output: self.output,\n            more: 1,");
    assert!(ran(&project.build()), "the schema changed");
    assert!(!ran(&project.build()), "nothing changed");
    project.change("wirebench.toml", "max_count = 8", "max_count = 9");
    assert!(ran(&project.build()), "the limits changed");
    // A file that was looked for appears.
    project.add("proto/device.options", "# nothing yet\n");
    assert!(ran(&project.build()), "there is a file of limits now");
}
