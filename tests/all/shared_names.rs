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

use made::{callgrind, doubled_names, elf, gmon, heap, rust_name, table_of, with_directory};

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
