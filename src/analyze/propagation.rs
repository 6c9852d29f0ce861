//! Propagates time from callees to callers.
//!
//! The time of a function is distributed to its callers by their numbers of calls: the profile
//! does not record the time of single calls. A cycle counts as one function with the time of its
//! members; time does not flow along calls among them.
//!
//! One pass over the symbols, callees first, visits every arc once: it gets its share of the
//! callee's time. Of each function only a given fraction may count, usually all.
//!
//! Sums have a fixed order, since the last bits decide the order of equal rows: members as
//! they joined the cycle, arcs from last to first.

use super::call_graph::CallGraph;
use super::cycles::{CycleNumber, Topology};
use crate::symbols::SymbolId;

/// The ticks and calls of a function, or of a cycle as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeTicks {
    pub self_ticks: f64,
    /// Ticks of its callees, distributed to its calls.
    pub child_ticks: f64,
    /// Self ticks that count.
    pub shown_self: f64,
    /// Ticks of its callees that count.
    pub shown_child: f64,
    pub calls: u64,
    /// Direct recursion; for a cycle, calls among its members.
    pub self_calls: u64,
}

impl NodeTicks {
    #[inline]
    pub fn shown_total(&self) -> f64 {
        self.shown_self + self.shown_child
    }

    #[inline]
    pub fn all_calls(&self) -> u64 {
        self.calls.wrapping_add(self.self_calls)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct TickFlow {
    pub self_ticks: f64,
    pub child_ticks: f64,
}

impl TickFlow {
    #[inline]
    pub fn total(self) -> f64 {
        self.self_ticks + self.child_ticks
    }
}

#[derive(Debug)]
pub struct Propagation {
    pub functions: Box<[NodeTicks]>,
    pub cycles: Box<[NodeTicks]>,
    pub flows: Box<[TickFlow]>,
    pub total: f64,
}

impl Propagation {
    #[inline]
    pub fn function(&self, symbol: SymbolId) -> &NodeTicks {
        &self.functions[symbol.index()]
    }

    #[inline]
    pub fn cycle(&self, cycle: CycleNumber) -> &NodeTicks {
        &self.cycles[cycle.index()]
    }
}

#[derive(Debug)]
pub struct CallCounts {
    pub functions: Box<[Calls]>,
    pub cycles: Box<[Calls]>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Calls {
    pub from_others: u64,
    /// Direct recursion; for a cycle, calls among its members.
    pub from_self: u64,
}

impl Calls {
    /// The number of all calls. Wraps.
    pub fn all(self) -> u64 {
        self.from_others.wrapping_add(self.from_self)
    }
}

impl CallCounts {
    pub fn new(graph: &CallGraph, topology: &Topology) -> Self {
        let mut functions = vec![Calls::default(); graph.n_symbols()];
        let mut cycles = vec![Calls::default(); topology.cycles.len()];
        let add = |sum: &mut u64, calls: u64| *sum = sum.wrapping_add(calls);
        for (index, &calls) in graph.calls_from_outside.iter().enumerate() {
            functions[index].from_others = calls;
            if let Some(cycle) = topology.cycle_of[index] {
                add(&mut cycles[cycle.index()].from_others, calls);
            }
        }
        for arc in graph.arcs() {
            let callee = &mut functions[arc.callee.index()];
            if arc.is_self_call() {
                add(&mut callee.from_self, arc.count);
                continue;
            }
            add(&mut callee.from_others, arc.count);
            let Some(cycle) = topology.cycle_of[arc.callee.index()] else {
                continue;
            };
            let cycle = &mut cycles[cycle.index()];
            if topology.are_together(arc.caller, arc.callee) {
                add(&mut cycle.from_self, arc.count);
            } else {
                add(&mut cycle.from_others, arc.count);
            }
        }
        Self { functions: functions.into(), cycles: cycles.into() }
    }
}

/// The fraction of the ticks of each function and cycle that counts, from 0 to 1.
#[derive(Debug)]
pub struct Fractions {
    pub functions: Box<[f64]>,
    pub cycles: Box<[f64]>,
}

impl Fractions {
    pub fn whole(calls: &CallCounts) -> Self {
        Self {
            functions: vec![1.0; calls.functions.len()].into(),
            cycles: vec![1.0; calls.cycles.len()].into(),
        }
    }
}

pub fn propagate(
    graph: &CallGraph,
    topology: &Topology,
    ticks: &[f64],
    calls: &CallCounts,
    fractions: &Fractions,
) -> Propagation {
    let functions = ticks.iter().zip(&calls.functions).zip(&fractions.functions);
    let functions = functions.map(|((&self_ticks, calls), fraction)| NodeTicks {
        self_ticks,
        shown_self: self_ticks * fraction,
        calls: calls.from_others,
        self_calls: calls.from_self,
        ..NodeTicks::default()
    });
    let cycles = calls.cycles.iter().map(|calls| NodeTicks {
        calls: calls.from_others,
        self_calls: calls.from_self,
        ..NodeTicks::default()
    });
    let mut flood = Flood {
        graph,
        topology,
        ticks,
        fractions,
        result: Propagation {
            functions: functions.collect(),
            cycles: cycles.collect(),
            flows: vec![TickFlow::default(); graph.arcs().len()].into(),
            total: 0.0,
        },
    };
    flood.sum_functions();
    flood.sum_cycles();
    flood.flow_up();
    flood.result
}

struct Flood<'a> {
    graph: &'a CallGraph,
    topology: &'a Topology,
    ticks: &'a [f64],
    fractions: &'a Fractions,
    result: Propagation,
}

impl Flood<'_> {
    /// Callers first: the last bits of the sum depend on the order.
    fn sum_functions(&mut self) {
        for &symbol in self.topology.bottom_up.iter().rev() {
            // Equal to the self time of the node, and nearer in memory.
            self.result.total += self.ticks[symbol.index()] * self.fraction_of(symbol);
        }
    }

    fn fraction_of(&self, symbol: SymbolId) -> f64 {
        self.fractions.functions[symbol.index()]
    }

    fn sum_cycles(&mut self) {
        for (number, cycle) in self.topology.cycles.iter().enumerate() {
            let node = &mut self.result.cycles[number];
            for member in &cycle.members {
                if self.fractions.functions[member.index()] != 0.0 {
                    node.self_ticks += self.result.functions[member.index()].self_ticks;
                }
            }
            node.shown_self = self.fractions.cycles[number] * node.self_ticks;
        }
    }

    /// Computes the share of each arc, callees before callers.
    fn flow_up(&mut self) {
        // Most lines of code call nothing; this loop finds them in address order.
        let symbols = (0..).map(SymbolId).take(self.graph.n_symbols());
        let calls: Vec<bool> =
            symbols.map(|symbol| !self.graph.outgoing(symbol).is_empty()).collect();
        let bottom_up = self.topology.bottom_up.iter();
        for &caller in bottom_up.filter(|caller| calls[caller.index()]) {
            let fraction = self.fraction_of(caller);
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
            || self.fraction_of(arc.callee) == 0.0;
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
        let flow = TickFlow {
            self_ticks: callee.self_ticks * share,
            child_ticks: callee.child_ticks * share,
        };
        self.result.flows[index as usize] = TickFlow {
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
