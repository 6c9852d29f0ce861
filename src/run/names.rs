//! Refuses names of a command line that the program does not contain.

use std::path::Path;

use crate::cli::LookOptions;
use crate::diagnose::RunError;
use crate::filter::{Finder, NotFound, Pattern, SymbolTarget, Unknown};
use crate::symbols::Style;

/// The style of names that a user may write: as in reports, and as in sources if reports show
/// linkage names.
pub(super) fn style(look: &LookOptions) -> Style {
    match look.style() {
        Style::None => Style::Auto,
        style => style,
    }
}

/// Refuses the first spec without a match. `has_names` is unset if functions have only addresses.
///
/// # Errors
/// With the nearest names.
pub(super) fn check<'u>(
    mut unknown: impl Iterator<Item = &'u Unknown>,
    finder: &Finder<'_>,
    has_names: bool,
) -> Result<(), RunError> {
    let first = unknown.next();
    first.map_or(Ok(()), |first| Err(error_of(first, finder, has_names)))
}

fn error_of(unknown: &Unknown, finder: &Finder<'_>, has_names: bool) -> RunError {
    let half = &unknown.half;
    if let NotFound::Ambiguous { candidates, n_more } = &unknown.why {
        return RunError::Ambiguous {
            word: word_of(half),
            candidates: candidates.clone(),
            n_more: *n_more,
        };
    }
    let (what, advice) = explained(half, finder, has_names);
    RunError::NothingNamed { what, nearest: finder.nearest(half), advice }
}

/// The error for a pattern of `--keep`.
pub(super) fn no_match(pattern: &[u8], finder: &Finder<'_>, has_names: bool) -> RunError {
    let text = String::from_utf8_lossy(pattern);
    let advice = if has_names {
        "list all functions with `profan -p -z`; see `profan help keep`"
    } else {
        WITHOUT_NAMES
    };
    RunError::NothingNamed {
        what: format!("no function matches \"{text}\" of --keep"),
        nearest: finder.nearest_functions(pattern),
        advice: advice.to_owned(),
    }
}

const WITHOUT_NAMES: &str = "give the executable from before it was stripped: without symbols, functions \
    have no names";

/// The error and its advice.
fn explained(half: &Pattern, finder: &Finder<'_>, has_names: bool) -> (String, String) {
    let word = word_of(half);
    let is_file_here = Path::new(&word).exists();
    let kind = match &half.target {
        Some(_) => "function",
        None => "source file or library",
    };
    let (what, advice) = match (&half.file, &half.target) {
        _ if is_file_here => (
            format!("no {kind} named `{word}`, although this is a file"),
            "put a space before a FILE, as in -A FILE; -n, -N, -k, --focus and --ignore take \
             the next word as a name, so give them one"
                .to_owned(),
        ),
        (None, Some(SymbolTarget::Function(name))) if are_reports(name) => (
            format!("no {kind} named `{word}`"),
            "separate several reports, as in -p -q: the word attached to one is a SPEC".to_owned(),
        ),
        (None, Some(SymbolTarget::Function(name))) if name.contains('/') => (
            format!("no {kind} named `{word}`"),
            "write one function, or a file without its directory; only -q, -Q and -k take \
             FROM/TO"
                .to_owned(),
        ),
        (None, Some(SymbolTarget::Function(_))) if !has_names => {
            (format!("no {kind} named `{word}`"), WITHOUT_NAMES.to_owned())
        }
        (Some(_), _) | (_, Some(SymbolTarget::Line(_))) if !finder.table().has_sources() => (
            format!("`{word}` not found: no source line is known"),
            "build the program with -g and give it too, or name a function".to_owned(),
        ),
        (_, Some(SymbolTarget::Line(line))) => no_line(*line, half.file.as_deref(), finder),
        _ => (
            format!("no {kind} named `{word}`"),
            "list all functions with `profan -p -z`; see `profan help symspec`".to_owned(),
        ),
    };
    (what, advice)
}

/// Returns whether a word may be several reports written as one.
fn are_reports(word: &str) -> bool {
    word.len() <= 3 && word.bytes().all(|byte| b"pPqQCZAJlrzbi".contains(&byte))
}

/// No function starts at this line.
fn no_line(line: u32, file: Option<&str>, finder: &Finder<'_>) -> (String, String) {
    let place = file.map_or(String::new(), |file| format!(" of {file}"));
    let what = format!("no function starts at line {line}{place}");
    let lines = finder.nearest_lines(line, file);
    let lines: Vec<_> = lines.iter().map(u32::to_string).collect();
    let advice = match &lines[..] {
        [] => "see `profan help symspec`".to_owned(),
        _ => format!("the nearest functions start at {}; -l reports by line", lines.join(", ")),
    };
    (what, advice)
}

/// Half of a spec, as written.
fn word_of(half: &Pattern) -> String {
    match (&half.file, &half.target) {
        (Some(file), None) => file.clone(),
        (None, Some(SymbolTarget::Function(name))) => name.clone(),
        _ => half.to_string(),
    }
}
