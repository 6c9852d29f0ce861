//! The test that knows which function may have changed, and how its times vary if it did not.
//!
//! It takes the logarithm of the ratio of both sides' times of the first function, less the part
//! that the ratio of other functions predicts (least squares). Unchanged comparisons of the same
//! setting show that part, and which value only `alpha` of them exceed. No other test needs as
//! little evidence, as far as ratios of sums have all of it.

use crate::dice::Dice;
use crate::drawn;
use crate::simulation::{Runs, Setting, both};

pub(crate) struct Oracle {
    predictor: Predictor,
    /// The change of the first function for each change of the predictor.
    slope: f64,
    /// Larger values are rare without a change.
    limit: f64,
}

/// The other functions that show how fast the machine was.
#[derive(Clone, Copy)]
enum Predictor {
    All,
    /// Those that vary together with the first function, where groups of functions do.
    Group,
}

/// Unchanged comparisons that show how the times vary.
const N_UNCHANGED: usize = 2000;

impl Oracle {
    pub(crate) fn of(setting: &Setting, n_runs: usize, alpha: f64) -> Self {
        let mut dice = Dice(1009 + n_runs as u64);
        let unchanged = (0..N_UNCHANGED).map(|_| {
            let program = drawn(&mut dice, setting);
            both(&mut dice, [&program; 2], [n_runs; 2], &setting.variation)
        });
        let unchanged: Vec<[Runs; 2]> = unchanged.collect();
        let learned = [Predictor::All, Predictor::Group]
            .map(|predictor| Self::learned(predictor, &unchanged, alpha));
        learned.into_iter().min_by(|a, b| a.limit.total_cmp(&b.limit)).expect("there are two")
    }

    fn learned(predictor: Predictor, unchanged: &[[Runs; 2]], alpha: f64) -> Self {
        let changes: Vec<_> = unchanged.iter().map(|sides| predictor.changes(sides)).collect();
        let sum = |of: fn(&(f64, f64)) -> f64| changes.iter().map(of).sum::<f64>();
        let slope = sum(|(first, others)| first * others) / sum(|(_, others)| others * others);
        let mut values: Vec<f64> =
            changes.iter().map(|(first, others)| (first - slope * others).abs()).collect();
        values.sort_by(f64::total_cmp);
        let n_above = (alpha * values.len() as f64) as usize;
        Self { predictor, slope, limit: values[values.len() - 1 - n_above] }
    }

    /// Returns whether the first function changed.
    pub(crate) fn finds(&self, sides: &[Runs; 2]) -> bool {
        let (first, others) = self.predictor.changes(sides);
        (first - self.slope * others).abs() > self.limit
    }
}

impl Predictor {
    /// The logarithms of the ratios of the first function, and of the others.
    fn changes(self, sides: &[Runs; 2]) -> (f64, f64) {
        let is_other = |place: usize| match self {
            Self::All => place > 0,
            Self::Group => place > 0 && place.is_multiple_of(4),
        };
        let ln = |side: &Runs, is_counted: &dyn Fn(usize) -> bool| {
            let of_run = |run: &Vec<f64>| {
                let counted = run.iter().enumerate().filter(|(place, _)| is_counted(*place));
                counted.map(|(_, ticks)| ticks).sum::<f64>()
            };
            (side.iter().map(of_run).sum::<f64>() / side.len() as f64 + 0.5).ln()
        };
        let change = |is_counted: &dyn Fn(usize) -> bool| {
            ln(&sides[1], is_counted) - ln(&sides[0], is_counted)
        };
        (change(&|place| place == 0), change(&is_other))
    }
}
