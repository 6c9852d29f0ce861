//! The rows of the call graph, computed on demand.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::arcs::{ArcClass, OrderedArc, OrderedArcs};
use super::cells::{Cells, TotalBounds, bounds, columns};
use super::ranks::{GraphNode, GraphRanks, is_of_note};
use super::whole;
use crate::analyze::amount::Amount;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::cost_graph::{ArcCosts, CostGraph, CycleCosts, TotalsFrom};
use crate::analyze::cycles::CycleNumber;
use crate::analyze::sections::table::Columns;
use crate::analyze::sections::{Material, name};
use crate::report::{Cell, Row, RowKind, RowVisitor, Rows};
use crate::symbols::SymbolId;

/// Shows a row.
type ShowRow<'s> = dyn FnMut(RowKind, &Cells) -> io::Result<()> + 's;

pub(super) struct GraphRows {
    costs: Arc<CostGraph>,
    shows_zero_cost: bool,
    ranks: Arc<GraphRanks>,
    total: Amount,
    pub(super) columns: Columns<'static, Cells>,
    /// Bounds of flows are shown.
    has_bounds: bool,
    /// Guesses are marked.
    marks_guesses: bool,
    references: Box<[ArcEndCells]>,
    /// Bounds of the flow along one call, by callee; empty unless requested.
    bounds_of_calls: Box<[TotalBounds]>,
    arcs: OrderedArcs,
}

/// Cells about the other end of an arc, in one table because arcs lead anywhere.
#[derive(Clone, Copy)]
struct ArcEndCells {
    rank: u32,
    is_unlisted: bool,
    is_lower_bound: bool,
    cycle: Option<CycleNumber>,
    /// Calls from others, or of its cycle.
    calls: u64,
}

impl ArcEndCells {
    fn of(id: SymbolId, costs: &CostGraph, ranks: &GraphRanks) -> Self {
        let node = GraphNode::Function(id);
        Self {
            rank: ranks.rank(node),
            is_unlisted: !ranks.has_entry(node),
            is_lower_bound: costs.is_lower_bound(Some(id)),
            cycle: costs.cycle_of(id),
            calls: costs.calls_into(id),
        }
    }
}

impl GraphRows {
    pub(super) fn new(material: &Material<'_>, ranks: &Arc<GraphRanks>) -> Self {
        let ids = || material.table.iter().map(|(id, _)| id);
        let references = ids().map(|id| ArcEndCells::of(id, material.costs, ranks));
        let bounds = bounds(material);
        let costs = material.costs;
        let of_call = |bounds: &FlowBounds, id| TotalBounds::new(bounds.of_call(id), costs);
        let of_calls = bounds.map(|bounds| ids().map(|id| of_call(bounds, id)).collect());
        Self {
            references: references.collect(),
            bounds_of_calls: of_calls.unwrap_or_default(),
            costs: Arc::clone(material.costs),
            shows_zero_cost: material.options.shows_zero_cost,
            ranks: Arc::clone(ranks),
            total: whole(material.costs),
            columns: columns(material, whole(material.costs)),
            has_bounds: bounds.is_some(),
            marks_guesses: material.marks_guesses(),
            arcs: OrderedArcs::new(costs, material.options.shows_zero_cost),
        }
    }
}

/// A function or cycle with its callers, callees and members is an entry.
impl Rows for GraphRows {
    fn n_entries(&self) -> usize {
        self.ranks.order.len()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        let calls = &self.costs.calls;
        match self.ranks.order[entry] {
            node if !self.shows(node) => 0,
            GraphNode::Function(id) => 1 + calls.incoming(id).len() + calls.outgoing(id).len(),
            GraphNode::Cycle(cycle) => {
                let topology = self.costs.topology();
                1 + topology.map_or(0, |all| all.cycles[cycle.index()].members.len())
            }
        }
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        self.for_each_of_columns(entries, &[], visit)
    }

    fn for_each_of_columns(
        &self,
        entries: Range<usize>,
        wanted: &[usize],
        visit: &mut RowVisitor<'_>,
    ) -> io::Result<()> {
        let mut buffer = Vec::new();
        let mut show = |kind, cells: &Cells| {
            self.columns.fill_some(&mut buffer, cells, wanted);
            visit(Row { kind, cells: &buffer })
        };
        self.show_each(&self.ranks.order[entries], &mut show)
    }

    fn for_each_head(&self, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut buffer = Vec::new();
        for &node in self.ranks.order.iter().filter(|&&node| self.shows(node)) {
            let (kind, head) = match node {
                GraphNode::Function(id) => (RowKind::Entry, self.entry(id)),
                GraphNode::Cycle(cycle) => {
                    let members = self.members(cycle);
                    (RowKind::Cycle, self.cycle_entry(cycle, &members))
                }
            };
            self.columns.fill(&mut buffer, &head);
            visit(Row { kind, cells: &buffer })?;
        }
        Ok(())
    }
}

impl GraphRows {
    /// Returns whether any row assumes that all calls of a function cost the same. Computes
    /// rows up to the first one that does.
    pub(super) fn are_shared_out(&self) -> bool {
        let mut visit = |_, cells: &Cells| match cells.bounds {
            Some(bounds) if bounds.is_shared_out() => Err(io::Error::other("found")),
            _ => Ok(()),
        };
        self.show_each(&self.ranks.order, &mut visit).is_err()
    }

    fn show_each(&self, nodes: &[GraphNode], show: &mut ShowRow<'_>) -> io::Result<()> {
        for &node in nodes.iter().filter(|&&node| self.shows(node)) {
            match node {
                GraphNode::Function(id) => self.show_function(id, show)?,
                GraphNode::Cycle(cycle) => self.show_cycle(cycle, show)?,
            }
        }
        Ok(())
    }

    fn shows(&self, node: GraphNode) -> bool {
        let is_zero_cost = || match node {
            GraphNode::Function(_) => false,
            GraphNode::Cycle(cycle) => self.costs.cycle(cycle).is_zero_cost(),
        };
        self.ranks.has_entry(node) && (self.shows_zero_cost || !is_zero_cost())
    }

    /// The requested bounds, with the error of sampling.
    fn bounds_by(
        &self,
        shown: Amount,
        of: impl Fn(&FlowBounds) -> TickBounds,
    ) -> Option<TotalBounds> {
        let bounds = self.has_bounds.then(|| self.costs.flow_bounds()).flatten()?;
        Some(TotalBounds::around(shown, of(bounds), &self.costs))
    }

    /// Returns whether a shown sum is a guess.
    fn is_guess(&self, shown: Amount, of: impl Fn(&FlowBounds) -> TickBounds) -> bool {
        let bounds = self.marks_guesses.then(|| self.costs.propagated_bounds()).flatten();
        bounds.is_some_and(|bounds| self.costs.is_guess(shown, of(bounds)))
    }

    fn refer(&self, id: SymbolId) -> Cells {
        let ArcEndCells { rank, is_unlisted, is_lower_bound, cycle, calls: _ } =
            self.references[id.index()];
        Cells {
            rank: Some(rank),
            is_unlisted,
            is_lower_bound,
            name: name(id),
            cycle,
            ..Cells::default()
        }
    }

    /// Returns whether the profile has self or total costs.
    fn has_self(&self) -> bool {
        !self.costs.measures_nothing()
    }

    fn has_totals(&self) -> bool {
        self.costs.shape.totals_from != TotalsFrom::Nothing
    }

    fn show_function(&self, id: SymbolId, show: &mut ShowRow<'_>) -> io::Result<()> {
        let costs = &*self.costs;
        let outside = costs.calls.calls_from_outside[id.index()];
        if outside > 0 {
            show(RowKind::Caller, &self.unknown_caller(id, outside))?;
        }
        for &arc in self.arcs.callers(id) {
            show(RowKind::Caller, &self.arc(arc, id))?;
        }
        show(RowKind::Entry, &self.entry(id))?;
        let mut by_register = costs.calls.calls_by_register[id.index()].is_some();
        for &arc in self.arcs.callees(id) {
            // Calls through registers come before calls within a cycle.
            if by_register && arc.class != ArcClass::Between {
                show(RowKind::Callee, &self.in_register())?;
                by_register = false;
            }
            show(RowKind::Callee, &self.arc(arc, id))?;
        }
        if by_register {
            show(RowKind::Callee, &self.in_register())?;
        }
        Ok(())
    }

    fn entry(&self, id: SymbolId) -> Cells {
        let costs = &*self.costs;
        let metric = costs.shape.primary;
        let total = costs.total(id, metric);
        let is_counted = costs.counted.is_some() && !costs.calls.is_inlined(id);
        let calls = is_counted.then(|| costs.calls_of(id));
        Cells {
            percent: self.has_self().then(|| total.percent_of(self.total)),
            self_cost: self.has_self().then(|| costs.self_cost(id, metric)),
            children: self.has_totals().then(|| costs.children(id, metric)),
            calls: calls.map(|calls| calls.from_others),
            self_calls: calls.map(|calls| calls.from_self),
            paired: costs.shape.paired.map(|paired| costs.total(id, paired)),
            is_recursive: self.is_recursive(id),
            entry: Some(id).filter(|_| self.has_totals()),
            bounds: self.bounds_by(total, |bounds| bounds.of_function(id)),
            is_guess: self.marks_guesses && costs.is_guessed(id),
            is_unlimited: costs.is_lower_bound(Some(id)),
            ..self.refer(id)
        }
    }

    fn show_cycle(&self, cycle: CycleNumber, show: &mut ShowRow<'_>) -> io::Result<()> {
        let members = self.members(cycle);
        let entry = self.cycle_entry(cycle, &members);
        let is_lower_bound = entry.is_lower_bound;
        show(RowKind::Cycle, &entry)?;
        for member in members {
            let metric = self.costs.shape.primary;
            let calls = self.costs.calls_of(member);
            let total = self.costs.total(member, metric);
            let cells = Cells {
                self_cost: Some(self.costs.self_cost(member, metric)),
                children: Some(self.costs.children(member, metric)),
                calls: Some(calls.from_others),
                self_calls: Some(calls.from_self),
                bounds: self.bounds_by(total, |bounds| bounds.of_function(member)),
                is_guess: self.marks_guesses && self.costs.is_guessed(member),
                is_unlimited: is_lower_bound,
                ..self.refer(member)
            };
            show(RowKind::Member, &cells)?;
        }
        Ok(())
    }

    fn cycle_entry(&self, cycle: CycleNumber, members: &[SymbolId]) -> Cells {
        let CycleCosts { self_cost, children, calls } = *self.costs.cycle(cycle);
        // Recorded costs of the cycle as a whole are exact.
        let is_lower_bound = self.costs.sampling.is_some()
            && members.iter().any(|&member| self.costs.is_lower_bound(Some(member)));
        let total = self_cost.plus(children);
        Cells {
            rank: Some(self.ranks.rank(GraphNode::Cycle(cycle))),
            percent: Some(total.percent_of(self.total)),
            self_cost: Some(self_cost),
            children: Some(children),
            calls: Some(calls.from_others),
            self_calls: Some(calls.from_self),
            name: Cell::text(format!("<cycle {} as a whole>", cycle.0)),
            cycle: Some(cycle),
            bounds: self.bounds_by(total, |bounds| bounds.of_cycle(cycle)),
            is_guess: self.is_guess(total, |bounds| bounds.of_cycle(cycle)),
            is_lower_bound,
            is_unlimited: is_lower_bound,
            ..Cells::default()
        }
    }

    /// Members by cost; equal ones in the order in which they joined the cycle.
    fn members(&self, cycle: CycleNumber) -> Vec<SymbolId> {
        let Some(topology) = self.costs.topology() else {
            return Vec::new();
        };
        let mut members = topology.cycles[cycle.index()].members.to_vec();
        let total = |id| self.costs.total(id, self.costs.shape.primary);
        let calls = |id| self.costs.calls_of(id).all();
        members.sort_by(|&a, &b| {
            let by_total = total(b).compare(total(a));
            by_total.then_with(|| calls(b).cmp(&calls(a)))
        });
        members
    }

    fn is_recursive(&self, id: SymbolId) -> bool {
        if self.costs.shape.totals_from == TotalsFrom::Arcs {
            return self.costs.calls_of(id).from_self > 0;
        }
        let counts_calls = self.costs.counted.is_some();
        let arcs = self.costs.calls.outgoing(id).iter();
        let mut to_itself = arcs.filter(|&&arc| self.costs.calls.arc(arc).is_self_call());
        !counts_calls && to_itself.any(|&arc| self.shows_zero_cost || is_of_note(&self.costs, arc))
    }

    fn arc(&self, OrderedArc { index, class }: OrderedArc, entry: SymbolId) -> Cells {
        let costs = &*self.costs;
        let arc = costs.calls.arc(index);
        let partner = if arc.caller == entry { arc.callee } else { arc.caller };
        let counts_calls = costs.counted.is_some() && !costs.calls.is_inlined(arc.callee);
        let mut cells = self.refer(partner);
        // The cost of a recorded call is exact, even if the total of its callee is not.
        cells.is_lower_bound &= costs.sampling.is_some();
        cells.calls = counts_calls.then_some(arc.count);
        cells.is_tail_call = costs.is_tail_call(arc);
        if class != ArcClass::Between {
            let flow = costs.flow(index, costs.shape.primary);
            let flow = flow.filter(|_| costs.shape.totals_from == TotalsFrom::Arcs);
            cells.total_in_cycle = flow.map(ArcCosts::total);
            cells.arc = flow.map(|_| index);
            return cells;
        }
        if let Some(flow) = costs.flow(index, costs.shape.primary) {
            cells.arc = Some(index);
            cells.percent = Some(flow.total().percent_of(self.total));
            cells.self_cost = flow.self_cost;
            cells.children = Some(flow.children);
            cells.is_guess = self.is_guess(flow.total(), |bounds| bounds.of_call(arc.callee));
        }
        let bounds = self.bounds_of_calls.get(arc.callee.index());
        cells.bounds = bounds.copied().filter(|_| arc.count > 0);
        let callee = &self.references[arc.callee.index()];
        cells.is_unlimited = callee.is_lower_bound;
        cells.calls_of_callee = counts_calls.then_some(callee.calls);
        if let Some(paired) = costs.shape.paired
            && let Some(flow) = costs.flow(index, paired)
        {
            cells.paired = Some(flow.total());
            cells.paired_of_callee = Some(costs.total(arc.callee, paired));
        }
        cells
    }

    fn unknown_caller(&self, id: SymbolId, count: u64) -> Cells {
        let flow = self.costs.flow_from_outside(id);
        Cells {
            self_cost: flow.self_cost,
            children: Some(flow.children),
            calls: Some(count),
            calls_of_callee: Some(self.costs.calls_into(id)),
            name: Cell::text("<unknown>"),
            bounds: self.bounds_by(flow.total(), |bounds| bounds.of_call(id)),
            is_guess: self.is_guess(flow.total(), |bounds| bounds.of_call(id)),
            is_unlimited: self.costs.is_lower_bound(Some(id)),
            ..Cells::default()
        }
    }

    /// Indirect calls in the code.
    fn in_register(&self) -> Cells {
        Cells {
            self_cost: Some(Amount::Ticks(0.0)),
            children: Some(Amount::Ticks(0.0)),
            calls: Some(0),
            calls_of_callee: Some(0),
            name: Cell::text("<indirect child>"),
            ..Cells::default()
        }
    }
}
