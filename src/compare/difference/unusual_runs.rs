//! Runs of one side that vary in an unusual way: by a single run, by their order, or in two
//! groups.

use super::distributions::Student;
use super::side::{ROUNDING, SideRun};

/// With fewer runs, none is unusual.
const LEAST_RUNS: usize = 5;

/// A pattern is unusual below this p-value: rarely by chance, since every comparison looks for
/// several.
const UNUSUAL: f64 = 0.001;

/// Below this share of the time no pattern matters.
const LEAST_SHARE: f64 = 0.01;

/// How the runs of a side vary. Changes are relative to the time of the other runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnusualRuns {
    /// A single run differs from all others.
    Single { run: usize, change: f64 },
    /// The later half differs from the earlier one.
    Drift { n_later: usize, change: f64 },
    /// Runs are either short or long.
    Groups { n_short: usize, n_long: usize, change: f64 },
}

/// How runs vary that are in the order in which they were made. Linear, plus sorting.
pub fn unusual_runs(runs: &[SideRun]) -> Vec<UnusualRuns> {
    if runs.len() < LEAST_RUNS {
        return Vec::new();
    }
    let times: Vec<f64> = runs.iter().map(SideRun::seconds).collect();
    let per_tick = runs.iter().map(|run| 1.0 / run.exposure());
    let rounding = per_tick.map(|seconds| ROUNDING * seconds * seconds);
    let rounding = rounding.sum::<f64>() / runs.len() as f64;
    // A single run can look like a drift or a group as well.
    if let Some(single) = single(&times, rounding) {
        return vec![single];
    }
    let drift = drift(&times, rounding);
    drift.into_iter().chain(groups(&times)).collect()
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn squares(times: &[f64]) -> f64 {
    let mean = mean(times);
    times.iter().map(|time| (time - mean).powi(2)).sum()
}

/// The run farthest from the mean, if that is significant for the farthest of so many (Grubbs
/// 1950).
fn single(times: &[f64], rounding: f64) -> Option<UnusualRuns> {
    let middle = mean(times);
    let distance = |time: f64| (time - middle).abs();
    let farthest = (0..times.len()).max_by(|&a, &b| {
        let by_distance = distance(times[a]).total_cmp(&distance(times[b]));
        by_distance.then(b.cmp(&a))
    })?;
    let mut others = times.to_vec();
    let time = others.remove(farthest);
    let n_others = others.len() as f64;
    let usual = mean(&others);
    let n_freed = n_others - 1.0;
    let variance = (squares(&others) / n_freed + rounding) * (1.0 + 1.0 / n_others);
    let p = Student::new(n_freed).beyond((time - usual) / variance.sqrt());
    let change = time / usual - 1.0;
    is_unusual(p * times.len() as f64, change)
        .then_some(UnusualRuns::Single { run: farthest, change })
}

/// The change from the earlier to the later half, if Student's test finds one.
fn drift(times: &[f64], rounding: f64) -> Option<UnusualRuns> {
    let (earlier, later) = times.split_at(times.len() / 2);
    let (n_earlier, n_later) = (earlier.len() as f64, later.len() as f64);
    let n_freed = n_earlier + n_later - 2.0;
    let of_run = (squares(earlier) + squares(later)) / n_freed + rounding;
    let variance = of_run * (1.0 / n_earlier + 1.0 / n_later);
    let (before, after) = (mean(earlier), mean(later));
    let p = Student::new(n_freed).beyond((after - before) / variance.sqrt());
    let change = after / before - 1.0;
    is_unusual(p, change).then_some(UnusualRuns::Drift { n_later: later.len(), change })
}

fn is_unusual(p: f64, change: f64) -> bool {
    p < UNUSUAL && change.abs() >= LEAST_SHARE && change.is_finite()
}

/// Two groups, each of two runs or more, if a wide gap separates them.
///
/// The gap must be several times as wide as both groups together. One of 1000 sets of normal
/// or exponential times has such a gap, by simulation of 8 to 40 runs.
fn groups(times: &[f64]) -> Option<UnusualRuns> {
    const LEAST_OF_GROUP: usize = 2;
    const LEAST_OF_BOTH: usize = 8;
    if times.len() < LEAST_OF_BOTH {
        return None;
    }
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let gap = |n_short: usize| sorted[n_short] - sorted[n_short - 1];
    let places = LEAST_OF_GROUP..=sorted.len() - LEAST_OF_GROUP;
    let n_short = places.max_by(|&a, &b| gap(a).total_cmp(&gap(b)).then(b.cmp(&a)))?;
    let range = sorted[sorted.len() - 1] - sorted[0];
    let least = 1.0 + 22.0 / sorted.len() as f64;
    let is_wide = gap(n_short) > least * (range - gap(n_short));
    let (short, long) = sorted.split_at(n_short);
    let change = mean(long) / mean(short) - 1.0;
    let is_found = is_wide && change >= LEAST_SHARE && change.is_finite();
    is_found.then_some(UnusualRuns::Groups { n_short, n_long: long.len(), change })
}
