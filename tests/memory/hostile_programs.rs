//! Programs of less than a megabyte whose debugging information would fill a machine.

use crate::elf::{Section, SectionCompression, program};

/// Incompressible bytes, so that the compression ratio of the other bytes looks plausible.
fn noise(n_bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_le_bytes()[7]
    };
    (0..n_bytes).map(next).collect()
}

/// A section may decompress to 256 times its size.
fn n_noise(n_bytes: usize) -> usize {
    n_bytes / 256
}

/// 1: a unit with lines; 2: a function of some bytes; 3: a unit without anything.
const ABBREVIATIONS: &[u8] = &[
    1, 0x11, 1, 0x10, 0x17, 0, 0, //
    2, 0x2e, 0, 0x11, 1, 0x12, 0xb, 0, 0, //
    3, 0x11, 0, 0, 0, 0,
];

/// A section or a part of one that starts with its length.
fn with_length(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("it is below 4 GiB");
    [&length.to_le_bytes(), body].concat()
}

/// A unit of DWARF 4 with these entries.
fn unit(entries: &[u8]) -> Vec<u8> {
    with_length(&[&[4, 0, 0, 0, 0, 0, 8][..], entries].concat())
}

/// A unit whose lines are the first ones.
fn unit_with_lines() -> Vec<u8> {
    unit(&[1, 0, 0, 0, 0, 0])
}

/// A line program of version 4 with these files and opcodes.
fn lines(files: &[u8], opcodes: &[u8]) -> Vec<u8> {
    let registers = [1, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1];
    let head = with_length(&[&registers[..], &[0], files, &[0]].concat());
    with_length(&[&[4, 0][..], &head, opcodes].concat())
}

/// Sets the address to the address of the code.
const AT_CODE: [u8; 11] = [0, 9, 2, 0, 0x10, 0x40, 0, 0, 0, 0, 0];

fn with_debug(info: &[u8], lines: &[u8], compression: SectionCompression) -> Vec<u8> {
    let noisy = |bytes: &[u8]| match compression {
        SectionCompression::None => bytes.to_vec(),
        _ => [bytes, &noise(n_noise(bytes.len()))].concat(),
    };
    let (info, lines) = if lines.len() > info.len() {
        (info.to_vec(), noisy(lines))
    } else {
        // The noise after the last unit reads as a unit of an unknown version.
        (noisy(info), lines.to_vec())
    };
    program(&[
        Section::new(".debug_abbrev", ABBREVIATIONS, SectionCompression::None),
        Section::new(".debug_info", &info, compression),
        Section::new(".debug_line", &lines, compression),
    ])
}

/// A file, `a`.
const FILE: &[u8] = b"a\0\0\0\0";

/// `n_bytes` of sequences of two rows, each four bytes.
pub(crate) fn sequences(n_bytes: usize, compression: SectionCompression) -> Vec<u8> {
    let opcodes = [30, 0, 1, 1].repeat(n_bytes / 4);
    with_debug(&unit_with_lines(), &lines(FILE, &opcodes), compression)
}

/// `n_bytes` of rows, each a byte.
pub(crate) fn rows(n_bytes: usize, compression: SectionCompression) -> Vec<u8> {
    let mut opcodes = AT_CODE.to_vec();
    opcodes.extend([30].repeat(n_bytes));
    opcodes.extend([2, 1, 0, 1, 1]);
    with_debug(&unit_with_lines(), &lines(FILE, &opcodes), compression)
}

/// `n_bytes` of names of files.
pub(crate) fn file_names(n_bytes: usize, compression: SectionCompression) -> Vec<u8> {
    let files = FILE.repeat(n_bytes / FILE.len());
    let opcodes = [&AT_CODE[..], &[30, 2, 200, 1, 0, 1, 1]].concat();
    with_debug(&unit_with_lines(), &lines(&files, &opcodes), compression)
}

/// `n_bytes` of units without anything.
pub(crate) fn units(n_bytes: usize, compression: SectionCompression) -> Vec<u8> {
    let one = unit(&[3]);
    let info = one.repeat(n_bytes / one.len());
    with_debug(&info, &lines(FILE, &[]), compression)
}

/// `n_bytes` of functions in one unit.
pub(crate) fn entries(n_bytes: usize, compression: SectionCompression) -> Vec<u8> {
    let one = [2, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 1];
    let all = one.repeat(n_bytes / one.len());
    let all = [&[1, 0, 0, 0, 0][..], &all, &[0]].concat();
    with_debug(&unit(&all), &lines(FILE, &[]), compression)
}

/// All sections that profan reads, each one compressed block of `n_bytes` and a few more.
pub(crate) fn one_block(n_bytes: usize) -> Vec<u8> {
    const NAMES: [&str; 9] = [
        ".debug_info",
        ".debug_abbrev",
        ".debug_addr",
        ".debug_line",
        ".debug_line_str",
        ".debug_ranges",
        ".debug_rnglists",
        ".debug_str",
        ".debug_str_offsets",
    ];
    let bytes = [vec![0; n_bytes], noise(n_noise(n_bytes))].concat();
    let mut sections = vec![Section::new(NAMES[0], &bytes, SectionCompression::Zlib)];
    sections.extend(NAMES[1..].iter().map(|name| Section::same_as(name, 0)));
    program(&sections)
}
