//! The libraries of the comparison.

/// Where the data of a decoded message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In the message, whose size is fixed.
    Owned,
    /// In the buffer it was decoded from, which has to live as long as the message.
    Borrowed,
    /// Lists, strings and bytes on the heap.
    Heap,
}

impl Storage {
    /// As shown.
    pub fn words(self) -> &'static str {
        match self {
            Storage::Owned => "owns its data, no heap",
            Storage::Borrowed => "borrows from the buffer, no heap",
            Storage::Heap => "needs a heap",
        }
    }
}

/// A library of the comparison, or the floor under all of them.
#[derive(Debug)]
pub struct Peer {
    /// Name in the table and on the command line.
    pub name: &'static str,
    /// Its crate: the folder in `firmware/`.
    pub package: &'static str,
    /// Features of that crate.
    pub features: &'static [&'static str],
    /// What is measured, with the version.
    pub version: &'static str,
    /// Where its data is.
    pub storage: Storage,
    /// Whether its bytes on the wire are protobuf.
    pub is_protobuf: bool,
    /// Scenarios it cannot do.
    pub cannot: &'static [&'static str],
}

/// All of them, in the order of the table.
pub const PEERS: &[Peer] = &[
    Peer {
        name: "null",
        package: "null",
        features: &[],
        version: "the codec replaced by a copy of the struct",
        storage: Storage::Owned,
        is_protobuf: false,
        cannot: &["chunk_streamed"],
    },
    Peer {
        name: "micropb",
        package: "micropb",
        features: &[],
        version: "micropb 0.7.0, heapless containers, defaults",
        storage: Storage::Owned,
        is_protobuf: true,
        cannot: &["chunk_streamed"],
    },
    Peer {
        name: "micropb-tuned",
        package: "micropb",
        features: &["tuned"],
        version: "micropb 0.7.0 without accessors, wire type check and maximum sizes",
        storage: Storage::Owned,
        is_protobuf: true,
        cannot: &["chunk_streamed"],
    },
    Peer {
        name: "femtopb",
        package: "femtopb",
        features: &[],
        version: "femtopb 0.9.0; items of a list are decoded when they are read, which is outside its decode figure",
        storage: Storage::Borrowed,
        is_protobuf: true,
        cannot: &["chunk_streamed"],
    },
    Peer {
        name: "prost",
        package: "prost",
        features: &[],
        version: "prost 0.14.6 without std",
        storage: Storage::Heap,
        is_protobuf: true,
        cannot: &["chunk_streamed"],
    },
    Peer {
        name: "quick-protobuf",
        package: "quick-protobuf",
        features: &[],
        version: "quick-protobuf 0.8.1 without std; strings and bytes borrow from the buffer",
        storage: Storage::Heap,
        is_protobuf: true,
        cannot: &["chunk_streamed"],
    },
];
