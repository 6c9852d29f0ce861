//! Facts to numbers.
//!
//! Fractions, percentages, running sums and orders are born here, and here only:
//! what leaves this room is final and only needs to be printed.

mod annotation;
mod attribution;
mod blocks;
pub mod charges;
pub mod coverage;
mod cycles;
mod entries;
mod exec_counts;
mod file_summary;
mod flat;
mod function_index;
mod graph;
mod keep;
pub mod mlprof;
pub mod mprof;
mod numbers;
mod order;
mod propagation;
pub mod replay;
mod scale;
mod stacks;
mod sum;
pub mod trace;
mod words;

pub use annotation::{
    AnnotatedFile, AnnotationOptions, Annotator, ExecutionSummary, FileCounts, Mark, TopLine,
    TopLines,
};
pub use attribution::BinEdges;
pub use blocks::BlockRoom;
pub use cycles::CycleNumber;
pub use entries::{ArcRow, Entry, GraphReport, Member, Partner, Reference, Subject, Times};
pub use exec_counts::CountRow;
pub use file_summary::{
    ChargeSummary, EventSummary, FileSummary, HeapSummary, HistogramSummary, TallySummary,
};
pub use flat::{CallCosts, FlatName, FlatProfile, FlatRow};
pub use function_index::function_index;
pub use graph::{CallSites, UnknownCallers};
pub use keep::SymbolGraph;
pub use order::{OrderOf, OrderedName, order};
pub use scale::{Scale, UnfitPrefixes, UnitPrefix, UnknownRate};
pub use sum::{summed_arcs, summed_blocks};

use crate::filter::Filters;
use crate::model::{Histogram, Profile};
use crate::symbols::{Granularity, StaticCall, SymbolTable};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct AnalyzeOptions {
    /// Where the edges of bins lie.
    pub edges: BinEdges,
    /// What to make of calls from nowhere.
    pub unknown_callers: UnknownCallers,
    /// Where calls were made.
    pub call_sites: CallSites,
    /// What counts as an execution of a function.
    pub executions: Executions,
    /// How many blocks a symbol takes.
    pub block_room: BlockRoom,
    /// What to make of ticks without a rate.
    pub unknown_rate: UnknownRate,
    /// Show functions without calls and time.
    pub shows_idle: bool,
    /// The unit of costs per call, where it is not to be chosen from the data.
    pub prefix: Option<UnitPrefix>,
    /// That unit where none fits the data.
    pub unfit_prefixes: UnfitPrefixes,
}

/// What counts as an execution of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executions {
    /// Every call.
    AllCalls,
    /// Calls from other functions, as gprof 2.40 has it.
    CallsFromOthers,
}

/// Every number that a report may show.
#[derive(Debug)]
pub struct Analysis {
    /// The flat profile.
    pub flat: FlatProfile,
    /// The call graph.
    pub graph: GraphReport,
    /// The index by name.
    pub index: Vec<Reference>,
    /// The order of functions or files; empty unless it was asked for.
    pub order: Vec<OrderedName>,
    /// What times are measured in.
    pub scale: Scale,
    /// Bytes of code for which a bin stands.
    pub bytes_per_bin: u64,
    /// What could not be put anywhere.
    pub losses: Losses,
    blocks: blocks::BlockCounts,
}

impl Analysis {
    /// Executions of functions and basic blocks, by source.
    #[must_use]
    pub fn exec_counts(
        &self,
        table: &SymbolTable,
        filters: &Filters,
        options: &AnalyzeOptions,
    ) -> Vec<CountRow> {
        let functions = self.graph.functions();
        let selection = &filters.exec_counts;
        exec_counts::exec_counts(functions, &self.blocks, table, selection, options)
    }

    /// Executions by line, for each source file.
    #[must_use]
    pub fn file_counts(
        &self,
        table: &SymbolTable,
        filters: &Filters,
        options: &AnalyzeOptions,
    ) -> Vec<FileCounts> {
        let functions = self.graph.functions();
        let selection = &filters.annotation;
        annotation::file_counts(functions, &self.blocks, table, selection, options)
    }
}

/// What could not be put anywhere, in ticks and calls.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// Ticks in no function.
    pub outside: f64,
    /// Ticks of the profiler's own functions, which are left out.
    pub profiler: f64,
    /// Calls of addresses in no function.
    pub n_lost_calls: u64,
}

/// Counts everything.
#[must_use]
pub fn analyze(
    profile: &Profile,
    table: &SymbolTable,
    filters: &Filters,
    static_calls: &[StaticCall],
    options: &AnalyzeOptions,
) -> Analysis {
    let histograms = profile.histograms();
    let attributed = attribution::attribute(histograms, table, &filters.flat, options.edges);
    let graph = graph::CallGraph::new(profile.arcs(), table, &filters.arcs, static_calls, options);
    let topology = cycles::find_cycles(&graph);
    let times = propagation::propagate(&graph, &topology, &attributed.ticks, filters);
    let scale = Scale::new(histograms.first().map(|h| &h.clock), options.unknown_rate);
    let shown_outside = match options.edges {
        BinEdges::Exact => attributed.outside,
        BinEdges::WholeUnits => 0.0,
    };
    let losses = Losses {
        outside: attributed.outside,
        profiler: attributed.profiler,
        n_lost_calls: graph.n_lost_calls,
    };
    let flat = flat::flat_profile(
        &times.functions,
        table,
        &filters.flat,
        flat::Totals {
            total: attributed.total,
            outside: shown_outside,
        },
        &scale,
        options,
    );
    let graph = GraphReport::new(graph, topology, times, table, &scale, options.shows_idle);
    Analysis {
        index: function_index(&graph, table, options.shows_idle),
        flat,
        graph,
        order: Vec::new(),
        scale,
        bytes_per_bin: bytes_per_bin(histograms, options.edges),
        losses,
        blocks: blocks_by_line(profile, table, options),
    }
}

/// Blocks are part of lines; where a symbol is a whole function there are none.
fn blocks_by_line(
    profile: &Profile,
    table: &SymbolTable,
    options: &AnalyzeOptions,
) -> blocks::BlockCounts {
    match table.granularity() {
        Granularity::Functions | Granularity::Inlines => blocks::BlockCounts::default(),
        Granularity::Lines => blocks::BlockCounts::new(profile.blocks(), table, options.block_room),
    }
}

/// Bytes per bin: to the nearest one, or as gprof has it, in whole units of two
/// bytes rounded down.
fn bytes_per_bin(histograms: &[Histogram], edges: BinEdges) -> u64 {
    let units = histograms.first().map_or(0.0, Histogram::units_per_bin);
    let bytes = match edges {
        BinEdges::Exact => (units * 2.0).round(),
        BinEdges::WholeUnits => units.trunc() * 2.0,
    };
    // The bins of a histogram without any are of infinite width.
    if !bytes.is_finite() || bytes >= 1e18 {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked above")]
    #[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
    let whole = bytes as u64;
    whole
}
