//! Lower and upper bounds of the time that a function caused, whatever single calls cost.
//!
//! Propagation distributes the time of a function by calls, as if all calls cost the same.
//! Without that assumption, time below a call was spent for one of the callers, and all of it
//! for all of them together.
//!
//! ```text
//! main ─┬─ heavy ─┬─ work       heavy may have caused all or none of the time of work;
//!       └─ light ─┘             main caused all of it in any case
//! ```
//!
//! So a function has at least the time of the functions that are reached only through it, which
//! it *dominates*, and at most the time of all functions that it reaches. The same holds for a
//! call, but it dominates nothing unless it is the only call of its callee. Counted calls do not
//! give closer bounds: if a way around a function exists, all calls may have used it.
//!
//! gprof's total of a member of a cycle excludes the other members, so it may be outside of these
//! bounds.
//!
//! This holds for counted calls. Code that does not count calls may have called more.

mod call_dag;
mod cycle_search;
mod dominators;
mod reach;

use super::call_graph::CallGraph;
use super::cycles::{CycleNumber, Topology};
use crate::symbols::SymbolId;
use call_dag::CallDag;
use dominators::dominated;
use reach::reachable;

/// Lower and upper bound in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickBounds {
    pub low: f64,
    pub high: f64,
}

impl TickBounds {
    /// Returns whether both bounds are equal, so that no assumption was needed.
    pub fn are_tight(self) -> bool {
        self.high - self.low <= self.rounding()
    }

    pub fn contain(self, ticks: f64) -> bool {
        (self.low - self.rounding()..=self.high + self.rounding()).contains(&ticks)
    }

    fn rounding(self) -> f64 {
        ROUNDING * self.high.max(1.0)
    }
}

/// Maximum rounding error of sums.
const ROUNDING: f64 = 1e-9;

#[derive(Debug)]
pub struct FlowBounds {
    dag: CallDag,
    totals: Vec<TickBounds>,
}

impl FlowBounds {
    /// The bounds of functions with self times between these. Takes arcs times the number of
    /// functions with ticks, divided by 64.
    pub fn new(calls: &CallGraph, topology: &Topology, ticks: &[TickBounds]) -> Self {
        let dag = CallDag::new(calls, topology);
        let lows = dominated(&dag, calls, topology, ticks.iter().map(|ticks| ticks.low));
        let mut highs: Vec<f64> = ticks.iter().map(|ticks| ticks.high).collect();
        // The ticks of a cycle are the ticks of its members.
        highs.resize(dag.n_nodes(), 0.0);
        let mut highs = reachable(&dag, &highs);
        for (number, cycle) in (1..).map(CycleNumber).zip(&topology.cycles) {
            let of_cycle = highs[dag.cycle(number) as usize];
            cycle.members.iter().for_each(|member| highs[member.index()] = of_cycle);
        }
        let bounds = lows.into_iter().zip(highs);
        let totals = bounds.map(|(low, high)| TickBounds {
            low,
            // Sums of equal numbers may differ in their last digits.
            high: high.max(low),
        });
        Self { totals: totals.collect(), dag }
    }

    /// The bounds of the time with a function on the stack. A member of a cycle reaches all
    /// others.
    pub fn of_function(&self, id: SymbolId) -> TickBounds {
        self.totals[id.index()]
    }

    pub fn of_cycle(&self, cycle: CycleNumber) -> TickBounds {
        self.totals[self.dag.cycle(cycle) as usize]
    }

    /// The bounds of the flow along one of several calls of a function or its cycle.
    pub fn of_call(&self, callee: SymbolId) -> TickBounds {
        let total = self.totals[self.dag.target(callee) as usize];
        if self.is_only_call(callee) { total } else { TickBounds { low: 0.0, ..total } }
    }

    /// Returns whether a function, or its cycle, has no more than one caller.
    pub fn is_only_call(&self, callee: SymbolId) -> bool {
        self.dag.n_ways_into(self.dag.target(callee)) <= 1
    }
}

#[cfg(test)]
mod tests;
