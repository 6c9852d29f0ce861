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
//! divided by their number (Bonferroni). A quarter of it is for changes within the last values of
//! the whole history, which are few splits and matter most: so fewer new values show a change. So of
//! histories without any change, at most one of 100
//! has a finding; and of those with changes, as many have one in a stretch that contains none.
//!
//! **Assumption.** Values without changes are independent. If slow runs come in groups, means of
//! adjacent stretches differ by more than single values let expect. That ratio of variances, of all
//! functions and without the largest differences, multiplies the bound on `z²`. So a slow drift is
//! no change point.
//!
//! **Cost.** *n* log *n* for each function: values are sorted once, and then distributed to the
//! stretches in that order, whose lengths sum up to *n* log *n*. The bound of a split is at most the
//! square of its *z* times a number that depends on the sizes of both sides, since the ratio of both
//! grows with *U*; so nearly all splits need no more than their *z*.

use std::ops::Range;

use crate::sorting::ColdSort;

/// The share of histories without changes that may have a finding.
pub(super) const FALSE_ALARMS: f64 = 0.01;

/// The least number of values on each side: fewer are an exception, not a change.
const LEAST_LASTING: usize = 3;

/// The least length of a stretch. Shorter ones support no finding.
const LEAST_STRETCH: usize = 20;

/// Stretches of this part of a history, or of this length, show how far neighbours are alike.
const STRETCHES_TO_COMPARE: usize = 16;
const COMPARED_LENGTH: usize = 30;

/// The most terms of the generating function; more are sums by the midpoint rule.
const N_TERMS: usize = 32;

/// The part of the permitted false alarms for changes within the last values of the whole history,
/// and how many values these are.
const SHARE_OF_RECENT: f64 = 0.25;
const N_RECENT: usize = 31;

/// The test of some histories of the same length.
pub struct ChangeTest {
    n_values: usize,
    n_histories: usize,
    layers: Box<[Layer]>,
    /// The logarithms of the factorials of all numbers of values.
    log_factorials: Box<[f64]>,
    /// The least evidence of a change: minus the logarithm of its chance.
    least_evidence: f64,
    /// The same within the last values.
    least_of_recent: f64,
}

/// The stretches of one length.
struct Layer {
    length: usize,
    starts: Box<[usize]>,
    /// The stretches that contain each place: the first one, and that after the last one.
    of_places: Box<[[u32; 2]]>,
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

/// The places of the values of a history in the order of these, each with a number that equal
/// values share.
struct Order(Box<[(u32, u32)]>);

impl ChangeTest {
    /// The test of these histories, each of `n_values`.
    pub fn of(n_values: usize, histories: impl Iterator<Item = Vec<f64>>) -> Self {
        let length = (n_values / STRETCHES_TO_COMPARE).clamp(1, COMPARED_LENGTH);
        let (mut of_values, mut of_means, mut n_histories) = (0.0, 0.0, 0);
        for history in histories {
            let ranks = Order::of(&history).ranks(0..n_values);
            of_values += differences(&ranks, 1);
            of_means += differences(&ranks, length);
            n_histories += 1;
        }
        let has_variation = of_values > 0.0;
        let inflation = if has_variation { length as f64 * of_means / of_values } else { 1.0 };
        let inflation = inflation.max(1.0);
        let [least_evidence, least_of_recent] = least_evidence(n_values, n_histories);
        let layers = stretches(n_values).map(|[length, n]| Layer::of(length, n, n_values));
        let log_factorials = (0..=n_values).scan(0.0, |sum: &mut f64, n| {
            *sum += (n.max(1) as f64).ln();
            Some(*sum)
        });
        Self {
            n_values,
            n_histories,
            layers: layers.collect(),
            log_factorials: log_factorials.collect(),
            least_evidence: inflation * least_evidence,
            least_of_recent: inflation * least_of_recent,
        }
    }

    /// The number of histories.
    pub fn n_histories(&self) -> usize {
        self.n_histories
    }

    /// The number of values that a finding needs, if there are fewer.
    pub fn n_needed(&self) -> Option<usize> {
        let is_enough = |&n_values: &usize| {
            let most = most_evidence(n_values);
            least_evidence(n_values, self.n_histories).into_iter().any(|least| most >= least)
        };
        let least = (LEAST_STRETCH..).find(is_enough)?;
        (self.n_values < least).then_some(least)
    }

    /// The places of the first values after each change, in order.
    pub fn change_points(&self, history: &[f64]) -> Vec<usize> {
        let order = Order::of(history);
        let (mut splits, mut excesses) = (Vec::new(), Vec::new());
        let most = |length: usize| {
            let log = &self.log_factorials;
            log[length] - log[length / 2] - log[length - length / 2]
        };
        let layers = self.layers.iter().enumerate();
        // Short stretches may support no finding.
        let layers = layers.filter(|(n, one)| *n == 0 || most(one.length) >= self.least_evidence);
        for (number, layer) in layers {
            layer.for_each(&order, |start, ranks| {
                let least = |n_before: usize| {
                    let n_after = ranks.len() - n_before;
                    if number == 0 && n_after <= N_RECENT.min(n_before) {
                        self.least_of_recent
                    } else {
                        self.least_evidence
                    }
                };
                splits.extend(self.best_split(start, ranks, &mut excesses, least));
            });
        }
        splits.cold_sort_by(|a: &Split, b| {
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
            let best = self.best_split(start, &order.ranks(start..end), &mut excesses, |_| 0.0);
            points[place] = best.map_or(points[place], |split| split.at);
        }
        points
    }

    /// The split of a stretch with the most evidence, if that is enough: the best of zones, in which
    /// the number of values on the smaller side doubles. `least` returns the evidence that so many
    /// values before the split need.
    fn best_split(
        &self,
        start: usize,
        ranks: &[f64],
        excesses: &mut Vec<f64>,
        least: impl Fn(usize) -> f64,
    ) -> Option<Split> {
        let n_values = ranks.len();
        let mean = (n_values as f64 + 1.0) / 2.0;
        let mut excess = 0.0;
        excesses.clear();
        excesses.extend(ranks.iter().map(|rank| {
            excess += mean - rank;
            excess
        }));
        let spread = |n_before: usize| (n_before * (n_values - n_before)) as f64;
        let split = |n_before: usize| {
            let excess: f64 = excesses[n_before - 1].abs();
            let variance = spread(n_before) * (n_values as f64 + 1.0) / 12.0;
            let (at, end) = (start + n_before, start + n_values);
            Split { start, at, end, evidence: excess * excess / variance / 2.0, excess, variance }
        };
        let best_of = |zone: Range<usize>| {
            let mut best = (0.0, zone.start);
            for n_before in zone {
                let evidence = excesses[n_before - 1] * excesses[n_before - 1] / spread(n_before);
                if evidence > best.0 {
                    best = (evidence, n_before);
                }
            }
            (best.0 > 0.0).then(|| split(best.1))
        };
        let exact = |split: Split| {
            let least = least(split.at - start);
            (split.evidence * self.most_of_normal(&split) >= least)
                .then(|| Split { evidence: split.exact_evidence(), ..split })
                .filter(|split| split.evidence >= least)
        };
        let zones = (0..usize::BITS).map(|power| 1usize << power);
        let zones = zones.take_while(|n| 2 * n <= n_values).flat_map(|n| {
            let (least, end) = (n.max(LEAST_LASTING), (2 * n).min(n_values / 2 + 1));
            // The smaller side is the first one, or the second one.
            [least..end, (n_values + 1 - end).max(n_values / 2 + 1)..n_values + 1 - least]
        });
        let splits = zones.filter_map(best_of).filter_map(exact);
        splits.reduce(|best, split| if split.evidence > best.evidence { split } else { best })
    }

    /// The most that the exact evidence may be, as a multiple of that of the normal distribution:
    /// the multiple grows with the excess, so it is that of values without any overlap.
    fn most_of_normal(&self, split: &Split) -> f64 {
        let [before, after] = [split.at - split.start, split.end - split.at];
        let log = |n: usize| self.log_factorials[n];
        let most = log(before + after) - log(before) - log(after);
        let [n, before, after] = [before + after, before, after].map(|n| n as f64);
        most / (1.5 * before * after / (n + 1.0))
    }
}

impl Layer {
    fn of(length: usize, n_stretches: usize, n_values: usize) -> Self {
        let last = n_stretches - 1;
        let start = |number: usize| number * (n_values - length) / last.max(1);
        let starts: Box<[usize]> = (0..n_stretches).map(start).collect();
        let (mut first, mut end) = (0, 0);
        let of_places = (0..n_values).map(|place| {
            while end < n_stretches && starts[end] <= place {
                end += 1;
            }
            while starts[first] + length <= place {
                first += 1;
            }
            [first, end].map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        });
        let of_places = of_places.collect();
        Self { length, starts, of_places }
    }

    /// Passes the start and the ranks of each stretch. Linear in the length of all stretches.
    fn for_each(&self, order: &Order, mut visit: impl FnMut(usize, &[f64])) {
        let length = self.length;
        let mut sorted = vec![(0, 0); self.starts.len() * length];
        let mut ends: Vec<usize> = (0..self.starts.len()).map(|number| number * length).collect();
        for &value in &order.0 {
            let [first, end] = self.of_places[value.0 as usize];
            for number in first..end {
                let end = &mut ends[number as usize];
                sorted[*end] = value;
                *end += 1;
            }
        }
        let mut ranks = vec![0.0; length];
        for (&start, sorted) in self.starts.iter().zip(sorted.chunks_exact(length)) {
            rank(sorted, start, &mut ranks);
            visit(start, &ranks);
        }
    }
}

impl Order {
    fn of(history: &[f64]) -> Self {
        let mut order: Vec<(f64, u32)> = history.iter().copied().zip(0..).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut number = 0;
        let equal = order.chunk_by(|a, b| a.0 == b.0).flat_map(|equal| {
            number += 1;
            equal.iter().map(move |&(_, place)| (place, number))
        });
        Self(equal.collect())
    }

    /// The ranks of the values in these places.
    fn ranks(&self, places: Range<usize>) -> Vec<f64> {
        let is_in = |&&(place, _): &&(u32, u32)| places.contains(&(place as usize));
        let sorted: Vec<_> = self.0.iter().filter(is_in).copied().collect();
        let mut ranks = vec![0.0; sorted.len()];
        rank(&sorted, places.start, &mut ranks);
        ranks
    }
}

/// Sets the ranks of sorted values by place, from 1; equal values have the mean of their ranks.
fn rank(sorted: &[(u32, u32)], start: usize, ranks: &mut [f64]) {
    let mut first = 0;
    while first < sorted.len() {
        let mut end = first + 1;
        while end < sorted.len() && sorted[end].1 == sorted[first].1 {
            end += 1;
        }
        let rank = (first + 1 + end) as f64 / 2.0;
        sorted[first..end].iter().for_each(|&(place, _)| ranks[place as usize - start] = rank);
        first = end;
    }
}

/// The length and the number of stretches of each layer of seeded binary segmentation.
fn stretches(n_values: usize) -> impl Iterator<Item = [usize; 2]> {
    let lengths = (0..usize::BITS).map(move |layer| {
        let square = n_values.saturating_mul(n_values) >> layer;
        (layer, square.isqrt())
    });
    let long = lengths.take_while(|&(layer, length)| layer == 0 || length >= LEAST_STRETCH);
    long.map(move |(layer, length)| {
        let n_lengths = (1usize << layer).isqrt() + layer as usize % 2;
        [length, 2 * n_lengths - 1]
    })
}

/// Minus the logarithm of the chance that one split must fall below, if all of so many histories
/// are tested; and the same of a split within the last values.
fn least_evidence(n_values: usize, n_histories: usize) -> [f64; 2] {
    let n_splits = |[length, n]: [usize; 2]| n * (length + 1).saturating_sub(2 * LEAST_LASTING);
    let n_splits: usize = stretches(n_values).map(n_splits).sum();
    let n_recent = N_RECENT + 1 - LEAST_LASTING;
    // A cost may rise or fall.
    let least = |n_splits: usize, share: f64| {
        (2.0 * n_splits.max(1) as f64 * n_histories.max(1) as f64 / (share * FALSE_ALARMS)).ln()
    };
    [least(n_splits, 1.0 - SHARE_OF_RECENT), least(n_recent, SHARE_OF_RECENT)]
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
        let n_terms = n_least.min(N_TERMS);
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
    let n_most = squares.len() - squares.len() / 8;
    if n_most < squares.len() {
        squares.select_nth_unstable_by(n_most, f64::total_cmp);
    }
    squares[..n_most].iter().sum::<f64>() / n_most.max(1) as f64
}
