//! The lines of an entry in order: callers ascending, the function, callees descending.
//!
//! Recursion ranks lowest, then calls within a cycle by number, then others by flow and
//! number. Keys are read once for each arc.

use std::cmp::{Ordering, Reverse};

use super::graph_report::GraphReport;
use super::name_order::by_size;
use super::rows::{GraphLine, GraphNode};
use crate::analyze::CycleNumber;
use crate::symbols::SymbolId;
use crate::threads;

/// The lines of an entry, in reused memory.
#[derive(Debug, Default)]
pub struct EntryLines {
    pub lines: Vec<GraphLine>,
    arcs: Vec<ArcRank>,
}

impl EntryLines {
    /// Replaces the lines by those of an entry.
    pub fn fill(&mut self, graph: &GraphReport, subject: GraphNode) {
        self.lines.clear();
        match subject {
            GraphNode::Function(symbol) => {
                self.add_callers(graph, symbol);
                self.lines.push(GraphLine::Own);
                self.add_callees(graph, symbol);
            }
            GraphNode::Cycle(cycle) => {
                self.lines.push(GraphLine::Own);
                self.add_members(graph, cycle);
            }
        }
    }

    fn add_callers(&mut self, graph: &GraphReport, symbol: SymbolId) {
        self.rank(graph, graph.graph.incoming(symbol));
        if self.arcs.is_empty() {
            self.lines.push(GraphLine::NoCallers);
        }
        self.arcs.sort_unstable_by_key(|arc| (arc.cost(), arc.index));
        self.lines.extend(self.arcs.iter().map(ArcRank::line));
    }

    fn add_callees(&mut self, graph: &GraphReport, symbol: SymbolId) {
        self.rank(graph, graph.graph.outgoing(symbol));
        self.arcs.sort_unstable_by_key(|arc| (Reverse(arc.cost()), arc.index));
        let start = self.lines.len();
        self.lines.extend(self.arcs.iter().map(ArcRank::line));
        if let Some(index) = graph.graph.calls_by_register[symbol.index()] {
            let indirect = (ArcKind::Outside, by_size(0.0), 0);
            let is_before =
                |arc: &ArcRank| (Reverse(arc.cost()), arc.index) < (Reverse(indirect), index);
            let n_before = self.arcs.partition_point(is_before);
            self.lines.insert(start + n_before, GraphLine::InRegister);
        }
    }

    fn rank(&mut self, graph: &GraphReport, arcs: &[u32]) {
        self.arcs.clear();
        self.arcs.extend(arcs.iter().map(|&index| {
            let arc = graph.graph.arc(index);
            let kind = if arc.is_self_call() {
                ArcKind::Itself
            } else if graph.topology.are_together(arc.caller, arc.callee) {
                ArcKind::InCycle
            } else {
                ArcKind::Outside
            };
            ArcRank {
                kind,
                flow: by_size(graph.times.flows[index as usize].total()),
                count: arc.count,
                index,
            }
        }));
    }

    /// Members by time; equal ones in the order in which they joined the cycle.
    fn add_members(&mut self, graph: &GraphReport, cycle: CycleNumber) {
        let ranked = graph.members(cycle).iter().map(|&symbol| {
            let node = graph.function(symbol);
            (node.shown_total(), node.all_calls(), symbol)
        });
        let mut members: Vec<_> = ranked.collect();
        threads::sort_by(&mut members, |a, b| {
            let by_time = b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal);
            by_time.then(b.1.cmp(&a.1))
        });
        let symbols = members.into_iter().map(|(_, _, symbol)| symbol);
        self.lines.extend(symbols.map(GraphLine::Member));
    }
}

/// The sort key of an arc. Equal ones are in order of first appearance.
#[derive(Clone, Copy, Debug)]
struct ArcRank {
    kind: ArcKind,
    flow: u64,
    count: u64,
    index: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ArcKind {
    Itself,
    InCycle,
    Outside,
}

impl ArcRank {
    fn cost(&self) -> (ArcKind, u64, u64) {
        (self.kind, self.flow, self.count)
    }

    fn line(&self) -> GraphLine {
        GraphLine::Arc(self.index)
    }
}
