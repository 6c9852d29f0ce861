//! What so many runs can show.

use super::compare::Comparison;
use super::distributions::{SmallChance, Student, normal_with_above};
use super::evidence::Evidence;
use super::field::Field;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::unknown_spread::UnknownSpread;

/// Four times of five a change is to be seen.
const MISSED: f64 = 0.2;

/// Precisions for which deviates are worked out; between them they are interpolated.
const N_PRECISIONS: u32 = 12;

/// What can be seen with so many runs.
pub(super) struct Prospect {
    /// Times the present exposure: the variance of a time by that time.
    variance: f64,
    /// That at present.
    precision_now: f64,
    spread: UnknownSpread,
    /// Logarithms of precisions, and the deviates that are shown with each.
    deviates: Vec<(f64, f64)>,
    pub(super) visible_total: f64,
}

impl Prospect {
    pub(super) fn new(comparison: &Comparison, n_more: u32) -> Self {
        let field = &comparison.field;
        let n_more = f64::from(n_more);
        let variance_now = variance(field, 0.0);
        let variance = variance(field, n_more);
        let precision_now = variance_now / variance;
        let total = total_spread(field, n_more);
        let spread = match &total {
            Some(total) if !comparison.options.normalize => {
                UnknownSpread::of(total, n_more, independent(field) / precision_now)
            }
            _ => UnknownSpread::none(),
        };
        let deviates = deviates(comparison, &spread, precision_now, n_more);
        Self {
            variance,
            precision_now,
            spread,
            deviates,
            visible_total: visible_total(comparison, total.as_ref(), n_more, variance),
        }
    }

    /// The change of a function that is shown four times of five.
    pub(super) fn visible_of(&self, evidence: &Evidence) -> f64 {
        let precision = evidence.precision * self.precision_now;
        let missed = normal_with_above(MISSED) * self.spread.usual_factor(precision);
        let deviate = (self.deviate(precision) + missed) * evidence.narrowing;
        // The time that both sides have together: ticks by exposures.
        let both_variance = evidence.clump * self.variance;
        let mean = precision * both_variance;
        visible(mean, both_variance, deviate)
    }

    /// The deviate that is shown at this precision.
    fn deviate(&self, precision: f64) -> f64 {
        let at = precision.max(f64::MIN_POSITIVE).ln();
        let n_below = self.deviates.partition_point(|&(point, _)| point < at);
        let above = self.deviates.get(n_below).or(self.deviates.last());
        let below = self.deviates.get(n_below.saturating_sub(1));
        match (below, above) {
            (Some(&(low, from)), Some(&(high, to))) if high > low => {
                let part = ((at - low) / (high - low)).clamp(0.0, 1.0);
                from + part * (to - from)
            }
            (_, Some(&(_, deviate))) => deviate,
            _ => f64::INFINITY,
        }
    }
}

/// What is or will be known of the spread of totals. One run a side shows none, and more
/// than one is taken to vary by sampling.
fn total_spread(field: &Field, n_more: f64) -> Option<TotalSpread> {
    let is_single = field.total.is_none();
    if is_single && n_more > 0.0 {
        return Some(TotalSpread::expected(field.n_runs, field.total_ticks));
    }
    field.total
}

fn independent(field: &Field) -> f64 {
    if field.total.is_some() {
        return field.independent;
    }
    let Pair { old, new } = field.total_ticks;
    1.0 / old.max(1.0) + 1.0 / new.max(1.0)
}

/// Ticks are as far apart as their roots are, wherever they are: what a time must grow by
/// so that roots are so many deviations apart.
fn visible(mean: f64, variance: f64, deviate: f64) -> f64 {
    deviate * (mean * variance).sqrt() + deviate * deviate * variance / 4.0
}

/// The variance that a difference of times has by sampling, for each of the time.
fn variance(field: &Field, n_more: f64) -> f64 {
    let factor = |n_runs: f64| 1.0 + n_more / n_runs.max(1.0);
    let old = field.exposures.old * factor(field.n_runs.old);
    let new = field.exposures.new * factor(field.n_runs.new);
    1.0 / old + 1.0 / new
}

fn visible_total(
    comparison: &Comparison,
    spread: Option<&TotalSpread>,
    n_more: f64,
    variance: f64,
) -> f64 {
    let alpha = comparison.options.alpha;
    let missed = normal_with_above(MISSED);
    let total = &comparison.total;
    let mean = (total.old + total.new) / 2.0;
    let Some(spread) = spread else {
        let deviate = Student::NORMAL.exceeded_with(SmallChance::new(alpha / 2.0)) + missed;
        return visible(mean, variance, deviate);
    };
    let deviate = spread
        .student(n_more)
        .exceeded_with(SmallChance::new(alpha / 2.0))
        + missed;
    visible(mean, mean * spread.of_ratio(n_more), deviate)
}

/// Deviates that are shown, over the range of precisions of the functions.
fn deviates(
    comparison: &Comparison,
    spread: &UnknownSpread,
    precision_now: f64,
    n_more: f64,
) -> Vec<(f64, f64)> {
    let Comparison {
        evidence, options, ..
    } = comparison;
    let precisions = evidence.iter().map(|one| one.precision * precision_now);
    let precisions = precisions.filter(|&precision| precision > 0.0);
    let (low, high) = precisions.fold((f64::INFINITY, 0.0f64), |(low, high), one| {
        (low.min(one), high.max(one))
    });
    if high == 0.0 {
        return Vec::new();
    }
    let degrees = evidence.iter().map(|one| one.student.degrees());
    let student = Student::new(degrees.fold(1.0, f64::max) + 2.0 * n_more);
    let n_alike = comparison.n_tried.max(1) as f64 / (1 + comparison.n_found) as f64;
    let (from, to) = (low.ln(), high.ln());
    let point = |step: u32| from + (to - from) * f64::from(step) / f64::from(N_PRECISIONS - 1);
    // From one precision to the next, the deviate changes little.
    let mut guess = 0;
    (0..N_PRECISIONS)
        .map(|step| {
            let precision = point(step).exp();
            let rarity = |deviate: f64| {
                spread.mean(precision, |factor| {
                    (n_alike * student.beyond(deviate / factor)).min(1.0)
                })
            };
            let shown = shown_with(|deviate| rarity(deviate) <= options.alpha / 2.0, &mut guess);
            (point(step), shown)
        })
        .collect()
}

/// Steps of a deviate below 8, between 8 and 16, then 32 and so on: a tenth of a percent.
const N_STEPS: u32 = 1024;

/// The least deviate that is rare enough, to a step. The number of its step is searched for
/// around that of a guess, which it replaces.
fn shown_with(is_rare: impl Fn(f64) -> bool, guess: &mut u32) -> f64 {
    let (mut low, mut high) = (0.0, 8.0);
    while !is_rare(high) && high < 1e9 {
        (low, high) = (high, 2.0 * high);
    }
    let deviate = |step: u32| low + (high - low) * f64::from(step) / f64::from(N_STEPS);
    // Step 0 is not rare enough, and the last one is.
    let (mut not_rare, mut rare) = (0, N_STEPS);
    let mut next = (*guess).clamp(1, N_STEPS - 1);
    let mut stride = 1;
    while rare - not_rare > 1 {
        if is_rare(deviate(next)) {
            rare = next;
        } else {
            not_rare = next;
        }
        let is_bracketed = not_rare > 0 && rare < N_STEPS;
        next = match is_bracketed {
            true => (not_rare + rare) / 2,
            false if rare < N_STEPS => rare.saturating_sub(stride),
            false => not_rare + stride,
        };
        next = next.clamp(not_rare + 1, (rare - 1).max(not_rare + 1));
        stride *= 2;
    }
    *guess = rare;
    deviate(rare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_deviate_is_found_from_any_guess() {
        // Steps are twice as wide from 16 on.
        for (step, width) in (1..4096)
            .step_by(7)
            .map(|step| (step, if step <= 2048 { 1.0 } else { 2.0 }))
        {
            // Between two steps, so that the upper one is the least that is rare enough.
            let middle = (f64::from(step) - 0.5) / 128.0;
            let least = (middle * 128.0 / width).ceil() * width / 128.0;
            for guess in [0, 1, 3, 500, 1023, 1024] {
                let mut guess = guess;
                assert_eq!(shown_with(|deviate| deviate >= middle, &mut guess), least);
                assert_eq!(shown_with(|deviate| deviate >= middle, &mut guess), least);
            }
        }
    }
}
