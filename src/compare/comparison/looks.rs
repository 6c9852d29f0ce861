//! Comparing while runs are being made, at planned numbers of runs.

use super::compared::{Compared, RowChange};
use crate::compare::difference::ChangeVerdict;
use crate::report::number::counted;

/// The planned numbers of runs per side.
const PLAN: [u64; 5] = [3, 5, 8, 12, 20];

/// The part of the false-positive rate that each planned comparison may use, so that all
/// together use no more than the whole of it (Bonferroni).
pub const SHARE_OF_ALPHA: f64 = 1.0 / PLAN.len() as f64;

/// A comparison of runs that may be followed by one of more runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Planned comparisons up to this number of runs.
    n_reached: usize,
    /// The number of runs is a planned one: between them, no result is final.
    pub is_planned: bool,
    /// Runs per side to make before the next planned comparison; 0 if this one is the last.
    pub more_runs: u64,
}

impl Look {
    /// It is the last one if something is slower or faster, if no relevant function is unclear,
    /// or if no more runs are planned. `None` for counted numbers, for which one run is enough.
    pub fn of(compared: &Compared, has_baseline: bool) -> Option<Self> {
        let [old, new] = compared.sides.map(|side| side.n_runs);
        let n_runs = if has_baseline { new } else { old.min(new) };
        let is_by_chance = compared.is_by_chance();
        is_by_chance.then(|| Self::after(n_runs, is_decided(compared)))
    }

    fn after(n_runs: u64, is_decided: bool) -> Self {
        let n_reached = PLAN.partition_point(|&planned| planned <= n_runs);
        let last = PLAN[PLAN.len() - 1];
        let is_planned = PLAN.contains(&n_runs) || n_runs > last;
        let next = PLAN.get(n_reached).filter(|_| !(is_planned && is_decided));
        Self { n_reached, is_planned, more_runs: next.map_or(0, |next| next - n_runs) }
    }

    pub(super) fn said(self) -> String {
        let planned = PLAN.map(|n_runs| n_runs.to_string()).join(", ");
        let more = match self.more_runs {
            0 => "no more runs are needed".to_owned(),
            n_more => {
                let runs = counted(i128::from(n_more), "more run", "more runs");
                format!("make {runs} per side")
            }
        };
        let Self { n_reached, .. } = self;
        let n_planned = PLAN.len();
        if self.is_planned {
            format!("Comparison {n_reached} of {n_planned} (at {planned} runs per side): {more}.")
        } else {
            format!("Not one of the planned comparisons (at {planned} runs per side): {more}.")
        }
    }
}

/// Returns whether something is slower or faster, or no relevant function is unclear.
fn is_decided(compared: &Compared) -> bool {
    let all = || {
        let rows = compared.rows.iter().chain(&compared.unchanged);
        rows.chain([&compared.total])
    };
    let is_unclear = |row: &RowChange| {
        let change = row.primary();
        change.verdict == ChangeVerdict::Unclear && !change.is_minor
    };
    let is_found = |row: &RowChange| {
        let verdict = row.primary().verdict;
        use ChangeVerdict as V;
        matches!(verdict, V::Slower | V::Faster | V::More | V::Less)
    };
    all().any(is_found) || !all().any(is_unclear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_runs_lead_to_the_next_planned_number() {
        let check = |n_runs, is_decided, expected: (usize, bool, u64)| {
            let look = Look::after(n_runs, is_decided);
            let found = (look.n_reached, look.is_planned, look.more_runs);
            assert_eq!(found, expected, "{n_runs} {is_decided}");
        };
        check(1, true, (0, false, 2));
        check(3, false, (1, true, 2));
        check(3, true, (1, true, 0));
        check(4, true, (1, false, 1));
        check(12, false, (4, true, 8));
        check(20, false, (5, true, 0));
        check(21, false, (5, true, 0));
    }
}
