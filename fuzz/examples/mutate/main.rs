//! Mutated fixtures and generated files, through all modes and formats.
//!
//! ```text
//! mutate [--seed S] [--first N] [--cases N] [--files FOLDER]...
//! ```
//!
//! Each case is a mutation of one file with its companions, run with five lines of options: three
//! of the native mode, one that compares or inspects, and one of an original. One case of eight
//! is a generated program instead. A case depends only on its seed and number. Status 1 if any
//! line panics, takes more than two seconds, or exceeds the memory allowed for its input.

mod fixtures;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, panic, thread};

use profan_fuzz::chance_bytes::{Dice, bytes_of};
use profan_fuzz::held::{BASE, DECODER, FACTOR, TIME, Taken, measure};
use profan_fuzz::mutation::mutated;
use profan_fuzz::pipeline::{NO_SCREEN, Nowhere, SCREEN, file, print_words, words_of};
use profan_fuzz::targets::made_report;

use fixtures::{Fixture, Kind, chosen, groups, lines_for};

/// No case takes as long: the driver gives up.
const END: Duration = Duration::from_secs(60);

/// The case that runs, or [`u64::MAX`].
static RUNNING: AtomicU64 = AtomicU64::new(u64::MAX);

struct Asked {
    seed: u64,
    first: u64,
    n_cases: u64,
    directories: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("usage: mutate [--seed S] [--first N] [--cases N] [--files FOLDER]...");
        return ExitCode::from(2);
    };
    let groups = groups(&asked.directories);
    // The case is reported instead of the panic, and can be run again.
    panic::set_hook(Box::new(|_| {}));
    thread::spawn(watch);
    let mut found = Found::default();
    let start = Instant::now();
    for number in asked.first..asked.first + asked.n_cases {
        RUNNING.store(number, Ordering::SeqCst);
        run_case(asked.seed, number, &groups, &mut found);
    }
    let Found {
        n_runs,
        n_bad,
        slowest: (took, slowest),
        most: (memory, largest),
        reports,
    } = &found;
    println!(
        "seed {}: {} cases from {} in {:?}, {n_runs} runs, {} reports, {n_bad} bad, the slowest \
         {slowest} with {took:?}, at most {} kB of memory in {largest}",
        asked.seed,
        asked.n_cases,
        asked.first,
        start.elapsed(),
        reports.values().sum::<u64>(),
        memory >> 10,
    );
    let never = reports.iter().filter(|(_, n_reports)| **n_reports == 0);
    let never: Vec<_> = never.map(|(line, _)| *line).collect();
    println!("lines without a report: {never:?}");
    match n_bad {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The results of the cases.
#[derive(Default)]
struct Found {
    n_runs: u64,
    n_bad: u64,
    /// The longest that a line took, and the case.
    slowest: (Duration, u64),
    /// The most memory that a line took, in bytes, and the case.
    most: (u64, u64),
    /// How many reports each line made.
    reports: BTreeMap<&'static str, u64>,
}

impl Found {
    /// Runs an action that may panic, with a limit on its memory, and reports violations. Returns
    /// whether it made a report.
    fn run(&mut self, case: &Case<'_>, most: u64, action: impl FnOnce() -> bool) -> bool {
        let action = panic::AssertUnwindSafe(action);
        let (outcome, Taken { memory, time }) = measure(|| panic::catch_unwind(action));
        self.n_runs += 1;
        self.slowest = self.slowest.max((time, case.number));
        self.most = self.most.max((memory, case.number));
        let why = match outcome {
            Err(_) => "panic",
            Ok(_) if time > TIME => "slow",
            Ok(_) if memory > most => "large",
            Ok(is_report) => return is_report,
        };
        self.n_bad += 1;
        let Case { seed, number, what } = case;
        let memory = memory >> 10;
        println!("seed {seed} case {number}: {why}, {time:?}, {memory} kB: {what}");
        false
    }
}

/// A case and its origin.
struct Case<'a> {
    seed: u64,
    number: u64,
    what: &'a str,
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

fn asked() -> Option<Asked> {
    let mut asked = Asked {
        seed: 1,
        first: 0,
        n_cases: 1000,
        directories: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")],
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match &*word {
            "--seed" => asked.seed = value.parse().ok()?,
            "--first" => asked.first = value.parse().ok()?,
            "--cases" => asked.n_cases = value.parse().ok()?,
            "--files" => asked.directories.push(value.into()),
            _ => return None,
        }
    }
    Some(asked)
}

fn run_case(seed: u64, number: u64, groups: &[Vec<Fixture>], found: &mut Found) {
    if number % 8 == 7 {
        let what = "a program that is made";
        let case = Case { seed, number, what };
        found.run(&case, BASE, || {
            made_report(&bytes_of(seed, number, 2000));
            true
        });
        return;
    }
    let mut dice = Dice::new(seed, number);
    let fixtures = chosen(&mut dice, groups);
    let mut contents: Vec<_> = fixtures
        .iter()
        .map(|fixture| fs::read(&fixture.path).unwrap_or_default())
        .collect();
    let (first, others) = contents.split_first_mut().expect("one was chosen");
    let whole = file("whole", first);
    *first = mutated(first, others.first().map_or(&[], |other| other), &mut dice);
    let names: Vec<_> = fixtures
        .iter()
        .map(|fixture| fixture.path.display().to_string())
        .collect();
    // A comparison reads the original file, too.
    let most = most_for(&contents) + FACTOR * fs::metadata(&whole).map_or(0, |data| data.len());
    let mut files: Vec<_> = (0..)
        .zip(&contents)
        .map(|(place, bytes)| (place, file(&format!("file-{place}"), bytes)))
        .collect();
    drop(contents);
    let lines = lines_for(&mut dice, &fixtures);
    // The originals want the program first.
    if dice.below(8) > 0 {
        files.sort_by_key(|(place, _)| fixtures[*place].kind != Kind::Program);
    }
    let files: Vec<_> = files.into_iter().map(|(_, file)| file).collect();
    for line in lines {
        let terminal = match dice.below(3) {
            0 => SCREEN,
            _ => NO_SCREEN,
        };
        let what = format!("`{line}` of {} (the first mutated)", names.join(" "));
        let case = Case {
            seed,
            number,
            what: &what,
        };
        let is_report = found.run(&case, most, || {
            let mut words = words_of(line, &files);
            if line.starts_with("diff") && fixtures[0].kind != Kind::Program {
                words.push(whole.clone().into());
            }
            print_words(words, terminal, &mut Nowhere::default())
        });
        *found.reports.entry(line).or_default() += u64::from(is_report);
    }
}

/// The bytes of memory that a report of these files may take.
fn most_for(contents: &[Vec<u8>]) -> u64 {
    const STARTS: [&[u8]; 2] = [b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"];
    let has_decoder = |bytes: &Vec<u8>| STARTS.iter().any(|start| bytes.starts_with(start));
    let n_bytes: usize = contents.iter().map(Vec::len).sum();
    let decoder = match contents.iter().any(has_decoder) {
        true => DECODER,
        false => 0,
    };
    BASE + decoder + FACTOR * n_bytes as u64
}
