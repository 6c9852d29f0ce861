//! Diagnoses: every one is raised by a recording, and escaped by one that comes close; the
//! page about them is made from the table that `profan explain` reads.

use std::fs;
use std::path::Path;

use profan::diagnose::catalogue::{CatalogueEntry, entries};

use crate::support::case::{Case, cases_below};

const START: &str = "\
# Diagnostics

profan prints diagnostics on standard error after the report, or before it if they make all of it
doubtful (W003, W004, W031, W039). JSON has them in `diagnostics`. Unless you pass `--verbose`,
profan reports root causes only, and condenses three or more warnings of one kind.
`profan explain CODE` prints an entry.

## Warnings

The report is complete. `--deny CODE` turns a warning into an error, `--deny warnings` all.
`--strict` refuses damaged or unusable files, and executables, libraries and counter widths that do
not match.
";

const ERRORS: &str = "\n## Errors\n\nprofan stops with exit status 2.\n";

fn page() -> String {
    let is_error = |entry: &&CatalogueEntry| entry.code.starts_with('E');
    let of = |entries: Vec<&CatalogueEntry>| entries.into_iter().map(paragraph).collect::<String>();
    let warnings = of(entries().filter(|entry| !is_error(entry)).collect());
    let errors = of(entries().filter(is_error).collect());
    format!("{START}{warnings}{ERRORS}{errors}")
}

fn paragraph(entry: &CatalogueEntry) -> String {
    let CatalogueEntry { code, title, cause, evidence, cure, explains } = entry;
    let without = match explains {
        [] => String::new(),
        _ => format!("Suppresses: {}.\n", explains.join(", ")),
    };
    let check = match evidence {
        &"" => String::new(),
        _ => format!("Check: {evidence}\n\n"),
    };
    format!("\n### {code}: {title}\n\n{cause}\n\n{check}Help: {cure}\n{without}")
}

#[test]
fn the_page_agrees_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    if std::env::var_os("PROFAN_BLESS").is_some() {
        fs::write(&path, page()).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).expect("the page is there");
    assert!(written == page(), "docs/diagnostics.md differs from its table");
}

/// The codes of all diagnostics.
fn codes() -> impl Iterator<Item = &'static str> {
    entries().map(|entry| entry.code)
}

/// The name of a recording, and its expected standard error.
fn recordings() -> Vec<(String, String)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let cases = cases_below(&fixtures).into_iter();
    let ours = cases.filter(Case::is_ours);
    let recording = |case: Case| {
        let name = case.path.file_stem().unwrap_or_default();
        let name = name.display().to_string();
        let messages = String::from_utf8_lossy(case.stderr.as_deref().unwrap_or_default());
        (name, messages.into_owned())
    };
    ours.map(recording).collect()
}

#[test]
fn every_diagnosis_is_raised_by_a_recording() {
    let recordings = recordings();
    let is_raised = |code: &str| {
        let said = format!("[{code}]: ");
        let mut messages = recordings.iter().map(|(_, messages)| messages);
        messages.any(|messages| messages.contains(&said))
    };
    let never: Vec<_> = codes().filter(|code| !is_raised(code)).collect();
    assert!(never.is_empty(), "no recording raises {never:?}");
}

#[test]
fn every_diagnosis_has_a_near_miss_that_does_not_raise_it() {
    let recordings = recordings();
    let has_near_miss = |code: &str| {
        let (prefix, said) = (format!("{code}-near-miss"), format!("[{code}]"));
        let mut near = recordings.iter().filter(|(name, _)| name.starts_with(&prefix)).peekable();
        near.peek().is_some() && near.all(|(_, messages)| !messages.contains(&said))
    };
    let without: Vec<_> = codes().filter(|code| !has_near_miss(code)).collect();
    assert!(without.is_empty(), "no near miss of {without:?}");
}
