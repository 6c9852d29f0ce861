//! The rows of the flat profile, final and in order.

use std::cmp::Reverse;

use super::sorting::{by_size, sort_stably};
use super::{AnalyzeOptions, UNFIT_PREFIXES};
use crate::analyze::{Node, Scale, UnitPrefix};
use crate::compat::gprof::filters::Selection;
use crate::symbols::SymbolId;

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
    /// The function.
    pub symbol: SymbolId,
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

/// Makes the rows: sorted by time, calls and name, running sums added up. `by_name` are
/// the functions in the order of their names.
#[must_use]
pub(super) fn flat_profile(
    functions: &[Node],
    by_name: &[SymbolId],
    selection: &Selection,
    total: f64,
    scale: &Scale,
    options: &AnalyzeOptions,
) -> FlatProfile {
    let order = sorted(functions, by_name, options.shows_idle);
    let prefix = options.prefix.unwrap_or_else(|| {
        let greatest = greatest_cost(functions, &order) / scale.rate;
        UnitPrefix::for_greatest(greatest, &UNFIT_PREFIXES)
    });
    let has_time = total > 0.0;
    let whole = if has_time { total } else { 1.0 };
    let mut cumulative = 0.0;
    let mut row = |symbol: SymbolId| {
        let node = &functions[symbol.index()];
        let ticks = node.self_ticks;
        cumulative += ticks;
        FlatRow {
            symbol,
            percent: 100.0 * ticks / whole,
            cumulative: cumulative / scale.rate,
            self_time: ticks / scale.rate,
            calls: (node.calls > 0).then(|| CallCosts {
                calls: node.calls,
                self_per_call: prefix.factor * ticks / scale.rate / node.calls as f64,
                total_per_call: prefix.factor * (ticks + node.child_ticks)
                    / scale.rate
                    / node.calls as f64,
            }),
        }
    };
    let shown = order
        .into_iter()
        .filter(|&symbol| selection.selects(symbol));
    let rows = shown.map(&mut row).collect();
    FlatProfile {
        total: whole / scale.rate,
        percent_of_tick: 100.0 / whole,
        has_time,
        prefix,
        rows,
    }
}

fn sorted(functions: &[Node], by_name: &[SymbolId], shows_idle: bool) -> Vec<SymbolId> {
    let listed = by_name.iter().filter_map(|&symbol| {
        let node = &functions[symbol.index()];
        let key = (Reverse(by_size(node.self_ticks)), Reverse(node.calls));
        (shows_idle || !is_idle(node)).then_some((key, symbol))
    });
    let mut order: Vec<_> = listed.collect();
    // What is equal stays by name.
    sort_stably(&mut order, |(a, _), (b, _)| a.cmp(b));
    order.into_iter().map(|(_, symbol)| symbol).collect()
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
