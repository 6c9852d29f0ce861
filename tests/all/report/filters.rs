//! Filters choose the same functions, entries and calls of every kind of profile.
//!
//! One small program is written down three times: as sampled time with counted calls, as
//! allocations with their call stacks, and as calls recorded with their costs.
//!
//! ```text
//! main → a → c → d      self costs: main 1, a 2, b 3, c 4, d 6,
//!      ↘ b ↗            where c and d are called as often by way of a as of b
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use profan::load::{CounterOverflow, GmonRecords, RequestedLayout, WriteOptions, write_profile};
use profan::model::{
    Address, AddressSize, CallArc, Clock, Encoding, Endian, Histogram, InstructionStarts,
};

use crate::support::{Scratch, run_line};

const FUNCTIONS: [&str; 5] = ["main", "a", "b", "c", "d"];

/// The self cost of each function.
const OWN: [u64; 5] = [1, 2, 3, 4, 6];

/// Calls from one function to another: their number and cost.
const CALLS: [(usize, usize, u64, u64); 5] =
    [(0, 1, 1, 7), (0, 2, 1, 8), (1, 3, 1, 5), (2, 3, 1, 5), (3, 4, 2, 6)];

/// Stacks, the outermost function first, and their cost.
const STACKS: [(&[usize], u64); 7] = [
    (&[0], 1),
    (&[0, 1], 2),
    (&[0, 2], 3),
    (&[0, 1, 3], 2),
    (&[0, 2, 3], 2),
    (&[0, 1, 3, 4], 3),
    (&[0, 2, 3, 4], 3),
];

/// The bytes of code of each function, which are a bin each.
const SIZE: u64 = 0x20;

/// Where a function starts, within the code of the executable.
fn start_of(function: usize) -> u64 {
    0x1200 + SIZE * function as u64
}

/// The files of the three profiles, each with the options that it needs.
fn write_files(directory: &Path) -> [&'static str; 3] {
    let path = |name: &str| -> PathBuf { directory.join(name) };
    let symbols = FUNCTIONS.iter().enumerate();
    let symbols = symbols.map(|(id, name)| format!("{:016x} T {name}\n", start_of(id)));
    // The last one ends where another one starts.
    let end = format!("{:016x} T behind\n", start_of(FUNCTIONS.len()));
    let symbols = symbols.collect::<String>() + &end;
    fs::write(path("symbols"), symbols).expect("the folder is writable");
    fs::write(path("gmon.out"), gmon()).expect("the folder is writable");
    fs::write(path("mpatrol.out"), mpatrol()).expect("the folder is writable");
    fs::write(path("callgrind.out"), callgrind()).expect("the folder is writable");
    ["-S symbols primes gmon.out", "mpatrol.out", "callgrind.out"]
}

fn gmon() -> Vec<u8> {
    let calls = CALLS.map(|(caller, callee, count, _)| (caller, callee, count));
    gmon_of(start_of(0), &OWN, &calls)
}

/// A histogram from an address on, a bin for each function, and counted calls.
fn gmon_of(low: u64, ticks: &[u64], calls: &[(usize, usize, u64)]) -> Vec<u8> {
    let histogram = Histogram {
        low: Address(low),
        high: Address(low + SIZE * ticks.len() as u64),
        n_bins: ticks.len() as u64,
        bins: ticks.into(),
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock::seconds(100),
    };
    let arcs = calls.iter().map(|&(caller, callee, count)| CallArc {
        call_site: Address(start_of(caller) + 8),
        callee: Address(start_of(callee)),
        count,
    });
    let arcs: Vec<_> = arcs.collect();
    let records = GmonRecords { histograms: &[histogram], arcs: &[&arcs], blocks: None };
    let options = WriteOptions {
        encoding: Encoding::new(Endian::Little, AddressSize::Eight),
        layout: RequestedLayout::Gnu,
        overflow: CounterOverflow::Spill,
    };
    let mut bytes = Vec::new();
    write_profile(&mut bytes, &records, &options).expect("it has room for all");
    bytes
}

/// A call site for each stack, with one block of as many bytes as were spent there.
fn mpatrol() -> Vec<u8> {
    let mut strings = vec![0];
    let names = FUNCTIONS.map(|name| {
        let place = strings.len() as u64;
        strings.extend(name.bytes());
        strings.push(0);
        place
    });
    let number_of = |stack: &[usize]| {
        let place = STACKS.iter().position(|(other, _)| *other == stack);
        place.map_or(0, |place| place as u64 + 1)
    };
    let mut words: Vec<u64> = vec![1, 10501, 32, 256, 2048];
    // Blocks of each size up to the last bin, which includes larger ones; none was freed.
    let counts = (1..=8).map(|size| STACKS.iter().filter(|(_, own)| *own == size).count() as u64);
    words.push(8);
    words.extend(counts);
    words.push(0);
    words.extend([0; 8 + 1]);
    words.push(STACKS.len() as u64);
    for (number, (_, own)) in (1..).zip(STACKS) {
        words.push(number);
        // Blocks and bytes by class of size, allocated and then freed.
        words.extend([1, 0, 0, 0, own, 0, 0, 0]);
        words.extend([0; 8]);
    }
    words.push(STACKS.len() as u64);
    for (stack, _) in STACKS {
        let (&function, callers) = stack.split_last().expect("no stack is empty");
        let number = number_of(stack);
        let address = start_of(function) + number;
        let symbol = function as u64 + 1;
        words.extend([number, number_of(callers), address, symbol, names[function], number]);
    }
    words.push(FUNCTIONS.len() as u64);
    words.extend((0..FUNCTIONS.len()).map(start_of));
    words.push(strings.len() as u64);
    let words = words.into_iter().flat_map(u64::to_le_bytes);
    let mut bytes = b"MPTL".to_vec();
    bytes.extend(words);
    bytes.extend(strings);
    bytes.extend(b"MPTL");
    bytes
}

fn callgrind() -> String {
    let mut text = "# callgrind format\nevents: Ir\n".to_owned();
    for (id, name) in FUNCTIONS.iter().enumerate() {
        text += &format!("fn={name}\n1 {}\n", OWN[id]);
        for (_, callee, count, cost) in CALLS.iter().filter(|call| call.0 == id) {
            text += &format!("cfn={}\ncalls={count} 1\n1 {cost}\n", FUNCTIONS[*callee]);
        }
    }
    let total: u64 = OWN.iter().sum();
    text + &format!("totals: {total}\n")
}

/// The three profiles of the program.
pub(super) struct Program {
    scratch: Scratch,
    pub(super) profiles: [&'static str; 3],
}

impl Program {
    pub(super) fn new() -> Self {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let scratch = Scratch::copy_of(&fixtures.join("tour"));
        let profiles = write_files(scratch.path());
        Self { scratch, profiles }
    }

    pub(super) fn report(&self, options: &str, profile: &str) -> Value {
        let line = format!("profan --format json {options} {profile}");
        let outcome = run_line(&line, b"", self.scratch.path());
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.status, 0, "{line}: {stderr}");
        serde_json::from_slice(&outcome.stdout).expect("it is JSON")
    }

    /// The common output for all of the profiles.
    #[track_caller]
    fn shown(&self, options: &str) -> String {
        let [sampled, others @ ..] = self.profiles;
        let first = chosen(&self.report(options, sampled));
        for profile in others {
            let other = chosen(&self.report(options, profile));
            assert_eq!(other, first, "{profile} is not as {sampled} with `{options}`");
        }
        first
    }

    /// The self and total costs of functions in a profile.
    fn costs(&self, options: &str, profile: &str) -> Vec<(String, f64, f64)> {
        let report = self.report(options, profile);
        let costs = rows(&report, "flat").iter().map(|row| {
            let number = |key: &str| row[key].as_f64().expect("it is a number");
            let name = row["name"].as_str().expect("rows have names");
            (name.to_owned(), number("self"), number("total"))
        });
        costs.collect()
    }

    /// Checks self costs and, after a slash, totals of functions. One of the profiles records the
    /// cost of calls only as a whole, so parts of it are unknown.
    #[track_caller]
    fn check_costs(&self, options: &str, expected: &str) {
        let options = format!("-z -p {options}");
        let formatted = |costs: &[(String, f64, f64)]| {
            let is_shown =
                |(name, _, total): &&(String, f64, f64)| *total > 0.0 && !name.starts_with('<');
            let costs = costs.iter().filter(is_shown);
            let formatted = costs.map(|(name, own, total)| format!("{name} {own}/{total}"));
            let sorted: BTreeSet<_> = formatted.collect();
            sorted.into_iter().collect::<Vec<_>>().join(" ")
        };
        let own = |costs: &[(String, f64, f64)]| {
            let is_shown =
                |(name, own, _): &&(String, f64, f64)| *own > 0.0 && !name.starts_with('<');
            let costs = costs.iter().filter(is_shown);
            let formatted = costs.map(|(name, own, _)| format!("{name} {own}"));
            formatted.collect::<BTreeSet<_>>()
        };
        let [sampled, allocated, counted] =
            self.profiles.map(|profile| self.costs(&options, profile));
        assert_eq!(formatted(&sampled), expected, "with `{options}`");
        assert_eq!(formatted(&allocated), expected, "with `{options}`");
        assert_eq!(own(&counted), own(&sampled), "with `{options}`");
    }

    #[track_caller]
    fn check(&self, options: &str, flat: &str, entries: &str, calls: &str) {
        let expected = format!("{flat} | {entries} | {calls}");
        assert_eq!(self.shown(options), expected, "with `{options}`");
    }
}

/// The functions of the flat profile, the entries of the graph, and the calls in it.
pub(super) fn chosen(report: &Value) -> String {
    let name = |row: &Value| row["name"].as_str().expect("rows have names").to_owned();
    let (mut flat, mut entries) = (BTreeSet::new(), BTreeSet::new());
    let mut calls = BTreeSet::new();
    let is_left_out = |row: &&Value| row["kind"] == "rest";
    for row in rows(report, "flat").iter().filter(|row| !is_left_out(row)) {
        flat.insert(name(row));
    }
    for entry in rows(report, "graph") {
        entries.insert(name(entry));
        let of = |group: &str| entry[group].as_array().cloned().unwrap_or_default();
        calls.extend(of("callers").iter().map(|row| format!("{}/{}", name(row), name(entry))));
        calls.extend(of("callees").iter().map(|row| format!("{}/{}", name(entry), name(row))));
    }
    let joined = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(" ");
    format!("{} | {} | {}", joined(flat), joined(entries), joined(calls))
}

pub(super) fn rows<'r>(report: &'r Value, id: &str) -> &'r [Value] {
    let mut sections = report["sections"].as_array().expect("a list").iter();
    let section = sections.find(|section| section["id"] == id);
    section.map_or(&[], |section| section["rows"].as_array().expect("a list"))
}

const ALL: &str = "a b c d main";
const ALL_CALLS: &str = "a/c b/c c/d main/a main/b";

#[test]
fn the_three_profiles_are_of_one_program() {
    let program = Program::new();
    program.check("-p -q", ALL, ALL, ALL_CALLS);
    let whole = "a 2/7 b 3/8 c 4/10 d 6/6 main 1/16";
    program.check_costs("", whole);
    let counted = program.costs("-p", program.profiles[2]);
    let counted = counted.iter().map(|(name, own, total)| format!("{name} {own}/{total}"));
    assert_eq!(counted.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" "), whole);
}

#[test]
fn specs_choose_rows_of_the_flat_profile() {
    let program = Program::new();
    program.check("-pa", "a", "", "");
    program.check("-pa -pc", "a c", "", "");
    program.check("-Pa", "b c d main", "", "");
    program.check("-Pa -Pd", "b c main", "", "");
    // Inclusion wins.
    program.check("-pa -Pa -Pb", "a", "", "");
    program.check("-pm*", "main", "", "");
    program.check("-q -pa", "a", ALL, ALL_CALLS);
}

#[test]
fn specs_choose_entries_of_the_graph() {
    let program = Program::new();
    program.check("-qa", "", "a", "a/c main/a");
    program.check("-qb -qd", "", "b d", "b/c c/d main/b");
    program.check("-Qa", "", "b c d main", ALL_CALLS);
    program.check("-Qa -Qc", "", "b d main", "b/c c/d main/a main/b");
    program.check("-q -f a -f b", "", "a b", "a/c b/c main/a main/b");
    program.check("-q -e a -e c", "", "b d main", "b/c c/d main/a main/b");
}

#[test]
fn specs_of_calls_choose_calls() {
    let program = Program::new();
    program.check("-q -k main/a", "", ALL, "a/c b/c c/d main/b");
    program.check("-q -k main/a -k b/c", "", ALL, "a/c c/d main/b");
    program.check("-q -k main/a -k main/b", "", ALL, "a/c b/c c/d");
    program.check("-q -Qmain/a -Qb/c", "", ALL, "a/c c/d main/b");
    program.check("-qa/c", "", ALL, "a/c");
    program.check("-qa/c -qmain/b", "", ALL, "a/c main/b");
    program.check("-q* -k a/c", "", ALL, "b/c c/d main/a main/b");
}

#[test]
fn specs_choose_whose_time_counts() {
    let program = Program::new();
    let check = |options: &str, expected: &str| program.check_costs(options, expected);
    check("-n a", "a 2/2 main 0/2");
    check("-n a -n d", "a 2/5 b 0/3 c 0/6 d 6/6 main 0/8");
    check("-n c -N c", "a 0/2 b 0/2 c 4/4 main 0/4");
    check("-N c", "a 2/5 b 3/6 c 0/6 d 6/6 main 1/12");
    check("-N c -N d", "a 2/2 b 3/3 main 1/6");
    check("-F a", "a 2/2 main 0/2");
    check("-E c", "a 2/5 b 3/6 c 0/6 d 6/6 main 1/12");
    // Counted calls are shown even if they carry no cost.
    program.check("-z -q -F a", "", "a", "a/c main/a");
    program.check("-q -E c", "", "a b d main", ALL_CALLS);
}

#[test]
fn expressions_choose_functions() {
    let program = Program::new();
    let check = |keep: &str, functions: &str, calls: &str| {
        program.check(&format!("-p -q --keep '{keep}'"), functions, functions, calls);
    };
    check("all", ALL, ALL_CALLS);
    check("(from \"^a\")", "a c d", "a/c b/c c/d main/a");
    check("(to \"^b\")", "b main", "b/c main/a main/b");
    check("(succ \"main\")", "a b main", "a/c b/c main/a main/b");
    check("(pred \"^c\")", "a b c", ALL_CALLS);
    check("(not \"main\")", "a b c d", ALL_CALLS);
    check("(or \"^a\" \"^d\")", "a d", "a/c c/d main/a");
    check("(thresh 20)", "c d", "a/c b/c c/d");
    check("(thresh-stack 60)", "c main", "a/c b/c c/d main/a main/b");
}

/// Its functions have rows like all others.
#[test]
fn a_program_that_holds_the_profiler_has_cycles_and_ticks_in_no_function() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let scratch = Scratch::copy_of(&fixtures.join("tour"));
    let path = |name: &str| scratch.path().join(name);
    let symbols = ["main", "a", "b", "mcount", "behind"].into_iter().enumerate();
    let symbols = symbols.map(|(id, name)| format!("{:016x} T {name}\n", start_of(id)));
    fs::write(path("symbols"), symbols.collect::<String>()).expect("the folder is writable");
    // The first bin is before all functions, and the last one belongs to mcount.
    let calls = [(0, 1, 1), (1, 2, 5), (2, 1, 5)];
    let profile = gmon_of(start_of(0) - SIZE, &[7, 1, 2, 3, 4], &calls);
    fs::write(path("gmon.out"), profile).expect("the folder is writable");
    let line = "profan --format json -p -q -S symbols primes gmon.out";
    let outcome = run_line(line, b"", scratch.path());
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let shown = chosen(&report);
    let (flat, graph) = shown.split_once(" | ").expect("there are both");
    assert_eq!(flat, "<no function> a b main mcount");
    assert!(graph.starts_with("<cycle 1 as a whole> a b main mcount | "), "{graph}");
    let kinds = rows(&report, "flat").iter().map(|row| &row["kind"]);
    assert!(kinds.clone().any(|kind| kind == "unattributed"));
    let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(stderr.contains("warning[W017]: 4 samples"), "{stderr}");
}

/// The case that once showed the calls of the first spec for gmon.out, and not for
/// mpatrol.out.
#[test]
fn two_specs_of_calls_leave_out_the_calls_of_both() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let scratch = Scratch::copy_of(&fixtures.join("tour"));
    let line = "profan --format json -q -k main/count_by_trial -k main/count_by_sieve \
                gmon.out primes";
    let outcome = run_line(line, b"", scratch.path());
    let report = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let shown = chosen(&report);
    assert!(shown.contains("main/is_even"), "{shown}");
    assert!(!shown.contains("main/count_by"), "{shown}");
}
