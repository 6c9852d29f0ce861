//! Input never controls the terminal, in any view and for any type of terminal.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use portable_pty::CommandBuilder;

use crate::support::{Scratch, run_line, words_of};
use crate::terminal::{Seen, Session, copy_of};

/// Controls, and characters that turn or hide others.
const NASTY: &str = "\x1b[2J\u{9b}2J\u{202e}\u{2028}\u{200b}\u{feff}\u{e0041}";

/// The same as it is shown.
const SHOWN: &str = r"\x1b[2J\x9b2J\u{202e}\u{2028}\u{200b}\u{feff}\u{e0041}";

/// Puts bytes in the place of others wherever they are in a file.
fn patch(path: &Path, old: &[u8], new: &[u8]) {
    let bytes = fs::read(path).expect("it is there");
    let mut patched = Vec::with_capacity(bytes.len());
    let (mut rest, mut n_found) = (&*bytes, 0);
    while let Some(at) = rest.windows(old.len()).position(|window| window == old) {
        patched.extend_from_slice(&rest[..at]);
        patched.extend_from_slice(new);
        rest = &rest[at + old.len()..];
        n_found += 1;
    }
    patched.extend_from_slice(rest);
    assert!(n_found > 0, "nothing to patch in {}", path.display());
    fs::write(path, patched).expect("it is writable");
}

fn shown(line: &str, scratch: Scratch) -> Seen {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.args(words_of(line));
    let env = [("NO_COLOR", "1"), ("PROFAN_PAGER", "")];
    Session::run(command, scratch, (200, 60), &env).finish()
}

fn check_clean(line: &str, seen: &Seen, expected: &str) {
    let is_nasty = |c: char| NASTY.contains(c) && !c.is_ascii_graphic();
    let found: Vec<_> = seen.text.matches(is_nasty).collect();
    assert!(found.is_empty(), "{line}: {found:?} in {:?}", seen.text);
    assert!(seen.text.contains(expected), "{line}: {}", seen.text);
}

/// A profile whose dimension would clear the screen.
fn with_dimension() -> Scratch {
    let scratch = copy_of("oddities");
    let profile = scratch.path().join("sound.gmon");
    patch(&profile, b"seconds\0\0\0\0\0\0\0\0s", b"\x1b[2Jsec\xe2\x80\xae\0\0\0\0\0\x07");
    scratch
}

#[test]
fn the_dimension_of_a_histogram_is_text() {
    for line in [
        "-p sound.gmon work",
        "-q sound.gmon work",
        "-p --explain sound.gmon work",
        "-b -p -T sound.gmon work",
        "-A sound.gmon work",
        "-p --all --error sound.gmon work",
        "--format json sound.gmon work",
        "--format csv sound.gmon work",
        "--format markdown sound.gmon work",
        "-i sound.gmon work",
        "diff sound.gmon slow.gmon work",
        "-p -o /dev/tty sound.gmon work",
        "-p -o /dev/stdout sound.gmon work",
        "-p -o /proc/self/fd/1 sound.gmon work",
        "-p -o /dev/fd/2 sound.gmon work",
        "gprof -p work sound.gmon",
        "gprof -q work sound.gmon",
    ] {
        check_clean(line, &shown(line, with_dimension()), "");
    }
    let line = "-p sound.gmon work";
    check_clean(line, &shown(line, with_dimension()), r"\x1b[2Jsec\u{202e}");
}

/// The originals print bytes of files to pipes unchanged.
#[test]
fn bytes_in_a_pipe_are_unchanged() {
    let scratch = with_dimension();
    for line in ["profan gprof -p work sound.gmon", "profan -p sound.gmon work"] {
        let outcome = run_line(line, b"", scratch.path());
        let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
        assert!(text.contains("\x1b[2Jsec\u{202e}"), "{line}: {text}");
    }
}

#[test]
fn names_are_text_in_every_format() {
    let with_names = || {
        let scratch = copy_of("tour");
        for file in ["time.txt", "show-prof.txt", "interp.table"] {
            let path = scratch.path().join(file);
            let bytes = fs::read(&path).unwrap_or_default();
            if bytes.windows(6).any(|window| window == b"Vm.run") {
                patch(&path, b"Vm.run", format!("Vm{NASTY}run").as_bytes());
            }
        }
        scratch
    };
    for format in ["text", "json", "jsonl", "csv", "tsv", "markdown", "dot"] {
        let line = format!("--format {format} time.txt time.out");
        check_clean(&line, &shown(&line, with_names()), "Vm");
    }
    for format in ["text", "lcov", "junit"] {
        let line = format!("--coverage --format {format} show-prof.txt mlmon.out");
        check_clean(&line, &shown(&line, with_names()), "");
    }
    let line = "time.txt time.out";
    check_clean(line, &shown(line, with_names()), &format!("Vm{SHOWN}run"));
    let line = "mlprof interp.table time.out";
    check_clean(line, &shown(line, with_names()), "");
}

/// A message about a file contains its name.
#[test]
fn names_of_files_in_messages_are_text() {
    let named = || {
        let scratch = copy_of("oddities");
        let path = |name: &str| scratch.path().join(name);
        fs::copy(path("cut.gmon"), path(NASTY)).expect("files can be copied");
        scratch
    };
    for face in ["-p", "gprof work", "mprof", "mptrace", "mlprof"] {
        let line = format!("{face} '{NASTY}'");
        check_clean(&line, &shown(&line, named()), SHOWN);
    }
}

/// Colours of reports stay; colours in names do not appear.
#[test]
fn only_reports_set_colours() {
    let scratch = copy_of("oddities");
    let profile = scratch.path().join("sound.gmon");
    patch(&profile, b"seconds\0\0\0\0\0\0\0\0s", b"\x1b[31mred\0\0\0\0\0\0\0s");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_profan"));
    command.args(words_of("--color always --pager never -p sound.gmon work"));
    let seen = Session::run(command, scratch, (100, 40), &[]).finish();
    assert!(seen.text.contains("\x1b[1m"), "{:?}", seen.text);
    assert!(!seen.text.contains("\x1b[31mred"), "{:?}", seen.text);
}
