//! The columns of the call graph, and the cells of its rows.

use std::sync::Arc;

use crate::analyze::amount::Amount;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::call_graph::GraphArc;
use crate::analyze::cost_graph::{ArcCosts, CostGraph, TotalsFrom};
use crate::analyze::cycles::CycleNumber;
use crate::analyze::sections::Material;
use crate::analyze::sections::table::Columns;
use crate::analyze::sections::uncertainty::guess_mark;
use crate::report::{
    Basis, Cell, Column, IN_CYCLE, LOWER_BOUND, Layout, MetricIndex, Role, TAIL_CALL,
};
use crate::symbols::SymbolId;

#[derive(Default)]
pub(super) struct Cells {
    pub(super) rank: Option<u32>,
    /// The other end of an arc has no entry.
    pub(super) is_unlisted: bool,
    pub(super) percent: Option<f64>,
    pub(super) self_cost: Option<Amount>,
    pub(super) children: Option<Amount>,
    pub(super) calls: Option<u64>,
    pub(super) self_calls: Option<u64>,
    pub(super) calls_of_callee: Option<u64>,
    pub(super) paired: Option<Amount>,
    pub(super) paired_of_callee: Option<Amount>,
    /// The function of an entry, and the arc whose cost is shown.
    pub(super) entry: Option<SymbolId>,
    pub(super) arc: Option<u32>,
    /// Recorded cost of a call within a cycle, which other calls include.
    pub(super) total_in_cycle: Option<Amount>,
    pub(super) is_recursive: bool,
    /// A counter of the function or its callees was full.
    pub(super) is_lower_bound: bool,
    /// The caller's last act was a jump to the callee.
    pub(super) is_tail_call: bool,
    pub(super) name: Cell,
    pub(super) cycle: Option<CycleNumber>,
    /// Bounds of the sum of self and children.
    pub(super) bounds: Option<TotalBounds>,
    /// The sum has no upper bound: a counter was full.
    pub(super) is_unlimited: bool,
    /// The assumption of equal calls decides the sum.
    pub(super) is_guess: bool,
}

/// Bounds of a sum of self and children.
#[derive(Clone, Copy)]
pub(super) struct TotalBounds {
    /// Only the shown value is possible, apart from the error of sampling.
    is_tight: bool,
    /// With the error of sampling.
    limits: TickBounds,
}

impl TotalBounds {
    pub(super) fn new(bounds: TickBounds, costs: &CostGraph) -> Self {
        Self { is_tight: bounds.are_tight(), limits: costs.with_sampling_error(bounds) }
    }

    /// The bounds of a shown sum, which may be outside of them for a member of a cycle.
    pub(super) fn around(shown: Amount, bounds: TickBounds, costs: &CostGraph) -> Self {
        let all = Self::new(bounds, costs);
        Self { is_tight: all.is_tight && bounds.contain(shown.as_f64()), ..all }
    }

    pub(super) fn is_shared_out(&self) -> bool {
        !self.is_tight
    }
}

/// Bounds of flows, if requested and not exact.
pub(super) fn bounds<'a>(material: &Material<'a>) -> Option<&'a FlowBounds> {
    let costs = material.costs;
    let has_error = material.options.has_error && costs.has_samples();
    has_error.then(|| costs.flow_bounds()).flatten()
}

/// Returns whether the costs of recursive calls were recorded.
fn has_calls_in_cycles(costs: &CostGraph) -> bool {
    let is_inner = |arc: &GraphArc| {
        let cycle = costs.cycle_of(arc.caller);
        arc.is_self_call() || cycle.is_some() && cycle == costs.cycle_of(arc.callee)
    };
    costs.shape.totals_from == TotalsFrom::Arcs && costs.calls.arcs().iter().any(is_inner)
}

pub(super) fn columns(material: &Material<'_>, whole: Amount) -> Columns<'static, Cells> {
    let costs = material.costs;
    let metric = costs.shape.primary;
    let (unit, is_timed) = (costs.unit(metric), costs.ticks_per_unit(metric).is_some());
    let fixed = material.layout() != Layout::Table;
    let children_width = match material.layout() {
        Layout::Gprof => 7,
        Layout::Bsd => 11,
        Layout::Table => 9,
    };
    let self_width = if fixed { 7 } else { 9 };
    let decimals = costs.decimals();
    let timed_width = |width: u8| width + decimals - 2;
    let head = |what: &str| [String::new(), what.to_owned()];
    let id = |id: &str| costs.shown_id(id, metric);
    let readable = {
        let reader = costs.reader(metric);
        move |amount: Option<Amount>| amount.map(reader)
    };
    let mut columns = Columns::<Cells>::new()
        .shown(Role::Index, "index", head("index"), |row| row.rank)
        .shown(Role::Share, "percent", head(&format!("% {unit}")), |row| row.percent)
        .of(metric)
        .printed(if fixed { 5 } else { 9 }, 1)
        .shown(Role::SelfValue, id("self"), head("self"), move |row| readable(row.self_cost))
        .of(metric)
        .printed(timed_width(self_width), decimals)
        .shown(Role::Children, id("children"), head("children"), move |row| readable(row.children))
        .of(metric)
        .printed(timed_width(children_width), decimals);
    if material.marks_guesses() {
        columns =
            columns.with(Column::guess(material.shows_marks()), |row| guess_mark(row.is_guess));
    }
    columns = columns.shown(Role::Calls, "calls", head("called"), |row| row.calls).printed(7, 0);
    if let (None, Some(calls)) = (&costs.counted, columns.0.last_mut()) {
        calls.column.print = None;
    }
    columns = columns
        .hidden(Role::Calls, "self_calls", |row| row.self_calls)
        .hidden(Role::Calls, "of_calls", |row| row.calls_of_callee)
        .shown(Role::Name, "name", head("name"), |row| row.name.clone())
        .hidden(Role::Index, "cycle", |row| row.cycle.map(|cycle| cycle.0))
        .hidden(Role::Other, "unlisted", |row| Cell::flag(row.is_unlisted))
        .hidden(Role::Other, "recursive", |row| Cell::flag(row.is_recursive))
        .hidden(Role::Share, "self_percent", move |row| {
            let self_cost = row.self_cost.filter(|_| row.percent.is_some());
            self_cost.map(|self_cost| self_cost.percent_of(whole))
        })
        .of(metric)
        .hidden(Role::Total, "total", |row| row.total())
        .of(metric);
    if let Some(paired) = costs.shape.paired {
        let metric = &costs.shape.metrics[paired];
        columns = columns
            .shown(Role::Total, metric.id.clone(), head(&metric.unit), |row| row.paired)
            .of(paired)
            .printed(0, 0)
            .hidden(Role::Count, format!("of_{}", metric.id), |row| row.paired_of_callee)
            .of(paired);
    }
    if is_timed {
        columns = columns
            .hidden(Role::SelfValue, "self", |row| row.self_cost)
            .of(metric)
            .hidden(Role::Children, "children", |row| row.children)
            .of(metric)
            .hidden(Role::Total, costs.timed_id("total", metric), move |row| readable(row.total()))
            .of(metric);
    }
    let has_column = [Some(metric), costs.shape.paired, costs.shape.collector];
    let metrics = 0..costs.shape.metrics.len();
    for other in metrics.filter(|&other| !has_column.contains(&Some(other))) {
        let id = format!("total_{}", costs.shape.metrics[other].id);
        let costs = Arc::clone(costs);
        columns = columns.hidden(Role::Total, id, move |row| row.total_of(&costs, other)).of(other);
    }
    if let Some([above, below]) = material.options.ratio {
        let costs = Arc::clone(costs);
        columns = columns.hidden(Role::Other, "ratio", move |row| {
            let [above, below] = [above, below].map(|metric| row.total_of(&costs, metric));
            above.zip(below).and_then(|(above, below)| above.ratio_to(below))
        });
    }
    if has_calls_in_cycles(costs) {
        columns = columns.hidden(Role::Total, IN_CYCLE, |row| row.total_in_cycle).of(metric);
    }
    if costs.has_lower_bounds() {
        columns = columns.hidden(Role::Other, LOWER_BOUND, |row| Cell::flag(row.is_lower_bound));
    }
    if !costs.calls.tail_calls.is_empty() {
        columns = columns.hidden(Role::Other, TAIL_CALL, |row| Cell::flag(row.is_tail_call));
    }
    if bounds(material).is_none() {
        return columns;
    }
    let limit = |id, head| {
        Column::on_request(costs.timed_id(id, metric), Role::Limit, ["", head]).of(metric)
    };
    let basis = |bounds: TotalBounds| {
        if bounds.is_shared_out() { Basis::Propagated.id() } else { Basis::Sampled.id() }
    };
    let is_shared_out = |row: &Cells| row.bounds.is_some_and(|bounds| bounds.is_shared_out());
    columns
        .with(limit("total_low", "at least"), move |row| {
            readable(row.bounds.map(|bounds| Amount::Ticks(bounds.limits.low)))
        })
        .with(limit("total_high", "at most"), move |row| {
            let bounds = row.bounds.filter(|_| !row.is_unlimited);
            readable(bounds.map(|bounds| Amount::Ticks(bounds.limits.high)))
        })
        .with(Column::on_request("marks", Role::Marks, ["", ""]), move |row| {
            guess_mark(is_shared_out(row))
        })
        .hidden(Role::Other, "basis", move |row| row.bounds.map(basis))
}

impl Cells {
    /// The total of the function or call in a metric.
    fn total_of(&self, costs: &CostGraph, metric: MetricIndex) -> Option<Amount> {
        let of_arc = self.arc.and_then(|arc| costs.flow(arc, metric));
        let of_arc = of_arc.map(ArcCosts::total);
        of_arc.or_else(|| self.entry.map(|id| costs.total(id, metric)))
    }

    fn total(&self) -> Option<Amount> {
        self.self_cost.into_iter().chain(self.children).reduce(Amount::plus)
    }
}
