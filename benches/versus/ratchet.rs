//! Compares instruction counts of small jobs with recorded ones.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::instructions::instructions;

/// How far a count may be from the one that was written, of 1000. A release is built in
/// parts, which are cut another way in another directory: the same code was seen to take 5 %
/// more there.
const ROOM: i64 = 100;

/// Counts each job of a file, whose lines are a count and a command line, and prints both counts.
/// If `writes`, writes the new counts to the file. Returns whether each count is within the
/// tolerance of the recorded one.
///
/// # Errors
/// When the file cannot be read or written, or a job fails.
pub(crate) fn hold(
    profan: &Path,
    file: &Path,
    writes: bool,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let text = fs::read_to_string(file)?;
    let mut is_held = true;
    let mut renewed = String::new();
    for line in text.lines() {
        let job = line.trim_start().split_once(' ');
        let job = job.and_then(|(count, words)| Some((count.parse::<i64>().ok()?, words)));
        let Some((written, words)) = job else {
            renewed += &format!("{line}\n");
            continue;
        };
        let counted = instructions(profan, Path::new("."), words)?;
        let permille = (counted - written) * 1000 / written.max(1);
        let verdict = match permille {
            _ if permille > ROOM => "MORE",
            _ if permille < -ROOM => "less: write it down",
            _ => "",
        };
        is_held &= permille <= ROOM;
        let percent = permille as f64 / 10.0;
        writeln!(out, "{written:>12} {counted:>12} {percent:>+6.1} %  {words}  {verdict}")?;
        renewed += &format!("{counted:>12} {words}\n");
    }
    if writes {
        fs::write(file, renewed)?;
    }
    Ok(is_held || writes)
}
