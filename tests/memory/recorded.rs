//! Every recorded command line, on its files as they are, cut and changed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use profan::cli;

use crate::checked::MOST_SECONDS;
use crate::held::{BASE, FACTOR};
use crate::measured::measure;
use crate::support::case::cases_below;
use crate::support::{Scratch, words_of};

/// A command line of a case.
struct Recorded {
    case: PathBuf,
    words: Vec<String>,
}

/// Recordings that only read files.
fn recorded(directory: &Path) -> Vec<Recorded> {
    let cases = cases_below(directory).into_iter();
    let recorded = cases.filter_map(|case| {
        let words = words_of(case.line.trim_end());
        let words = words.strip_prefix(&["profan".to_owned()]).unwrap_or(&words);
        // Standard input of a test stays empty.
        let reads_input = words.iter().any(|word| ["<", "-", "/dev/stdin"].contains(&&**word));
        let words = ["profan".to_owned()].into_iter().chain(words.iter().cloned());
        (!reads_input).then(|| Recorded { case: case.directory, words: words.collect() })
    });
    recorded.collect()
}

/// Runs a command line in the current directory, and fails if it exceeds the limits.
fn check(words: &[String], n_bytes: u64) -> Result<(), String> {
    let Ok(command) = cli::parse(words.iter().map(Into::into)) else {
        return Ok(());
    };
    let taken = measure(&command);
    // The files are small: none of them needs most of that.
    let most = BASE / 2 + FACTOR * n_bytes;
    let seconds = taken.time.as_secs_f64();
    if taken.memory <= most && seconds <= MOST_SECONDS {
        Ok(())
    } else {
        Err(format!(
            "{} KiB of {}, {seconds:.2} s: {}",
            taken.memory >> 10,
            most >> 10,
            words.join(" ")
        ))
    }
}

/// The size of all files in a directory.
fn size_of(directory: &Path) -> u64 {
    let files = crate::support::files_below(directory).into_iter();
    let sizes = files.filter_map(|file| Some(fs::metadata(file).ok()?.len()));
    sizes.sum()
}

/// Runs all recorded lines, and of every `step`th all files cut and changed in some places.
pub(crate) fn check_all(root: &Path, step: usize) -> Result<(), String> {
    let back = env::current_dir().map_err(|error| error.to_string())?;
    let mut random = Random(1);
    let mut n_runs = 0_u32;
    for (index, Recorded { case, words }) in recorded(root).into_iter().enumerate() {
        let scratch = Scratch::copy_of(&case);
        env::set_current_dir(scratch.path()).map_err(|error| error.to_string())?;
        let n_bytes = size_of(scratch.path());
        check(&words, n_bytes)?;
        n_runs += 1;
        if index % step == 0 {
            let named = words.iter().filter(|word| Path::new(word).is_file());
            for file in named {
                let Ok(whole) = fs::read(file) else {
                    continue;
                };
                for other in others(&whole, &mut random) {
                    fs::write(file, other).map_err(|error| error.to_string())?;
                    check(&words, n_bytes)?;
                    n_runs += 1;
                }
                fs::write(file, whole).map_err(|error| error.to_string())?;
            }
        }
        env::set_current_dir(&back).map_err(|error| error.to_string())?;
    }
    match n_runs {
        0..1000 => Err(format!("there were only {n_runs} runs")),
        _ => Ok(()),
    }
}

/// Some prefixes of bytes, and the same with some bytes changed.
fn others(whole: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
    let mut others = Vec::new();
    if whole.is_empty() {
        return others;
    }
    for _ in 0..4 {
        others.push(whole[..random.below(whole.len())].to_vec());
        let mut changed = whole.to_vec();
        for _ in 0..1 + random.below(8) {
            let place = random.below(changed.len());
            changed[place] = match random.below(3) {
                0 => 0xff,
                1 => changed[place] ^ 0x80,
                _ => random.next().to_le_bytes()[0],
            };
        }
        others.push(changed);
    }
    others
}

/// Numbers that are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33
    }

    fn below(&mut self, end: usize) -> usize {
        let end = end as u64;
        usize::try_from(self.next() % end).expect("it is below an index")
    }
}
