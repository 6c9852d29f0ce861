//! The call graph of a report: entries, index numbers and lines.

use super::rows::GraphNode;
use super::visibility::Visibility;
use crate::analyze::{CallGraph, CycleNumber, NodeTicks, Propagation, Scale, Topology};
use crate::report::gprof_layout::{AfterCalls, GraphNumbers, IndexNumber};
use crate::symbols::{Granularity, SymbolId, SymbolTable};

#[derive(Debug)]
pub struct GraphReport {
    pub graph: CallGraph,
    pub(super) topology: Topology,
    pub times: Propagation,
    visibility: Visibility,
    /// Everything with an index number, in order.
    order: Box<[GraphNode]>,
    function_numbers: Box<[u32]>,
    cycle_numbers: Box<[u32]>,
    rate: f64,
    shows_zero_cost: bool,
    /// By line, which symbols are functions: only these have entries. `None` by function.
    functions: Option<Box<[bool]>>,
    /// Time of all functions that count.
    pub total: f64,
    pub has_time: bool,
}

impl GraphReport {
    /// Numbers functions and cycles in order.
    #[expect(clippy::too_many_arguments, reason = "all that there is of the graph")]
    pub fn new(
        graph: CallGraph,
        topology: Topology,
        times: Propagation,
        visibility: Visibility,
        table: &SymbolTable,
        order: Vec<GraphNode>,
        scale: &Scale,
        shows_zero_cost: bool,
    ) -> Self {
        let mut function_numbers = vec![0; times.functions.len()];
        let mut cycle_numbers = vec![0; times.cycles.len()];
        for (number, subject) in (1..).zip(&order) {
            match subject {
                GraphNode::Function(symbol) => function_numbers[symbol.index()] = number,
                GraphNode::Cycle(cycle) => cycle_numbers[cycle.index()] = number,
            }
        }
        let has_time = times.total > 0.0;
        Self {
            total: if has_time { times.total } else { 1.0 },
            has_time,
            graph,
            topology,
            times,
            visibility,
            order: order.into(),
            function_numbers: function_numbers.into(),
            cycle_numbers: cycle_numbers.into(),
            rate: scale.rate,
            shows_zero_cost,
            functions: (table.granularity() == Granularity::Lines)
                .then(|| table.symbols().iter().map(|s| s.is_function).collect()),
        }
    }

    /// Percentage of one tick.
    pub fn percent_of_tick(&self) -> f64 {
        100.0 / self.total
    }

    /// Total time in the dimension.
    pub fn total_time(&self) -> f64 {
        self.total / self.rate
    }

    /// Everything with an entry, in order.
    pub fn subjects(&self) -> impl Iterator<Item = GraphNode> {
        self.order.iter().copied().filter(|&subject| self.has_entry(subject))
    }

    pub(super) fn has_entry(&self, subject: GraphNode) -> bool {
        let node = self.node(subject);
        let is_zero_cost = node.all_calls() == 0
            && node.calls == 0
            && node.shown_self == 0.0
            && node.shown_child == 0.0;
        self.can_have_entry(subject)
            && self.is_shown(subject)
            && (self.shows_zero_cost || !is_zero_cost)
    }

    /// Approximate number of lines of an entry.
    pub fn n_lines(&self, subject: GraphNode) -> usize {
        match subject {
            GraphNode::Function(id) => {
                self.graph.incoming(id).len() + 1 + self.graph.outgoing(id).len()
            }
            GraphNode::Cycle(cycle) => 1 + self.members(cycle).len(),
        }
    }

    fn is_shown(&self, subject: GraphNode) -> bool {
        match subject {
            GraphNode::Function(symbol) => self.visibility.is_function_shown[symbol.index()],
            GraphNode::Cycle(cycle) => self.visibility.is_cycle_shown[cycle.index()],
        }
    }

    fn can_have_entry(&self, subject: GraphNode) -> bool {
        match (&self.functions, subject) {
            (None, _) => true,
            (Some(_), GraphNode::Cycle(_)) => false,
            (Some(functions), GraphNode::Function(id)) => functions[id.index()],
        }
    }

    /// The number of the entry of a function or cycle.
    pub fn index_number(&self, subject: GraphNode) -> IndexNumber {
        let number = match subject {
            GraphNode::Function(symbol) => self.function_numbers[symbol.index()],
            GraphNode::Cycle(cycle) => self.cycle_numbers[cycle.index()],
        };
        IndexNumber { number: number.into(), is_shown: self.is_shown(subject) }
    }

    pub fn cycle_of(&self, symbol: SymbolId) -> Option<CycleNumber> {
        self.topology.cycle_of[symbol.index()]
    }

    pub fn cycles(&self) -> impl Iterator<Item = GraphNode> {
        let numbers = (1..).map(CycleNumber).take(self.times.cycles.len());
        numbers.map(GraphNode::Cycle)
    }

    pub fn members(&self, cycle: CycleNumber) -> &[SymbolId] {
        &self.topology.cycles[cycle.index()].members
    }

    pub fn function(&self, symbol: SymbolId) -> &NodeTicks {
        self.times.function(symbol)
    }

    fn node(&self, subject: GraphNode) -> &NodeTicks {
        match subject {
            GraphNode::Function(symbol) => self.times.function(symbol),
            GraphNode::Cycle(cycle) => self.times.cycle(cycle),
        }
    }

    /// The numbers of a function or cycle.
    pub fn node_numbers(&self, subject: GraphNode) -> GraphNumbers<'static> {
        let node = self.node(subject);
        GraphNumbers {
            percent: Some(100.0 * node.shown_total() / self.total),
            self_time: node.shown_self / self.rate,
            children: node.shown_child / self.rate,
            calls: Some((node.calls, AfterCalls::Itself(node.self_calls))),
            ..GraphNumbers::NONE
        }
    }

    /// The numbers of an arc. `None` for calls within a cycle and recursion: nothing flows there.
    pub fn arc_numbers(&self, index: u32) -> Option<GraphNumbers<'static>> {
        let arc = self.graph.arc(index);
        if self.topology.are_together(arc.caller, arc.callee) {
            return None;
        }
        let flow = self.times.flows[index as usize];
        let cycle = self.cycle_of(arc.callee).map(GraphNode::Cycle);
        let callee = self.node(cycle.unwrap_or(GraphNode::Function(arc.callee)));
        Some(GraphNumbers {
            self_time: flow.self_ticks / self.rate,
            children: flow.child_ticks / self.rate,
            calls: Some((arc.count, AfterCalls::All(callee.calls))),
            ..GraphNumbers::NONE
        })
    }
}
