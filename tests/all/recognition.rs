//! Texts that were changed on their way: other lines, other encodings, compression, a pipe.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{Outcome, Scratch, run_line};

/// A text of each format and each of its variants, below `fixtures`, with the files beside it.
const TEXTS: [(&str, &[&str]); 15] = [
    (
        "folded/stacks",
        &["stacks.folded", "single.folded", "fractions.folded", "austin.txt", "parts.txt"],
    ),
    ("folded/stacks", &["kinds.folded", "odd-first.txt", "one-name.folded", "windows.folded"]),
    ("perf-script/stacks", &["lines.perf", "no-event.perf", "simpleperf.perf", "count.perf"]),
    ("perf-script/stacks", &["leaves.perf", "source.perf", "no-object.perf", "bare-lines.perf"]),
    ("values", &["hybrid.perf", "memory.xdebug", "appended.xdebug", "difference.cgo"]),
    ("callgrind/levels", &["callgrind.out"]),
    ("callgrind/threads", &["callgrind.out"]),
    ("callgrind/shapes", &["callgrind.out"]),
    ("gprof-text/run", &["old.txt", "new.txt", "flat.txt", "explained.txt", "idle.txt"]),
    ("gprof-text/run", &["simulation.txt", "twice.txt", "empty.txt", "cut.txt"]),
    ("valgrind/heap", &["dhat.json", "copy.json", "events.json"]),
    ("valgrind/heap", &["detailed.massif", "massif.out", "pages.massif", "stacks.massif"]),
    ("mlton/cli", &["show-prof.txt mlmon.out", "mlmon.out show-prof.txt"]),
    ("mlton/evenodd", &["mlmon.out a.out"]),
    ("saved", &["gmon.json", "callgrind.json", "heap.json", "stacks.json"]),
];

const ODD: &[u8] = b"an odd line\n";

#[test]
fn a_changed_text_gives_the_same_answer_or_one_that_says_why() {
    let texts =
        TEXTS.iter().flat_map(|(directory, names)| names.iter().map(move |n| (directory, n)));
    for (directory, files) in texts {
        let scratch = Scratch::copy_of(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(directory),
        );
        let (name, others) = files.split_once(' ').unwrap_or((files, ""));
        let text = fs::read(scratch.path().join(name)).expect("the fixture is there");
        let line = format!("profan -p {name} {others}");
        let expected = run_line(&line, b"", scratch.path());
        assert_eq!(expected.status, 0, "{name}");
        let check = |what: &str, found: &Outcome, may_differ: bool| {
            let stderr = String::from_utf8_lossy(&found.stderr);
            let says_why = stderr.contains("warning[") || stderr.contains("error[");
            let is_about_gmon = stderr.contains("pass the gmon.out");
            let is_same = found.stdout == expected.stdout;
            assert!(is_same || may_differ && says_why && !is_about_gmon, "{name} {what}: {stderr}");
        };
        for (what, changed) in odd_lines(&text) {
            fs::write(scratch.path().join(name), changed).expect("it can be written");
            check(what, &run_line(&line, b"", scratch.path()), true);
        }
        for (what, changed) in encodings(&text) {
            fs::write(scratch.path().join(name), changed).expect("it can be written");
            check(what, &run_line(&line, b"", scratch.path()), false);
        }
        // Standard input has no name, by which single.folded is known.
        let piped = run_line(&format!("profan -p - {others}"), &text, scratch.path());
        check("piped", &piped, name == "single.folded");
    }
}

fn odd_lines(text: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let lines: Vec<_> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let with_odd = |at: usize| [&lines[..at].concat(), ODD, &lines[at..].concat()].concat();
    [
        ("with a line before", with_odd(0)),
        ("with a line within", with_odd(lines.len() / 2)),
        ("with a line behind", with_odd(lines.len())),
    ]
}

fn encodings(text: &[u8]) -> [(&'static str, Vec<u8>); 5] {
    let utf8 = String::from_utf8_lossy(text);
    let utf16 = |bytes_of: fn(u16) -> [u8; 2]| {
        let words = [0xfeff].into_iter().chain(utf8.encode_utf16());
        words.flat_map(bytes_of).collect::<Vec<u8>>()
    };
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text).expect("memory takes all");
    [
        ("with line ends of Windows", utf8.replace('\n', "\r\n").into_bytes()),
        ("in UTF-16, low byte first", utf16(u16::to_le_bytes)),
        ("in UTF-16, high byte first", utf16(u16::to_be_bytes)),
        ("with a byte order mark", [b"\xef\xbb\xbf", text].concat()),
        ("compressed", gzip.finish().expect("memory takes all")),
    ]
}
