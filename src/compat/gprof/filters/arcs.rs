//! Which arcs of the call graph count, by specs of the form `FROM/TO`.
//!
//! gprof's rules have two surprises. Of several specs whose callers start at one
//! symbol only the one given last has any effect. And a spec without a callee
//! names no arcs, so it does nothing but hide such other specs.

use super::given::{GivenSpecs, Set, Side};
use super::ranges::{RangeTable, SelectedRange, all_ranges};
use crate::filter::SymSpec;
use crate::symbols::{Symbol, SymbolTable};

/// A set of arcs, from an inclusion and an exclusion.
#[derive(Debug, Default)]
pub struct ArcSelection {
    /// `None` when every arc is included.
    included: Option<ArcTable>,
    excluded: Option<ArcTable>,
}

impl ArcSelection {
    /// Finds the symbols at both ends of each spec.
    pub(super) fn resolve(given: &GivenSpecs, table: &SymbolTable) -> Self {
        let arcs_of = |side| {
            let arcs = ArcTable::build(&given.of(Set::Arcs, side), table);
            // A table that came out empty is the same as no table.
            Some(arcs).filter(|arcs| !arcs.is_empty)
        };
        Self {
            included: arcs_of(Side::Include),
            excluded: arcs_of(Side::Exclude),
        }
    }

    /// Whether an arc counts.
    #[must_use]
    pub fn selects(&self, caller: &Symbol, callee: &Symbol) -> bool {
        let contains = |arcs: &ArcTable| arcs.contains(caller, callee);
        match &self.included {
            Some(included) => included.contains(caller, callee),
            None => !self.excluded.as_ref().is_some_and(contains),
        }
    }
}

/// The arcs of one list of specs.
#[derive(Debug, Default)]
struct ArcTable {
    /// For each spec, the ranges on either side.
    by_spec: Vec<(RangeTable, RangeTable)>,
    is_empty: bool,
}

impl ArcTable {
    fn build(specs: &[&SymSpec], table: &SymbolTable) -> Self {
        let left: Vec<_> = specs.iter().map(|spec| Some(&spec.left)).collect();
        let right: Vec<_> = specs.iter().map(|spec| spec.right.as_ref()).collect();
        let kept = RangeTable::of_all(all_ranges(&left, table)).into_ranges();
        let callees = all_ranges(&right, table);
        let of = |spec, ranges: &[SelectedRange]| {
            let own = ranges.iter().filter(|range| range.pattern == spec);
            RangeTable::of_all(own.copied().collect())
        };
        Self {
            by_spec: (0..specs.len())
                .map(|spec| (of(spec, &kept), of(spec, &callees)))
                .collect(),
            is_empty: kept.is_empty(),
        }
    }

    fn contains(&self, caller: &Symbol, callee: &Symbol) -> bool {
        self.by_spec.iter().any(|(callers, callees)| {
            callers.contains(caller.range.start)
                && callees
                    .containing(callee.range.start)
                    .is_some_and(|range| callee.range.end <= range.end)
        })
    }
}
