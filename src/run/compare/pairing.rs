//! Pairs the programs of a job with those of another side.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::compare::matching::clone_base;
use crate::run::objects::file_name;

/// A program with profiles on one side.
pub(super) struct SideProgram {
    pub(super) path: PathBuf,
    /// Linkage names of functions with costs.
    pub(super) functions: HashSet<Box<[u8]>>,
}

/// The least share of the functions of either program that both must have, if names differ.
const LEAST_SHARED: f64 = 0.25;

/// Pairs programs of the same path, then those of the same file name, then those that share the
/// largest part of their functions. Positions of both sides; a program may have no partner.
pub(super) fn pairs([old, new]: [&[SideProgram]; 2]) -> Vec<[Option<usize>; 2]> {
    let mut pairs = Vec::new();
    let mut left = [old, new].map(|side| (0..side.len()).collect::<Vec<usize>>());
    let mut take = |left: &mut [Vec<usize>; 2], pair: [usize; 2]| {
        left[0].retain(|one| *one != pair[0]);
        left[1].retain(|one| *one != pair[1]);
        pairs.push(pair.map(Some));
    };
    let is_same: [fn(&SideProgram, &SideProgram) -> bool; 2] =
        [|a, b| a.path == b.path, |a, b| file_name(&a.path) == file_name(&b.path)];
    for is_same in is_same {
        for a in left[0].clone() {
            let same: Vec<_> =
                left[1].iter().copied().filter(|&b| is_same(&old[a], &new[b])).collect();
            // Several of one name are told apart by their functions.
            let n_alike = left[0].iter().filter(|&&one| is_same(&old[one], &old[a])).count();
            if let (&[b], 1) = (&*same, n_alike) {
                take(&mut left, [a, b]);
            }
        }
    }
    let mut scores = Vec::new();
    for &a in &left[0] {
        for &b in &left[1] {
            let n_shared = old[a].functions.intersection(&new[b].functions).count();
            let n_all = old[a].functions.len() + new[b].functions.len() - n_shared;
            let share = n_shared as f64 / n_all.max(1) as f64;
            scores.extend((share >= LEAST_SHARED).then_some((share, a, b)));
        }
    }
    scores.sort_by(|(one, a, b), (other, c, d)| other.total_cmp(one).then((a, b).cmp(&(c, d))));
    for (_, a, b) in scores {
        if left[0].contains(&a) && left[1].contains(&b) {
            take(&mut left, [a, b]);
        }
    }
    let [gone, new] = left;
    pairs.extend(gone.into_iter().map(|a| [Some(a), None]));
    pairs.extend(new.into_iter().map(|b| [None, Some(b)]));
    pairs
}

impl SideProgram {
    /// A program at a path that has these functions with costs.
    pub(super) fn of<'n>(path: PathBuf, functions: impl Iterator<Item = &'n [u8]>) -> Self {
        Self { path, functions: functions.map(|name| clone_base(name).into()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[(&str, &str)], new: &[(&str, &str)], expected: &[[Option<usize>; 2]]) {
        let side = |programs: &[(&str, &str)]| {
            let program = |&(path, functions): &(&str, &str)| {
                SideProgram::of(path.into(), functions.split(' ').map(str::as_bytes))
            };
            programs.iter().map(program).collect::<Vec<_>>()
        };
        assert_eq!(pairs([&side(old), &side(new)]), expected, "{old:?} {new:?}");
    }

    #[test]
    fn programs_pair_by_path_then_name_then_functions() {
        let both = |a, b| [Some(a), Some(b)];
        check(&[("a", ""), ("b", "")], &[("b", ""), ("a", "")], &[both(0, 1), both(1, 0)]);
        check(&[("x/a", ""), ("x/b", "")], &[("y/b", ""), ("y/a", "")], &[both(0, 1), both(1, 0)]);
        check(
            &[("a", "main f g"), ("b", "main h")],
            &[("c", "main h"), ("d", "main f g.cold")],
            &[both(0, 1), both(1, 0)],
        );
        // Two of one name.
        check(
            &[("x/a", "main f"), ("y/a", "main g")],
            &[("z/a", "main g"), ("w/a", "main f")],
            &[both(0, 1), both(1, 0)],
        );
    }

    #[test]
    fn a_program_without_partner_is_new_or_gone() {
        let (gone, new) = ([Some(1), None], [None, Some(0)]);
        check(&[("a", "f")], &[("b", "g"), ("a", "f")], &[[Some(0), Some(1)], new]);
        check(&[("a", "f"), ("b", "main g h i j")], &[("a", "f")], &[[Some(0), Some(0)], gone]);
    }
}
