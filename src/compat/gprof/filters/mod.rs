//! The symbols that gprof's symspecs select: address ranges, with surprises if specs overlap.

mod arcs;
mod given;
mod ranges;

use std::sync::Arc;

use ranges::RangeTable;

use crate::filter::SymSpec;
use crate::symbols::{Symbol, SymbolId, SymbolTable};

pub use arcs::{ArcSelection, NamedArcs};
pub use given::{GivenSpecs, Set, SpecEffect};

/// A set of symbols, from inclusions and exclusions.
#[derive(Clone, Debug)]
pub struct SymbolSelection {
    /// `None` if everything is included.
    included: Option<SelectedSymbols>,
    excluded: Option<SelectedSymbols>,
}

/// For each symbol, whether specs select it. Shared by equal specs.
type SelectedSymbols = Arc<[bool]>;

impl SymbolSelection {
    fn resolve<'s>(given: &'s GivenSpecs, set: Set, resolver: &mut Resolver<'s>) -> Self {
        Self {
            included: resolver.symbols(given.of(set, SpecEffect::Include)),
            excluded: resolver.symbols(given.of(set, SpecEffect::Exclude)),
        }
    }

    /// Returns whether the set contains the symbol.
    pub fn selects(&self, id: SymbolId) -> bool {
        match &self.included {
            Some(included) => included[id.index()],
            None => !self.excludes(id),
        }
    }

    pub fn includes(&self, id: SymbolId) -> bool {
        self.included.as_ref().is_some_and(|included| included[id.index()])
    }

    pub fn excludes(&self, id: SymbolId) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded[id.index()])
    }
}

/// Resolves equal specs once: three sets exclude the profiler's functions.
struct Resolver<'s> {
    table: &'s SymbolTable,
    known: Vec<(Vec<&'s SymSpec>, Option<SelectedSymbols>)>,
}

impl<'s> Resolver<'s> {
    fn symbols(&mut self, specs: Vec<&'s SymSpec>) -> Option<SelectedSymbols> {
        if let Some((_, symbols)) = self.known.iter().find(|(known, _)| *known == specs) {
            return symbols.clone();
        }
        let ranges = RangeTable::build(&specs, self.table);
        // A table that came out empty is the same as no table: gprof's rule.
        let contains = |symbol: &Symbol| ranges.contains(symbol.range.start);
        let all = self.table.symbols().iter();
        let symbols = (!ranges.ranges.is_empty()).then(|| all.map(contains).collect());
        self.known.push((specs, symbols.clone()));
        symbols
    }
}

/// All sets, resolved for a symbol table.
#[derive(Debug)]
pub struct Filters {
    pub flat: SymbolSelection,
    pub graph: SymbolSelection,
    pub time: SymbolSelection,
    pub annotation: SymbolSelection,
    pub exec_counts: SymbolSelection,
    pub arcs: ArcSelection,
}

impl Filters {
    /// Resolves specs. Takes symbols times specs.
    pub fn resolve(given: &GivenSpecs, table: &SymbolTable) -> Self {
        let mut resolver = Resolver { table, known: Vec::new() };
        let mut symbols_of = |set| SymbolSelection::resolve(given, set, &mut resolver);
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
