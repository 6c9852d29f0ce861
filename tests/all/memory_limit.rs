//! A report that exceeds the memory limit ends in an error and a status, not a signal.

use std::fs::File;
use std::path::Path;

use crate::support::{Outcome, run_line};

/// More than the default limit, without using the disk.
const SIZE: u64 = 5 << 30;

/// Runs a command line with `huge`, a file of zeros.
fn beside_huge(line: &str) -> Outcome {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let huge = File::create(directory.path().join("huge")).expect("a file can be made");
    huge.set_len(SIZE).expect("it can be long");
    run_line(line, b"", directory.path())
}

fn check(line: &str, status: i32, first: &str) {
    let outcome = beside_huge(line);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(said.lines().next(), Some(first), "{line}");
    assert_eq!((outcome.status, &*outcome.stdout), (status, &b""[..]), "{line}");
}

#[test]
fn more_than_the_limit_is_an_error() {
    let first = "profan: error[E029]: this needs more than 4.0 GiB of memory";
    check("profan huge", 2, first);
    check("profan diff huge huge", 2, first);
    check("profan --format json -o out.json huge", 2, first);
    let first = "profan: error[E029]: this needs more than 500.0 MiB of memory";
    check("profan --limit-memory 500M -i huge", 2, first);
}

#[test]
fn the_command_line_is_read_within_the_limit() {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let words = directory.path().join("words");
    std::fs::write(&words, "a ".repeat(1 << 20)).expect("it can be written");
    for line in [
        "profan --limit-memory 20M -p @words",
        "profan --limit-memory=20M @words",
        "profan diff --limit-memory 20M @words",
    ] {
        let outcome = run_line(line, b"", directory.path());
        let said = String::from_utf8_lossy(&outcome.stderr);
        let first = "profan: error[E029]: this needs more than 20.0 MiB of memory";
        assert_eq!(said.lines().next(), Some(first), "{line}");
        assert_eq!(outcome.status, 2, "{line}");
    }
}

#[test]
fn originals_have_the_memory_limit_too() {
    let work = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities/work");
    let gprof = format!("gprof {} huge", work.display());
    check(&gprof, 1, "gprof: this needs more than 4.0 GiB of memory");
    check("mprof huge", 1, "mprof: this needs more than 4.0 GiB of memory");
}

#[cfg(unix)]
#[test]
fn a_stack_of_32_kilobytes_is_enough() {
    use std::process::Command;

    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oddities");
    for line in ["-p sound.gmon work", "gprof -b work sound.gmon", "help"] {
        let run = |limit: &str| {
            let line = format!("{limit} exec \"$0\" {line}");
            let mut command = Command::new("sh");
            command.args(["-c", &line, env!("CARGO_BIN_EXE_profan")]);
            let output = command.current_dir(&directory).output();
            output.expect("there is a shell")
        };
        let (output, expected) = (run("ulimit -s 32 &&"), run(""));
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(output.stdout, expected.stdout, "{line}");
    }
}

/// The limit is higher than the memory that the system allows.
#[cfg(unix)]
#[test]
fn memory_that_the_system_refuses_is_an_error() {
    use std::process::Command;

    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let huge = directory.path().join("huge");
    let file = File::create(&huge).expect("a file can be made");
    file.set_len(SIZE).expect("it can be long");
    let line = "ulimit -v 2000000 && exec \"$0\" --limit-memory 20G -i \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_profan")]);
    let output = command.arg(&huge).output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let first = "profan: error[E029]: this needs more memory than the system has";
    assert_eq!(said.lines().next(), Some(first));
    assert_eq!(output.status.code(), Some(2));
}
