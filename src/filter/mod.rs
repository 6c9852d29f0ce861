//! Selects the symbols of a report.
//!
//! Symspecs are resolved to sets of symbols here, once; later stages use the sets only.

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

/// Functions that compilers and C libraries add to every program. They run once, for less
/// than a sampling interval, and have neither a size nor a known end.
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

/// Returns whether a symbol is one of these start-up functions.
pub fn is_of_start_up(symbol: &Symbol) -> bool {
    START_UP_FUNCTIONS.contains(&&*symbol.name)
}

/// The specs for one kind of report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specs {
    /// Show only these. If empty, or if no such symbol exists, show all.
    pub include: Vec<SymSpec>,
    /// Show all except these. `include` has priority.
    pub exclude: Vec<SymSpec>,
}

impl Specs {
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }
}

/// The specs for all kinds of reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterSpecs {
    pub flat: Specs,
    pub graph: Specs,
    /// Functions whose time counts in the call graph.
    pub time: Specs,
    /// Functions in annotated source.
    pub annotation: Specs,
    pub exec_counts: Specs,
    pub arcs: Specs,
    /// Functions that costs must pass through, or must not.
    pub focus: Specs,
    /// Functions that recorded stacks begin with, and those removed from them.
    pub stacks: Specs,
}

impl FilterSpecs {
    /// Returns whether a spec names a file or line.
    pub fn name_sources(&self) -> bool {
        let names_source = |pattern: &Pattern| {
            pattern.file.is_some() || matches!(pattern.target, Some(SymbolTarget::Line(_)))
        };
        let Self { flat, graph, time, annotation, exec_counts, arcs, focus, stacks } = self;
        [flat, graph, time, annotation, exec_counts, arcs, focus, stacks]
            .into_iter()
            .flat_map(|specs| specs.include.iter().chain(&specs.exclude))
            .flat_map(|spec| [Some(&spec.left), spec.right.as_ref()])
            .flatten()
            .any(names_source)
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The specs that a call-graph spec belongs to: the specs of arcs if it names an arc.
    pub fn of_graph_or_arcs(&mut self, spec: Option<&SymSpec>) -> &mut Specs {
        match spec {
            Some(SymSpec { right: Some(_), .. }) => &mut self.arcs,
            _ => &mut self.graph,
        }
    }

    /// All specs except those for annotated source.
    pub fn without_annotation(&self) -> Self {
        Self { annotation: Specs::default(), ..self.clone() }
    }

    /// The specs for frames of stacks as those of calls.
    pub fn only_stacks(&self) -> Self {
        Self { focus: self.stacks.clone(), ..Self::default() }
    }

    pub fn only_annotation(&self) -> Self {
        Self { annotation: self.annotation.clone(), ..Self::default() }
    }
}
