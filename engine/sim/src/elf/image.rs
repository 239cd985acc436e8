//! [`Image`]: a checked ELF file.

use std::ops::Range;

use super::ElfError;
use super::reader::Reader;

const EHDR_SIZE: u64 = 52;
const PHDR_SIZE: u32 = 32;
const SHDR_SIZE: u32 = 40;
const SYM_SIZE: u32 = 16;
const EM_ARM: u16 = 40;
const PT_LOAD: u32 = 1;
const SHT_NULL: u32 = 0;
const SHT_SYMTAB: u32 = 2;
const SHT_NOBITS: u32 = 8;

/// A firmware image: what is loaded, and the names of its parts.
#[derive(Clone, Debug)]
pub struct Image {
    file: Vec<u8>,
    entry: u32,
    segments: Vec<Segment>,
    sections: Vec<Section>,
    symbols: Vec<Symbol>,
}

/// Bytes to be placed in memory before the reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Physical (load) address: flash for `.data`, not the address it is copied to.
    pub address: u32,
    /// Where the firmware sees it when it runs.
    pub virtual_address: u32,
    /// Bytes it occupies when it runs; what exceeds the file's bytes is zeroed by the start-up code.
    pub memory_size: u32,
    /// `p_flags`: 1 execute, 2 write, 4 read.
    pub flags: u32,
    range: Range<usize>,
}

impl Segment {
    /// Bytes in the file.
    pub fn file_size(&self) -> u32 {
        self.range.len() as u32
    }
}

/// A section, as the linker laid it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// `.text`, `.rodata` and so on.
    pub name: String,
    /// `sh_type`: 1 PROGBITS, 8 NOBITS.
    pub kind: u32,
    /// `sh_flags`: 1 write, 2 allocated, 4 executable.
    pub flags: u32,
    /// Address when running; 0 for sections that are not loaded.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    range: Range<usize>,
}

impl Section {
    /// Whether it takes room in flash or RAM.
    pub fn is_allocated(&self) -> bool {
        self.flags & 2 != 0
    }

    /// Whether it holds code.
    pub fn is_executable(&self) -> bool {
        self.flags & 4 != 0
    }

    /// Whether it is written when running, so that it takes RAM.
    pub fn is_writable(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Whether the file holds no bytes for it, as for `.bss`.
    pub fn is_zeroed(&self) -> bool {
        self.kind == SHT_NOBITS
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code (`STT_FUNC`).
    Function,
    /// Data (`STT_OBJECT`).
    Object,
    /// Everything else; the number is `STT_*`: 0 a linker script's symbol or a label.
    Other(u8),
}

/// A name at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As in the file, mangled.
    pub name: String,
    /// Address without the Thumb bit.
    pub address: u32,
    /// Bytes; 0 where the compiler gave none.
    pub size: u32,
    /// Code, data or other.
    pub kind: SymbolKind,
    /// Index into [`Image::sections`]; `None` for absolute and undefined symbols.
    pub section: Option<usize>,
}

impl Image {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// Every deviation from the format that would make a later answer wrong: see [`ElfError`].
    ///
    /// ```
    /// use wirebench_sim::{ElfError, Image};
    /// assert_eq!(Image::load(b"#!/bin/sh").unwrap_err(), ElfError::NotElf);
    /// ```
    pub fn load(file: &[u8]) -> Result<Self, ElfError> {
        let mut reader = Reader::new(file);
        if file.get(..4) != Some(b"\x7fELF") {
            return Err(ElfError::NotElf);
        }
        let header = reader.slice("file header", 0, EHDR_SIZE)?;
        if header[4..6] != [1, 1] {
            return Err(ElfError::WrongClass);
        }
        let machine = reader.u16("file header", 18)?;
        if machine != EM_ARM {
            return Err(ElfError::WrongMachine(machine));
        }
        let segments = segments(&reader)?;
        let headers = section_headers(&reader)?;
        let sections = sections(&mut reader, &headers)?;
        let symbols = symbols(&mut reader, &headers, sections.len())?;
        if segments.is_empty() {
            return Err(ElfError::Empty);
        }
        let entry = reader.u32("file header", 24)?;
        Ok(Self { file: file.to_vec(), entry, segments, sections, symbols })
    }

    /// An image without names: `bytes` at `address`, as a flash programmer sees it.
    ///
    /// # Errors
    /// [`ElfError::Empty`] without bytes, [`ElfError::Segment`] beyond the address space.
    ///
    /// ```
    /// let image = wirebench_sim::Image::from_bytes(0x0800_0000, &[0; 8]).unwrap();
    /// assert_eq!(image.segments()[0].address, 0x0800_0000);
    /// ```
    pub fn from_bytes(address: u32, bytes: &[u8]) -> Result<Self, ElfError> {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if size == 0 {
            return Err(ElfError::Empty);
        }
        check_segment(address, size)?;
        let segment =
            Segment { address, virtual_address: address, memory_size: size, flags: 5, range: 0..bytes.len() };
        Ok(Self {
            file: bytes.to_vec(),
            entry: address,
            segments: vec![segment],
            sections: Vec::new(),
            symbols: Vec::new(),
        })
    }

    /// `e_entry`, with its Thumb bit. The machine starts from the vector table instead, as a chip does.
    pub fn entry(&self) -> u32 {
        self.entry
    }

    /// What is loaded, in the file's order; only parts with bytes in the file.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The bytes of one of [`segments`](Self::segments).
    pub fn segment_data(&self, segment: &Segment) -> &[u8] {
        self.file.get(segment.range.clone()).unwrap_or(&[])
    }

    /// All sections, the empty first one included, so that indices agree with other tools.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The bytes of one of [`sections`](Self::sections); none for `.bss` and its like.
    pub fn section_data(&self, section: &Section) -> &[u8] {
        self.file.get(section.range.clone()).unwrap_or(&[])
    }

    /// All symbols with a name, in the file's order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The first symbol of that (mangled) name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|s| s.name == name)
    }
}

fn check_segment(address: u32, size: u32) -> Result<(), ElfError> {
    match u64::from(address) + u64::from(size) <= 1 << 32 {
        true => Ok(()),
        false => Err(ElfError::Segment { address, size }),
    }
}

fn check_entry_size(what: &'static str, size: u32, expected: u32) -> Result<(), ElfError> {
    match size == expected {
        true => Ok(()),
        false => Err(ElfError::EntrySize { what, size, expected }),
    }
}

fn segments(reader: &Reader) -> Result<Vec<Segment>, ElfError> {
    let table = u64::from(reader.u32("file header", 28)?);
    let count = reader.u16("file header", 44)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    check_entry_size("program header table", reader.u16("file header", 42)?.into(), PHDR_SIZE)?;
    let mut segments = Vec::new();
    for index in 0..u64::from(count) {
        let at = table + index * u64::from(PHDR_SIZE);
        let word = |n: u64| reader.u32("program header", at + n * 4);
        let [kind, offset, virtual_address, address, file_size, memory_size, flags] =
            [word(0)?, word(1)?, word(2)?, word(3)?, word(4)?, word(5)?, word(6)?];
        word(7)?;
        if kind != PT_LOAD || file_size == 0 {
            continue;
        }
        reader.slice("segment", offset.into(), file_size.into())?;
        check_segment(address, file_size)?;
        check_segment(virtual_address, memory_size.max(file_size))?;
        let range = offset as usize..offset as usize + file_size as usize;
        segments.push(Segment { address, virtual_address, memory_size, flags, range });
    }
    Ok(segments)
}

struct SectionHeader {
    name: u32,
    kind: u32,
    flags: u32,
    address: u32,
    offset: u32,
    size: u32,
    link: u32,
    entry_size: u32,
}

fn section_headers(reader: &Reader) -> Result<Vec<SectionHeader>, ElfError> {
    let table = u64::from(reader.u32("file header", 32)?);
    let count = reader.u16("file header", 48)?;
    if count == 0 || table == 0 {
        return Ok(Vec::new());
    }
    check_entry_size("section table", reader.u16("file header", 46)?.into(), SHDR_SIZE)?;
    let mut headers = Vec::new();
    for index in 0..u64::from(count) {
        let at = table + index * u64::from(SHDR_SIZE);
        let word = |n: u64| reader.u32("section header", at + n * 4);
        headers.push(SectionHeader {
            name: word(0)?,
            kind: word(1)?,
            flags: word(2)?,
            address: word(3)?,
            offset: word(4)?,
            size: word(5)?,
            link: word(6)?,
            entry_size: word(9)?,
        });
    }
    Ok(headers)
}

fn sections(reader: &mut Reader, headers: &[SectionHeader]) -> Result<Vec<Section>, ElfError> {
    if headers.is_empty() {
        return Ok(Vec::new());
    }
    let names_index = reader.u16("file header", 50)?.into();
    let names = section_bytes(reader, headers, "section names", names_index)?;
    let mut sections = Vec::with_capacity(headers.len());
    for header in headers {
        let name = reader.name(names, header.name)?;
        let stored = if matches!(header.kind, SHT_NULL | SHT_NOBITS) { 0 } else { header.size };
        if stored > 0 {
            reader.slice("section", header.offset.into(), stored.into())?;
        }
        let range = header.offset as usize..header.offset as usize + stored as usize;
        sections.push(Section {
            name,
            kind: header.kind,
            flags: header.flags,
            address: header.address,
            size: header.size,
            range,
        });
    }
    Ok(sections)
}

fn symbols(reader: &mut Reader, headers: &[SectionHeader], count: usize) -> Result<Vec<Symbol>, ElfError> {
    let Some(index) = headers.iter().position(|h| h.kind == SHT_SYMTAB) else {
        return Ok(Vec::new());
    };
    let header = &headers[index];
    check_entry_size("symbol table", header.entry_size, SYM_SIZE)?;
    let table = section_bytes(reader, headers, "symbol table", index as u32)?;
    let names = section_bytes(reader, headers, "symbol names", header.link)?;
    let mut symbols = Vec::new();
    for entry in table.chunks_exact(SYM_SIZE as usize) {
        let word = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let name = reader.name(names, word(0))?;
        if name.is_empty() {
            continue;
        }
        let kind = match entry[12] & 15 {
            1 => SymbolKind::Object,
            2 => SymbolKind::Function,
            other => SymbolKind::Other(other),
        };
        let section = usize::from(u16::from_le_bytes([entry[14], entry[15]]));
        let address = if kind == SymbolKind::Function { word(4) & !1 } else { word(4) };
        let section = (section != 0 && section < count).then_some(section);
        symbols.push(Symbol { name, address, size: word(8), kind, section });
    }
    Ok(symbols)
}

fn section_bytes<'a>(
    reader: &Reader<'a>,
    headers: &[SectionHeader],
    what: &'static str,
    index: u32,
) -> Result<&'a [u8], ElfError> {
    let count = headers.len() as u32;
    let header = headers.get(index as usize).ok_or(ElfError::SectionIndex { what, index, count })?;
    reader.slice(what, header.offset.into(), header.size.into())
}
