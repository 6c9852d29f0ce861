//! Confidence intervals for the costs of a graph.

use super::CostGraph;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::focus::FocusPart;
use crate::analyze::uncertainty::{SampleRange, lower_limit, upper_limit};
use crate::report::Basis;
use crate::symbols::SymbolId;

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
        if !self.has_samples() {
            return None;
        }
        let per_sample = self.ticks_per_sample();
        let costs = (0..self.n_nodes())
            .map(|node| self.costs.self_costs.get(node, self.shape.primary).as_f64());
        let largest = costs.fold(0.0, f64::max) / per_sample;
        let all = self.all(self.shape.primary).as_f64() / per_sample;
        (largest > 0.0).then(|| LargestShare::of(largest, all))
    }

    /// Returns whether the sort metric was sampled, so that it has a confidence interval. For
    /// a part of a function, the number of samples is unknown.
    pub fn has_samples(&self) -> bool {
        let is_sampled = self.metric().basis == Basis::Sampled;
        is_sampled && self.all(self.shape.primary).is_positive() && !self.is_shared_out()
    }

    fn is_shared_out(&self) -> bool {
        let part = self.focus.as_ref();
        part.is_some_and(FocusPart::is_shared_out)
    }

    /// The samples of a function alone, or outside of functions (`None`).
    pub fn samples(&self, symbol: Option<SymbolId>) -> SampleRange {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        let per_sample = self.ticks_per_sample();
        let ticks = match (symbol, spread) {
            (Some(symbol), Some(spread)) => spread.of(symbol),
            (Some(symbol), None) => whole(self.self_cost(symbol, self.shape.primary).as_f64()),
            (None, _) => whole(self.unattributed(self.shape.primary).as_f64()),
        };
        SampleRange { certain: ticks.certain / per_sample, possible: ticks.possible / per_sample }
    }

    /// The samples of its total: recorded with it, or between the bounds of propagation.
    pub fn total_samples(&self, symbol: Option<SymbolId>) -> SampleRange {
        if let Some((symbol, bounds)) = symbol.zip(self.flow_bounds()) {
            return self.samples_between(bounds.of_function(symbol));
        }
        let total = match symbol {
            Some(symbol) => self.total(symbol, self.shape.primary),
            None => self.unattributed(self.shape.primary),
        };
        whole(total.as_f64() / self.ticks_per_sample())
    }

    /// Lower limit of the expected ticks, at 95 % confidence for the interval.
    pub fn least_ticks(&self, samples: SampleRange) -> f64 {
        rounded(lower_limit(samples.certain) * self.ticks_per_sample())
    }

    /// Upper limit of the expected ticks.
    pub fn most_ticks(&self, samples: SampleRange) -> f64 {
        rounded(upper_limit(samples.possible) * self.ticks_per_sample())
    }

    /// Bounds of propagated time that include the error of sampling, at 95 % confidence.
    pub fn with_sampling_error(&self, bounds: TickBounds) -> TickBounds {
        let samples = self.samples_between(bounds);
        TickBounds { low: self.least_ticks(samples), high: self.most_ticks(samples) }
    }

    fn samples_between(&self, bounds: TickBounds) -> SampleRange {
        let per_sample = self.ticks_per_sample();
        SampleRange { certain: bounds.low / per_sample, possible: bounds.high / per_sample }
    }

    fn ticks_per_sample(&self) -> f64 {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        spread.map_or(1.0, |spread| spread.ticks_per_sample)
    }

    /// Bounds of the flow along calls; `None` if times were not propagated. Computed on first
    /// use.
    pub fn flow_bounds(&self) -> Option<&FlowBounds> {
        self.bounds.get_or_init(|| FlowBounds::new(self)).as_ref()
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
