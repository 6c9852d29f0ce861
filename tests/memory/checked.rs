//! Lines that are run with files in the place of words, each within one bound.

use std::env;
use std::io::{self, Write};
use std::path::Path;

use libtest_mimic::Failed;

use crate::measured::{Taken, measure, parse};

/// Maximum memory for any report of a file below a megabyte, in bytes.
const MOST_MEMORY: u64 = 256 << 20;

/// Maximum time in seconds, in optimised and debug builds.
pub(crate) const MOST_SECONDS: f64 = if cfg!(debug_assertions) { 40.0 } else { 2.0 };

/// Prints the usage, if the files are kept.
pub(crate) fn tell(line: &str) {
    if env::var_os("PROFAN_KEEP").is_some() {
        print(line);
    }
}

pub(crate) fn print(line: &str) {
    // Failures to print do not matter.
    let _ = writeln!(io::stderr(), "{line}");
}

/// The words of a line, with files in the place of some.
pub(crate) fn words_of<'a>(line: &'a str, files: &[(&str, &'a Path)]) -> Vec<&'a str> {
    let words = line.split(' ').map(|word| {
        let file = files.iter().find(|(name, _)| *name == word);
        file.map_or(word, |(_, path)| path.to_str().expect("it is UTF-8"))
    });
    words.collect()
}

/// Runs command lines with files in place of words, and checks the usage of each. Returns their
/// messages.
pub(crate) fn check_lines(lines: &[&str], files: &[(&str, &Path)]) -> Result<String, Failed> {
    let (mut failures, mut said) = (String::new(), String::new());
    for line in lines {
        let taken = measure(&parse(&words_of(line, files)));
        let Taken { memory, time, .. } = taken;
        tell(&format!(
            "{:8} KiB {:6.2} s  {line}: {}",
            memory >> 10,
            time.as_secs_f64(),
            taken.said.trim_end()
        ));
        said += &taken.said;
        if memory > MOST_MEMORY || time.as_secs_f64() > MOST_SECONDS {
            failures += &format!("{line}: {} KiB, {:.2} s\n", memory >> 10, time.as_secs_f64());
        }
    }
    if failures.is_empty() { Ok(said) } else { Err(failures.into()) }
}
