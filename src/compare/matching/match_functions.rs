//! Matches the functions of both sides.
//!
//! Functions whose demangled names agree, except for parts that vary between builds, are grouped
//! by file. Functions on both sides are then matched by the strictest possible key: if all names
//! agree exactly, by name; functions with the same hash always match. Otherwise hashes, clone
//! suffixes and lambda numbers are ignored in turn. If that fails, all functions of the group
//! count as one.
//!
//! Both sides are treated alike, and the order of names does not matter.

use super::candidate::{CandidateFiles, MatchCandidate, candidates};
use super::joined::NO_ROW;
use super::matched_function::MatchedFunction;
use super::name_parts::MISSING;
use super::partition::{by_file, by_object, is_on_both, runs};
use super::{JoinRule, JoinRules, Joined, JoinedFunction, WhichSide};

pub(super) fn match_functions(entries: &[MatchedFunction], rules: &JoinRules) -> Joined {
    let (mut candidates, files) = candidates(entries, rules);
    let mut rows = JoinedFunctions::default();
    let part =
        |candidate: &MatchCandidate| (candidate.parts.plain, candidate.is_line, candidate.line);
    for alike in runs(&mut candidates, part) {
        if rules.is_exact {
            join_exactly(alike, &mut rows);
        } else {
            join_alike(alike, &files, &mut rows);
        }
    }
    rows.into_joined(entries, &files)
}

/// The functions of each row.
#[derive(Default)]
struct JoinedFunctions(Vec<Vec<MatchCandidate>>);

/// Matches functions whose names agree except for varying parts.
fn join_alike(alike: &mut [MatchCandidate], files: &CandidateFiles, rows: &mut JoinedFunctions) {
    if rows.take_if_apart(alike, as_named) {
        return;
    }
    for of_object in by_object(alike) {
        for of_file in by_file(of_object, files) {
            join_part(of_file, rows);
        }
    }
}

/// Matches functions of one file. Those with the same hash on both sides match.
fn join_part(part: &mut [MatchCandidate], rows: &mut JoinedFunctions) {
    let mut rest = Vec::new();
    for same_hash in runs(part, stable_hash) {
        if stable_hash(&same_hash[0]) != MISSING && is_on_both(same_hash) {
            join_by_least(same_hash, rows);
        } else {
            rest.extend_from_slice(same_hash);
        }
    }
    join_by_least(&mut rest, rows);
}

/// The hash of a function, unless it depends on lambda numbers.
fn stable_hash(candidate: &MatchCandidate) -> u32 {
    let parts = candidate.parts;
    if parts.lambdas == MISSING { parts.hash } else { MISSING }
}

/// Matches functions by the strictest possible key.
fn join_by_least(part: &mut [MatchCandidate], rows: &mut JoinedFunctions) {
    if !is_on_both(part) {
        return rows.take_each(part);
    }
    if !LEVELS.iter().any(|&level| rows.take_if_apart(part, level)) {
        rows.0.push(part.to_vec());
    }
}

/// Matches functions with equal names, or equal names after renaming.
fn join_exactly(alike: &mut [MatchCandidate], rows: &mut JoinedFunctions) {
    let key = |candidate: &MatchCandidate| {
        let parts = candidate.parts;
        (candidate.file, candidate.object, parts.lambdas, parts.clones)
    };
    for part in runs(alike, key) {
        let is_renamed = part.iter().any(|candidate| candidate.is_renamed);
        if !is_on_both(part) {
            rows.take_each(part);
        } else if !is_renamed {
            rows.take_same(part, as_named);
        } else if !rows.take_if_apart(part, as_named) {
            rows.0.push(part.to_vec());
        }
    }
}

/// Keys of functions within a file, strictest first.
const LEVELS: [fn(&MatchCandidate) -> [u32; 4]; 6] = [
    as_named,
    |candidate| [candidate.parts.whole, 0, 0, 0],
    |candidate| {
        let parts = candidate.parts;
        [parts.hash, parts.clones, parts.lambdas, 0]
    },
    |candidate| [candidate.parts.clones, candidate.parts.lambdas, 0, 0],
    |candidate| [candidate.parts.lambdas, 0, 0, 0],
    |candidate| [candidate.parts.clones, 0, 0, 0],
];

fn as_named(candidate: &MatchCandidate) -> [u32; 4] {
    let [file, object] = [candidate.file, candidate.object].map(|it| it.map_or(0, |it| it + 1));
    [candidate.parts.whole, file, object, 0]
}

impl JoinedFunctions {
    /// Matches functions with equal keys, if both sides have all keys.
    fn take_if_apart(
        &mut self,
        part: &mut [MatchCandidate],
        key: fn(&MatchCandidate) -> [u32; 4],
    ) -> bool {
        let is_apart = runs(part, key).all(|same| is_on_both(same));
        if is_apart {
            self.take_same(part, key);
        }
        is_apart
    }

    /// Matches functions with equal keys.
    fn take_same(&mut self, part: &mut [MatchCandidate], key: fn(&MatchCandidate) -> [u32; 4]) {
        self.0.extend(runs(part, key).map(|same| same.to_vec()));
    }

    /// Functions on one side only.
    fn take_each(&mut self, part: &[MatchCandidate]) {
        self.0.extend(part.iter().map(|&candidate| vec![candidate]));
    }

    fn into_joined(self, entries: &[MatchedFunction], files: &CandidateFiles) -> Joined {
        let mut rows: Vec<_> = self.0.into_iter().map(|row| (plainest(&row), row)).collect();
        rows.sort_unstable_by_key(|(shown, _)| (shown.rank, shown.side));
        let mut rows_of = [(); 2].map(|()| vec![NO_ROW; entries.len()].into_boxed_slice());
        for (index, (_, row)) in (0..).zip(&rows) {
            for candidate in row {
                rows_of[candidate.side as usize][candidate.number as usize] = index;
            }
        }
        let rows = rows.into_iter();
        let rows = rows.map(|(shown, row)| joined(&shown, row, entries, files));
        Joined { rows: rows.collect(), rows_of }
    }
}

/// The function that names the row: one of the new side, if any.
fn plainest(row: &[MatchCandidate]) -> MatchCandidate {
    let by_plainness = |candidate: &&MatchCandidate| {
        let is_clone = candidate.parts.clones != MISSING;
        (candidate.side == WhichSide::Old, is_clone, candidate.rank)
    };
    let plainest = row.iter().min_by_key(by_plainness);
    *plainest.expect("a row is of some function")
}

fn joined(
    shown: &MatchCandidate,
    mut row: Vec<MatchCandidate>,
    entries: &[MatchedFunction],
    files: &CandidateFiles,
) -> JoinedFunction {
    row.sort_unstable_by_key(|candidate| candidate.rank);
    let named =
        |candidate: &MatchCandidate| entries[candidate.number as usize].named(candidate.side);
    let [old, new] = [WhichSide::Old, WhichSide::New].map(|side| {
        let of_side = row.iter().filter(|candidate| candidate.side == side);
        of_side.map(named).collect()
    });
    JoinedFunction {
        shown: named(shown),
        old,
        new,
        rule: if is_on_both(&row) { rule(&row, files) } else { None },
    }
}

/// The least certain rule needed to match these.
fn rule(row: &[MatchCandidate], files: &CandidateFiles) -> Option<JoinRule> {
    fn differ<T: PartialEq>(row: &[MatchCandidate], part: impl Fn(&MatchCandidate) -> T) -> bool {
        row.iter().any(|candidate| part(candidate) != part(&row[0]))
    }
    let is_known =
        |candidate: &MatchCandidate| (candidate.file.is_some(), candidate.object.is_some());
    let base = |candidate: &MatchCandidate| candidate.file.map(|file| files[file as usize].1);
    let reasons = [
        (JoinRule::Renamed, row.iter().any(|candidate| candidate.is_renamed)),
        (JoinRule::Moved, differs_among_known(row, base)),
        (JoinRule::Lambdas, differ(row, |candidate| candidate.parts.lambdas)),
        (JoinRule::Clones, differ(row, |candidate| candidate.parts.clones)),
        (JoinRule::Hashes, differ(row, |candidate| candidate.parts.hash)),
        (JoinRule::Linkage, differ(row, |candidate| candidate.parts.whole)),
        (JoinRule::Places, differ(row, is_known)),
        (JoinRule::Paths, differ(row, |candidate| (candidate.file, candidate.object))),
    ];
    let holds = reasons.into_iter().find(|(_, holds)| *holds);
    holds.map(|(rule, _)| rule)
}

/// Returns whether functions differ in a known property.
fn differs_among_known(
    row: &[MatchCandidate],
    part: impl Fn(&MatchCandidate) -> Option<u32>,
) -> bool {
    let mut known = row.iter().filter_map(part);
    let first = known.next();
    known.any(|other| Some(other) != first)
}
