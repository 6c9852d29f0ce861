//! Little programs with debugging information of any size, in compressed sections.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The compression of a section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SectionCompression {
    None,
    Zlib,
    Zstd,
}

/// A section of a program.
pub(crate) struct Section {
    pub(crate) name: &'static str,
    /// The stored bytes, with the header of a compressed section.
    stored: Vec<u8>,
    is_compressed: bool,
    /// The section whose bytes these are too.
    same_as: Option<usize>,
}

impl Section {
    pub(crate) fn new(name: &'static str, bytes: &[u8], compression: SectionCompression) -> Self {
        let (kind, compressed) = match compression {
            SectionCompression::None => (0_u32, bytes.to_vec()),
            SectionCompression::Zlib => (1, zlib(bytes)),
            SectionCompression::Zstd => (2, zstd(bytes)),
        };
        let mut stored = Vec::new();
        if compression != SectionCompression::None {
            stored.extend(kind.to_le_bytes());
            stored.extend([0; 4]);
            stored.extend((bytes.len() as u64).to_le_bytes());
            stored.extend(1_u64.to_le_bytes());
        }
        stored.extend(compressed);
        Self { name, stored, is_compressed: compression != SectionCompression::None, same_as: None }
    }

    /// A section with the same compressed bytes as another one of the list.
    pub(crate) fn same_as(name: &'static str, index: usize) -> Self {
        Self { name, stored: Vec::new(), is_compressed: true, same_as: Some(index) }
    }
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// One frame of blocks, each of one byte that is repeated where the bytes allow.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 1 << 17;
    // A window of 8 MiB, and no size.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3];
    let n_blocks = bytes.len().div_ceil(BLOCK).max(1);
    let mut blocks = bytes.chunks(BLOCK);
    for index in 0..n_blocks {
        let block = blocks.next().unwrap_or_default();
        let is_last = u32::from(index + 1 == n_blocks);
        let repeated = block.first().filter(|first| block.iter().all(|byte| byte == *first));
        let size = u32::try_from(block.len()).expect("blocks are small");
        let kind = u32::from(repeated.is_some());
        frame.extend(&(is_last | kind << 1 | size << 3).to_le_bytes()[..3]);
        match repeated {
            Some(&byte) => frame.push(byte),
            None => frame.extend(block),
        }
    }
    frame
}

pub(crate) const TEXT_START: u64 = 0x40_1000;
pub(crate) const TEXT_SIZE: u64 = 0x1_0000;

/// A program for x86-64: a function of 64 KiB at [`TEXT_START`], and these sections.
pub(crate) fn program(sections: &[Section]) -> Vec<u8> {
    program_at(TEXT_START, sections)
}

/// The same program with its function elsewhere.
pub(crate) fn program_at(text_start: u64, sections: &[Section]) -> Vec<u8> {
    const HEADER: usize = 64;
    let mut names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0".to_vec();
    let mut bytes = vec![0; HEADER];
    // As many `nop` instructions as bytes of code.
    let text_at = bytes.len() as u64;
    bytes.extend(vec![0x90; usize::try_from(TEXT_SIZE).expect("it is small")]);
    let symbols_at = bytes.len() as u64;
    bytes.extend([0; 24]);
    // `main`, global, a function, in section 1.
    bytes.extend([1, 0, 0, 0, 0x12, 0, 1, 0]);
    bytes.extend(text_start.to_le_bytes());
    bytes.extend(TEXT_SIZE.to_le_bytes());
    let strings_at = bytes.len() as u64;
    bytes.extend(b"\0main\0");
    let mut headers = vec![
        header(0, 0, 0, 0, 0, 0, [0; 4]),
        header(1, 1, 6, text_start, text_at, TEXT_SIZE, [0, 0, 16, 0]),
        header(7, 2, 0, 0, symbols_at, 48, [3, 1, 8, 24]),
        header(15, 3, 0, 0, strings_at, 6, [0, 0, 1, 0]),
    ];
    let mut places = Vec::new();
    for section in sections {
        let (at, size) = match section.same_as {
            Some(index) => places[index],
            None => (bytes.len() as u64, section.stored.len() as u64),
        };
        places.push((at, size));
        bytes.extend(&section.stored);
        let name = u32::try_from(names.len()).expect("names are short");
        names.extend(section.name.as_bytes());
        names.push(0);
        let flags = if section.is_compressed { 0x800 } else { 0 };
        headers.push(header(name, 1, flags, 0, at, size, [0, 0, 1, 0]));
    }
    let names_at = bytes.len() as u64;
    bytes.extend(&names);
    headers.push(header(23, 3, 0, 0, names_at, names.len() as u64, [0, 0, 1, 0]));
    let headers_at = bytes.len() as u64;
    let n_headers = u16::try_from(headers.len()).expect("there are few sections");
    bytes.extend(headers.concat());
    let mut start = b"\x7fELF\x02\x01\x01".to_vec();
    start.resize(16, 0);
    start.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    start.extend(text_start.to_le_bytes());
    start.extend(0_u64.to_le_bytes());
    start.extend(headers_at.to_le_bytes());
    start.extend([0, 0, 0, 0, 64, 0, 56, 0, 0, 0, 64, 0]);
    start.extend(n_headers.to_le_bytes());
    start.extend((n_headers - 1).to_le_bytes());
    bytes[..HEADER].copy_from_slice(&start);
    bytes
}

/// A section header: name, type, flags, address, place, size; link, info, alignment and
/// the size of an entry.
fn header(
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    at: u64,
    size: u64,
    rest: [u64; 4],
) -> Vec<u8> {
    let [link, info, alignment, entry] = rest;
    let mut header = Vec::new();
    header.extend(name.to_le_bytes());
    header.extend(kind.to_le_bytes());
    for word in [flags, address, at, size] {
        header.extend(word.to_le_bytes());
    }
    for half in [link, info] {
        header.extend(u32::try_from(half).expect("they are small").to_le_bytes());
    }
    header.extend(alignment.to_le_bytes());
    header.extend(entry.to_le_bytes());
    header
}
