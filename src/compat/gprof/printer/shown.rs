//! Which functions a report names.

use super::{Contents, Section};
use crate::compat::gprof::numbers::{GraphNode, GraphReport};
use crate::symbols::SymbolId;

/// What is named in sections where names are spelled.
pub(super) struct Shown<'a> {
    sections: &'a [Section],
    contents: &'a Contents<'a>,
    subjects: &'a [GraphNode],
}

impl<'a> Shown<'a> {
    /// Of these sections.
    pub(super) fn new(
        sections: &'a [Section],
        contents: &'a Contents<'a>,
        subjects: &'a [GraphNode],
    ) -> Self {
        Self {
            sections,
            contents,
            subjects,
        }
    }

    fn graph(&self) -> &'a GraphReport {
        &self.contents.analysis.graph
    }

    /// Each once, in the order of their addresses. Costs symbols and arcs.
    pub(super) fn symbols(&self) -> Vec<SymbolId> {
        let graph = self.graph();
        let mut is_shown = vec![false; graph.functions().len()];
        let mut show = |symbol: SymbolId| is_shown[symbol.index()] = true;
        for section in self.sections {
            match section {
                Section::Flat => self.flat().for_each(&mut show),
                Section::Index => self.index().for_each(&mut show),
                Section::Graph => self.show_entries(&mut show),
                Section::ExecCounts | Section::AnnotatedSource | Section::Order => {}
            }
        }
        let all = (0..).map(SymbolId).zip(is_shown);
        all.filter_map(|(symbol, is_shown)| is_shown.then_some(symbol))
            .collect()
    }

    fn flat(&self) -> impl Iterator<Item = SymbolId> {
        self.contents
            .analysis
            .flat
            .rows
            .iter()
            .map(|row| row.symbol)
    }

    fn index(&self) -> impl Iterator<Item = SymbolId> {
        let entries = self.contents.analysis.index.iter();
        entries.filter_map(|entry| match *entry {
            GraphNode::Function(symbol) => Some(symbol),
            GraphNode::Cycle(_) => None,
        })
    }

    /// What entries name. Arcs are looked at in their own order, which is that of memory.
    fn show_entries(&self, mut show: impl FnMut(SymbolId)) {
        let graph = self.graph();
        let mut is_subject = vec![false; graph.functions().len()];
        for &subject in self.subjects {
            match subject {
                GraphNode::Function(symbol) => {
                    is_subject[symbol.index()] = true;
                    show(symbol);
                }
                GraphNode::Cycle(cycle) => graph.members(cycle).iter().copied().for_each(&mut show),
            }
        }
        for arc in graph.graph().arcs() {
            if is_subject[arc.caller.index()] || is_subject[arc.callee.index()] {
                show(arc.caller);
                show(arc.callee);
            }
        }
    }
}
