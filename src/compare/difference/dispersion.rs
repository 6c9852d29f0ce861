//! Variation of each function between runs.
//!
//! Based on shares of a run, so that slower runs do not count here (see `totals`). If only
//! sampling varies, Pearson's statistic of a side has a mean of one less than its number of runs,
//! for few and for many ticks. All functions together give their common behaviour: the dependence
//! on ticks (`trend`), and the differences between functions (`prior`).

use super::distributions::Student;
use super::prior::Prior;
use super::side::{ROUNDING, Side, TickSums};
use super::trend::{LEAST, Trend};

/// Minimum ticks per run of a function whose variation is used for the common estimate.
const MIN_TICKS: f64 = 5.0;

/// The variation of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    /// Variance of its ticks, as a multiple of the Poisson variance.
    pub(super) multiple: f64,
    /// The precision of `multiple`.
    pub(super) student: Student,
    /// The multiple and its precision by the runs of the function alone, if they show it.
    pub(super) own: Option<(f64, Student)>,
}

impl Dispersion {
    /// Poisson variance, for comparisons of single runs.
    pub(super) const POISSON: Self = Self { multiple: 1.0, student: Student::NORMAL, own: None };

    /// A known multiple of it.
    pub(super) fn by_sampling(multiple: f64) -> Self {
        Self { multiple, ..Self::POISSON }
    }
}

/// The variation of a function from its own runs.
#[derive(Clone, Copy)]
struct FunctionDispersion {
    mean_ticks: f64,
    multiple: f64,
    degrees: f64,
    /// See [`known_multiple`].
    known: f64,
}

/// The variance of the ticks of a function by sampling, as a multiple of the Poisson variance: not
/// 1 if its samples add other amounts than those of the whole run.
pub(super) fn known_multiple(old: &Side, new: &Side, function: usize) -> f64 {
    let [old, new] = [old, new].map(|side| side.sums(function));
    let (ticks, variance) = (old.ticks + new.ticks, old.variance + new.variance);
    if ticks > 0.0 && variance > 0.0 { variance / ticks } else { 1.0 }
}

/// The variation of all functions, by number, in both sides and in earlier sets of runs. Linear.
pub(super) fn dispersions(old: &Side, new: &Side, n_functions: usize) -> Box<[Dispersion]> {
    let sides = [old, new].into_iter();
    let sets = sides.chain(old.earlier()).chain(new.earlier()).map(SetDispersion::new);
    let sets: Vec<_> = sets.collect();
    let found: Vec<FunctionDispersion> = (0..n_functions)
        .map(|function| find(&sets, known_multiple(old, new, function), function))
        .collect();
    let common = Common::of(&found);
    found.into_iter().map(|found| common.moderate(found)).collect()
}

/// A set of runs, with values common to all its functions.
struct SetDispersion<'a> {
    side: &'a Side,
    ticks: f64,
    n_runs: f64,
}

impl<'a> SetDispersion<'a> {
    fn new(side: &'a Side) -> Self {
        let n_runs = side.runs().len() as f64;
        Self { side, ticks: side.ticks(), n_runs }
    }

    fn n_freed(&self) -> f64 {
        (self.n_runs - 1.0).max(0.0)
    }

    /// Pearson's statistic of a function, and its degrees of freedom.
    fn pearson(&self, TickSums { ticks, squares, .. }: TickSums) -> (f64, f64) {
        let share = ticks / self.ticks;
        let others = 1.0 - share;
        if !(share > 0.0 && others > 0.0) {
            return (0.0, 0.0);
        }
        let around_mean = (squares - ticks * share).max(0.0);
        (around_mean / (share * others), self.n_freed())
    }
}

/// `known` is the known multiple: functions are alike in samples of their own amount.
fn find(sets: &[SetDispersion<'_>], known: f64, function: usize) -> FunctionDispersion {
    let (mut sum, mut degrees, mut ticks, mut n_runs) = (0.0, 0.0, 0.0, 0.0);
    for set in sets {
        let sums = set.side.sums(function);
        let (of_set, freed) = set.pearson(sums);
        sum += of_set;
        degrees += freed;
        ticks += sums.ticks;
        n_runs += set.n_runs;
    }
    let mean_ticks = ticks / n_runs / known;
    let multiple = sum / degrees.max(1.0) / known;
    FunctionDispersion { mean_ticks, multiple, degrees, known }
}

/// The common variation of all functions.
struct Common {
    trend: Trend,
    prior: Prior,
    /// Degrees of freedom of the runs of both sides.
    n_freed: f64,
    /// No function has more degrees of freedom than all together.
    most_degrees: f64,
}

impl Common {
    fn of(found: &[FunctionDispersion]) -> Self {
        let degrees = found.iter().map(|found| found.degrees).fold(0.0, f64::max);
        let full: Vec<&FunctionDispersion> =
            found.iter().filter(|found| found.degrees > 0.0 && found.degrees >= degrees).collect();
        let points: Vec<_> = full.iter().map(|f| (f.mean_ticks, f.multiple)).collect();
        let trend = Trend::fit(&points);
        let informative = full.iter().filter(|f| f.mean_ticks >= MIN_TICKS);
        let spreads: Vec<_> = informative.map(|f| f.multiple / trend.at(f.mean_ticks)).collect();
        let n_known = if spreads.is_empty() { full.len() } else { spreads.len() };
        let most_degrees = n_known.max(1) as f64 * degrees.max(1.0);
        let mut prior = if spreads.is_empty() {
            Prior { degrees: most_degrees, scale: 1.0 }
        } else {
            Prior::of(&spreads, degrees)
        };
        prior.degrees = prior.degrees.min(most_degrees);
        Self { trend, prior, n_freed: degrees, most_degrees }
    }

    /// The variation of a function, moderated by the common one.
    fn moderate(&self, found: FunctionDispersion) -> Dispersion {
        let Prior { degrees, scale } = self.prior;
        let usual = self.trend.at(found.mean_ticks);
        // Few ticks carry little information: mostly they vary less than on average, and
        // sometimes far more.
        let own_degrees = match found.mean_ticks {
            0.0 => 0.0,
            mean => found.degrees / (1.0 + usual / (2.0 * mean)),
        };
        let all_degrees = degrees + own_degrees;
        let multiple = (usual * scale * degrees + found.multiple * own_degrees) / all_degrees;
        let least = if found.mean_ticks < MIN_TICKS { usual.max(1.0) } else { LEAST };
        Dispersion {
            multiple: multiple.max(least) * found.known,
            student: Student::new(all_degrees.min(self.most_degrees)),
            own: (found.degrees > 0.0).then(|| {
                let rounding = ROUNDING / found.mean_ticks;
                ((found.multiple + rounding) * found.known, Student::new(self.n_freed))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::difference::SideRun;

    fn side(runs: &[&[f64]]) -> Side {
        let mut side = Side::default();
        for ticks in runs {
            let run = SideRun { seconds_per_tick: 0.01, ticks: ticks.iter().sum(), n_runs: 1 };
            side.add_run(run, ticks.iter().copied().enumerate());
        }
        side
    }

    #[test]
    fn pearsons_sum_is_that_of_the_definition() {
        let runs: [&[f64]; 3] = [&[10.0, 90.0], &[30.0, 170.0], &[5.0, 145.0]];
        let side = side(&runs);
        let (sum, degrees) = SetDispersion::new(&side).pearson(side.sums(0));
        let share = 45.0 / 450.0;
        let expected: f64 = runs
            .iter()
            .map(|run| {
                let all = run[0] + run[1];
                let mean = share * all;
                (run[0] - mean) * (run[0] - mean) / (mean * (1.0 - share))
            })
            .sum();
        assert!((sum - expected).abs() < 1e-9, "{sum} {expected}");
        assert_eq!(degrees, 2.0);
    }

    #[test]
    fn a_slow_run_is_not_a_spread_of_its_functions() {
        let runs: [&[f64]; 2] = [&[100.0, 300.0, 600.0], &[200.0, 600.0, 1200.0]];
        let found = dispersions(&side(&runs), &side(&runs), 3);
        assert!(found.iter().all(|one| one.multiple == LEAST), "{found:?}");
    }

    #[test]
    fn earlier_runs_show_how_functions_vary() {
        let (even, odd) = ([700.0, 1000.0, 1000.0], [1400.0, 1000.0, 1000.0]);
        let (mut old, new) = (side(&[&even]), side(&[&odd]));
        let multiple = |old: &Side| dispersions(old, &new, 3)[0].multiple;
        assert!(multiple(&old) <= 1.0);
        for (set, ticks) in [(0, even), (0, odd), (1, even), (1, odd)] {
            let run = SideRun { seconds_per_tick: 0.01, ticks: ticks.iter().sum(), n_runs: 1 };
            old.add_earlier_run(set, run, ticks.into_iter().enumerate());
        }
        assert!(multiple(&old) > 30.0, "{}", multiple(&old));
    }

    #[test]
    fn a_more_variable_function_has_a_larger_estimate() {
        // Nineteen functions as even as can be, and one that doubles.
        let (mut even, mut odd) = ([1000.0; 20], [1000.0; 20]);
        (even[7], odd[7]) = (700.0, 1400.0);
        let side = side(&[&even, &odd, &even, &odd]);
        let found = dispersions(&side, &side, 20);
        assert!(found[7].multiple > 30.0, "{:?}", found[7]);
        assert!(found[3].multiple < 5.0, "{:?}", found[3]);
    }

    #[test]
    fn functions_without_ticks_are_no_trouble() {
        let runs: [&[f64]; 2] = [&[0.0, 0.0, 50.0], &[0.0, 1.0, 50.0]];
        for found in dispersions(&side(&runs), &side(&runs), 5) {
            assert!(found.multiple.is_finite() && found.multiple >= LEAST);
            assert!(found.student.degrees() > 0.0);
        }
    }
}
