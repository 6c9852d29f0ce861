//! What gprof's symspecs select: ranges of addresses, with its surprises where specs
//! overlap.

mod arcs;
mod ranges;

pub use arcs::{ArcSelection, NamedArc, NamedRange};

use crate::filter::{FilterSpecs, Specs, SymSpec};
use crate::symbols::{Symbol, SymbolId, SymbolTable};
use ranges::RangeTable;

/// A set of symbols, from an inclusion and an exclusion.
#[derive(Clone, Debug)]
pub struct Selection {
    /// `None` when everything is included.
    included: Option<Box<[bool]>>,
    excluded: Option<Box<[bool]>>,
}

impl Selection {
    fn resolve(specs: &Specs, table: &SymbolTable) -> Self {
        let set_of = |specs: &[SymSpec]| {
            let ranges = RangeTable::build(specs, table);
            // A table that came out empty is the same as no table: gprof's rule.
            let contains = |symbol: &Symbol| ranges.contains(symbol.range.start);
            (!ranges.is_empty()).then(|| table.symbols().iter().map(contains).collect())
        };
        Self {
            included: set_of(&specs.include),
            excluded: set_of(&specs.exclude),
        }
    }

    /// Whether the symbol is in the set.
    #[must_use]
    pub fn selects(&self, id: SymbolId) -> bool {
        match &self.included {
            Some(included) => included[id.index()],
            None => !self.excludes(id),
        }
    }

    /// Whether an inclusion names the symbol.
    #[must_use]
    pub fn includes(&self, id: SymbolId) -> bool {
        self.included
            .as_ref()
            .is_some_and(|included| included[id.index()])
    }

    /// Whether an exclusion names the symbol.
    #[must_use]
    pub fn excludes(&self, id: SymbolId) -> bool {
        self.excluded
            .as_ref()
            .is_some_and(|excluded| excluded[id.index()])
    }
}

/// Every set, resolved for one table of symbols.
#[derive(Debug)]
pub struct Filters {
    /// Rows of the flat profile.
    pub flat: Selection,
    /// Entries of the call graph.
    pub graph: Selection,
    /// Whose time counts in the call graph.
    pub time: Selection,
    /// Which symbols mark annotated source.
    pub annotation: Selection,
    /// Lines of the execution counts.
    pub exec_counts: Selection,
    /// Arcs of the call graph.
    pub arcs: ArcSelection,
}

impl Filters {
    /// Finds the symbols that the specs mean. Costs symbols times specs.
    #[must_use]
    pub fn resolve(specs: &FilterSpecs, table: &SymbolTable) -> Self {
        Self {
            flat: Selection::resolve(&specs.flat, table),
            graph: Selection::resolve(&specs.graph, table),
            time: Selection::resolve(&specs.time, table),
            annotation: Selection::resolve(&specs.annotation, table),
            exec_counts: Selection::resolve(&specs.exec_counts, table),
            arcs: ArcSelection::resolve(&specs.arcs, table),
        }
    }
}
