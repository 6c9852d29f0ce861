//! The call graph of a report: entries, index numbers and lines.

use super::rows::{ArcRow, GraphNode, NameReference, NodeRow, Times};
use super::visibility::Visibility;
use crate::analyze::{CallGraph, CycleNumber, NodeTicks, Propagation, Scale, Topology};
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
    /// Calls of each function by others, or of its cycle.
    calls_from_others: Box<[u64]>,
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
        let cycles = topology.cycle_of.iter().zip(&times.functions);
        let calls_from_others = cycles.map(|(cycle, function)| match cycle {
            Some(cycle) => times.cycle(*cycle).calls,
            None => function.calls,
        });
        let has_time = times.total > 0.0;
        Self {
            total: if has_time { times.total } else { 1.0 },
            has_time,
            calls_from_others: calls_from_others.collect(),
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

    pub fn reference(&self, symbol: SymbolId) -> NameReference {
        NameReference {
            subject: GraphNode::Function(symbol),
            cycle: self.topology.cycle_of[symbol.index()],
            number: self.function_numbers[symbol.index()] as usize,
            is_shown: self.is_shown(GraphNode::Function(symbol)),
        }
    }

    /// The reference to a function or cycle.
    pub fn reference_to(&self, subject: GraphNode) -> NameReference {
        match subject {
            GraphNode::Function(symbol) => self.reference(symbol),
            GraphNode::Cycle(cycle) => NameReference {
                subject,
                cycle: Some(cycle),
                number: self.cycle_numbers[cycle.index()] as usize,
                is_shown: self.is_shown(subject),
            },
        }
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

    /// The line of a function or cycle.
    pub fn node_row(&self, subject: GraphNode) -> NodeRow {
        let node = self.node(subject);
        NodeRow {
            percent: 100.0 * node.shown_total() / self.total,
            times: Times {
                self_time: node.shown_self / self.rate,
                children: node.shown_child / self.rate,
            },
            calls: node.calls,
            self_calls: node.self_calls,
        }
    }

    /// The other end of an arc; the function itself for recursion.
    pub(super) fn partner(&self, index: u32, symbol: SymbolId) -> SymbolId {
        let arc = self.graph.arc(index);
        if arc.caller == symbol { arc.callee } else { arc.caller }
    }

    /// The line of an arc in the entry of one of its ends.
    pub fn arc_row(&self, index: u32, symbol: SymbolId) -> ArcRow {
        let arc = self.graph.arc(index);
        let partner = self.partner(index, symbol);
        let is_inside = self.topology.are_together(arc.caller, arc.callee);
        let flow = (!is_inside).then(|| {
            let flow = self.times.flows[index as usize];
            let times = Times {
                self_time: flow.self_ticks / self.rate,
                children: flow.child_ticks / self.rate,
            };
            (times, self.calls_from_others[arc.callee.index()])
        });
        ArcRow { partner, count: arc.count, flow }
    }
}
