//! Pages: a saved report gives the page of the profile, with its notes and warnings.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::{Scratch, run_line};

/// The data of a page, without the command line.
fn data_of(page: &[u8]) -> Json {
    let page = std::str::from_utf8(page).expect("a page is UTF-8");
    let (_, data) = page.split_once("id=\"data\">").expect("a page has data");
    let (data, _) = data.split_once("</script>").expect("the data end");
    let mut data: Json = serde_json::from_str(data).expect("the data are JSON");
    let head = data.as_object_mut().expect("the data are an object");
    head.remove("command");
    data
}

/// The page of a command, which is the page of its saved report.
fn check(command: &str) -> Json {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&fixture);
    let diff = command.strip_prefix("diff ");
    let name = if diff.is_some() { "diff" } else { "" };
    let words = diff.unwrap_or(command);
    let page = run_line(&format!("profan {name} --format html {words}"), b"", scratch.path());
    assert!(page.status == 0, "{command}: status {}", page.status);
    let saved = run_line(&format!("profan {name} --format json {words}"), b"", scratch.path());
    fs::write(scratch.path().join("saved.json"), &saved.stdout).expect("it can be saved");
    let again = run_line("profan --format html saved.json", b"", scratch.path());
    let [page, again] = [page, again].map(|outcome| data_of(&outcome.stdout));
    for key in page.as_object().expect("it is an object").keys() {
        // A page has the percentage of totals, inlined code, and functions with a total alone too.
        let has_more = command.contains("-p ");
        if !has_more || !["names", "texts", "sections"].contains(&&**key) {
            assert_eq!(page[key], again[key], "{command}: {key}");
        }
    }
    assert_eq!(ids(&page), ids(&again), "{command}");
    page
}

fn ids(page: &Json) -> Vec<&str> {
    let sections = page["sections"].as_array().expect("it has sections");
    sections.iter().filter_map(|one| one["id"].as_str()).collect()
}

#[test]
fn a_saved_report_gives_the_same_page() {
    let page = check("-p -q --tree -A gmon.out primes");
    assert_eq!(ids(&page)[..3], ["flat", "graph", "tree"]);
    let notes = page["notes"].as_array().expect("it has notes");
    let has = |start: &str| {
        notes.iter().any(|note| note.as_str().is_some_and(|note| note.starts_with(start)))
    };
    assert!(has("1.26 seconds, 126 samples"), "{notes:?}");
    assert!(has("not included: "), "{notes:?}");
    assert!(has("126 samples: "), "{notes:?}");
    // Another program: the warnings are in both.
    let page = check("-p --tree gmon.out unequal");
    let warnings = page["diagnostics"].as_array().expect("it has warnings");
    assert!(!warnings.is_empty());
    for command in [
        "-p -q --tree callgrind.out",
        "-p -q --tree --leaks mpatrol.out basic",
        "--trace mpatrol.trace",
        "-p -q --tree mlmon.out show-prof.txt",
    ] {
        check(command);
    }
}

#[test]
fn pages_have_the_stacks_of_both_sides() {
    let page =
        check("diff --tree old/1.out old/2.out old/visits -- new/1.out new/2.out new/visits");
    assert_eq!(ids(&page), ["difference", "tree-difference"]);
    let columns = page["sections"][1]["columns"].as_array().expect("it has columns");
    let shown = columns.iter().filter(|one| !one["print"].is_null());
    let shown: Vec<_> = shown.filter_map(|one| one["id"].as_str()).collect();
    assert_eq!(shown, ["percent", "total_old", "total_new", "change_percent", "name"]);
}

#[test]
fn pages_have_rows_by_file() {
    let page = check("--by-file ranks/gmon.out.0 ranks/gmon.out.1 ranks/gmon.out.7 primes");
    assert_eq!(ids(&page), ["by-file", "spread", "spread-files"]);
    assert_eq!(page["sections"][0]["blocks"][0]["kinds"], "0".repeat(24));
}

#[test]
fn stacks_have_the_costs_of_labels() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pprof/go");
    let scratch = Scratch::copy_of(&fixture);
    let page = run_line("profan --format html cpu.pb.gz", b"", scratch.path());
    let page = data_of(&page.stdout);
    let sections = page["sections"].as_array().expect("it has sections");
    // Each column with its cells.
    let cells_of = |id: &str, column: &str| {
        let section = sections.iter().find(|one| one["id"] == id).expect("it has the section");
        let columns = section["columns"].as_array().expect("it has columns");
        let at = columns.iter().position(|one| one["id"] == column)?;
        let cells = section["blocks"][0]["cells"][at].as_str()?;
        let cells = cells.split(',').map(|cell| cell.parse::<f64>().unwrap_or(0.0));
        Some(cells.collect::<Vec<_>>()).filter(|cells| cells.len() > 1)
    };
    for worker in ["north", "south"] {
        let label = format!("label:worker={worker}");
        let weights = cells_of("tree", &format!("weight_{label}")).expect("stacks have the label");
        assert_eq!(cells_of("flat", &label), None);
        let line = format!("profan --format json -p --label worker={worker} cpu.pb.gz");
        let alone = run_line(&line, b"", scratch.path());
        let alone: Json = serde_json::from_slice(&alone.stdout).expect("it is JSON");
        let rows = alone["sections"][0]["rows"].as_array().expect("it has rows");
        let costs = rows.iter().filter_map(|row| row["self_seconds"].as_f64());
        let [expected, found] = [costs.sum::<f64>(), weights.iter().sum::<f64>() / 1e9];
        assert!(expected > 0.0 && (expected - found).abs() < 1e-6, "{worker}: {expected}, {found}");
    }
}
