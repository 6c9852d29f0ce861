//! What could have been seen, and what it takes to see more.

use super::compare::Comparison;
use super::prospect::Prospect;

/// How many more runs a side may be asked for.
const MORE_RUNS: [u32; 26] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400,
    600, 1000,
];

/// What the runs were good for, for one function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// A change of so much would have been shown four times of five.
    pub least_visible: f64,
    /// The same as a share of the old time; `None` where that is 0.
    pub least_visible_share: Option<f64>,
    /// So many more runs a side, like these, would show the least change that matters;
    /// `None` where a thousand would not.
    pub more_runs: Option<u32>,
}

/// Outlooks of the functions of a comparison.
pub struct Outlooks<'a> {
    comparison: &'a Comparison,
    now: Prospect,
    later: Vec<(u32, Prospect)>,
}

impl<'a> Outlooks<'a> {
    /// Works out what is the same for all functions.
    #[must_use]
    pub fn new(comparison: &'a Comparison) -> Self {
        let later = MORE_RUNS.map(|n_more| (n_more, Prospect::new(comparison, n_more)));
        Self {
            comparison,
            now: Prospect::new(comparison, 0),
            later: later.into(),
        }
    }

    /// The outlook of a function, by its number.
    #[must_use]
    pub fn of(&self, function: usize) -> Outlook {
        let evidence = &self.comparison.evidence[function];
        let difference = &self.comparison.functions[function];
        self.outlook(difference.old, difference.least_change, |prospect| {
            prospect.visible_of(evidence)
        })
    }

    /// The outlook of the program.
    #[must_use]
    pub fn of_total(&self) -> Outlook {
        let total = &self.comparison.total;
        self.outlook(total.old, total.least_change, |prospect| {
            prospect.visible_total
        })
    }

    fn outlook(&self, old: f64, least_change: f64, of: impl Fn(&Prospect) -> f64) -> Outlook {
        let least_visible = of(&self.now);
        let would_do = |prospect: &Prospect| of(prospect) <= least_change;
        let n_short = self.later.partition_point(|(_, later)| !would_do(later));
        Outlook {
            least_visible,
            least_visible_share: (old > 0.0).then(|| least_visible / old),
            more_runs: if would_do(&self.now) {
                Some(0)
            } else {
                self.later.get(n_short).map(|&(n_more, _)| n_more)
            },
        }
    }
}
