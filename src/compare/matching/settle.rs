//! Which functions of both sides are the same.
//!
//! Functions that are spelled alike, but for what builds put into names, are parted by
//! the file that they are of. What is then on both sides is one, by as little as it takes:
//! if all names of both sides fit each other as they are, they stay apart, and so do those
//! that have the same hash. Else it is tried whether they fit without hashes, without
//! suffixes of clones, and without numbers of lambdas; and if nothing helps, all of them
//! are one function.
//!
//! The sides are treated alike, and nothing depends on the order in which names came.

use super::gathering::Entry;
use super::joined::NO_ROW;
use super::member::{Files, Member, members};
use super::parts::{by_file, by_object, is_on_both, runs};
use super::spelling::MISSING;
use super::{JoinRule, JoinRules, Joined, JoinedFunction, WhichSide};

/// Joins the functions of both sides.
pub(super) fn settle(entries: &[Entry], rules: &JoinRules) -> Joined {
    let (mut members, files) = members(entries, rules);
    let mut found = Found::default();
    let part = |member: &Member| (member.spelling.plain, member.is_line, member.line);
    for alike in runs(&mut members, part) {
        if rules.is_exact {
            join_exactly(alike, &mut found);
        } else {
            join_alike(alike, &files, &mut found);
        }
    }
    found.into_joined(entries, &files)
}

/// The functions that are one, of each row.
#[derive(Default)]
struct Found(Vec<Vec<Member>>);

/// Joins functions that are spelled alike but for what builds put into names.
fn join_alike(alike: &mut [Member], files: &Files, found: &mut Found) {
    if found.take_if_apart(alike, as_named) {
        return;
    }
    for of_object in by_object(alike) {
        for of_file in by_file(of_object, files) {
            join_part(of_file, found);
        }
    }
}

/// Joins functions of one file. Those of which both sides have one with the same hash are no
/// others.
fn join_part(part: &mut [Member], found: &mut Found) {
    let mut rest = Vec::new();
    for same_hash in runs(part, telling_hash) {
        if telling_hash(&same_hash[0]) != MISSING && is_on_both(same_hash) {
            join_by_least(same_hash, found);
        } else {
            rest.extend_from_slice(same_hash);
        }
    }
    join_by_least(&mut rest, found);
}

/// The hash of a function, unless that changes with numbers of lambdas.
fn telling_hash(member: &Member) -> u32 {
    let spelling = member.spelling;
    if spelling.lambdas == MISSING {
        spelling.hash
    } else {
        MISSING
    }
}

/// Joins functions by as little as it takes.
fn join_by_least(part: &mut [Member], found: &mut Found) {
    if !is_on_both(part) {
        return found.take_each(part);
    }
    if !LEVELS.iter().any(|&level| found.take_if_apart(part, level)) {
        found.0.push(part.to_vec());
    }
}

/// Joins functions that are named alike, or were renamed to what is spelled alike.
fn join_exactly(alike: &mut [Member], found: &mut Found) {
    let key = |member: &Member| {
        let spelling = member.spelling;
        (
            member.file,
            member.object,
            spelling.lambdas,
            spelling.clones,
        )
    };
    for part in runs(alike, key) {
        let is_renamed = part.iter().any(|member| member.is_renamed);
        if !is_on_both(part) {
            found.take_each(part);
        } else if !is_renamed {
            found.take_same(part, as_named);
        } else if !found.take_if_apart(part, as_named) {
            found.0.push(part.to_vec());
        }
    }
}

/// What functions of a file are told apart by, from all that there is to less and less.
const LEVELS: [fn(&Member) -> [u32; 4]; 6] = [
    as_named,
    |member| [member.spelling.whole, 0, 0, 0],
    |member| {
        let spelling = member.spelling;
        [spelling.hash, spelling.clones, spelling.lambdas, 0]
    },
    |member| [member.spelling.clones, member.spelling.lambdas, 0, 0],
    |member| [member.spelling.lambdas, 0, 0, 0],
    |member| [member.spelling.clones, 0, 0, 0],
];

fn as_named(member: &Member) -> [u32; 4] {
    let [file, object] = [member.file, member.object].map(|it| it.map_or(0, |it| it + 1));
    [member.spelling.whole, file, object, 0]
}

impl Found {
    /// Makes functions with equal keys one, if both sides have all keys.
    fn take_if_apart(&mut self, part: &mut [Member], key: fn(&Member) -> [u32; 4]) -> bool {
        let is_apart = runs(part, key).all(|same| is_on_both(same));
        if is_apart {
            self.take_same(part, key);
        }
        is_apart
    }

    /// Makes functions with equal keys one.
    fn take_same(&mut self, part: &mut [Member], key: fn(&Member) -> [u32; 4]) {
        self.0.extend(runs(part, key).map(|same| same.to_vec()));
    }

    /// Functions that one side alone has.
    fn take_each(&mut self, part: &[Member]) {
        self.0.extend(part.iter().map(|&member| vec![member]));
    }

    fn into_joined(self, entries: &[Entry], files: &Files) -> Joined {
        let mut rows: Vec<_> = self
            .0
            .into_iter()
            .map(|row| (plainest(&row), row))
            .collect();
        rows.sort_unstable_by_key(|(shown, _)| (shown.rank, shown.side));
        let mut rows_of = [(); 2].map(|()| vec![NO_ROW; entries.len()].into_boxed_slice());
        for (index, (_, row)) in (0..).zip(&rows) {
            for member in row {
                rows_of[member.side as usize][member.number as usize] = index;
            }
        }
        let rows = rows.into_iter();
        let rows = rows.map(|(shown, row)| joined(&shown, row, entries, files));
        Joined {
            rows: rows.collect(),
            rows_of,
        }
    }
}

/// The function that a row is named after: one of the new side, if it has any.
fn plainest(row: &[Member]) -> Member {
    let by_plainness = |member: &&Member| {
        let is_clone = member.spelling.clones != MISSING;
        (member.side == WhichSide::Old, is_clone, member.rank)
    };
    let plainest = row.iter().min_by_key(by_plainness);
    *plainest.expect("a row is of some function")
}

fn joined(
    shown: &Member,
    mut row: Vec<Member>,
    entries: &[Entry],
    files: &Files,
) -> JoinedFunction {
    row.sort_unstable_by_key(|member| member.rank);
    let named = |member: &Member| entries[member.number as usize].named(member.side);
    let [old, new] = [WhichSide::Old, WhichSide::New].map(|side| {
        let of_side = row.iter().filter(|member| member.side == side);
        of_side.map(named).collect()
    });
    JoinedFunction {
        shown: named(shown),
        old,
        new,
        rule: if is_on_both(&row) {
            rule(&row, files)
        } else {
            None
        },
    }
}

/// The least sure of the reasons that it takes to join these.
fn rule(row: &[Member], files: &Files) -> Option<JoinRule> {
    fn differ<T: PartialEq>(row: &[Member], part: impl Fn(&Member) -> T) -> bool {
        row.iter().any(|member| part(member) != part(&row[0]))
    }
    let is_known = |member: &Member| (member.file.is_some(), member.object.is_some());
    let base = |member: &Member| member.file.map(|file| files.base(file));
    let reasons = [
        (
            JoinRule::Renamed,
            row.iter().any(|member| member.is_renamed),
        ),
        (JoinRule::Moved, differs_among_known(row, base)),
        (
            JoinRule::Lambdas,
            differ(row, |member| member.spelling.lambdas),
        ),
        (
            JoinRule::Clones,
            differ(row, |member| member.spelling.clones),
        ),
        (JoinRule::Hashes, differ(row, |member| member.spelling.hash)),
        (
            JoinRule::Linkage,
            differ(row, |member| member.spelling.whole),
        ),
        (JoinRule::Places, differ(row, is_known)),
        (
            JoinRule::Paths,
            differ(row, |member| (member.file, member.object)),
        ),
    ];
    let holds = reasons.into_iter().find(|(_, holds)| *holds);
    holds.map(|(rule, _)| rule)
}

/// Whether functions differ in what is known of them.
fn differs_among_known(row: &[Member], part: impl Fn(&Member) -> Option<u32>) -> bool {
    let mut known = row.iter().filter_map(part);
    let first = known.next();
    known.any(|other| Some(other) != first)
}
