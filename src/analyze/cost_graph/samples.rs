//! The numbers of a cost graph as samples: how many there were, and how many might
//! have been.

use super::CostGraph;
use crate::analyze::bounds::FlowBounds;
use crate::analyze::focus::FocusPart;
use crate::analyze::sureness::{SampleRange, lower_limit, upper_limit};
use crate::report::Basis;
use crate::symbols::SymbolId;

impl CostGraph {
    /// Whether what rows are sorted by was sampled, so that it has an error. Of a part of
    /// a function nobody knows which of its samples these were.
    pub fn has_samples(&self) -> bool {
        let is_sampled = self.metrics[self.primary].basis == Basis::Sampled;
        is_sampled && self.all(self.primary).is_positive() && !self.is_shared_out()
    }

    fn is_shared_out(&self) -> bool {
        let part = self.focus.as_ref();
        part.is_some_and(FocusPart::is_shared_out)
    }

    /// The samples of a function alone, or of what is in none.
    pub fn samples(&self, symbol: Option<SymbolId>) -> SampleRange {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        let per_sample = self.ticks_per_sample();
        let ticks = match (symbol, spread) {
            (Some(symbol), Some(spread)) => spread.of(symbol),
            (Some(symbol), None) => whole(self.self_cost(symbol, self.primary).as_f64()),
            (None, _) => whole(self.unattributed(self.primary).as_f64()),
        };
        SampleRange {
            certain: ticks.certain / per_sample,
            possible: ticks.possible / per_sample,
        }
    }

    /// The samples of its total, where that is a sum of samples.
    pub fn total_samples(&self, symbol: Option<SymbolId>) -> SampleRange {
        let total = match symbol {
            Some(symbol) => self.total(symbol, self.primary),
            None => self.unattributed(self.primary),
        };
        whole(total.as_f64() / self.ticks_per_sample())
    }

    /// The ticks that something of so many samples would have at least in the long run,
    /// with 95 % confidence of this limit and the other.
    pub fn least_ticks(&self, samples: SampleRange) -> f64 {
        rounded(lower_limit(samples.certain) * self.ticks_per_sample())
    }

    /// The ticks that it would have at most.
    pub fn most_ticks(&self, samples: SampleRange) -> f64 {
        rounded(upper_limit(samples.possible) * self.ticks_per_sample())
    }

    fn ticks_per_sample(&self) -> f64 {
        let spread = self.sampling.as_ref().map(|sampling| &sampling.spread);
        spread.map_or(1.0, |spread| spread.ticks_per_sample)
    }

    /// What flows along calls at least and at most; `None` where it was not shared out
    /// by calls. Worked out when it is first asked for.
    pub fn flow_bounds(&self) -> Option<&FlowBounds> {
        self.bounds.get_or_init(|| FlowBounds::new(self)).as_ref()
    }
}

/// To millionths of a tick: logarithms differ in their last digits between machines, and
/// reports do not.
fn rounded(ticks: f64) -> f64 {
    (ticks * 1e6).round() / 1e6
}

/// Ticks that are nobody else's.
fn whole(ticks: f64) -> SampleRange {
    SampleRange {
        certain: ticks,
        possible: ticks,
    }
}
