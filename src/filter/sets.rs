//! Sets of symbols and arcs. A symbol is in a set if any spec matches it.

use super::finder::{Finder, NotFound};
use super::symspec::{Pattern, SymSpec, pattern_of_name};
use super::{FilterSpecs, Specs};
use crate::symbols::{Style, SymbolId, SymbolTable};

/// A set of symbols, from inclusions and exclusions. Inclusions have priority; if they match
/// nothing, they are ignored.
#[derive(Clone, Debug)]
pub struct SymbolSet {
    contains: Box<[bool]>,
    is_all: bool,
}

impl SymbolSet {
    fn resolve(specs: &Specs, search: &mut SymbolSearch<'_>) -> Self {
        let included = search.fitting(&specs.include);
        let excluded = search.fitting(&specs.exclude);
        let contains: Box<[bool]> = if included.contains(&true) {
            included
        } else {
            excluded.iter().map(|&is_out| !is_out).collect()
        };
        let is_all = !contains.contains(&false);
        Self { contains, is_all }
    }

    pub fn contains(&self, id: SymbolId) -> bool {
        self.contains[id.index()]
    }

    /// Whether all symbols are in the set.
    pub fn is_all(&self) -> bool {
        self.is_all
    }

    fn intersect(&mut self, other: &[bool]) {
        for (is_in, is_kept) in self.contains.iter_mut().zip(other) {
            self.is_all &= *is_kept || !*is_in;
            *is_in &= is_kept;
        }
    }
}

/// A set of arcs, by the same rules.
#[derive(Clone, Debug, Default)]
pub struct ArcSet {
    included: Vec<Ends>,
    excluded: Vec<Ends>,
}

/// All arcs from some symbols to others.
#[derive(Clone, Debug)]
struct Ends {
    callers: Box<[bool]>,
    callees: Box<[bool]>,
}

impl Ends {
    /// The symbols of an arc spec; `None` for other specs.
    fn of(spec: &SymSpec, search: &mut SymbolSearch<'_>) -> Option<Self> {
        let callees = spec.right.as_ref()?;
        let callers = search.half(spec, &spec.left);
        let callees = search.half(spec, callees);
        let are_any = callers.contains(&true) && callees.contains(&true);
        are_any.then_some(Self { callers, callees })
    }
}

impl ArcSet {
    fn resolve(specs: &Specs, search: &mut SymbolSearch<'_>) -> Self {
        let mut ends = |specs: &[SymSpec]| {
            let ends = specs.iter().filter_map(|spec| Ends::of(spec, search));
            ends.collect()
        };
        Self { included: ends(&specs.include), excluded: ends(&specs.exclude) }
    }

    pub fn contains(&self, caller: SymbolId, callee: SymbolId) -> bool {
        let fits = |ends: &Ends| ends.callers[caller.index()] && ends.callees[callee.index()];
        if !self.included.is_empty() {
            return self.included.iter().any(fits);
        }
        !self.excluded.iter().any(fits)
    }
}

/// The functions that costs must pass through, and those that costs must not pass through. Both
/// apply, and exclusion has priority.
#[derive(Clone, Debug, Default)]
pub struct FocusSet {
    /// The specs, if any.
    pub specs: Specs,
    focus: Box<[bool]>,
    ignored: Box<[bool]>,
}

impl FocusSet {
    fn resolve(specs: &Specs, search: &mut SymbolSearch<'_>) -> Self {
        let focus = search.fitting(&specs.include);
        let ignored = search.fitting(&specs.exclude);
        let named = |specs: &[SymSpec], set: &[bool]| {
            let is_any = set.contains(&true);
            specs.iter().filter(|_| is_any).cloned().collect()
        };
        Self {
            specs: Specs {
                include: named(&specs.include, &focus),
                exclude: named(&specs.exclude, &ignored),
            },
            focus,
            ignored,
        }
    }

    /// Returns whether all costs count.
    pub fn is_all(&self) -> bool {
        self.specs.is_empty()
    }

    /// Returns whether costs must pass through some function.
    pub fn has_focus(&self) -> bool {
        !self.specs.include.is_empty()
    }

    /// Returns whether a symbol is required (`--focus`).
    pub fn focuses(&self, id: SymbolId) -> bool {
        self.focus.get(id.index()) == Some(&true)
    }

    /// Returns whether a symbol is excluded (`--ignore`).
    pub fn ignores(&self, id: SymbolId) -> bool {
        self.ignored.get(id.index()) == Some(&true)
    }
}

/// The sets of all kinds of reports.
#[derive(Debug)]
pub struct FilterSets {
    /// Rows of the flat profile.
    pub flat: SymbolSet,
    /// Innermost functions of leaks.
    pub leaks: SymbolSet,
    pub graph: SymbolSet,
    /// Functions whose self costs count.
    pub time: SymbolSet,
    /// Functions in annotated source.
    pub annotation: SymbolSet,
    pub exec_counts: SymbolSet,
    /// Arcs along which costs propagate.
    pub arcs: ArcSet,
    /// Functions that costs must pass through, or must not.
    pub focus: FocusSet,
    /// Specs without a match, which the sets ignore.
    pub unknown: Vec<Unknown>,
}

/// A spec without a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    pub spec: SymSpec,
    /// The half without a match.
    pub half: Pattern,
    pub why: NotFound,
}

impl FilterSets {
    /// Resolves specs by the names in the executable.
    pub fn resolve(specs: &FilterSpecs, table: &SymbolTable) -> Self {
        Self::find(specs, &Finder::new(table, Style::None))
    }

    /// Resolves specs. Takes symbols times specs.
    pub fn find(specs: &FilterSpecs, finder: &Finder<'_>) -> Self {
        let mut search = SymbolSearch { finder, unknown: Vec::new() };
        let specs = &with_names(specs.clone(), finder);
        let mut symbols = |specs| SymbolSet::resolve(specs, &mut search);
        let flat = symbols(&specs.flat);
        Self {
            leaks: flat.clone(),
            flat,
            graph: symbols(&specs.graph),
            time: symbols(&specs.time),
            annotation: symbols(&specs.annotation),
            exec_counts: symbols(&specs.exec_counts),
            arcs: ArcSet::resolve(&specs.arcs, &mut search),
            focus: FocusSet::resolve(&specs.focus, &mut search),
            unknown: search.unknown,
        }
    }

    /// Removes all symbols that are not `kept` from the sets, except from the flat profile,
    /// which sums up the omitted functions.
    pub fn keep(&mut self, kept: &[bool]) {
        let Self { leaks, graph, annotation, exec_counts, .. } = self;
        for set in [leaks, graph, annotation, exec_counts] {
            set.intersect(kept);
        }
    }
}

/// Reads specs as names if functions have these names, also the halves of arcs.
fn with_names(mut specs: FilterSpecs, finder: &Finder<'_>) -> FilterSpecs {
    let function_of = |spec: &SymSpec| {
        let name = spec.name.as_deref()?;
        finder.is_name(name).then(|| SymSpec::function(name))
    };
    let arcs = std::mem::take(&mut specs.arcs);
    for (is_excluded, list, arcs, graph) in [
        (false, arcs.include, &mut specs.arcs.include, &mut specs.graph.include),
        (true, arcs.exclude, &mut specs.arcs.exclude, &mut specs.graph.exclude),
    ] {
        for spec in list {
            let (n_exact, arc) = arc_at_names(&spec, finder).unzip();
            // `-k` has arcs only; otherwise whole names have priority.
            let is_arc = is_excluded && n_exact == Some(2);
            match function_of(&spec).filter(|_| !is_arc) {
                Some(function) => graph.push(function),
                None => arcs.push(arc.unwrap_or(spec)),
            }
        }
    }
    // Those for stacks apply before all others.
    let FilterSpecs { flat, graph, time, annotation, exec_counts, focus, arcs: _, stacks: _ } =
        &mut specs;
    for list in [flat, graph, time, annotation, exec_counts, focus] {
        for spec in list.include.iter_mut().chain(&mut list.exclude) {
            if let Some(function) = function_of(spec) {
                *spec = function;
            }
        }
    }
    specs
}

/// An arc whose halves both match, split at the slash with the most exact names, and their
/// number; `None` without such a slash.
fn arc_at_names(spec: &SymSpec, finder: &Finder<'_>) -> Option<(u8, SymSpec)> {
    let half = |word: &str| {
        if word.is_empty() {
            return Some((0, Pattern::default()));
        }
        if finder.is_name(word) {
            return Some((1, SymSpec::function(word).left));
        }
        let pattern = pattern_of_name(word);
        finder.find(&pattern).is_ok().then_some((0, pattern))
    };
    let halves = spec.splits().filter_map(|[from, to]| {
        let ((of_left, left), (of_right, right)) = half(from).zip(half(to))?;
        Some((of_left + of_right, left, right))
    });
    // The first of the best.
    let best = halves.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (n_exact, left, right) = best?;
    let arc = SymSpec { left, right: Some(right), name: None };
    Some((n_exact, arc))
}

/// Finds symbols, and records specs without a match.
struct SymbolSearch<'a> {
    finder: &'a Finder<'a>,
    unknown: Vec<Unknown>,
}

impl SymbolSearch<'_> {
    /// For each symbol, whether any of the specs matches it.
    fn fitting(&mut self, specs: &[SymSpec]) -> Box<[bool]> {
        let mut all: Box<[bool]> = vec![false; self.finder.table().symbols().len()].into();
        for spec in specs.iter().filter(|spec| spec.right.is_none()) {
            let found = self.half(spec, &spec.left);
            for (is_in, is_found) in all.iter_mut().zip(&found) {
                *is_in |= is_found;
            }
        }
        all
    }

    /// For each symbol, whether one half of a spec matches it.
    fn half(&mut self, spec: &SymSpec, half: &Pattern) -> Box<[bool]> {
        self.finder.find(half).unwrap_or_else(|why| {
            self.unknown.push(Unknown { spec: spec.clone(), half: half.clone(), why });
            vec![false; self.finder.table().symbols().len()].into()
        })
    }
}
