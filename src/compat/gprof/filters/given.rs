//! The symspecs of a command line with their sets.

use crate::filter::{Pattern, SymSpec, SymbolTarget};

/// The functions that gprof excludes by default.
const DEFAULT_EXCLUSIONS: [&str; 6] =
    ["_gprof_mcount", "mcount", "_mcount", "__mcount", "__mcount_internal", "__mcleanup"];

/// A set of symbols or arcs that specs select. The sets for time and for entries of the call
/// graph are separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Rows of the flat profile.
    Flat,
    /// Entries of the call graph.
    Graph,
    /// Functions whose time counts in the call graph.
    Time,
    /// Arcs of the call graph.
    Arcs,
    /// Functions in annotated source.
    Annotation,
    /// Lines of the execution counts.
    ExecCounts,
}

impl Set {
    /// Every set.
    pub(super) const ALL: [Self; 6] =
        [Self::Flat, Self::Graph, Self::Time, Self::Arcs, Self::Annotation, Self::ExecCounts];
}

/// The effect of a spec on its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecEffect {
    /// The set contains only matching symbols.
    Include,
    /// The set contains no matching symbols.
    Exclude,
}

impl SpecEffect {
    pub(super) const BOTH: [Self; 2] = [Self::Include, Self::Exclude];
}

/// The specs of a command line, in order.
#[derive(Clone, Debug, Default)]
pub struct GivenSpecs {
    given: Vec<(Set, SpecEffect, SymSpec)>,
}

impl GivenSpecs {
    /// Adds a spec, if there is one.
    pub fn add(&mut self, set: Set, side: SpecEffect, spec: Option<SymSpec>) {
        self.given.extend(spec.map(|spec| (set, side, spec)));
    }

    /// Excludes the profiler's functions from all times, after the user's exclusions.
    pub fn leave_profiler_out(&mut self) {
        for name in DEFAULT_EXCLUSIONS {
            for set in [Set::Time, Set::Graph, Set::Flat] {
                self.add(set, SpecEffect::Exclude, Some(SymSpec::function(name)));
            }
        }
    }

    /// Returns whether a spec names a file or line.
    pub fn name_sources(&self) -> bool {
        let names_source = |pattern: &Pattern| {
            pattern.file.is_some() || matches!(pattern.target, Some(SymbolTarget::Line(_)))
        };
        let specs = self.given.iter().map(|(_, _, spec)| spec);
        let halves = specs.flat_map(|spec| [Some(&spec.left), spec.right.as_ref()]);
        halves.flatten().any(names_source)
    }

    pub(super) fn specs(&self) -> impl DoubleEndedIterator<Item = &SymSpec> + ExactSizeIterator {
        self.given.iter().map(|(_, _, spec)| spec)
    }

    pub(super) fn of(&self, set: Set, side: SpecEffect) -> Vec<&SymSpec> {
        let specs: Vec<_> = self.specs().collect();
        self.places(set, side).map(|place| specs[place]).collect()
    }

    pub(super) fn places(&self, set: Set, side: SpecEffect) -> impl Iterator<Item = usize> {
        let is_of_set = move |given: &(Set, SpecEffect, SymSpec)| (given.0, given.1) == (set, side);
        let of_set = self.given.iter().enumerate();
        of_set.filter_map(move |(place, given)| is_of_set(given).then_some(place))
    }
}
