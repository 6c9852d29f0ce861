//! Names and order of files in a report by file.

use std::cmp::Ordering;
use std::sync::Arc;

use regex::bytes::Regex;

use crate::cli::{ByFileOptions, FileNaming};
use crate::compare::by_file::FileLabel;
use crate::compare::comparison::by_path;
use crate::diagnose::{self, Warning};
use crate::report::{Cell, LONGEST_NAME, RunLabel, start_of};
use crate::run::inputs::run_files::RunFiles;
use crate::run::labels;
use crate::sorting::ColdSort;

/// Files with their names, in an order independent of the command line.
pub(super) struct NamedFiles {
    /// For each name, the files that count as one.
    pub(super) runs: Vec<Vec<RunFiles>>,
    pub(super) labels: Arc<[FileLabel]>,
    /// A note on paths that do not match the expression.
    pub(super) about: Option<String>,
}

/// Names files. Files with ranks come first, ordered by rank: numbers by value, then text.
/// The others follow, ordered by path; in a history, numbers in paths are ordered by value.
pub(super) fn named(runs: Vec<RunFiles>, options: &ByFileOptions) -> NamedFiles {
    let naming = options.naming();
    let pattern = match naming {
        FileNaming::Paths => None,
        FileNaming::Ranks(pattern) | FileNaming::Groups(pattern) => Some(pattern),
    };
    let named = runs.into_iter().map(|run| {
        let path = run.path();
        let rank = pattern.and_then(|pattern| found(pattern, &path));
        (rank, path, run)
    });
    let mut named: Vec<_> = named.collect();
    let by_path = if options.trend { by_path } else { <str as Ord>::cmp };
    named.cold_sort_by(|(a, path_a, _), (b, path_b, _)| {
        compare(a.as_deref(), b.as_deref()).then_with(|| by_path(path_a, path_b))
    });
    let about = pattern.and_then(|pattern| {
        let ranks = named.iter().map(|(rank, path, _)| (rank.is_some(), &**path));
        diagnose::other_names(pattern, ranks)
    });
    let ranks = named.iter().filter_map(|(rank, ..)| rank.as_deref());
    let are_numbers = ranks.clone().all(|rank| labels::number(rank).is_some());
    let cell = |rank: Option<&[u8]>| match rank {
        Some(rank) if are_numbers => Cell::integer(labels::number(rank)),
        Some(rank) => Cell::text(rank),
        None => Cell::Absent,
    };
    let is_grouped = matches!(naming, FileNaming::Groups(_));
    let (mut runs, mut labels) = (Vec::<Vec<RunFiles>>::new(), Vec::<FileLabel>::new());
    let mut last: Option<Arc<[u8]>> = None;
    for (rank, path, run) in named {
        let is_same = is_grouped && rank.is_some() && rank == last;
        if is_same && let (Some(group), Some(label)) = (runs.last_mut(), labels.last_mut()) {
            group.push(run);
            label.n_files += 1;
            continue;
        }
        runs.push(vec![run]);
        let group = rank.clone().filter(|_| is_grouped);
        labels.push(FileLabel {
            name: group.unwrap_or_else(|| path.as_bytes().into()),
            rank: cell(rank.as_deref()),
            n_files: 1,
        });
        last = rank;
    }
    NamedFiles { runs, labels: labels.into(), about }
}

/// The labels of files of which so many runs remain.
pub(super) fn remaining(labels: &[FileLabel], n_runs: &[u32]) -> Arc<[FileLabel]> {
    let labels = labels.iter().zip(n_runs).filter(|&(_, &n_files)| n_files > 0);
    labels.map(|(label, &n_files)| FileLabel { n_files, ..label.clone() }).collect()
}

/// The label of a file or group: the rank, or else the name.
pub(super) fn run_label(label: &FileLabel, naming: FileNaming<'_>) -> RunLabel {
    let name = String::from_utf8_lossy(&label.name);
    let (key, value) = match (naming, &label.rank) {
        (FileNaming::Ranks(_), Cell::Integer(rank)) => ("rank", rank.to_string()),
        (FileNaming::Ranks(_), Cell::Text(rank)) => {
            ("rank", String::from_utf8_lossy(rank).into_owned())
        }
        (FileNaming::Groups(_), _) => ("group", name.into_owned()),
        _ => ("profile", name.into_owned()),
    };
    RunLabel { key: key.to_owned(), value }
}

/// The name of the part of a file with one value of a label, `path` if it is one of several.
pub(super) fn of_part(key: &str, value: Option<&[u8]>, path: Option<&str>) -> FileLabel {
    let mut name = labels::shown(key.as_bytes(), value);
    if value.is_none() {
        name.insert_str(0, "without ");
    }
    if let Some(path) = path {
        name = format!("{path} {name}");
    }
    FileLabel { name: name.into_bytes().into(), rank: Cell::Absent, n_files: 1 }
}

/// Shortens the names of parts as those of functions, since each row has one.
pub(super) fn shorten(labels: &mut [FileLabel]) -> Option<Warning> {
    let is_long = |label: &&mut FileLabel| label.name.len() > LONGEST_NAME;
    let mut n_names = 0;
    for label in labels.iter_mut().filter(is_long) {
        label.name = start_of(&label.name).into();
        n_names += 1;
    }
    (n_names > 0).then_some(Warning::NamesShortened { n_names })
}

/// The first group of a pattern in a path.
fn found(pattern: &Regex, path: &str) -> Option<Arc<[u8]>> {
    let found = pattern.captures(path.as_bytes())?;
    Some(found.get(1)?.as_bytes().into())
}

/// Orders ranks: numbers, text, then missing ones.
fn compare(a: Option<&[u8]>, b: Option<&[u8]>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => match (labels::number(a), labels::number(b)) {
            (Some(x), Some(y)) => x.cmp(&y).then_with(|| a.cmp(b)),
            (x, y) => y.is_some().cmp(&x.is_some()).then_with(|| a.cmp(b)),
        },
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_numbers_and_files_without_stand_last() {
        let mut ranks = [None, Some("b"), Some("10"), Some("9"), Some("a"), Some("09")];
        ranks.sort_by(|a, b| compare(a.map(str::as_bytes), b.map(str::as_bytes)));
        let expected = [Some("09"), Some("9"), Some("10"), Some("a"), Some("b"), None];
        assert_eq!(ranks, expected);
    }
}
