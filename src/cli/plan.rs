//! What to do, decided: defaults and policies of profan's own face.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use regex::bytes::Regex;

use crate::analyze::{AnnotationOptions, RowChoice};
use crate::compare::comparison::{DifferenceOrder, FailOn};
use crate::compare::difference::DifferenceOptions;
use crate::compare::matching::JoinRules;
use crate::diagnose::{Environment, Warning};
use crate::filter::FilterSpecs;
use crate::filter::keep::Keep;
use crate::load::{CounterBits, ReadPolicy, RequestedLayout};
use crate::model::{Address, HeapPoint};
use crate::output::{ColorWhen, PagerWhen};
use crate::progress::Progress;
use crate::render::{self, NameForm, Renderer};
use crate::sources::SourceSearch;
use crate::symbols::{Style, SymbolOptions};

/// Everything that a report needs to know.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The files, in the order given.
    pub files: Vec<PathBuf>,
    /// Those of them that may have been meant for something else.
    pub loose: Vec<Loose>,
    /// The parts of the report that were asked for.
    pub styles: Styles,
    /// Which symbols count.
    pub symbols: SymbolOptions,
    /// What to show and what not.
    pub filters: FilterSpecs,
    /// Which functions to show, by who calls whom.
    pub keep: Option<Keep>,
    /// Which rows and columns are shown, and in which order.
    pub choice: RowChoice,
    /// The layout of profiles, where it is forced.
    pub layout: Option<RequestedLayout>,
    /// What is known of profiles that does not stand in them, or is wrong there.
    pub reading: ReadingPlan,
    /// Where the program was loaded, if not where it was linked.
    pub base: Option<Base>,
    /// How to print.
    pub text: TextPlan,
    /// How to annotate source.
    pub source: SourcePlan,
    /// How profiles are shown side by side, where they are.
    pub by_file: Option<ByFilePlan>,
    /// How long the run took, where that is said.
    pub run_time: Option<GivenRunTime>,
    /// The metric to sort by and add up, by its name in the profile.
    pub value: Option<String>,
    /// Inline frames have rows of their own.
    pub shows_inlines: bool,
    /// What to report of exact values.
    pub exact: ExactPlan,
    /// Show functions without calls and time.
    pub shows_zero_cost: bool,
    /// Add the calls that stand in the machine code to the call graph.
    pub static_calls: bool,
    /// Refuse damaged input.
    pub is_strict: bool,
    /// What is an error, though the report can be made.
    pub deny: Deny,
    /// Say each warning, however many there are of a kind.
    pub is_verbose: bool,
    /// Where the sum of the profiles is written, if it is.
    pub sum: Option<PathBuf>,
    /// Where the report goes, if not to standard output.
    pub output: Option<PathBuf>,
    /// The name of the format of the report; `None` for text.
    pub format: Option<&'static str>,
    /// When to use colour.
    pub color: ColorWhen,
    /// Where profiles go.
    pub environment: Environment,
    /// When to page.
    pub pager: PagerWhen,
    /// The most memory that this may take, in bytes, where that is said.
    pub memory_limit: Option<u64>,
    /// How many threads work, where that is said.
    pub threads: Option<usize>,
    /// Where it is told how far the work is.
    pub progress: Progress,
}

/// What is known of profiles that does not stand in them, or is wrong there.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadingPlan {
    /// They are texts that show bytes.
    pub is_hexdump: bool,
    /// Ticks a second.
    pub rate: Option<NonZeroU32>,
    /// The width of the counters of bins.
    pub counter_bits: Option<CounterBits>,
}

impl ReadingPlan {
    /// How readers have to go about it.
    pub fn policy(&self) -> ReadPolicy {
        ReadPolicy {
            counter_bits: self.counter_bits,
            ..ReadPolicy::CAREFUL
        }
    }
}

/// How profiles are shown side by side.
#[derive(Clone, Debug)]
pub struct ByFilePlan {
    /// What of it is shown.
    pub part: ByFilePart,
    /// What files are called.
    pub naming: FileNaming,
}

/// What is shown of profiles side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByFilePart {
    /// All that the format is good for.
    #[default]
    All,
    /// What functions take in all files.
    Spread,
    /// What each file has in all.
    Files,
    /// What each function takes in each file.
    Rows,
}

/// What files are called that stand side by side.
#[derive(Clone, Debug)]
pub enum FileNaming {
    /// By their paths.
    Paths,
    /// By what the first group of an expression finds in their paths.
    Ranks(Regex),
    /// The same, and files of one name count as one.
    Groups(Regex),
}

/// What to compare, and what follows from it. The rest is as for a report of one side.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// The files of the new side, where they stand apart.
    pub new: Option<Vec<PathBuf>>,
    /// What counts as a change.
    pub options: DifferenceOptions,
    /// How rows are in order.
    pub order: DifferenceOrder,
    /// Which functions are the same.
    pub rules: JoinRules,
    /// What is refused.
    pub fail_on: Vec<FailOn>,
    /// What keeps the old side.
    pub baseline: Option<PathBuf>,
    /// The baseline is to keep the new side from now on.
    pub updates: bool,
}

/// The address at which the program was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base(pub Address);

/// How it is said how long a run took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenRunTime {
    /// From start to end.
    Wall(Duration),
    /// In a file, by what `time` printed.
    File(PathBuf),
}

/// A file that stands behind an option to which it may belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// The file, as it was written.
    pub word: OsString,
    /// How it is written as a part of the option.
    pub attached: String,
    /// The option takes a symspec.
    pub wants_name: bool,
}

/// Diagnoses that are errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deny(pub Vec<Denied>);

/// One diagnosis, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// All that there are.
    Warnings,
    /// The one of this code.
    Code(&'static str),
}

impl Deny {
    /// Whether the diagnosis of a code is an error.
    pub fn covers(&self, code: &str) -> bool {
        self.0.iter().any(|denied| match denied {
            Denied::Warnings => true,
            Denied::Code(denied) => *denied == code,
        })
    }

    /// Whether one of these is, or is always: a gate that can refuse nothing.
    pub fn covers_any(&self, warnings: &[Warning]) -> bool {
        let is_void = |one: &Warning| matches!(one, Warning::UnusedGate { is_whole: true, .. });
        let mut warnings = warnings.iter();
        warnings.any(|warning| is_void(warning) || self.covers(warning.code()))
    }
}

/// How text is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextPlan {
    /// The layout of BSD, where there is one.
    pub is_bsd: bool,
    /// Print what the columns mean.
    pub explains: bool,
    /// The width of the index, if it is not the usual one.
    pub width: Option<usize>,
    /// How much of names is printed, if not what fits.
    pub names: Option<NameForm>,
    /// Rows that cost nothing themselves are shown in a terminal too.
    pub shows_all: bool,
    /// How to demangle.
    pub demangle: Style,
    /// Whole file names.
    pub shows_paths: bool,
    /// File and line behind each name.
    pub shows_locations: bool,
    /// How sure numbers are.
    pub shows_error: bool,
    /// No cell of CSV or TSV is a formula.
    pub is_csv_safe: bool,
}

/// How annotated source is made.
#[derive(Clone, Debug, Default)]
pub struct SourcePlan {
    /// Where sources are looked for.
    pub search: SourceSearch,
    /// Also those outside the directories of the executable and of the command line.
    pub reads_any: bool,
    /// Every file gets a file of its own, in the current directory.
    pub is_in_files: bool,
    /// What stands beside the lines.
    pub marks: AnnotationOptions,
}

/// What is reported of exact values: heap profiles, traces and MLton's profiles.
#[derive(Clone, Debug, Default)]
pub struct ExactPlan {
    /// How many functions of a stack tell leaks apart; `Some(None)` for all.
    pub leak_depth: Option<Option<usize>>,
    /// Every size of block has a row of its own.
    pub lists_all_sizes: bool,
    /// The points of a trace between which growth is shown.
    pub between: Option<(HeapPoint, HeapPoint)>,
    /// Functions of one name and place are one.
    pub merges_names: bool,
    /// Functions of the library are left out.
    pub hides_library: bool,
}

/// How many functions of a stack tell leaks apart, where nothing else is asked for.
const USUAL_LEAK_DEPTH: usize = 8;

impl ExactPlan {
    /// The events of a trace after which what is in use has to be kept.
    pub fn heap_events(&self) -> [Option<u64>; 2] {
        let event = |point| match point {
            HeapPoint::Event(event) => Some(event),
            _ => None,
        };
        self.between
            .map_or([None; 2], |(from, to)| [event(from), event(to)])
    }

    /// How many functions of a stack tell leaks apart; all if `None`.
    pub fn leak_depth(&self) -> Option<usize> {
        self.leak_depth.unwrap_or(Some(USUAL_LEAK_DEPTH))
    }
}

impl Plan {
    /// Settles what follows from the whole command line.
    pub(super) fn finish(&mut self) {
        let filters = std::mem::take(&mut self.filters);
        if self.styles.wants(OutputStyle::Sum) {
            self.sum = self.output.take().or(Some("gmon.sum".into()));
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
            || self.renderer().shows_sources
            || self.text.shows_locations;
        self.symbols.wants_lines = self.styles.wants(OutputStyle::AnnotatedSource);
        let search_path = env::var_os("GPROF_PATH").unwrap_or_default();
        self.source.search.add_dirs(&search_path);
        self.filters = filters.without_profiler();
        self.environment = Environment {
            gmon_out_prefix: env::var_os("GMON_OUT_PREFIX"),
            profdir: env::var_os("PROFDIR"),
            mpatrol_options: env::var_os("MPATROL_OPTIONS"),
            ld_profile_output: env::var_os("LD_PROFILE_OUTPUT"),
        };
    }

    /// Has it told there how far the work is.
    pub fn set_progress(&mut self, progress: Progress) {
        self.progress = progress;
        self.symbols.progress = progress;
    }

    /// What shows the report: the format that was named, or that of the file's ending.
    pub fn renderer(&self) -> &'static Renderer {
        let named = self.format.and_then(render::named);
        named.unwrap_or(render::default_renderer())
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
    /// `--peak`: what was in use at the peak of a trace.
    Peak,
    /// `--temporary`: what was in use for a moment only.
    Temporary,
    /// `--between`: what is in use at one point of a trace and was not at another.
    Growth,
    /// `--by-file`: profiles side by side.
    ByFile,
    /// `--tree`: the call tree.
    Tree,
}

/// The styles that were asked for, and those that were named at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    wanted: StyleSet,
    named: StyleSet,
}

#[derive(Clone, Copy, Debug, Default)]
struct StyleSet(u32);

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
    pub fn wants(&self, style: OutputStyle) -> bool {
        self.wanted.contains(style)
    }

    /// Whether a style that nobody asked for may be printed, since nothing at all
    /// was asked for, and this one was not excluded.
    pub fn is_open(&self, style: OutputStyle) -> bool {
        self.wanted.is_empty() && !self.named.contains(style)
    }

    /// Whether this style is all that was asked for.
    pub fn want_only(&self, style: OutputStyle) -> bool {
        let mut rest = self.wanted;
        rest.set(style, false);
        rest.is_empty() && self.wants(style)
    }

    /// Whether nothing is wanted but what needs no symbols.
    pub fn need_no_symbols(&self) -> bool {
        use OutputStyle as S;
        let mut rest = self.wanted;
        rest.set(S::FileInfo, false);
        rest.set(S::Sum, false);
        rest.is_empty() && !self.wanted.is_empty()
    }

    /// Whether the style may be printed, as far as the command line tells.
    pub fn can_have(&self, style: OutputStyle) -> bool {
        use OutputStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        self.wants(style) || is_default && self.is_open(style)
    }
}
