//! The columns of the call graph, and the cells of its rows.

use super::rows::GraphRows;
use crate::analyze::amount::Amount;
use crate::analyze::bounds::{FlowBounds, TickBounds};
use crate::analyze::cycles::CycleNumber;
use crate::analyze::sections::Material;
use crate::analyze::sections::sureness::{Mark, signs};
use crate::report::{Basis, Cell, Column, Layout, Role};

/// The cells of a row, by what they say.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) rank: Option<u32>,
    /// The other end of an arc has no entry of its own.
    pub(super) is_unlisted: bool,
    pub(super) percent: Option<f64>,
    pub(super) self_cost: Option<Amount>,
    pub(super) children: Option<Amount>,
    pub(super) calls: Option<u64>,
    pub(super) self_calls: Option<u64>,
    pub(super) calls_of_callee: Option<u64>,
    pub(super) paired: Option<Amount>,
    pub(super) paired_of_callee: Option<Amount>,
    pub(super) is_recursive: bool,
    pub(super) name: Cell,
    pub(super) cycle: Option<CycleNumber>,
    /// What self and children are together at least and at most.
    pub(super) bounds: Option<TickBounds>,
}

/// What flows at least and at most, where that is asked for and not known exactly.
pub(super) fn bounds<'a>(material: &Material<'a>) -> Option<&'a FlowBounds> {
    let costs = material.costs;
    let has_error = material.options.has_error && costs.has_samples();
    has_error.then(|| costs.flow_bounds()).flatten()
}

/// The columns. `fill` has their cells in the same order.
pub(super) fn columns(material: &Material<'_>) -> Vec<Column> {
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
    if bounds(material).is_some() {
        let limit = |id, head| {
            Column::on_request(costs.timed_id(id, metric), Role::Limit, ["", head]).of(metric)
        };
        columns.push(limit("total_low", "at least"));
        columns.push(limit("total_high", "at most"));
        columns.push(Column::on_request("marks", Role::Marks, ["", ""]));
        columns.push(Column::hidden("basis", Role::Other));
    }
    columns
}

impl GraphRows<'_> {
    /// The cells in the order of `columns`.
    pub(super) fn fill(&self, buffer: &mut Vec<Cell>, cells: &Cells) {
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
        let flag = |is_set: bool| {
            if is_set {
                Cell::Integer(1)
            } else {
                Cell::Absent
            }
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
            flag(cells.is_unlisted),
            flag(cells.is_recursive),
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
        if self.bounds.is_some() {
            buffer.extend(self.bound_cells(cells.bounds));
        }
    }

    /// Limits, signs and how the total is known. Where there is but one answer, limits
    /// would say it again.
    fn bound_cells(&self, bounds: Option<TickBounds>) -> [Cell; 4] {
        let basis = |basis: Basis| Cell::text(basis.id());
        match bounds {
            None => [const { Cell::Absent }; 4],
            Some(bounds) if bounds.are_tight() => {
                let sampled = basis(Basis::Sampled);
                [Cell::Absent, Cell::Absent, Cell::Absent, sampled]
            }
            Some(TickBounds { low, high }) => [
                self.costs.timed_ticks(low),
                self.costs.timed_ticks(high),
                signs([Mark::SharedOut]),
                basis(Basis::Propagated),
            ],
        }
    }
}
