//! Divides functions with the same name by object and file.

use crate::sorting::ColdSort;

use super::candidate::{CandidateFiles, MatchCandidate};
use super::{WhichSide, paths};

/// The part of functions without file.
const UNPLACED: u32 = 0;

/// Consecutive functions with equal keys.
pub(super) fn runs<K: Ord>(
    candidates: &mut [MatchCandidate],
    key: impl Fn(&MatchCandidate) -> K,
) -> impl Iterator<Item = &mut [MatchCandidate]> {
    // Equal ones stay in the order of their names.
    candidates.cold_sort_by_key(&key);
    candidates.chunk_by_mut(move |a, b| key(a) == key(b))
}

/// Returns whether both sides have any of these.
pub(super) fn is_on_both(candidates: &[MatchCandidate]) -> bool {
    has(candidates, WhichSide::Old) && has(candidates, WhichSide::New)
}

fn has(candidates: &[MatchCandidate], side: WhichSide) -> bool {
    candidates.iter().any(|candidate| candidate.side == side)
}

/// Divides functions by object.
pub(super) fn by_object(
    candidates: &mut [MatchCandidate],
) -> impl Iterator<Item = &mut [MatchCandidate]> {
    for candidate in &mut *candidates {
        candidate.part = candidate.object_label.map_or(UNPLACED, |label| label + 1);
    }
    place_the_unplaced(candidates);
    runs(candidates, |candidate| candidate.part)
}

/// Divides functions by file. Files match by as many last components as distinguish those
/// with the same base name on each side. Functions with a unique name match in any file.
pub(super) fn by_file<'m>(
    candidates: &'m mut [MatchCandidate],
    files: &CandidateFiles,
) -> impl Iterator<Item = &'m mut [MatchCandidate]> {
    let mut n_parts = UNPLACED;
    for same_base in runs(candidates, |candidate| candidate.file.map(|file| files[file as usize].1))
    {
        n_parts = part_by_path(same_base, files, n_parts);
    }
    place_cold_parts(candidates);
    place_the_unplaced(candidates);
    join_moved(candidates, n_parts);
    runs(candidates, |candidate| candidate.part)
}

/// Divides functions whose files have the same base name, from part number `n_parts` on;
/// returns the new number of parts.
fn part_by_path(candidates: &mut [MatchCandidate], files: &CandidateFiles, n_parts: u32) -> u32 {
    let path = |candidate: &MatchCandidate| {
        candidate.file.map_or(&b""[..], |file| &*files[file as usize].0)
    };
    if candidates[0].file.is_none() {
        candidates.iter_mut().for_each(|candidate| candidate.part = UNPLACED);
        return n_parts;
    }
    let depth = [WhichSide::Old, WhichSide::New].map(|side| {
        let of_side = candidates.iter().filter(|candidate| candidate.side == side);
        let mut files: Vec<_> =
            of_side.map(|candidate| (candidate.file, path(candidate))).collect();
        files.sort_unstable_by_key(|(file, _)| *file);
        files.dedup_by_key(|(file, _)| *file);
        let mut paths: Vec<_> = files.into_iter().map(|(_, path)| path).collect();
        paths::depth_of(&mut paths)
    });
    let depth = depth[0].max(depth[1]);
    if depth > 1 {
        candidates.cold_sort_by(|a, b| paths::order_by(depth, path(a), path(b)));
    }
    let is_same = |a: &MatchCandidate, b: &MatchCandidate| {
        depth == 1 || paths::order_by(depth, path(a), path(b)).is_eq()
    };
    let mut n_parts = n_parts;
    for part in candidates.chunk_by_mut(is_same) {
        n_parts += 1;
        part.iter_mut().for_each(|candidate| candidate.part = n_parts);
    }
    n_parts
}

/// Places `walk.cold` in the only file with `walk` on its side: it begins with code that was
/// inlined from any file.
fn place_cold_parts(candidates: &mut [MatchCandidate]) {
    for side in [WhichSide::Old, WhichSide::New] {
        let of_side = candidates.iter_mut().filter(|candidate| candidate.side == side);
        let (cold, others): (Vec<_>, Vec<_>) =
            of_side.partition(|candidate| candidate.parts.is_cold);
        if let Some(part) = only(others.iter().map(|candidate| candidate.part)) {
            cold.into_iter().for_each(|candidate| candidate.part = part);
        }
    }
}

/// If one side has no files and the other a single one, that file counts for both.
fn place_the_unplaced(candidates: &mut [MatchCandidate]) {
    let [old, new] = [WhichSide::Old, WhichSide::New].map(|side| only_part(candidates, side));
    let (unplaced, part) = match (old, new) {
        (Some(UNPLACED), Some(part)) => (WhichSide::Old, part),
        (Some(part), Some(UNPLACED)) => (WhichSide::New, part),
        _ => return,
    };
    let unplaced = candidates.iter_mut().filter(|candidate| candidate.side == unplaced);
    unplaced.for_each(|candidate| candidate.part = part);
}

/// The part with all functions of a side.
fn only_part(candidates: &[MatchCandidate], side: WhichSide) -> Option<u32> {
    let of_side = candidates.iter().filter(|candidate| candidate.side == side);
    only(of_side.map(|candidate| candidate.part))
}

/// The number that all of them are.
fn only(mut parts: impl Iterator<Item = u32>) -> Option<u32> {
    let part = parts.next()?;
    parts.all(|other| other == part).then_some(part)
}

/// Joins the parts of one side with a function of a unique name, if both sides have such
/// parts. Only executables list all functions; in other profiles, a name is unique if each side
/// has it in one file.
fn join_moved(candidates: &mut [MatchCandidate], n_parts: u32) {
    let mut is_on = vec![[false; 2]; n_parts as usize + 1];
    let [old, new] = [WhichSide::Old, WhichSide::New].map(|side| only_part(candidates, side));
    let is_unique = old.is_some() && new.is_some();
    let mut has_global = vec![false; n_parts as usize + 1];
    for candidate in &*candidates {
        is_on[candidate.part as usize][candidate.side as usize] = true;
        has_global[candidate.part as usize] |=
            candidate.is_global || is_unique && !candidate.is_line;
    }
    let is_left_of = |part: usize, sides| has_global[part] && is_on[part] == sides;
    let is_any_left_of = |sides| (0..is_on.len()).any(|part| is_left_of(part, sides));
    let (of_old, of_new) = ([true, false], [false, true]);
    if !is_any_left_of(of_old) || !is_any_left_of(of_new) {
        return;
    }
    for candidate in candidates {
        let part = candidate.part as usize;
        if is_left_of(part, of_old) || is_left_of(part, of_new) {
            candidate.part = n_parts + 1;
        }
    }
}
