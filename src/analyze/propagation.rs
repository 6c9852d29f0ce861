//! Time up the graph, from callees to callers.
//!
//! A function's time is shared among its callers by how often each called it: the
//! profile does not say how long single calls took. A cycle counts as one function
//! whose time is that of its members; calls among them carry nothing.
//!
//! Two sweeps over the symbols, and each looks at every arc once:
//!
//! 1. callers first: which fraction of each symbol's time counts, and whether its
//!    entry is shown. Without filters that is all of it, and always.
//! 2. callees first: each arc takes its share of what is below it.
//!
//! Sums go in one fixed order, gprof's, since equal rows are told apart by their
//! last bits: members as they joined, arcs from the last to appear to the first.

use super::cycles::{CycleNumber, Topology};
use super::graph::CallGraph;
use crate::filter::Filters;
use crate::symbols::SymbolId;

/// The numbers of a function, or of a cycle as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Its own ticks.
    pub self_ticks: f64,
    /// Ticks of what it called, as far as they fall to its calls.
    pub child_ticks: f64,
    /// Its own ticks that count, under the filters.
    pub shown_self: f64,
    /// Ticks of what it called that count, under the filters.
    pub shown_child: f64,
    /// Calls from others.
    pub calls: u64,
    /// Calls from itself; for a cycle, calls among its members.
    pub self_calls: u64,
    /// Its entry is part of the call graph.
    pub is_shown: bool,
    /// Which part of its ticks counts.
    fraction: f64,
}

impl Node {
    /// What its entry adds up to.
    #[must_use]
    pub fn shown_total(&self) -> f64 {
        self.shown_self + self.shown_child
    }

    /// All calls.
    #[must_use]
    pub fn all_calls(&self) -> u64 {
        self.calls.wrapping_add(self.self_calls)
    }
}

/// The ticks that flow along an arc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    /// From the callee itself.
    pub self_ticks: f64,
    /// From below the callee.
    pub child_ticks: f64,
}

impl Flow {
    /// All of it.
    #[must_use]
    pub fn total(self) -> f64 {
        self.self_ticks + self.child_ticks
    }
}

/// Time, calls and visibility of everything in a call graph.
#[derive(Debug)]
pub struct Propagation {
    /// The functions, by symbol.
    pub functions: Box<[Node]>,
    /// The cycles, by number.
    pub cycles: Box<[Node]>,
    /// What flows along each arc.
    pub flows: Box<[Flow]>,
    /// The ticks of all functions that count.
    pub total: f64,
}

impl Propagation {
    /// The numbers of a function.
    #[must_use]
    pub fn function(&self, symbol: SymbolId) -> &Node {
        &self.functions[symbol.index()]
    }

    /// The numbers of a cycle.
    #[must_use]
    pub fn cycle(&self, cycle: CycleNumber) -> &Node {
        &self.cycles[cycle.index()]
    }
}

/// Lets ticks flow up the graph.
#[must_use]
pub(super) fn propagate(
    graph: &CallGraph,
    topology: &Topology,
    ticks: &[f64],
    filters: &Filters,
) -> Propagation {
    let mut flood = Flood {
        graph,
        topology,
        filters,
        result: Propagation {
            functions: ticks
                .iter()
                .map(|&self_ticks| Node {
                    self_ticks,
                    ..Node::default()
                })
                .collect(),
            cycles: vec![Node::default(); topology.cycles.len()].into(),
            flows: vec![Flow::default(); graph.arcs().len()].into(),
            total: 0.0,
        },
    };
    flood.count_calls();
    flood.flow_down();
    flood.sum_cycles();
    flood.flow_up();
    flood.result
}

struct Flood<'a> {
    graph: &'a CallGraph,
    topology: &'a Topology,
    filters: &'a Filters,
    result: Propagation,
}

impl Flood<'_> {
    fn count_calls(&mut self) {
        let outside = &self.graph.calls_from_outside;
        for (node, &calls) in self.result.functions.iter_mut().zip(outside) {
            node.calls = calls;
        }
        for (index, &calls) in outside.iter().enumerate() {
            if let Some(cycle) = self.topology.cycle_of[index] {
                let node = &mut self.result.cycles[cycle.index()];
                node.calls = node.calls.wrapping_add(calls);
            }
        }
        for arc in self.graph.arcs() {
            let callee = &mut self.result.functions[arc.callee.index()];
            let calls = if arc.is_self_call() {
                &mut callee.self_calls
            } else {
                &mut callee.calls
            };
            *calls = calls.wrapping_add(arc.count);
            let Some(cycle) = self.topology.cycle_of[arc.callee.index()] else {
                continue;
            };
            let node = &mut self.result.cycles[cycle.index()];
            if !self.topology.are_together(arc.caller, arc.callee) {
                node.calls = node.calls.wrapping_add(arc.count);
            } else if !arc.is_self_call() {
                node.self_calls = node.self_calls.wrapping_add(arc.count);
            }
        }
    }

    /// First sweep: fractions and visibility, callers before callees.
    fn flow_down(&mut self) {
        let mut last_cycle = None;
        for &symbol in self.topology.bottom_up.iter().rev() {
            let cycle = self.topology.cycle_of[symbol.index()];
            match cycle {
                None => {
                    let (is_shown, fraction) = self.inherited(&[symbol]);
                    let node = &mut self.result.functions[symbol.index()];
                    (node.is_shown, node.fraction) = (is_shown, fraction);
                }
                Some(number) if last_cycle != cycle => self.flow_into_cycle(number),
                Some(_) => {}
            }
            last_cycle = cycle;
            self.decide(symbol);
        }
    }

    /// What a function, or a cycle by its members, has from its callers.
    fn inherited(&self, members: &[SymbolId]) -> (bool, f64) {
        let (mut is_shown, mut fraction) = (false, 0.0);
        let calls = match self.topology.cycle_of[members[0].index()] {
            Some(cycle) => self.result.cycle(cycle).calls,
            None => self.result.function(members[0]).calls,
        };
        let share = |count: u64| count as f64 / calls as f64;
        for &member in members {
            for &index in self.graph.incoming(member).iter().rev() {
                let arc = self.graph.arc(index);
                if self.topology.are_together(arc.caller, arc.callee) {
                    continue;
                }
                let caller = self.result.function(arc.caller);
                is_shown |= caller.is_shown;
                if calls != 0 {
                    fraction += caller.fraction * share(arc.count);
                }
            }
            let from_outside = self.graph.calls_from_outside[member.index()];
            if from_outside != 0 {
                fraction += share(from_outside);
            }
        }
        (is_shown, fraction)
    }

    fn flow_into_cycle(&mut self, number: CycleNumber) {
        let members = &self.topology.cycles[number.index()].members;
        let (is_shown, fraction) = self.inherited(members);
        let cycle = &mut self.result.cycles[number.index()];
        (cycle.is_shown, cycle.fraction) = (is_shown, fraction);
        for member in members {
            let node = &mut self.result.functions[member.index()];
            (node.is_shown, node.fraction) = (is_shown, fraction);
        }
    }

    /// Applies the filters to one function, and adds it to the total.
    fn decide(&mut self, symbol: SymbolId) {
        let Filters { graph, time, .. } = self.filters;
        let node = &mut self.result.functions[symbol.index()];
        node.is_shown = if node.is_shown {
            graph.includes(symbol) || !graph.excludes(symbol)
        } else {
            graph.selects(symbol)
        };
        if node.fraction == 0.0 {
            node.fraction = f64::from(u8::from(time.selects(symbol)));
        } else if !time.includes(symbol) && time.excludes(symbol) {
            node.fraction = 0.0;
        }
        node.shown_self = node.self_ticks * node.fraction;
        self.result.total += node.shown_self;
    }

    fn sum_cycles(&mut self) {
        for (cycle, node) in self.topology.cycles.iter().zip(&mut self.result.cycles) {
            for member in &cycle.members {
                let member = &self.result.functions[member.index()];
                if member.fraction != 0.0 {
                    node.self_ticks += member.self_ticks;
                }
            }
            node.shown_self = node.fraction * node.self_ticks;
        }
    }

    /// Second sweep: each arc takes its share, callees before callers.
    fn flow_up(&mut self) {
        for &caller in &self.topology.bottom_up {
            let fraction = self.result.function(caller).fraction;
            if fraction == 0.0 {
                continue;
            }
            for &index in self.graph.outgoing(caller).iter().rev() {
                self.flow_along(index, fraction);
            }
        }
    }

    fn flow_along(&mut self, index: u32, fraction: f64) {
        let arc = self.graph.arc(index);
        let is_dry = arc.count == 0
            || self.topology.are_together(arc.caller, arc.callee)
            || self.result.function(arc.callee).fraction == 0.0;
        if is_dry {
            return;
        }
        let callee = match self.topology.cycle_of[arc.callee.index()] {
            Some(cycle) => self.result.cycle(cycle),
            None => self.result.function(arc.callee),
        };
        if callee.calls == 0 {
            return;
        }
        let share = arc.count as f64 / callee.calls as f64;
        let flow = Flow {
            self_ticks: callee.self_ticks * share,
            child_ticks: callee.child_ticks * share,
        };
        self.result.flows[index as usize] = Flow {
            self_ticks: flow.self_ticks * fraction,
            child_ticks: flow.child_ticks * fraction,
        };
        let caller = &mut self.result.functions[arc.caller.index()];
        caller.child_ticks += flow.total();
        caller.shown_child += fraction * flow.total();
        if let Some(cycle) = self.topology.cycle_of[arc.caller.index()] {
            let cycle = &mut self.result.cycles[cycle.index()];
            cycle.child_ticks += flow.total();
            cycle.shown_child += fraction * flow.total();
        }
    }
}
