//! Costs of functions from a cost graph.

use std::collections::HashMap;
use std::sync::Arc;

use super::saved::in_seconds;
use super::{CostArc, CostFunctions, CostNaming, CostedFunction, FunctionCosts};
use crate::analyze::{Amounts, CostGraph, TotalsFrom};
use crate::compare::Measure;
use crate::compare::matching::FunctionName;
use crate::filter::FilterSets;
use crate::report::Metric;
use crate::symbols::{FileId, Symbol, SymbolId, SymbolTable};

impl CostFunctions {
    /// The names of a table. `has_all` tells whether the program has no other functions.
    pub fn of_table(table: &SymbolTable, has_all: bool, naming: CostNaming) -> Self {
        let is_line = naming != CostNaming::Functions;
        let firsts = match naming {
            CostNaming::Lines => first_lines(table),
            CostNaming::Functions | CostNaming::NumberedLines => HashMap::new(),
        };
        let offset = |symbol: &Symbol| {
            let source = symbol.source?;
            let first = firsts.get(&(&*symbol.name, source.file))?;
            Some(source.line.get() - first)
        };
        let mut files: HashMap<FileId, Arc<[u8]>> = HashMap::new();
        let mut file = |id: FileId| {
            let file = files.entry(id);
            Arc::clone(file.or_insert_with(|| table.files().name(id).into()))
        };
        let name = |symbol: &Symbol| FunctionName {
            name: Arc::clone(&symbol.name),
            file: symbol.source.map(|source| file(source.file)),
            line: symbol.source.map(|source| source.line.get()),
            is_line,
            offset: offset(symbol),
            object: table.object_of(symbol).cloned(),
            is_global: has_all && !symbol.is_static && !is_line,
        };
        Self { names: table.symbols().iter().map(name).collect(), has_all }
    }
}

/// The first line of each function in each file.
fn first_lines(table: &SymbolTable) -> HashMap<(&[u8], FileId), u32> {
    let mut firsts = HashMap::new();
    for symbol in table.symbols() {
        if let Some(source) = symbol.source {
            let line = source.line.get();
            let first = firsts.entry((&*symbol.name, source.file)).or_insert(line);
            *first = line.min(*first);
        }
    }
    firsts
}

impl FunctionCosts {
    /// The costs of the functions that filters show, with the names of the table; with
    /// `has_arcs` also of calls. Linear in functions and calls.
    pub fn of_graph(
        costs: &CostGraph,
        table: &SymbolTable,
        filters: &FilterSets,
        names: &CostFunctions,
        has_arcs: bool,
    ) -> Self {
        let is_shown =
            |&(id, _): &(SymbolId, &Symbol)| costs.took_part(id) && filters.flat.contains(id);
        let shown: Vec<SymbolId> = table.iter().filter(is_shown).map(|(id, _)| id).collect();
        let self_cost = |row: usize, metric| costs.self_cost(shown[row], metric);
        let n_rows = shown.len();
        let shown = || shown.iter().copied();
        let has_calls = costs.counted.is_some();
        let rows = shown().map(|id| CostedFunction {
            function: id.0,
            calls: has_calls.then(|| costs.calls_of(id).from_others),
        });
        let primary = costs.shape.primary;
        let metrics = || 0..costs.shape.metrics.len();
        let has_totals = costs.shape.totals_from != TotalsFrom::Nothing;
        let seconds = |metric| Some(1.0 / costs.ticks_per_unit(metric)?);
        let amount = costs.mean_amount().filter(|amount| *amount > 0.0);
        let in_seconds = costs.shape.metrics.iter().map(|one| timed(costs, one));
        let mut in_seconds: Vec<_> = in_seconds.collect();
        in_seconds[primary].per_sample = amount.filter(|amount| *amount != 1.0);
        let amounts = |id| [false, true].map(|total| costs.amount_of_samples(Some(id), total));
        let costs = Self {
            measure: Measure {
                metrics: in_seconds.into(),
                primary,
                seconds_per_tick: metrics().map(seconds).collect(),
            },
            program: None,
            n_runs: 1,
            all: metrics().map(|metric| costs.all(metric)).collect(),
            unattributed: metrics().map(|metric| costs.unattributed(metric)).collect(),
            names: Arc::clone(&names.names),
            has_all_names: names.has_all,
            amount: amount.unwrap_or(1.0),
            amounts: costs.has_weights().then(|| shown().map(amounts).collect()),
            rows: rows.collect(),
            self_costs: Amounts::of_cells(n_rows, metrics().len(), self_cost),
            totals: has_totals.then(|| shown().map(|id| costs.total(id, primary)).collect()),
            generation: 0,
            counts_calls: has_calls,
            has_arcs: !costs.calls.arcs().is_empty(),
            arcs: if has_arcs { arcs(costs, filters) } else { Box::default() },
        };
        costs.without_parts()
    }
}

/// The metric in seconds, if it is in ticks with a known rate.
fn timed(costs: &CostGraph, metric: &Metric) -> Metric {
    match &costs.sampling {
        None => in_seconds(metric),
        Some(sampling) => Metric {
            unit: String::from_utf8_lossy(&sampling.scale.dimension).into_owned().into(),
            ..metric.clone()
        },
    }
}

/// Calls by caller and callee; unknown callers first.
fn arcs(costs: &CostGraph, filters: &FilterSets) -> Box<[CostArc]> {
    let is_counted = costs.counted.is_some();
    let outside = costs.calls.calls_from_outside.iter();
    let outside = (0..).zip(outside).filter(|(_, count)| **count > 0);
    let outside = outside.filter(|(callee, _)| filters.graph.contains(SymbolId(*callee)));
    let outside = outside.map(|(callee, &count)| CostArc {
        caller: None,
        callee,
        calls: is_counted.then_some(count),
        total: None,
    });
    let mut arcs: Vec<_> = outside.collect();
    let mut of_caller: Vec<u32> = Vec::new();
    for caller in (0..).map(SymbolId).take(costs.calls.n_symbols()) {
        let is_shown = |&&index: &&u32| {
            let callee = costs.calls.arc(index).callee;
            let is_of_shown = filters.graph.contains(caller) || filters.graph.contains(callee);
            is_of_shown && filters.arcs.contains(caller, callee)
        };
        of_caller.clear();
        of_caller.extend(costs.calls.outgoing(caller).iter().filter(is_shown));
        of_caller.sort_unstable_by_key(|&index| costs.calls.arc(index).callee);
        arcs.extend(of_caller.iter().map(|&index| CostArc {
            caller: Some(caller.0),
            callee: costs.calls.arc(index).callee.0,
            calls: is_counted.then_some(costs.calls.arc(index).count),
            total: costs.flow(index, costs.shape.primary).map(|flow| flow.total()),
        }));
    }
    arcs.into()
}
