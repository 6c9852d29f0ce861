//! Runs a program to get its table, as the original does.
//!
//! Only `mlprof` runs anything, because its users expect it: they built the program and name
//! it.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{self, Path};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use super::super::{READ_POLICY, first_line};
use crate::compat::WithFirstLine;
use crate::files::{MOST_BYTES, refuse_device};
use crate::load::{ReadError, read_mlton_table};
use crate::model::RecordedCosts;

/// Arguments that make a program print its table.
const ARGUMENTS: [&str; 2] = ["@MLton", "show-sources"];

/// Maximum time for a program to print its table. The largest take less than a second.
const MAX_TIME: Duration = Duration::from_secs(60);

/// The table that a program prints, or the contents of the file if it is not executable.
pub(super) fn read_table(program: &Path) -> Result<RecordedCosts> {
    let shown = program.display();
    let text = read(program).map_err(|error| {
        let is_missing = error.downcast_ref().is_some_and(is_not_found);
        let problem = if is_missing { "does not exist" } else { "does not run" };
        let exception = first_line::of_program(program, problem);
        let error = error.context(format!("cannot use the program `{shown}`"));
        WithFirstLine::add(Some(exception), error)
    })?;
    parse(&text).map_err(|error| {
        let exception = first_line::of_table(&error, &text, program);
        let cannot = format!("cannot use the table of the program `{shown}`");
        WithFirstLine::add(exception, anyhow::Error::new(error).context(cannot))
    })
}

fn is_not_found(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Reads a table. As in the original, text after its end is an error.
fn parse(text: &[u8]) -> Result<RecordedCosts, ReadError> {
    let (costs, damage) = read_mlton_table(text, READ_POLICY)?;
    match damage {
        None => Ok(costs),
        Some(damage) => Err(damage.error),
    }
}

fn read(program: &Path) -> Result<Vec<u8>> {
    refuse_device(program)?;
    let mut file = File::open(program)?;
    let mut head = Vec::new();
    (&mut file).take(4).read_to_end(&mut head)?;
    if is_program(&head) {
        return ask(program, MAX_TIME);
    }
    // A file with the suffix `.txt` is not a program, and the original would not run it.
    if program.extension().is_some_and(|extension| extension == "txt") {
        bail!(
            "it is a text, which does not run: name it after its program, or pass it to profan \
             instead of mlprof"
        );
    }
    read_bounded(file, &mut head)?;
    Ok(head)
}

/// Returns whether a file is executable: ELF, Windows, macOS, or a script.
fn is_program(head: &[u8]) -> bool {
    const MAGICS: [&[u8]; 8] = [
        b"\x7fELF",
        b"MZ",
        b"#!",
        b"\xfe\xed\xfa\xce",
        b"\xfe\xed\xfa\xcf",
        b"\xce\xfa\xed\xfe",
        b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
    ];
    MAGICS.iter().any(|magic| head.starts_with(magic))
}

/// Runs a program for its table, at most for `limit`, including processes that it starts.
fn ask(program: &Path, limit: Duration) -> Result<Vec<u8>> {
    if env::var_os("PROFAN_NO_RUN").is_some_and(|value| !value.is_empty()) {
        bail!(
            "PROFAN_NO_RUN forbids running it: pass a file with the output of `{} {}` instead",
            program.display(),
            ARGUMENTS.join(" ")
        );
    }
    // A bare name would be looked for elsewhere.
    let mut child = Command::new(path::absolute(program)?)
        .args(ARGUMENTS)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("it does not run")?;
    let outcome = finish(&mut child, limit);
    if outcome.is_err() {
        // It may have ended by itself.
        let _ = child.kill();
        child.wait()?;
    }
    let (status, text) = outcome?;
    if !status.success() {
        bail!("it ended with {status} when it was asked for its table (`@MLton show-sources`)");
    }
    Ok(text)
}

fn finish(child: &mut Child, limit: Duration) -> Result<(ExitStatus, Vec<u8>)> {
    let end = Instant::now() + limit;
    let output = child.stdout.take().context("it has no output")?;
    let (sender, receiver) = mpsc::channel();
    // Its descendants may hold the pipe open for ever; this thread then never ends.
    thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        let outcome = read_bounded(output, &mut text);
        // After the time limit the receiver is gone.
        let _ = sender.send(outcome.map(|()| text));
    })?;
    let is_late = || anyhow!("it did not end in {} seconds", limit.as_secs_f32());
    let text = receiver.recv_timeout(limit).map_err(|_| is_late())??;
    loop {
        match child.try_wait()? {
            Some(status) => return Ok((status, text)),
            None if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
            None => return Err(is_late()),
        }
    }
}

fn read_bounded(input: impl Read, text: &mut Vec<u8>) -> io::Result<()> {
    input.take(MOST_BYTES).read_to_end(text)?;
    if text.len() as u64 >= MOST_BYTES {
        Err(io::Error::other("it is longer than any table"))
    } else {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn check(script: &str, limit: Duration, expected: &str) {
        let directory = tempfile::tempdir().expect("a temporary folder can be made");
        let program = directory.path().join("program");
        // Its writer is another process: a program that is open for writing does not run.
        let written = Command::new("sh")
            .args(["-c", "printf '#!/bin/sh\n%s\n' \"$1\" > \"$2\"", "sh", script])
            .arg(&program)
            .status();
        assert!(written.expect("a shell runs").success());
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .expect("a mode can be set");
        let start = Instant::now();
        let found = match ask(&program, limit) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) => format!("{error:#}"),
        };
        assert_eq!(found, expected, "for {script}");
        assert!(start.elapsed() < Duration::from_secs(20), "for {script}");
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let (short, long) = (Duration::from_millis(500), Duration::from_secs(20));
        check("echo $*", long, "@MLton show-sources\n");
        let late = "it did not end in 0.5 seconds";
        check("exec sleep 60", short, late);
        check("exec >&-; exec sleep 60", short, late);
        check("sleep 60 &", short, late);
    }
}
