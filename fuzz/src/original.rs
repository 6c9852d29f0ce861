//! The installed gprof, and the output of `profan gprof` in its place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::made::gmon::Record;
use super::made::program::{Case, Machine};
use super::pipeline::{NO_SCREEN, file, path_of, run_words};

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both print the same and end in the same way.
    Same,
    /// They do not.
    Different {
        /// The original's output and status.
        original: Printed,
        /// profan's output and status.
        ours: Printed,
    },
    /// profan panicked.
    Panic,
    /// The original was ended by a signal, or took more than it may.
    Crash,
    /// The original's output equals profan's if uninitialised memory has other contents.
    Unsettled,
    /// The original takes the number of basic blocks for another, in the wrong byte order,
    /// and fails.
    Misread,
    /// The original is not installed.
    Absent,
}

/// The standard output and the status of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Its output.
    pub text: Vec<u8>,
    /// It did not fail.
    pub is_ok: bool,
}

/// The files of a case in the directory of this thread, the program first.
pub fn files(case: &Case) -> Vec<PathBuf> {
    let mut files = vec![file("program", &case.program.bytes())];
    for (place, profile) in case.profiles.iter().enumerate() {
        files.push(file(&format!("profile-{place}"), &profile.bytes()));
    }
    files
}

/// Runs both.
#[must_use]
pub fn compare(case: &Case, machine: Machine) -> Outcome {
    let files = files(case);
    let original = match original(case, machine, &files, USUAL) {
        Ok(original) => original,
        Err(outcome) => return outcome,
    };
    let words = ["profan", "gprof"]
        .into_iter()
        .chain(case.options.iter().map(String::as_str));
    let words = words
        .map(OsString::from)
        .chain(files.iter().map(OsString::from));
    let Ok(ran) = catch_unwind(AssertUnwindSafe(|| run_words(words, NO_SCREEN))) else {
        return Outcome::Panic;
    };
    let ours = Printed {
        text: ran.text,
        is_ok: ran.is_ok,
    };
    if ours == original {
        return Outcome::Same;
    }
    if !original.is_ok && original.text.is_empty() && has_swapped_blocks(case) {
        return Outcome::Misread;
    }
    let agrees = |&allocator: &Allocator| {
        self::original(case, machine, &files, allocator).is_ok_and(|printed| printed == ours)
    };
    match OTHERS.iter().any(agrees) {
        true => Outcome::Unsettled,
        false => Outcome::Different { original, ours },
    }
}

/// Whether there are counts of basic blocks whose number has its highest byte first, unlike
/// the words of this machine.
fn has_swapped_blocks(case: &Case) -> bool {
    let records = case.profiles.iter().flat_map(|profile| &profile.records);
    let mut records = records.filter(|record| matches!(record, Record::Blocks(_)));
    case.program.is_big != cfg!(target_endian = "big") && records.next().is_some()
}

/// A variable of the C library that changes the initial contents of allocated memory.
type Allocator = (&'static str, &'static str);

/// Leaves memory unchanged.
const USUAL: Allocator = ("MALLOC_PERTURB_", "0");

/// New memory is zero; it is not that which was used last; zeros follow each block.
const OTHERS: [Allocator; 3] = [
    ("MALLOC_PERTURB_", "255"),
    ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"),
    ("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=16"),
];

/// Limits of the original: 4 GB of memory, 16 MB of output, five seconds. In some cases it prints
/// for ever, or requests all available memory.
const LIMITS: [&str; 5] = [
    "--as=4000000000",
    "--fsize=16777216",
    "--core=0",
    "timeout",
    "5",
];

/// The original's output.
fn original(
    case: &Case,
    machine: Machine,
    files: &[PathBuf],
    (name, value): Allocator,
) -> Result<Printed, Outcome> {
    let printed = path_of("printed");
    let output = File::create(&printed).expect("the folder is writable");
    let mut command = Command::new("prlimit");
    command
        .args(LIMITS)
        .arg(machine.gprof)
        .args(&case.options)
        .args(files);
    command.current_dir(path_of(""));
    let status = command
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null())
        .env_remove("GPROF_PATH")
        .env(name, value)
        .status()
        .expect("there is the command `prlimit`");
    // The exit statuses of `timeout`: too long, no such program, ended by a signal.
    match status.code() {
        Some(126 | 127) => Err(Outcome::Absent),
        Some(status) if status < 124 => Ok(Printed {
            text: fs::read(printed).expect("it was just written"),
            is_ok: status == 0,
        }),
        _ => Err(Outcome::Crash),
    }
}

/// The smallest case that is like this one, as far as leaving out one thing after the
/// other leads to it.
pub fn minimized(mut case: Case, is_like: impl Fn(&Case) -> bool) -> Case {
    loop {
        let smaller = smaller(&case).into_iter().find(&is_like);
        match smaller {
            Some(smaller) => case = smaller,
            None => return case,
        }
    }
}

/// The cases with one thing less.
fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Case)| {
        let mut copy = case.clone();
        change(&mut copy);
        all.push(copy);
    };
    // The first option omits the explanations, which profan words anew.
    for place in 1..case.options.len() {
        add(&|case| drop(case.options.remove(place)));
    }
    for place in 1..case.profiles.len() {
        add(&|case| drop(case.profiles.remove(place)));
    }
    for (profile, made) in case.profiles.iter().enumerate() {
        for place in 0..made.records.len() {
            add(&|case| drop(case.profiles[profile].records.remove(place)));
        }
    }
    for place in 0..case.program.symbols.len() {
        add(&|case| drop(case.program.symbols.remove(place)));
    }
    all
}
