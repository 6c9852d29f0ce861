//! Which self times are selected, whatever single calls cost.
//!
//! Shares assume that all calls of a function cost the same. Without that assumption, the time of
//! a function may be selected if some way to it is, and certainly is if all ways are. Takes
//! functions plus arcs.

use super::stage::{FunctionMark, PathStage};
use crate::analyze::bounds::TickBounds;
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::cycles::Topology;
use crate::filter::FocusSet;
use crate::symbols::SymbolId;

/// How a function is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelfSelection {
    /// Self time of the function, selected or not.
    ticks: f64,
    /// Some way to the function is selected.
    pub is_possible: bool,
    /// Some way to the function is not selected.
    is_avoidable: bool,
}

impl SelfSelection {
    pub fn is_certain(self) -> bool {
        self.is_possible && !self.is_avoidable
    }

    /// The bounds of the selected self time.
    pub fn bounds(self) -> TickBounds {
        TickBounds {
            low: if self.is_certain() { self.ticks } else { 0.0 },
            high: if self.is_possible { self.ticks } else { 0.0 },
        }
    }
}

/// The selections of all functions.
pub(super) fn selections(
    costs: &CostGraph,
    topology: &Topology,
    focus: &FocusSet,
) -> Box<[SelfSelection]> {
    const STAGES: [PathStage; 3] = [PathStage::Before, PathStage::Within, PathStage::Out];
    let n_functions = costs.n_nodes();
    let mut reached = vec![[false; STAGES.len()]; n_functions];
    let mut open = Vec::new();
    let mut reach = |id: SymbolId, arriving: PathStage, open: &mut Vec<_>| {
        let stage = arriving.behind(FunctionMark::of(focus, id));
        let place = STAGES.iter().position(|one| *one == stage).unwrap_or_default();
        if !std::mem::replace(&mut reached[id.index()][place], true) {
            open.push((id, stage));
        }
    };
    for id in starts(costs, topology) {
        reach(id, PathStage::first(focus), &mut open);
    }
    while let Some((caller, stage)) = open.pop() {
        for &arc in costs.calls.outgoing(caller) {
            let arc = costs.calls.arc(arc);
            // Calls in the code alone may hold a cycle together.
            if arc.count > 0 || topology.are_together(arc.caller, arc.callee) {
                reach(arc.callee, stage, &mut open);
            }
        }
    }
    let functions = (0..).map(SymbolId).zip(&reached);
    let selections = functions.map(|(id, &[before, within, out])| SelfSelection {
        ticks: costs.self_cost(id, costs.shape.primary).as_f64(),
        is_possible: within,
        is_avoidable: before || out,
    });
    selections.collect()
}

/// The functions that stacks may begin with: those without known caller, and all members of a
/// cycle without one.
fn starts<'a>(costs: &'a CostGraph, topology: &'a Topology) -> impl Iterator<Item = SymbolId> + 'a {
    let calls = &costs.calls;
    let has_caller = move |id: SymbolId| {
        let mut arcs = calls.incoming(id).iter().map(|&arc| calls.arc(arc));
        arcs.any(|arc| arc.count > 0 && !topology.are_together(arc.caller, id))
    };
    let is_uncalled = move |id: SymbolId| match topology.cycle_of[id.index()] {
        Some(cycle) => {
            let members = &topology.cycles[cycle.index()].members;
            let is_called =
                |&id: &SymbolId| has_caller(id) || calls.calls_from_outside[id.index()] > 0;
            !members.iter().any(is_called)
        }
        None => !has_caller(id),
    };
    let functions = (0..).map(SymbolId).take(costs.n_nodes());
    functions.filter(move |&id| calls.calls_from_outside[id.index()] > 0 || is_uncalled(id))
}
