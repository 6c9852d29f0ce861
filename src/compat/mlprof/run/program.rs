//! Asking a program for its table, as the original does.
//!
//! This is the one place where profan runs anything, and only under the name of
//! `mlprof`, whose users expect it: the program is one that they built and name.

use std::fs::File;
use std::io::{self, Read};
use std::path::{self, Path};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::super::READ_POLICY;
use crate::files::refuse_device;
use crate::load::{ReadError, read_mlton_table};
use crate::model::RecordedCosts;

/// What makes a program print its table.
const ARGUMENTS: [&str; 2] = ["@MLton", "show-sources"];

/// The most bytes that are read of a table. That of a compiler has 20 megabytes.
const MAX_TABLE: u64 = 1 << 30;

/// The table of a program: what it prints about itself, or what stands in a file of
/// its name in its place.
pub(super) fn read_table(program: &Path) -> Result<RecordedCosts> {
    let shown = program.display();
    let text = read(program).with_context(|| format!("cannot use the program `{shown}`"))?;
    parse(&text).with_context(|| format!("cannot use the table of the program `{shown}`"))
}

/// Reads a table. To the original, text behind its end makes it none.
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
        return ask(program);
    }
    // A text by its name stands for no program, and the original would not run it.
    if program
        .extension()
        .is_some_and(|extension| extension == "txt")
    {
        bail!(
            "it is a text, which does not run: name it after its program, or give it to profan \
             instead of mlprof"
        );
    }
    read_bounded(file, &mut head)?;
    Ok(head)
}

/// Whether a file is something to run: for Linux and its relatives, Windows, macOS,
/// or a script.
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

fn ask(program: &Path) -> Result<Vec<u8>> {
    // A bare name would be looked for elsewhere.
    let mut child = Command::new(path::absolute(program)?)
        .args(ARGUMENTS)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("it does not run")?;
    let mut text = Vec::new();
    let outcome = match child.stdout.take() {
        Some(output) => read_bounded(output, &mut text),
        None => Ok(()),
    };
    if outcome.is_err() {
        // It may have ended by itself.
        let _ = child.kill();
    }
    let status = child.wait()?;
    outcome?;
    if !status.success() {
        bail!("it ended with {status} when it was asked for its table (`@MLton show-sources`)");
    }
    Ok(text)
}

fn read_bounded(input: impl Read, text: &mut Vec<u8>) -> io::Result<()> {
    input.take(MAX_TABLE).read_to_end(text)?;
    if text.len() as u64 >= MAX_TABLE {
        Err(io::Error::other("it is longer than any table"))
    } else {
        Ok(())
    }
}
