//! Files whose names are stored once and used often.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the files are small, and so are all numbers in them"
)]

use std::ops::Range;

/// The start of the code of generated programs.
pub(crate) const CODE: u64 = 0x40_0000;

/// Bytes of each of their functions.
pub(crate) const FUNCTION: u64 = 16;

/// An executable for x86-64 with functions of 16 bytes whose names start at these places of
/// a string table, and with these debugging sections.
pub(crate) fn elf(
    names: impl Iterator<Item = usize>,
    strings: &[u8],
    debug: &[(&str, Vec<u8>)],
) -> Vec<u8> {
    let mut symbols = vec![0; 24];
    let mut address = CODE;
    for name in names {
        symbols.extend(u32::try_from(name).expect("offsets are small").to_le_bytes());
        // A global function of the first section.
        symbols.extend([0x12, 0, 1, 0]);
        symbols.extend(address.to_le_bytes());
        symbols.extend(FUNCTION.to_le_bytes());
        address += FUNCTION;
    }
    const NO_BITS: u32 = 8;
    let mut sections = vec![
        (".text", NO_BITS, Vec::new()),
        (".symtab", 2, symbols),
        (".strtab", 3, strings.to_vec()),
    ];
    sections.extend(debug.iter().map(|(name, bytes)| (*name, 1, bytes.clone())));
    sections.push((".shstrtab", 3, Vec::new()));
    let mut section_names = vec![0];
    let mut starts = Vec::new();
    for (name, ..) in &sections {
        starts.push(section_names.len() as u32);
        section_names.extend(name.bytes().chain([0]));
    }
    let n_sections = sections.len() as u16 + 1;
    sections.last_mut().expect("there are some").2 = section_names;
    let mut body = Vec::new();
    let mut headers = vec![0; 64];
    for (start, (name, kind, bytes)) in starts.into_iter().zip(sections) {
        let offset = 64 + body.len() as u64;
        let is_code = name == ".text";
        let size = if is_code { address - CODE } else { bytes.len() as u64 };
        let (link, info, entry) =
            if name == ".symtab" { (3_u32, 1_u32, 24_u64) } else { (0, 0, 0) };
        headers.extend([start, kind].map(u32::to_le_bytes).as_flattened());
        let flags = if is_code { 6 } else { 0 };
        let start = if is_code { CODE } else { 0 };
        headers.extend([flags, start, offset, size].map(u64::to_le_bytes).as_flattened());
        headers.extend([link, info].map(u32::to_le_bytes).as_flattened());
        headers.extend([1, entry].map(u64::to_le_bytes).as_flattened());
        body.extend(bytes);
    }
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0".to_vec();
    let headers_at = 64 + body.len() as u64;
    file.extend([CODE, 0, headers_at].map(u64::to_le_bytes).as_flattened());
    file.extend([0; 4]);
    let sizes = [64, 0, 0, 64, n_sections, n_sections - 1];
    file.extend(sizes.map(u16::to_le_bytes).as_flattened());
    [file, body, headers].concat()
}

/// A profile with a tick in each of so many functions.
pub(crate) fn gmon(n_functions: u32) -> Vec<u8> {
    let end = CODE + u64::from(n_functions) * FUNCTION;
    let mut file = b"gmon\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend([CODE, end].map(u64::to_le_bytes).as_flattened());
    file.extend([n_functions, 100].map(u32::to_le_bytes).as_flattened());
    file.extend(b"seconds\0\0\0\0\0\0\0\0s");
    file.extend(b"\x01\0".repeat(n_functions as usize));
    file
}

/// A table of one string.
pub(crate) fn table_of(name: &str) -> Vec<u8> {
    [b"\0", name.as_bytes(), b"\0"].concat()
}

/// A number as names of Rust have it: `_` is 0.
fn base_62(number: usize) -> String {
    const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut digits = Vec::new();
    let mut rest = number.checked_sub(1);
    while let Some(value) = rest {
        digits.push(DIGITS[value % 62]);
        rest = (value >= 62).then_some(value / 62);
    }
    digits.reverse();
    String::from_utf8(digits).expect("digits are text") + "_"
}

/// A Rust name whose argument is a tuple of four tuples of four, and so on.
pub(crate) fn rust_name(depth: usize) -> String {
    let mut name = "_RIC1a".to_owned();
    let mut before = name.len() - 2;
    name += "TuuuuE";
    for _ in 0..depth {
        let this = name.len() - 2;
        let part = format!("B{}", base_62(before));
        name += &format!("T{}E", part.repeat(4));
        before = this;
    }
    name + "E"
}

/// A C++ name of a function with one parameter, a pair of pairs, and so on.
fn doubled_name(number: usize, n_doublings: u32) -> String {
    let function = format!("f{number}");
    let mut name = format!("_Z{}{function}1A1PIS_S_E", function.len());
    for index in 0..n_doublings {
        let part = char::from_digit(1 + index, 36).expect("there are few");
        let part = part.to_ascii_uppercase();
        name += &format!("S0_IS{part}_S{part}_E");
    }
    name
}

/// A program with so many of these names.
pub(crate) fn doubled_names(n_names: usize, n_doublings: u32) -> Vec<u8> {
    let mut strings = vec![0];
    let mut places = Vec::new();
    for number in 0..n_names {
        places.push(strings.len());
        strings.extend(doubled_name(number, n_doublings).bytes().chain([0]));
    }
    elf(places.into_iter(), &strings, &[])
}

/// An allocation profile of mpatrol with call sites of so many functions of one name.
pub(crate) fn heap(n_functions: u32, name: &str) -> Vec<u8> {
    let mut words = vec![1, 10501, 32, 256, 2048, 0, 1, 1];
    words.extend(1..=16);
    words.push(n_functions);
    for index in 0..n_functions {
        words.extend([index + 1, 0, 0x1005 + 16 * index, index + 1, 1, 1]);
    }
    words.push(n_functions);
    words.extend((0..n_functions).map(|index| 0x1000 + 16 * index));
    let strings = table_of(name);
    words.push(strings.len() as u32);
    let words: Vec<_> = words.into_iter().map(u32::to_le_bytes).collect();
    [b"MPTL", words.as_flattened(), &strings, b"MPTL"].concat()
}

/// A profile of callgrind with a function of one name in each of so many files.
pub(crate) fn callgrind(n_files: usize, name: &str) -> Vec<u8> {
    let mut text = "# callgrind format\nevents: Ir\n".to_owned();
    text += &format!("fl=(1) a.c\nfn=(1) {name}\n1 5\n");
    for number in 2..=n_files {
        text += &format!("fl=({number}) f{number}.c\nfn=(1)\n1 5\n");
    }
    text += &format!("totals: {}\n", 5 * n_files);
    text.into_bytes()
}

/// A program of so many functions, each in its own file in this directory.
pub(crate) fn with_directory(n_files: usize, directory: &str) -> Vec<u8> {
    elf((0..n_files).map(|_| 1), &table_of("f"), &lines(n_files, directory))
}

/// A number in LEB128.
fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push((number % 128) as u8 | 128);
        number /= 128;
    }
    bytes.push(number as u8);
    bytes
}

fn with_length(bytes: Vec<u8>) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).expect("sections are small");
    [&length.to_le_bytes()[..], &bytes].concat()
}

/// Debugging information of version 4: a line for each function, each in its own file in this
/// directory.
fn lines(n_files: usize, directory: &str) -> [(&'static str, Vec<u8>); 3] {
    let mut program = Vec::new();
    for file in 1..=n_files {
        // The file, the next line, a row, and on to the next function.
        let row = [&[4][..], &leb(file), &[3, 1, 1, 2, FUNCTION as u8]];
        program.extend(row.concat());
    }
    let line = line_table(0..n_files, CODE, &program);
    let info = unit(directory, 0, CODE, n_files as u64 * FUNCTION);
    [(".debug_line", line), (".debug_abbrev", abbreviations()), (".debug_info", info)]
}

/// A line table of files with these numbers. Its program starts at an address.
pub(crate) fn line_table(files: Range<usize>, start: u64, program: &[u8]) -> Vec<u8> {
    let mut tables = vec![1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0];
    for file in files {
        tables.extend(format!("{file:x}.c\0\0\0\0").bytes());
    }
    tables.push(0);
    let head_size = u32::try_from(tables.len()).expect("tables are small");
    let head = [&[4, 0][..], &head_size.to_le_bytes(), &tables].concat();
    let start = [b"\0\x09\x02", &start.to_le_bytes()[..]].concat();
    with_length([&head[..], &start, program, b"\0\x01\x01"].concat())
}

/// A unit with a name, a directory, the offset of its lines, and a code range.
pub(crate) fn unit(directory: &str, lines: usize, start: u64, size: u64) -> Vec<u8> {
    let unit = [
        &[4, 0, 0, 0, 0, 0, 8, 1][..],
        b"a.c\0",
        directory.as_bytes(),
        &[0],
        &u32::try_from(lines).expect("sections are small").to_le_bytes(),
        &start.to_le_bytes(),
        &size.to_le_bytes(),
    ];
    with_length(unit.concat())
}

/// The abbreviation of [`unit`].
pub(crate) fn abbreviations() -> Vec<u8> {
    let forms = [[0x03, 0x08], [0x1b, 0x08], [0x10, 0x17], [0x11, 0x01], [0x12, 0x07]];
    [&[1, 0x11, 0], forms.as_flattened(), &[0; 3]].concat()
}
