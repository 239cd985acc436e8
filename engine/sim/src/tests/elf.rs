//! ELF files: the fixtures read completely, and damaged in every way.

use std::fs;
use std::path::Path;

use crate::{ElfError, Image, SymbolKind};

fn fixture() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/instructions.elf")).unwrap()
}

#[test]
fn segments_sections_and_symbols_are_read() {
    let image = Image::load(&fixture()).unwrap();
    assert_eq!(image.segments().iter().map(|s| s.address).min(), Some(0x0800_0000));
    let text = image.sections().iter().find(|s| s.name == ".text").unwrap();
    assert!(text.is_allocated() && text.is_executable() && !text.is_writable() && !text.is_zeroed());
    assert_eq!(image.section_data(text).len(), text.size as usize);
    let reset = image.symbol("Reset").unwrap();
    assert_eq!((reset.kind, reset.address), (SymbolKind::Function, image.entry() & !1));
    assert_eq!(image.sections()[reset.section.unwrap()].name, ".text");
    let in_text = text.address..text.address + text.size;
    assert!(in_text.contains(&reset.address) && reset.size > 0);
    let vectors = image.sections().iter().find(|s| s.name == ".vector_table").unwrap();
    assert_eq!(image.section_data(vectors)[4..8], (reset.address | 1).to_le_bytes());
    assert!(image.symbol("no such function").is_none());
}

/// A file cut anywhere is refused, or still complete in all that is read of it.
#[test]
fn every_truncation_is_an_error() {
    let file = fixture();
    let whole = Image::load(&file).unwrap();
    let shoff = u32::from_le_bytes(file[32..36].try_into().unwrap()) as usize;
    let shnum = usize::from(u16::from_le_bytes(file[48..50].try_into().unwrap()));
    let end = shoff + shnum * 40;
    assert!(end <= file.len());
    for length in 0..end {
        let error = Image::load(&file[..length]).expect_err("a truncated file was accepted");
        let expected = matches!(error, ElfError::NotElf | ElfError::Truncated { .. });
        assert!(expected, "{length}: {error}");
    }
    let cut = Image::load(&file[..end]).unwrap();
    assert_eq!(cut.symbols(), whole.symbols());
}

/// Every header field with every absurd value.
#[test]
fn absurd_values_are_errors_or_harmless() {
    let file = fixture();
    let phoff = u32::from_le_bytes(file[28..32].try_into().unwrap()) as usize;
    let shoff = u32::from_le_bytes(file[32..36].try_into().unwrap()) as usize;
    let headers = (4..52).chain(phoff..phoff + 5 * 32).chain(shoff..file.len().min(shoff + 20 * 40));
    for at in headers {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] = value;
            // Whatever is accepted can be asked for everything.
            if let Ok(image) = Image::load(&damaged) {
                touch(&image);
            }
        }
    }
}

fn touch(image: &Image) {
    for segment in image.segments() {
        assert_eq!(image.segment_data(segment).len(), segment.file_size() as usize);
    }
    for section in image.sections() {
        let data = image.section_data(section).len();
        assert!(data == 0 || data == section.size as usize);
    }
}

fn patched(at: usize, bytes: &[u8]) -> Result<Image, ElfError> {
    let mut file = fixture();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    Image::load(&file)
}

#[test]
fn the_error_says_what_is_wrong() {
    assert_eq!(Image::load(b"").unwrap_err(), ElfError::NotElf);
    assert_eq!(patched(4, &[2]).unwrap_err(), ElfError::WrongClass);
    assert_eq!(patched(5, &[2]).unwrap_err(), ElfError::WrongClass);
    assert_eq!(patched(18, &[62, 0]).unwrap_err(), ElfError::WrongMachine(62));
    let size = patched(42, &[33, 0]).unwrap_err();
    assert_eq!(size, ElfError::EntrySize { what: "program header table", size: 33, expected: 32 });
    assert!(matches!(
        patched(28, &[0xff; 4]).unwrap_err(),
        ElfError::Truncated { what: "program header", .. }
    ));
    assert!(matches!(
        patched(50, &[0xff; 2]).unwrap_err(),
        ElfError::SectionIndex { what: "section names", .. }
    ));
    assert_eq!(patched(44, &[0, 0]).unwrap_err(), ElfError::Empty);
    let message = ElfError::Truncated { what: "segment", offset: 0x1000, file: 12 }.to_string();
    assert_eq!(message, "the segment at offset 0x1000 does not fit into the file's 12 bytes");
}

/// Many symbols that share one long name must not multiply it.
#[test]
fn names_have_a_budget() {
    let name_length = 60_000;
    let symbols = 4_000;
    let mut file = fixture();
    file.truncate(52);
    let (strings, table) = (52, 52 + name_length + 1);
    file.extend(std::iter::repeat_n(b'a', name_length).chain([0]));
    file.resize(table + symbols * 16, 0);
    let headers = file.len();
    let mut header = |kind: u32, offset: usize, size: usize, link: u32, entry: u32| {
        // The section's own name is the empty end of the strings.
        let words = [name_length as u32, kind, 0, 0, offset as u32, size as u32, link, 0, 0, entry];
        file.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    };
    header(3, strings, name_length + 1, 0, 0);
    header(2, table, symbols * 16, 0, 16);
    file[44..46].copy_from_slice(&[0, 0]);
    file[32..36].copy_from_slice(&(headers as u32).to_le_bytes());
    file[48..52].copy_from_slice(&[2, 0, 0, 0]);
    let limit = file.len() * 16;
    assert_eq!(Image::load(&file).unwrap_err(), ElfError::NamesTooLong { limit });
}
