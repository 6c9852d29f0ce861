//! The cost of each function in each file, in order of time.

use super::FileCosts;
use super::change_points::ChangeTest;
use crate::threads;

/// Functions below this share of a file in every file are not tested.
const LEAST_SHARE: f64 = 0.001;

/// Functions that a thread tests at a time.
const FUNCTIONS: usize = 4;

/// Collects the costs of functions: a number for each row of each file.
#[derive(Clone, Debug, Default)]
pub struct Histories {
    all: History,
    unattributed: History,
    /// By number.
    functions: Vec<History>,
}

/// Costs in files that have any, with the position of the file.
type History = Vec<(usize, f64)>;

/// Whose costs changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    All,
    Function(u32),
    Unattributed,
}

/// A lasting change.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastingChange {
    pub(super) of: Changed,
    /// The position of the first file after it.
    pub(super) first_file: usize,
    /// The mean since the change before, and up to the next one.
    pub(super) before: f64,
    pub(super) after: f64,
    /// The numbers of files with these means.
    pub(super) n_before: usize,
    pub(super) n_after: usize,
}

/// The lasting changes of all functions.
pub(super) struct LastingChanges {
    /// The number of tested functions, and of files.
    pub(super) n_tested: usize,
    pub(super) n_files: usize,
    /// The number of files that are needed, if there are too few.
    pub(super) n_needed: Option<usize>,
    pub(super) changes: Vec<LastingChange>,
}

impl Histories {
    /// Adds the next file. Linear in its rows.
    pub fn add(&mut self, costs: &FileCosts) {
        let file = self.all.len();
        self.all.push((file, costs.all.as_f64()));
        self.unattributed.push((file, costs.unattributed.as_f64()));
        // Numbers are in order, so the last one is the largest.
        let n_known = costs.rows.last().map_or(0, |last| last.function as usize + 1);
        if self.functions.len() < n_known {
            self.functions.resize_with(n_known, Default::default);
        }
        for row in costs.rows.iter().filter(|row| !row.self_cost.is_zero()) {
            self.functions[row.function as usize].push((file, row.self_cost.as_f64()));
        }
    }

    /// Tests the whole, and each function that is not negligible in all files.
    pub(super) fn changes(&self) -> LastingChanges {
        let n_files = self.all.len();
        let total: f64 = self.all.iter().map(|(_, cost)| cost.abs()).sum();
        let least = LEAST_SHARE * total / n_files.max(1) as f64;
        // The largest cost does not depend on the order of files, so selecting by it causes no
        // false alarm.
        let is_tested = |history: &History| history.iter().any(|(_, cost)| cost.abs() > least);
        let functions = (0..).zip(&self.functions).map(|(id, one)| (Changed::Function(id), one));
        let whole = [(Changed::All, &self.all), (Changed::Unattributed, &self.unattributed)];
        let tested = whole.into_iter().chain(functions).filter(|(_, one)| is_tested(one));
        let costs = |history: &History| {
            let mut costs = vec![0.0; n_files];
            history.iter().for_each(|&(file, cost)| costs[file] = cost);
            costs
        };
        let test = ChangeTest::of(n_files, tested.clone().map(|(_, history)| costs(history)));
        let changes_of = |&(of, history): &(Changed, &History)| {
            let costs = costs(history);
            let points = test.change_points(&costs);
            let starts = [0].into_iter().chain(points.iter().copied());
            let ends = points.iter().copied().chain([n_files]);
            let means: Vec<(f64, usize)> = starts
                .zip(ends)
                .map(|(start, end)| {
                    let n = end - start;
                    (costs[start..end].iter().sum::<f64>() / n as f64, n)
                })
                .collect();
            let changes = points.into_iter().zip(means.windows(2)).map(|(first_file, means)| {
                let [(before, n_before), (after, n_after)] = [means[0], means[1]];
                LastingChange { of, first_file, before, after, n_before, n_after }
            });
            changes.collect::<Vec<_>>()
        };
        let tested: Vec<_> = tested.collect();
        let changes = threads::pieces(&tested, FUNCTIONS, |some| {
            some.iter().flat_map(changes_of).collect::<Vec<_>>()
        });
        LastingChanges {
            n_tested: test.n_histories(),
            n_files,
            n_needed: test.n_needed(),
            changes: changes.concat(),
        }
    }
}
