//! Unusual commands and files, compared with the behaviour of mprof 1.3, mptrace 1.4 and mlprof.
//!
//! `fixtures/originals` has the inputs, a line for each command, and the outputs recorded from
//! the originals. Each output is equal, or listed below with the reason for the difference. For
//! standard error this is the first line; profan's own messages and usage follow it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Scratch;

const HELP: &str = "the text of the options is profan's own";
const LICENCE: &str = "profan has another licence, and names its own version";
const REPLAY: &str = "the program around the table of events is profan's own";
const LONG_NAME: &str = "the original refuses names that are longer than its buffer";

/// Outputs that differ by decision: the command, the output and the reason.
const DECIDED: &[(&str, &str, &str)] = &[
    ("P4d", "stdout", HELP),
    ("T2d", "stdout", LICENCE),
    ("T3c", "stdout", REPLAY),
    ("T4", "stderr", LONG_NAME),
    ("T4", "status", LONG_NAME),
    ("T4", "stdout", LONG_NAME),
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
    assert_eq!(counts, BTreeMap::from([(true, 31), (false, 4)]));
}

/// A profile of 64-bit words: for each call site an address and the number of its symbol. The
/// only symbol, 1, starts at 0x1000.
fn profile(sites: &[(u64, u64)]) -> Vec<u8> {
    let n_sites = sites.len() as u64;
    let mut words = vec![1, 10501, 32, 256, 2048, 0, n_sites];
    let record = |number| [number, 1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    words.extend((1..=n_sites).flat_map(record));
    words.push(n_sites);
    for (number, &(address, symbol)) in (1..).zip(sites) {
        words.extend([number, 0, address, symbol, u64::from(symbol != 0), number]);
    }
    words.extend([1, 0x1000, 3]);
    let words: Vec<_> = words.into_iter().map(u64::to_le_bytes).collect();
    [b"MPTL", words.as_flattened(), b"\0f\0MPTL"].concat()
}

/// Exit status, standard output and standard error of an original's command on the file `in`.
fn ran(line: &str, input: &[u8]) -> (i32, String, String, Outputs) {
    let scratch = tempfile::tempdir().expect("a temporary directory can be made");
    fs::write(scratch.path().join("in"), input).expect("the file can be written");
    let ran = Command::new(env!("CARGO_BIN_EXE_profan"))
        .args(line.split(' '))
        .current_dir(scratch.path())
        .output()
        .expect("profan runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    let status = ran.status.code().expect("profan exits");
    (status, text(ran.stdout), text(ran.stderr), files_in(scratch.path()))
}

/// mprof uses the number of a symbol only as a key. With `-a` it needs the symbol's address.
#[test]
fn a_symbol_beyond_the_table_is_a_key() {
    let reports = [1, 9].map(|symbol| profile(&[(0x1010, symbol), (0x1020, symbol)]));
    let [known, beyond] =
        reports.map(|input| [ran("mprof -v in", &input), ran("mprof -a in", &input)]);
    assert_eq!(beyond[0], (0, known[0].1.clone(), String::new(), beyond[0].3.clone()));
    assert!(known[0].1.contains("(number of vertices: 1)"), "{}", known[0].1);
    assert_eq!((known[1].0, beyond[1].0), (0, 1));
    assert_eq!(
        beyond[1].2,
        "mprof: in: symbol 9 of a call site has no address, so `-a` has no offset\n"
    );
}

/// Later sites of a stack only add their amounts to the graph.
#[test]
fn sites_of_one_address_are_one_whichever_has_the_symbol() {
    for sites in [[(0x1010, 1), (0x1010, 0)], [(0x1010, 0), (0x1010, 1)]] {
        let (status, report, messages, _) = ran("mprof -v in", &profile(&sites));
        assert_eq!((status, &*messages), (0, ""));
        assert!(report.contains("(number of vertices: 1)"), "{report}");
        assert!(report.contains("      20     inf"), "{report}");
    }
}

/// mptrace writes the head of the other outputs before it reads the trace.
#[test]
fn outputs_of_a_trace_have_their_head_and_all_events_before_an_error() {
    let head = |name: &str| {
        format!(
            "## Tracename: {name}\n## Author: Unknown\n## Date: Unknown\n## DTDURL: hatf.dtd\n\
             ## Description: Converted to HATF by mptrace 1.4.\n\n"
        )
    };
    let trace = |version: u64, events: &[u8]| {
        [b"MTRC\x01\0\0\0\0\0\0\0", &version.to_le_bytes()[..], events].concat()
    };
    let (status, report, messages, _) = ran("mptrace -v -H stdout in", &trace(10600, b""));
    assert_eq!((status, report), (1, head("stdout")));
    assert!(messages.starts_with("mptrace: Tracing file version too new\nmptrace: in: "));
    let cut = trace(10300, b"A\x01\x10\x05A\x02\x10\x05A");
    let (status, _, messages, files) = ran("mptrace -H out -S program in", &cut);
    assert_eq!(status, 1);
    assert!(messages.starts_with("mptrace: Error reading file\nmptrace: in: "), "{messages}");
    assert_eq!(String::from_utf8_lossy(&files["out"]), head("out") + "1 5 0x10\n");
    let program = String::from_utf8_lossy(&files["program"]);
    assert!(program.contains("\n    {1, 5, 0},\n    {0, 0, 0}\n};\n"), "{program}");
    let (_, _, _, files) = ran("mptrace -H out -S program missing", &cut);
    assert_eq!(files.into_keys().collect::<Vec<_>>(), ["in"]);
}

#[test]
fn versions_begin_with_that_of_the_original() {
    let (_, mprof, ..) = ran("mprof -V in", b"");
    let (_, mptrace, ..) = ran("mptrace -V in", b"");
    assert!(mprof.starts_with("mprof 1.3\nprinted by profan "), "{mprof}");
    assert!(mptrace.starts_with("mptrace 1.4\nprinted by profan "), "{mptrace}");
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
        ("stderr".to_owned(), first_line(ran.stderr)),
        ("status".to_owned(), status.into()),
    ];
    outputs.chain(streams).collect()
}

fn recorded(id: &str, expected: &Path) -> Outputs {
    let files = files_in(expected).into_iter();
    let of_id = files.filter_map(|(name, bytes)| {
        let output = name.strip_prefix(id)?.strip_prefix('.')?;
        let bytes = if output == "stderr" { first_line(bytes) } else { bytes };
        Some((output.to_owned(), bytes))
    });
    of_id.collect()
}

fn first_line(mut text: Vec<u8>) -> Vec<u8> {
    let end = text.iter().position(|&byte| byte == b'\n');
    text.truncate(end.unwrap_or(text.len()));
    text
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
