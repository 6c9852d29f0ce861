//! Recorded command lines, one test each.
//!
//! Every folder below `fixtures` may hold `expected/WHO/NN.cmd`: a command line
//! that is run in a copy of the folder, and beside it what must come of it:
//!
//! | file | what | when absent |
//! |---|---|---|
//! | `NN.stdout` | standard output, byte for byte | not compared |
//! | `NN.stderr` | standard error: exact for profan, for others only whether there is any | empty |
//! | `NN.exit` | exit status | 0 |
//! | `NN.files/` | files that it makes, byte for byte | not compared |
//! | `NN.inputs/` | more files that are put into the copy | none |
//! | `NN.stdin` | what is fed to standard input | nothing |
//! | `NN.mode` | `lines-in-order`: each line of `NN.stdout` must be there, in its order; `clean`: nothing but a status from 0 to 2 | exact |
//!
//! What is below `expected/profan` is ours: `PROFAN_BLESS=1 cargo test` writes it
//! anew, and a change to it is reviewed like code. What is below `expected/gprof`,
//! `expected/mprof` and the like came from the program of that name and is never
//! written here.

mod support;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use support::{Outcome, Scratch, commands_below, run_line};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let trials = commands_below(&root)
        .into_iter()
        .map(|command| {
            let name = command.strip_prefix(&root).expect("found below the root");
            let name = name.with_extension("").display().to_string();
            Trial::test(name, move || check(&command))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn check(command: &Path) -> Result<(), Failed> {
    let beside = command.parent().expect("a file is in a folder");
    let case = beside
        .ancestors()
        .nth(2)
        .expect("expected/WHO is in a case");
    let is_ours = beside.ends_with("expected/profan");
    let line = fs::read_to_string(command)?;
    let stdin = fs::read(command.with_extension("stdin")).unwrap_or_default();
    let scratch = Scratch::copy_of(case);
    if let Ok(inputs) = fs::read_dir(command.with_extension("inputs")) {
        for input in inputs {
            let input = input?;
            fs::copy(input.path(), scratch.path().join(input.file_name()))?;
        }
    }
    let outcome = run_line(line.trim_end(), &stdin, scratch.path());
    if is_ours && std::env::var_os("PROFAN_BLESS").is_some() {
        return bless(command, &outcome);
    }
    compare(command, &outcome, is_ours)?;
    compare_files(&command.with_extension("files"), scratch.path())
}

fn compare(command: &Path, outcome: &Outcome, is_ours: bool) -> Result<(), Failed> {
    let expected = |extension: &str| fs::read(command.with_extension(extension)).ok();
    let mode = expected("mode").unwrap_or_default();
    if mode.starts_with(b"clean") {
        return check_clean(outcome);
    }
    let status = expected("exit").map_or(0, |text| {
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        text.parse().expect("an exit status is a number")
    });
    if outcome.status != status {
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        return Err(format!("exit status {}, not {status}: {stderr}", outcome.status).into());
    }
    let is_in_order = mode.starts_with(b"lines-in-order");
    match expected("stdout") {
        Some(stdout) if is_in_order => check_lines(&stdout, &outcome.stdout)?,
        Some(stdout) => check_bytes("standard output", &stdout, &outcome.stdout)?,
        None => {}
    }
    let stderr = expected("stderr").unwrap_or_default();
    if is_ours {
        check_bytes("standard error", &stderr, &outcome.stderr)
    } else if stderr.is_empty() == outcome.stderr.is_empty() {
        Ok(())
    } else {
        let ours = String::from_utf8_lossy(&outcome.stderr).into_owned();
        Err(format!("standard error is `{ours}`").into())
    }
}

/// The original crashed or never ended here.
fn check_clean(outcome: &Outcome) -> Result<(), Failed> {
    match outcome.status {
        0..=2 => Ok(()),
        status => Err(format!("exit status {status}").into()),
    }
}

fn compare_files(expected: &Path, made: &Path) -> Result<(), Failed> {
    let Ok(files) = fs::read_dir(expected) else {
        return Ok(());
    };
    for file in files {
        let file = file?;
        let name = file.file_name().display().to_string();
        let actual = fs::read(made.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        check_bytes(&name, &fs::read(file.path())?, &actual)?;
    }
    Ok(())
}

fn check_bytes(what: &str, expected: &[u8], actual: &[u8]) -> Result<(), Failed> {
    if expected == actual {
        return Ok(());
    }
    let (expected, actual) = (
        String::from_utf8_lossy(expected),
        String::from_utf8_lossy(actual),
    );
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    let difference = lines.find(|(_, (left, right))| left != right);
    let message = match difference {
        Some((index, (left, right))) => {
            format!(
                "line {}\nexpected: {left:?}\nactual:   {right:?}",
                index + 1
            )
        }
        None => format!("expected {} bytes, got {}", expected.len(), actual.len()),
    };
    Err(format!("{what} differs: {message}").into())
}

fn check_lines(expected: &[u8], actual: &[u8]) -> Result<(), Failed> {
    let mut have = actual.split(|&byte| byte == b'\n');
    for line in expected.split(|&byte| byte == b'\n') {
        if !line.is_empty() && !have.any(|other| other == line) {
            let line = String::from_utf8_lossy(line).into_owned();
            return Err(format!("missing or out of order: {line:?}").into());
        }
    }
    Ok(())
}

fn bless(command: &Path, outcome: &Outcome) -> Result<(), Failed> {
    let write = |extension: &str, bytes: &[u8]| {
        let path = command.with_extension(extension);
        if bytes.is_empty() {
            let _ = fs::remove_file(path);
            return Ok(());
        }
        fs::write(path, bytes)
    };
    write("stdout", &outcome.stdout)?;
    write("stderr", &outcome.stderr)?;
    let status = match outcome.status {
        0 => String::new(),
        status => format!("{status}\n"),
    };
    write("exit", status.as_bytes())?;
    Ok(())
}
