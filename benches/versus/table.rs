//! The table of all jobs, and its numbers for `profan diff`.

use std::fs;
use std::io::{self, Error, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::bound::Bound;
use crate::jobs::Job;
use crate::measured::{self, Taken};

/// Runs of each program; the minimum counts, since the rest is noise of the machine.
pub(crate) const N_RUNS: usize = 5;

/// An original that takes longer is run only once.
pub(crate) const LONG: Duration = Duration::from_secs(10);

/// The minimum costs of the runs of a job.
struct Row<'a> {
    job: &'a Job,
    profan: Taken,
    original: Option<Taken>,
    /// The simplest loop over the same bytes.
    least: Taken,
    bytes: Bound,
}

/// Times each job, profan and the original in turn. Prints their costs and the ratios, original
/// to profan; more is better.
///
/// # Errors
/// When an input cannot be made, or a program fails.
pub(crate) fn print_table(
    profan: &Path,
    inputs: &Path,
    jobs: &[&Job],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{:<12} {:>9} {:>8} {:>8} {:>9} {:>10} {:>10} {:>7} {:>9} {:>9} {:>7}  command",
        "job",
        "size",
        "read",
        "written",
        "bound",
        "original",
        "profan",
        "ratio",
        "original",
        "profan",
        "ratio"
    )?;
    let mut rows = Vec::new();
    for &job in jobs {
        let directory = job.kind.directory(inputs, job.size)?;
        let row = time(profan, &directory, job)?;
        write_row(&row, out)?;
        rows.push(row);
    }
    keep(profan, inputs, &rows, out)
}

fn time<'a>(profan: &Path, directory: &Path, job: &'a Job) -> io::Result<Row<'a>> {
    let bytes = Bound::of(directory, profan, job.words)?;
    let mut row = Row {
        job,
        profan: measured::run(directory, profan, job.words)?,
        original: None,
        least: bytes.run(directory)?,
        bytes,
    };
    let original = job.original().filter(|(name, _)| is_there(name));
    for _ in 0..N_RUNS {
        if let Some((name, words)) = original
            && row.original.is_none_or(|taken| taken.wall < LONG)
        {
            let taken = measured::run(directory, Path::new(name), words)?;
            row.original = Some(row.original.map_or(taken, |least| least.least(taken)));
        }
        let taken = measured::run(directory, profan, job.words)?;
        row.profan = row.profan.least(taken);
        row.least = row.least.least(row.bytes.run(directory)?);
    }
    Ok(row)
}

/// Whether a program is found by its name.
pub(crate) fn is_there(name: &str) -> bool {
    let directories = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&directories).any(|directory| directory.join(name).is_file())
}

fn write_row(row: &Row<'_>, out: &mut dyn Write) -> io::Result<()> {
    let seconds = |taken: Taken| taken.wall.as_secs_f64();
    let mebibytes = |taken: Taken| taken.peak as f64 / 1024.0;
    let Job { name, size, words, .. } = row.job;
    let [read, written] = [row.bytes.n_read, row.bytes.n_written].map(|n| n as f64 / 1e6);
    let bound = seconds(row.least);
    write!(out, "{name:<12} {size:>9} {read:>6.1} M {written:>6.1} M {bound:>7.4} s")?;
    write_pair(row, seconds, ["s", "10", "4"], out)?;
    write_pair(row, mebibytes, ["M", "9", "1"], out)?;
    writeln!(out, "  {words}")?;
    out.flush()
}

/// The costs of both in one measure, and the ratio.
fn write_pair(
    row: &Row<'_>,
    of: impl Fn(Taken) -> f64,
    [unit, width, decimals]: [&str; 3],
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = width.parse().unwrap_or(0);
    let decimals = decimals.parse().unwrap_or(0);
    let of_profan = of(row.profan);
    let shown = |number: f64| format!("{number:.decimals$} {unit}");
    let (original, ratio) = match row.original.map(of) {
        Some(of_original) => (shown(of_original), format!("{:.1}", of_original / of_profan)),
        None => ("-".to_owned(), "-".to_owned()),
    };
    write!(out, " {original:>width$} {:>width$} {ratio:>7}", shown(of_profan))
}

/// Saves the numbers of profan as a profile of jobs, in callgrind's format, which profan converts
/// to JSON. Compares them with the previous ones.
fn keep(profan: &Path, inputs: &Path, rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    let [last, before] = ["last.json", "before.json"].map(|name| inputs.join(name));
    if last.exists() {
        fs::rename(&last, &before)?;
    }
    let mut text = "# callgrind format\nversion: 1\nevents: Microseconds KiB\n".to_owned();
    for Row { job, profan, .. } in rows {
        let (time, peak) = (profan.cpu.as_micros(), profan.peak);
        text += &format!("\nfn={}\n0 {time} {peak}\n", job.name);
    }
    let profile = inputs.join("last.callgrind");
    fs::write(&profile, text)?;
    let status = Command::new(profan)
        .args(["-p", "--all", "--format", "json", "-o"])
        .arg(&last)
        .arg(&profile)
        .status()?;
    if !status.success() {
        return Err(Error::other(format!("{}: {status}", profile.display())));
    }
    let [last, before] = [last, before].map(|path| path.display().to_string());
    writeln!(out, "\nAgainst the last time: profan diff {before} {last}")
}
