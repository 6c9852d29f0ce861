//! Refuses names of a command line that the program does not contain.

use std::path::Path;

use crate::cli::LookOptions;
use crate::diagnose::{RunError, RunResult, UnknownName, UnknownWord};
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
) -> RunResult {
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
    let nearest = finder.nearest(half);
    RunError::NothingNamed { unknown: unknown_name(half, finder, has_names), nearest }
}

/// The error for a pattern of `--keep`.
pub(super) fn no_match(pattern: &[u8], finder: &Finder<'_>, has_names: bool) -> RunError {
    let text = String::from_utf8_lossy(pattern).into_owned();
    RunError::NothingNamed {
        unknown: UnknownName::Pattern { text, has_names },
        nearest: finder.nearest_functions(pattern),
    }
}

/// Why a half of a spec has no match.
fn unknown_name(half: &Pattern, finder: &Finder<'_>, has_names: bool) -> UnknownName {
    let word = word_of(half);
    let is_function = half.target.is_some();
    let why = match (&half.file, &half.target) {
        _ if Path::new(&word).exists() => UnknownWord::File,
        (None, Some(SymbolTarget::Function(name))) if are_reports(name) => UnknownWord::Reports,
        (None, Some(SymbolTarget::Function(name))) if name.contains('/') => UnknownWord::Arc,
        (None, Some(SymbolTarget::Function(_))) if !has_names => UnknownWord::WithoutNames,
        (Some(_), _) | (_, Some(SymbolTarget::Line(_))) if !finder.table().has_sources() => {
            UnknownWord::WithoutLines
        }
        (file, Some(SymbolTarget::Line(line))) => {
            let nearest = finder.nearest_lines(*line, file.as_deref());
            return UnknownName::Line { line: *line, file: file.clone(), nearest };
        }
        _ => UnknownWord::Unknown,
    };
    UnknownName::Word { word, is_function, why }
}

/// Returns whether a word may be several reports written as one.
fn are_reports(word: &str) -> bool {
    word.len() <= 3 && word.bytes().all(|byte| b"pPqQCZAJlrzbi".contains(&byte))
}

/// Half of a spec, as written.
fn word_of(half: &Pattern) -> String {
    match (&half.file, &half.target) {
        (Some(file), None) => file.clone(),
        (None, Some(SymbolTarget::Function(name))) => name.clone(),
        _ => half.to_string(),
    }
}
