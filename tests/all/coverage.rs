//! From a table and profiles of entries to coverage, as text and as a tracefile.

use std::path::Path;

use profan::analyze::coverage::Coverage;
use profan::analyze::coverage_sections;
use profan::load::{Hints, Input, ReadPolicy, Sum, load};
use profan::render::{self, RenderOptions};
use profan::report::{NoNames, Report};

const TABLE: &str = "0x5eed0042\n12\n<unknown>\n<gc>\n<main>\nf\ta.sml: 3\nf.<case NONE>\ta.sml: 4\n\
    f.<case SOME x>\ta.sml: 4\nf.fn\ta.sml: 6\nf.fn\ta.sml: 7\nnever\ta.sml: 9\n\
    never.<val y>\ta.sml: 9\nList.map\t$(SML_LIB)/list.sml: 1\nodd\t<unknown>\n\
    3\n0 0\n1 0\n2 0\n1\n\n";

/// A profile with these entries of functions.
fn profile(entries: [u64; 12]) -> String {
    let rows: Vec<_> = entries.iter().map(|n| format!("{n}\n")).collect();
    let sum: u64 = entries.iter().sum();
    let head = format!("MLton prof\ncount\ncurrent\n0x5eed0042\n{sum} 0\n");
    format!("{head}3\n0\n0\n{sum}\n12\n{}", rows.concat())
}

fn coverage_of(files: &[String]) -> Option<Coverage> {
    let hints = Hints::default();
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    for file in files {
        let bytes = file.clone().into_bytes();
        let input = Input::from_bytes(Path::new("file"), bytes).expect("it is not compressed");
        sum.add(load(&input, &hints).expect("it is well-formed")).expect("they are of one program");
    }
    Coverage::new(&sum.into_profile().costs, |_| true)
}

fn coverage() -> Coverage {
    let first = profile([0, 0, 1, 5, 5, 0, 0, 2, 0, 0, 7, 9]);
    let second = profile([0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0]);
    coverage_of(&[first, TABLE.to_owned(), second]).expect("entries were counted")
}

fn rendered(coverage: &Coverage, format: &str) -> Vec<u8> {
    let report = Report {
        inputs: Vec::new(),
        metrics: Vec::new(),
        primary: 0,
        names: Box::new(NoNames),
        sections: coverage_sections(coverage),
        diagnostics: Vec::new(),
        command: Vec::new(),
        notes: Vec::new(),
        has_chosen_rows: false,
    };
    let mut text = Vec::new();
    let renderer = render::named(format).expect("there is such a format");
    let outcome = renderer.render(&report, &RenderOptions::default(), &mut text);
    outcome.expect("a vector takes it");
    text
}

#[test]
fn coverage_lists_functions_never_entered() {
    let mut coverage = coverage();
    coverage.files.retain(|file| *file.file == *b"a.sml");
    let text = rendered(&coverage, "text");
    let head = format!("{:>21}  {:>21}\n", "functions", "branches");
    let expected = "\
entered     of      %  entered     of      %  file
      3      4   75.0        1      3   33.3  a.sml

Never entered in a.sml:
      4  branch    f.<case SOME x>
      9  function  never
      9  branch    never.<val y>
";
    assert_eq!(String::from_utf8_lossy(&text), head + expected);
}

#[test]
fn a_tracefile_has_functions_branches_and_lines() {
    let text = rendered(&coverage(), "lcov");
    let expected = "\
TN:\nSF:$(SML_LIB)/list.sml\nFN:1,List.map\nFNDA:7,List.map\nFNF:1\nFNH:1\nBRF:0\nBRH:0\nDA:1,7\n\
LF:1\nLH:1\nend_of_record\n\
TN:\nSF:a.sml\nFN:3,f\nFN:6,f.fn:6\nFN:7,f.fn:7\nFN:9,never\n\
FNDA:6,f\nFNDA:3,f.fn:6\nFNDA:2,f.fn:7\nFNDA:0,never\nFNF:4\nFNH:3\n\
BRDA:4,0,0,5\nBRDA:4,0,1,0\nBRDA:9,0,0,-\nBRF:3\nBRH:1\n\
DA:3,6\nDA:4,5\nDA:6,3\nDA:7,2\nDA:9,0\nLF:5\nLH:4\nend_of_record\n";
    assert_eq!(String::from_utf8_lossy(&text), expected);
}

#[test]
fn only_entries_cover() {
    assert_eq!(coverage_of(&[TABLE.to_owned()]), None);
    let time = profile([1; 12]).replace("count", "time");
    assert_eq!(coverage_of(&[TABLE.to_owned(), time]), None);
}
