//! Limits on memory: at most a fixed part, and a multiple of the input size.
//!
//! The tests run one after the other, since all threads of the process are counted. With
//! `PROFAN_KEEP=FOLDER` they leave their files there, and print their usage.

mod cells;
mod checked;
mod elf;
#[allow(dead_code, unreachable_pub, reason = "it is what fuzzing holds, too")]
#[path = "../../fuzz/src/held.rs"]
mod held;
mod hostile_profiles;
mod hostile_programs;
mod hostile_stacks;
mod large;
mod long_names;
#[allow(dead_code, reason = "benchmarks make more of it")]
#[path = "../../benches/versus/made/mod.rs"]
mod made;
mod measured;
mod recorded;
mod shared_names;
#[allow(dead_code, reason = "other tests run the program itself")]
#[path = "../support/mod.rs"]
mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use tempfile::TempDir;

use checked::{check_lines, tell, words_of};
use elf::SectionCompression;
use hostile_profiles::{Pack, gnu_head};
use measured::{Taken, measure, parse};
use profan::report::LONGEST_NAME;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let mut trials = Vec::new();
    let size = |megabytes: usize| megabytes << 20;
    // Compression that many bytes takes long, where this is not optimised.
    let n_compressed = size(if cfg!(debug_assertions) { 24 } else { 225 });
    let compressions = [
        (SectionCompression::Zlib, "zlib"),
        (SectionCompression::Zstd, "zstd"),
        (SectionCompression::None, "plain"),
    ];
    for (compression, named) in compressions {
        type Make = fn(usize, SectionCompression) -> Vec<u8>;
        let kinds: [(&str, Make); 5] = [
            ("sequences", hostile_programs::sequences),
            ("rows", hostile_programs::rows),
            ("file names", hostile_programs::file_names),
            ("units", hostile_programs::units),
            ("entries", hostile_programs::entries),
        ];
        for (kind, make) in kinds {
            let sizes = match (compression, kind) {
                (SectionCompression::None, _) => [900_000].to_vec(),
                // The zstd streams written here consist of repeated bytes.
                (SectionCompression::Zstd, kind) if kind != "rows" => continue,
                (_, "units") => [size(14), n_compressed.min(size(48))].to_vec(),
                // The first size is within the limit for decompression, the second is not.
                _ => [size(14), n_compressed].to_vec(),
            };
            for n_bytes in sizes {
                let name = format!("a program of {kind}, {named}, {n_bytes} bytes");
                trials.push(program_trial(name, move || make(n_bytes, compression)));
            }
        }
    }
    let one_block = move || hostile_programs::one_block(n_compressed);
    trials.push(program_trial("a program of one packed block".to_owned(), one_block));
    trials.extend(profile_trials());
    trials.extend(shared_names::KINDS.iter().map(names_trial));
    trials.extend(large::KINDS.iter().map(large_trial));
    trials.extend(long_names::KINDS.iter().map(long_names_trial));
    trials.extend(hostile_stacks::KINDS.iter().map(stacks_trial));
    trials.push(Trial::test("a dump of a line that is repeated", || {
        let directory = Directory::new();
        let file = directory.path().join("dump.txt");
        fs::write(&file, hostile_profiles::dump())?;
        let lines = ["profan --from-hexdump FILE", "profan -i --from-hexdump FILE FILE"];
        let said = check_lines(&lines, &[("FILE", &file)])?;
        if said.contains("W001") { Ok(()) } else { Err(said.into()) }
    }));
    trials.push(Trial::test("kinds of files with all reports and formats", cells::check_some));
    trials.push(Trial::test("every recorded command line", || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let step = if cfg!(debug_assertions) { 40 } else { 4 };
        Ok(recorded::check_all(&root, step)?)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A directory for the files of a test.
enum Directory {
    Temporary(TempDir),
    Kept(PathBuf),
}

impl Directory {
    fn new() -> Self {
        match env::var_os("PROFAN_KEEP") {
            Some(directory) => Self::Kept(directory.into()),
            None => Self::Temporary(tempfile::tempdir().expect("a temporary folder can be made")),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(directory) => directory.path(),
            Self::Kept(directory) => directory,
        }
    }
}

/// A plain file of some megabytes, in which each byte counts.
fn large_trial(kind: &'static large::Kind) -> Trial {
    let name = format!("{} in a plain file", kind.name);
    Trial::test(name, move || {
        let n_bytes: usize = if cfg!(debug_assertions) { 256 << 10 } else { 8 << 20 };
        let directory = Directory::new();
        let in_directory = |name: &str| directory.path().join(name);
        let (file, program) = (in_directory("large"), in_directory("prog"));
        let bytes = (kind.make)(n_bytes);
        let n_counted = bytes.len() as u64 + large::n_left_out(&bytes);
        fs::write(&file, bytes)?;
        fs::write(&program, elf::program(&[]))?;
        let files = [("FILE", &*file), ("PROGRAM", &*program)];
        let mut failures = String::new();
        for line in kind.lines {
            let n_files = line.matches("FILE").count() as u64;
            let taken = measure(&parse(&words_of(line, &files)));
            let n_read = n_files * n_counted;
            let per_byte = taken.memory as f64 / n_read as f64;
            let Taken { time, said, n_printed, .. } = &taken;
            let seconds = time.as_secs_f64();
            let first = said.lines().next().unwrap_or_default();
            tell(&format!("{per_byte:6.1} {seconds:6.2} s {n_printed:9}  {line}: {first}"));
            if taken.memory > held::BASE / 16 + held::FACTOR * n_read {
                failures += &format!("{line}: {per_byte:.1} bytes for each\n");
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.into()) }
    })
}

/// One long name that many rows have: the bound holds for memory, and where names are
/// shortened, few rows for each function or line have bytes to write.
fn long_names_trial(kind: &'static long_names::Kind) -> Trial {
    Trial::test(kind.name, move || {
        let n_rows = kind.n_rows / if cfg!(debug_assertions) { 4 } else { 1 };
        let directory = Directory::new();
        let file = directory.path().join(kind.name.replace([' ', ','], "-"));
        let bytes = (kind.make)(n_rows);
        fs::write(&file, &bytes)?;
        let mut failures = String::new();
        for (index, line) in kind.lines.iter().enumerate() {
            let taken = measure(&parse(&words_of(line, &[("FILE", &file)])));
            if index == 0 && !taken.said.contains("W046") {
                return Err(format!("it said {:?}, and not W046", taken.said).into());
            }
            let n_files = line.matches("FILE").count() as u64;
            let most = held::BASE + held::FACTOR * n_files * bytes.len() as u64;
            let (memory, n_printed) = (taken.memory, taken.n_printed);
            let seconds = taken.time.as_secs_f64();
            let first = taken.said.lines().next().unwrap_or_default();
            let took = format!(
                "{} of {} MB, {} MB printed, {seconds:.2} s  {line}: {first:.90}",
                memory >> 20,
                most >> 20,
                n_printed >> 20
            );
            tell(&took);
            let most_printed = held::BASE + n_rows as u64 * 4 * LONGEST_NAME as u64;
            let keeps_names = line.contains("json");
            if memory > most || (n_printed > most_printed && !keeps_names) {
                failures += &format!("{took}\n");
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.into()) }
    })
}

/// Stacks of a small file take what is documented, and print no multiple of that.
fn stacks_trial(kind: &'static hostile_stacks::Kind) -> Trial {
    Trial::test(kind.name, move || {
        let directory = Directory::new();
        let file = directory.path().join(kind.name.replace([' ', ','], "-"));
        let bytes = (kind.make)();
        fs::write(&file, &bytes)?;
        let out = directory.path().join("out");
        let mut failures = String::new();
        for (index, line) in kind.lines.iter().enumerate() {
            let files = [("FILE", &*file), ("DIRECTORY", &*out)];
            let taken = measure(&parse(&words_of(line, &files)));
            let n_files = line.matches("FILE").count() as u64;
            let most = held::BASE + held::FACTOR * n_files * bytes.len() as u64;
            let Taken { memory, n_printed, said, time } = &taken;
            let (memory, n_printed) = (*memory, *n_printed);
            let seconds = time.as_secs_f64();
            let took = format!(
                "{} of {} MB, {} MB printed, {seconds:.2} s  {line}",
                memory >> 20,
                most >> 20,
                n_printed >> 20
            );
            tell(&took);
            let is_silent = index == 0 && !said.contains(kind.said);
            let prints_more = index == 0 && n_printed > kind.most_printed;
            if memory > most || is_silent || prints_more || seconds > checked::MOST_SECONDS {
                failures += &format!("{took}: {said:.200}\n");
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.into()) }
    })
}

/// Small files that decompress to large ones.
fn profile_trials() -> Vec<Trial> {
    use hostile_profiles as made;
    // Unpacking that many bytes takes long, where this is not optimised.
    let n_bytes: usize = if cfg!(debug_assertions) { 32 << 20 } else { 1000 << 20 };
    let read: &[&str] = &["W005"];
    let refused: &[&str] = &["decompresses to more than"];
    let not_mine: &[&str] = &["a file that was compressed twice"];
    type Make = Box<dyn FnOnce() -> Vec<u8> + Send>;
    let kinds: Vec<(&str, Make, &[&str])> = vec![
        ("a histogram", Box::new(move || made::histogram(gnu_head, n_bytes, Pack::Gzip)), read),
        (
            "a histogram of BSD",
            Box::new(move || made::histogram(made::bsd_head, n_bytes, Pack::Gzip)),
            read,
        ),
        (
            "a histogram, zstd",
            Box::new(move || made::histogram(gnu_head, n_bytes, Pack::Zstd)),
            read,
        ),
        // Packed, they are more than twice as large as the others.
        ("calls", Box::new(move || made::arcs(n_bytes / 5 * 2)), refused),
        ("zeros", Box::new(move || made::zeros(n_bytes)), refused),
        ("a text", Box::new(move || made::callgrind(n_bytes)), refused),
        (
            "a histogram, packed twice",
            Box::new(move || made::twice(&made::histogram(gnu_head, n_bytes, Pack::Gzip))),
            not_mine,
        ),
        ("nothing, and a histogram", Box::new(move || made::empty_members(n_bytes / 1100)), read),
    ];
    let lines: &[&str] = &[
        "profan FILE PROGRAM",
        "profan -i FILE PROGRAM",
        "profan -l --error FILE PROGRAM",
        "profan --format json FILE FILE PROGRAM",
        "profan diff FILE FILE PROGRAM",
        "profan --by-file FILE FILE PROGRAM",
        "profan -s -o SUM FILE FILE PROGRAM",
        "profan doctor PROGRAM FILE",
        "profan gprof -b PROGRAM FILE",
        "profan mprof FILE",
        "profan mptrace FILE",
        "profan mlprof FILE FILE",
    ];
    let trials = kinds.into_iter().map(|(kind, make, said)| {
        let name = format!("{kind} of up to {} MiB, packed", n_bytes >> 20);
        Trial::test(name, move || {
            let directory = Directory::new();
            let in_directory = |name: &str| directory.path().join(name);
            let (file, program) =
                (in_directory(&kind.replace([' ', ','], "-")), in_directory("prog"));
            let compressed = make();
            assert!(compressed.len() < 1_200_000, "{} bytes", compressed.len());
            fs::write(&file, compressed)?;
            fs::write(&program, elf::program(&[]))?;
            let sum = in_directory("gmon.sum");
            let files = [("FILE", &*file), ("PROGRAM", &program), ("SUM", &sum)];
            let first = check_lines(&lines[..1], &files)?;
            if let Some(missing) = said.iter().find(|said| !first.contains(**said)) {
                return Err(format!("it said {first:?}, and not {missing}").into());
            }
            check_lines(&lines[1..], &files).map(|_| ())
        })
    });
    trials.collect()
}

const LINES_OF_PROGRAM: &[&str] = &[
    "profan -l GMON FILE",
    "profan --inlines GMON FILE",
    "profan -A GMON FILE",
    "profan --format lcov GMON FILE",
    "profan -i GMON FILE",
    "profan gprof -b -l FILE GMON",
    "profan gprof -b -A FILE GMON",
    "profan doctor FILE GMON",
];

fn program_trial(name: String, make: impl FnOnce() -> Vec<u8> + Send + 'static) -> Trial {
    Trial::test(name.clone(), move || {
        let directory = Directory::new();
        let (file, gmon) = (
            directory.path().join(name.replace([' ', ','], "-")),
            directory.path().join("gmon.out"),
        );
        let program = make();
        assert!(program.len() < 1_500_000, "{} bytes", program.len());
        fs::write(&file, program)?;
        fs::write(&gmon, [gnu_head(3), vec![1, 0, 0, 0, 2, 0]].concat())?;
        check_lines(LINES_OF_PROGRAM, &[("FILE", &file), ("GMON", &gmon)]).map(|_| ())
    })
}

/// Files that store data once and use it often.
fn names_trial(kind: &'static shared_names::Kind) -> Trial {
    Trial::test(kind.name, move || {
        // Taking names apart takes long, where this is not optimised.
        let n_functions = kind.n_functions / if cfg!(debug_assertions) { 8 } else { 1 };
        let directory = Directory::new();
        let in_directory = |name: &str| directory.path().join(name);
        let (file, gmon) = (in_directory(&kind.name.replace(' ', "-")), in_directory("ticks"));
        fs::write(&file, (kind.make)(n_functions))?;
        fs::write(&gmon, shared_names::profile(n_functions))?;
        let files = [("FILE", &*file), ("GMON", &*gmon)];
        let first = check_lines(&kind.lines[..1], &files)?;
        if !first.contains(kind.said) {
            return Err(format!("it said {first:?}, and not {}", kind.said).into());
        }
        let step = if cfg!(debug_assertions) { 5 } else { 1 };
        let others: Vec<_> = kind.lines[1..].iter().step_by(step).copied().collect();
        check_lines(&others, &files).map(|_| ())
    })
}
