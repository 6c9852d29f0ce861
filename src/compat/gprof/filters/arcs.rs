//! Which arcs of the call graph count, by specs of the form `FROM/TO`.
//!
//! gprof's rules have two surprises. Of several specs whose callers start at one
//! symbol only the one given last has any effect. And a spec without a callee
//! names no arcs, so it does nothing but hide such other specs.

use super::ranges::{RangeTable, SelectedRange, all_ranges};
use crate::filter::{Specs, SymSpec};
use crate::symbols::{Symbol, SymbolId, SymbolTable};

/// A set of arcs, from an inclusion and an exclusion.
#[derive(Debug, Default)]
pub struct ArcSelection {
    /// `None` when every arc is included.
    included: Option<ArcTable>,
    excluded: Option<ArcTable>,
    named: Vec<NamedArc>,
}

/// An arc that a spec names: from all of one range to all of another. Each range
/// goes by the name of its first symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedArc {
    /// The range of callers.
    pub caller: NamedRange,
    /// The range of callees.
    pub callee: NamedRange,
}

/// One end of a named arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedRange {
    /// The range, among all that specs name.
    pub range_index: usize,
    /// The first symbol in it.
    pub first: SymbolId,
}

impl ArcSelection {
    /// Finds the symbols at both ends of each spec.
    pub(super) fn resolve(specs: &Specs, table: &SymbolTable) -> Self {
        let mut selection = Self::default();
        let mut n_ranges = 0;
        let include = ArcTable::build(&specs.include, table);
        let exclude = ArcTable::build(&specs.exclude, table);
        for arcs in [&exclude, &include] {
            selection.named.extend(arcs.named(n_ranges));
            n_ranges += arcs.n_ranges();
        }
        // A table that came out empty is the same as no table.
        selection.included = Some(include).filter(|arcs| !arcs.is_empty);
        selection.excluded = Some(exclude).filter(|arcs| !arcs.is_empty);
        selection
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

    /// The arcs that specs name, whether they were taken or not.
    #[must_use]
    pub fn named(&self) -> &[NamedArc] {
        &self.named
    }
}

/// The arcs of one list of specs.
#[derive(Debug, Default)]
struct ArcTable {
    /// For each spec, the ranges on either side.
    by_spec: Vec<(RangeTable, RangeTable)>,
    is_empty: bool,
    callers: Vec<SelectedRange>,
    callees: Vec<SelectedRange>,
}

impl ArcTable {
    fn build(specs: &[SymSpec], table: &SymbolTable) -> Self {
        let left: Vec<_> = specs.iter().map(|spec| Some(&spec.left)).collect();
        let right: Vec<_> = specs.iter().map(|spec| spec.right.as_ref()).collect();
        let mut callers = all_ranges(&left, table);
        let callees = all_ranges(&right, table);
        let mut kept = callers.clone();
        kept.dedup_by_key(|range| range.start);
        // gprof moves the ranges that stay to the front of its list, so those that
        // named arcs lead from then have the names of others.
        for (range, kept) in callers.iter_mut().zip(&kept) {
            range.first = kept.first;
        }
        let of = |spec, ranges: &[SelectedRange]| {
            let own = ranges.iter().filter(|range| range.pattern == spec);
            RangeTable::of_all(own.copied().collect())
        };
        Self {
            by_spec: (0..specs.len())
                .map(|spec| (of(spec, &kept), of(spec, &callees)))
                .collect(),
            is_empty: kept.is_empty(),
            callers,
            callees,
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

    fn n_ranges(&self) -> usize {
        self.callers.len() + self.callees.len()
    }

    /// From every range of callers to every range of callees of the same spec, the
    /// spec given last first.
    fn named(&self, first_index: usize) -> impl Iterator<Item = NamedArc> {
        let named = move |index, range: &SelectedRange| NamedRange {
            range_index: first_index + index,
            first: range.first,
        };
        let n_callers = self.callers.len();
        let specs = (0..self.by_spec.len()).rev();
        specs.flat_map(move |spec| {
            let of_spec = move |(_, range): &(usize, &SelectedRange)| range.pattern == spec;
            let callers = self.callers.iter().enumerate().filter(of_spec);
            callers.flat_map(move |(caller_index, caller)| {
                let callees = self.callees.iter().enumerate().filter(of_spec);
                callees.map(move |(callee_index, callee)| NamedArc {
                    caller: named(caller_index, caller),
                    callee: named(n_callers + callee_index, callee),
                })
            })
        })
    }
}
