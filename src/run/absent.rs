//! Files that are not there: what may have been meant.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::objects::reading::read_profiles;
use super::{inputs, names};
use anyhow::Error;

use crate::cli::{Plan, first_words};
use crate::diagnose::RunError;
use crate::filter::{Finder, Nearest, SymSpec};
use crate::symbols::{ContextNames, ExecutableError, NamedContexts, SymbolTable, read_program};

/// The most entries of a folder that are looked at.
const MOST_ENTRIES: usize = 4096;

/// The error, with what was meant by the name of a file that is not there: an option
/// and its argument, a word that comes first, or another file.
pub(super) fn explained(error: Error, plan: &Plan) -> Error {
    match error.downcast::<RunError>() {
        Ok(RunError::Unreadable { path, source, .. }) if source.kind() == ErrorKind::NotFound => {
            let advice = advice(OsStr::new(&path), plan);
            let error = RunError::Unreadable {
                path,
                source,
                advice,
            };
            error.into()
        }
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

/// The error that the program to be examined cannot be read, with what was meant.
pub(super) fn program(error: ExecutableError, plan: &Plan) -> Error {
    match error {
        ExecutableError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            let meant = nearest_file(Path::new(&path)).filter(|_| !plan.files.is_empty());
            let advice = meant.or_else(|| Some("profan doctor ./PROGRAM".to_owned()));
            RunError::Unreadable {
                path,
                source,
                advice,
            }
            .into()
        }
        error => error.into(),
    }
}

fn advice(word: &OsStr, plan: &Plan) -> Option<String> {
    attached(word, plan)
        .or_else(|| with_hyphens(word))
        .or_else(|| first_word(word, plan))
        .or_else(|| nearest_file(Path::new(word)))
}

/// How a word is written that belongs to the option before it.
fn attached(word: &OsStr, plan: &Plan) -> Option<String> {
    let loose = plan.loose.iter().find(|loose| loose.word == word)?;
    let attach = format!("attach it: {}", loose.attached);
    if !loose.wants_name {
        return Some(attach);
    }
    let text = word.to_str()?;
    let spec = SymSpec::of_names(text);
    let halves = [Some(&spec.left), spec.right.as_ref()];
    let halves: Vec<_> = halves.into_iter().flatten().collect();
    with_names(word, plan, |finder| {
        if halves.iter().all(|half| finder.find(half).is_ok()) {
            return Some(attach);
        }
        let nearest = finder.nearest(&spec.left);
        let option = loose.attached.strip_suffix(text)?;
        let [name, ..] = &nearest[..] else {
            return None;
        };
        Some(format!("attach the name of a function: {option}{name}"))
    })
}

/// Asks the names of the program, or of the profile, that stand beside a word.
fn with_names<T>(
    word: &OsStr,
    plan: &Plan,
    ask: impl FnOnce(&Finder<'_>) -> Option<T>,
) -> Option<T> {
    let mut others = plan.files.clone();
    // What is in a pipe is gone when it was read once.
    others.retain(|path| path != word && path.is_file());
    let opened = inputs::open_all(&others, plan).ok()?;
    let given = inputs::sort_out(opened, plan).ok()?;
    let ask = |table: &SymbolTable| ask(&Finder::new(table, names::style(plan)));
    if let Some(executable) = given.executables.first() {
        return ask(&read_program(executable, &plan.symbols).ok()?.table);
    }
    let read = read_profiles(given.profiles, plan, &[], false).ok()?;
    let costs = &read.objects.first()?.profile.costs;
    let named = NamedContexts::new(costs, None, ContextNames::Functions);
    ask(&named.table)
}

/// What was typed by something that makes one dash of two hyphens.
fn with_hyphens(word: &OsStr) -> Option<String> {
    let text = word.to_str()?;
    let name = text.trim_start_matches(['–', '—', '-']);
    let is_option = text.starts_with(['–', '—']) && !name.is_empty();
    is_option.then(|| format!("write it with hyphens: --{name}"))
}

/// The word that comes first in a command line, in the place of options and files.
fn first_word(word: &OsStr, plan: &Plan) -> Option<String> {
    plan.files.first().filter(|first| *first == word)?;
    let mut nearest = Nearest::new(word.as_encoded_bytes());
    first_words().for_each(|name| nearest.look_at(name.as_bytes(), || name.to_owned()));
    let nearest = nearest.into_near_names();
    Some(format!("did you mean `profan {}`?", nearest.first()?))
}

/// The file of the same folder that is called nearly so.
fn nearest_file(path: &Path) -> Option<String> {
    let name = path.file_name()?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut nearest = Nearest::new(name.as_encoded_bytes());
    for entry in entries.filter_map(Result::ok).take(MOST_ENTRIES) {
        let shown = || {
            folder
                .map_or_else(PathBuf::new, Path::to_path_buf)
                .join(entry.file_name())
        };
        let name = entry.file_name();
        nearest.look_at(name.as_encoded_bytes(), || shown().display().to_string());
    }
    let nearest = nearest.into_near_names();
    Some(format!("did you mean `{}`?", nearest.first()?))
}
