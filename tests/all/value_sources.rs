//! Runs of one program whose values are measured, sampled by size or weighted: comparisons of them
//! find nothing, and a planted change of 50 %.
//!
//! `PROFAN_CASES=1000` makes a thousand comparisons of each kind.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use profan::load::{Hints, Input, ReadPolicy, Sum, load};
use profan::model::ValueSource;

use crate::dice::Dice;
use crate::support::{Scratch, run_line};

/// Shares of the functions of a program.
const SHARES: [f64; 8] = [0.35, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.02];

/// Of a thousand comparisons, so many may be false alarms: 1 % and its error.
const MOST_ALARMS: usize = 17;

/// A kind of profile: its suffix, and a run whose first function costs so many times as much.
struct Kind {
    suffix: &'static str,
    run: fn(&mut Dice, f64) -> Vec<u8>,
}

const KINDS: [(&str, Kind); 5] = [
    ("times of Xdebug", Kind { suffix: "xdebug", run: xdebug }),
    ("delays of locks", Kind { suffix: "pb", run: delays }),
    ("a heap profile of Go", Kind { suffix: "pb", run: heap }),
    ("weighted stacks", Kind { suffix: "folded", run: weighted }),
    ("stacks of a wall clock", Kind { suffix: "folded", run: wall }),
];

/// Each function varies by 5 %, and each run by 3 %.
fn xdebug(dice: &mut Dice, times: f64) -> Vec<u8> {
    let mut text = "version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n".to_owned();
    let of_run = 1.0 + 0.03 * dice.normal();
    for (index, share) in SHARES.iter().enumerate() {
        let times = if index == 0 { times } else { 1.0 };
        let time = 1e6 * share * times * of_run * (1.0 + 0.05 * dice.normal());
        write!(text, "fn=f{index}\n1 {time:.0}\n").expect("a string takes all");
    }
    text.into_bytes()
}

/// Delays of an exponential length, some hundred for each function.
fn delays(dice: &mut Dice, times: f64) -> Vec<u8> {
    let rows = SHARES.iter().enumerate().map(|(index, share)| {
        let n = dice.poisson(600.0 * share).max(1);
        let times = if index == 0 { times } else { 1.0 };
        let delay: f64 = (0..n).map(|_| -dice.share().ln() * 50_000.0 * times).sum();
        (index, vec![whole(n as f64), whole(delay)])
    });
    let types = [("contentions", "count"), ("delay", "nanoseconds")];
    pprof(&types, ("contentions", "count"), 1, rows.collect())
}

/// The sizes and numbers of the blocks that each function allocates.
const BLOCKS: [(f64, f64); 8] = [
    (16_384.0, 4000.0),
    (65_536.0, 600.0),
    (262_144.0, 120.0),
    (1_048_576.0, 20.0),
    (512.0, 40_000.0),
    (4096.0, 3000.0),
    (131_072.0, 60.0),
    (2_097_152.0, 3.0),
];

/// The period of Go's heap profiles.
const PERIOD: f64 = 524_288.0;

/// Sampled and scaled as in Go: a block of s bytes is seen with probability 1 - exp(-s/period).
fn heap_of(dice: &mut Dice, (size, n): (f64, f64)) -> [i64; 2] {
    let seen = -(-size / PERIOD).exp_m1();
    let n_seen = if n * seen < 0.05 * n {
        dice.poisson(n * seen) as f64
    } else {
        (0..whole(n)).filter(|_| dice.share() < seen).count() as f64
    };
    [whole(n_seen / seen), whole(n_seen * size / seen)]
}

fn heap(dice: &mut Dice, times: f64) -> Vec<u8> {
    let mut rows = Vec::new();
    for (index, &(size, n)) in BLOCKS.iter().enumerate() {
        let n = if index == 0 { n * times } else { n };
        let values = heap_of(dice, (size, n));
        if values[0] > 0 {
            rows.push((index, values.to_vec()));
        }
    }
    pprof(
        &[("alloc_objects", "count"), ("alloc_space", "bytes")],
        ("space", "bytes"),
        524_288,
        rows,
    )
}

/// Samples of 10,101,010 nanoseconds, as stackcollapse-perf.pl writes them.
fn weighted(dice: &mut Dice, times: f64) -> Vec<u8> {
    let of_run = 1.0 + 0.03 * dice.normal();
    let mut text = String::new();
    for (index, share) in SHARES.iter().enumerate() {
        let times = if index == 0 { times } else { 1.0 };
        for leaf in 0..3 {
            let n = dice.poisson(2000.0 * share * times * of_run / 3.0);
            if n > 0 {
                let weight = n * 10_101_010;
                writeln!(text, "main;f{index};leaf{leaf} {weight}").expect("a string takes all");
            }
        }
    }
    text.into_bytes()
}

/// Microseconds spent waiting, of an unknown number of waits.
fn wall(dice: &mut Dice, times: f64) -> Vec<u8> {
    let mut text = String::new();
    for (index, share) in SHARES.iter().enumerate() {
        let times = if index == 0 { times } else { 1.0 };
        let n = dice.poisson(600.0 * share).max(1);
        let wait: f64 = (0..n).map(|_| -dice.share().ln() * 90_000.0 * times).sum();
        writeln!(text, "main;f{index} {wait:.0}").expect("a string takes all");
    }
    text.into_bytes()
}

#[expect(clippy::cast_possible_truncation, reason = "they are small")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// A pprof profile whose samples have one frame.
fn pprof(
    types: &[(&str, &str)],
    period_type: (&str, &str),
    period: u64,
    rows: Vec<(usize, Vec<i64>)>,
) -> Vec<u8> {
    let mut strings = vec![String::new()];
    let mut number = |text: &str| {
        let known = strings.iter().position(|one| one == text);
        known.unwrap_or_else(|| {
            strings.push(text.to_owned());
            strings.len() - 1
        }) as u64
    };
    let mut file = Vec::new();
    let mut of_type =
        |(name, unit): (&str, &str)| [field(1, number(name)), field(2, number(unit))].concat();
    for one in types {
        bytes(&mut file, 1, &of_type(*one));
    }
    let of_period = of_type(period_type);
    for (function, values) in rows {
        let id = function as u64 + 1;
        let values = values.iter().flat_map(|value| field(2, value.cast_unsigned()));
        let sample: Vec<u8> = field(1, id).into_iter().chain(values).collect();
        bytes(&mut file, 2, &sample);
    }
    for function in 0..SHARES.len() as u64 {
        let mut location = field(1, function + 1);
        bytes(&mut location, 4, &field(1, function + 1));
        bytes(&mut file, 4, &location);
        let name = number(&format!("f{function}"));
        bytes(&mut file, 5, &[field(1, function + 1), field(2, name)].concat());
    }
    bytes(&mut file, 11, &of_period);
    file.extend(field(12, period));
    for text in &strings {
        bytes(&mut file, 6, text.as_bytes());
    }
    file
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut found = Vec::new();
    while value > 127 {
        found.push(value.to_le_bytes()[0] | 128);
        value >>= 7;
    }
    found.push(value.to_le_bytes()[0]);
    found
}

fn field(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

fn bytes(file: &mut Vec<u8>, number: u64, value: &[u8]) {
    file.extend(varint(number << 3 | 2));
    file.extend(varint(value.len() as u64));
    file.extend_from_slice(value);
}

/// How many of so many comparisons find a change.
fn n_found(kind: &Kind, n_cases: usize, n_runs: usize, times: f64) -> usize {
    let scratch = Scratch::empty();
    let found = |case: &usize| {
        let mut dice = Dice(*case as u64 * 31 + n_runs as u64);
        let sides = [("old", 1.0), ("new", times)].map(|(side, times)| {
            let names = (0..n_runs).map(|run| {
                let name = format!("{side}{run}.{}", kind.suffix);
                let path: &Path = scratch.path();
                fs::write(path.join(&name), (kind.run)(&mut dice, times)).expect("it is writable");
                name
            });
            names.collect::<Vec<_>>().join(" ")
        });
        let line =
            format!("profan diff --fail-on slower,faster,new,gone {} -- {}", sides[0], sides[1]);
        let outcome = run_line(&line, b"", scratch.path());
        assert!(outcome.status < 2, "{}", String::from_utf8_lossy(&outcome.stderr));
        outcome.status == 1
    };
    (0..n_cases).filter(found).count()
}

fn n_cases() -> usize {
    let given = std::env::var("PROFAN_CASES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(12)
}

#[test]
fn runs_of_one_program_do_not_differ() {
    let n_cases = n_cases();
    let most = (MOST_ALARMS * n_cases).div_ceil(1000).max(1);
    for (name, kind) in &KINDS {
        for n_runs in [1, 6] {
            let n_alarms = n_found(kind, n_cases, n_runs, 1.0);
            println!("{name}, {n_runs} a side: {n_alarms} of {n_cases}");
            assert!(n_alarms <= most, "{name}, {n_runs} a side: {n_alarms} of {n_cases}");
        }
    }
}

#[test]
fn half_as_much_again_is_found_with_six_runs() {
    let n_cases = n_cases();
    for (name, kind) in &KINDS {
        let n_found = n_found(kind, n_cases, 6, 1.5);
        println!("{name}: {n_found} of {n_cases}");
        assert!(10 * n_found >= 9 * n_cases, "{name}: {n_found} of {n_cases}");
    }
}

/// The mean variance of bytes that profan reads from runs, relative to the variance among them.
fn stated_variance(dice: &mut Dice, block: (f64, f64)) -> f64 {
    const N_RUNS: u32 = 1000;
    let types = [("alloc_objects", "count"), ("alloc_space", "bytes")];
    let run = |_| {
        let values = heap_of(dice, block).to_vec();
        let file = pprof(&types, ("space", "bytes"), 524_288, vec![(0, values)]);
        let input = Input::from_bytes(Path::new("file"), file).expect("it is not compressed");
        let loaded = load(&input, &Hints::default()).expect("it is well-formed");
        let mut sum = Sum::new(ReadPolicy::CAREFUL);
        sum.add(loaded).expect("it is the first");
        let costs = sum.into_profile().costs;
        let ValueSource::Weighted { squares, by_size: true } = costs.metrics[0].source else {
            panic!("it is sampled by size: {:?}", costs.metrics[0].source);
        };
        let bytes = costs.metrics[0].terms[0].1;
        let values = costs.samples.row(0).expect("there is a sample");
        let unit = squares.unit.get() as f64;
        (values[bytes] as f64, values[squares.column] as f64 * unit * unit)
    };
    let runs: Vec<(f64, f64)> = (0..N_RUNS).map(run).collect();
    let mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / f64::from(N_RUNS);
    let (bytes, stated) = (mean(&|run| run.0), mean(&|run| run.1));
    let (size, n) = block;
    assert!((bytes / (size * n) - 1.0).abs() < 0.01, "{size}: {bytes}");
    stated / mean(&|run| (run.0 - bytes) * (run.0 - bytes))
}

#[test]
fn bytes_of_a_heap_vary_as_their_samples_say() {
    let mut dice = Dice(7);
    for doublings in (4..=22).step_by(2) {
        let size = f64::from(1 << doublings);
        // Some hundred blocks are seen, and in all runs some hundred large ones are not.
        let n = (300.0 * PERIOD / size).max(2000.0).round();
        let ratio = stated_variance(&mut dice, (size, n));
        println!("{n} blocks of {size} bytes: {ratio:.3}");
        assert!(ratio > 0.8 && ratio < 1.25, "{size}: {ratio}");
    }
}
