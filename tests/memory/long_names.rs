//! Files in which one name is in many rows of a report.

use std::fmt::Write;

/// A kind of file.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Lines to run, with `FILE`.
    pub(crate) lines: &'static [&'static str],
    /// How many rows have the name.
    pub(crate) n_rows: usize,
    /// A file with so many.
    pub(crate) make: fn(usize) -> Vec<u8>,
}

/// All kinds.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "callers of one function with a name of 500 KB",
        lines: FORMATS,
        n_rows: 1500,
        make: |n| callers(n, 1, ["a", &"f".repeat(500_000)]),
    },
    Kind {
        name: "callers in one file with a name of 500 KB",
        lines: FORMATS,
        n_rows: 1500,
        make: |n| callers(n, 1, [&"d".repeat(500_000), "f"]),
    },
    Kind {
        name: "callers of one function with a name of 20 KB, two events",
        lines: FORMATS,
        n_rows: 15_000,
        make: |n| callers(n, 2, ["a", &"f".repeat(20_000)]),
    },
    Kind {
        name: "callers of one function with a name of 20 KB, 13 events",
        lines: FORMATS,
        n_rows: 15_000,
        make: |n| callers(n, 13, ["a", &"f".repeat(20_000)]),
    },
    Kind {
        name: "callers of one function with a name of 20 KB, 32 events",
        lines: FORMATS,
        n_rows: 15_000,
        make: |n| callers(n, 32, [&"d".repeat(20_000), &"f".repeat(20_000)]),
    },
    Kind {
        name: "lines of one function with a name of 20 KB",
        lines: LINES,
        n_rows: 30_000,
        make: |n| lines(n, &"f".repeat(20_000)),
    },
];

/// The first one shortens names.
const FORMATS: &[&str] = &[
    "profan -q --format csv FILE",
    "profan FILE",
    "profan -q --format json FILE",
    "profan -q --format jsonl FILE",
    "profan -p --format tsv FILE",
    "profan --format markdown FILE",
    "profan -q --format dot FILE",
    "profan --tree --format folded FILE",
    "profan diff FILE FILE",
    "profan diff --format json FILE FILE",
    "profan diff --format junit FILE FILE",
    "profan -i FILE FILE",
    "profan -C FILE",
    "profan -q --keep all FILE",
];

const LINES: &[&str] = &[
    "profan -l -p --format csv FILE",
    "profan -l -p -q FILE",
    "profan -l -p --format json FILE",
    "profan -l --format markdown FILE",
    "profan -A FILE",
];

/// A profile of callgrind with so many functions that call one.
fn callers(n_callers: usize, n_events: usize, [file, name]: [&str; 2]) -> Vec<u8> {
    let mut text = head(n_events);
    text += &format!("fl=(1) {file}\nfn=(1) {name}\n1 5\n");
    let costs = " 1".repeat(n_events.min(2));
    for number in 2..=n_callers + 1 {
        let _ = write!(text, "fn=({number}) {number}\n1 3\ncfn=(1)\ncalls=1 1\n1{costs}\n");
    }
    text.into_bytes()
}

/// A profile of callgrind with so many lines of one function.
fn lines(n_lines: usize, name: &str) -> Vec<u8> {
    let mut text = head(1);
    text += &format!("fl=(1) a\nfn=(1) {name}\n1 5\n");
    text += &"+1 5\n".repeat(n_lines);
    text.into_bytes()
}

fn head(n_events: usize) -> String {
    let events: String = (1..=n_events).map(|event| format!(" E{event}")).collect();
    format!("# callgrind format\nversion: 1\nevents:{events}\n\n")
}
