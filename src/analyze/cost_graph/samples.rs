//! Confidence intervals for the costs of a graph.

use super::CostGraph;
use super::focus::FocusPart;
use crate::analyze::amount::Amount;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::uncertainty::{SampleRange, lower_limit, upper_limit};
use crate::model::ValueSource;
use crate::report::MetricIndex;
use crate::symbols::SymbolId;

/// The amounts that samples of the primary metric add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analyze) enum SampleAmounts {
    /// The same for each sample.
    Equal(f64),
    /// Different ones: the sums of their squares follow those of the metrics, in units of the
    /// square of `unit`.
    Squares { unit: f64 },
}

impl SampleAmounts {
    /// The amounts of a source, if it is sampled.
    pub(super) fn of(source: ValueSource) -> Option<Self> {
        match source {
            ValueSource::Sampled { period } => Some(Self::Equal(period.get() as f64)),
            ValueSource::Weighted { squares, .. } => {
                Some(Self::Squares { unit: squares.unit.get() as f64 })
            }
            ValueSource::Counted
            | ValueSource::CountedAtLeast
            | ValueSource::Measured
            | ValueSource::Unknown => None,
        }
    }
}

/// The samples of a row, and the amount of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::analyze) struct RowSamples {
    pub range: SampleRange,
    pub amount: f64,
}

/// The largest share of a function, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestShare {
    /// Total number of samples.
    pub n_samples: f64,
    pub percent: f64,
    /// Half-width of the 95 % confidence interval, in percentage points.
    pub error: f64,
}

impl LargestShare {
    /// The error is the distance to the farther limit of Wilson's interval (Wilson 1927). Unlike
    /// the normal approximation, it is positive for shares of 0 and 1.
    fn of(n_largest: f64, n_samples: f64) -> Self {
        let share = n_largest / n_samples;
        let squared = NORMAL_QUANTILE * NORMAL_QUANTILE / n_samples;
        let middle = (share + squared / 2.0) / (1.0 + squared);
        let spread = (share * (1.0 - share) / n_samples + squared / n_samples / 4.0).max(0.0);
        let half = NORMAL_QUANTILE * spread.sqrt() / (1.0 + squared);
        Self { n_samples, percent: 100.0 * share, error: 100.0 * (half + (share - middle).abs()) }
    }
}

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

impl CostGraph {
    /// The largest share of a function; `None` without samples.
    pub fn largest_share(&self) -> Option<LargestShare> {
        if !self.has_samples() || self.is_shared_out() {
            return None;
        }
        let per_sample = self.ticks_per_sample() * self.mean_amount()?;
        let costs = (0..self.n_nodes())
            .map(|node| self.costs.self_costs.get(node, self.shape.primary).as_f64());
        let largest = costs.fold(0.0, f64::max) / per_sample;
        let all = self.all(self.shape.primary).as_f64() / per_sample;
        (largest > 0.0).then(|| LargestShare::of(largest, all))
    }

    /// Returns whether samples of the sort metric add different amounts.
    pub fn has_weights(&self) -> bool {
        self.shape.has_weights()
    }

    /// Returns whether the sort metric consists of samples.
    pub fn is_sampled(&self) -> bool {
        self.shape.amounts.is_some()
    }

    /// Returns whether the sort metric was sampled, so that it has a confidence interval. For
    /// a part of a line, the number of samples is unknown.
    pub fn has_samples(&self) -> bool {
        self.shape.amounts.is_some()
            && self.all(self.shape.primary).is_positive()
            && self.has_known_parts()
    }

    /// Returns whether the samples of functions are known, at least between limits.
    pub fn has_known_parts(&self) -> bool {
        self.focus().is_none_or(|part| !part.is_shared_out() || part.selections().is_some())
    }

    /// Returns whether functions were divided by `--focus` or `--ignore`.
    pub fn is_shared_out(&self) -> bool {
        self.focus().is_some_and(FocusPart::is_shared_out)
    }

    /// The mean amount of a sample: the variance of the total, divided by it.
    pub fn mean_amount(&self) -> Option<f64> {
        self.shape.amounts.map(|_| self.amount_of(|metric| self.all(metric)))
    }

    /// The amount of equal samples with the same value and variance.
    fn amount_of(&self, amount: impl Fn(MetricIndex) -> Amount) -> f64 {
        match self.shape.amounts {
            Some(SampleAmounts::Equal(each)) => each,
            Some(SampleAmounts::Squares { unit }) => {
                let value = amount(self.shape.primary).as_f64();
                let variance = amount(self.shape.metrics.len()).as_f64() * unit * unit;
                // A value without squares consists of amounts that are too small for them.
                if value > 0.0 && variance > 0.0 { variance / value } else { unit }
            }
            None => 1.0,
        }
    }

    /// The amount of samples of a function alone, or with `is_total` of its total.
    pub fn amount_of_samples(&self, symbol: Option<SymbolId>, is_total: bool) -> f64 {
        self.amount_of(|metric| match symbol {
            Some(symbol) if is_total => self.total(symbol, metric),
            Some(symbol) => self.self_cost(symbol, metric),
            None => self.unattributed(metric),
        })
    }

    /// The samples of a function alone, or outside of functions (`None`).
    pub(in crate::analyze) fn samples(&self, symbol: Option<SymbolId>) -> RowSamples {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        let ticks = match (symbol, spread) {
            (Some(symbol), Some(spread)) => self.selected(symbol, spread.of(symbol)),
            (Some(symbol), None) => whole(self.self_cost(symbol, self.shape.primary).as_f64()),
            (None, _) => whole(self.unattributed(self.shape.primary).as_f64()),
        };
        self.in_samples(ticks, self.amount_of_samples(symbol, false))
    }

    /// The part of a function's ticks that `--focus` and `--ignore` select.
    fn selected(&self, symbol: SymbolId, ticks: SampleRange) -> SampleRange {
        let Some(selections) = self.focus().and_then(FocusPart::selections) else {
            return ticks;
        };
        let selection = selections[symbol.index()];
        SampleRange {
            certain: if selection.is_certain() { ticks.certain } else { 0.0 },
            possible: if selection.is_possible { ticks.possible } else { 0.0 },
        }
    }

    /// The bounds of self ticks, whatever calls cost.
    pub(in crate::analyze) fn self_bounds(&self, id: SymbolId) -> TickBounds {
        match self.focus().and_then(FocusPart::selections) {
            Some(selections) => selections[id.index()].bounds(),
            None => {
                let ticks = self.self_cost(id, self.shape.primary).as_f64();
                TickBounds { low: ticks, high: ticks }
            }
        }
    }

    /// The same, as samples of the mean amount, by which rows can be compared.
    pub(in crate::analyze) fn mean_samples(&self, symbol: Option<SymbolId>) -> SampleRange {
        let RowSamples { range, amount } = self.samples(symbol);
        let times = amount / self.mean_amount().unwrap_or(amount) / self.ticks_per_sample();
        SampleRange { certain: range.certain * times, possible: range.possible * times }
    }

    /// The samples of its total: recorded with it, or between the bounds of propagation.
    pub(in crate::analyze) fn total_samples(&self, symbol: Option<SymbolId>) -> RowSamples {
        if let Some((symbol, bounds)) = symbol.zip(self.flow_bounds()) {
            return self.samples_between(bounds.of_function(symbol));
        }
        let total = match symbol {
            Some(symbol) => self.total(symbol, self.shape.primary),
            None => self.unattributed(self.shape.primary),
        };
        self.in_samples(whole(total.as_f64()), self.amount_of_samples(symbol, true))
    }

    /// Lower limit of the expected ticks, at 95 % confidence for the interval.
    pub(in crate::analyze) fn least_ticks(&self, samples: RowSamples) -> f64 {
        rounded(lower_limit(samples.range.certain) * samples.amount)
    }

    /// Upper limit of the expected ticks.
    pub(in crate::analyze) fn most_ticks(&self, samples: RowSamples) -> f64 {
        rounded(upper_limit(samples.range.possible) * samples.amount)
    }

    /// Bounds of propagated time that include the error of sampling, at 95 % confidence.
    pub fn with_sampling_error(&self, bounds: TickBounds) -> TickBounds {
        let samples = self.samples_between(bounds);
        TickBounds { low: self.least_ticks(samples), high: self.most_ticks(samples) }
    }

    fn samples_between(&self, bounds: TickBounds) -> RowSamples {
        let ticks = SampleRange { certain: bounds.low, possible: bounds.high };
        self.in_samples(ticks, self.mean_amount().unwrap_or(1.0))
    }

    fn in_samples(&self, ticks: SampleRange, amount: f64) -> RowSamples {
        let amount = amount * self.ticks_per_sample();
        let range =
            SampleRange { certain: ticks.certain / amount, possible: ticks.possible / amount };
        RowSamples { range, amount }
    }

    fn ticks_per_sample(&self) -> f64 {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        spread.map_or(1.0, |spread| spread.ticks_per_sample)
    }

    /// Bounds of the flow along calls; `None` if times were not propagated. Computed on first
    /// use.
    pub fn flow_bounds(&self) -> Option<&FlowBounds> {
        let counted = self.counted.as_ref()?;
        Some(counted.bounds.get_or_init(|| {
            let ids = (0..).map(SymbolId).take(self.n_nodes());
            let ticks: Vec<TickBounds> = ids.map(|id| self.self_bounds(id)).collect();
            FlowBounds::new(&self.calls, &counted.topology, &ticks)
        }))
    }
}

/// Rounds to millionths of a tick: the last digits of logarithms differ between machines.
fn rounded(ticks: f64) -> f64 {
    (ticks * 1e6).round() / 1e6
}

/// Ticks of a single symbol.
fn whole(ticks: f64) -> SampleRange {
    SampleRange { certain: ticks, possible: ticks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_samples_may_be_far_off() {
        let check = |n_largest: f64, n_samples: f64, expected: [f64; 2]| {
            let LargestShare { percent, error, .. } = LargestShare::of(n_largest, n_samples);
            assert_eq!([percent.round(), error.round()], expected);
        };
        check(15.0, 41.0, [37.0, 15.0]);
        check(41.0, 41.0, [100.0, 9.0]);
        check(1.0, 1.0, [100.0, 79.0]);
        check(100.0, 199.0, [50.0, 7.0]);
    }
}
