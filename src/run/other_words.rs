//! Words in the place of a file: an argument, an option or a command.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cli::{Plan, first_words};
use crate::diagnose::Meant;
use crate::filter::Nearest;

/// Returns whether the name of a missing file may be an argument, an option or a command.
pub(super) fn is_other_word(path: &Path, plan: &Plan) -> bool {
    let word = path.as_os_str();
    plan.loose.iter().any(|loose| loose.word == word)
        || with_hyphens(word).is_some()
        || first_word(word, &plan.files).is_some()
}

/// The word, if an editor replaced two hyphens by a dash.
pub(super) fn with_hyphens(word: &OsStr) -> Option<String> {
    let text = word.to_str()?;
    let name = text.trim_start_matches(['–', '—', '-']);
    let is_option = text.starts_with(['–', '—']) && !name.is_empty();
    is_option.then(|| Meant::Option(name).to_string())
}

/// The command that a first word may have meant.
pub(super) fn first_word(word: &OsStr, files: &[PathBuf]) -> Option<String> {
    files.first().filter(|first| *first == word)?;
    let mut nearest = Nearest::new(word.as_encoded_bytes());
    first_words().for_each(|name| nearest.look_at(name.as_bytes(), || name.to_owned()));
    let nearest = nearest.into_near_names();
    Some(Meant::Command(nearest.first()?).to_string())
}
