//! The numbers of gprof's reports, in its order.

mod arc_sum;
mod entry_lines;
mod exec_counts;
mod flat;
mod graph_report;
mod linker_order;
mod name_order;
mod rows;
mod visibility;

pub use arc_sum::{ArcSum, SymbolArcs};
pub use entry_lines::EntryLines;
pub use exec_counts::{CountRow, summed_blocks};
pub use flat::{CallCosts, FlatProfile, GprofFlatRow};
pub use graph_report::GraphReport;
pub use rows::{GraphLine, GraphNode, IN_REGISTER};

use name_order::{NameOrder, in_order};
use visibility::Visibility;

use super::filters::{Filters, NamedArcs};
use crate::analyze::{
    BlockCounts, CallCounts, CallGraph, CallRules, CallSites, FileCounts, NodeTicks, OrderedName,
    Scale, UnfitPrefixes, UnitPrefix, UnknownCallers, attribute_by_units, file_counts, find_cycles,
    order_of_files, order_of_functions, propagate,
};
use crate::model::{Address, Histogram, Profile};
use crate::symbols::{FileMap, Granularity, StaticCall, SymbolTable};
use crate::threads;

/// Which calls count: those without known caller are dropped, and the call site is the return
/// address, possibly the next line.
pub const CALL_RULES: CallRules =
    CallRules { unknown_callers: UnknownCallers::Dropped, call_sites: CallSites::AsRecorded };

/// Units for costs per call that no prefix fits. gprof reads beyond its table of prefixes,
/// where Debian's build has a `<`.
const UNFIT_PREFIXES: UnfitPrefixes = UnfitPrefixes {
    idle: UnitPrefix::TERA,
    beyond: UnitPrefix { letter: b'<', ..UnitPrefix::NONE },
};

/// All numbers of a report.
#[derive(Debug)]
pub struct Analysis {
    pub flat: FlatProfile,
    pub graph: GraphReport,
    pub index: Vec<GraphNode>,
    /// The order of functions or files; empty unless requested.
    pub order: Vec<OrderedName>,
    /// The unit of times.
    pub scale: Scale,
    pub bytes_per_bin: u64,
    blocks: BlockCounts,
    shows_zero_cost: bool,
}

/// Options of the computation.
#[derive(Clone, Copy, Debug)]
pub struct AnalyzeOptions {
    /// Show functions without calls and time.
    pub shows_zero_cost: bool,
    /// The unit of costs per call; `None` for automatic.
    pub prefix: Option<UnitPrefix>,
}

impl Analysis {
    /// Computes everything.
    pub fn new(
        profile: &Profile,
        table: &SymbolTable,
        filters: &Filters,
        static_calls: &[StaticCall],
        options: &AnalyzeOptions,
    ) -> Self {
        let histograms = profile.histograms();
        let selects = |symbol| filters.flat.selects(symbol);
        let attribution = || attribute_by_units(histograms, table, selects);
        let selects = |caller, callee| filters.arcs.selects(table.get(caller), table.get(callee));
        let is_large = table.symbols().len().max(profile.arcs().len()) >= threads::WORTH_ITEMS;
        let ((attributed, by_name), (graph, topology, calls, visibility)) = threads::in_parallel(
            is_large,
            || (attribution(), NameOrder::new(table)),
            || {
                let arcs = profile.arcs();
                let graph = CallGraph::new(arcs, table, selects, static_calls, CALL_RULES);
                let topology = find_cycles(&graph);
                let calls = CallCounts::new(&graph, &topology);
                let visibility = Visibility::new(&graph, &topology, &calls, filters);
                (graph, topology, calls, visibility)
            },
        );
        let times = propagate(&graph, &topology, &attributed.ticks, &calls, &visibility.fractions);
        let scale = scale_of(histograms);
        let total = attributed.total;
        let order = in_order(&times, &by_name, table);
        let functions = &times.functions;
        let flat = flat::flat_profile(functions, &by_name, &filters.flat, total, &scale, options);
        let shows_zero_cost = options.shows_zero_cost;
        let graph = GraphReport::new(
            graph,
            topology,
            times,
            visibility,
            table,
            order,
            &scale,
            shows_zero_cost,
        );
        Self {
            index: function_index(&graph, &by_name, shows_zero_cost),
            flat,
            graph,
            order: Vec::new(),
            scale,
            bytes_per_bin: bytes_per_bin(histograms),
            blocks: blocks_by_line(profile, table),
            shows_zero_cost,
        }
    }

    /// Execution counts of functions and basic blocks, by source.
    pub fn exec_counts(&self, table: &SymbolTable, filters: &Filters) -> Vec<CountRow> {
        let functions = &self.graph.times.functions;
        let selection = &filters.exec_counts;
        exec_counts::exec_counts(functions, &self.blocks, table, selection, self.shows_zero_cost)
    }

    /// Execution counts by line, for each source file. Without recursive calls.
    pub fn file_counts(&self, table: &SymbolTable, filters: &Filters) -> Vec<FileCounts> {
        let calls = |symbol| Some(self.graph.function(symbol).calls);
        let selects = |symbol| filters.annotation.selects(symbol);
        file_counts(calls, &self.blocks, table, selects, self.shows_zero_cost)
    }

    /// The order for the linker: of object files with a map of them, otherwise of functions.
    /// A graph printed before sorts the arcs of its entries, which can change the order.
    pub fn linker_order(
        &self,
        table: &SymbolTable,
        map: Option<&FileMap>,
        named: &NamedArcs,
        static_calls: &[StaticCall],
        is_after_graph: bool,
    ) -> Vec<OrderedName> {
        let nodes = linker_order::nodes(&self.graph.graph, table, named, static_calls);
        match map {
            Some(map) => order_of_files(&nodes, table, map),
            None => {
                let is_used = |symbol| self.graph.function(symbol).calls != 0;
                order_of_functions(&nodes, is_used, |symbol| {
                    let entry = is_after_graph.then_some(&self.graph);
                    entry.map_or(Vec::new(), |graph| linker_order::arcs_of_entry(graph, symbol))
                })
            }
        }
    }
}

/// Functions with time or calls by name, then cycles.
fn function_index(
    graph: &GraphReport,
    by_name: &NameOrder,
    shows_zero_cost: bool,
) -> Vec<GraphNode> {
    let is_listed = |node: &NodeTicks| shows_zero_cost || node.calls != 0 || node.self_ticks != 0.0;
    // They are large, so each is looked at when it is its turn in memory.
    let is_listed: Vec<bool> = graph.times.functions.iter().map(is_listed).collect();
    let listed = by_name.symbols.iter().copied();
    let listed = listed.filter(|symbol| is_listed[symbol.index()]);
    let functions = listed.map(GraphNode::Function);
    functions.chain(graph.cycles()).collect()
}

/// The scale of the first histogram. Without a rate, gprof divides by 0.
fn scale_of(histograms: &[Histogram]) -> Scale {
    match histograms.first().map(|histogram| &histogram.clock) {
        Some(clock) => Scale {
            rate: clock.rate.map_or(0.0, |rate| f64::from(rate.get())),
            dimension: clock.dimension.clone(),
            abbreviation: clock.abbreviation,
        },
        None => Scale { rate: 0.0, dimension: b"seconds".as_slice().into(), abbreviation: b's' },
    }
}

/// A symbol stores ten blocks; address 0 marks a free place. Further blocks are lost.
fn has_room_for_block(address: Address, n_blocks: usize) -> bool {
    address != Address(0) && n_blocks < 10
}

/// Blocks of lines; empty if symbols are whole functions.
fn blocks_by_line(profile: &Profile, table: &SymbolTable) -> BlockCounts {
    match table.granularity() {
        Granularity::Lines => BlockCounts::new(profile.blocks(), table, has_room_for_block),
        _ => BlockCounts::default(),
    }
}

/// Bytes per bin, in whole units of two bytes.
fn bytes_per_bin(histograms: &[Histogram]) -> u64 {
    let units = histograms.first().map_or(0.0, Histogram::units_per_bin);
    let bytes = units.trunc() * 2.0;
    // A histogram without bins has an infinite bin width.
    if !bytes.is_finite() || bytes >= 1e18 {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked above")]
    #[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
    let whole = bytes as u64;
    whole
}
