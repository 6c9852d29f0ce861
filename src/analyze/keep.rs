//! The functions of a report as a graph for keep expressions.

use std::borrow::Cow;

use super::Amount;
use super::adjacency::Adjacency;
use super::cost_graph::CostGraph;
use crate::filter::keep::{CostShare, Graph, Keep, KeepPattern};
use crate::symbols::{SymbolId, SymbolTable};

/// Functions with labels and shares, and their calls. Labels are made on demand: many functions may
/// have one file with a long name.
#[derive(Debug)]
pub struct SymbolGraph<'a> {
    costs: &'a CostGraph,
    table: &'a SymbolTable,
    names: Vec<Vec<u8>>,
    by_caller: Adjacency,
}

impl<'a> SymbolGraph<'a> {
    /// The functions of a profile; `name` demangles.
    pub fn new(
        costs: &'a CostGraph,
        table: &'a SymbolTable,
        name: impl Fn(SymbolId) -> Vec<u8>,
    ) -> Self {
        let arcs = costs.calls.arcs().iter();
        let callers = arcs.map(|arc| Some(arc.caller.index()));
        Self {
            costs,
            table,
            names: table.iter().map(|(id, _)| name(id)).collect(),
            by_caller: Adjacency::new(costs.n_nodes(), callers),
        }
    }

    /// The first pattern of an expression that matches no function, as written.
    pub fn unused_pattern<'k>(&self, keep: &'k Keep) -> Option<&'k [u8]> {
        keep.patterns_without_match(self).first().copied()
    }

    /// For each function, whether an expression selects it.
    pub fn kept_by(&self, keep: &Keep) -> Vec<bool> {
        let kept = keep.select(self);
        (0..self.n_nodes()).map(|node| kept.contains(node)).collect()
    }
}

impl Graph for SymbolGraph<'_> {
    fn n_nodes(&self) -> usize {
        self.names.len()
    }

    fn n_labels(&self) -> usize {
        self.names.len()
    }

    fn label_of(&self, node: usize) -> usize {
        node
    }

    /// `NAME  FILE: LINE`; only the name if the location is unknown.
    fn label(&self, label: usize) -> Cow<'_, [u8]> {
        let name = &self.names[label];
        let Some(source) = self.table.symbols()[label].source else {
            return Cow::Borrowed(name);
        };
        let line = format!(": {}", source.line);
        let file = self.table.files().name(source.file);
        Cow::Owned([name, &b"  "[..], file, line.as_bytes()].concat())
    }

    /// Matches the name, with or without its location, and the linkage name.
    fn fits(&self, label: usize, pattern: &KeepPattern) -> bool {
        let text = self.label(label);
        let names: [&[u8]; 3] = [&text, &self.names[label], &self.table.symbols()[label].name];
        names.into_iter().any(|name| pattern.fits(name))
    }

    fn percentage(&self, node: usize, of: CostShare) -> f64 {
        let id = SymbolId(u32::try_from(node).expect("symbols have 32-bit numbers"));
        let metric = self.costs.shape.primary;
        let whole = match self.costs.sampling.as_ref() {
            Some(sampling) => Amount::Ticks(sampling.ticks_in_functions),
            None => self.costs.all(metric),
        };
        let part = match of {
            CostShare::SelfCost => self.costs.self_cost(id, metric),
            CostShare::Stack => self.costs.total(id, metric),
            CostShare::Collector => match self.costs.shape.collector {
                Some(collector) => self.costs.total(id, collector),
                None => return 0.0,
            },
        };
        part.percent_of(whole)
    }

    fn n_lists(&self) -> usize {
        self.names.len()
    }

    fn list_of(&self, node: usize) -> Option<usize> {
        Some(node)
    }

    fn callees(&self, list: usize) -> impl Iterator<Item = usize> {
        let arcs = self.by_caller.of(list).iter();
        arcs.map(|&arc| self.costs.calls.arc(arc).callee.index())
    }
}
