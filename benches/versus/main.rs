//! Compares profan with the originals on the machine: elapsed time, processor time and memory of
//! each job, in turn, and their growth.
//!
//! ```text
//! cargo bench --bench versus                        the table
//! cargo bench --bench versus -- cycle own           jobs of these names only
//! cargo bench --bench versus -- --readers           readers of large files, with 1 and 2 threads
//! cargo bench --bench versus -- --growth            instructions at three sizes
//! cargo bench --bench versus -- --ratchet FILE      instructions compared with FILE
//! cargo bench --bench versus -- --renew FILE        the same; writes the new counts to FILE
//! ```
//!
//! `PROFAN` is the program that is measured; if it is not set, a copy of `target/release/profan`. As
//! when it is installed, pages of a copy load faster than those of a file that a linker wrote.
//! Inputs are made below `target/versus` and kept there; the compiler of the machine makes
//! programs. Other programs of the table of readers are used if they are on the `PATH`; with
//! `BEFORE`, an earlier build of profan, the table has its time and memory, too. The table is kept as JSON there, for `profan diff` with the one before.

mod bound;
mod growth;
mod instructions;
mod jobs;
mod made;
mod measured;
mod ratchet;
mod readers;
mod table;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jobs::{JOBS, Job, READERS};

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let outcome = match words.next() {
        Some(word) if word == measured::MEASURE => measured::measure(words).map(|taken| {
            println(&taken);
            true
        }),
        Some(word) if word == bound::READ_AND_WRITE => bound::read_and_write(words).map(|()| true),
        first => {
            let words = first.into_iter().chain(words);
            let words: Vec<_> = words.map(|word| word.display().to_string()).collect();
            run(&words)
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln(&format!("versus: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested mode, and returns whether all checks pass.
fn run(words: &[String]) -> io::Result<bool> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let inputs = target.join("versus");
    fs::create_dir_all(&inputs)?;
    let given = env::var_os("PROFAN").map(PathBuf::from);
    let (is_copied, profan) = (given.is_none(), given.unwrap_or(target.join("release/profan")));
    let mut profan = fs::canonicalize(&profan)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", profan.display())))?;
    if is_copied {
        let copy = inputs.join("profan");
        fs::copy(&profan, &copy)?;
        profan = copy;
    }
    let is_name = |job: &&Job| words.iter().any(|word| word == job.name);
    let all = || JOBS.iter().chain(READERS);
    let named: Vec<_> = all().filter(is_name).collect();
    let or_all = |all: Vec<_>| if named.is_empty() { all } else { named.clone() };
    let out = &mut io::stdout();
    // Cargo adds an argument.
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words.as_slice() {
        ["--ratchet", file, ..] => ratchet::hold(&profan, Path::new(file), false, out),
        ["--renew", file, ..] => ratchet::hold(&profan, Path::new(file), true, out),
        ["--readers", ..] => {
            let before = env::var_os("BEFORE").map(PathBuf::from);
            let programs: Vec<_> = [Some(profan), before].into_iter().flatten().collect();
            readers::print_readers(&programs, &inputs, &or_all(READERS.iter().collect()), out)?;
            Ok(true)
        }
        ["--growth", ..] => {
            let jobs = or_all(all().collect());
            let too_fast = growth::print_growth(&profan, &inputs, &jobs, out)?;
            for name in &too_fast {
                eprintln(&format!("versus: the work of {name} grows too fast"));
            }
            Ok(too_fast.is_empty())
        }
        _ => {
            let jobs = or_all(JOBS.iter().collect());
            table::print_table(&profan, &inputs, &jobs, out).map(|()| true)
        }
    }
}

fn println(line: &str) {
    use io::Write;
    let _ = writeln!(io::stdout(), "{line}");
}

fn eprintln(line: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{line}");
}
