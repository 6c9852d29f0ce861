//! Totals of functions in recursion, from recorded costs of calls.
//!
//! Recursive calls include each other, so their sum is too high, and the cost without them too
//! low. If the profile separates levels of recursion, calls made at the first level are never
//! active together, and their cost is the total:
//!
//! ```text
//! main → a   a → b   b → a'2   a'2 → b'2      a: its own cost plus the cost of a → b
//! ```
//!
//! Otherwise a total is at least the cost of the largest single call, and of all calls from
//! outside of the cycle. The rows of lines are lower bounds even if levels are separated.

use std::num::NonZeroU32;

use super::CostInput;
use crate::analyze::amount::Amounts;
use crate::analyze::cycles::Topology;
use crate::model::{ContextId, FunctionId};
use crate::symbols::SymbolId;

/// Lower bounds of totals.
pub(super) struct RecursiveTotals {
    /// Cost at the first level of recursion.
    first_level: Amounts,
    /// Calls from outside of the cycle.
    entered: Amounts,
    /// The largest call.
    single: Amounts,
    /// Symbols whose total may be larger.
    pub(super) lower_bounds: Vec<bool>,
}

impl RecursiveTotals {
    /// Linear in contexts and calls. `recursion` has the cycles of functions. If symbols are
    /// lines instead, the cost of a call belongs to the line that calls, not to the first line
    /// of the callee.
    pub(super) fn new(input: &CostInput<'_>, recursion: &Topology, are_functions: bool) -> Self {
        let CostInput { profile, names, filters, columns } = input;
        let (n_symbols, n_metrics) = (names.table.symbols().len(), columns.shape.n_amounts());
        let zeros = || Amounts::exact(n_symbols, n_metrics);
        let mut totals = Self {
            first_level: zeros(),
            entered: zeros(),
            single: zeros(),
            lower_bounds: vec![false; n_symbols],
        };
        let costs = &profile.costs;
        let function_of = |id: ContextId| costs.contexts.get(id).function;
        let level = |function: Option<FunctionId>| costs.functions[function?.index()].level;
        let is_first = |function| level(function) == Some(NonZeroU32::MIN);
        let mut row = vec![0; n_metrics];
        for (key, values) in costs.samples.rows() {
            let Some(context) = key.context() else {
                continue;
            };
            let symbol = names.of(context);
            if is_first(function_of(context)) && filters.time.contains(symbol) {
                row.fill(0);
                columns.add(&mut row, values);
                totals.first_level.add(symbol.index(), &row);
            }
        }
        for (call, values) in costs.calls.iter() {
            let (site, callee) = (names.of(call.site), names.of_function(call.callee));
            if !filters.arcs.contains(site, callee) {
                continue;
            }
            row.fill(0);
            columns.add(&mut row, values);
            let function = function_of(call.site);
            if is_first(function) {
                totals.first_level.add(site.index(), &row);
            }
            let caller = function.map_or(site, |function| names.of_function(function));
            if !recursion.are_together(caller, callee) {
                if are_functions && recursion.cycle_of[callee.index()].is_some() {
                    totals.entered.add(callee.index(), &row);
                }
                continue;
            }
            totals.add_recursive(&row, call.count, site);
            if are_functions {
                totals.add_recursive(&row, call.count, callee);
            }
            let is_exact = site == caller && (level(function).is_some() || caller == callee);
            if !is_exact {
                totals.lower_bounds[site.index()] = true;
                totals.lower_bounds[callee.index()] |= are_functions;
            }
        }
        totals
    }

    /// A call that recurses: at least one of `count` costs the mean.
    fn add_recursive(&mut self, costs: &[i128], count: u64, end: SymbolId) {
        if count == 0 {
            return;
        }
        for (metric, cost) in costs.iter().enumerate() {
            let largest = self.single.get_exact(end.index(), metric);
            self.single.set(end.index(), metric, largest.max(cost / i128::from(count)));
        }
    }

    /// Raises the cost of callees where the total of a symbol is larger, up to the cost of
    /// the program.
    pub(super) fn raise(&self, children: &mut Amounts, self_costs: &Amounts, all: &[i128]) {
        for symbol in 0..self.lower_bounds.len() {
            let bounds = [&self.first_level, &self.entered, &self.single];
            for (metric, &all) in all.iter().enumerate() {
                let bound = bounds.iter().map(|bound| bound.get_exact(symbol, metric));
                let total = bound.max().unwrap_or(0).min(all);
                let below = total - self_costs.get_exact(symbol, metric);
                let below_now = children.get_exact(symbol, metric);
                children.set(symbol, metric, below.max(below_now));
            }
        }
    }
}
