//! Compares profiles of callgrind with the output of callgrind_annotate.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use profan::load::{Compressions, Hints, Input, Loaded, OpenFile, ReadPolicy, Sum, load};
use profan::model::{ContextId, FunctionId, RecordedCosts};
use profan::symbols::{ContextKeys, NamedContexts};
use serde_json::Value;

use crate::samples::samples;
use crate::support::run_line;

type Rows = BTreeMap<String, Vec<u64>>;

#[test]
fn self_costs_equal_callgrind_annotate() {
    for case in ["recursion", "shapes", "threads"] {
        let costs = costs_of(&file(case, "callgrind.out"));
        let text = file(case, "expected/callgrind_annotate/exclusive.txt");
        assert_eq!(self_costs(&costs), rows_of(&text), "{case}");
    }
    let costs = costs_of(&file("recursion", "cachegrind.out.gz"));
    let text = file("recursion", "expected/cg_annotate/exclusive.txt");
    assert_eq!(self_costs(&costs), rows_of(&text));
}

/// Compares the samples with gprof2dot's reading of them. It separates levels of recursion, which
/// are one function here, and prints addresses in other digits. It computes totals of functions
/// that call themselves, even through others, in its own way.
#[test]
fn samples_have_the_costs_that_gprof2dot_reads() {
    let Some(directory) = samples("callgrind") else {
        return;
    };
    let key = |name: &str| {
        let name = match name.rsplit_once('\'') {
            Some((base, level)) if level.parse::<u32>().is_ok() => base,
            _ => name,
        };
        let digits = name.strip_prefix("0x").and_then(|rest| rest.split(' ').next());
        let address = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        address.map_or(name.to_owned(), |address| format!("{address:#x}"))
    };
    let (mut n_functions, mut n_totals) = (0, 0);
    for case in ["bool", "issue35", "selinux"] {
        let line = format!("profan -p -z --no-demangle --format json {case}.callgrind");
        let ran = run_line(&line, b"", &directory);
        assert_eq!(ran.status, 0, "{case}");
        let report: Value = serde_json::from_slice(&ran.stdout).expect("it is JSON");
        let mut found = BTreeMap::<String, [f64; 2]>::new();
        for row in report["sections"][0]["rows"].as_array().expect("rows") {
            let sum = found.entry(key(row["name"].as_str().expect("a name"))).or_default();
            sum[0] += row["self"].as_f64().unwrap_or(0.0);
            sum[1] += row["total"].as_f64().unwrap_or(0.0);
        }
        let whole: f64 = found.values().map(|[own, _]| own).sum();
        let table = directory.join(format!("callgrind-{case}.callgrind.functions.tsv"));
        let table = fs::read_to_string(table).expect("it is there");
        let mut expected = BTreeMap::<String, Vec<[f64; 2]>>::new();
        for row in table.lines().skip(1) {
            let cells: Vec<_> = row.split('\t').collect();
            let [own, total] = [1, 3].map(|cell: usize| cells[cell].parse().expect("a number"));
            expected.entry(key(cells[0])).or_default().push([own, total]);
        }
        let calls = directory.join(format!("callgrind-{case}.callgrind.calls.tsv"));
        let calls = fs::read_to_string(calls).expect("it is there");
        let mut callees = BTreeMap::<String, Vec<String>>::new();
        for call in calls.lines().skip(1) {
            let (caller, rest) = call.split_once('\t').expect("a caller");
            let callee = rest.split('\t').next().expect("a callee");
            callees.entry(key(caller)).or_default().push(key(callee));
        }
        let calls_itself = |name: &String| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![name]);
            while let Some(next) = open.pop() {
                let next = callees.get(next).into_iter().flatten();
                open.extend(next.filter(|callee| seen.insert(*callee)));
            }
            seen.contains(name)
        };
        for (name, levels) in &expected {
            let [own, total] = found.get(name).copied().unwrap_or_default();
            let all_levels: f64 = levels.iter().map(|[own, _]| own).sum();
            assert_eq!(own, all_levels, "self of {name} in {case}");
            n_functions += 1;
            // Addresses are apart by object.
            let is_apart = name.starts_with("0x") || calls_itself(name);
            if let ([[_, share]], false) = (&**levels, is_apart) {
                assert!((total / whole - share).abs() < 1e-3, "total of {name} in {case}");
                n_totals += 1;
            }
        }
        assert_eq!(found.len(), expected.len(), "{case}");
    }
    assert!(n_functions > 1000 && n_totals > 700, "{n_functions} {n_totals}");
}

/// To callgrind_annotate, the inclusive cost of a function is the cost of all calls to it, even
/// calls that it made itself. For a function without callers, it is its own cost and the cost of
/// its calls.
#[test]
fn inclusive_costs_equal_callgrind_annotate() {
    for case in ["recursion", "shapes", "threads"] {
        let costs = costs_of(&file(case, "callgrind.out"));
        let mut rows = self_costs(&costs);
        let mut of_calls = Rows::new();
        for (call, values) in costs.calls.iter() {
            add(&mut rows, site_name(&costs, call.site), values);
            add(&mut of_calls, function_name(&costs, call.callee), values);
        }
        rows.extend(of_calls);
        let text = file(case, "expected/callgrind_annotate/inclusive.txt");
        assert_eq!(rows, rows_of(&text), "{case}");
    }
}

/// profan prints the numbers of callgrind_annotate for a function. If callgrind_annotate lists a
/// function once for each of its files, the row with the most is the whole.
#[test]
fn the_flat_profile_has_the_numbers_of_callgrind_annotate() {
    for case in ["recursion", "shapes", "threads"] {
        let printed = flat_rows(case, "callgrind.out", "-p");
        let annotated = |name: &str| rows_of(&file(case, name));
        let mut self_costs: HashMap<String, u64> = HashMap::new();
        for (name, values) in annotated("expected/callgrind_annotate/exclusive.txt") {
            let function = without_level(&function_of(&name)).to_owned();
            *self_costs.entry(function).or_default() += values[0];
        }
        let mut totals: HashMap<String, u64> = HashMap::new();
        for (name, values) in annotated("expected/callgrind_annotate/inclusive.txt") {
            let total = totals.entry(function_of(&name)).or_default();
            *total = values[0].max(*total);
        }
        let mut names: Vec<_> = printed.keys().collect();
        names.sort();
        for name in &names {
            let [self_cost, total] = printed[*name];
            let annotated = self_costs.get(*name).copied().unwrap_or_default();
            assert_eq!(self_cost, annotated, "{case}: {name}");
            // For a recursive function, the first level is the total.
            assert_eq!(total, totals[*name], "{case}: {name}");
        }
        let is_printed = |(name, &cost): (&String, &u64)| cost == 0 || printed.contains_key(name);
        assert!(self_costs.iter().all(is_printed), "{case}");
        assert!(names.len() >= 5, "{case}");
    }
}

/// A line that calls its own function is not in a cycle, but its function is.
#[test]
fn no_line_costs_more_than_all() {
    let rows = flat_rows("recursion", "callgrind.out", "-p -l");
    assert!(rows.len() > 20);
    let totals = rows.values().map(|[_, total]| *total);
    assert_eq!(totals.max(), Some(45776));
}

/// Self and total of each name, in any file or object.
fn flat_rows(case: &str, profile: &str, options: &str) -> HashMap<String, [u64; 2]> {
    let directory = file(case, profile);
    let directory = directory.parent().expect("a file is in a folder");
    let line = format!("profan {options} --format json {profile}");
    let outcome = run_line(&line, b"", directory);
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let rows = report["sections"][0]["rows"].as_array();
    let mut found: HashMap<String, [u64; 2]> = HashMap::new();
    for row in rows.expect("there are rows") {
        let number = |key: &str| row[key].as_u64().expect("it is a number");
        let name = row["name"].as_str().expect("it is a name");
        let [self_cost, total] = found.entry(without_object(name).to_owned()).or_default();
        *self_cost += number("self");
        *total = number("total").max(*total);
    }
    found
}

/// Totals in cycles equal the counts of `--toggle-collect` if levels are separated; otherwise
/// they are lower bounds.
#[test]
fn totals_in_cycles_equal_toggle_collect() {
    let with_levels = flat_rows("levels", "callgrind.out", "-p");
    let one_level = flat_rows("levels", "one-level.out", "-p");
    let toggled = file("levels", "expected/callgrind/toggle-collect.txt");
    let toggled = fs::read_to_string(toggled).expect("the fixture is text");
    for line in toggled.lines() {
        let (name, total) = line.split_once(' ').expect("a line is a name and a number");
        let total = total.parse().expect("it is a number");
        let ([self_cost, found], [_, least]) = (with_levels[name], one_level[name]);
        assert_eq!(found, total, "{name}");
        assert!((self_cost..=total).contains(&least), "{name}: {least}");
    }
}

/// The function of a row `file:function`.
fn function_of(row: &str) -> String {
    row.split_once(':').expect("a row has a file").1.to_owned()
}

/// The cost that enters by calls equals the cost that leaves by calls plus the self cost;
/// recursion counts on both sides.
#[test]
fn costs_into_a_function_equal_costs_out_of_it() {
    for case in ["recursion", "shapes"] {
        let costs = costs_of(&file(case, "callgrind.out"));
        let mut spent: HashMap<FunctionId, u64> = HashMap::new();
        let mut received: HashMap<FunctionId, u64> = HashMap::new();
        let function = |id: ContextId| costs.contexts.get(id).function.expect("all have one");
        for (key, values) in costs.samples.rows() {
            let context = key.context().expect("rows are of contexts");
            *spent.entry(function(context)).or_default() += values[0];
        }
        for (call, values) in costs.calls.iter() {
            *spent.entry(function(call.site)).or_default() += values[0];
            *received.entry(call.callee).or_default() += values[0];
        }
        assert!(received.len() > 30, "{case}");
        for (id, received) in received {
            let name = function_name(&costs, id);
            assert_eq!(spent[&id], received, "{case}: {name}");
        }
    }
}

#[test]
fn totals_are_the_sums_of_costs() {
    for case in ["recursion", "shapes", "threads"] {
        let costs = costs_of(&file(case, "callgrind.out"));
        let mut sums = vec![0; costs.samples.types().len()];
        for (_, values) in costs.samples.rows() {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
        assert_eq!(costs.event_totals.as_deref(), Some(&*sums), "{case}");
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("the folder is writable");
        path
    };
    let head = "part: 2\nevent: Ir : Instruction Fetch\nevents: Ir\n";
    let body = "ob=x\nfl=main.c\nfn=main\ncfn=fib\ncalls=2 3\n9 20\nfn=fib\n3 20\ntotals: 20\n";
    let paths = [
        file("recursion", "callgrind.out"),
        file("threads", "callgrind.out"),
        write("a.out", &format!("{head}{body}")),
        write("b.out", &format!("{head}fl=z.c\nfn=a\n7 1\n{body}")),
    ];
    let first = sum_of(paths.iter());
    assert_eq!(first.parts.len(), 6);
    let fib = function_names(&first).filter(|name| name == "main.c:fib");
    assert_eq!(fib.count(), 1);
    for turn in 1..paths.len() {
        let (head, tail) = paths.split_at(turn);
        assert!(sum_of(tail.iter().chain(head)) == first, "{turn}");
    }
    assert!(sum_of(paths.iter().rev()) == first);
}

#[test]
fn files_with_a_common_event_are_added_up() {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let other = directory.path().join("callgrind.out");
    fs::write(&other, "events: Bi\nfn=f\n1 1\n").expect("the folder is writable");
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    for case in ["recursion", "shapes"] {
        sum.add(loaded(&file(case, "callgrind.out"))).expect("both count instructions");
    }
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    sum.add(loaded(&file("recursion", "callgrind.out"))).expect("it is the first");
    let error = sum.add(loaded(&other)).expect_err("it counts something else").to_string();
    let end =
        "cannot be added to the preceding profiles: it counts the events `Bi`, the others `Ir`";
    assert!(error.ends_with(end), "{error}");
}

#[test]
fn functions_of_one_name_in_other_objects_are_other_symbols() {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let path = directory.path().join("callgrind.out");
    let text = "events: Ir\nob=y\nfl=a.c\nfn=f\n1 1\nob=x\nfn=f\n1 2\nfi=a.h\n1 4\nfn=f\n1 8\n";
    fs::write(&path, text).expect("the folder is writable");
    let costs = costs_of(&path);
    let names = NamedContexts::new(&costs, None, ContextKeys::Functions);
    let symbols: Vec<_> = (0..4).map(|id| names.of(ContextId(id)).index()).collect();
    assert_eq!(symbols, [1, 0, 0, 2]);
    let names = NamedContexts::new(&costs, None, ContextKeys::Written);
    let symbols: Vec<_> = (0..4).map(|id| names.of(ContextId(id)).index()).collect();
    assert_eq!(symbols, [0, 0, 0, 1]);
}

#[test]
fn functions_with_inlined_code_are_symbols() {
    let costs = costs_of(&file("recursion", "callgrind.out"));
    let names = NamedContexts::new(&costs, None, ContextKeys::Functions);
    let functions = (0..).map(FunctionId).zip(&costs.functions);
    let first_levels = functions.filter(|(_, f)| f.level == Some(NonZeroU32::MIN));
    let symbols: Vec<_> = first_levels.map(|(id, _)| names.of_function(id)).collect();
    let mut unique = symbols.clone();
    unique.sort_unstable_by_key(|id| id.index());
    unique.dedup();
    assert_eq!(unique.len(), symbols.len());
    assert_eq!(unique.len(), names.table.symbols().len());
    for (context, id) in costs.contexts.iter().zip(0..) {
        let function = context.function.expect("all have one");
        assert_eq!(names.of(ContextId(id)), names.of_function(function));
    }
    // The line of a function is the first one in its own file.
    let mut symbols = names.table.symbols().iter();
    let fib = symbols.find(|symbol| *symbol.name == *b"fib");
    let source = fib.and_then(|symbol| symbol.source).expect("it has a line");
    assert_eq!(source.line.get(), 10);
    assert!(names.table.files().name(source.file).ends_with(b"main.c"));
}

#[test]
fn every_prefix_is_damaged_unless_a_part_ends_there() {
    let bytes = fs::read(file("threads", "callgrind.out")).expect("the fixture is there");
    for end in 0..bytes.len() {
        let input = Input::from_bytes(Path::new("cut"), bytes[..end].to_vec());
        let loaded = load(&input.expect("it is not compressed"), &Hints::default());
        let is_whole = loaded.is_ok_and(|loaded| loaded.damage.is_none());
        assert_eq!(is_whole, ends_a_part(&bytes[..end]), "{end} bytes");
    }
}

fn ends_a_part(text: &[u8]) -> bool {
    if !text.ends_with(b"\n") {
        return false;
    }
    let text = String::from_utf8_lossy(text);
    let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
    lines.last().is_some_and(|line| line.starts_with("totals:"))
}

fn file(case: &str, name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/callgrind");
    directory.join(case).join(name)
}

fn loaded(path: &Path) -> Loaded {
    let input = OpenFile::open(path, &Hints::default(), |_| false)
        .and_then(|file| file.into_input(Compressions::All))
        .expect("the file can be read");
    let loaded = load(&input, &Hints::default()).expect("the file is a profile");
    assert_eq!(loaded.damage, None);
    loaded
}

fn costs_of(path: &Path) -> RecordedCosts {
    loaded(path).profile.costs.clone()
}

fn sum_of<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> RecordedCosts {
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    for path in paths {
        sum.add(loaded(path)).expect("the files are alike");
    }
    sum.into_profile().costs
}

/// The numbers that callgrind_annotate or cg_annotate printed for each `file:function`.
fn rows_of(path: &Path) -> Rows {
    let text = fs::read_to_string(path).expect("the fixture is text");
    let (_, table) = text.split_once("file:function\n").expect("it has a table");
    let mut rows = Rows::new();
    for line in table.lines().skip(1).filter(|line| !line.is_empty()) {
        let (numbers, name) = line.split_once("  ").map_or((line, ""), |_| {
            let start = line.find(|c: char| !" .,0123456789".contains(c));
            // Names may start with a dot, which is a number too.
            let start = start.expect("a row has a name");
            let start = line[..start].rfind(' ').expect("a row has numbers") + 1;
            (&line[..start], &line[start..])
        });
        let name = without_object(name);
        let numbers = numbers.split_whitespace();
        let numbers = numbers.map(|number| number.replace(',', "").parse().unwrap_or(0));
        add(&mut rows, name.to_owned(), &numbers.collect::<Vec<_>>());
    }
    rows.retain(|_, values| values.iter().any(|&value| value > 0));
    rows
}

fn self_costs(costs: &RecordedCosts) -> Rows {
    let mut rows = Rows::new();
    for (key, values) in costs.samples.rows() {
        let context = key.context().expect("rows are of contexts");
        add(&mut rows, site_name(costs, context), values);
    }
    rows.retain(|_, values| values.iter().any(|&value| value > 0));
    rows
}

fn add(rows: &mut Rows, name: String, values: &[u64]) {
    let sums = rows.entry(name).or_insert_with(|| vec![0; values.len()]);
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// The name of a function, after the file of one of its lines.
fn site_name(costs: &RecordedCosts, id: ContextId) -> String {
    let context = costs.contexts.get(id);
    let function = context.function.expect("all have one");
    let file = context.location.map_or(&b"???"[..], |id| costs.locations.file(id));
    let file = String::from_utf8_lossy(file);
    format!("{file}:{}", leveled_name(costs, function))
}

/// A row without the object that may follow its name.
fn without_object(name: &str) -> &str {
    name.rsplit_once(" [").map_or(name, |(name, _)| name)
}

fn function_name(costs: &RecordedCosts, id: FunctionId) -> String {
    let function = &costs.functions[id.index()];
    let file = function.location.map_or(&b"???"[..], |id| costs.locations.file(id));
    let file = String::from_utf8_lossy(file);
    format!("{file}:{}", leveled_name(costs, id))
}

/// The name as callgrind writes it.
fn leveled_name(costs: &RecordedCosts, id: FunctionId) -> String {
    let function = &costs.functions[id.index()];
    let name = String::from_utf8_lossy(&function.name);
    let name = without_object(&name);
    match function.level.map_or(1, NonZeroU32::get) {
        1 => name.to_owned(),
        level => format!("{name}'{level}"),
    }
}

fn without_level(name: &str) -> &str {
    name.strip_suffix("'2").unwrap_or(name)
}

fn function_names(costs: &RecordedCosts) -> impl Iterator<Item = String> {
    let functions = (0..).map(FunctionId).take(costs.functions.len());
    functions.map(|id| function_name(costs, id))
}
