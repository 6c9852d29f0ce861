//! The rows of the flat profile, in final order.

use std::cmp::Reverse;

use super::name_order::{NameOrder, by_size};
use super::{AnalyzeOptions, UNFIT_PREFIXES};
use crate::analyze::{NodeTicks, Scale, UnitPrefix};
use crate::compat::gprof::filters::SymbolSelection;
use crate::symbols::SymbolId;
use crate::threads;

#[derive(Clone, Copy, Debug)]
pub struct CallCosts {
    pub calls: u64,
    /// Self time per call, in the prefixed unit.
    pub self_per_call: f64,
    /// Total time per call, in the prefixed unit.
    pub total_per_call: f64,
}

/// A row of the flat profile. Times are in the dimension of the clock.
#[derive(Clone, Copy, Debug)]
pub struct GprofFlatRow {
    pub symbol: SymbolId,
    /// Percentage of the total.
    pub percent: f64,
    /// Running sum of self times.
    pub cumulative: f64,
    pub self_time: f64,
    /// Calls with their costs; `None` without calls.
    pub calls: Option<CallCosts>,
}

#[derive(Debug)]
pub struct FlatProfile {
    /// Total time in the dimension.
    pub total: f64,
    /// Percentage of one tick.
    pub percent_of_tick: f64,
    pub has_time: bool,
    /// The unit of costs per call.
    pub prefix: UnitPrefix,
    /// By time, descending.
    pub rows: Vec<GprofFlatRow>,
}

/// Rows by time, calls and name, with running sums.
pub(super) fn flat_profile(
    functions: &[NodeTicks],
    by_name: &NameOrder,
    selection: &SymbolSelection,
    total: f64,
    scale: &Scale,
    options: &AnalyzeOptions,
) -> FlatProfile {
    let order = sorted(functions, by_name, options.shows_zero_cost);
    let prefix = options.prefix.unwrap_or_else(|| {
        let greatest = greatest_cost(functions, &order) / scale.rate;
        UnitPrefix::for_greatest(greatest, &UNFIT_PREFIXES)
    });
    let has_time = total > 0.0;
    let whole = if has_time { total } else { 1.0 };
    let mut ticks_so_far = 0.0;
    let shown = order.into_iter().filter(|ranked| selection.selects(ranked.symbol));
    let rows = shown.map(|RankedFunction { symbol, calls, .. }| {
        let node = &functions[symbol.index()];
        let (ticks, calls) = (node.self_ticks, calls.0);
        ticks_so_far += ticks;
        let per_call = |ticks: f64| prefix.factor * ticks / scale.rate / calls as f64;
        GprofFlatRow {
            symbol,
            percent: 100.0 * ticks / whole,
            cumulative: ticks_so_far / scale.rate,
            self_time: ticks / scale.rate,
            calls: (calls > 0).then(|| CallCosts {
                calls,
                self_per_call: per_call(ticks),
                total_per_call: per_call(ticks + node.child_ticks),
            }),
        }
    });
    let rows = rows.collect();
    FlatProfile {
        total: whole / scale.rate,
        percent_of_tick: 100.0 / whole,
        has_time,
        prefix,
        rows,
    }
}

/// The sort key of a row, with its function.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RankedFunction {
    ticks: Reverse<u64>,
    calls: Reverse<u64>,
    /// Rank by name.
    place: u32,
    symbol: SymbolId,
}

fn sorted(
    functions: &[NodeTicks],
    by_name: &NameOrder,
    shows_zero_cost: bool,
) -> Vec<RankedFunction> {
    let listed = by_name.in_memory().filter_map(|(symbol, place)| {
        let node = &functions[symbol.index()];
        (shows_zero_cost || node.calls != 0 || node.self_ticks != 0.0).then(|| RankedFunction {
            ticks: Reverse(by_size(node.self_ticks)),
            calls: Reverse(node.calls),
            place,
            symbol,
        })
    });
    let mut order: Vec<_> = listed.collect();
    threads::sort(&mut order);
    order
}

/// The largest total ticks per call.
fn greatest_cost(functions: &[NodeTicks], order: &[RankedFunction]) -> f64 {
    let called = order.iter().filter(|ranked| ranked.calls.0 > 0);
    let costs = called.map(|ranked| {
        let node = &functions[ranked.symbol.index()];
        (node.self_ticks + node.child_ticks) / node.calls as f64
    });
    costs.fold(0.0, f64::max)
}
