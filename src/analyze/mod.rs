//! Computes numbers from facts, and finished sections from numbers.
//!
//! Only this module computes fractions, percentages, running sums and sort orders. All kinds
//! of profiles become one [`CostGraph`], from which sections are made.

mod adjacency;
mod amount;
mod annotation;
mod attribution;
mod blocks;
mod bounds;
mod call_graph;
mod call_tree;
mod callers_tree;
mod choosing;
mod cost_graph;
mod counting_cost;
pub mod coverage;
mod cycles;
mod flows;
mod heap_stacks;
mod inferred_stacks;
mod inline_costs;
mod keep;
mod kept_frames;
mod line_times;
mod live_chart;
mod lower_bounds;
mod names;
mod order;
mod propagation;
mod regrown_tree;
mod run_share;
mod scale;
mod sections;
mod shared_lines;
mod sizes;
mod spread;
mod stacks;
#[cfg(test)]
mod testing;
mod uncertainty;
mod wrappers;

pub use adjacency::Adjacency;
pub use amount::{Amount, Amounts};
pub use annotation::{
    AnnotatedFile, AnnotationOptions, Annotator, ExecutionSummary, FileCounts, LineMark, TopLine,
    TopLines, file_counts,
};
pub(crate) use attribution::snapped;
pub use attribution::{Attribution, attribute, attribute_by_units};
pub use blocks::BlockCounts;
pub use bounds::{FlowBounds, TickBounds};
pub use call_graph::{CallGraph, CallRules, CallSites, GraphArc, UnknownCallers};
pub use call_tree::CallTree;
pub use choosing::{FlatFold, LEAST_PERCENT, NoColumn, RowChoice, SourceFold, choose};
pub use cost_graph::{
    CostGraph, FocusPart, GuessCause, GuessedTotal, Guesses, LargestInlined, LargestShare,
    Sampling, TotalsFrom, has_stacks, metric_named, source_of,
};
pub use counting_cost::CountingCost;
pub use cycles::{Cycle, CycleNumber, Topology, find_cycles};
pub use heap_stacks::{HeapMetrics, HeapStacks};
pub use inline_costs::{InlineCost, InlineCosts};
pub use keep::SymbolGraph;
pub use line_times::{LineTicks, LineTimes};
pub(crate) use names::DisplayNames;
pub use names::SymbolNames;
pub use order::{
    OrderArc, OrderNode, OrderedFunctions, OrderedName, order_of_files, order_of_functions,
};
pub use propagation::{CallCounts, Calls, Fractions, NodeTicks, Propagation, TickFlow, propagate};
pub use run_share::RunShare;
pub use scale::{Scale, UnfitPrefixes, UnitPrefix};
pub use sections::*;
pub use shared_lines::SharedLines;
pub use sizes::{SizeSteps, SizeTable};
pub use spread::Spread;
pub(crate) use stacks::EqualStacks;
pub(crate) use uncertainty::special;
pub use uncertainty::{
    MANY_RUNS, OrderVerdict, RankCertainty, Ranking, Remedy, SampleRange, interval,
};
