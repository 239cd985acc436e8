//! Files that need not be on the user's disk: protobuf's own and the options of nanopb.

use prost_reflect::prost_types::FileDescriptorProto;
use protox::file::{File, FileResolver, GoogleFileResolver};

/// Name by which schemas import nanopb's options.
pub(super) const NANOPB: &str = "nanopb.proto";

/// Options of nanopb, with its published names and numbers, so that a schema that imports them
/// checks without nanopb on the disk.
const NANOPB_TEXT: &str = include_str!("nanopb.proto");

/// One of `google/protobuf/*.proto`. These win over files on the disk, because newer copies use
/// syntax that the compiler does not know.
pub(super) fn google(name: &str) -> Option<FileDescriptorProto> {
    if !name.starts_with("google/protobuf/") {
        return None;
    }
    let file = GoogleFileResolver::new().open_file(name).ok()?;
    Some(file.file_descriptor_proto().clone())
}

/// The options of nanopb, for a project that does not bring its own.
pub(super) fn nanopb() -> Option<FileDescriptorProto> {
    let file = File::from_source(NANOPB, NANOPB_TEXT).ok()?;
    let mut proto = file.file_descriptor_proto().clone();
    proto.source_code_info = None;
    Some(proto)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_files_are_whole() {
        assert!(google("google/protobuf/descriptor.proto").is_some());
        assert!(google("google/protobuf/nothing.proto").is_none());
        assert!(nanopb().is_some_and(|proto| proto.extension.len() == 4));
    }
}
