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
//! This holds for counted calls. Code that does not count calls may have called more.

mod call_dag;
mod dominators;
mod reach;

use super::call_graph::CallGraph;
use super::cycles::{CycleNumber, Topology};
use crate::symbols::SymbolId;
use call_dag::{CallDag, NodeIndex};
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
        self.high - self.low <= ROUNDING * self.high.max(1.0)
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
    /// The bounds of functions with these ticks. Takes arcs times the number of functions with
    /// ticks, divided by 64.
    pub fn new(calls: &CallGraph, topology: &Topology, mut ticks: Vec<f64>) -> Self {
        let dag = CallDag::new(calls, topology);
        // The ticks of a cycle are the ticks of its members.
        ticks.resize(dag.n_nodes(), 0.0);
        let lows = dominated(&dag, &ticks);
        let highs = reachable(&dag, &ticks);
        let bounds = lows.into_iter().zip(highs);
        let totals = bounds.map(|(low, high)| TickBounds {
            low,
            // Sums of equal numbers may differ in their last digits.
            high: high.max(low),
        });
        Self { totals: totals.collect(), dag }
    }

    /// The bounds of a function with its callees; in a cycle, without the other members.
    pub fn of_function(&self, id: SymbolId) -> TickBounds {
        self.totals[id.index()]
    }

    pub fn of_cycle(&self, cycle: CycleNumber) -> TickBounds {
        self.totals[self.dag.cycle(cycle) as usize]
    }

    /// The bounds of the flow along one of several calls of a function or its cycle.
    pub fn of_call(&self, callee: SymbolId) -> TickBounds {
        let target: NodeIndex = self.dag.target(callee);
        let total = self.totals[target as usize];
        if self.dag.n_ways_into(target) > 1 { TickBounds { low: 0.0, ..total } } else { total }
    }
}

#[cfg(test)]
mod tests;
