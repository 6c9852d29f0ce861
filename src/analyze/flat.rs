//! The rows of the flat profile, final and in order.

use super::AnalyzeOptions;
use super::propagation::Node;
use super::scale::{Scale, UnitPrefix};
use crate::filter::Selection;
use crate::symbols::{SymbolId, SymbolTable};

/// Who a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatName {
    /// A function.
    Symbol(SymbolId),
    /// Ticks that lie in no function.
    NoFunction,
}

/// What the calls of a function cost.
#[derive(Clone, Copy, Debug)]
pub struct CallCosts {
    /// Calls from others.
    pub calls: u64,
    /// Own time of a call, in the prefixed unit.
    pub self_per_call: f64,
    /// Time of a call with all below it, in the prefixed unit.
    pub total_per_call: f64,
}

/// A row of the flat profile. Times are in units of the clock's dimension.
#[derive(Clone, Copy, Debug)]
pub struct FlatRow {
    /// Who.
    pub name: FlatName,
    /// Share of the total.
    pub percent: f64,
    /// Own time of this row and all above it.
    pub cumulative: f64,
    /// Own time.
    pub self_time: f64,
    /// Calls, and what they cost; `None` for what was not called.
    pub calls: Option<CallCosts>,
}

/// The flat profile.
#[derive(Debug)]
pub struct FlatProfile {
    /// Time in all, in units of the dimension.
    pub total: f64,
    /// Share of one tick in the total.
    pub percent_of_tick: f64,
    /// There is time at all.
    pub has_time: bool,
    /// The unit of the costs per call.
    pub prefix: UnitPrefix,
    /// From most time to least.
    pub rows: Vec<FlatRow>,
}

/// The ticks of a flat profile beside those of functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals {
    /// All ticks that count.
    pub total: f64,
    /// Ticks in no function, which have a row if there are any.
    pub outside: f64,
}

/// Makes the rows: sorted by time, calls and name, running sums added up.
#[must_use]
pub(super) fn flat_profile(
    functions: &[Node],
    table: &SymbolTable,
    selection: &Selection,
    totals: Totals,
    scale: &Scale,
    options: &AnalyzeOptions,
) -> FlatProfile {
    let Totals { total, outside } = totals;
    let order = sorted(functions, table, options.shows_idle);
    let prefix = options.prefix.unwrap_or_else(|| {
        let greatest = greatest_cost(functions, &order) / scale.rate;
        UnitPrefix::for_greatest(greatest, &options.unfit_prefixes)
    });
    let has_time = total > 0.0;
    let whole = if has_time { total } else { 1.0 };
    let mut cumulative = 0.0;
    let mut row = |name, ticks: f64, node: Option<&Node>| {
        cumulative += ticks;
        FlatRow {
            name,
            percent: 100.0 * ticks / whole,
            cumulative: cumulative / scale.rate,
            self_time: ticks / scale.rate,
            calls: node.filter(|node| node.calls > 0).map(|node| CallCosts {
                calls: node.calls,
                self_per_call: prefix.factor * ticks / scale.rate / node.calls as f64,
                total_per_call: prefix.factor * (ticks + node.child_ticks)
                    / scale.rate
                    / node.calls as f64,
            }),
        }
    };
    let mut rows = Vec::new();
    let mut outside = (outside > 0.0).then_some(outside);
    for symbol in order {
        let node = &functions[symbol.index()];
        if let Some(ticks) = outside.take_if(|ticks| *ticks > node.self_ticks) {
            rows.push(row(FlatName::NoFunction, ticks, None));
        }
        if selection.selects(symbol) {
            rows.push(row(FlatName::Symbol(symbol), node.self_ticks, Some(node)));
        }
    }
    if let Some(ticks) = outside {
        rows.push(row(FlatName::NoFunction, ticks, None));
    }
    FlatProfile {
        total: whole / scale.rate,
        percent_of_tick: 100.0 / whole,
        has_time,
        prefix,
        rows,
    }
}

fn sorted(functions: &[Node], table: &SymbolTable, shows_idle: bool) -> Vec<SymbolId> {
    let is_listed = |id: &SymbolId| shows_idle || !is_idle(&functions[id.index()]);
    let symbols = table.iter().map(|(id, _)| id);
    // By line most symbols are idle, and names take long to compare.
    let mut order: Vec<_> = symbols.filter(is_listed).collect();
    order.sort_by(|&a, &b| {
        let (left, right) = (&functions[a.index()], &functions[b.index()]);
        right
            .self_ticks
            .total_cmp(&left.self_ticks)
            .then(right.calls.cmp(&left.calls))
            .then_with(|| table.get(a).name.cmp(&table.get(b).name))
    });
    order
}

fn is_idle(node: &Node) -> bool {
    node.calls == 0 && node.self_ticks == 0.0
}

/// The ticks of a call, with all below it, of the function where they are most.
fn greatest_cost(functions: &[Node], order: &[SymbolId]) -> f64 {
    let costs = order.iter().filter_map(|symbol| {
        let node = &functions[symbol.index()];
        (node.calls > 0).then(|| (node.self_ticks + node.child_ticks) / node.calls as f64)
    });
    costs.fold(0.0, f64::max)
}
