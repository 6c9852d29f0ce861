//! The functions of a report as a graph that keep expressions choose from.

use std::borrow::Cow;

use super::Analysis;
use super::charges::{Ledger, percent};
use crate::filter::keep::{Graph, Keep, Measure};
use crate::symbols::{SymbolId, SymbolTable};

/// Functions with their labels and shares, and who calls whom.
#[derive(Debug)]
pub struct SymbolGraph {
    labels: Vec<Vec<u8>>,
    /// Percent of each function: its own, with all that it called, and what the
    /// collector took meanwhile.
    shares: Vec<[f64; 3]>,
    /// Where the callees of each function start.
    starts: Vec<usize>,
    callees: Vec<SymbolId>,
}

impl SymbolGraph {
    /// The functions of exact charges. `name` is what patterns are matched against,
    /// with the place behind it.
    #[must_use]
    pub fn of_charges(
        ledger: &Ledger,
        table: &SymbolTable,
        name: impl Fn(SymbolId) -> Vec<u8>,
    ) -> Self {
        let shares = table.iter().map(|(id, _)| {
            let own = ledger.own(id).get(ledger.measure);
            let total = ledger.total(id).get(ledger.measure);
            let all = ledger.all.get(ledger.measure);
            [own, total, ledger.collector(id)].map(|part| percent(part, all))
        });
        let calls = ledger.arcs().map(|arc| (arc.caller, arc.callee));
        Self::new(table, name, shares.collect(), calls.collect())
    }

    /// The functions of sampled time and counted calls.
    #[must_use]
    pub fn of_calls(
        analysis: &Analysis,
        table: &SymbolTable,
        name: impl Fn(SymbolId) -> Vec<u8>,
    ) -> Self {
        let functions = analysis.graph.functions();
        let all: f64 = functions.iter().map(|function| function.self_ticks).sum();
        let share = |ticks: f64| if all > 0.0 { 100.0 * ticks / all } else { 0.0 };
        let shares = functions.iter().map(|function| {
            let total = function.self_ticks + function.child_ticks;
            [share(function.self_ticks), share(total), 0.0]
        });
        let calls = analysis.graph.calls();
        Self::new(table, name, shares.collect(), calls.collect())
    }

    /// For each function, whether an expression keeps it.
    #[must_use]
    pub fn kept_by(&self, keep: &Keep) -> Vec<bool> {
        let kept = keep.select(self);
        (0..self.n_nodes())
            .map(|node| kept.contains(node))
            .collect()
    }

    fn new(
        table: &SymbolTable,
        name: impl Fn(SymbolId) -> Vec<u8>,
        shares: Vec<[f64; 3]>,
        mut calls: Vec<(SymbolId, SymbolId)>,
    ) -> Self {
        calls.sort_unstable();
        calls.dedup();
        let mut starts = vec![0; shares.len() + 1];
        for (caller, _) in &calls {
            starts[caller.index() + 1] += 1;
        }
        for index in 0..shares.len() {
            starts[index + 1] += starts[index];
        }
        Self {
            labels: table
                .iter()
                .map(|(id, _)| label(id, table, &name))
                .collect(),
            shares,
            starts,
            callees: calls.into_iter().map(|(_, callee)| callee).collect(),
        }
    }
}

/// `NAME  FILE: LINE`, as mlprof has it; just the name where the place is not known.
fn label(id: SymbolId, table: &SymbolTable, name: impl Fn(SymbolId) -> Vec<u8>) -> Vec<u8> {
    let mut label = name(id);
    if let Some(source) = table.get(id).source {
        label.extend_from_slice(b"  ");
        label.extend_from_slice(table.files().name(source.file));
        label.extend_from_slice(format!(": {}", source.line).as_bytes());
    }
    label
}

impl Graph for SymbolGraph {
    fn n_nodes(&self) -> usize {
        self.labels.len()
    }

    fn n_labels(&self) -> usize {
        self.labels.len()
    }

    fn label_of(&self, node: usize) -> usize {
        node
    }

    fn label(&self, label: usize) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.labels[label])
    }

    fn percentage(&self, node: usize, of: Measure) -> f64 {
        let [own, stack, collector] = self.shares[node];
        match of {
            Measure::Own => own,
            Measure::Stack => stack,
            Measure::Collector => collector,
        }
    }

    fn n_lists(&self) -> usize {
        self.labels.len()
    }

    fn list_of(&self, node: usize) -> Option<usize> {
        Some(node)
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        let callees = &self.callees[self.starts[list]..self.starts[list + 1]];
        callees.iter().map(|callee| callee.index())
    }
}
