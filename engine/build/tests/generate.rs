//! What a build script gets: a file, lines for cargo, or everything that is wrong.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use wirebench_build::{Config, Error, Generated, Optimize, Severity};

/// A project of one test: files in, a folder for the output beside them.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, files: &[(&str, &str)]) -> Project {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("generate-{name}"));
        let _ = fs::remove_dir_all(&folder);
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Project(folder)
    }

    fn at(&self, path: &str) -> String {
        self.0.join(path).to_str().unwrap().replace('\\', "/")
    }

    fn config(&self, schema: &str) -> Config {
        Config::new().schema(self.at(schema)).out_dir(self.0.join("out/deep"))
    }

    /// The project's own paths among the watched ones, from its folder on.
    fn watched(&self, generated: &Generated) -> Vec<String> {
        let start = format!("cargo:rerun-if-changed={}/", self.at("").trim_end_matches('/'));
        generated.directives.iter().filter_map(|l| l.strip_prefix(&start)).map(str::to_owned).collect()
    }
}

const GPS: &str = "syntax = \"proto3\";\npackage nav;\nmessage Gps { sint32 lat = 1; sint32 lon = 2; }\n";

#[test]
fn code_is_written_where_the_include_looks_for_it() {
    let project = Project::new("plain", &[("proto/gps.proto", GPS)]);
    let generated = project.config("proto/gps.proto").generate().unwrap();
    assert_eq!(generated.path, project.0.join("out/deep/gps.rs"));
    assert_eq!(generated.messages, ["nav.Gps"]);
    assert!(generated.refused.is_empty() && generated.remarks.is_empty());
    let text = fs::read_to_string(&generated.path).unwrap();
    assert!(text.contains("pub struct Gps") && text.contains("::wirebench_runtime::Message for Gps"));

    let named = project.config("proto/gps.proto").out_file("all.rs").generate().unwrap();
    assert_eq!(named.path, project.0.join("out/deep/all.rs"));
    assert_eq!(fs::read_to_string(named.path).unwrap(), text);
}

#[test]
fn every_file_that_was_read_is_watched_and_what_was_missing_by_its_folder() {
    let project = Project::new(
        "watched",
        &[
            (
                "proto/route.proto",
                "syntax = \"proto3\";\nimport \"nav/gps.proto\";\nmessage Route { nav.Gps to = 1; string name = 2; }\n",
            ),
            ("proto/route.options", "Route.name max_size:9\n"),
            ("shared/nav/gps.proto", GPS),
            ("first/empty", ""),
            ("wirebench.toml", "version = 1\n"),
        ],
    );
    let config = project.config("proto/route.proto");
    let config = config.import_root(project.at("first")).import_root(project.at("shared"));
    let generated = config.settings(project.at("wirebench.toml")).generate().unwrap();
    assert_eq!(
        project.watched(&generated),
        // `first/nav/gps.proto` and `shared/nav/gps.options` are not there.
        [
            "first",
            "proto/route.options",
            "proto/route.proto",
            "shared/nav",
            "shared/nav/gps.proto",
            "wirebench.toml"
        ]
    );
    let text = fs::read_to_string(&generated.path).unwrap();
    assert!(text.contains("Text<8>"), "the limit of the .options file counts:\n{text}");
}

#[test]
fn the_nearest_settings_file_is_found() {
    let project = Project::new(
        "settings",
        &[
            ("wirebench.toml", "[fields]\n\"Named.name\" = { max_len = 21 }\n"),
            ("proto/named.proto", "syntax = \"proto3\";\nmessage Named { string name = 1; }\n"),
        ],
    );
    let generated = project.config("proto/named.proto").generate().unwrap();
    assert!(fs::read_to_string(&generated.path).unwrap().contains("Text<21>"));
    assert!(project.watched(&generated).contains(&"wirebench.toml".to_owned()));
}

#[test]
fn a_bound_that_nobody_set_is_a_warning_for_cargo_unless_notes_are_hidden() {
    let named = ("named.proto", "syntax = \"proto3\";\nmessage Named {\n  string name = 1;\n}\n");
    let project = Project::new("notes", &[named]);
    let said = |generated: &Generated| {
        generated
            .directives
            .iter()
            .any(|line| line.starts_with("cargo:warning=") && line.contains("named.proto:3:"))
    };
    let generated = project.config("named.proto").generate().unwrap();
    assert!(said(&generated), "{:?}", generated.directives);
    let generated = project.config("named.proto").notes(false).generate().unwrap();
    assert!(!said(&generated) && generated.remarks[0].severity == Severity::Note);
}

#[test]
fn errors_name_all_problems_with_file_and_line_and_nothing_is_written() {
    let bad =
        "syntax = \"proto3\";\nmessage A {\n  int32 one = 1;\n  int32 two = 1;\n  Missing three = 3;\n}\n";
    let project = Project::new("errors", &[("bad.proto", bad)]);
    let error = project.config("bad.proto").generate().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("bad.proto:3:") && text.contains("Missing"), "{text}");
    assert!(text.contains("bad.proto:4:"), "{text}");
    assert!(text.ends_with("2 errors: no code was generated"), "{text}");
    assert!(!project.0.join("out").exists());
}

#[test]
fn a_wrong_line_in_the_settings_is_an_error() {
    let project = Project::new(
        "toml",
        &[
            ("gps.proto", GPS),
            ("wirebench.toml", "version = 1\n[fields]\n\"nav.Gps.lat\" = { max_len = -3 }\n"),
        ],
    );
    let text = project.config("gps.proto").generate().unwrap_err().to_string();
    assert!(text.contains("wirebench.toml:3:"), "{text}");
}

#[test]
fn what_is_missing_is_said() {
    let project = Project::new("missing", &[("gps.proto", GPS)]);
    let text = project.config("none.proto").generate().unwrap_err().to_string();
    assert!(text.contains("there is no file") && text.contains("none.proto"), "{text}");
    let text =
        project.config("gps.proto").settings(project.at("none.toml")).generate().unwrap_err().to_string();
    assert!(text.contains("there is no file") && text.contains("none.toml"), "{text}");
    let text = Config::new().out_dir(&project.0).generate().unwrap_err().to_string();
    assert!(text.contains("no schema"), "{text}");
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let project = Project::new("unwritable", &[("gps.proto", GPS), ("out", "a file")]);
    let error = project.config("gps.proto").generate().unwrap_err();
    assert!(matches!(&error, Error::Write { path, .. } if path.ends_with("gps.rs")), "{error}");
    let error = project.config("gps.proto").out_file("..").generate().unwrap_err();
    assert!(matches!(error, Error::OutFile { .. }), "{error}");
}

#[test]
fn a_message_that_cannot_be_generated_is_a_warning_or_an_error_as_set() {
    let tree = "syntax = \"proto3\";\nmessage Tree {\n  Tree left = 1;\n}\nmessage Leaf { int32 id = 1; }\n";
    let project = Project::new("refused", &[("tree.proto", tree)]);
    let generated = project.config("tree.proto").generate().unwrap();
    assert_eq!((generated.messages, generated.refused), (vec!["Leaf".to_owned()], vec!["Tree".to_owned()]));
    let warning =
        |line: &&String| line.starts_with("cargo:warning=") && line.contains("tree.proto:3:8: warning: ");
    assert!(generated.directives.iter().any(|line| warning(&line)), "{:?}", generated.directives);

    let text = project.config("tree.proto").deny_refused(true).generate().unwrap_err().to_string();
    assert!(text.contains("tree.proto:3:8: error: "), "{text}");
}

#[test]
fn the_same_sources_give_the_same_bytes_and_an_unchanged_file_is_not_touched() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let project = Project::new("twice", &[]);
    let config = |out: &str| {
        let config = Config::new().settings(schemas.join("wirebench.toml")).out_dir(project.0.join(out));
        ["telemetry", "command", "configuration", "growth"]
            .iter()
            .fold(config, |config, name| config.schema(schemas.join(format!("{name}.proto"))))
    };
    let first = config("one").generate().unwrap();
    let second = config("two").generate().unwrap();
    assert_eq!(fs::read(&first.path).unwrap(), fs::read(&second.path).unwrap());
    assert_eq!(first.directives, second.directives);

    let old = SystemTime::now() - Duration::from_secs(1000);
    fs::File::options().write(true).open(&first.path).unwrap().set_modified(old).unwrap();
    config("one").generate().unwrap();
    assert_eq!(fs::metadata(&first.path).unwrap().modified().unwrap(), old);
    let size = config("one").optimize(Optimize::Size).generate().unwrap();
    let speed = config("two").optimize(Optimize::Speed).generate().unwrap();
    assert_ne!(fs::read(size.path).unwrap(), fs::read(speed.path).unwrap());
}

#[test]
fn only_schema_options_plan_and_print_of_the_engine_are_used() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = 0;
    for entry in fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let Some((_, rest)) = line.split_once("wirebench_engine::") else { continue };
            let parts = rest.trim_end_matches([';', '}']).trim_start_matches('{');
            let grouped = rest.starts_with('{');
            for part in parts.split(", ").take(if grouped { usize::MAX } else { 1 }) {
                let module = part.split("::").next().unwrap();
                let allowed = ["diagnostic", "files", "options", "plan", "print", "schema"];
                assert!(allowed.contains(&module), "{}: {line}", path.display());
                uses += 1;
            }
        }
    }
    assert!(uses > 5, "{uses}");
}
