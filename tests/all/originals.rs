//! Unusual commands and files, against what mprof 1.3, mptrace 1.4 and mlprof did with them.
//!
//! `fixtures/originals` has the inputs, a line for each command, and the outputs recorded from
//! the originals. Each output is equal, or listed below with the reason why it is not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Scratch;

const USAGE: &str = "the texts of usage and help are profan's own";
const MESSAGE: &str = "messages about inputs name the file and the position";
const WARNING: &str = "a warning beside the same report";
const NO_HALF_FILE: &str = "no file is left half written";
const REPLAY: &str = "the program around the table of events is profan's own";
const OVERFLOW: &str = "the original overflows a buffer";

/// Outputs that differ by decision: the command, the output and the reason.
const DECIDED: &[(&str, &str, &str)] = &[
    ("P4c", "stdout", USAGE),
    ("P4d", "stdout", USAGE),
    ("P5", "stdout", USAGE),
    ("P6a", "stderr", WARNING),
    ("P7", "stderr", WARNING),
    ("T2a", "stdout", USAGE),
    ("T2b", "stdout", USAGE),
    ("T2d", "stdout", USAGE),
    ("T3a", "stderr", MESSAGE),
    ("T3a", "file.out.h", NO_HALF_FILE),
    ("T3b", "stderr", MESSAGE),
    ("T3c", "stderr", MESSAGE),
    ("T3c", "stdout", REPLAY),
    ("T4", "stderr", OVERFLOW),
    ("T4", "status", OVERFLOW),
    ("T4", "stdout", OVERFLOW),
    ("M1b", "stderr", MESSAGE),
    ("M2a", "stderr", USAGE),
    ("M2b", "stderr", USAGE),
    ("M2f", "stderr", USAGE),
    ("M3", "stderr", MESSAGE),
];

/// Outputs of a command by name: `stdout`, `stderr`, `status`, `file.NAME`.
type Outputs = BTreeMap<String, Vec<u8>>;

#[test]
fn every_output_is_the_recorded_one_or_differs_by_decision() {
    let originals = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/originals");
    let expected = originals.join("expected");
    let commands = fs::read_to_string(expected.join("commands.txt"));
    let mut problems = Vec::new();
    let mut counts = BTreeMap::new();
    for line in commands.expect("the commands are there").lines() {
        let mut words = line.split('\t');
        let id = words.next().expect("a line has a first word");
        let (ran, recorded) = (outputs_of(words, &originals), recorded(id, &expected));
        let names = ran.keys().chain(recorded.keys());
        let differing: Vec<_> =
            names.filter(|name| ran.get(*name) != recorded.get(*name)).collect();
        let decided =
            |name: &&String| DECIDED.iter().any(|(of, output, _)| *of == id && output == *name);
        let (is_decided, open): (Vec<_>, Vec<_>) = differing.into_iter().partition(decided);
        problems.extend(open.iter().map(|name| format!("{id}: {name} differs")));
        let unused = DECIDED
            .iter()
            .filter(|(of, output, _)| *of == id && !is_decided.iter().any(|name| name == output));
        problems.extend(unused.map(|(_, output, _)| format!("{id}: {output} is equal now")));
        *counts.entry(is_decided.is_empty()).or_insert(0) += 1;
    }
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(counts, BTreeMap::from([(true, 18), (false, 17)]));
}

/// After a BSD file, gprof writes no blocks of files before it. It leaves 12 bytes of the
/// header as they are in memory; the rest is from GNU gprof 2.40.
#[test]
fn a_sum_has_no_blocks_of_files_before_a_bsd_file() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof/bad-input");
    let scratch = Scratch::copy_of(&fixture);
    let bounds: Vec<u8> =
        [0x0040_1196_u64, 0x0040_11b6].iter().flat_map(|address| address.to_le_bytes()).collect();
    let bins = [1, 0, 2, 0, 0, 0, 3, 0];
    let words = [48_u32, 0x51879, 100, 0, 0, 0].map(u32::to_le_bytes);
    let bsd = [&*bounds, words.as_flattened(), &bins].concat();
    fs::write(scratch.path().join("bsd.gmon"), bsd).expect("the file can be written");
    let ran = Command::new(env!("CARGO_BIN_EXE_profan"))
        .args(["gprof", "-s", "prog", "bbonly.gmon", "bsd.gmon"])
        .current_dir(scratch.path())
        .status();
    assert!(ran.expect("profan runs").success());
    let sum = fs::read(scratch.path().join("gmon.sum")).expect("the sum is there");
    let dimension = b"\x04\0\0\0\x64\0\0\0seconds\0\0\0\0\0\0\0\0s";
    let histogram = [b"\0", &*bounds, dimension, &bins].concat();
    assert_eq!(sum[..8], *b"gmon\x01\0\0\0");
    assert_eq!(sum[20..], histogram);
}

fn outputs_of<'a>(mut words: impl Iterator<Item = &'a str>, originals: &Path) -> Outputs {
    let scratch = Scratch::copy_of(&originals.join("files"));
    let inputs = files_in(scratch.path());
    let ran = Command::new(env!("CARGO_BIN_EXE_profan"))
        .arg(words.next().expect("a line has a tool"))
        .args(words)
        .current_dir(scratch.path())
        .output()
        .expect("profan runs");
    let mut outputs = files_in(scratch.path());
    outputs.retain(|name, _| !inputs.contains_key(name));
    let outputs = outputs.into_iter().map(|(name, bytes)| (format!("file.{name}"), bytes));
    let status = format!("{}\n", ran.status.code().expect("profan exits"));
    let streams = [
        ("stdout".to_owned(), ran.stdout),
        ("stderr".to_owned(), ran.stderr),
        ("status".to_owned(), status.into()),
    ];
    outputs.chain(streams).collect()
}

fn recorded(id: &str, expected: &Path) -> Outputs {
    let files = files_in(expected).into_iter();
    let of_id = files.filter_map(|(name, bytes)| {
        let output = name.strip_prefix(id)?.strip_prefix('.')?;
        Some((output.to_owned(), bytes))
    });
    of_id.collect()
}

fn files_in(directory: &Path) -> Outputs {
    let entries = fs::read_dir(directory).expect("the directory is readable");
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("the directory is readable").path();
        let name = path.file_name().expect("a file has a name");
        let bytes = fs::read(&path).expect("a file is readable");
        (name.to_string_lossy().into_owned(), bytes)
    };
    entries.map(file).collect()
}
