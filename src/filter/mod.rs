//! Which symbols a report is about.
//!
//! Symspecs become sets of symbols here, once; whoever counts or prints asks a
//! set and knows nothing of specs.

mod finder;
pub mod keep;
mod nearest;
mod parts;
mod sets;
mod symspec;
mod word;

pub use finder::{Finder, Matcher, NotFound};
pub use nearest::Nearest;
pub use sets::{ArcSet, FilterSets, FocusSet, SymbolSet, Unknown};
pub use symspec::{Pattern, SymSpec, SymbolTarget};

use crate::symbols::Symbol;

/// The functions of the profiler itself, which no report gives time to.
pub const PROFILER_FUNCTIONS: [&str; 6] = [
    "_gprof_mcount",
    "mcount",
    "_mcount",
    "__mcount",
    "__mcount_internal",
    "__mcleanup",
];

/// Whether a symbol is one of the profiler's own functions.
pub fn is_of_profiler(symbol: &Symbol) -> bool {
    PROFILER_FUNCTIONS
        .iter()
        .any(|name| *symbol.name == *name.as_bytes())
}

/// What compilers and C libraries add to every program. It runs once, for less time than
/// is between samples, and says neither how long it is nor where it ends.
const START_UP_FUNCTIONS: [&[u8]; 11] = [
    b"_init",
    b"_fini",
    b"__gmon_start__",
    b"_dl_relocate_static_pie",
    b"call_weak_fn",
    b"deregister_tm_clones",
    b"register_tm_clones",
    b"frame_dummy",
    b"__do_global_ctors_aux",
    b"__do_global_dtors_aux",
    b"__libc_csu_init",
];

/// Whether a symbol is one of those that start and end every program.
pub fn is_of_start_up(symbol: &Symbol) -> bool {
    START_UP_FUNCTIONS.contains(&&*symbol.name)
}

/// The specs given for one kind of report: what to show and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specs {
    /// Show these. When none is given, or none is found, show all.
    pub include: Vec<SymSpec>,
    /// Show all but these. Inclusion wins.
    pub exclude: Vec<SymSpec>,
}

impl Specs {
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }
}

/// The specs for every kind of report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterSpecs {
    pub flat: Specs,
    pub graph: Specs,
    /// Whose time counts in the call graph.
    pub time: Specs,
    /// Which symbols mark annotated source.
    pub annotation: Specs,
    pub exec_counts: Specs,
    pub arcs: Specs,
    /// What costs have to run through, and what they must not.
    pub focus: Specs,
}

impl FilterSpecs {
    /// Whether some spec names a file or a line.
    pub fn name_sources(&self) -> bool {
        let names_source = |pattern: &Pattern| {
            pattern.file.is_some() || matches!(pattern.target, Some(SymbolTarget::Line(_)))
        };
        let Self {
            flat,
            graph,
            time,
            annotation,
            exec_counts,
            arcs,
            focus,
        } = self;
        [flat, graph, time, annotation, exec_counts, arcs, focus]
            .into_iter()
            .flat_map(|specs| specs.include.iter().chain(&specs.exclude))
            .flat_map(|spec| [Some(&spec.left), spec.right.as_ref()])
            .flatten()
            .any(names_source)
    }

    /// Whether there are none but those that leave out the profiler's own functions.
    pub fn is_empty(&self) -> bool {
        *self == Self::default().without_profiler() || *self == Self::default()
    }

    /// The specs that a spec for the call graph joins: those of arcs if it names arcs.
    pub fn of_graph_or_arcs(&mut self, spec: Option<&SymSpec>) -> &mut Specs {
        match spec {
            Some(SymSpec { right: Some(_), .. }) => &mut self.arcs,
            _ => &mut self.graph,
        }
    }

    /// Those for all but annotated source.
    pub fn without_annotation(&self) -> Self {
        Self {
            annotation: Specs::default(),
            ..self.clone()
        }
    }

    pub fn only_annotation(&self) -> Self {
        Self {
            annotation: self.annotation.clone(),
            ..Self::default()
        }
    }

    /// Leaves the profiler's own functions out of all times, after what the user
    /// left out.
    pub fn without_profiler(mut self) -> Self {
        for specs in [&mut self.flat, &mut self.graph, &mut self.time] {
            specs.exclude.extend(profiler_specs());
        }
        self
    }

    /// The same as before [`Self::without_profiler`]: what was recorded for the profiler's
    /// functions, and not sampled beside them, is shown like all else.
    pub fn with_profiler(&self) -> Self {
        let profiler: Vec<_> = profiler_specs().collect();
        let mut all = self.clone();
        for specs in [&mut all.flat, &mut all.graph, &mut all.time] {
            if specs.exclude.ends_with(&profiler) {
                let n_given = specs.exclude.len() - profiler.len();
                specs.exclude.truncate(n_given);
            }
        }
        all
    }
}

fn profiler_specs() -> impl Iterator<Item = SymSpec> {
    PROFILER_FUNCTIONS
        .iter()
        .map(|name| SymSpec::function(name))
}
