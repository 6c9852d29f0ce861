//! The costs of a command, as the system accounts for them.
//!
//! The system reports the maximum memory of any child, so each command is the only child of a
//! process: this program, run again to measure.

use std::env;
use std::ffi::OsString;
use std::io::{self, Error};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The word that makes this program measure the command after it.
pub(crate) const MEASURE: &str = "--measure";

/// The costs of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// From the start to the end.
    pub(crate) wall: Duration,
    /// Of all processors, in user and system mode.
    pub(crate) cpu: Duration,
    /// The most memory that was resident, in KiB.
    pub(crate) peak: u64,
}

impl Taken {
    /// The less of each.
    pub(crate) fn least(self, other: Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            peak: self.peak.min(other.peak),
        }
    }
}

/// Runs a command once in a directory, without its output.
///
/// # Errors
/// When it cannot be run, or its status is not 0.
pub(crate) fn run(directory: &Path, program: &Path, words: &str) -> io::Result<Taken> {
    let output = Command::new(env::current_exe()?)
        .arg(MEASURE)
        .arg(program)
        .args(words.split_whitespace())
        .current_dir(directory)
        .env("PROFAN_PAGER", "")
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> =
        text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match (output.status.success(), &*numbers) {
        (true, &[wall, cpu, peak]) => {
            Ok(Taken { wall: Duration::from_micros(wall), cpu: Duration::from_micros(cpu), peak })
        }
        _ => {
            let program = program.display();
            Err(Error::other(format!("`{program} {words}` failed")))
        }
    }
}

/// The work of the measuring process: runs the command, and prints its costs in microseconds and
/// KiB.
///
/// # Errors
/// When it cannot be run, or its status is not 0.
pub(crate) fn measure(mut command: impl Iterator<Item = OsString>) -> io::Result<String> {
    let program = command.next().unwrap_or_default();
    let start = Instant::now();
    let status =
        Command::new(program).args(command).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let wall = start.elapsed().as_micros();
    if !status.success() {
        return Err(Error::other(status.to_string()));
    }
    let (cpu, peak) = of_children()?;
    Ok(format!("{wall} {cpu} {peak}"))
}

/// Microseconds of processors, and the most memory of one of them in KiB.
#[cfg(unix)]
fn of_children() -> io::Result<(i64, i64)> {
    use nix::sys::resource::{UsageWho, getrusage};

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time() + usage.system_time();
    Ok((cpu.tv_sec() * 1_000_000 + cpu.tv_usec(), usage.max_rss()))
}

#[cfg(not(unix))]
fn of_children() -> io::Result<(i64, i64)> {
    Err(Error::other("only systems like Unix account for it"))
}
