//! What gprof was asked for, with its defaults.

use std::env;
use std::path::PathBuf;

use super::filters::GivenSpecs;
use super::numbers::AnalyzeOptions;
use super::printer::Flavor;
use super::printer::LocationStyle;
use super::styles::{OutputStyle, Styles};
use crate::analyze::{AnnotationOptions, UnitPrefix};
use crate::load::Requested;
use crate::sources::SourceSearch;
use crate::symbols::{Granularity, Style, SymbolOptions};

/// Everything that a report of gprof needs to know.
#[derive(Clone, Debug)]
pub struct GprofPlan {
    /// The executable and the profiles, in the order given.
    pub files: Vec<PathBuf>,
    /// The parts of the report that were asked for.
    pub(super) styles: Styles,
    /// Which symbols count.
    pub symbols: SymbolOptions,
    /// What to show and what not.
    pub filters: GivenSpecs,
    /// The layout of profiles, where it is forced.
    pub layout: Option<Requested>,
    /// Which of the two layouts of the report.
    pub flavor: Flavor,
    /// Print what the columns mean.
    pub explains: bool,
    /// The width of the index.
    pub width: usize,
    /// How to demangle.
    pub demangle: Style,
    /// Whole file names.
    pub shows_paths: bool,
    /// What is said behind a name about where it is in the source.
    pub locations: LocationStyle,
    /// Where sources are looked for.
    pub search: SourceSearch,
    /// Every annotated source gets a file of its own, in the current directory.
    pub is_in_files: bool,
    /// What stands beside the lines of the source.
    pub marks: AnnotationOptions,
    /// Show functions without calls and time.
    pub shows_idle: bool,
    /// Add the calls that stand in the machine code to the call graph.
    pub static_calls: bool,
    /// Where the sum of the profiles is written, if it is.
    pub sum: Option<PathBuf>,
}

impl GprofPlan {
    /// The plan of an empty command line.
    pub(super) fn new() -> Self {
        Self {
            files: Vec::new(),
            styles: Styles::default(),
            symbols: SymbolOptions::default(),
            filters: GivenSpecs::default(),
            layout: None,
            flavor: Flavor::Gnu,
            explains: true,
            width: 80,
            demangle: Style::Auto,
            shows_paths: false,
            locations: LocationStyle::Nowhere,
            search: SourceSearch::default(),
            is_in_files: false,
            marks: AnnotationOptions::default(),
            shows_idle: false,
            static_calls: false,
            sum: None,
        }
    }

    /// Settles what follows from the whole command line.
    pub(super) fn finish(&mut self) {
        if self.styles.wants(OutputStyle::Sum) {
            self.sum = Some("gmon.sum".into());
            // Sums are made by line, as if `-l` were given.
            self.symbols.granularity = Granularity::Lines;
        }
        // The index names the files of static functions, and the flat profile none.
        let styles = [
            OutputStyle::Graph,
            OutputStyle::ExecCounts,
            OutputStyle::AnnotatedSource,
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
            shows_idle: self.shows_idle,
            prefix: (self.flavor == Flavor::Bsd).then_some(UnitPrefix::MILLI),
        }
    }
}
