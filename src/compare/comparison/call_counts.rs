//! Calls of a function or from one to another, over all runs of a side.

/// The sum of all runs, and whether they agree. Calls that depend on time or chance differ from run
/// to run, so their change is not certain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallCounts {
    pub(super) sum: u64,
    /// The sum at the end of the last run.
    before: u64,
    /// The most calls of a run, rounded up.
    most: u64,
}

impl CallCounts {
    /// Adds calls of the present run.
    pub(super) fn add(&mut self, calls: u64) {
        self.sum = self.sum.saturating_add(calls);
    }

    /// Takes calls of the present run away.
    pub(super) fn remove(&mut self, calls: u64) {
        self.sum = self.sum.saturating_sub(calls);
    }

    /// Ends the present profile, the sum of `n_runs` runs. Doing so again changes nothing.
    pub(super) fn end_run(&mut self, n_runs: u32) {
        let calls = self.sum.saturating_sub(self.before);
        self.most = self.most.max(calls.div_ceil(u64::from(n_runs.max(1))));
        self.before = self.sum;
    }

    /// Returns whether some of `n_runs` runs had fewer calls than others.
    pub(super) fn varies(&self, n_runs: u64) -> bool {
        u128::from(self.sum) != u128::from(self.most) * u128::from(n_runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(runs: &[(u64, u32)], n_runs: u64, varies: bool) {
        let mut counts = CallCounts::default();
        for &(calls, n_runs) in runs {
            counts.add(calls);
            counts.end_run(n_runs);
            counts.end_run(n_runs);
        }
        assert_eq!(counts.varies(n_runs), varies, "for {runs:?}");
    }

    #[test]
    fn equal_runs_agree() {
        check(&[], 0, false);
        check(&[], 3, false);
        check(&[(7, 1), (7, 1), (7, 1)], 3, false);
        check(&[(7, 1), (14, 2)], 3, false);
    }

    #[test]
    fn a_run_with_other_calls_or_without_any_differs() {
        check(&[(7, 1), (8, 1)], 2, true);
        check(&[(7, 1), (7, 1)], 3, true);
        check(&[(7, 1), (15, 2)], 3, true);
        check(&[(15, 2)], 2, true);
    }

    #[test]
    fn calls_within_a_row_do_not_count() {
        let mut counts = CallCounts::default();
        counts.add(9);
        counts.remove(2);
        counts.end_run(1);
        assert!(!counts.varies(1));
        assert_eq!(counts.sum, 7);
    }
}
