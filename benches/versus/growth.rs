//! How the work grows with the size of the input: instructions at three sizes.

use std::io::{self, Write};
use std::path::Path;

use crate::instructions::instructions;
use crate::jobs::Job;

/// Twice the size may take so many times the instructions: sorting takes a little more
/// than twice as many, and the square of the size would take four times as many.
const MOST: f64 = 2.4;

/// Counts the instructions of jobs with valgrind, as profan reads them, and prints these
/// and the exponent. Returns the names of the jobs that grow too fast.
///
/// # Errors
/// When an input cannot be made, or a job fails.
pub(crate) fn print_growth<'a>(
    profan: &Path,
    inputs: &Path,
    jobs: &[&'a Job],
    out: &mut dyn Write,
) -> io::Result<Vec<&'a str>> {
    writeln!(
        out,
        "{:<12} {:>9} {:>13} {:>13} {:>13} {:>9}",
        "job", "size", "instructions", "of twice", "of 4 times", "exponent"
    )?;
    let mut too_fast = Vec::new();
    for job in jobs.iter().filter(|job| job.size != job.least) {
        let mut counts = Vec::new();
        for size in [job.least, 2 * job.least, 4 * job.least] {
            let directory = job.kind.directory(inputs, size)?;
            counts.push(instructions(profan, &directory, job.words)?);
        }
        // The differences exclude constant costs.
        let (first, second) = (counts[1] - counts[0], counts[2] - counts[1]);
        let growth = second as f64 / first as f64;
        writeln!(
            out,
            "{:<12} {:>9} {:>13} {:>13} {:>13} {:>9.2}",
            job.name,
            job.least,
            counts[0],
            counts[1],
            counts[2],
            growth.log2()
        )?;
        if growth > MOST {
            too_fast.push(job.name);
        }
    }
    Ok(too_fast)
}
