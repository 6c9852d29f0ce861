//! Pages: a saved report gives the page of the profile, with its notes and warnings.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use profan::render;

use crate::schema::Schema;
use crate::support::{Scratch, run_line};

/// The data of a page, without the command line.
pub(crate) fn data_of(page: &[u8]) -> Json {
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

/// Six samples with two events in three threads, half a second apart.
const TIMED: &str = "\
cc1 10/11 1.0: 100 cycles:
\t11 parse (/cc1)
\t10 main (/cc1)

cc1 10/11 1.5: 20 cycles:
\t12 emit (/cc1)
\t10 main (/cc1)

my tool 20/20 2.0: 3 cycles:
\t21 scan (/tool)
\t10 main (/cc1)

cc1 10/12 2.5: 4000 cycles:
\t11 parse (/cc1)
\t10 main (/cc1)

cc1 10/12 3.0: 7 misses:
\t11 parse (/cc1)
\t10 main (/cc1)

cc1 10/11 3.5: 50000 cycles:
\t12 emit (/cc1)
\t10 main (/cc1)

";

/// The cells of columns of a section of a page, by row.
fn cells_of(page: &Json, id: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let sections = page["sections"].as_array().expect("it has sections");
    let section = sections.iter().find(|one| one["id"] == id).expect("it has the section");
    let all = section["columns"].as_array().expect("it has columns");
    let n_rows = section["blocks"][0]["kinds"].as_str().expect("it has a block").len();
    let cells = columns.iter().map(|column| {
        let at = all.iter().position(|one| one["id"] == *column).expect("it has the column");
        let cells = section["blocks"][0]["cells"][at].as_str().expect("cells are text");
        let cells: Vec<_> = cells.split(',').map(str::to_owned).collect();
        if cells.len() == n_rows { cells } else { vec![String::new(); n_rows] }
    });
    let cells: Vec<_> = cells.collect();
    (0..n_rows).map(|row| cells.iter().map(|column| column[row].clone()).collect()).collect()
}

/// The sum that a page adds up for a value: of samples with a label, from some nanoseconds up to
/// others.
fn sum_in_page(page: &Json, weight: &str, label: Option<&str>, time: Option<[u64; 2]>) -> f64 {
    let text = |cell: &str| page["texts"][cell[1..].parse::<usize>().unwrap_or(0)].clone();
    let sets = cells_of(page, "labels", &["set", "key", "value"]);
    let has_label = |label: &str, set: &str| {
        let (key, value) = label.split_once('=').expect("it is a label");
        sets.iter().any(|one| one[0] == set && text(&one[1]) == key && text(&one[2]) == value)
    };
    let in_time = |[from, until]: [u64; 2], slice: &str| {
        let slices = cells_of(page, "slices", &["start", "width"]).remove(0);
        let number = |text: &str| text.parse::<u64>().expect("it is a number");
        let start = number(&slices[0]) + number(slices[1].as_str()) * number(slice);
        (from..until).contains(&start)
    };
    let samples = cells_of(page, "samples", &["set", "slice", weight]);
    let chosen = samples.iter().filter(|sample| {
        label.is_none_or(|label| has_label(label, &sample[0]))
            && time.is_none_or(|time| in_time(time, &sample[1]))
    });
    chosen.map(|sample| sample[2].parse::<f64>().expect("it is a number")).sum()
}

#[test]
fn sums_of_samples_are_those_of_the_same_options() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pprof/go");
    let scratch = Scratch::copy_of(&fixture);
    fs::write(scratch.path().join("timed.perf"), TIMED).expect("it is written");
    let report = |line: &str| {
        let outcome = run_line(&format!("profan {line}"), b"", scratch.path());
        assert_eq!(outcome.status, 0, "{line}: {}", String::from_utf8_lossy(&outcome.stderr));
        outcome.stdout
    };
    for file in ["cpu.pb.gz", "timed.perf"] {
        let saved = report(&format!("--format json -p -q --tree {file}"));
        let parsed = serde_json::from_slice(&saved).expect("it is JSON");
        Schema::new(render::schema()).check(&parsed).expect("the schema knows all sections");
        fs::write(scratch.path().join("saved.json"), saved).expect("it is written");
        let page = data_of(&report(&format!("--format html {file}")));
        let again = data_of(&report("--format html saved.json"));
        let check = |options: &str, weight: &str, label, time| {
            let alone = report(&format!("--format json -p {options} {file}"));
            let alone: Json = serde_json::from_slice(&alone).expect("it is JSON");
            let columns = alone["sections"][0]["columns"].as_array().expect("it has columns");
            let column = columns.iter().find(|one| one["role"] == "self").expect("it has one");
            let column = column["id"].as_str().expect("it has a name");
            let per_unit = if column == "self_seconds" { 1e9 } else { 1.0 };
            let rows = alone["sections"][0]["rows"].as_array().expect("it has rows");
            let expected: f64 = rows.iter().filter_map(|row| row[column].as_f64()).sum();
            for page in [&page, &again] {
                let found = sum_in_page(page, weight, label, time) / per_unit;
                let is_near = (expected - found).abs() < 1e-6;
                assert!(expected > 0.0 && is_near, "{file} {options}: {expected}, {found}");
            }
        };
        if file == "cpu.pb.gz" {
            for label in ["worker=north", "worker=south"] {
                check(&format!("--label {label}"), "weight", Some(label), None);
                let options = format!("--value samples --label {label}");
                check(&options, "weight_samples", Some(label), None);
            }
            continue;
        }
        let [width, half] = {
            let slices = cells_of(&page, "slices", &["width"]);
            let width = slices[0][0].parse::<u64>().expect("it is a number");
            [width, 500_000_000 / width * width]
        };
        let range = |from: u64, until: u64| {
            let seconds =
                |time: u64| format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
            (format!("--seconds {}..{}", seconds(from), seconds(until)), Some([from, until]))
        };
        assert!(2_500_000_000 / width < 200, "{width}");
        for (value, weight) in [("cycles-samples", "weight"), ("cycles", "weight_cycles")] {
            for (from, until) in [(0, half), (half, 4 * half), (2 * half, 10 * half)] {
                let (seconds, time) = range(from, until);
                let value = format!("--value {value} {seconds}");
                check(&value, weight, None, time);
                check(&format!("{value} --label comm=cc1"), weight, Some("comm=cc1"), time);
            }
        }
    }
}

/// The kinds of the rows of a tree, its weights, and its folded frames.
fn tree_of(folded: &str) -> (Vec<u8>, Vec<u64>, Json) {
    let scratch = Scratch::empty();
    fs::write(scratch.path().join("a.folded"), folded).expect("it can be written");
    let page = run_line("profan --format html a.folded", b"", scratch.path());
    let data = data_of(&page.stdout);
    let sections = data["sections"].as_array().expect("it has sections");
    let tree = sections.iter().find(|one| one["id"] == "tree").expect("it has a tree");
    let columns = tree["columns"].as_array().expect("it has columns");
    let weight = columns.iter().position(|one| one["id"] == "weight").expect("it has weights");
    let (mut kinds, mut weights) = (Vec::new(), Vec::new());
    for block in tree["blocks"].as_array().expect("it has blocks") {
        kinds.extend(block["kinds"].as_str().expect("rows have kinds").bytes());
        let cells = block["cells"][weight].as_str().expect("rows have weights");
        weights.extend(cells.split(',').map(|cell| cell.parse().unwrap_or(0)));
    }
    (kinds, weights, tree["folded"].clone())
}

#[test]
fn a_page_has_at_most_50000_frames_and_their_sum_is_the_whole() {
    const N_STACKS: u64 = 200;
    // Each stack has half a percent, and all have 60,000 frames.
    let stacks = (0..N_STACKS).map(|stack| {
        let frames = (0..300).map(|depth| format!(";f{stack}_{depth}"));
        format!("main{} {}\n", frames.collect::<String>(), 1000 + stack)
    });
    let stacks = stacks.collect::<String>();
    let (kinds, weights, folded) = tree_of(&stacks);
    assert!((45_000..=50_000).contains(&kinds.len()), "{} rows", kinds.len());
    let n_shown = kinds.iter().filter(|kind| **kind == b'0').count() as u64;
    assert_eq!(folded[0].as_u64(), Some(1 + N_STACKS * 300 - n_shown));
    let percent = folded[1].as_f64().expect("it is known");
    assert!((1.0..40.0).contains(&percent), "{percent} %");
    let all = (0..N_STACKS).map(|stack| 1000 + stack).sum::<u64>();
    assert_eq!(weights.iter().sum::<u64>(), all);
    assert_eq!(tree_of(&stacks), (kinds, weights, folded));
}

#[test]
fn deep_stacks_are_whole() {
    let frames: Vec<_> = (0..2500).map(|depth| format!("f{depth}")).collect();
    let (kinds, _, folded) = tree_of(&format!("{} 7\n", frames.join(";")));
    assert_eq!((kinds.len(), folded[0].as_u64()), (2500, Some(0)));
}
