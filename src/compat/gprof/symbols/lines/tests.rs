//! Whole images; GNU addr2line and gprof 2.40 gave the expected answers.

use object::{Object, ObjectSection};

use super::budget::LineDamage;
use super::index::SourcePoint;
use super::*;
use crate::symbols::DebugSections;

/// More than the size of any file here.
const N_BYTES: u64 = 1 << 20;

/// Text of an answer: `function file:line`, or `-`.
fn describe(index: &LineIndex<'_>, point: Option<SourcePoint<'_>>) -> String {
    let Some(point) = point else {
        return "-".to_string();
    };
    let function = String::from_utf8_lossy(point.function);
    let file = String::from_utf8_lossy(index.file_names().nth(point.file.0 as usize).unwrap());
    format!("{function} {file}:{}", point.line)
}

fn check(image: &str, debug: &str, expected: &[(u64, &str)]) {
    let image = std::fs::read(image).unwrap();
    let image = object::File::parse(&*image).unwrap();
    let debug = std::fs::read(debug).unwrap();
    let sections = DebugSections::load(&object::File::parse(&*debug).unwrap(), N_BYTES);
    let mut index = LineIndex::new(&sections, &image);
    for &(address, text) in expected {
        let point = index.ask(address).point;
        assert_eq!(describe(&index, point), text, "at {address:#x}");
    }
}

#[test]
fn lines_come_from_a_separate_file() {
    let expected = [(0x4011b9, "spin /src/gp/debuglink/main.c:7"), (0x401160, "-")];
    let (image, debug) = ("fixtures/gprof/debuglink/prog", "fixtures/gprof/debuglink/prog.debug");
    check(image, debug, &expected);
}

#[test]
fn a_line_program_of_dwarf_5_starts_with_file_zero() {
    let image = "fixtures/gprof/samename/prog";
    let expected = [
        (0x4011a6, "inline_step /src/gp/samename/main.c:4"),
        (0x4011e4, "helper /src/gp/samename/main.c:4"),
        (0x4012cf, "helper /src/gp/samename/lib/a.c:4"),
    ];
    check(image, image, &expected);
}

#[test]
fn a_32_bit_line_table_of_a_64_bit_unit_is_noted_and_ignored() {
    let bytes = std::fs::read("fixtures/gprof/dw-dwarf5-64/prog").unwrap();
    let image = object::File::parse(&*bytes).unwrap();
    let sections = DebugSections::load(&image, N_BYTES);
    let mut index = LineIndex::new(&sections, &image);
    assert_eq!(index.ask(0x11c9).point, None);
    assert_eq!(index.notes()[0].damage, LineDamage::MixedFormats);
}

#[test]
fn a_sweep_gives_the_same_answers_as_single_questions() {
    let bytes = std::fs::read("fixtures/gprof/cxx-o2/prog").unwrap();
    let image = object::File::parse(&*bytes).unwrap();
    let sections = DebugSections::load(&image, N_BYTES);
    let text = image.section_by_name(".text").unwrap();
    let addresses = text.address()..text.address() + text.size();
    let mut swept = LineIndex::new(&sections, &image);
    let mut asked = LineIndex::new(&sections, &image);
    // The second time answers differ from the first.
    for n_runs in [589, 489] {
        let mut runs = Vec::new();
        swept.sweep(addresses.clone(), |run| runs.push(run));
        assert_eq!(runs.len(), n_runs);
        for run in runs {
            for address in run.start..run.end {
                assert_eq!(asked.ask(address).point, run.point, "at {address:#x}");
            }
        }
    }
    assert!(swept.file_names().eq(asked.file_names()));
}

#[test]
fn damaged_files_are_survived() {
    let bytes = std::fs::read("fixtures/gprof/samename/prog").unwrap();
    let image = object::File::parse(&*bytes).unwrap();
    let mut state = 1_u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..4 {
            // Debugging information lies in the second half of the file.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let half = bytes.len() / 2;
            let at = usize::try_from(state >> 33).unwrap() % half;
            damaged[half + at] = state.to_le_bytes()[2];
        }
        if let Ok(object) = object::File::parse(&*damaged) {
            let sections = DebugSections::load(&object, N_BYTES);
            LineIndex::new(&sections, &image).sweep(0x401000..0x402000, |_| {});
        }
    }
}
