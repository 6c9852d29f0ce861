//! Reads the output of the various `time` commands.
//!
//! A file may contain anything else, since they write to the program's standard error. The
//! last times count.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use super::error::LoadError;
use crate::files::check_named;
use crate::limits::LONGEST_TEXT;
use crate::model::{ProcessorTime, RunTime};

/// Reads the output of `time`.
///
/// # Errors
/// If the file cannot be read, or contains no times.
pub fn read_run_time(path: &Path) -> Result<RunTime, LoadError> {
    let name = || path.display().to_string();
    let text = read_end(path).map_err(|source| LoadError::TimesIo { path: name(), source })?;
    find(&String::from_utf8_lossy(&text)).ok_or_else(|| LoadError::NoTimes { path: name() })
}

/// The end of a file; the start of a pipe.
fn read_end(path: &Path) -> io::Result<Vec<u8>> {
    check_named(path)?;
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size > LONGEST_TEXT as u64 {
        io::Seek::seek(&mut file, io::SeekFrom::Start(size - LONGEST_TEXT as u64))?;
    }
    let mut text = Vec::new();
    file.take(LONGEST_TEXT as u64).read_to_end(&mut text)?;
    Ok(text)
}

/// The times of a run found so far.
#[derive(Clone, Copy, Default)]
struct FoundTimes {
    wall: Option<Duration>,
    user: Option<Duration>,
    system: Option<Duration>,
}

/// The last times of a text. Each `time` prints each time once, so the last ones belong to
/// the same run.
fn find(text: &str) -> Option<RunTime> {
    let mut found = FoundTimes::default();
    for line in text.lines() {
        found.add_words(line);
        found.add_labelled(line);
    }
    Some(RunTime {
        wall: found.wall?,
        processor: found
            .user
            .zip(found.system)
            .map(|(user, system)| ProcessorTime { user, system }),
    })
}

impl FoundTimes {
    /// Times with a word before, after or attached, on one line or several:
    ///
    /// - `real 0m1.06s` (bash, ksh; with `-p`, `real 1.06`), `1.06 real` (BSD);
    /// - `0.75user 0.10system 0:01.02elapsed 83%CPU` (GNU);
    /// - `./prog  0.75s user 0.10s system 83% cpu 1.020 total` (zsh);
    /// - `0.750u 0.100s 0:01.02 83.3%` (tcsh).
    fn add_words(&mut self, line: &str) {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        if let [user, system, wall, percent, ..] = &*words
            && percent.ends_with('%')
        {
            let user = user.strip_suffix('u').and_then(seconds);
            let system = system.strip_suffix('s').and_then(seconds);
            if let (Some(user), Some(system), Some(wall)) = (user, system, seconds(wall)) {
                (self.user, self.system, self.wall) = (Some(user), Some(system), Some(wall));
                return;
            }
        }
        let is_short = words.len() == 2;
        for (index, word) in words.iter().enumerate() {
            let digits_end = word.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
            let (number, label) = word.split_at(digits_end);
            let (number, label) = match label {
                // A label without digits: the number precedes it, or follows it at the start of
                // a short line.
                _ if digits_end == 0 => {
                    let number = match index.checked_sub(1) {
                        Some(before) => words[before],
                        None if is_short => words[1],
                        None => continue,
                    };
                    (number, *word)
                }
                _ => (number, label),
            };
            let time = match label {
                "real" | "elapsed" | "total" => &mut self.wall,
                "user" => &mut self.user,
                "sys" | "system" => &mut self.system,
                _ => continue,
            };
            if let Some(number) = seconds(number) {
                *time = Some(number);
            }
        }
    }

    /// The output of GNU's `time -v`, one time per line.
    fn add_labelled(&mut self, line: &str) {
        let line = line.trim();
        let behind = |label| line.strip_prefix(label).and_then(|rest| seconds(rest.trim()));
        self.user = behind("User time (seconds):").or(self.user);
        self.system = behind("System time (seconds):").or(self.system);
        let wall = behind("Elapsed (wall clock) time (h:mm:ss or m:ss):");
        self.wall = wall.or(self.wall);
    }
}

/// Seconds as `1.06`, `1,06`, `1.06s`, `0m1.06s`, `1h2m3.4s`, `1:02.34` or `1:02:03`.
fn seconds(word: &str) -> Option<Duration> {
    let word = word.strip_suffix('s').unwrap_or(word).replace(',', ".");
    let mut sum = Duration::ZERO;
    for part in word.split([':', 'h', 'm']) {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let part = part.parse().ok().filter(|_| is_number)?;
        let part = Duration::try_from_secs_f64(part).ok()?;
        sum = sum.checked_mul(60)?.checked_add(part)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds: wall, user and system.
    fn check(text: &str, expected: Option<(u128, Option<(u128, u128)>)>) {
        let found = find(text).map(|time| {
            let processor = time.processor;
            let processor = processor.map(|p| (p.user.as_millis(), p.system.as_millis()));
            (time.wall.as_millis(), processor)
        });
        assert_eq!(found, expected, "{text}");
    }

    const EXPECTED: Option<(u128, Option<(u128, u128)>)> = Some((62_340, Some((750, 100))));

    #[test]
    fn every_kind_of_time_is_understood() {
        check("\nreal\t1m2.340s\nuser\t0m0.750s\nsys\t0m0.100s\n", EXPECTED);
        check("real\t1m2,340s\nuser\t0m0,750s\nsys\t0m0,100s\n", EXPECTED);
        check("real 62.34\nuser 0.75\nsys 0.10\n", EXPECTED);
        check("    1m02.34s real     0m00.75s user     0m00.10s system\n", EXPECTED);
        check("       62.34 real         0.75 user         0.10 sys\n", EXPECTED);
        let gnu = "0.75user 0.10system 1:02.34elapsed 1%CPU (0avgtext+0avgdata 1maxresident)k\n\
            8inputs+8outputs (1major+80minor)pagefaults 0swaps\n";
        check(gnu, EXPECTED);
        let verbose = "\tCommand being timed: \"./thr\"\n\tUser time (seconds): 0.75\n\
            \tSystem time (seconds): 0.10\n\tPercent of CPU this job got: 1%\n\
            \tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.34\n";
        check(verbose, EXPECTED);
        check("./prog x  0.75s user 0.10s system 1% cpu 1:02.34 total\n", EXPECTED);
        check("0.750u 0.100s 1:02.34 1.3%\t0+0k 0+0io 0pf+0w\n", EXPECTED);
    }

    #[test]
    fn hours_count_and_the_last_times_do() {
        check("1:00:02.50elapsed", Some((3_602_500, None)));
        check("real 1h0m2.5s", Some((3_602_500, None)));
        check(
            "real 1\nuser 1\nsys 1\nnoise\nreal 2\nuser 3\nsys 0\n",
            Some((2_000, Some((3_000, 0)))),
        );
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["", "real", "real world", "real -1", "real nan", "real inf", "12", "user 1.0"]
        {
            check(text, None);
        }
        check("real 1e400", None);
        check("99999999999999999999 real", None);
    }
}
