//! Functions that are spelled alike, parted by the object and the file that they are of.

use super::member::{Files, Member};
use super::{WhichSide, paths};

/// The part of those of which nothing is known.
const UNPLACED: u32 = 0;

/// Functions with equal keys, one slice of them after the other.
pub(super) fn runs<K: Ord>(
    members: &mut [Member],
    key: impl Fn(&Member) -> K,
) -> impl Iterator<Item = &mut [Member]> {
    // Equal ones stay in the order of their names.
    members.sort_by_key(&key);
    members.chunk_by_mut(move |a, b| key(a) == key(b))
}

/// Whether both sides have any of these.
pub(super) fn is_on_both(members: &[Member]) -> bool {
    has(members, WhichSide::Old) && has(members, WhichSide::New)
}

fn has(members: &[Member], side: WhichSide) -> bool {
    members.iter().any(|member| member.side == side)
}

/// Parts functions by the program or library that they are of.
pub(super) fn by_object(members: &mut [Member]) -> impl Iterator<Item = &mut [Member]> {
    for member in &mut *members {
        member.part = member.object_label.map_or(UNPLACED, |label| label + 1);
    }
    place_the_unplaced(members);
    runs(members, |member| member.part)
}

/// Parts functions by their files. Files are the same that have the same last components,
/// as many as tell those of either side apart that have the same base name. Functions
/// whose name is theirs alone are the same in any file.
pub(super) fn by_file<'m>(
    members: &'m mut [Member],
    files: &Files,
) -> impl Iterator<Item = &'m mut [Member]> {
    let mut n_parts = UNPLACED;
    for same_base in runs(members, |member| member.file.map(|file| files.base(file))) {
        n_parts = part_by_path(same_base, files, n_parts);
    }
    place_the_unplaced(members);
    join_moved(members, n_parts);
    runs(members, |member| member.part)
}

/// Parts functions whose files have the same base name, numbered behind those parts that
/// there are; how many there are then.
fn part_by_path(members: &mut [Member], files: &Files, n_parts: u32) -> u32 {
    let path = |member: &Member| member.file.map_or(&b""[..], |file| files.path(file));
    if members[0].file.is_none() {
        members.iter_mut().for_each(|member| member.part = UNPLACED);
        return n_parts;
    }
    let depth = [WhichSide::Old, WhichSide::New].map(|side| {
        let of_side = members.iter().filter(|member| member.side == side);
        let mut files: Vec<_> = of_side.map(|member| (member.file, path(member))).collect();
        files.sort_unstable_by_key(|(file, _)| *file);
        files.dedup_by_key(|(file, _)| *file);
        let mut paths: Vec<_> = files.into_iter().map(|(_, path)| path).collect();
        paths::depth_of(&mut paths)
    });
    let depth = depth[0].max(depth[1]);
    if depth > 1 {
        members.sort_by(|a, b| paths::order_by(depth, path(a), path(b)));
    }
    let is_same =
        |a: &Member, b: &Member| depth == 1 || paths::order_by(depth, path(a), path(b)).is_eq();
    let mut n_parts = n_parts;
    for part in members.chunk_by_mut(is_same) {
        n_parts += 1;
        part.iter_mut().for_each(|member| member.part = n_parts);
    }
    n_parts
}

/// Where one side has no places at all and the other a single one, that is both sides'.
fn place_the_unplaced(members: &mut [Member]) {
    let [old, new] = [WhichSide::Old, WhichSide::New].map(|side| only_part(members, side));
    let (unplaced, part) = match (old, new) {
        (Some(UNPLACED), Some(part)) => (WhichSide::Old, part),
        (Some(part), Some(UNPLACED)) => (WhichSide::New, part),
        _ => return,
    };
    let unplaced = members.iter_mut().filter(|member| member.side == unplaced);
    unplaced.for_each(|member| member.part = part);
}

/// The part in which all functions of a side are.
fn only_part(members: &[Member], side: WhichSide) -> Option<u32> {
    let mut of_side = members.iter().filter(|member| member.side == side);
    let part = of_side.next()?.part;
    of_side.all(|member| member.part == part).then_some(part)
}

/// Makes one part of those parts that one side alone has and that have a function whose name
/// is theirs alone, if both sides have such parts.
fn join_moved(members: &mut [Member], n_parts: u32) {
    let mut is_on = vec![[false; 2]; n_parts as usize + 1];
    let mut has_global = vec![false; n_parts as usize + 1];
    for member in &*members {
        is_on[member.part as usize][member.side as usize] = true;
        has_global[member.part as usize] |= member.is_global;
    }
    let is_left_of = |part: usize, sides| has_global[part] && is_on[part] == sides;
    let is_any_left_of = |sides| (0..is_on.len()).any(|part| is_left_of(part, sides));
    let (of_old, of_new) = ([true, false], [false, true]);
    if !is_any_left_of(of_old) || !is_any_left_of(of_new) {
        return;
    }
    for member in members {
        let part = member.part as usize;
        if is_left_of(part, of_old) || is_left_of(part, of_new) {
            member.part = n_parts + 1;
        }
    }
}
