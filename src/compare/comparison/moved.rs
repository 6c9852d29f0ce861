//! Functions that are inlined on one side only, so that their cost moved into others.
//!
//! Debug information says which; without it nothing is guessed. Such functions are compared
//! together, as one function: samples by the same test, and exact numbers by their sum.

use std::collections::BTreeMap;

use super::change::Change;
use super::compared::Compared;
use crate::analyze::Amount;
use crate::compare::difference::ChangeVerdict;

/// A function that is inlined into others on the side that lacks it. Rows of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlining {
    pub function: usize,
    pub into: Vec<usize>,
}

/// Functions between which the compiler moved code.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The functions that only one side has.
    pub(super) functions: Vec<usize>,
    /// The functions that contain their code on the other side.
    pub(super) into: Vec<usize>,
    /// The change of all together, and as a percentage of their old cost.
    pub(super) change: f64,
    pub(super) percent: Option<f64>,
}

/// Compares functions together with those that contain them on the other side. They have moved
/// unless all of them together certainly cost more.
pub fn compare_together(compared: &mut Compared, inlinings: &[Inlining]) -> Vec<Moved> {
    let mut all = Vec::new();
    for (functions, into) in groups(inlinings) {
        let is_in = |row: usize| functions.contains(&row) || into.contains(&row);
        let rows = || compared.rows.iter().filter(|row| is_in(row.row));
        let sum = |of: fn(&Change) -> Amount| rows().map(|row| of(row.primary()).as_f64()).sum();
        let change: f64 = sum(|one| one.change);
        let old: f64 = sum(|one| one.old);
        let has_moved = match &compared.sampled {
            Some(sampled) => {
                let mut members = [&*functions, &*into].concat();
                members.sort_unstable();
                members.dedup();
                sampled.together(&members).verdict != ChangeVerdict::Slower
            }
            None => change <= 0.0,
        };
        for row in compared.rows.iter_mut().filter(|row| has_moved && is_in(row.row)) {
            let verdict = &mut row.self_costs[0].1.verdict;
            if verdict.is_change() {
                *verdict = ChangeVerdict::Moved;
            }
        }
        // Inlined calls are not counted, whatever they cost.
        for row in compared.rows.iter_mut().filter(|row| functions.contains(&row.row)) {
            let calls = row.calls.as_mut().filter(|calls| calls.verdict.is_change());
            if let Some(calls) = calls {
                calls.verdict = ChangeVerdict::Moved;
            }
        }
        let percent = (old != 0.0).then(|| 100.0 * change / old.abs());
        all.push(Moved { functions, into, change, percent });
    }
    all
}

/// Inlined functions that share a caller, with all their callers.
fn groups(inlinings: &[Inlining]) -> Vec<(Vec<usize>, Vec<usize>)> {
    // The group of each caller so far, and where groups went that became one.
    let mut of_caller: BTreeMap<usize, usize> = BTreeMap::new();
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for Inlining { function, into } in inlinings {
        let known = into.iter().filter_map(|caller| of_caller.get(caller).copied());
        let first = known.min();
        let place = first.unwrap_or(groups.len());
        if first.is_none() {
            groups.push(Default::default());
        }
        groups[place].0.push(*function);
        for &caller in into {
            match of_caller.insert(caller, place) {
                Some(old) if old != place => {
                    let (functions, callers) = std::mem::take(&mut groups[old]);
                    of_caller.extend(callers.iter().map(|&caller| (caller, place)));
                    groups[place].0.extend(functions);
                    groups[place].1.extend(callers);
                }
                Some(_) => {}
                None => groups[place].1.push(caller),
            }
        }
    }
    groups.retain(|(functions, _)| !functions.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_share_a_caller_are_compared_together() {
        let inlining = |function, into: &[usize]| Inlining { function, into: into.to_vec() };
        let all =
            [inlining(1, &[10]), inlining(2, &[20]), inlining(3, &[30]), inlining(4, &[20, 10])];
        let groups = groups(&all);
        let sorted = groups.into_iter().map(|(mut functions, mut into)| {
            functions.sort_unstable();
            into.sort_unstable();
            (functions, into)
        });
        let expected = [(vec![1, 2, 4], vec![10, 20]), (vec![3], vec![30])];
        assert_eq!(sorted.collect::<Vec<_>>(), expected);
    }
}
