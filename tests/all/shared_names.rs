//! Names that are stored once and used often: reports of them take little memory and time.
//!
//! Each file is smaller than a megabyte; without sharing each took gigabytes. `tests/memory` has
//! more such files, and limits for whole reports.

#[path = "../support/shared_names.rs"]
mod made;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use made::{
    CODE, FUNCTION, abbreviations, callgrind, doubled_names, elf, gmon, heap, line_table,
    rust_name, table_of, unit, with_directory,
};

/// The address space of the program in KiB, including its own code.
const MEMORY: u32 = 512 << 10;

/// How long a report may take, on a machine that is busy with others.
const TIME: Duration = Duration::from_secs(60);

/// Runs the program in a directory with these files, in little memory.
fn run(line: &str, files: &[(&str, &[u8])]) -> Output {
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, bytes) in files {
        assert!(bytes.len() < 1 << 20, "{name} has {} bytes", bytes.len());
        fs::write(directory.path().join(name), bytes).expect("the folder is writable");
    }
    run_in(line, directory.path())
}

fn run_in(line: &str, directory: &Path) -> Output {
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let start = Instant::now();
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_profan")])
        .args(line.split(' '))
        .current_dir(directory)
        .env("LC_ALL", "C")
        .output()
        .expect("it can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "profan {line}: {said}");
    assert!(start.elapsed() < TIME, "profan {line} takes too long");
    output
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn symbols_may_share_a_long_name() {
    let strings = table_of(&"a".repeat(400_000));
    let program = elf((0..4000).map(|_| 1), &strings, &[]);
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(4000)), ("prog", &program)];
    let output = run("-i prog gmon.out", files);
    assert!(output.stdout.len() < 1000);
    let output = run("-p prog gmon.out", files);
    assert!(said(&output).contains("W046"), "{}", said(&output));
    assert!(output.stdout.len() < 40 << 20);
    run("gprof prog gmon.out", files);
}

#[test]
fn names_may_be_parts_of_a_long_one() {
    let strings = table_of(&"a".repeat(400_000));
    let program = elf(1..4001, &strings, &[]);
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(4000)), ("prog", &program)];
    for line in ["-i prog gmon.out", "--format json prog gmon.out", "gprof prog gmon.out"] {
        run(line, files);
    }
}

#[test]
fn a_name_of_nested_back_references_is_demangled_once() {
    let strings = table_of(&rust_name(7));
    let program = elf((0..4000).map(|_| 1), &strings, &[]);
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(4000)), ("prog", &program)];
    let output = run("-p prog gmon.out", files);
    assert!(said(&output).contains("W045"), "{}", said(&output));
    run("gprof prog gmon.out", files);
}

#[test]
fn names_with_many_doublings_stay_mangled() {
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(2)), ("prog", &doubled_names(2, 4))];
    let output = run("-p prog gmon.out", files);
    assert!(String::from_utf8_lossy(&output.stdout).contains("f0(A, P<A, A>"));
    let program = doubled_names(5000, 11);
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(5000)), ("prog", &program)];
    let output = run("-p prog gmon.out", files);
    assert!(said(&output).contains("W045"), "{}", said(&output));
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("_Z5f49991A1PIS_S_E"));
    run("gprof prog gmon.out", files);
}

#[test]
fn functions_of_a_heap_may_share_a_long_name() {
    let files: &[(&str, &[u8])] = &[("heap", &heap(4000, &"a".repeat(400_000)))];
    for line in ["-p heap", "heap", "-p --format json heap", "mprof heap"] {
        let output = run(line, files);
        let is_own = !line.starts_with("mprof");
        assert_eq!(said(&output).contains("W046"), is_own, "{}", said(&output));
        assert!(output.stdout.len() < 100 << 20, "profan {line}");
    }
}

#[test]
fn functions_of_many_files_may_share_a_long_name() {
    let text = callgrind(4000, &"a".repeat(400_000));
    let files: &[(&str, &[u8])] = &[("callgrind.out", &text)];
    for line in [
        "-p callgrind.out",
        "callgrind.out",
        "--format json callgrind.out",
        "-p --format csv callgrind.out",
        "-p --format markdown callgrind.out",
        "-q --format dot callgrind.out",
    ] {
        let output = run(line, files);
        assert!(said(&output).contains("W046"), "{}", said(&output));
        assert!(output.stdout.len() < 100 << 20, "profan {line}");
    }
}

#[test]
fn files_may_share_a_long_directory() {
    let directory = format!("/{}", "d".repeat(400_000));
    let program = with_directory(4000, &directory);
    let files: &[(&str, &[u8])] = &[("gmon.out", &gmon(4000)), ("prog", &program)];
    for line in ["-p -l prog gmon.out", "gprof -p -l prog gmon.out", "gprof -p -l -L prog gmon.out"]
    {
        run(line, files);
    }
}

/// A program of so many units, each with so many functions, and a line for each byte.
fn with_units(n_units: usize, n_functions: usize) -> Vec<u8> {
    let size = n_functions as u64 * FUNCTION;
    let (mut line, mut info) = (Vec::new(), Vec::new());
    for number in 0..n_units {
        let start = CODE + number as u64 * size;
        info.extend(unit("/src", line.len(), start, size));
        // Rows, each for the next line and the next byte, and the end.
        let rows =
            [&[1][..], &[33].repeat(usize::try_from(size).expect("it is small") - 1), &[2, 1]]
                .concat();
        line.extend(line_table(number..number + 1, start, &rows));
    }
    let sections =
        [(".debug_line", line), (".debug_abbrev", abbreviations()), (".debug_info", info)];
    elf((0..n_units * n_functions).map(|_| 1), &table_of("f"), &sections)
}

#[test]
fn debug_information_of_code_with_samples_is_read_first() {
    let program = with_units(20, 600);
    let everywhere = gmon(12_000);
    let mut in_the_last = everywhere.clone();
    let bins = everywhere.len() - 2 * 12_000;
    in_the_last[bins..everywhere.len() - 2 * 600].fill(0);
    let line = "-p -l --limit-memory 24M gmon.out prog";
    let output = run(line, &[("gmon.out", &in_the_last), ("prog", &program)]);
    let expected = "prog: debug information of code without samples is skipped: it needs too much";
    assert!(said(&output).contains(expected), "{}", said(&output));
    let rows = String::from_utf8_lossy(&output.stdout);
    assert_eq!(rows.matches("(13.c:").count(), 9600, "a row for each byte of the last unit");
    let output = run(line, &[("gmon.out", &everywhere), ("prog", &program)]);
    let expected = " % of the samples is skipped: it needs too much";
    assert!(said(&output).contains(expected), "{}", said(&output));
}
