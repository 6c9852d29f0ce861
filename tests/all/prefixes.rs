//! Every prefix of a profile and of an executable gives a report or an error, in
//! memory that a small multiple of the input bounds.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use profan::cli::{self, Command};
use profan::run::{Terminal, run};

use crate::memory::most_during;

/// Bytes that a run may use in addition to its multiple of the input: the tables of the command
/// line, buffers, and the debug information of a small executable.
const BASE: usize = 2 << 20;

/// Bytes that a run may take for each byte of input.
const FACTOR: usize = 64;

/// Understands a line; that takes longer than most reports.
fn parse(line: &str) -> Command {
    let command = cli::parse(line.split(' ').map(OsString::from));
    command.unwrap_or_else(|_| panic!("`{line}` should be understood"))
}

fn report(command: &Command) -> bool {
    let terminal = Terminal { columns: Some(80), ..Terminal::default() };
    match command {
        Command::Report(plan) => run(plan, terminal, &mut Vec::new(), &mut |_| ()).is_ok(),
        Command::Original(_, command) => command.run(&mut Vec::new(), &mut Vec::new()).is_ok(),
        other => panic!("it is no report: {other:?}"),
    }
}

/// Runs both modes on every prefix, and returns how many gave a report.
fn check(whole: &Path, step: usize, line_of: impl Fn(&str) -> String) -> usize {
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let cut = scratch.path().join("cut");
    let command = parse(&line_of(&cut.display().to_string()));
    let bytes = fs::read(whole).expect("the fixture is there");
    let mut n_reports = 0;
    for end in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
        fs::write(&cut, &bytes[..end]).expect("the prefix can be written");
        let what = format!("{end} bytes of {}", whole.display());
        n_reports += usize::from(measured(&command, &bytes, &what));
    }
    n_reports
}

/// Runs a command, and sees to the memory that it takes.
fn measured(command: &Command, bytes: &[u8], what: &str) -> bool {
    let (is_report, used) = most_during(|| report(command));
    assert!(used <= BASE + FACTOR * bytes.len(), "{what} took {used}");
    is_report
}

/// Runs lines on a file with single bytes changed, and returns how many gave a report.
fn check_changes(whole: &Path, lines_of: impl Fn(&str) -> Vec<String>) -> usize {
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let changed = scratch.path().join("changed");
    let bytes = fs::read(whole).expect("the fixture is there");
    let lines = lines_of(&changed.display().to_string());
    let commands: Vec<_> = lines.iter().map(|line| parse(line)).collect();
    let mut n_reports = 0;
    for place in 0..bytes.len() {
        for change in [0x01, 0x04, 0x7f, 0x80, 0xff] {
            let mut copy = bytes.clone();
            copy[place] ^= change;
            fs::write(&changed, &copy).expect("the copy can be written");
            let what = format!("byte {place} of {} ^ {change}", whole.display());
            for command in &commands {
                n_reports += usize::from(measured(command, &bytes, &what));
            }
        }
    }
    n_reports
}

#[test]
fn every_prefix_of_a_profile_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
    let file = |name: &str| directory.join(name);
    let work = file("work");
    let work_name = work.display();
    for name in ["sound.gmon", "bsd44.gmon", "old-bsd.gmon"] {
        let n_profan = check(&file(name), 1, |cut| format!("profan {cut} {work_name}"));
        let n_gprof = check(&file(name), 7, |cut| format!("profan gprof -b {work_name} {cut}"));
        assert!(n_profan > 100, "{name}: {n_profan} reports");
        assert!(n_gprof > 0, "{name}: no report");
    }
}

#[test]
fn every_prefix_of_a_profile_of_a_library_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
    let file = |name: &str| directory.join(name).display().to_string();
    let (library, gmon, work) = (file("libone.so"), file("sound.gmon"), file("work"));
    let profile = directory.join("libone.so.profile");
    let n_reports = check(&profile, 3, |cut| format!("profan {cut} {library}"));
    assert!(n_reports > 100, "{n_reports} reports");
    let n_reports = check(&profile, 3, |cut| format!("profan {cut} {library} {gmon} {work}"));
    assert!(n_reports > 100, "{n_reports} reports");
}

#[test]
fn every_prefix_of_an_executable_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
    let (work, sound) = (directory.join("work"), directory.join("sound.gmon"));
    let sound_name = sound.display();
    let n_profan = check(&work, 3, |cut| format!("profan {cut} {sound_name}"));
    let n_gprof = check(&work, 11, |cut| format!("profan gprof -b {cut} {sound_name}"));
    let n_by_line =
        check(&work, 23, |cut| format!("profan -l -p -q -C -A -c -r -z {cut} {sound_name}"));
    let n_by_line_as_gprof = check(&work, 29, |cut| {
        format!("profan gprof -b -l -p -q -C -A -c -r -z {cut} {sound_name}")
    });
    let n_examined = check(&work, 31, |cut| format!("profan doctor {cut} {sound_name}"));
    assert!(n_profan > 0 && n_gprof > 0 && n_by_line > 0 && n_by_line_as_gprof > 0);
    assert!(n_examined > 0);
}

// With every option of mptrace, and with profan.
#[test]
fn every_prefix_and_change_of_a_trace_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mpatrol-trace");
    let as_mptrace = |file: &str| format!("profan mptrace -v -s -H stdout -S stdout {file}");
    let as_profan = |file: &str| format!("profan {file}");
    for name in ["handmade-trace/ok.trace", "handmade-trace/doublefree.trace"] {
        let file = directory.join(name);
        assert_eq!(check(&file, 1, as_mptrace), 1, "{name}");
        assert!(check(&file, 1, as_profan) > 100, "{name}");
        let n_reports = check_changes(&file, |file| vec![as_mptrace(file), as_profan(file)]);
        assert!(n_reports > 100, "{name}: {n_reports} reports");
    }
}

#[test]
fn every_prefix_and_change_of_a_callgrind_profile_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/callgrind");
    let file = directory.join("threads/callgrind.out");
    let as_profan = |file: &str| format!("profan -i -p {file}");
    assert!(check(&file, 7, as_profan) > 100);
    assert!(check_changes(&file, |file| vec![as_profan(file)]) > 1000);
}

#[test]
fn every_prefix_and_change_of_perf_script_gives_a_report_or_an_error() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perf-script/stacks");
    let as_profan = |file: &str| format!("profan -p -q -l {file}");
    let small = directory.join("simpleperf.perf");
    assert!(check(&small, 1, as_profan) > 100);
    assert!(check_changes(&small, |file| vec![as_profan(file)]) > 1000);
    assert!(check(&directory.join("lines.perf"), 61, as_profan) > 100);
}
