//! The part of the costs that passes through a function is the same for every kind of profile;
//! see `filters` for the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::filters::{Program, chosen, rows};
use crate::support::{Scratch, run_line};

/// Self and total costs of functions, the calls of the graph, and the excluded costs.
fn summary(report: &Value) -> String {
    let number = |row: &Value, key: &str| row[key].as_f64().expect("it is a number");
    let functions = rows(report, "flat").iter().filter(|row| row["kind"].is_null());
    let functions = functions.filter(|row| number(row, "total") > 0.0).map(|row| {
        let name = row["name"].as_str().expect("rows have names");
        format!("{name} {}/{}", number(row, "self"), number(row, "total"))
    });
    let functions: BTreeSet<_> = functions.collect();
    let functions: Vec<_> = functions.into_iter().collect();
    let rest = rows(report, "flat").iter().filter(|row| row["kind"] == "rest");
    let rest = rest.fold(0.0, |sum, row| sum + number(row, "self"));
    let shown = chosen(report);
    let calls = shown.rsplit(" | ").next().expect("there is a part");
    format!("{} | {calls} | {rest}", functions.join(" "))
}

#[track_caller]
fn check(program: &Program, options: &str, expected: &str) {
    for profile in program.profiles {
        // Functions without time are in the flat profile too, and have their totals there.
        let report = program.report(&format!("-z -p {options}"), profile);
        let graph = program.report(&format!("-q {options}"), profile);
        let (flat, of_graph) = (summary(&report), summary(&graph));
        let calls = of_graph.split(" | ").nth(1).expect("there is a part");
        let found = flat.replacen(" |  | ", &format!(" | {calls} | "), 1);
        assert_eq!(found, expected, "{profile} with `{options}`");
    }
}

#[test]
fn calls_through_a_function_are_separated_from_the_rest() {
    let program = Program::new();
    let whole = "a 2/7 b 3/8 c 4/10 d 6/6 main 1/16 | a/c b/c c/d main/a main/b | 0";
    check(&program, "", whole);
    check(&program, "--focus main", whole);
    let through_a = "a 2/7 c 2/5 d 3/3 main 0/7 | a/c c/d main/a | 9";
    check(&program, "--focus a", through_a);
    check(&program, "--ignore b --focus a", through_a);
    let around_a = "b 3/8 c 2/5 d 3/3 main 1/9 | b/c c/d main/b | 7";
    check(&program, "--ignore a", around_a);
    check(
        &program,
        "--focus c",
        "a 0/5 b 0/5 c 4/10 d 6/6 main 0/10 | a/c b/c c/d main/a main/b | 6",
    );
    check(
        &program,
        "--focus a --focus b --ignore d",
        "a 2/4 b 3/5 c 4/4 main 0/9 | a/c b/c main/a main/b | 7",
    );
    check(&program, "--ignore main", " |  | 16");
}

#[test]
fn a_call_that_is_left_out_leads_nowhere() {
    let program = Program::new();
    // The part of c called by b remains.
    let options = "--focus main -k a/c";
    let [sampled, allocated, _] = program.profiles;
    let of = |profile| summary(&program.report(&format!("-z -p {options}"), profile));
    assert_eq!(of(sampled), "a 2/2 b 3/13 c 4/10 d 6/6 main 1/16 |  | 0");
    assert_eq!(of(allocated), "a 2/2 b 3/8 c 2/5 d 3/3 main 1/11 |  | 5");
}

#[test]
fn shares_are_of_the_whole_and_add_up_to_it() {
    let program = Program::new();
    for profile in program.profiles {
        let report = program.report("-p -q --focus a", profile);
        let percents = rows(&report, "flat").iter().map(|row| &row["percent"]);
        let sum: f64 = percents.map(|share| share.as_f64().expect("a number")).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{profile}: {sum} %");
        let mut entries = rows(&report, "graph").iter();
        let of_a = entries.find(|row| row["name"] == "a").expect("a has an entry");
        assert_eq!(of_a["percent"].as_f64(), Some(43.75), "{profile}");
        for section in ["flat", "graph"] {
            let mut sections = report["sections"].as_array().expect("a list").iter();
            let section = sections.find(|one| one["id"] == section).expect("it is there");
            let said = section["summary"].to_string();
            assert!(said.contains(" in or below `a`"), "{said}");
            assert!(said.contains(". Percentages are of "), "{said}");
        }
    }
}

#[test]
fn counts_are_distributed_in_whole_numbers() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let scratch = Scratch::copy_of(&fixtures.join("callgrind/recursion"));
    let own = |options: &str| {
        let line = format!("profan -z -p --format json {options} callgrind.out");
        let outcome = run_line(&line, b"", scratch.path());
        let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
        let rows = rows(&report, "flat").iter();
        let own = rows.map(|row| {
            let place = format!("{} {} {}", row["name"], row["file"], row["line"]);
            (place, row["self"].as_u64().expect("it is a whole number"))
        });
        own.collect::<BTreeMap<_, _>>()
    };
    let whole = own("");
    for function in ["tree_insert", "calloc", "square", "main", "tree_free", "_int_malloc"] {
        let [through, around] =
            ["--focus", "--ignore"].map(|option| own(&format!("{option} {function}")));
        for (place, all) in &whole {
            assert_eq!(through[place] + around[place], *all, "{function}: {place}");
        }
        let sum = through.values().sum::<u64>();
        assert_eq!(sum, whole.values().sum::<u64>(), "{function}: with the rest");
    }
}

#[test]
fn expressions_select_among_calls_through_a_function() {
    let program = Program::new();
    for profile in program.profiles {
        let report = program.report("-p -q --focus a --keep '(thresh-stack 30)'", profile);
        let shown = chosen(&report);
        // In the whole, c has 62 % including callees, and 31 % of that by way of a.
        let entries = shown.split(" | ").nth(1);
        assert_eq!(entries, Some("a c main"), "{profile}");
        let report = program.report("-p -q --focus a --keep '(thresh-stack 32)'", profile);
        let shown = chosen(&report);
        assert_eq!(shown.split(" | ").nth(1), Some("a main"), "{profile}");
    }
}

/// Limits hold whatever calls cost. Whole stacks have limits of sampling only, but allocations are
/// exact.
#[test]
fn parts_of_functions_have_limits() {
    let program = Program::new();
    let has_limits = |options: &str| {
        let report = program.report(options, program.profiles[0]);
        let rows = rows(&report, "flat");
        rows.iter().any(|row| !row["self_low_seconds"].is_null())
    };
    assert!(has_limits("-p"));
    assert!(has_limits("-p --focus a"));
}
