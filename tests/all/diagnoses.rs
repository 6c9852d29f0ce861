//! Every diagnosis is raised by a recording, and escaped by one that comes close.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::commands_below;

/// The codes that are listed in the documentation.
fn listed() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    let page = fs::read_to_string(page).expect("the page is readable");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let words = cells.flat_map(|cell| cell.split(", "));
    words
        .filter(|word| is_code(word))
        .map(str::to_owned)
        .collect()
}

fn is_code(word: &str) -> bool {
    let (kind, number) = word.split_at(word.len().min(1));
    matches!(kind, "W" | "E") && number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit())
}

/// The name of a recording, and what it must print on standard error.
fn recordings() -> Vec<(String, String)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let ours = commands_below(&fixtures);
    let ours = ours
        .iter()
        .filter(|path| path.parent().is_some_and(|p| p.ends_with("profan")));
    let recording = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().display().to_string();
        let messages = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
        (name, messages)
    };
    ours.map(recording).collect()
}

#[test]
fn every_diagnosis_is_raised_by_a_recording() {
    let recordings = recordings();
    let is_raised = |code: &String| {
        let said = format!("[{code}]");
        recordings
            .iter()
            .any(|(_, messages)| messages.contains(&said))
    };
    let never: Vec<_> = listed()
        .into_iter()
        .filter(|code| !is_raised(code))
        .collect();
    assert!(never.is_empty(), "no recording raises {never:?}");
}

#[test]
fn every_diagnosis_has_a_near_miss_that_does_not_raise_it() {
    let recordings = recordings();
    let has_near_miss = |code: &String| {
        let (prefix, said) = (format!("{code}-near-miss"), format!("[{code}]"));
        let mut near = recordings
            .iter()
            .filter(|(name, _)| name.starts_with(&prefix))
            .peekable();
        near.peek().is_some() && near.all(|(_, messages)| !messages.contains(&said))
    };
    let without: Vec<_> = listed()
        .into_iter()
        .filter(|code| !has_near_miss(code))
        .collect();
    assert!(without.is_empty(), "no near miss of {without:?}");
}

#[test]
fn every_code_is_in_the_documentation() {
    let listed = listed();
    let sources = ["src/diagnose/warning.rs", "src/diagnose/failure.rs"];
    for source in sources {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        let text = fs::read_to_string(path).expect("sources are readable");
        let quoted = text.split('"').filter(|word| is_code(word));
        let missing: Vec<_> = quoted.filter(|&code| !listed.contains(code)).collect();
        assert!(
            missing.is_empty(),
            "{source} has {missing:?}, which no page explains"
        );
    }
}
