//! The recorded tests of the conformance suite.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

/// One test.
pub struct Vector {
    /// `Required.Proto3.ProtobufInput.ValidDataMap.INT32.INT32.Default.ProtobufOutput`.
    pub name: String,
    /// Full name of the message type.
    pub message: String,
    pub request: Vec<u8>,
    /// What upb answers; `None` where the request must be refused.
    pub reply: Option<Vec<u8>>,
}

impl Vector {
    /// Whether the reply's bytes count, not only its meaning.
    pub fn compares_bytes(&self) -> bool {
        self.name.starts_with("Recommended.")
    }

    /// What the test is about: the part of its name behind the kind of input, without version and number.
    pub fn group(&self) -> &str {
        let about = self.name.split('.').nth(3).unwrap_or(&self.name);
        about.split('_').next().unwrap_or(about)
    }
}

/// The folder of the vectors: it holds their schemas too.
pub fn folder() -> PathBuf {
    let inside = |above: &Path| above.join("engine/tests/conformance");
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(inside);
    above.find(|folder| folder.is_dir()).expect("the repository holds the vectors")
}

/// The table at `path` as text.
pub fn text(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The tests of proto2 and proto3, in the suite's order.
pub fn vectors() -> Vec<Vector> {
    let table = text(&folder().join("vectors.tsv.gz"));
    let vectors: Vec<Vector> = table
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [name, message, request, reply] = cells[..] else { panic!("{line}") };
            Vector {
                name: name.to_owned(),
                message: message.to_owned(),
                request: unhex(request),
                reply: (reply != "error").then(|| unhex(reply)),
            }
        })
        .filter(|vector| !vector.message.contains("editions"))
        .collect();
    assert_eq!(vectors.len(), 1401);
    vectors
}
