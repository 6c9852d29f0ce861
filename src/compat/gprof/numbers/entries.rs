//! The entries of the call graph, in order, each with its callers and callees.

use std::cmp::Ordering;

use super::visibility::Visibility;
use crate::analyze::{CallGraph, CycleNumber, Node, Propagation, Scale, Topology};
use crate::symbols::{Granularity, SymbolId, SymbolTable};

/// What an entry, or a line of one, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNode {
    /// A function.
    Function(SymbolId),
    /// A cycle as a whole.
    Cycle(CycleNumber),
}

/// How a function or cycle is referred to: name, cycle, index number.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The function or cycle that is named.
    pub subject: GraphNode,
    /// The cycle that the function is in.
    pub cycle: Option<CycleNumber>,
    /// Its number in the order of entries, from 1.
    pub number: usize,
    /// It has an entry of its own.
    pub is_shown: bool,
}

/// Time in units of the dimension, own and of what was called.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// That of the function itself.
    pub self_time: f64,
    /// Time of what was called.
    pub children: f64,
}

/// What gprof calls whatever a register leads to.
pub const IN_REGISTER: &str = "<indirect child>";

/// Who is at the other end of an arc.
#[derive(Clone, Copy, Debug)]
pub enum Partner {
    /// A function of the table.
    Known(Reference),
    /// Whatever a register leads to, where calls were looked for in the code.
    InRegister,
}

/// A line about a caller or a callee.
#[derive(Clone, Copy, Debug)]
pub struct ArcRow {
    /// The other end.
    pub partner: Partner,
    /// Calls along the arc.
    pub count: u64,
    /// What flowed along it, and all calls of the callee from others. `None` for
    /// calls inside a cycle and of a function to itself: nothing flows there.
    pub flow: Option<(Times, u64)>,
}

impl ArcRow {
    /// Calls in the code whose target is in a register.
    const IN_REGISTER: Self = Self {
        partner: Partner::InRegister,
        count: 0,
        flow: Some((
            Times {
                self_time: 0.0,
                children: 0.0,
            },
            0,
        )),
    };
}

/// An entry: a function or a cycle, its callers above and its callees below.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function or cycle that the entry is of.
    pub reference: Reference,
    /// Share of the total, own and of what was called.
    pub percent: f64,
    /// Its own time and that of what it called, in units of the dimension.
    pub times: Times,
    /// Calls from others.
    pub calls: u64,
    /// Calls from itself.
    pub self_calls: u64,
    /// The callers, from least to most.
    pub callers: Vec<ArcRow>,
    /// The callees, from most to least.
    pub callees: Vec<ArcRow>,
    /// For a cycle, its members from most to least, instead of callees.
    pub members: Vec<Member>,
}

/// A line about a member in the entry of its cycle.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The function of the cycle.
    pub reference: Reference,
    /// Its own time and that of what it called, in units of the dimension.
    pub times: Times,
    /// Calls from others.
    pub calls: u64,
    /// Calls from itself.
    pub self_calls: u64,
}

/// The call graph as a report shows it.
#[derive(Debug)]
pub struct GraphReport {
    graph: CallGraph,
    topology: Topology,
    times: Propagation,
    visibility: Visibility,
    /// Everything that has a number, in order.
    order: Box<[GraphNode]>,
    function_numbers: Box<[u32]>,
    cycle_numbers: Box<[u32]>,
    rate: f64,
    shows_idle: bool,
    /// By line, which symbols are functions: these have entries, and cycles none.
    functions: Option<Box<[bool]>>,
    /// Time of all functions that count.
    pub total: f64,
    /// There is time at all.
    pub has_time: bool,
}

impl GraphReport {
    /// Puts functions and cycles in order and numbers them.
    #[must_use]
    pub fn new(
        graph: CallGraph,
        topology: Topology,
        times: Propagation,
        visibility: Visibility,
        table: &SymbolTable,
        scale: &Scale,
        shows_idle: bool,
    ) -> Self {
        let order = ordered(&times, table);
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
            shows_idle,
            functions: (table.granularity() == Granularity::Lines)
                .then(|| table.symbols().iter().map(|s| s.is_function).collect()),
        }
    }

    /// The share of the total that one tick is, in percent.
    #[must_use]
    pub fn percent_of_tick(&self) -> f64 {
        100.0 / self.total
    }

    /// The total in units of the dimension.
    #[must_use]
    pub fn total_time(&self) -> f64 {
        self.total / self.rate
    }

    /// The entries that are shown, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let is_shown = |subject: &&GraphNode| {
            let node = self.node(**subject);
            let is_idle = node.all_calls() == 0
                && node.calls == 0
                && node.shown_self == 0.0
                && node.shown_child == 0.0;
            self.is_shown(**subject)
                && (self.shows_idle || !is_idle)
                && self.can_have_entry(**subject)
        };
        self.order
            .iter()
            .filter(is_shown)
            .map(|&subject| self.entry(subject))
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

    /// The reference to a function.
    #[must_use]
    pub fn reference(&self, symbol: SymbolId) -> Reference {
        Reference {
            subject: GraphNode::Function(symbol),
            cycle: self.topology.cycle_of[symbol.index()],
            number: self.function_numbers[symbol.index()] as usize,
            is_shown: self.is_shown(GraphNode::Function(symbol)),
        }
    }

    /// References to all cycles.
    pub fn cycles(&self) -> impl Iterator<Item = Reference> {
        let numbers = (1..).map(CycleNumber).take(self.times.cycles.len());
        numbers.map(|number| self.reference_to(GraphNode::Cycle(number)))
    }

    /// The arcs.
    #[must_use]
    pub(super) fn graph(&self) -> &CallGraph {
        &self.graph
    }

    /// The numbers of a function.
    #[must_use]
    pub fn function(&self, symbol: SymbolId) -> &Node {
        self.times.function(symbol)
    }

    /// The numbers of all functions, by symbol.
    #[must_use]
    pub fn functions(&self) -> &[Node] {
        &self.times.functions
    }

    fn node(&self, subject: GraphNode) -> &Node {
        match subject {
            GraphNode::Function(symbol) => self.times.function(symbol),
            GraphNode::Cycle(cycle) => self.times.cycle(cycle),
        }
    }

    fn reference_to(&self, subject: GraphNode) -> Reference {
        match subject {
            GraphNode::Function(symbol) => self.reference(symbol),
            GraphNode::Cycle(cycle) => Reference {
                subject,
                cycle: Some(cycle),
                number: self.cycle_numbers[cycle.index()] as usize,
                is_shown: self.is_shown(subject),
            },
        }
    }

    fn entry(&self, subject: GraphNode) -> Entry {
        let node = self.node(subject);
        let (callers, callees, members) = match subject {
            GraphNode::Function(symbol) => (self.callers(symbol), self.callees(symbol), Vec::new()),
            GraphNode::Cycle(cycle) => (Vec::new(), Vec::new(), self.members(cycle)),
        };
        Entry {
            reference: self.reference_to(subject),
            percent: 100.0 * node.shown_total() / self.total,
            times: self.shown_times(node),
            calls: node.calls,
            self_calls: node.self_calls,
            callers,
            callees,
            members,
        }
    }

    fn callers(&self, symbol: SymbolId) -> Vec<ArcRow> {
        let mut arcs = self.graph.incoming(symbol).to_vec();
        arcs.sort_by(|&a, &b| self.compare(a, b));
        arcs.into_iter()
            .map(|index| self.row(index, symbol))
            .collect()
    }

    fn callees(&self, symbol: SymbolId) -> Vec<ArcRow> {
        let mut arcs = self.graph.outgoing(symbol).to_vec();
        arcs.sort_by(|&a, &b| self.compare(b, a));
        let n_others = arcs.partition_point(|&index| {
            let arc = self.graph.arc(index);
            !self.topology.are_together(arc.caller, arc.callee)
        });
        let rows = arcs.into_iter().map(|index| self.row(index, symbol));
        let mut rows: Vec<_> = rows.collect();
        if self.graph.calls_by_register[symbol.index()] {
            rows.insert(n_others, ArcRow::IN_REGISTER);
        }
        rows
    }

    /// Members from most time to least; equal ones as they joined the cycle.
    fn members(&self, cycle: CycleNumber) -> Vec<Member> {
        let mut members = self.topology.cycles[cycle.index()].members.to_vec();
        members.sort_by(|&a, &b| {
            let (a, b) = (self.times.function(a), self.times.function(b));
            let by_time = b.shown_total().partial_cmp(&a.shown_total());
            by_time
                .unwrap_or(Ordering::Equal)
                .then(b.all_calls().cmp(&a.all_calls()))
        });
        let row = |symbol| {
            let node = self.times.function(symbol);
            Member {
                reference: self.reference(symbol),
                times: self.shown_times(node),
                calls: node.calls,
                self_calls: node.self_calls,
            }
        };
        members.into_iter().map(row).collect()
    }

    fn shown_times(&self, node: &Node) -> Times {
        Times {
            self_time: node.shown_self / self.rate,
            children: node.shown_child / self.rate,
        }
    }

    /// The line for an arc in the entry of one of its ends.
    fn row(&self, index: u32, symbol: SymbolId) -> ArcRow {
        let arc = self.graph.arc(index);
        let partner = if arc.caller == symbol {
            arc.callee
        } else {
            arc.caller
        };
        let flow = self.times.flows[index as usize];
        let times = Times {
            self_time: flow.self_ticks / self.rate,
            children: flow.child_ticks / self.rate,
        };
        let is_inside = self.topology.are_together(arc.caller, arc.callee);
        ArcRow {
            partner: Partner::Known(self.reference(partner)),
            count: arc.count,
            flow: (!is_inside).then(|| (times, self.calls_of(arc.callee))),
        }
    }

    /// Calls of a function from others, or of its cycle if it is in one.
    fn calls_of(&self, symbol: SymbolId) -> u64 {
        match self.topology.cycle_of[symbol.index()] {
            Some(cycle) => self.times.cycle(cycle).calls,
            None => self.times.function(symbol).calls,
        }
    }

    /// Calls to itself come first, then calls inside a cycle by their number,
    /// then others by what flows along them and their number.
    fn compare(&self, left: u32, right: u32) -> Ordering {
        let rank = |index| {
            let arc = self.graph.arc(index);
            if arc.is_self_call() {
                0
            } else if self.topology.are_together(arc.caller, arc.callee) {
                1
            } else {
                2
            }
        };
        let flow = |index: u32| self.times.flows[index as usize].total();
        let count = |index| self.graph.arc(index).count;
        rank(left)
            .cmp(&rank(right))
            .then_with(|| flow(left).total_cmp(&flow(right)))
            .then_with(|| count(left).cmp(&count(right)))
    }
}

/// Everything by time, then cycles before functions and by their numbers, plain
/// names before those that start with `_`, more calls before fewer, at last by name.
fn ordered(times: &Propagation, table: &SymbolTable) -> Vec<GraphNode> {
    let functions = table.iter().map(|(id, _)| GraphNode::Function(id));
    let cycles = (1..).map(CycleNumber).take(times.cycles.len());
    let mut order: Vec<_> = functions.chain(cycles.map(GraphNode::Cycle)).collect();
    let node = |subject: &GraphNode| match subject {
        GraphNode::Function(symbol) => times.function(*symbol),
        GraphNode::Cycle(cycle) => times.cycle(*cycle),
    };
    let name = |subject: &GraphNode| match subject {
        GraphNode::Function(symbol) => Some(&*table.get(*symbol).name),
        GraphNode::Cycle(_) => None,
    };
    let is_low = |subject: &GraphNode| name(subject).is_some_and(|name| name.starts_with(b"_"));
    order.sort_by(|a, b| {
        let by_time = node(b).shown_total().total_cmp(&node(a).shown_total());
        by_time.then_with(|| match (name(a), name(b)) {
            (None, None) => Ordering::Equal,
            (left, right) => left
                .is_some()
                .cmp(&right.is_some())
                .then_with(|| is_low(a).cmp(&is_low(b)))
                .then_with(|| node(b).calls.cmp(&node(a).calls))
                .then_with(|| left.cmp(&right)),
        })
    });
    order
}
