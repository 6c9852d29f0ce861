//! Total costs of source lines that several functions share.
//!
//! A line such as `f = lambda: g()` belongs to two functions, which may be on one stack. The sum of
//! their totals counts that stack twice. Recorded stacks give the total of the line; recorded costs
//! of calls give it unless a third function is between the two; recorded totals of functions only
//! give its least value, the largest of them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::amount::Amount;
use super::cost_graph::{ArcCosts, CostGraph, TotalsFrom};
use super::flows::totals_by_key;
use crate::filter::FilterSets;
use crate::model::Profile;
use crate::symbols::{NamedContexts, SourceLine, SymbolId};

/// The totals of lines with several symbols, for the metric to sort by.
#[derive(Debug, Default)]
pub struct SharedLines(HashMap<SourceLine, Amount, RandomState>);

impl SharedLines {
    /// Linear in contexts and symbols, and in arcs.
    pub fn new(
        profile: &Profile,
        names: &NamedContexts,
        filters: &FilterSets,
        costs: &CostGraph,
    ) -> Self {
        let mut by_line: HashMap<SourceLine, Vec<SymbolId>, RandomState> = HashMap::default();
        for (id, symbol) in names.table.iter().filter(|&(id, _)| filters.annotation.contains(id)) {
            if let Some(line) = symbol.source {
                by_line.entry(line).or_default().push(id);
            }
        }
        by_line.retain(|_, symbols| symbols.len() > 1);
        if by_line.is_empty() {
            return Self::default();
        }
        let lines: Vec<_> = by_line.into_iter().collect();
        // All other symbols share the last key.
        let mut line_of = vec![lines.len(); names.table.symbols().len()];
        for (line, (_, symbols)) in lines.iter().enumerate() {
            symbols.iter().for_each(|symbol| line_of[symbol.index()] = line);
        }
        let totals = match costs.shape.totals_from {
            TotalsFrom::Stacks => of_stacks(profile, names, filters, costs, &line_of, lines.len()),
            TotalsFrom::Profile => {
                let totals = |symbols: &[SymbolId]| largest(costs, symbols);
                lines.iter().map(|(_, symbols)| totals(symbols)).collect()
            }
            _ => of_calls(costs, &lines, &line_of),
        };
        Self(lines.into_iter().map(|(line, _)| line).zip(totals).collect())
    }

    pub(super) fn total_of(&self, line: SourceLine) -> Option<Amount> {
        self.0.get(&line).copied()
    }
}

fn of_stacks(
    profile: &Profile,
    names: &NamedContexts,
    filters: &FilterSets,
    costs: &CostGraph,
    line_of: &[usize],
    n_lines: usize,
) -> Vec<Amount> {
    let key_of = |context| line_of[names.of(context).index()];
    let keys = (n_lines + 1, &key_of as _);
    let (by_context, n_metrics) = (&costs.costs.by_context, costs.shape.n_amounts());
    let totals = totals_by_key(&profile.costs, by_context, names, &filters.arcs, keys, n_metrics);
    (0..n_lines).map(|line| totals.get(line, costs.shape.primary)).collect()
}

/// Sums without the calls from one function of a line to another one there.
fn of_calls(
    costs: &CostGraph,
    lines: &[(SourceLine, Vec<SymbolId>)],
    line_of: &[usize],
) -> Vec<Amount> {
    let primary = costs.shape.primary;
    let total = |symbol: &SymbolId| costs.total(*symbol, primary);
    let sum = |symbols: &[SymbolId]| symbols.iter().map(total).reduce(Amount::plus);
    let zero = Amount::Exact(0);
    let mut sums: Vec<_> = lines.iter().map(|(_, symbols)| sum(symbols).unwrap_or(zero)).collect();
    for (index, arc) in (0..).zip(costs.calls.arcs()) {
        let line = line_of[arc.caller.index()];
        if line == line_of[arc.callee.index()] && line < lines.len() && !arc.is_self_call() {
            let flow = costs.flow(index, primary).map_or(zero, ArcCosts::total);
            sums[line] = sums[line].less(least(flow, total(&arc.callee)));
        }
    }
    let bounded = lines.iter().zip(sums).map(|((_, symbols), sum)| {
        let largest = largest(costs, symbols);
        let sum = if sum.compare(largest).is_lt() { largest } else { sum };
        least(sum, costs.all(primary))
    });
    bounded.collect()
}

fn least(one: Amount, other: Amount) -> Amount {
    if other.compare(one).is_lt() { other } else { one }
}

fn largest(costs: &CostGraph, symbols: &[SymbolId]) -> Amount {
    let totals = symbols.iter().map(|&symbol| costs.total(symbol, costs.shape.primary));
    totals.max_by(|one, other| one.compare(*other)).unwrap_or(Amount::Exact(0))
}
