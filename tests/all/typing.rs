//! Typing errors: the recordings `typed-*` of the tour.

use std::path::Path;

use crate::support::case::{Case, cases_below};

/// A recording: its name, the status, and its messages.
fn recordings() -> Vec<(String, i32, String)> {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour/expected/profan");
    let cases = cases_below(&tour).into_iter();
    let recording = |case: Case| {
        let name = case.path.file_stem()?.to_str()?.to_owned();
        let messages = String::from_utf8_lossy(case.stderr.as_deref().unwrap_or_default());
        let is_typed = name.starts_with("typed-");
        is_typed.then(|| (name, case.status, messages.into_owned()))
    };
    cases.filter_map(recording).collect()
}

#[test]
fn typing_errors_have_a_message_advice_and_a_status() {
    let recordings = recordings();
    assert!(recordings.len() >= 40, "only {} are there", recordings.len());
    for (name, status, said) in recordings {
        assert_eq!(status, 2, "{name}");
        let mut lines = said.lines();
        let first = lines.next().unwrap_or_default();
        assert!(first.starts_with("profan: error"), "{name}: {said}");
        let is_advice = |line: &str| line.starts_with("  help: ") || line.starts_with("  tip: ");
        assert!(lines.any(is_advice), "{name}: {said}");
    }
}

/// An error about an unknown column, value or word suggests similar ones.
#[test]
fn typing_errors_near_a_valid_word_propose_it() {
    let proposes = |said: &str| {
        let signs = ["did you mean ", " exists: ", " exist: ", "attach "];
        signs.iter().any(|sign| said.contains(sign))
    };
    for (name, _, said) in recordings() {
        let is_near = name.ends_with("-typo") || name.starts_with("typed-word-");
        assert!(!is_near || proposes(&said), "{name}: {said}");
    }
}
