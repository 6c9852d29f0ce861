//! The table of readers: large files of other profilers, with one and two threads.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::bound::Bound;
use crate::jobs::Job;
use crate::measured::{self, Taken};
use crate::table::{LONG, N_RUNS, is_there};

/// The numbers of threads.
const N_THREADS: [usize; 2] = [1, 2];

/// Times each job: the builds of profan in turn, each with one and two threads, and another program
/// that reads the same. Prints the minimum of each.
///
/// # Errors
/// When an input cannot be made, or a program fails.
pub(crate) fn print_readers(
    programs: &[PathBuf],
    inputs: &Path,
    jobs: &[&Job],
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{:<14} {:>8} {:>8} {:>9}", "job", "read", "written", "bound")?;
    for _ in programs {
        write!(out, " {:>10} {:>9} {:>10} {:>9}", "1 thread", "", "2 threads", "")?;
    }
    writeln!(out, " {:>10} {:>9}  command", "other", "")?;
    for job in jobs {
        let directory = job.kind.directory(inputs, job.size)?;
        let bytes = Bound::of(&directory, &programs[0], job.words)?;
        let peer = job.original().filter(|(name, _)| is_there(name));
        let (mut bound, mut other) = (None, None);
        let mut taken: Vec<Option<Taken>> = vec![None; programs.len() * N_THREADS.len()];
        for _ in 0..N_RUNS {
            keep_least(&mut bound, || bytes.run(&directory))?;
            let mut taken = taken.iter_mut();
            for program in programs {
                for (n_threads, least) in N_THREADS.into_iter().zip(&mut taken) {
                    let words = format!("--threads {n_threads} {}", job.words);
                    keep_least(least, || measured::run(&directory, program, &words))?;
                }
            }
            if let Some((name, words)) = peer {
                keep_least(&mut other, || measured::run(&directory, Path::new(name), words))?;
            }
        }
        let [read, written] = [bytes.n_read, bytes.n_written].map(|n| n as f64 / 1e6);
        let bound = bound.map_or(0.0, |taken| taken.wall.as_secs_f64());
        write!(out, "{:<14} {read:>6.1} M {written:>6.1} M {bound:>7.3} s", job.name)?;
        for taken in taken.into_iter().chain([other]) {
            match taken {
                Some(Taken { wall, peak, .. }) => {
                    write!(out, " {:>8.3} s {:>7.1} M", wall.as_secs_f64(), peak as f64 / 1024.0)?;
                }
                None => write!(out, " {:>10} {:>9}", "-", "-")?,
            }
        }
        writeln!(out, "  {}", job.words)?;
        out.flush()?;
    }
    Ok(())
}

/// Runs a command, unless it takes long and ran once.
fn keep_least(
    least: &mut Option<Taken>,
    run: impl FnOnce() -> io::Result<Taken>,
) -> io::Result<()> {
    if least.is_none_or(|taken| taken.wall < LONG) {
        let taken = run()?;
        *least = Some(least.map_or(taken, |known| known.least(taken)));
    }
    Ok(())
}
