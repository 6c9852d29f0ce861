//! Mutated fixtures, and files that are made, through all faces and formats.
//!
//! ```text
//! mutate [--seed S] [--first N] [--cases N] [--files FOLDER]...
//! ```
//!
//! Each case is a mutation of one file beside the files that go with it, and one line of
//! options. It is made of its seed and number alone. Status 1 if any panics, or takes more
//! than two seconds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, panic, thread};

use profan_fuzz::chance_bytes::{Dice, bytes_of};
use profan_fuzz::mutation::mutated;
use profan_fuzz::pipeline::{NO_SCREEN, SCREEN, file, run_line};
use profan_fuzz::targets::made_report;
use profan_fuzz::targets::report::LINES;

/// Files that are larger are passed over.
const MOST_BYTES: u64 = 1 << 20;

/// What no case may take.
const LIMIT: Duration = Duration::from_secs(2);

/// What no case can take: the driver gives up.
const END: Duration = Duration::from_secs(60);

/// The case that runs, or [`u64::MAX`].
static RUNNING: AtomicU64 = AtomicU64::new(u64::MAX);

struct Asked {
    seed: u64,
    first: u64,
    n_cases: u64,
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("usage: mutate [--seed S] [--first N] [--cases N] [--files FOLDER]...");
        return ExitCode::from(2);
    };
    let groups = groups(&asked.folders);
    // What is said of a panic is the case, which can be run again.
    panic::set_hook(Box::new(|_| {}));
    thread::spawn(watch);
    let (mut n_bad, mut n_reports, mut slowest) = (0, 0, (Duration::ZERO, 0));
    let start = Instant::now();
    for number in asked.first..asked.first + asked.n_cases {
        RUNNING.store(number, Ordering::SeqCst);
        let begun = Instant::now();
        let outcome = panic::catch_unwind(|| run_case(asked.seed, number, &groups));
        let took = begun.elapsed();
        slowest = slowest.max((took, number));
        n_reports += u64::from(outcome.as_ref().is_ok_and(|is_report| *is_report));
        if outcome.is_err() || took > LIMIT {
            n_bad += 1;
            let why = if outcome.is_err() { "panic" } else { "slow" };
            let line = panic::catch_unwind(|| described(asked.seed, number, &groups));
            let line = line.unwrap_or_default();
            println!("seed {} case {number}: {why}, {took:?}: {line}", asked.seed);
        }
    }
    let (took, number) = slowest;
    println!(
        "seed {}: {} cases from {} in {:?}, {n_reports} reports, {n_bad} bad, the slowest {number} with {took:?}, \
         at most {} kB of memory",
        asked.seed,
        asked.n_cases,
        asked.first,
        start.elapsed(),
        most_memory()
    );
    match n_bad {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Ends all when a case goes on and on.
fn watch() {
    let (mut last, mut since) = (u64::MAX, Instant::now());
    loop {
        thread::sleep(Duration::from_millis(500));
        let now = RUNNING.load(Ordering::SeqCst);
        if now != last {
            (last, since) = (now, Instant::now());
        } else if since.elapsed() > END {
            println!("case {now}: takes more than {END:?}");
            std::process::exit(1);
        }
    }
}

/// The most memory that this process had, in kilobytes, where the system says so.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

fn asked() -> Option<Asked> {
    let mut asked = Asked {
        seed: 1,
        first: 0,
        n_cases: 1000,
        folders: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")],
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match &*word {
            "--seed" => asked.seed = value.parse().ok()?,
            "--first" => asked.first = value.parse().ok()?,
            "--cases" => asked.n_cases = value.parse().ok()?,
            "--files" => asked.folders.push(value.into()),
            _ => return None,
        }
    }
    Some(asked)
}

/// The files of each folder, in the order of their names. Expectations and sources are not
/// what is read.
fn groups(folders: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let mut groups = Vec::new();
    let mut waiting = folders.to_vec();
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).expect("the folder can be read");
        let mut paths: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() && path.file_name().is_none_or(|name| name != "expected") {
                waiting.push(path);
            } else if fs::metadata(&path)
                .is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES)
            {
                files.push(path);
            }
        }
        if !files.is_empty() {
            groups.push(files);
        }
    }
    groups.sort();
    groups
}

/// The line and the files of a case, the first of them mutated. The tools of mpatrol and
/// MLton are asked for files of theirs, as a rule.
fn chosen<'a>(dice: &mut Dice, groups: &'a [Vec<PathBuf>]) -> (&'static str, Vec<&'a Path>) {
    let group = &groups[dice.below(groups.len())];
    let mut files = vec![&*group[dice.below(group.len())]];
    for _ in 0..1 + dice.below(2) {
        let other = &*group[dice.below(group.len())];
        if !files.contains(&other) {
            files.push(other);
        }
    }
    let mut line = LINES[dice.below(LINES.len())];
    for _ in 0..4 {
        if suits(line, &files) {
            break;
        }
        line = LINES[dice.below(LINES.len())];
    }
    (line, files)
}

/// Whether one of the files is of the kind that a line is about.
fn suits(line: &str, files: &[&Path]) -> bool {
    let face = line.split(' ').next().unwrap_or_default();
    let start: &[u8] = match face {
        "gprof" | "doctor" => b"\x7fELF",
        "mprof" | "--leaks" => b"MPTL",
        "mptrace" | "--between" => b"MTRC",
        "mlprof" => b"MLton prof",
        _ => return true,
    };
    let starts_so = |path: &&Path| fs::read(path).is_ok_and(|bytes| bytes.starts_with(start));
    files.iter().any(starts_so)
}

/// Whether there was a report.
fn run_case(seed: u64, number: u64, groups: &[Vec<PathBuf>]) -> bool {
    if number % 8 == 7 {
        made_report(&bytes_of(seed, number, 2000));
        return true;
    }
    let mut dice = Dice::new(seed, number);
    let (line, paths) = chosen(&mut dice, groups);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut contents: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect();
    let (first, others) = contents.split_first_mut().expect("one was chosen");
    let other = others.first().map_or(&[][..], |other| other);
    *first = mutated(first, other, &mut dice);
    for (place, bytes) in contents.iter().enumerate() {
        files.push(file(&format!("file-{place}"), bytes));
    }
    // The originals want the program first.
    let is_first = dice.below(2) == 0;
    if is_first {
        files.reverse();
    }
    let terminal = if dice.below(3) == 0 {
        SCREEN
    } else {
        NO_SCREEN
    };
    run_line(line, &files, terminal).is_ok
}

fn described(seed: u64, number: u64, groups: &[Vec<PathBuf>]) -> String {
    if number % 8 == 7 {
        return "a program that is made".to_owned();
    }
    let (line, files) = chosen(&mut Dice::new(seed, number), groups);
    let files: Vec<_> = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    format!("`{line}` of {} (mutated)", files.join(" "))
}
