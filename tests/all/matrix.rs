//! The table of inputs and reports in `docs/formats.md`: every kind of file with every report,
//! option and format. Those with the same answers share a row.
//! `PROFAN_BLESS=1 cargo test --test all matrix` writes it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use profan::render::RENDERERS;

use crate::made_tables::check_made_table;
use crate::support::{Scratch, run_line};

/// A kind of file: its name in the table, a directory below `fixtures`, and files there.
const INPUTS: &[(&str, &str, &str)] = &[
    ("gmon.out", "tour", "gmon.out primes"),
    ("mpatrol.out", "tour", "mpatrol.out basic"),
    ("mpatrol.trace", "tour", "mpatrol.trace"),
    ("MLton", "tour", "mlmon.out show-prof.txt"),
    ("callgrind", "tour", "callgrind.out"),
    ("folded", "folded/stacks", "stacks.folded"),
    ("perf script", "perf-script/stacks", "lines.perf"),
    ("pprof", "pprof/go", "cpu.pb.gz"),
    ("DHAT", "valgrind/heap", "dhat.json"),
    ("massif", "valgrind/heap", "massif2.out"),
    ("gprof text", "gprof-text/run", "old.txt"),
];

/// A report or option as the table shows it, and a line with `FILES`.
const REQUESTS: &[(&str, &str)] = &[
    ("`-p`", "-p FILES"),
    ("`-q`", "-q FILES"),
    ("`--tree`", "--tree FILES"),
    ("`-l`", "-p -l FILES"),
    ("`-A`", "-A -I . FILES"),
    ("`-C`", "-C FILES"),
    ("`-i`", "-i FILES"),
    ("`--error`", "-p --error FILES"),
    ("`--keep`", "-p --keep all FILES"),
    ("`--leaks`", "--leaks FILES"),
    ("`--bins`", "--bins FILES"),
    ("`--trace`", "--trace FILES"),
    ("`--peak`", "--peak FILES"),
    ("`--temporary`", "--temporary FILES"),
    ("`--between`", "--between start,end FILES"),
    ("`--coverage`", "--coverage FILES"),
    ("sum", "-p FILES AGAIN"),
    ("`diff`", "diff AGAIN -- FILES"),
    ("`--by-file`", "--by-file FILES AGAIN"),
];

/// Returns whether a command line has an answer. A warning that names an option or report as
/// unavailable is not an answer.
fn answers(line: &str, directory: &Path) -> bool {
    let outcome = run_line(line, b"", directory);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!((0..=2).contains(&outcome.status), "{line}: {said}");
    let is_refused = outcome.status == 2;
    assert!(!is_refused || said.contains("error[E"), "{line}: {said}");
    let directory = directory.join("out.tau");
    let has_output = !outcome.stdout.is_empty() || fs::remove_dir_all(directory).is_ok();
    !is_refused && !said.contains("has no effect") && has_output
}

fn table() -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: HashMap<&str, Scratch> = HashMap::new();
    let formats = RENDERERS.iter().map(|renderer| renderer.name);
    // Every kind has its numbers as text and JSON; these formats are for differences alone.
    let formats = formats.filter(|format| !["junit", "github"].contains(format));
    let formats: Vec<_> = formats
        .map(|format| {
            let line = match format {
                "csv" | "tsv" => format!("-p --format {format} FILES"),
                // It writes a directory, and its contents are tested by `exports`.
                "tau" => "--format tau -o out.tau FILES".to_owned(),
                _ => format!("--format {format} FILES"),
            };
            (format!("`{format}`"), line)
        })
        .collect();
    let requests = REQUESTS.iter().map(|(title, line)| ((*title).to_owned(), (*line).to_owned()));
    // In the order of their first reports.
    let mut rows: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for (title, line) in requests.chain(formats) {
        let mut cells = Vec::new();
        for (_, folder, files) in INPUTS {
            let scratch =
                folders.entry(folder).or_insert_with(|| Scratch::copy_of(&fixtures.join(folder)));
            let again = files.split(' ').next().expect("it has a file");
            let line = line.replace("FILES", files).replace("AGAIN", again);
            let has = answers(&format!("profan {line}"), scratch.path());
            cells.push(if has { "yes" } else { "-" });
        }
        match rows.iter_mut().find(|(_, other)| *other == cells) {
            Some((titles, _)) => titles.push(title),
            None => rows.push((vec![title], cells)),
        }
    }
    let titles = INPUTS.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(" | ");
    let head = [format!("report | {titles}"), vec!["---"; INPUTS.len() + 1].join(" | ")];
    let rows = rows.iter().map(|(titles, cells)| titles.join(", ") + " | " + &cells.join(" | "));
    head.into_iter().chain(rows).map(|line| format!("| {line} |\n")).collect()
}

#[test]
fn the_table_of_inputs_and_reports_is_true() {
    check_made_table("docs/formats.md", "tests/all/matrix.rs", &table());
}
