//! Compares the installed gprof with `profan gprof` on random programs with random profiles and
//! options.
//!
//! ```text
//! differential [--seed S] [--first N] [--cases N] [--keep FOLDER] [--odd]
//! ```
//!
//! A case depends only on its seed and number. Differing cases are reduced and saved in the
//! folder; the exit status is then 1.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arbitrary::Unstructured;
use profan_fuzz::chance_bytes::bytes_of;
use profan_fuzz::made::program::{Case, Machine};
use profan_fuzz::original::{Outcome, compare, files, minimized};

/// Bytes that a case is made of.
const CASE_SIZE: usize = 2000;

/// The requested cases.
struct Asked {
    seed: u64,
    first: u64,
    n_cases: u64,
    directory: PathBuf,
    is_odd: bool,
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("usage: differential [--seed S] [--first N] [--cases N] [--keep FOLDER] [--odd]");
        return ExitCode::from(2);
    };
    // A panic is counted and saved; running the case again prints its message.
    std::panic::set_hook(Box::new(|_| {}));
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in asked.first..asked.first + asked.n_cases {
        let bytes = bytes_of(asked.seed, number, CASE_SIZE);
        let made = Case::any(&mut Unstructured::new(&bytes), asked.is_odd);
        let (case, machine) = made.expect("there are enough bytes");
        let outcome = compare(&case, machine);
        *counts.entry(word_of(&outcome)).or_default() += 1;
        if matches!(outcome, Outcome::Different { .. } | Outcome::Panic) {
            let kind = word_of(&outcome);
            println!("seed {} case {number}: {kind}", asked.seed);
            let is_like = |case: &Case| is_like(&outcome, &compare(case, machine));
            let smallest = minimized(case, is_like);
            let directory = asked.directory.join(format!("{}-{number}", asked.seed));
            keep(&smallest, machine, &directory);
        }
    }
    println!(
        "seed {}, cases from {}: {counts:?}",
        asked.seed, asked.first
    );
    match counts.contains_key("different") || counts.contains_key("panic") {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

fn asked() -> Option<Asked> {
    let mut asked = Asked {
        seed: 1,
        first: 0,
        n_cases: 1000,
        directory: "differences".into(),
        is_odd: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--odd" {
            asked.is_odd = true;
            continue;
        }
        let value = words.next()?;
        match &*word {
            "--seed" => asked.seed = value.parse().ok()?,
            "--first" => asked.first = value.parse().ok()?,
            "--cases" => asked.n_cases = value.parse().ok()?,
            "--keep" => asked.directory = value.into(),
            _ => return None,
        }
    }
    Some(asked)
}

/// Whether a smaller case ends in the same way.
fn is_like(first: &Outcome, second: &Outcome) -> bool {
    match (first, second) {
        (
            Outcome::Different { original, ours },
            Outcome::Different {
                original: original_again,
                ours: ours_again,
            },
        ) => original.is_ok == original_again.is_ok && ours.is_ok == ours_again.is_ok,
        _ => word_of(first) == word_of(second),
    }
}

fn word_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "same",
        Outcome::Different { .. } => "different",
        Outcome::Panic => "panic",
        Outcome::Crash => "crash of the original",
        Outcome::Unsettled => "hangs on memory never written",
        Outcome::Misread => "number of blocks misread",
        Outcome::Absent => "no original",
    }
}

/// Saves a case in a directory, with both outputs and the commands that make them.
fn keep(case: &Case, machine: Machine, directory: &Path) {
    fs::create_dir_all(directory).expect("the folder can be made");
    let mut names = Vec::new();
    for file in files(case) {
        let name = file.file_name().expect("it has a name").to_owned();
        fs::copy(&file, directory.join(&name)).expect("it can be copied");
        names.push(name.to_string_lossy().into_owned());
    }
    let options = case.options.join(" ");
    let line = format!("{} {options} {}\n", machine.gprof, names.join(" "));
    let mut texts = vec![("command", line.into_bytes())];
    texts.push(("case", format!("{case:#?}\n").into_bytes()));
    if let Outcome::Different { original, ours } = compare(case, machine) {
        texts.push(("original", original.text));
        texts.push(("ours", ours.text));
        let both = format!("original {}, ours {}\n", original.is_ok, ours.is_ok);
        texts.push(("statuses", both.into_bytes()));
    }
    for (name, text) in texts {
        fs::write(directory.join(name), text).expect("the folder is writable");
    }
}
