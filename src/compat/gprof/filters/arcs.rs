//! Which call-graph arcs count, by specs of the form `FROM/TO`.
//!
//! gprof's rules have two surprises. Of several specs whose callers start at the same symbol,
//! only the last has an effect. And a spec without callee matches no arc, so it only hides
//! such other specs.

use super::given::{GivenSpecs, Set, SpecEffect};
use super::ranges::{RangeTable, SelectedRange, all_ranges};
use crate::filter::SymSpec;
use crate::limits::MOST_CALLS;
use crate::symbols::{Symbol, SymbolId, SymbolTable};

/// A set of arcs, from inclusions and exclusions.
#[derive(Debug, Default)]
pub struct ArcSelection {
    /// `None` if every arc is included.
    included: Option<ArcTable>,
    excluded: Option<ArcTable>,
}

impl ArcSelection {
    /// Finds the symbols of each spec.
    pub(super) fn resolve(given: &GivenSpecs, table: &SymbolTable) -> Self {
        let arcs_of = |side| {
            let arcs = ArcTable::build(&given.of(Set::Arcs, side), table);
            // A table that came out empty is the same as no table.
            Some(arcs).filter(|arcs| !arcs.is_empty)
        };
        Self { included: arcs_of(SpecEffect::Include), excluded: arcs_of(SpecEffect::Exclude) }
    }

    /// Returns whether an arc counts.
    pub fn selects(&self, caller: &Symbol, callee: &Symbol) -> bool {
        let contains = |arcs: &ArcTable| arcs.contains(caller, callee);
        match &self.included {
            Some(included) => included.contains(caller, callee),
            None => !self.excluded.as_ref().is_some_and(contains),
        }
    }
}

/// The arcs of a list of specs.
#[derive(Debug, Default)]
struct ArcTable {
    /// For each spec, the ranges of callers and callees.
    by_spec: Vec<(RangeTable, RangeTable)>,
    is_empty: bool,
}

impl ArcTable {
    fn build(specs: &[&SymSpec], table: &SymbolTable) -> Self {
        let left: Vec<_> = specs.iter().map(|spec| Some(&spec.left)).collect();
        let right: Vec<_> = specs.iter().map(|spec| spec.right.as_ref()).collect();
        let kept = RangeTable::of_all(all_ranges(&left, table)).ranges;
        let callees = all_ranges(&right, table);
        let of = |spec, ranges: &[SelectedRange]| {
            let own = ranges.iter().filter(|range| range.pattern == spec);
            RangeTable::of_all(own.copied().collect())
        };
        Self {
            by_spec: (0..specs.len()).map(|spec| (of(spec, &kept), of(spec, &callees))).collect(),
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

/// The arcs of specs, whether taken or not.
#[derive(Debug, Default)]
pub struct NamedArcs {
    /// Ranges of symbols at both ends.
    pub ranges: Vec<NamedRange>,
    /// Pairs of indices into `ranges`.
    pub arcs: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedRange {
    /// Its first symbol, which names it.
    pub first: SymbolId,
    /// The next range of the same half of a spec; these lists have descending addresses.
    pub next: Option<usize>,
}

impl NamedArcs {
    /// From every range of callers to every range of callees of the same spec, last spec and
    /// highest addresses first.
    pub fn resolve(given: &GivenSpecs, table: &SymbolTable) -> Self {
        let mut named = Self::default();
        if given.specs().all(|spec| spec.right.is_none()) {
            return named;
        }
        let n_specs = given.specs().len();
        let mut callers = vec![Vec::new(); n_specs];
        for set in Set::ALL {
            for side in SpecEffect::BOTH {
                let ranges = left_ranges(given, set, side, table);
                let first_place = named.ranges.len();
                named.add_ranges(&ranges, &mut callers);
                named.move_kept(ranges, first_place);
            }
        }
        let mut callees = vec![Vec::new(); n_specs];
        let right: Vec<_> = given.specs().map(|spec| spec.right.as_ref()).collect();
        named.add_ranges(&all_ranges(&right, table), &mut callees);
        let of_spec = |spec: usize| {
            let callees = &callees[spec];
            let callers = callers[spec].iter().rev();
            callers.flat_map(|&from| callees.iter().rev().map(move |&to| (from, to)))
        };
        let arcs = (0..n_specs).rev().flat_map(of_spec);
        named.arcs = arcs.take(MOST_CALLS).collect();
        named
    }

    /// Adds ranges, and their indices to those of each spec.
    fn add_ranges(&mut self, ranges: &[SelectedRange], by_spec: &mut [Vec<usize>]) {
        for range in ranges {
            let of_spec = &mut by_spec[range.pattern];
            let next = of_spec.last().copied();
            of_spec.push(self.ranges.len());
            self.ranges.push(NamedRange { first: range.first, next });
        }
    }

    /// gprof moves the kept ranges with their contents to the front of its list. Arcs refer
    /// to positions in this list, and so get other names.
    fn move_kept(&mut self, ranges: Vec<SelectedRange>, first_place: usize) {
        let firsts: Vec<_> = ranges.iter().map(|range| (range.start, range.pattern)).collect();
        let kept = RangeTable::of_all(ranges).ranges;
        let mut place = 0;
        for (to, range) in kept.iter().enumerate() {
            while firsts[place] != (range.start, range.pattern) {
                place += 1;
            }
            self.ranges[first_place + to] = self.ranges[first_place + place];
        }
    }
}

/// The ranges of one side, before those without effect are removed.
fn left_ranges(
    given: &GivenSpecs,
    set: Set,
    side: SpecEffect,
    table: &SymbolTable,
) -> Vec<SelectedRange> {
    let specs: Vec<_> = given.specs().collect();
    let mut left = vec![None; specs.len()];
    for place in given.places(set, side) {
        left[place] = Some(&specs[place].left);
    }
    all_ranges(&left, table)
}
