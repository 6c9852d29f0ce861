//! The functions of a report as a graph that keep expressions choose from.

use std::borrow::Cow;

use super::Amount;
use super::adjacency::Adjacency;
use super::cost_graph::CostGraph;
use crate::filter::keep::{Graph, Keep, Share};
use crate::symbols::{SymbolId, SymbolTable};

/// Functions with their labels and shares, and who calls whom.
#[derive(Debug)]
pub struct SymbolGraph<'a> {
    costs: &'a CostGraph,
    labels: Vec<Vec<u8>>,
    by_caller: Adjacency,
}

impl<'a> SymbolGraph<'a> {
    /// The functions of a profile. `name` is what patterns are matched against, with
    /// the place behind it.
    #[must_use]
    pub fn new(
        costs: &'a CostGraph,
        table: &SymbolTable,
        name: impl Fn(SymbolId) -> Vec<u8>,
    ) -> Self {
        let arcs = costs.calls.arcs().iter();
        let callers = arcs.map(|arc| Some(arc.caller.index()));
        Self {
            costs,
            labels: table
                .iter()
                .map(|(id, _)| label(id, table, &name))
                .collect(),
            by_caller: Adjacency::new(costs.n_nodes(), callers),
        }
    }

    /// For each function, whether an expression keeps it.
    #[must_use]
    pub fn kept_by(&self, keep: &Keep) -> Vec<bool> {
        let kept = keep.select(self);
        (0..self.n_nodes())
            .map(|node| kept.contains(node))
            .collect()
    }
}

/// `NAME  FILE: LINE`, which keep expressions match; just the name where the place is not known.
fn label(id: SymbolId, table: &SymbolTable, name: impl Fn(SymbolId) -> Vec<u8>) -> Vec<u8> {
    let mut label = name(id);
    if let Some(source) = table.get(id).source {
        label.extend_from_slice(b"  ");
        label.extend_from_slice(table.files().name(source.file));
        label.extend_from_slice(format!(": {}", source.line).as_bytes());
    }
    label
}

impl Graph for SymbolGraph<'_> {
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

    fn percentage(&self, node: usize, of: Share) -> f64 {
        let id = SymbolId(u32::try_from(node).expect("symbols have 32-bit numbers"));
        let metric = self.costs.primary;
        let whole = match self.costs.sampling.as_ref() {
            Some(sampling) => Amount::Ticks(sampling.ticks_in_functions),
            None => self.costs.all(metric),
        };
        let part = match of {
            Share::SelfCost => self.costs.self_cost(id, metric),
            Share::Stack => self.costs.total(id, metric),
            Share::Collector => match self.costs.collector {
                Some(collector) => self.costs.total(id, collector),
                None => return 0.0,
            },
        };
        part.percent_of(whole)
    }

    fn n_lists(&self) -> usize {
        self.labels.len()
    }

    fn list_of(&self, node: usize) -> Option<usize> {
        Some(node)
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        let arcs = self.by_caller.of(list).iter();
        arcs.map(|&arc| self.costs.calls.arc(arc).callee.index())
    }
}
