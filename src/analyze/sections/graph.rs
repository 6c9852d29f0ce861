//! The call graph: functions with their callers and callees.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::io;

use super::{Material, name};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, CycleCosts, Measured, TotalsFrom};
use crate::analyze::cycles::CycleNumber;
use crate::analyze::propagation::Calls;

use crate::report::{
    Cell, Column, LOWER_BOUND, Layout, Role, Row, RowKind, Rows, Section, SectionId,
};
use crate::symbols::{Granularity, SymbolId, SymbolTable};

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphNode {
    Function(SymbolId),
    Cycle(CycleNumber),
}

/// The order of functions and cycles, the numbers that they have in it, and which of
/// them have entries.
#[derive(Debug)]
pub struct GraphRanks {
    order: Vec<GraphNode>,
    function_ranks: Box<[u32]>,
    cycle_ranks: Box<[u32]>,
    has_entry: Box<[bool]>,
    cycles_have_entries: bool,
}

impl GraphRanks {
    /// Ranks everything by its total. Numbers are the same whatever filters show.
    #[must_use]
    pub fn new(material: &Material<'_>) -> Self {
        let arcs_of_note = nodes_with_calls(material);
        let shows_idle = material.options.shows_idle;
        let is_idle =
            |id: SymbolId| !shows_idle && !arcs_of_note[id.index()] && is_idle(material.costs, id);
        let mut order = order(material);
        if material.costs.call_counts.is_none() {
            order.retain(|node| !matches!(node, GraphNode::Function(id) if is_idle(*id)));
        }
        let mut function_ranks = vec![0; material.costs.n_nodes()];
        let mut cycle_ranks = vec![0; material.costs.cycles.len()];
        for (rank, node) in (1..).zip(&order) {
            match node {
                GraphNode::Function(id) => function_ranks[id.index()] = rank,
                GraphNode::Cycle(cycle) => cycle_ranks[cycle.index()] = rank,
            }
        }
        let ids = material.table.iter().map(|(id, _)| id);
        let has_entry = ids.map(|id| {
            material.filters.graph.contains(id)
                && can_have_entry(material.table, id)
                && !is_idle(id)
        });
        Self {
            order,
            function_ranks: function_ranks.into(),
            cycle_ranks: cycle_ranks.into(),
            has_entry: has_entry.collect(),
            cycles_have_entries: material.filters.graph.is_all()
                && material.table.granularity() != Granularity::Lines,
        }
    }

    pub(super) fn rank(&self, node: GraphNode) -> u32 {
        match node {
            GraphNode::Function(id) => self.function_ranks[id.index()],
            GraphNode::Cycle(cycle) => self.cycle_ranks[cycle.index()],
        }
    }

    pub(super) fn has_entry(&self, node: GraphNode) -> bool {
        match node {
            GraphNode::Function(id) => self.has_entry[id.index()],
            GraphNode::Cycle(_) => self.cycles_have_entries,
        }
    }
}

/// By line, only functions have entries.
fn can_have_entry(table: &SymbolTable, id: SymbolId) -> bool {
    match table.granularity() {
        Granularity::Functions => true,
        Granularity::Lines => table.get(id).is_function,
        Granularity::Inlines => table.holder(id) == id,
    }
}

/// Whether a function has neither costs nor calls.
fn is_idle(costs: &CostGraph, id: SymbolId) -> bool {
    let Calls {
        from_others,
        from_self,
    } = costs.calls_of(id);
    let metrics = || costs.shown_metrics();
    costs.is_free(id)
        && metrics().all(|metric| costs.children(id, metric).is_zero())
        && from_others == 0
        && from_self == 0
}

/// The functions at the ends of arcs along which something flowed, or may have.
fn nodes_with_calls(material: &Material<'_>) -> Vec<bool> {
    let costs = material.costs;
    let mut has_call = vec![false; costs.n_nodes()];
    // Counted calls show in the counts.
    if costs.call_counts.is_none() {
        for (index, arc) in (0..).zip(costs.calls.arcs()) {
            if is_of_note(costs, index) {
                has_call[arc.caller.index()] = true;
                has_call[arc.callee.index()] = true;
            }
        }
    }
    has_call
}

fn is_of_note(costs: &CostGraph, arc: u32) -> bool {
    let flowed = |metric| {
        let flow = costs.flow(arc, metric);
        flow.is_none_or(|flow| !flow.total().is_zero())
    };
    costs.call_counts.is_some() || costs.shown_metrics().any(flowed)
}

/// Everything by its total, then cycles before functions and by their numbers. Among
/// equal functions: more of their own, or plain names before those that start with
/// `_` and more calls before fewer; at last by name.
fn order(material: &Material<'_>) -> Vec<GraphNode> {
    let &Material { costs, table, .. } = material;
    let functions = table.iter().map(|(id, _)| GraphNode::Function(id));
    let cycles = (1..).map(CycleNumber).take(costs.cycles.len());
    let mut order: Vec<_> = functions.chain(cycles.map(GraphNode::Cycle)).collect();
    let primary = costs.primary;
    let total = |node: GraphNode| match node {
        GraphNode::Function(id) => costs.total(id, primary),
        GraphNode::Cycle(cycle) => {
            let CycleCosts {
                self_cost,
                children,
                ..
            } = *costs.cycle(cycle);
            self_cost.plus(children)
        }
    };
    let spelled = |id: SymbolId| &*table.get(id).name;
    let compare_functions = |a: SymbolId, b: SymbolId| {
        if costs.totals_from != TotalsFrom::Calls {
            return costs
                .self_cost(b, primary)
                .compare(costs.self_cost(a, primary));
        }
        let is_low = |id| spelled(id).starts_with(b"_");
        let calls = |id| costs.calls_of(id).from_others;
        is_low(a)
            .cmp(&is_low(b))
            .then_with(|| calls(b).cmp(&calls(a)))
    };
    order.sort_by(|&a, &b| {
        let by_total = total(b).compare(total(a));
        by_total.then_with(|| match (a, b) {
            (GraphNode::Function(a), GraphNode::Function(b)) => {
                compare_functions(a, b).then_with(|| material.compare_names(a, b))
            }
            (GraphNode::Cycle(a), GraphNode::Cycle(b)) => a.cmp(&b),
            (GraphNode::Cycle(_), GraphNode::Function(_)) => Ordering::Less,
            (GraphNode::Function(_), GraphNode::Cycle(_)) => Ordering::Greater,
        })
    });
    order
}

/// The call graph of what `filters` show.
#[must_use]
pub fn graph_section<'a>(material: &Material<'a>, ranks: &'a GraphRanks) -> Section<'a> {
    Section {
        id: SectionId::Graph,
        title: "Call graph".into(),
        layout: material.layout(),
        summary: summary(material),
        columns: columns(material).into(),
        rows: Box::new(GraphRows {
            costs: material.costs,
            shows_idle: material.options.shows_idle,
            ranks,
            total: whole(material.costs),
            sorted: OnceCell::new(),
        }),
        notes: material.costs.notes_on_time(),
    }
}

/// What shares are shares of: the time of functions, or all that there is.
fn whole(costs: &CostGraph) -> Amount {
    match &costs.sampling {
        Some(sampling) => Amount::Ticks(sampling.ticks_in_functions),
        None => costs.all(costs.primary),
    }
}

fn summary(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        let mut summary = material.sum_up();
        summary.extend(about_calls(costs.totals_from).lines().map(str::to_owned));
        return summary;
    };
    let total = sampling.ticks_in_functions;
    let whole = if total > 0.0 { total } else { 1.0 };
    let share = (total > 0.0).then(|| 100.0 / whole);
    let unit = costs.unit(costs.primary);
    vec![sampling.granularity(share, whole, &unit, "propagated")]
}

fn about_calls(totals_from: TotalsFrom) -> &'static str {
    match totals_from {
        TotalsFrom::Stacks => "Along each call stands what was recorded with it on the stack.",
        TotalsFrom::Arcs => {
            "Along each call stands what it cost with all that was called meanwhile."
        }
        TotalsFrom::Profile | TotalsFrom::Nothing | TotalsFrom::Calls => {
            "Calls are those that the compiler saw as possible. What flowed along them was not\n\
             recorded; a tail call stands as one of its caller's caller."
        }
    }
}

/// The cells of a row, by what they say.
#[derive(Default)]
struct Cells {
    rank: Option<u32>,
    /// The other end of an arc has no entry of its own.
    is_unlisted: bool,
    percent: Option<f64>,
    self_cost: Option<Amount>,
    children: Option<Amount>,
    calls: Option<u64>,
    self_calls: Option<u64>,
    calls_of_callee: Option<u64>,
    paired: Option<Amount>,
    paired_of_callee: Option<Amount>,
    is_recursive: bool,
    is_lower_bound: bool,
    name: Cell,
    cycle: Option<CycleNumber>,
}

fn columns(material: &Material<'_>) -> Vec<Column> {
    let costs = material.costs;
    let metric = costs.primary;
    let (unit, is_timed) = (costs.unit(metric), costs.ticks_per_unit(metric).is_some());
    let fixed = material.layout() != Layout::Table;
    let children_width = match material.layout() {
        Layout::Gprof => 7,
        Layout::Bsd => 11,
        Layout::Table => 9,
    };
    let self_width = if fixed { 7 } else { 9 };
    let head = |what: &str| ["".to_owned(), what.to_owned()];
    let id = |id: &str| {
        if is_timed {
            costs.timed_id(id, metric)
        } else {
            id.to_owned()
        }
    };
    let mut columns = vec![
        Column::shown("index", Role::Index, head("index")),
        Column::shown("percent", Role::Share, head(&format!("% {unit}")))
            .of(metric)
            .printed(if fixed { 5 } else { 9 }, 1),
        Column::shown(id("self"), Role::SelfValue, head("self"))
            .of(metric)
            .printed(self_width, 2),
        Column::shown(id("children"), Role::Children, head("children"))
            .of(metric)
            .printed(children_width, 2),
        Column::shown("calls", Role::Calls, head("called")).printed(7, 0),
        Column::hidden("self_calls", Role::Calls),
        Column::hidden("of_calls", Role::Calls),
        Column::shown("name", Role::Name, head("name")),
        Column::hidden("cycle", Role::Index),
        Column::hidden("unlisted", Role::Other),
        Column::hidden("recursive", Role::Other),
        Column::hidden("self_percent", Role::Share).of(metric),
        Column::hidden("total", Role::Total).of(metric),
    ];
    if costs.call_counts.is_none() {
        columns[4].print = None;
    }
    if let Some(paired) = costs.paired {
        let metric = &costs.metrics[paired];
        let head = head(&metric.unit);
        let shown = Column::shown(metric.id.clone(), Role::Total, head);
        columns.push(shown.of(paired).printed(0, 0));
        let of = Column::hidden(format!("of_{}", metric.id), Role::Count);
        columns.push(of.of(paired));
    }
    if is_timed {
        columns.push(Column::hidden("self", Role::SelfValue).of(metric));
        columns.push(Column::hidden("children", Role::Children).of(metric));
        columns.push(Column::hidden(costs.timed_id("total", metric), Role::Total).of(metric));
    }
    if costs.has_lower_bounds() {
        columns.push(Column::hidden(LOWER_BOUND, Role::Other));
    }
    columns
}

struct GraphRows<'a> {
    costs: &'a CostGraph,
    shows_idle: bool,
    ranks: &'a GraphRanks,
    total: Amount,
    /// Made when rows are first asked for: text asks twice.
    sorted: OnceCell<SortedArcs>,
}

/// The arcs of all entries in the order in which they are shown.
struct SortedArcs {
    arcs: Vec<u32>,
    /// Where the callers of each function start, and where its callees do.
    starts: Vec<[u32; 2]>,
}

impl SortedArcs {
    fn callers(&self, id: SymbolId) -> &[u32] {
        let [start, end] = self.starts[id.index()];
        &self.arcs[start as usize..end as usize]
    }

    fn callees(&self, id: SymbolId) -> &[u32] {
        let start = self.starts[id.index()][1];
        let next = self.starts.get(id.index() + 1);
        let end = next.map_or(self.arcs.len(), |&[start, _]| start as usize);
        &self.arcs[start as usize..end]
    }
}

impl Rows for GraphRows<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut buffer = Vec::new();
        let mut show = |kind, cells: &Cells| {
            self.fill(&mut buffer, cells);
            visit(Row {
                kind,
                cells: &buffer,
            })
        };
        for &node in &self.ranks.order {
            match node {
                GraphNode::Function(id) if self.ranks.has_entry(node) => {
                    self.show_function(id, &mut show)?;
                }
                GraphNode::Cycle(cycle) if self.shows_cycle(cycle) => {
                    self.show_cycle(cycle, &mut show)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl GraphRows<'_> {
    /// The cells in the order of `columns`.
    fn fill(&self, buffer: &mut Vec<Cell>, cells: &Cells) {
        let costs = self.costs;
        let metric = costs.primary;
        let readable = |amount: Option<Amount>| {
            amount.map_or(Cell::Absent, |amount| costs.readable(amount, metric))
        };
        let plain = |amount: Option<Amount>| amount.map_or(Cell::Absent, Cell::from);
        let total = match (cells.self_cost, cells.children) {
            (Some(self_cost), Some(children)) => Some(self_cost.plus(children)),
            (self_cost, children) => self_cost.or(children),
        };
        buffer.clear();
        buffer.extend([
            Cell::integer(cells.rank),
            cells.percent.map_or(Cell::Absent, Cell::Real),
            readable(cells.self_cost),
            readable(cells.children),
            Cell::integer(cells.calls),
            Cell::integer(cells.self_calls),
            Cell::integer(cells.calls_of_callee),
            cells.name.clone(),
            Cell::integer(cells.cycle.map(|cycle| cycle.0)),
            Cell::flag(cells.is_unlisted),
            Cell::flag(cells.is_recursive),
            match (cells.percent, cells.self_cost) {
                (Some(_), Some(self_cost)) => Cell::Real(self_cost.percent_of(self.total)),
                _ => Cell::Absent,
            },
            plain(total),
        ]);
        if costs.paired.is_some() {
            buffer.extend([plain(cells.paired), plain(cells.paired_of_callee)]);
        }
        if costs.ticks_per_unit(metric).is_some() {
            buffer.extend([
                plain(cells.self_cost),
                plain(cells.children),
                readable(total),
            ]);
        }
        if costs.has_lower_bounds() {
            buffer.push(Cell::flag(cells.is_lower_bound));
        }
    }

    fn shows_cycle(&self, cycle: CycleNumber) -> bool {
        let CycleCosts {
            self_cost,
            children,
            calls,
        } = *self.costs.cycle(cycle);
        let is_idle = self_cost.is_zero()
            && children.is_zero()
            && calls.from_others == 0
            && calls.from_self == 0;
        self.ranks.has_entry(GraphNode::Cycle(cycle)) && (self.shows_idle || !is_idle)
    }

    fn refer(&self, id: SymbolId) -> Cells {
        let node = GraphNode::Function(id);
        Cells {
            rank: Some(self.ranks.rank(node)),
            is_unlisted: !self.ranks.has_entry(node),
            is_lower_bound: self.costs.is_lower_bound(Some(id)),
            name: name(id),
            cycle: self.costs.cycle_of(id),
            ..Cells::default()
        }
    }

    /// Whether the profile says what functions cost, alone or with what they called.
    fn has_self(&self) -> bool {
        self.costs.measured != Measured::Nothing
    }

    fn has_totals(&self) -> bool {
        self.costs.totals_from != TotalsFrom::Nothing
    }

    fn show_function(
        &self,
        id: SymbolId,
        show: &mut impl FnMut(RowKind, &Cells) -> io::Result<()>,
    ) -> io::Result<()> {
        let costs = self.costs;
        let metric = costs.primary;
        let outside = costs.calls.calls_from_outside[id.index()];
        if outside > 0 {
            show(RowKind::Caller, &self.unknown_caller(id, outside))?;
        }
        let sorted = self.sorted.get_or_init(|| self.sort_arcs());
        for &arc in sorted.callers(id) {
            show(RowKind::Caller, &self.arc(arc, id))?;
        }
        let calls = costs.call_counts.as_ref().map(|counts| counts[id.index()]);
        let entry = Cells {
            percent: self
                .has_self()
                .then(|| costs.total(id, metric).percent_of(self.total)),
            self_cost: self.has_self().then(|| costs.self_cost(id, metric)),
            children: self.has_totals().then(|| costs.children(id, metric)),
            calls: calls.map(|calls| calls.from_others),
            self_calls: calls.map(|calls| calls.from_self),
            paired: costs.paired.map(|paired| costs.total(id, paired)),
            is_recursive: self.is_recursive(id),
            ..self.refer(id)
        };
        show(RowKind::Entry, &entry)?;
        let mut by_register = costs.calls.calls_by_register[id.index()];
        for &arc in sorted.callees(id) {
            // What registers lead to stands before calls within a cycle.
            if by_register && self.class_of(arc) != ArcClass::Between {
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

    fn show_cycle(
        &self,
        cycle: CycleNumber,
        show: &mut impl FnMut(RowKind, &Cells) -> io::Result<()>,
    ) -> io::Result<()> {
        let CycleCosts {
            self_cost,
            children,
            calls,
        } = *self.costs.cycle(cycle);
        let entry = Cells {
            rank: Some(self.ranks.rank(GraphNode::Cycle(cycle))),
            percent: Some(self_cost.plus(children).percent_of(self.total)),
            self_cost: Some(self_cost),
            children: Some(children),
            calls: Some(calls.from_others),
            self_calls: Some(calls.from_self),
            name: Cell::text(format!("<cycle {} as a whole>", cycle.0)),
            cycle: Some(cycle),
            ..Cells::default()
        };
        show(RowKind::Cycle, &entry)?;
        for member in self.members(cycle) {
            let metric = self.costs.primary;
            let calls = self.costs.calls_of(member);
            let cells = Cells {
                self_cost: Some(self.costs.self_cost(member, metric)),
                children: Some(self.costs.children(member, metric)),
                calls: Some(calls.from_others),
                self_calls: Some(calls.from_self),
                ..self.refer(member)
            };
            show(RowKind::Member, &cells)?;
        }
        Ok(())
    }

    /// Members from most to least; equal ones as they joined the cycle.
    fn members(&self, cycle: CycleNumber) -> Vec<SymbolId> {
        let Some(topology) = &self.costs.topology else {
            return Vec::new();
        };
        let mut members = topology.cycles[cycle.index()].members.to_vec();
        let total = |id| self.costs.total(id, self.costs.primary);
        let calls = |id| {
            let calls = self.costs.calls_of(id);
            calls.from_others.wrapping_add(calls.from_self)
        };
        members.sort_by(|&a, &b| {
            let by_total = total(b).compare(total(a));
            by_total.then_with(|| calls(b).cmp(&calls(a)))
        });
        members
    }

    fn is_recursive(&self, id: SymbolId) -> bool {
        if self.costs.totals_from == TotalsFrom::Arcs {
            return self.costs.calls_of(id).from_self > 0;
        }
        let counts_calls = self.costs.call_counts.is_some();
        let arcs = self.costs.calls.outgoing(id).iter();
        let mut to_itself = arcs.filter(|&&arc| self.costs.calls.arc(arc).is_self_call());
        !counts_calls && to_itself.any(|&arc| self.shows_idle || is_of_note(self.costs, arc))
    }

    fn class_of(&self, arc: u32) -> ArcClass {
        let arc = self.costs.calls.arc(arc);
        let topology = self.costs.topology.as_ref();
        if arc.is_self_call() {
            ArcClass::Recursion
        } else if topology.is_some_and(|all| all.are_together(arc.caller, arc.callee)) {
            ArcClass::WithinCycle
        } else {
            ArcClass::Between
        }
    }

    fn sort_arcs(&self) -> SortedArcs {
        let calls = &self.costs.calls;
        let mut sorted = SortedArcs {
            arcs: Vec::new(),
            starts: Vec::with_capacity(calls.n_symbols()),
        };
        let position = |arcs: &Vec<u32>| {
            // Each arc is here twice at most, and has a number of four bytes itself.
            u32::try_from(arcs.len()).expect("there are fewer than two thousand million arcs")
        };
        for id in (0..).map(SymbolId).take(calls.n_symbols()) {
            let has_entry = self.ranks.has_entry(GraphNode::Function(id));
            let start = position(&sorted.arcs);
            if has_entry {
                let callers = self.sorted(calls.incoming(id), ArcOrder::Rising);
                sorted.arcs.extend(callers);
            }
            sorted.starts.push([start, position(&sorted.arcs)]);
            if has_entry {
                let callees = self.sorted(calls.outgoing(id), ArcOrder::Falling);
                sorted.arcs.extend(callees);
            }
        }
        sorted
    }

    /// The arcs that are shown, in the order of their weights: those of functions to
    /// themselves, then those within cycles, then others by what flows along them; or
    /// the other way round.
    fn sorted(&self, arcs: &[u32], order: ArcOrder) -> Vec<u32> {
        let counts_calls = self.costs.call_counts.is_some();
        let is_shown = |&arc: &u32| {
            (counts_calls || self.class_of(arc) != ArcClass::Recursion)
                && (self.shows_idle || is_of_note(self.costs, arc))
        };
        let mut sorted: Vec<_> = arcs.iter().copied().filter(is_shown).collect();
        let is_rising = order == ArcOrder::Rising;
        // Equal callers stand against the order of their names.
        if is_rising && !counts_calls {
            sorted.reverse();
        }
        let weight = |arc| self.weight(arc, is_rising);
        let count = |arc: u32| self.costs.calls.arc(arc).count;
        sorted.sort_by(|&a, &b| {
            let (a, b) = if is_rising { (a, b) } else { (b, a) };
            let by_class = self.class_of(a).cmp(&self.class_of(b));
            by_class
                .then_with(|| weight(a).compare(weight(b)))
                .then_with(|| count(a).cmp(&count(b)))
        });
        sorted
    }

    /// What flows along an arc or, where that is not known, what its other end has.
    fn weight(&self, arc: u32, of_caller: bool) -> Amount {
        let metric = self.costs.primary;
        if let Some(flow) = self.costs.flow(arc, metric) {
            return flow.total();
        }
        let arc = self.costs.calls.arc(arc);
        let other = if of_caller { arc.caller } else { arc.callee };
        self.costs.total(other, metric)
    }

    /// The line for an arc in the entry of one of its ends.
    fn arc(&self, index: u32, entry: SymbolId) -> Cells {
        let costs = self.costs;
        let arc = costs.calls.arc(index);
        let partner = if arc.caller == entry {
            arc.callee
        } else {
            arc.caller
        };
        let counts_calls = costs.call_counts.is_some();
        let mut cells = self.refer(partner);
        cells.calls = counts_calls.then_some(arc.count);
        if self.class_of(index) != ArcClass::Between {
            return cells;
        }
        if let Some(flow) = costs.flow(index, costs.primary) {
            cells.percent = Some(flow.total().percent_of(self.total));
            cells.self_cost = flow.self_cost;
            cells.children = Some(flow.children);
        }
        cells.calls_of_callee = counts_calls.then(|| self.calls_of(arc.callee));
        if let Some(paired) = costs.paired
            && let Some(flow) = costs.flow(index, paired)
        {
            cells.paired = Some(flow.total());
            cells.paired_of_callee = Some(costs.total(arc.callee, paired));
        }
        cells
    }

    /// Calls of a function from others, or of its cycle if it is in one.
    fn calls_of(&self, id: SymbolId) -> u64 {
        match self.costs.cycle_of(id) {
            Some(cycle) => self.costs.cycle(cycle).calls.from_others,
            None => self.costs.calls_of(id).from_others,
        }
    }

    fn unknown_caller(&self, id: SymbolId, count: u64) -> Cells {
        let metric = self.costs.primary;
        let calls = self.calls_of(id);
        let (self_cost, children) = match self.costs.cycle_of(id) {
            Some(cycle) => {
                let costs = self.costs.cycle(cycle);
                (costs.self_cost, costs.children)
            }
            None => (
                self.costs.self_cost(id, metric),
                self.costs.children(id, metric),
            ),
        };
        let share = count as f64 / calls as f64;
        let part = |amount: Amount| Some(Amount::Ticks(amount.as_f64() * share));
        Cells {
            self_cost: part(self_cost),
            children: part(children),
            calls: Some(count),
            calls_of_callee: Some(calls),
            name: Cell::text("<unknown>"),
            ..Cells::default()
        }
    }

    /// Calls in the code whose target is in a register.
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

/// Callers stand from least to most above their entry, callees from most to least
/// below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcOrder {
    Rising,
    Falling,
}

/// Calls that carry nothing stand apart from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ArcClass {
    Recursion,
    WithinCycle,
    Between,
}
