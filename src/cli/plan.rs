//! What to do, decided: defaults and policies of both faces.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

use super::mlprof::MlprofPlan;
use super::mprof::MprofPlan;
use super::mptrace::MptracePlan;
use crate::analyze::charges::Measure;
use crate::analyze::{
    AnalyzeOptions, AnnotationOptions, BinEdges, BlockRoom, CallSites, Executions, UnfitPrefixes,
    UnitPrefix, UnknownCallers, UnknownRate,
};
use crate::filter::FilterSpecs;
use crate::filter::keep::Keep;
use crate::load::{Manner, Requested};
use crate::model::{Address, RecordCounts};
use crate::report::gnu::{Flavor, Places, Section};
use crate::sources::SourceSearch;
use crate::symbols::{Granularity, Style, SymbolOptions};

/// Whose manners the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Its own.
    Profan,
    /// Those of GNU gprof 2.40.
    Gprof,
    /// Those of mpatrol's mprof 1.3.
    Mprof,
    /// Those of mpatrol's mptrace 1.4.
    Mptrace,
    /// Those of MLton's mlprof.
    Mlprof,
}

impl Face {
    /// The name that the program has in it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Profan => "profan",
            Self::Gprof => "gprof",
            Self::Mprof => "mprof",
            Self::Mptrace => "mptrace",
            Self::Mlprof => "mlprof",
        }
    }

    /// The face of that name.
    pub(super) fn named(name: &OsStr) -> Option<Self> {
        let all = [
            Self::Profan,
            Self::Gprof,
            Self::Mprof,
            Self::Mptrace,
            Self::Mlprof,
        ];
        all.into_iter().find(|face| name == face.name())
    }
}

/// What the command line asks for.
#[derive(Debug)]
pub enum Command {
    /// Print this text.
    Show(String),
    /// Report on profiles, as profan or as gprof.
    Report(Box<Plan>),
    /// Report on an allocation profile as mprof does.
    Mprof(MprofPlan),
    /// Report on an allocation trace as mptrace does.
    Mptrace(MptracePlan),
    /// Report on a Standard ML program as mlprof does.
    Mlprof(MlprofPlan),
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
    /// Which functions to show, by who calls whom.
    pub keep: Option<Keep>,
    /// The layout of profiles, where it is forced.
    pub layout: Option<Requested>,
    /// Where the program was loaded, if not where it was linked.
    pub base: Option<Base>,
    /// How to print.
    pub text: TextPlan,
    /// How to annotate source.
    pub source: SourcePlan,
    /// What to report of exact charges.
    pub charges: ChargePlan,
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
    /// What is said behind a name about where it is in the source.
    pub places: Places,
}

/// How annotated source is made.
#[derive(Clone, Debug)]
pub struct SourcePlan {
    /// Where sources are looked for.
    pub search: SourceSearch,
    /// Every file gets a file of its own, in the current directory.
    pub is_in_files: bool,
    /// What stands beside the lines.
    pub marks: AnnotationOptions,
}

/// What is reported of exact charges: heap profiles, traces and MLton's profiles.
#[derive(Clone, Debug, Default)]
pub struct ChargePlan {
    /// What rows are sorted by and what flows along calls.
    pub measure: Measure,
    /// How many functions of a stack tell leaks apart; `Some(None)` for all.
    pub leak_depth: Option<Option<usize>>,
    /// Every size of block has a row of its own.
    pub lists_all_sizes: bool,
    /// Functions of one name and place are one.
    pub merges_names: bool,
    /// Functions of the library are left out.
    pub hides_library: bool,
    /// In which format coverage is printed.
    pub coverage: CoverageFormat,
}

/// In which format coverage is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoverageFormat {
    /// For people.
    #[default]
    Text,
    /// A tracefile of lcov.
    Lcov,
}

/// How many functions of a stack tell leaks apart, where nothing else is asked for.
const USUAL_LEAK_DEPTH: usize = 8;

impl ChargePlan {
    /// How many functions of a stack tell leaks apart; all if `None`.
    #[must_use]
    pub fn leak_depth(&self) -> Option<usize> {
        self.leak_depth.unwrap_or(Some(USUAL_LEAK_DEPTH))
    }
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
                skips_static: false,
                skips_untyped: false,
                wants_sources: false,
                granularity: Granularity::Functions,
                external: None,
                file_map: None,
                debug_dirs: Vec::new(),
            },
            filters: FilterSpecs::default(),
            keep: None,
            layout: None,
            base: None,
            text: TextPlan {
                flavor: Flavor::Gnu,
                explains: face == Face::Gprof,
                width: 80,
                demangle: Style::Auto,
                shows_paths: false,
                places: Places::Nowhere,
            },
            source: SourcePlan {
                search: SourceSearch::default(),
                is_in_files: false,
                marks: AnnotationOptions::default(),
            },
            charges: ChargePlan::default(),
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
        if self.styles.wants(OutputStyle::Sum) {
            self.sum = self.output.take().or(Some("gmon.sum".into()));
            // gprof sums by line, as if `-l` were given.
            if self.face == Face::Gprof {
                self.symbols.granularity = Granularity::Lines;
            }
        }
        self.output.take_if(|path| path.as_os_str() == "-");
        // The index names the files of static functions, and the flat profile none.
        let styles = [
            OutputStyle::Graph,
            OutputStyle::ExecCounts,
            OutputStyle::AnnotatedSource,
        ];
        self.symbols.wants_sources = styles.iter().any(|&style| self.styles.can_have(style))
            || filters.name_sources()
            || self.text.places == Places::Lines;
        let search_path = env::var_os("GPROF_PATH").unwrap_or_default();
        self.source.search.add_dirs(&search_path);
        self.filters = filters.without_profiler();
    }

    /// How far readers go on their own.
    #[must_use]
    pub fn manner(&self) -> Manner {
        match self.face {
            Face::Gprof => Manner::Gprof,
            _ => Manner::Careful,
        }
    }

    /// How to count.
    #[must_use]
    pub fn analyze_options(&self) -> AnalyzeOptions {
        let prefix = (self.text.flavor == Flavor::Bsd).then_some(UnitPrefix::MILLI);
        match self.face {
            Face::Gprof => AnalyzeOptions {
                edges: BinEdges::WholeUnits,
                unknown_callers: UnknownCallers::Dropped,
                unknown_rate: UnknownRate::Zero,
                call_sites: CallSites::AsRecorded,
                executions: Executions::CallsFromOthers,
                block_room: BlockRoom::Gprof,
                unfit_prefixes: UnfitPrefixes {
                    idle: UnitPrefix::TERA,
                    beyond: UnitPrefix {
                        letter: b'<',
                        ..UnitPrefix::NONE
                    },
                },
                shows_idle: self.shows_idle,
                prefix,
            },
            _ => AnalyzeOptions {
                edges: BinEdges::Exact,
                unknown_callers: UnknownCallers::Counted,
                unknown_rate: UnknownRate::Ticks,
                call_sites: match self.symbols.granularity {
                    Granularity::Functions => CallSites::AsRecorded,
                    Granularity::Lines | Granularity::Inlines => CallSites::BeforeReturn,
                },
                executions: Executions::AllCalls,
                block_room: BlockRoom::All,
                unfit_prefixes: UnfitPrefixes {
                    idle: UnitPrefix::NONE,
                    beyond: UnitPrefix::NONE,
                },
                shows_idle: self.shows_idle,
                prefix,
            },
        }
    }
}

/// What gprof calls an output style: what one letter of the command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStyle {
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
    /// `--leaks`: what was never freed, by call stack.
    Leaks,
    /// `--bins`: blocks by size.
    Bins,
    /// `--trace`: the heap from the first event of a trace to the last.
    Trace,
    /// `--coverage`: what was entered, by file and line.
    Coverage,
}

/// The styles that were asked for, and those that were named at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    wanted: StyleSet,
    named: StyleSet,
}

#[derive(Clone, Copy, Debug, Default)]
struct StyleSet(u16);

impl StyleSet {
    fn set(&mut self, style: OutputStyle, is_in: bool) {
        let bit = 1 << style as u16;
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }

    fn contains(self, style: OutputStyle) -> bool {
        self.0 & 1 << style as u16 != 0
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Styles {
    /// What a letter says, `-p`, `-P` and their likes: this style, or not this one.
    pub(super) fn set(&mut self, style: OutputStyle, is_wanted: bool) {
        self.wanted.set(style, is_wanted);
        self.named.set(style, true);
    }

    /// Whether the style was asked for.
    #[must_use]
    pub fn wants(&self, style: OutputStyle) -> bool {
        self.wanted.contains(style)
    }

    /// Whether a style that nobody asked for may be printed, since nothing at all
    /// was asked for, and this one was not excluded.
    #[must_use]
    pub fn is_open(&self, style: OutputStyle) -> bool {
        self.wanted.is_empty() && !self.named.contains(style)
    }

    /// Whether this style is all that was asked for.
    #[must_use]
    pub fn want_only(&self, style: OutputStyle) -> bool {
        let mut rest = self.wanted;
        rest.set(style, false);
        rest.is_empty() && self.wants(style)
    }

    /// Whether nothing is wanted but what needs no symbols.
    #[must_use]
    pub fn need_no_symbols(&self) -> bool {
        use OutputStyle as S;
        let mut rest = self.wanted;
        rest.set(S::FileInfo, false);
        rest.set(S::Sum, false);
        rest.is_empty() && !self.wanted.is_empty()
    }

    /// Whether the style may be printed, as far as the command line tells.
    #[must_use]
    pub fn can_have(&self, style: OutputStyle) -> bool {
        use OutputStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        self.wants(style) || is_default && self.is_open(style)
    }

    /// The parts to print. Where none is wanted, it is what the profile has
    /// records for, or counts if it has none, less what was named in the negative.
    #[must_use]
    pub fn sections(&self, records: &RecordCounts, flavor: Flavor) -> Vec<Section> {
        use OutputStyle as S;
        let has = |style, is_default: bool| {
            self.wanted.contains(style) || is_default && self.can_have(style)
        };
        let has_graph = has(S::Graph, records.has_arcs);
        let has_neither = !records.has_histogram && !records.has_arcs;
        let flat = has(S::Flat, records.has_histogram).then_some(Section::Flat);
        let graph = has_graph.then_some(Section::Graph);
        let index = has_graph.then_some(Section::Index);
        let counts = has(S::ExecCounts, has_neither).then_some(Section::ExecCounts);
        let source = has(S::AnnotatedSource, false).then_some(Section::AnnotatedSource);
        let has_order = has(S::FunctionOrder, false) || has(S::FileOrder, false);
        let order = has_order.then_some(Section::Order);
        let sections = match flavor {
            Flavor::Gnu => [flat, graph, index, counts, source, order],
            Flavor::Bsd => [graph, flat, index, counts, source, order],
        };
        sections.into_iter().flatten().collect()
    }
}
