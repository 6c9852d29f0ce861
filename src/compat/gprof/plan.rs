//! The options of gprof with their defaults.

use std::env;
use std::path::PathBuf;

use super::filters::GivenSpecs;
use super::numbers::AnalyzeOptions;
use crate::analyze::{AnnotationOptions, UnitPrefix};
use crate::load::RequestedLayout;
use crate::model::RecordCounts;
pub(super) use crate::report::gprof_layout::Flavor;
use crate::sources::SourceSearch;
use crate::symbols::{Granularity, Style, SymbolOptions};

/// A command line of gprof.
#[derive(Clone, Debug, Default)]
pub struct GprofPlan {
    /// Executable and profiles, as given.
    pub files: Vec<PathBuf>,
    /// The requested parts of the report.
    pub(super) styles: GprofStyles,
    pub symbols: SymbolOptions,
    /// The specs.
    pub filters: GivenSpecs,
    /// The requested layout of profiles.
    pub layout: Option<RequestedLayout>,
    /// The layout of the report.
    pub flavor: Flavor,
    /// Print explanations of columns.
    pub explains: bool,
    pub width: usize,
    pub demangle: Style,
    pub shows_paths: bool,
    /// Source locations after names.
    pub locations: LocationStyle,
    pub search: SourceSearch,
    /// Write every annotated source to a separate file in the current directory.
    pub is_in_files: bool,
    /// The numbers next to source lines.
    pub marks: AnnotationOptions,
    /// Show functions without calls and time.
    pub shows_zero_cost: bool,
    /// Add calls from machine code to the call graph.
    pub static_calls: bool,
    /// Output file of the sum, if any.
    pub sum: Option<PathBuf>,
}

impl GprofPlan {
    /// The defaults.
    pub(super) fn new() -> Self {
        Self { explains: true, width: 80, ..Self::default() }
    }

    /// Applies the rules that depend on the whole command line.
    pub(super) fn finish(&mut self) {
        if self.styles.wants(GprofStyle::Sum) {
            self.sum = Some("gmon.sum".into());
            // Sums are made by line, as if `-l` were given.
            self.symbols.granularity = Granularity::Lines;
        }
        // Call graph, execution counts and annotated sources show source files; the flat profile
        // does not.
        let styles = [GprofStyle::Graph, GprofStyle::ExecCounts, GprofStyle::AnnotatedSource];
        self.symbols.wants_sources = styles.iter().any(|&style| self.styles.can_have(style))
            || self.filters.name_sources()
            || self.locations == LocationStyle::Lines;
        let search_path = env::var_os("GPROF_PATH").unwrap_or_default();
        self.search.add_dirs(&search_path);
        self.filters.leave_profiler_out();
    }

    /// Options of the computation.
    pub(super) fn analyze_options(&self) -> AnalyzeOptions {
        AnalyzeOptions {
            shows_zero_cost: self.shows_zero_cost,
            prefix: (self.flavor == Flavor::Bsd).then_some(UnitPrefix::MILLI),
        }
    }
}

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GprofSection {
    Flat,
    Graph,
    /// The index of functions by name.
    Index,
    /// Execution counts of functions and basic blocks.
    ExecCounts,
    /// Source with counts.
    AnnotatedSource,
    /// An order of functions or files.
    Order,
}

/// Source locations after names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocationStyle {
    /// Names only; in reports by line always file, line and address.
    #[default]
    Nowhere,
    Lines,
}

/// An output style of gprof, requested by a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GprofStyle {
    /// `-p`: the flat profile.
    Flat,
    /// `-q`: the call graph and its index.
    Graph,
    /// `-C`: execution counts of functions and basic blocks.
    ExecCounts,
    /// `-A`: annotated source.
    AnnotatedSource,
    /// `-r`: an order of functions for the linker.
    FunctionOrder,
    /// `-R`: an order of object files for the linker.
    FileOrder,
    /// `-i`: the contents of each profile.
    FileInfo,
    /// `-s`: the sum of the profiles, in a file.
    Sum,
}

/// The requested styles, and all named styles, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GprofStyles {
    wanted: u8,
    named: u8,
}

impl GprofStyles {
    /// Requests or excludes a style, for `-p`, `-P` and similar.
    pub(super) fn set(&mut self, style: GprofStyle, is_wanted: bool) {
        let bit = 1 << style as u8;
        self.named |= bit;
        self.wanted = if is_wanted { self.wanted | bit } else { self.wanted & !bit };
    }

    /// Returns whether the style was requested.
    pub(super) fn wants(self, style: GprofStyle) -> bool {
        self.wanted & 1 << style as u8 != 0
    }

    /// Returns whether the style was not excluded.
    pub(super) fn can_have(self, style: GprofStyle) -> bool {
        use GprofStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        let is_open = self.wanted == 0 && self.named & 1 << style as u8 == 0;
        self.wants(style) || is_default && is_open
    }

    /// The parts to print. By default, those with records in the profile, or counts for a profile
    /// without records. Excluded parts are never printed.
    pub(super) fn sections(self, records: &RecordCounts, flavor: Flavor) -> Vec<GprofSection> {
        use GprofStyle as S;
        let has = |style, is_default: bool| self.wants(style) || is_default && self.can_have(style);
        let has_graph = has(S::Graph, records.has_arcs);
        let has_neither = !records.has_histogram && !records.has_arcs;
        let flat = has(S::Flat, records.has_histogram).then_some(GprofSection::Flat);
        let graph = has_graph.then_some(GprofSection::Graph);
        let index = has_graph.then_some(GprofSection::Index);
        let counts = has(S::ExecCounts, has_neither).then_some(GprofSection::ExecCounts);
        let source = has(S::AnnotatedSource, false).then_some(GprofSection::AnnotatedSource);
        let has_order = has(S::FunctionOrder, false) || has(S::FileOrder, false);
        let order = has_order.then_some(GprofSection::Order);
        let sections = match flavor {
            Flavor::Gnu => [flat, graph, index, counts, source, order],
            Flavor::Bsd => [graph, flat, index, counts, source, order],
        };
        sections.into_iter().flatten().collect()
    }
}
