//! Facts to numbers.
//!
//! Fractions, percentages, running sums and orders are born here, and here only:
//! what leaves this room is final and only needs to be printed.

mod attribution;
mod cycles;
mod entries;
mod file_summary;
mod flat;
mod function_index;
mod graph;
mod order;
mod propagation;
mod scale;
mod sum;

pub use attribution::BinEdges;
pub use cycles::CycleNumber;
pub use entries::{ArcRow, Entry, GraphReport, Member, Partner, Reference, Subject, Times};
pub use file_summary::{FileSummary, HistogramSummary};
pub use flat::{CallCosts, FlatName, FlatProfile, FlatRow};
pub use function_index::function_index;
pub use graph::UnknownCallers;
pub use order::{OrderOf, OrderedName, order};
pub use scale::{Scale, UnitPrefix, UnknownRate};
pub use sum::{summed_arcs, summed_blocks};

use crate::filter::Filters;
use crate::model::{Histogram, Profile};
use crate::symbols::{StaticCall, SymbolTable};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct AnalyzeOptions {
    /// Where the edges of bins lie.
    pub edges: BinEdges,
    /// What to make of calls from nowhere.
    pub unknown_callers: UnknownCallers,
    /// What to make of ticks without a rate.
    pub unknown_rate: UnknownRate,
    /// Show functions without calls and time.
    pub shows_idle: bool,
    /// The unit of costs per call, where it is not to be chosen from the data.
    pub prefix: Option<UnitPrefix>,
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
}

/// What could not be put anywhere, in ticks and calls.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// Ticks in no function.
    pub outside: f64,
    /// Ticks of functions that were left out of the flat profile.
    pub left_out: f64,
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
    let graph = graph::CallGraph::new(
        profile.arcs(),
        table,
        &filters.arcs,
        static_calls,
        options.unknown_callers,
    );
    let topology = cycles::find_cycles(&graph);
    let times = propagation::propagate(&graph, &topology, &attributed.ticks, filters);
    let scale = Scale::new(histograms.first().map(|h| &h.clock), options.unknown_rate);
    let shown_outside = match options.edges {
        BinEdges::Exact => attributed.outside,
        BinEdges::WholeUnits => 0.0,
    };
    let losses = Losses {
        outside: attributed.outside,
        left_out: attributed.left_out,
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
        bytes_per_bin: bytes_per_bin(histograms),
        losses,
    }
}

/// Whole units of two bytes per bin, in bytes; 2 at least where there is a histogram.
fn bytes_per_bin(histograms: &[Histogram]) -> u64 {
    let units = histograms.first().map_or(0.0, Histogram::units_per_bin);
    // A histogram without bins has bins of infinite width.
    if units.is_finite() && units < 1e18 {
        #[expect(clippy::cast_possible_truncation, reason = "checked above")]
        #[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
        return units as u64 * 2;
    }
    0
}
