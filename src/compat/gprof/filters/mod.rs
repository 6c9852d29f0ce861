//! What gprof's symspecs select: ranges of addresses, with its surprises where specs
//! overlap.

mod arcs;
mod given;
mod named_arcs;
mod ranges;

pub use arcs::ArcSelection;
pub use given::{GivenSpecs, Set, Side};
pub use named_arcs::NamedArcs;

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
    fn resolve(given: &GivenSpecs, set: Set, table: &SymbolTable) -> Self {
        let set_of = |side| {
            let ranges = RangeTable::build(&given.of(set, side), table);
            // A table that came out empty is the same as no table: gprof's rule.
            let contains = |symbol: &Symbol| ranges.contains(symbol.range.start);
            (!ranges.is_empty()).then(|| table.symbols().iter().map(contains).collect())
        };
        Self {
            included: set_of(Side::Include),
            excluded: set_of(Side::Exclude),
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
    pub fn resolve(given: &GivenSpecs, table: &SymbolTable) -> Self {
        let symbols_of = |set| Selection::resolve(given, set, table);
        Self {
            flat: symbols_of(Set::Flat),
            graph: symbols_of(Set::Graph),
            time: symbols_of(Set::Time),
            annotation: symbols_of(Set::Annotation),
            exec_counts: symbols_of(Set::ExecCounts),
            arcs: ArcSelection::resolve(given, table),
        }
    }
}
