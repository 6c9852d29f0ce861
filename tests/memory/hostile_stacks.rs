//! Small files of stacks whose names, paths or labels would take a multiple of them.

use std::fmt::Write;

/// A kind of file.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Lines to run, with `FILE` and `DIRECTORY`.
    pub(crate) lines: &'static [&'static str],
    /// A code that the first line reports.
    pub(crate) said: &'static str,
    /// Bytes that the first line prints at most.
    pub(crate) most_printed: u64,
    pub(crate) make: fn() -> Vec<u8>,
}

/// All kinds.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "functions of one mapping with a name of 500 KB",
        lines: &["profan -p FILE", "profan --format json FILE", "profan diff FILE FILE"],
        said: "W046",
        most_printed: 64 << 20,
        make: || mapped(25_000, &"m".repeat(500_000)),
    },
    Kind {
        name: "a label of 500 KB",
        lines: &["profan --by-label k FILE"],
        said: "W046",
        most_printed: 64 << 20,
        make: || labelled(4000, &"v".repeat(500_000)),
    },
    Kind {
        name: "functions of one object with a name of 1 MB",
        lines: &["profan -p FILE"],
        said: "W046",
        most_printed: 64 << 20,
        make: || object(60_000, &"o".repeat(1_000_000)),
    },
    Kind {
        name: "deep stacks",
        lines: &[
            "profan --format tau -o DIRECTORY FILE",
            "profan --tree FILE",
            "profan diff --tree FILE -- FILE",
            "profan diff --format html FILE -- FILE",
            "profan diff --format pprof FILE -- FILE",
            "profan diff --format folded FILE -- FILE",
        ],
        said: "W074",
        most_printed: 128 << 20,
        make: deep,
    },
];

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A field of a protocol buffer with a number.
fn number(field: usize, number: usize) -> Vec<u8> {
    [varint(field << 3), varint(number)].concat()
}

/// A field of a protocol buffer with bytes.
fn bytes(field: usize, bytes: &[u8]) -> Vec<u8> {
    [&*varint(field << 3 | 2), &*varint(bytes.len()), bytes].concat()
}

/// A profile of pprof with so many functions of one mapping.
fn mapped(n_functions: usize, mapping: &str) -> Vec<u8> {
    let mut file = bytes(1, &[number(1, 1), number(2, 2)].concat());
    file.extend(bytes(3, &[number(1, 1), number(3, 1 << 40), number(5, 3)].concat()));
    for id in 1..=n_functions {
        let line = bytes(4, &number(1, id));
        file.extend(bytes(5, &[number(1, id), number(2, 3 + id)].concat()));
        file.extend(bytes(4, &[number(1, id), number(2, 1), line].concat()));
        file.extend(bytes(2, &[number(1, id), number(2, 1)].concat()));
    }
    let names = (1..=n_functions).map(|id| format!("f{id:x}"));
    for name in ["", "cpu", "nanoseconds", mapping].map(str::to_owned).into_iter().chain(names) {
        file.extend(bytes(6, name.as_bytes()));
    }
    file
}

/// A profile of pprof with samples of so many functions, all with one label.
fn labelled(n_functions: usize, value: &str) -> Vec<u8> {
    let mut file = bytes(1, &[number(1, 1), number(2, 2)].concat());
    let label = bytes(3, &[number(1, 3), number(2, 4)].concat());
    for id in 1..=n_functions {
        let line = bytes(4, &number(1, id));
        file.extend(bytes(5, &[number(1, id), number(2, 4 + id)].concat()));
        file.extend(bytes(4, &[number(1, id), line].concat()));
        file.extend(bytes(2, &[number(1, id), number(2, 1), label.clone()].concat()));
    }
    let names = (1..=n_functions).map(|id| format!("f{id:x}"));
    let strings = ["", "cpu", "nanoseconds", "k", value].map(str::to_owned);
    for name in strings.into_iter().chain(names) {
        file.extend(bytes(6, name.as_bytes()));
    }
    file
}

/// A profile of callgrind with so many functions of one object.
fn object(n_functions: usize, object: &str) -> Vec<u8> {
    let mut text = format!("events: Ir\nob=(1) {object}\n");
    for function in 0..n_functions {
        let _ = write!(text, "fn={function:x}\n1 1\n");
    }
    text.into_bytes()
}

/// Stacks of 1,000 frames of 50 functions.
fn deep() -> Vec<u8> {
    let mut random = 2_u64;
    let mut text = String::new();
    for stack in 1..=100 {
        for depth in 0..1000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let _ = write!(text, "{}f{}", if depth > 0 { ";" } else { "" }, (random >> 33) % 50);
        }
        let _ = writeln!(text, " {stack}");
    }
    text.into_bytes()
}
