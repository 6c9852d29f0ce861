//! Real and synthetic images. The expected values of real images are the output of
//! `llvm-symbolizer --inlines` for the same addresses.

use std::ops::Range;
use std::path::Path;

use gimli::SectionId;

use super::{CodeIndex, DebugSections, Source, SplitFiles};
use crate::model::Address;
use crate::progress::Progress;
use crate::symbols::sampled::SampledCode;

/// More than the size of any file here.
const N_BYTES: u64 = 1 << 20;

const ALL: Range<Address> = Address(0)..Address(0x50_0000);

/// `outermost<call … innermost<call file:line` of the code at an address.
fn describe(sections: &DebugSections<'_>, address: u64) -> String {
    let no_files = SplitFiles::new(Path::new("prog"), &[]);
    let source = Source::new(sections, &no_files, &[Address(0x1000)..ALL.end]);
    let no_samples = SampledCode::default();
    let mut index = CodeIndex::new(&source, &no_samples, Progress::default());
    let lines = index.lines(&[ALL]);
    let code_ranges = index.code_ranges(&[ALL], &lines);
    let met = index.finish();
    let (files, inlined) = (met.files, met.inlined);
    let place = |line: Option<crate::symbols::SourceLine>| {
        line.map_or("-".to_owned(), |line| {
            let name = files.name(line.file);
            format!("{}:{}", String::from_utf8_lossy(name), line.line)
        })
    };
    let found = code_ranges.iter().find(|s| s.addresses.contains(&Address(address)));
    let Some(found) = found else {
        return "-".to_owned();
    };
    let mut text = place(found.source);
    let mut next = found.inlined;
    while let Some(id) = next {
        let one = &inlined[id.0 as usize];
        let name = String::from_utf8_lossy(&one.name);
        text = format!("{name}<{} {text}", place(one.call));
        next = one.outer;
    }
    let function = found.function.as_deref().unwrap_or(b"-");
    format!("{} {text}", String::from_utf8_lossy(function))
}

fn check(debug: &str, expected: &[(u64, &str)]) {
    let debug = std::fs::read(debug).expect("the fixture is there");
    let debug = object::File::parse(&*debug).expect("the fixture can be read");
    let sections = DebugSections::load(&debug, N_BYTES);
    for &(address, text) in expected {
        assert_eq!(describe(&sections, address), text, "at {address:#x}");
    }
}

#[test]
fn lines_and_functions_follow_the_standard() {
    let main = "main /src/gp/dw-dwarf5-64/main.c:6";
    check("fixtures/gprof/dw-dwarf5-64/prog", &[(0x11c9, main)]);
    let spin = "spin /src/gp/debuglink/main.c:7";
    let split_off = "fixtures/gprof/debuglink/prog.debug";
    check(split_off, &[(0x4011b9, spin), (0x401160, "-")]);
    let inlined = "inline_step /src/gp/samename/lib/work.h:4";
    check("fixtures/gprof/samename/prog", &[(0x4011a6, inlined)]);
}

#[test]
fn inlined_functions_come_with_their_calls() {
    let c = "/src/gp/inline-o2/inl.c";
    let image = "fixtures/gprof/inline-o2/prog";
    let twist = format!("round_one twist<{c}:15 {c}:7");
    check(image, &[(0x1238, &twist)]);
    let cc = "/src/gp/cxx-o2/shapes.cc";
    let spin = format!("main _ZNK3geo3BoxIdE4areaEv<{cc}:49 spin<{cc}:21 {cc}:9");
    check("fixtures/gprof/cxx-o2/prog", &[(0x1241, &spin)]);
}

#[test]
fn damaged_files_are_survived() {
    let bytes = std::fs::read("fixtures/gprof/samename/prog").expect("the fixture is there");
    let mut state = 1_u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..4 {
            // Debugging information lies in the second half of the file.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let half = bytes.len() / 2;
            let at = usize::try_from(state >> 33).expect("it is small") % half;
            damaged[half + at] = state.to_le_bytes()[2];
        }
        if let Ok(object) = object::File::parse(&*damaged) {
            let sections = DebugSections::load(&object, N_BYTES);
            let no_files = SplitFiles::new(Path::new("prog"), &[]);
            let source = Source::new(&sections, &no_files, &[]);
            let no_samples = SampledCode::default();
            let mut index = CodeIndex::new(&source, &no_samples, Progress::default());
            let lines = index.lines(&[ALL]);
            index.code_ranges(&[ALL], &lines);
        }
    }
}

#[test]
fn many_addresses_have_the_lines_that_each_has() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof");
    let bytes = std::fs::read(fixtures.join("dw-dwarf5-64/prog")).expect("it is there");
    let object = object::File::parse(&*bytes).expect("it can be read");
    let sections = DebugSections::load(&object, N_BYTES);
    let (no_files, no_samples) = (SplitFiles::new(Path::new("prog"), &[]), SampledCode::default());
    let start = object::Object::entry(&object);
    // Each address often, in no order.
    let addresses: Vec<_> = (0..20_000).map(|n| Address(start + n * 7919 % 1009)).collect();
    let places = |addresses: &[Address]| {
        let source = Source::new(&sections, &no_files, &[]);
        let mut index = CodeIndex::new(&source, &no_samples, Progress::default());
        let lines = index.locate(addresses.iter().copied());
        let files = index.finish().files;
        let place = |line: crate::symbols::SourceLine| (files.name(line.file).to_vec(), line.line);
        let places = lines.into_iter().map(|line| line.map(place));
        (places.collect::<Vec<_>>(), files.ids().map(|id| files.name(id).to_vec()).collect())
    };
    let (found, files): (_, Vec<_>) = places(&addresses);
    let few = addresses.chunks(1000).flat_map(|addresses| places(addresses).0);
    assert!(found.iter().flatten().count() > 1000, "most addresses have lines");
    assert_eq!(found, few.collect::<Vec<_>>());
    assert_eq!(files, places(&addresses[..1009]).1, "files are in order of first appearance");
}

/// A section that starts with its length.
fn with_length(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("tests are small");
    [&length.to_le_bytes(), body].concat()
}

/// A unit of DWARF 4 whose entries are these, without the end of their lists.
fn unit(entries: &[u8]) -> Vec<u8> {
    let header = [4, 0, 0, 0, 0, 0, 8];
    with_length(&[&header, entries].concat())
}

/// 1: a unit with a line program; 2: a subprogram of 16 bytes at 0x1000; 3: an inlined
/// function without anything. The latter two have children.
const ABBREVIATIONS: &[u8] = &[
    1, 0x11, 1, 0x10, 0x17, 0, 0, //
    2, 0x2e, 1, 0x11, 1, 0x12, 0xb, 0, 0, //
    3, 0x1d, 1, 0, 0, 0,
];

const SUBPROGRAM: &[u8] = &[2, 0, 0x10, 0, 0, 0, 0, 0, 0, 16];

/// A line program of one file: `rows` special opcodes from 0x1000 on.
fn line_program(rows: usize) -> Vec<u8> {
    let registers = [1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1];
    let names = [0, b'a', 0, 0, 0, 0, 0];
    let mut body = vec![3, 0];
    body.extend(with_length(&[&registers[..], &names].concat()));
    body.extend([0, 9, 2, 0, 0x10, 0, 0, 0, 0, 0, 0]);
    body.extend(std::iter::repeat_n(30, rows));
    body.extend([2, 1, 0, 1, 1]);
    with_length(&body)
}

fn notes_on(info: Vec<u8>, lines: Vec<u8>) -> (usize, Vec<String>) {
    let sections = DebugSections::of(vec![
        (SectionId::DebugAbbrev, ABBREVIATIONS.to_vec()),
        (SectionId::DebugInfo, info),
        (SectionId::DebugLine, lines),
    ]);
    let code = [Address(0x1000)..Address(0x1_0000_0000)];
    let no_files = SplitFiles::new(Path::new("prog"), &[]);
    let source = Source::new(&sections, &no_files, &code);
    let no_samples = SampledCode::default();
    let mut index = CodeIndex::new(&source, &no_samples, Progress::default());
    let lines = index.lines(&code);
    let n_code_ranges = index.code_ranges(&code, &lines).len();
    (n_code_ranges, index.finish().notes)
}

#[test]
fn units_after_a_broken_one_are_read() {
    let sound = unit(&[&[1, 0, 0, 0, 0], SUBPROGRAM, &[0, 0]].concat());
    let mut broken = sound.clone();
    broken[4] = 99;
    let (n_code_ranges, notes) = notes_on([broken, sound].concat(), line_program(4));
    assert_eq!(n_code_ranges, 4);
    assert_eq!(notes, ["unit at 0x0 of `.debug_info` ignored: unknown DWARF version: 99"]);
}

#[test]
fn functions_that_are_inlined_too_deep_are_not_asked_for() {
    let deep = [3].repeat(1_000_000);
    let info = unit(&[&[1, 0, 0, 0, 0], SUBPROGRAM, &deep].concat());
    let (n_code_ranges, notes) = notes_on(info, line_program(4));
    assert_eq!(n_code_ranges, 4);
    let expected = "unit at 0x0 of `.debug_info` ignored: inlining is more than 256 \
        levels deep";
    assert_eq!(notes, [expected]);
}

#[test]
fn a_line_program_that_all_units_share_is_not_read_by_all() {
    let info = unit(&[1, 0, 0, 0, 0, 0]).repeat(10_000);
    let (_, notes) = notes_on(info, line_program(1_000_000));
    assert!(notes.iter().any(|note| note.contains("too much time")), "{notes:?}");
}
