//! Change points: the places in a history from which a cost stays different.
//!
//! **Idea.** Without a change, all orders of the values of a history are equally likely. A split
//! of a stretch of it has a number of pairs in which the later value is larger: Mann and
//! Whitney's *U* (Annals of Mathematical Statistics 18, 1947). The generating function of *U* is
//! a Gaussian binomial coefficient (Andrews, *The Theory of Partitions*, 1976, theorem 3.1):
//!
//! ```text
//! E exp(s (U - mn/2)) = product of sinh((n + i) s/2) i / (sinh(i s/2) (n + i)), i from 1 to m
//! ```
//!
//! For any *s*, Chernoff's inequality bounds the chance of so large a *U*. `ln(sinh x / x) - x²/6`
//! falls with `x`, so that the chance is at most `exp(-z²/2)`, with the usual *z* of *U*. Ties are
//! averages over orders, for which the bounds hold too. The best *z* of all splits with a similar
//! number of values on one side has its exact bound, which is far less near the ends.
//!
//! The stretches are those of seeded binary segmentation (Kovács, Bühlmann, Li and Munk,
//! Biometrika 110, 2023): of lengths that fall by a factor of √2, each half over the next one. The
//! split with the least chance is a change, then the best one of all stretches without it, and so
//! on. As a bound for each of all splits of all functions, the permitted rate of false alarms is
//! divided by their number (Bonferroni). So of histories without any change, at most one of 100
//! has a finding; and of those with changes, as many have one in a stretch that contains none.
//!
//! **Assumption.** Values without changes are independent. If slow runs come in groups, means of
//! adjacent stretches differ by more than single values let expect. That ratio of variances, of all
//! functions and without the largest differences, multiplies the bound on `z²`. So a slow drift is
//! no change point.
//!
//! **Cost.** *n* log² *n* for each function.

use crate::sorting::ColdSort;

/// The share of histories without changes that may have a finding.
pub(super) const FALSE_ALARMS: f64 = 0.01;

/// The least number of values on each side: fewer are an exception, not a change.
const LEAST_LASTING: usize = 3;

/// The least length of a stretch. Shorter ones support no finding.
const LEAST_STRETCH: usize = 20;

/// Stretches of this part of a history, or of this length, show how far neighbours are alike.
const STRETCHES_TO_COMPARE: usize = 16;
const LONGEST_COMPARED: usize = 30;

/// The most terms of the generating function; more are sums by the midpoint rule.
const MAX_TERMS: usize = 32;

/// The test of some histories of the same length.
pub struct ChangeTest {
    n_values: usize,
    n_histories: usize,
    /// The least evidence of a change: minus the logarithm of its chance.
    least_evidence: f64,
}

/// A split of a stretch, and minus the logarithm of its chance.
#[derive(Clone, Copy, Debug)]
struct Split {
    start: usize,
    at: usize,
    end: usize,
    evidence: f64,
    /// The difference of *U* from its mean, and its variance.
    excess: f64,
    variance: f64,
}

impl ChangeTest {
    /// The test of these histories, each of `n_values`.
    pub fn of(n_values: usize, histories: impl Iterator<Item = Vec<f64>>) -> Self {
        let length = (n_values / STRETCHES_TO_COMPARE).clamp(1, LONGEST_COMPARED);
        let (mut of_values, mut of_means, mut n_histories) = (0.0, 0.0, 0);
        for history in histories {
            let ranks = ranks_of(&history);
            of_values += differences(&ranks, 1);
            of_means += differences(&ranks, length);
            n_histories += 1;
        }
        let has_variation = of_values > 0.0;
        let inflation = if has_variation { length as f64 * of_means / of_values } else { 1.0 };
        let inflation = inflation.max(1.0);
        let least_evidence = inflation * least_evidence(n_values, n_histories);
        Self { n_values, n_histories, least_evidence }
    }

    /// The number of histories.
    pub fn n_histories(&self) -> usize {
        self.n_histories
    }

    /// The number of values that a finding needs, if there are fewer.
    pub fn n_needed(&self) -> Option<usize> {
        let is_enough = |&n_values: &usize| {
            most_evidence(n_values) >= least_evidence(n_values, self.n_histories)
        };
        let least = (LEAST_STRETCH..).find(is_enough)?;
        (self.n_values < least).then_some(least)
    }

    /// The places of the first values after each change, in order.
    pub fn change_points(&self, history: &[f64]) -> Vec<usize> {
        let mut order: Vec<(f64, usize)> = Vec::new();
        let mut splits: Vec<Split> = stretches(history.len())
            .filter_map(|[start, end]| self.best_split(history, start, end, &mut order))
            .collect();
        splits.retain(|split| split.evidence >= self.least_evidence);
        splits.cold_sort_by(|a, b| {
            let by_length = (a.end - a.start).cmp(&(b.end - b.start));
            b.evidence.total_cmp(&a.evidence).then(by_length).then(a.at.cmp(&b.at))
        });
        let mut points: Vec<usize> = Vec::new();
        for split in &splits {
            if !points.iter().any(|&point| split.start < point && point < split.end) {
                points.push(split.at);
            }
        }
        points.cold_sort_by_key(|point| *point);
        // All values between the neighbours tell more about the place than one stretch.
        for place in 0..points.len() {
            let start = if place == 0 { 0 } else { points[place - 1] };
            let end = points.get(place + 1).copied().unwrap_or(history.len());
            let best = self.best_split(history, start, end, &mut order);
            points[place] = best.map_or(points[place], |split| split.at);
        }
        points
    }

    /// The split of a stretch with the most evidence: the best of zones, in which the number of
    /// values on the smaller side doubles.
    fn best_split(
        &self,
        history: &[f64],
        start: usize,
        end: usize,
        order: &mut Vec<(f64, usize)>,
    ) -> Option<Split> {
        let values = &history[start..end];
        let n_values = values.len();
        let ranks = ranks_into(values, order);
        let mut best_of_zones = [None::<Split>; 2 * usize::BITS as usize];
        let mut rank_sum = 0.0;
        for n_before in 1..(n_values + 1).saturating_sub(LEAST_LASTING) {
            rank_sum += ranks[n_before - 1];
            if n_before < LEAST_LASTING {
                continue;
            }
            let (excess, variance) = moments(rank_sum, n_before, n_values);
            let split = Split {
                start,
                at: start + n_before,
                end,
                evidence: excess * excess / variance / 2.0,
                excess,
                variance,
            };
            let n_least = n_before.min(n_values - n_before);
            let zone = 2 * n_least.ilog2() as usize + usize::from(n_before > n_least);
            if best_of_zones[zone].is_none_or(|best| split.evidence > best.evidence) {
                best_of_zones[zone] = Some(split);
            }
        }
        let exact = |split: Split| match split.evidence {
            evidence if 5.0 * evidence < self.least_evidence => split,
            _ => Split { evidence: split.exact_evidence(), ..split },
        };
        let splits = best_of_zones.into_iter().flatten().map(exact);
        splits.reduce(|best, split| if split.evidence > best.evidence { split } else { best })
    }
}

/// The difference of *U* from its mean, and its variance.
fn moments(rank_sum: f64, n_before: usize, n_values: usize) -> (f64, f64) {
    let [n_before, n_values] = [n_before, n_values].map(|n| n as f64);
    let excess = (n_before * (n_values + 1.0) / 2.0 - rank_sum).abs();
    (excess, n_before * (n_values - n_before) * (n_values + 1.0) / 12.0)
}

/// The stretches of seeded binary segmentation.
fn stretches(n_values: usize) -> impl Iterator<Item = [usize; 2]> {
    let lengths = (0..usize::BITS).map(move |layer| {
        let square = n_values.saturating_mul(n_values) >> layer;
        (layer, square.isqrt())
    });
    let long = lengths.take_while(|&(layer, length)| layer == 0 || length >= LEAST_STRETCH);
    long.flat_map(move |(layer, length)| {
        let n_lengths = (1usize << layer).isqrt() + layer as usize % 2;
        let last = 2 * n_lengths - 2;
        (0..=last).map(move |number| {
            let start = number * (n_values - length) / last.max(1);
            [start, start + length]
        })
    })
}

/// Minus the logarithm of the chance that one split must fall below, if all of so many histories
/// are tested.
fn least_evidence(n_values: usize, n_histories: usize) -> f64 {
    let n_splits = |[start, end]: [usize; 2]| (end - start + 1).saturating_sub(2 * LEAST_LASTING);
    let n_splits: usize = stretches(n_values).map(n_splits).sum();
    // A cost may rise or fall.
    (2.0 * n_splits.max(1) as f64 * n_histories.max(1) as f64 / FALSE_ALARMS).ln()
}

/// The most evidence that so many values can give: half of them are above all others.
fn most_evidence(n_values: usize) -> f64 {
    let n_least = n_values / 2;
    (1..=n_least).map(|i| ((n_values - n_least + i) as f64 / i as f64).ln()).sum()
}

impl Split {
    /// Minus the logarithm of Chernoff's bound.
    fn exact_evidence(&self) -> f64 {
        let n_values = self.end - self.start;
        let n_least = (self.at - self.start).min(self.end - self.at);
        let n_most = (n_values - n_least) as f64;
        // The logarithm of sinh(x) / x.
        let log_sinhc = |x: f64| x + (-(-2.0 * x).exp_m1() / (2.0 * x)).ln();
        let n_terms = n_least.min(MAX_TERMS);
        let width = n_least as f64 / n_terms as f64;
        let bound = |s: f64| {
            let terms = (0..n_terms).map(|term| {
                let i = (term as f64 + 0.5) * width + 0.5;
                log_sinhc((n_most + i) * s / 2.0) - log_sinhc(i * s / 2.0)
            });
            s * self.excess - width * terms.sum::<f64>()
        };
        // The best factor is at least the one of the normal distribution. Every one gives a bound.
        let mut s = self.excess / self.variance;
        let mut best = bound(s);
        for _ in 0..64 {
            s *= 1.25;
            let next = bound(s);
            if next < best + 1e-3 {
                break;
            }
            best = next;
        }
        best
    }
}

/// The mean squared difference of the means of two adjacent stretches of some length, without the
/// largest eighth: a change has no part in it.
fn differences(ranks: &[f64], length: usize) -> f64 {
    let mean = |stretch: &[f64]| stretch.iter().sum::<f64>() / length as f64;
    let pairs = ranks.windows(2 * length).map(|both| both.split_at(length));
    let mut squares: Vec<f64> = pairs.map(|(a, b)| (mean(a) - mean(b)).powi(2)).collect();
    squares.cold_sort_by(f64::total_cmp);
    let n_most = squares.len() - squares.len() / 8;
    squares[..n_most].iter().sum::<f64>() / n_most.max(1) as f64
}

fn ranks_of(values: &[f64]) -> Vec<f64> {
    ranks_into(values, &mut Vec::new())
}

/// The ranks of values from 1; equal values have the mean of their ranks. Uses the memory of
/// `order`.
fn ranks_into(values: &[f64], order: &mut Vec<(f64, usize)>) -> Vec<f64> {
    order.clear();
    order.extend(values.iter().copied().zip(0..));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![0.0; values.len()];
    let mut n_before = 0;
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        let rank = n_before as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|&(_, place)| ranks[place] = rank);
        n_before += equal.len();
    }
    ranks
}
