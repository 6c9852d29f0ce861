//! What gprof was asked for, with its defaults.

use std::env;
use std::path::PathBuf;

use super::filters::GivenSpecs;
use super::numbers::AnalyzeOptions;
use crate::analyze::{AnnotationOptions, UnitPrefix};
use crate::load::RequestedLayout;
use crate::model::RecordCounts;
use crate::sources::SourceSearch;
use crate::symbols::{Granularity, Style, SymbolOptions};

/// Everything that a report of gprof needs to know.
#[derive(Clone, Debug, Default)]
pub struct GprofPlan {
    /// The executable and the profiles, in the order given.
    pub files: Vec<PathBuf>,
    /// The parts of the report that were asked for.
    pub(super) styles: GprofStyles,
    pub symbols: SymbolOptions,
    /// What to show and what not.
    pub filters: GivenSpecs,
    /// The layout of profiles, where it is forced.
    pub layout: Option<RequestedLayout>,
    /// Which of the two layouts of the report.
    pub flavor: Flavor,
    /// Print what the columns mean.
    pub explains: bool,
    pub width: usize,
    pub demangle: Style,
    pub shows_paths: bool,
    /// What is said behind a name about where it is in the source.
    pub locations: LocationStyle,
    pub search: SourceSearch,
    /// Every annotated source gets a file of its own, in the current directory.
    pub is_in_files: bool,
    /// What stands beside the lines of the source.
    pub marks: AnnotationOptions,
    /// Show functions without calls and time.
    pub shows_zero_cost: bool,
    /// Add the calls that stand in the machine code to the call graph.
    pub static_calls: bool,
    /// Where the sum of the profiles is written, if it is.
    pub sum: Option<PathBuf>,
}

impl GprofPlan {
    /// The plan of an empty command line.
    pub(super) fn new() -> Self {
        Self {
            explains: true,
            width: 80,
            ..Self::default()
        }
    }

    /// Settles what follows from the whole command line.
    pub(super) fn finish(&mut self) {
        if self.styles.wants(GprofStyle::Sum) {
            self.sum = Some("gmon.sum".into());
            // Sums are made by line, as if `-l` were given.
            self.symbols.granularity = Granularity::Lines;
        }
        // The index names the files of static functions, and the flat profile none.
        let styles = [
            GprofStyle::Graph,
            GprofStyle::ExecCounts,
            GprofStyle::AnnotatedSource,
        ];
        self.symbols.wants_sources = styles.iter().any(|&style| self.styles.can_have(style))
            || self.filters.name_sources()
            || self.locations == LocationStyle::Lines;
        let search_path = env::var_os("GPROF_PATH").unwrap_or_default();
        self.search.add_dirs(&search_path);
        self.filters.leave_profiler_out();
    }

    /// How gprof counts.
    pub(super) fn analyze_options(&self) -> AnalyzeOptions {
        AnalyzeOptions {
            shows_zero_cost: self.shows_zero_cost,
            prefix: (self.flavor == Flavor::Bsd).then_some(UnitPrefix::MILLI),
        }
    }
}

/// Which of two layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    #[default]
    Gnu,
    /// The older one of BSD (`-T`).
    Bsd,
}

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GprofSection {
    Flat,
    Graph,
    /// The index of functions by name.
    Index,
    /// How often functions and basic blocks were executed.
    ExecCounts,
    /// Source with counts beside its lines.
    AnnotatedSource,
    /// An order of functions or files.
    Order,
}

/// What is said behind a name about where it is in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocationStyle {
    /// Names only; by line it is always file, line and address.
    #[default]
    Nowhere,
    Lines,
}

/// What gprof calls an output style: what one letter of the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GprofStyle {
    /// `-p`: the flat profile.
    Flat,
    /// `-q`: the call graph and its index.
    Graph,
    /// `-C`: how often functions and basic blocks were executed.
    ExecCounts,
    /// `-A`: the source with counts.
    AnnotatedSource,
    /// `-r`: an order of functions for the linker.
    FunctionOrder,
    /// `-R`: an order of object files for the linker.
    FileOrder,
    /// `-i`: what is in each profile.
    FileInfo,
    /// `-s`: the sum of the profiles, in a file.
    Sum,
}

/// The styles that were asked for, and those that were named at all: one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GprofStyles {
    wanted: u8,
    named: u8,
}

impl GprofStyles {
    /// What a letter says, `-p`, `-P` and their likes: this style, or not this one.
    pub(super) fn set(&mut self, style: GprofStyle, is_wanted: bool) {
        let bit = 1 << style as u8;
        self.named |= bit;
        self.wanted = if is_wanted {
            self.wanted | bit
        } else {
            self.wanted & !bit
        };
    }

    /// Whether the style was asked for.
    pub(super) fn wants(self, style: GprofStyle) -> bool {
        self.wanted & 1 << style as u8 != 0
    }

    /// Whether the style may be printed, as far as the command line tells.
    pub(super) fn can_have(self, style: GprofStyle) -> bool {
        use GprofStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        let is_open = self.wanted == 0 && self.named & 1 << style as u8 == 0;
        self.wants(style) || is_default && is_open
    }

    /// The parts to print. Where none is wanted, it is what the profile has
    /// records for, or counts if it has none, less what was named in the negative.
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
