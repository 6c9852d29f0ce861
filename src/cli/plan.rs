//! What to do, decided: defaults and policies of both faces.

use std::path::PathBuf;

use crate::analyze::{AnalyzeOptions, BinEdges, UnitPrefix, UnknownCallers, UnknownRate};
use crate::filter::FilterSpecs;
use crate::load::{Manner, Requested};
use crate::model::{Address, RecordCounts};
use crate::report::gnu::{Flavor, Section};
use crate::symbols::{Style, SymbolOptions, SymbolRules};

/// Whose manners the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Its own.
    Profan,
    /// Those of GNU gprof 2.40.
    Gprof,
}

/// What the command line asks for.
#[derive(Debug)]
pub enum Command {
    /// Print this text.
    Show(String),
    /// Report on profiles.
    Report(Box<Plan>),
}

/// Everything that a report needs to know.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose manners.
    pub face: Face,
    /// The files, in the order given.
    pub files: Vec<PathBuf>,
    /// The parts of the report that were asked for.
    pub styles: Styles,
    /// Which symbols count.
    pub symbols: SymbolOptions,
    /// What to show and what not.
    pub filters: FilterSpecs,
    /// The layout of profiles, where it is forced.
    pub layout: Option<Requested>,
    /// Where the program was loaded, if not where it was linked.
    pub base: Option<Base>,
    /// How to print.
    pub text: TextPlan,
    /// Show functions without calls and time.
    pub shows_idle: bool,
    /// Add the calls that stand in the machine code to the call graph.
    pub static_calls: bool,
    /// Refuse damaged input.
    pub is_strict: bool,
    /// Where the sum of the profiles is written, if it is.
    pub sum: Option<PathBuf>,
    /// Where the report goes, if not to standard output.
    pub output: Option<PathBuf>,
    /// When to use colour.
    pub color: ColorWhen,
}

/// The address at which the program was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base(pub Address);

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorWhen {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How text is printed.
#[derive(Clone, Copy, Debug)]
pub struct TextPlan {
    /// Which layout.
    pub flavor: Flavor,
    /// Print what the columns mean.
    pub explains: bool,
    /// The width of the index.
    pub width: usize,
    /// How to demangle.
    pub demangle: Style,
    /// Whole file names.
    pub shows_paths: bool,
}

impl Plan {
    /// The plan of an empty command line.
    #[must_use]
    pub fn new(face: Face) -> Self {
        Self {
            face,
            files: Vec::new(),
            styles: Styles::default(),
            symbols: SymbolOptions {
                rules: match face {
                    Face::Profan => SymbolRules::Complete,
                    Face::Gprof => SymbolRules::Gprof,
                },
                skips_static: false,
                skips_untyped: false,
                wants_sources: false,
                external: None,
                file_map: None,
                debug_dirs: Vec::new(),
            },
            filters: FilterSpecs::default(),
            layout: None,
            base: None,
            text: TextPlan {
                flavor: Flavor::Gnu,
                explains: face == Face::Gprof,
                width: 80,
                demangle: Style::Auto,
                shows_paths: false,
            },
            shows_idle: false,
            static_calls: false,
            is_strict: false,
            sum: None,
            output: None,
            color: ColorWhen::default(),
        }
    }

    /// Settles what follows from the whole command line.
    pub(super) fn finish(&mut self) {
        let filters = std::mem::take(&mut self.filters);
        if self.styles.wants_sum {
            // Here gprof also turns line granularity on, as if `-l` were given.
            self.sum = self.output.take().or(Some("gmon.sum".into()));
        }
        self.output.take_if(|path| path.as_os_str() == "-");
        self.styles.wants_file_order = self.symbols.file_map.is_some();
        // The index names the files of static functions.
        self.symbols.wants_sources = self.styles.can_have_graph() || filters.name_sources();
        self.filters = filters.without_profiler();
    }

    /// How far readers go on their own.
    #[must_use]
    pub fn manner(&self) -> Manner {
        match self.face {
            Face::Profan => Manner::Careful,
            Face::Gprof => Manner::Gprof,
        }
    }

    /// How to count.
    #[must_use]
    pub fn analyze_options(&self) -> AnalyzeOptions {
        let (edges, unknown_callers, unknown_rate) = match self.face {
            Face::Profan => (BinEdges::Exact, UnknownCallers::Counted, UnknownRate::Ticks),
            Face::Gprof => (
                BinEdges::WholeUnits,
                UnknownCallers::Dropped,
                UnknownRate::Zero,
            ),
        };
        AnalyzeOptions {
            edges,
            unknown_callers,
            unknown_rate,
            shows_idle: self.shows_idle,
            prefix: (self.text.flavor == Flavor::Bsd).then_some(UnitPrefix::MILLI),
        }
    }
}

/// The parts of the report that were asked for, and those that were named at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    wants_flat: bool,
    wants_graph: bool,
    names_flat: bool,
    names_graph: bool,
    /// Say what is in each file.
    pub wants_file_info: bool,
    /// Write the sum of the profiles.
    pub wants_sum: bool,
    /// Print an order of functions for the linker.
    pub wants_function_order: bool,
    /// Print an order of object files for the linker.
    pub wants_file_order: bool,
}

impl Styles {
    /// `-p`, `-P` and their likes: wants the flat profile, or does not.
    pub(super) fn set_flat(&mut self, wants: bool) {
        (self.wants_flat, self.names_flat) = (wants, true);
    }

    /// `-q`, `-Q` and their likes: wants the call graph, or does not.
    pub(super) fn set_graph(&mut self, wants: bool) {
        (self.wants_graph, self.names_graph) = (wants, true);
    }

    /// Whether the call graph may be printed, as far as the command line tells.
    fn can_have_graph(&self) -> bool {
        self.wants_graph || !self.wants_any() && !self.names_graph
    }

    /// Whether nothing is wanted but what needs no symbols.
    #[must_use]
    pub fn prints_no_report(&self) -> bool {
        let wants_report = self.wants_flat || self.wants_graph || self.wants_order();
        (self.wants_sum || self.wants_file_info) && !wants_report
    }

    fn wants_order(&self) -> bool {
        self.wants_function_order || self.wants_file_order
    }

    fn wants_any(&self) -> bool {
        self.wants_flat
            || self.wants_graph
            || self.wants_file_info
            || self.wants_sum
            || self.wants_order()
    }

    /// The parts to print. Where none is wanted, it is what the profile has
    /// records for, less what was named in the negative.
    #[must_use]
    pub fn sections(&self, records: &RecordCounts, flavor: Flavor) -> Vec<Section> {
        let wants_any = self.wants_any();
        let has_flat = self.wants_flat || !wants_any && records.has_histogram && !self.names_flat;
        let has_graph = self.wants_graph || !wants_any && records.has_arcs && !self.names_graph;
        let flat = has_flat.then_some(Section::Flat);
        let graph = has_graph.then_some(Section::Graph);
        let index = has_graph.then_some(Section::Index);
        let order = self.wants_order().then_some(Section::Order);
        let sections = match flavor {
            Flavor::Gnu => [flat, graph, index, order],
            Flavor::Bsd => [graph, flat, index, order],
        };
        sections.into_iter().flatten().collect()
    }
}
