//! Plain files of every kind, as dense as possible: the memory for each of their bytes.

use crate::hostile_profiles::{bsd_head, gnu_cookie, gnu_head};

/// A kind of file.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Lines to run, with `FILE` and `PROGRAM`.
    pub(crate) lines: &'static [&'static str],
    /// A file of about so many bytes.
    pub(crate) make: fn(usize) -> Vec<u8>,
}

/// All kinds.
pub(crate) const KINDS: &[Kind] = &[
    Kind { name: "calls of GNU", lines: GMON, make: gnu_arcs },
    Kind { name: "calls of BSD, 32 bits", lines: GMON, make: bsd_arcs },
    Kind { name: "ticks", lines: GMON, make: ticks },
    Kind { name: "full counters", lines: GMON, make: full_counters },
    Kind { name: "basic blocks", lines: GMON, make: blocks },
    Kind { name: "callgrind, functions", lines: TEXT, make: functions },
    Kind { name: "callgrind, calls", lines: TEXT, make: calls },
    Kind { name: "callgrind, lines", lines: TEXT, make: lines },
    Kind {
        name: "callgrind, functions with 13 events",
        lines: TEXT,
        make: |n| with_events(13, functions(n)),
    },
    Kind {
        name: "callgrind, functions with 32 events",
        lines: TEXT,
        make: |n| with_events(32, functions(n)),
    },
    Kind {
        name: "callgrind, calls with 32 events",
        lines: TEXT,
        make: |n| with_events(32, calls(n)),
    },
    Kind {
        name: "callgrind, lines with 32 events",
        lines: &["profan -l FILE", "profan -l --format json FILE"],
        make: |n| with_events(32, lines(n)),
    },
    Kind { name: "perf script, one stack a sample", lines: TEXT, make: |n| perf_script(n, 1) },
    Kind {
        name: "perf script, one stack a sample, 16 events",
        lines: TEXT,
        make: |n| perf_script(n, 16),
    },
    Kind {
        name: "a chain of allocations",
        lines: &[
            "profan --leaks=0 FILE",
            "profan --leaks=0 --format json FILE",
            "profan --leaks=0 --format csv FILE",
            "profan FILE",
        ],
        make: allocations,
    },
    Kind {
        name: "a table of MLton's",
        lines: &["profan FILE", "profan mlprof FILE FILE"],
        make: mlton_table,
    },
    Kind {
        name: "a trace",
        lines: &["profan FILE", "profan --trace FILE", "profan mptrace FILE"],
        make: trace,
    },
];

const GMON: &[&str] = &[
    "profan -p -q FILE PROGRAM",
    "profan --error FILE PROGRAM",
    "profan --format json FILE PROGRAM",
    "profan --format dot FILE PROGRAM",
    "profan diff FILE FILE PROGRAM",
    "profan -i FILE FILE PROGRAM",
    "profan -C FILE PROGRAM",
    "profan gprof -b PROGRAM FILE",
    "profan gprof -b -C PROGRAM FILE FILE",
];

const TEXT: &[&str] = &[
    "profan -p -q FILE",
    "profan --format json FILE",
    "profan diff FILE FILE",
    "profan -i FILE FILE",
    "profan --format dot FILE",
];

pub(crate) fn number(random: &mut u64, end: u64) -> u64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*random >> 33) % end
}

fn gnu_arcs(n_bytes: usize) -> Vec<u8> {
    let mut bytes = gnu_cookie();
    let mut random = 1;
    while bytes.len() < n_bytes {
        bytes.push(1);
        bytes.extend((0x40_1000 + number(&mut random, 1 << 30)).to_le_bytes());
        bytes.extend((0x40_1000 + number(&mut random, 1 << 30)).to_le_bytes());
        bytes.extend([1, 0, 0, 0]);
    }
    bytes
}

fn bsd_arcs(n_bytes: usize) -> Vec<u8> {
    let mut bytes = 0x40_1000_u32.to_le_bytes().to_vec();
    bytes.extend(0x40_1010_u32.to_le_bytes());
    bytes.extend(40_u32.to_le_bytes());
    bytes.extend(0x0005_1879_u32.to_le_bytes());
    bytes.extend(100_u32.to_le_bytes());
    bytes.extend([0; 12]);
    bytes.extend([1, 0, 0, 0, 0, 0, 1, 0]);
    let mut random = 1;
    while bytes.len() < n_bytes {
        for end in [1 << 30, 1 << 30, 9] {
            let word = u32::try_from(0x40_1000 + number(&mut random, end));
            bytes.extend(word.expect("it is below 2^32").to_le_bytes());
        }
    }
    bytes
}

fn ticks(n_bytes: usize) -> Vec<u8> {
    let mut bytes = gnu_head(n_bytes / 2);
    bytes.extend([1, 0].repeat(n_bytes / 2));
    bytes
}

fn full_counters(n_bytes: usize) -> Vec<u8> {
    let mut bytes = bsd_head(n_bytes / 2);
    bytes.extend([0xff; 2].repeat(n_bytes / 2));
    bytes
}

fn blocks(n_bytes: usize) -> Vec<u8> {
    let mut bytes = gnu_cookie();
    let n_blocks = n_bytes / 16;
    bytes.push(2);
    bytes.extend(u32::try_from(n_blocks).expect("there are few").to_le_bytes());
    for block in 0..n_blocks as u64 {
        bytes.extend((0x40_1000 + block * 3).to_le_bytes());
        bytes.extend((block % 7).to_le_bytes());
    }
    bytes
}

fn text(n_bytes: usize, start: &str, part: impl Fn(usize, &mut String)) -> Vec<u8> {
    let mut text = start.to_owned();
    for index in 1.. {
        if text.len() >= n_bytes {
            break;
        }
        part(index, &mut text);
    }
    text.into_bytes()
}

const CALLGRIND: &str = "# callgrind format\nversion: 1\nevents: Ir\n\nfl=a\n";

fn functions(n_bytes: usize) -> Vec<u8> {
    text(n_bytes, CALLGRIND, |index, text| {
        *text += &format!("fn={index:x}\n1 1\n");
    })
}

fn calls(n_bytes: usize) -> Vec<u8> {
    text(n_bytes, CALLGRIND, |index, text| {
        let callee = index.div_ceil(2);
        *text += &format!("fn=({index}) {index}\n1 1\ncfn=({callee})\ncalls=1 1\n1 1\n");
    })
}

fn lines(n_bytes: usize) -> Vec<u8> {
    text(n_bytes, &format!("{CALLGRIND}fn=f\n"), |_, text| *text += "+1 1\n")
}

/// How many costs the lines of a profile of callgrind leave out. Each counts as a byte.
pub(crate) fn n_left_out(profile: &[u8]) -> u64 {
    let lines = profile.split(|&byte| byte == b'\n');
    let n_words = |line: &[u8]| line.split(|&byte| byte == b' ').count() - 1;
    let events = lines.clone().find(|line| line.starts_with(b"events: "));
    let n_events = events.map_or(0, n_words);
    let is_of_costs = |line: &&[u8]| line.first().is_some_and(|byte| b"0123456789+".contains(byte));
    let left_out =
        lines.filter(is_of_costs).map(|line| n_events.saturating_sub(n_words(line)) as u64);
    left_out.sum()
}

/// The same profile, in which everything costs 1 of the first of so many events.
fn with_events(n_events: usize, profile: Vec<u8>) -> Vec<u8> {
    let events: String = (1..=n_events).map(|event| format!(" E{event}")).collect();
    let profile = String::from_utf8(profile).expect("it is text");
    profile.replacen(" Ir\n", &(events + "\n"), 1).into_bytes()
}

/// An allocation profile of mpatrol in which every call site calls the next, and leaks.
fn allocations(n_bytes: usize) -> Vec<u8> {
    let n_sites = u32::try_from(n_bytes / 28).expect("there are few");
    let mut words = vec![1, 10501, 32, 256, 2048, 0, 1, 1];
    words.extend((1..=16).rev());
    words.push(n_sites);
    for site in 0..n_sites {
        words.extend([site + 1, site, 0x1005 + 16 * site, site + 1, 1, 1]);
    }
    words.push(n_sites);
    words.extend((0..n_sites).map(|site| 0x1000 + 16 * site));
    words.push(3);
    let words: Vec<_> = words.into_iter().map(u32::to_le_bytes).collect();
    [b"MPTL", words.as_flattened(), b"\0f\0MPTL"].concat()
}

fn mlton_table(n_bytes: usize) -> Vec<u8> {
    let n_sources = n_bytes / 28;
    let count = format!("{n_sources}\n");
    let mut text = format!("0x5eed0042\n{count}<unknown>\n");
    for index in 1..n_sources {
        text += &format!("f{index}\n");
    }
    text += &count;
    for index in 0..n_sources {
        text += &format!("{index} {index}\n");
    }
    text += &count;
    for index in 0..n_sources {
        text += &format!("{index}\n");
    }
    text.into_bytes()
}

/// Allocations of blocks that nobody frees, each without its place.
fn trace(n_bytes: usize) -> Vec<u8> {
    let mut bytes = b"MTRC\x01\0\0\0\0\0\0\0".to_vec();
    bytes.extend(10300_u64.to_le_bytes());
    for index in 1..n_bytes as u64 / 9 {
        bytes.push(b'A');
        for number in [index, index * 8, 1] {
            let mut rest = number;
            while rest > 127 {
                bytes.push(rest.to_le_bytes()[0] | 0x80);
                rest >>= 7;
            }
            bytes.push(rest.to_le_bytes()[0]);
        }
    }
    bytes.extend(b"MTRC");
    bytes
}

/// Samples of so many events, each in a function of its own.
fn perf_script(n_bytes: usize, n_events: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut n = 0;
    while text.len() < n_bytes {
        let event = n % n_events;
        text.extend(format!("t 1.5: e{event}: \n\t1 {n:x}\n").bytes());
        n += 1;
    }
    text
}
