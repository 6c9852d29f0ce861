//! The arcs that specs of the form `FROM/TO` name, whatever set they fill: gprof takes
//! each for an arc without calls, between ranges of symbols.

use super::given::{GivenSpecs, Set, Side};
use super::ranges::{RangeTable, SelectedRange, all_ranges};
use crate::symbols::{SymbolId, SymbolTable};

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

/// From every range of callers to every range of callees of the same spec, the spec
/// given last first. Whether such arcs were taken does not matter.
#[must_use]
pub fn named_arcs(given: &GivenSpecs, table: &SymbolTable) -> Vec<NamedArc> {
    let n_specs = given.specs().len();
    if given.specs().all(|spec| spec.right.is_none()) {
        return Vec::new();
    }
    let mut n_ranges = 0;
    let mut numbered = |ranges: Vec<SelectedRange>, by_spec: &mut Vec<Vec<NamedRange>>| {
        for range in ranges {
            by_spec[range.pattern].push(NamedRange {
                range_index: n_ranges,
                first: range.first,
            });
            n_ranges += 1;
        }
    };
    let (mut callers, mut callees) = (vec![Vec::new(); n_specs], vec![Vec::new(); n_specs]);
    for set in Set::ALL {
        for side in Side::BOTH {
            numbered(callers_of(given, set, side, table), &mut callers);
        }
    }
    let right: Vec<_> = given.specs().map(|spec| spec.right.as_ref()).collect();
    numbered(all_ranges(&right, table), &mut callees);
    let specs = (0..n_specs).rev();
    let arcs = specs.flat_map(|spec| {
        let callees = &callees[spec];
        let callers = callers[spec].iter();
        callers.flat_map(|&caller| {
            callees
                .iter()
                .map(move |&callee| NamedArc { caller, callee })
        })
    });
    arcs.collect()
}

/// The ranges of one side of a set. gprof moves those that stay in it to the front of
/// its list, and arcs lead from places in this list: they then have the names of others.
fn callers_of(given: &GivenSpecs, set: Set, side: Side, table: &SymbolTable) -> Vec<SelectedRange> {
    let mut left = vec![None; given.specs().len()];
    let specs: Vec<_> = given.specs().collect();
    for place in given.places(set, side) {
        left[place] = Some(&specs[place].left);
    }
    let mut callers = all_ranges(&left, table);
    let kept = RangeTable::of_all(callers.clone()).into_ranges();
    for (range, kept) in callers.iter_mut().zip(&kept) {
        range.first = kept.first;
    }
    callers
}
