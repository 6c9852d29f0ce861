//! Totals that the assumption of equal calls decides.
//!
//! Nearly all propagated totals depend on it a little. A total is a guess if it is large, and
//! could be less than half as large if calls cost something else. Chance is not part of this: the
//! interval of a few samples is as wide as that.
//!
//! The total of a member of a cycle excludes the other members, which may have called each other for
//! it. So it is a guess too if the member could take more than twice as long with them.

use super::{ArcCosts, CostGraph};
use crate::analyze::amount::Amount;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::call_graph::GraphArc;
use crate::analyze::cycles::CycleNumber;
use crate::symbols::SymbolId;

/// Minimum share of a total that is marked, of everything.
const LARGE: f64 = 0.05;

/// Possible share of a smaller total from which it counts as a guess.
const POSSIBLY_LARGE: f64 = 0.25;

/// A factor by which a guess may be wrong.
const FACTOR: f64 = 2.0;

/// A larger factor is a difference that matters.
const ROUGHLY: f64 = 1.01;

/// The guesses among the totals of functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Guesses {
    /// The largest total.
    pub worst: Option<GuessedTotal>,
    /// Number of other large totals.
    pub n_others: usize,
    /// The small total that may be largest.
    pub small: Option<GuessedTotal>,
    /// Number of other small totals that may be large.
    pub n_small_others: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuessedTotal {
    pub function: SymbolId,
    /// With the error of sampling.
    pub limits: TickBounds,
    pub cause: GuessCause,
}

/// The calls whose costs are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessCause {
    Cycle(CycleNumber),
    CallsOf(SymbolId),
    /// The total certainly lacks most of the cycle.
    RestOf(CycleNumber),
}

impl CostGraph {
    /// The bounds of totals that were propagated.
    pub(in crate::analyze) fn propagated_bounds(&self) -> Option<&FlowBounds> {
        self.sampling.as_ref().and_then(|_| self.flow_bounds())
    }

    /// Returns whether a total is a guess.
    pub(in crate::analyze) fn is_guess(&self, total: Amount, bounds: TickBounds) -> bool {
        self.is_large(total) && FACTOR * bounds.low < total.as_f64()
    }

    /// Returns whether the total of a function is a guess.
    pub(in crate::analyze) fn is_guessed(&self, id: SymbolId) -> bool {
        let total = self.total_of(id);
        let is_guessed = |bounds: TickBounds| {
            let excludes_others = self.cycle_of(id).is_some();
            let may_be_more = excludes_others && bounds.high > FACTOR * total.as_f64();
            may_be_more || self.is_guess(total, bounds)
        };
        let bounds = || self.propagated_bounds();
        self.is_large(total) && bounds().is_some_and(|bounds| is_guessed(bounds.of_function(id)))
    }

    fn is_large(&self, total: Amount) -> bool {
        total.is_positive() && total.as_f64() >= LARGE * self.whole()
    }

    /// Returns whether the total of a function or call is a guess.
    pub(in crate::analyze) fn has_guesses(&self) -> bool {
        let is_guess = |(index, arc): (u32, &GraphArc)| {
            let total = self.flow(index, self.shape.primary).map(ArcCosts::total);
            let total = total.filter(|&total| self.is_large(total));
            let bounds = total.and_then(|_| self.propagated_bounds());
            total
                .zip(bounds)
                .is_some_and(|(total, all)| self.is_guess(total, all.of_call(arc.callee)))
        };
        let mut ids = (0..).map(SymbolId).take(self.n_nodes());
        ids.any(|id| self.is_guessed(id)) || (0..).zip(self.calls.arcs()).any(is_guess)
    }

    /// The guesses among all totals of functions; `None` if these are no guesses.
    pub fn guesses(&self) -> Option<Guesses> {
        let bounds = self.propagated_bounds().filter(|_| self.whole() > 0.0)?;
        // Callers first: of functions with one total, the outermost is named.
        let ids = self.topology()?.bottom_up.iter().rev().copied();
        let (mut large, mut small) = (Vec::new(), Vec::new());
        for id in ids {
            let may_be_large = || bounds.of_function(id).high >= POSSIBLY_LARGE * self.whole();
            if self.is_guessed(id) {
                large.push(id);
            } else if !self.is_large(self.total_of(id)) && may_be_large() {
                small.push(id);
            }
        }
        let total = |id: &SymbolId| self.total_of(*id).as_f64();
        let lacks_most = |id: &SymbolId| bounds.of_function(*id).low > total(id);
        // The totals of the others may be too large.
        large.sort_by_key(lacks_most);
        let n_too_large = large.partition_point(|id| !lacks_most(id));
        let named = if n_too_large > 0 { &large[..n_too_large] } else { &large[..] };
        // Of a cycle, the members that others call are named first.
        small.sort_by_key(|&id| !self.is_entered(id));
        let possible = |id: &SymbolId| bounds.of_function(*id).high;
        let [worst, largest] = [first_with_most(named, total), first_with_most(&small, possible)];
        let guess = |function: SymbolId| GuessedTotal {
            function,
            limits: self.with_sampling_error(bounds.of_function(function)),
            cause: match self.cycle_of(function) {
                Some(cycle) if lacks_most(&function) && self.is_large(self.total_of(function)) => {
                    GuessCause::RestOf(cycle)
                }
                _ => self.cause_of(function, bounds),
            },
        };
        (worst.is_some() || largest.is_some()).then(|| Guesses {
            worst: worst.map(guess),
            n_others: large.len().saturating_sub(1),
            small: largest.map(guess),
            n_small_others: small.len().saturating_sub(1),
        })
    }

    /// The first calls below a function, along those that cost most, that others share.
    fn cause_of(&self, function: SymbolId, bounds: &FlowBounds) -> GuessCause {
        let mut caller = function;
        loop {
            if let Some(cycle) = self.cycle_of(caller) {
                return GuessCause::Cycle(cycle);
            }
            let arcs = self.calls.outgoing(caller).iter();
            let others = arcs.filter(|&&arc| {
                let arc = self.calls.arc(arc);
                arc.count > 0 && !arc.is_self_call()
            });
            let possible = |arc: &u32| bounds.of_call(self.calls.arc(*arc).callee).high;
            let others: Vec<u32> = others.copied().collect();
            let Some(arc) = first_with_most(&others, possible) else {
                return GuessCause::CallsOf(caller);
            };
            let callee = self.calls.arc(arc).callee;
            let is_shared = !bounds.is_only_call(callee);
            if is_shared && self.cycle_of(callee).is_none() {
                return GuessCause::CallsOf(callee);
            }
            caller = callee;
        }
    }

    /// Returns whether a function was called from outside of its cycle.
    fn is_entered(&self, id: SymbolId) -> bool {
        let mut callers = self.calls.incoming(id).iter().map(|&arc| self.calls.arc(arc).caller);
        self.cycle_of(id).is_none() || callers.any(|by| self.cycle_of(by) != self.cycle_of(id))
    }

    fn total_of(&self, id: SymbolId) -> Amount {
        self.total(id, self.shape.primary)
    }

    fn whole(&self) -> f64 {
        self.all(self.shape.primary).as_f64()
    }
}

/// Of nearly equal ones the first.
fn first_with_most<T: Copy>(all: &[T], amount: impl Fn(&T) -> f64) -> Option<T> {
    let greater = |best: T, one: T| if amount(&one) > ROUGHLY * amount(&best) { one } else { best };
    all.iter().copied().reduce(greater)
}
