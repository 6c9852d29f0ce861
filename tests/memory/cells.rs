//! Every kind of file with every report and format: the documented bound, whoever thought of the
//! pair.
//!
//! A run checks every 97th pair; with `PROFAN_CASES=N`, N times as many, from the seed
//! `PROFAN_SEED`, and prints the ten that take most.

use std::env;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use libtest_mimic::Failed;

use profan::render::RENDERERS;

use crate::checked::MOST_SECONDS;
use crate::hostile_profiles::{Pack, compressed, gnu_cookie};
use crate::measured::{Taken, measure, parse};
use crate::{elf, held, hostile_stacks, large, long_names, made};

/// Bytes of a file, about.
const N_BYTES: usize = if cfg!(debug_assertions) { 128 << 10 } else { 1 << 20 };

/// A pair of so many is checked.
const STEP: usize = 97;

/// Lines with `FILES`, and `AGAIN` for the first of them.
const REPORTS: &[&str] = &[
    "FILES",
    "-p FILES",
    "-q FILES",
    "--tree FILES",
    "--tree=callers FILES",
    "-p -l FILES",
    "-l -q FILES",
    "-A -I . FILES",
    "-C FILES",
    "-i FILES",
    "--error FILES",
    "-q --keep all FILES",
    "--focus f1 FILES",
    "--leaks FILES",
    "--bins FILES",
    "--trace FILES",
    "--peak FILES",
    "--temporary FILES",
    "--between start,end FILES",
    "--coverage FILES",
    "--group-by source -p FILES",
    "--all --format json FILES",
    "-q --format csv FILES",
    "-q --format jsonl FILES",
    "-p FILES AGAIN",
    "diff AGAIN -- FILES",
    "diff --tree AGAIN -- FILES",
    "diff --format json AGAIN -- FILES",
    "diff --format html AGAIN -- FILES",
    "--by-file FILES AGAIN",
    "--by-file --format csv FILES AGAIN",
];

/// A kind of file.
struct Kind {
    name: String,
    /// Writes its files into a directory, and returns their names.
    make: Box<dyn Fn(&Path) -> &'static str>,
}

/// The kinds that other tests give the lines where they cost most, and those that benchmarks
/// measure.
fn kinds() -> Vec<Kind> {
    let file = |name: &str, make: Box<dyn Fn() -> Vec<u8>>, names: &'static str| Kind {
        name: name.to_owned(),
        make: Box::new(move |directory| {
            fs::write(directory.join("file"), make()).expect("a file can be written");
            fs::write(directory.join("prog"), elf::program(&[])).expect("a file can be written");
            names
        }),
    };
    let mut kinds = Vec::new();
    for kind in large::KINDS {
        let has_program = kind.lines.iter().any(|line| line.contains("PROGRAM"));
        let names = if has_program { "file prog" } else { "file" };
        kinds.push(file(kind.name, Box::new(|| (kind.make)(N_BYTES)), names));
    }
    for kind in long_names::KINDS {
        let n_rows = kind.n_rows / if cfg!(debug_assertions) { 8 } else { 1 };
        kinds.push(file(kind.name, Box::new(move || (kind.make)(n_rows)), "file"));
    }
    for kind in hostile_stacks::KINDS {
        kinds.push(file(kind.name, Box::new(kind.make), "file"));
    }
    use made::Kind as M;
    // Of each, as many as make a megabyte.
    let made = [
        (M::Heap, 17_000, "heap"),
        (M::Trace, 72_000, "trace"),
        (M::Names, 9000, "table mlmon.out"),
        (M::Script, 700, "script"),
        (M::Recording, 700, "script"),
        (M::Folded, 1400, "folded"),
        (M::Pprof, 15_000, "pprof"),
        (M::Callgrind, 6500, "callgrind.out"),
        (M::Dhat, 3300, "dhat.json"),
        (M::Massif, 11_000, "massif.out"),
        (M::GprofText, 2000, "gprof.txt"),
        (M::Xdebug, 12_500, "xdebug.out"),
    ];
    for (kind, size, names) in made {
        let size = (size * N_BYTES) >> 20;
        let make = move |directory: &Path| {
            kind.make(directory, size).expect("a file can be written");
            names
        };
        kinds.push(Kind { name: format!("{kind:?}"), make: Box::new(make) });
    }
    for kind in large::KINDS.iter().filter(|kind| kind.lines[0].starts_with("profan -p")) {
        let name = format!("{}, compressed", kind.name);
        let make = || Pack::Gzip.pack(&(kind.make)(N_BYTES));
        kinds.push(file(&name, Box::new(make), "file prog"));
    }
    // As many bytes as the limit of decompression allows for a small file.
    let repeated = |start: &[u8], line| compressed(start, line, 3 * N_BYTES, &[], Pack::Gzip);
    let callgrind = move || repeated(b"# callgrind format\nevents: Ir\nfn=f\n", b"+1 1\n");
    kinds.push(file("a repeated line of callgrind, compressed", Box::new(callgrind), "file"));
    let folded = move || repeated(b"", b"f1;f2;f3 1\n");
    kinds.push(file("a repeated stack, compressed", Box::new(folded), "file"));
    kinds.push(Kind { name: "a library".to_owned(), make: Box::new(library) });
    kinds.push(Kind { name: "two programs".to_owned(), make: Box::new(two_programs) });
    kinds
}

/// Profile of a library as glibc writes it, with calls from and to any of its bytes.
fn library(directory: &Path) -> &'static str {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sprof/program");
    fs::copy(recorded.join("libnum.so"), directory.join("libnum.so")).expect("it can be copied");
    let profile = fs::File::open(recorded.join("libnum.so.profile.gz")).expect("it is there");
    let mut bytes = Vec::new();
    MultiGzDecoder::new(profile).read_to_end(&mut bytes).expect("it can be decompressed");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let (range, n_bins) = (word(32) - word(24), word(40) as usize);
    bytes.truncate(64 + 2 * n_bins + 4);
    let n_arcs = u32::try_from(N_BYTES / 20).expect("there are few");
    bytes.extend(n_arcs.to_le_bytes());
    let mut random = 1;
    for _ in 0..n_arcs {
        for _end in 0..2 {
            bytes.extend(large::number(&mut random, u64::from(range)).to_le_bytes());
        }
        bytes.extend([1, 0, 0, 0]);
    }
    fs::write(directory.join("libnum.so.profile"), bytes).expect("a file can be written");
    "libnum.so.profile libnum.so"
}

/// Two programs of a job, each with a profile of samples and calls.
fn two_programs(directory: &Path) -> &'static str {
    for (index, start) in [elf::TEXT_START, elf::TEXT_START + 0x10_0000].into_iter().enumerate() {
        let program = elf::program_at(start, &[]);
        let mut random = 1 + index as u64;
        let mut address = || start + large::number(&mut random, elf::TEXT_SIZE);
        let mut profile = gnu_cookie();
        profile.push(0);
        for end in [start, start + elf::TEXT_SIZE] {
            profile.extend(end.to_le_bytes());
        }
        let n_bins = elf::TEXT_SIZE / 2;
        profile.extend(u32::try_from(n_bins).expect("there are few").to_le_bytes());
        profile.extend(100_u32.to_le_bytes());
        profile.extend(b"seconds\0\0\0\0\0\0\0\0s");
        for _ in 0..n_bins {
            profile.extend([1, 0]);
        }
        while profile.len() < N_BYTES / 2 {
            profile.push(1);
            profile.extend(address().to_le_bytes());
            profile.extend(start.to_le_bytes());
            profile.extend([1, 0, 0, 0]);
        }
        for (name, bytes) in [("file", profile), ("prog", program)] {
            fs::write(directory.join(format!("{name}{index}")), bytes)
                .expect("a file can be written");
        }
    }
    "file0 file1 prog0 prog1"
}

/// The bytes of a file, decompressed, and the costs that it leaves out.
fn n_counted(path: &Path) -> u64 {
    if !path.is_file() {
        return 0;
    }
    let bytes = fs::read(path).expect("the file is there");
    let mut decompressed = Vec::new();
    let read = MultiGzDecoder::new(&*bytes).read_to_end(&mut decompressed);
    let read_by_profan = if read.is_ok() { decompressed } else { bytes };
    read_by_profan.len() as u64 + large::n_left_out(&read_by_profan)
}

/// Reports, and the first one in every format.
fn lines() -> Vec<String> {
    let of_format = |format: &str| match format {
        "tau" => "--format tau -o OUT FILES".to_owned(),
        "junit" | "github" => format!("diff --format {format} AGAIN -- FILES"),
        "csv" | "tsv" => format!("-p --format {format} FILES"),
        _ => format!("--format {format} FILES"),
    };
    let formats = RENDERERS.iter().map(|renderer| of_format(renderer.name));
    REPORTS.iter().map(|line| (*line).to_owned()).chain(formats).collect()
}

/// A checked pair.
struct Cell {
    name: String,
    memory: u64,
    most: u64,
    /// Bytes of the files, and of the output.
    n_read: u64,
    n_printed: u64,
    seconds: f64,
}

impl Cell {
    fn fits(&self) -> bool {
        // JSON keeps names whole, however many rows have them.
        let most_seconds = MOST_SECONDS * (1.0 + self.n_printed as f64 / f64::from(1 << 30));
        self.memory <= self.most && self.seconds <= most_seconds
    }

    fn row(&self) -> String {
        let Self { name, memory, most, n_read, n_printed, seconds } = self;
        let share = 100 * memory / most;
        let [memory, n_printed] = [memory >> 10, n_printed >> 10];
        let n_read = n_read >> 10;
        format!(
            "{share:3} %  {memory:7} KiB of {n_read} KiB, {n_printed} KiB printed, {seconds:.2} s  {name}"
        )
    }
}

/// Checks a line with the files of a directory.
fn check(kind: &str, names: &str, line: &str, directory: &Path) -> Cell {
    let again = names.split(' ').next().expect("there is a file");
    let file = |name: &str| directory.join(name).display().to_string();
    let files: Vec<_> = names.split(' ').map(file).collect();
    let words = line.split(' ').flat_map(|word| match word {
        "FILES" => files.clone(),
        "AGAIN" => vec![file(again)],
        "OUT" => vec![file("out")],
        word => vec![word.to_owned()],
    });
    let words: Vec<String> = ["profan".to_owned()].into_iter().chain(words).collect();
    let n_read = words.iter().map(|word| n_counted(Path::new(word))).sum();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let Taken { memory, time, n_printed, .. } = measure(&parse(&words));
    let most = held::BASE + held::FACTOR * n_read;
    let (name, seconds) = (format!("{kind}: {line}"), time.as_secs_f64());
    Cell { name, memory, most, n_read, n_printed, seconds }
}

fn number_of(variable: &str) -> Option<usize> {
    env::var(variable).ok()?.parse().ok()
}

/// Checks some pairs of all.
pub(crate) fn check_some() -> Result<(), Failed> {
    let n_times = number_of("PROFAN_CASES");
    let step = (STEP / n_times.unwrap_or(1).max(1)).max(1);
    let mut place = number_of("PROFAN_SEED").unwrap_or(0) % step;
    let mut cells = Vec::new();
    for kind in kinds() {
        let lines = lines();
        let directory = tempfile::tempdir()?;
        let mut names = None;
        while let Some(line) = lines.get(place) {
            let names = names.get_or_insert_with(|| (kind.make)(directory.path()));
            cells.push(check(&kind.name, names, line, directory.path()));
            place += step;
        }
        place -= lines.len();
    }
    assert!(!cells.is_empty(), "no pair was checked");
    cells.sort_by_key(|cell| std::cmp::Reverse(1000 * cell.memory / cell.most));
    if n_times.is_some() {
        let rows: Vec<_> = cells.iter().take(10).map(Cell::row).collect();
        crate::checked::print(&format!("{} pairs\n{}", cells.len(), rows.join("\n")));
    }
    let failures: Vec<_> = cells.iter().filter(|cell| !cell.fits()).map(Cell::row).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
