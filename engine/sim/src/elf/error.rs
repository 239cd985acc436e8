//! Why a file could not be read as firmware.

/// What is wrong with an ELF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// The first bytes are not `7f 45 4c 46`.
    #[error("not an ELF file")]
    NotElf,
    /// An ELF file of another word size or byte order.
    #[error("not a 32-bit little-endian ELF file")]
    WrongClass,
    /// An ELF file for another processor; the number is `e_machine`.
    #[error("not an Arm ELF file (machine {0})")]
    WrongMachine(u16),
    /// Something lies outside the file, as after a broken download.
    #[error("the {what} at offset {offset:#x} does not fit into the file's {file} bytes")]
    Truncated {
        /// The structure that was being read.
        what: &'static str,
        /// Where it should start, in bytes from the start of the file.
        offset: u64,
        /// Length of the file in bytes.
        file: u64,
    },
    /// A table's entries have a size this format does not know.
    #[error("the {what} has entries of {size} bytes instead of {expected}")]
    EntrySize {
        /// The table.
        what: &'static str,
        /// The size the file gives, in bytes.
        size: u32,
        /// The size of the format, in bytes.
        expected: u32,
    },
    /// A section number beyond the section table.
    #[error("the {what} refers to section {index}, but there are {count}")]
    SectionIndex {
        /// Who refers.
        what: &'static str,
        /// The number given.
        index: u32,
        /// How many sections there are.
        count: u32,
    },
    /// A segment that ends beyond the 32-bit address space.
    #[error("a segment of {size} bytes at {address:#010x} ends beyond the address space")]
    Segment {
        /// Physical (load) address.
        address: u32,
        /// Bytes in the file.
        size: u32,
    },
    /// A name that is not text, or does not end within its string table.
    #[error("the name at offset {offset:#x} of a string table is not text that ends there")]
    Name {
        /// Offset within the string table, in bytes.
        offset: u32,
    },
    /// All names together are far longer than the file: it was made to exhaust memory.
    #[error("the names in the file add up to more than {limit} bytes")]
    NamesTooLong {
        /// The budget, in bytes.
        limit: usize,
    },
    /// Nothing to load.
    #[error("the file has no loadable contents")]
    Empty,
}
