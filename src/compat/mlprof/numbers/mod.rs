//! The numbers of MLton's `mlprof`, in its order.
//!
//! A row, or a node of the graph, is a function, or, if the user splits a function, one of
//! its copies.

mod clearable_set;
mod dashed;
mod graph;
mod order;
mod view;

pub use graph::{DotGraph, DotNode};
pub use view::Labels;

use view::View;

use super::options::MlprofPlan;
use crate::model::{MlmonCounts, Quantity, RecordedCosts};

/// Why the report failed.
#[derive(Debug, thiserror::Error)]
pub enum MlprofError {
    /// The brightness of a border is out of range.
    #[error("`{label}` was on the stack for {percentage:.1}% of all, for which there is no gray")]
    Gray { label: String, percentage: f64 },
    /// A name has no part to shorten it to.
    #[error("`{name}` consists of dots only, so it has no short form")]
    ShortName { name: String },
    /// The graph has too many edges.
    #[error("the graph has more than {limit} edges; `-keep` draws a part of it")]
    Edges {
        /// Maximum number of edges.
        limit: usize,
    },
}

/// The numbers of a row or node: self, stack, garbage collector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeAmounts {
    /// In the unit of the profile.
    pub values: [i128; 3],
    /// Percentages of everything counted, including the collector.
    pub percentages: [f64; 3],
}

impl NodeAmounts {
    /// Returns whether any number is positive.
    pub fn is_positive(&self) -> bool {
        self.values.iter().any(|&value| value > 0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MlprofRow {
    pub label: usize,
    pub numbers: NodeAmounts,
}

/// The totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headline {
    pub quantity: Quantity,
    pub program: i128,
    pub collector: i128,
}

/// The finished report.
#[derive(Debug)]
pub struct MlprofReport<'a> {
    /// Names and positions.
    pub labels: Labels<'a>,
    /// Totals, if there is a profile.
    pub headline: Option<Headline>,
    /// Number of columns of numbers in the profile.
    pub n_columns: usize,
    /// Rows, largest first.
    pub rows: Vec<MlprofRow>,
    pub graph: Option<DotGraph>,
}

impl<'a> MlprofReport<'a> {
    /// Computes, selects and sorts.
    ///
    /// # Errors
    /// If a node has no valid brightness, or a function no short name.
    pub fn new(
        table: &'a RecordedCosts,
        mlmon_counts: Option<&MlmonCounts>,
        plan: &MlprofPlan,
    ) -> Result<Self, MlprofError> {
        let labels = Labels::new(table, plan.has_long_names)?;
        let view = View::new(table, mlmon_counts, &labels, &plan.splits);
        let nodes = view.kept_nodes(&plan.keep);
        let rows = rows(&view, &nodes, &labels, mlmon_counts);
        let grays = if plan.is_gray { Some(graph::grays(&view, &nodes)?) } else { None };
        let graph = match plan.graph {
            Some(_) => Some(DotGraph::new(&view, &nodes, grays.as_deref())?),
            None => None,
        };
        Ok(Self {
            headline: mlmon_counts.map(|mlmon_counts| Headline {
                quantity: mlmon_counts.quantity,
                program: mlmon_counts.program,
                collector: mlmon_counts.collector,
            }),
            n_columns: mlmon_counts.map_or(1, |mlmon_counts| mlmon_counts.style.n_columns()),
            rows,
            graph,
            labels,
        })
    }
}

/// The rows of nodes with numbers. If entries were counted, functions of the source that were
/// never entered have rows too.
fn rows(
    view: &View<'_>,
    nodes: &[usize],
    labels: &Labels<'_>,
    mlmon_counts: Option<&MlmonCounts>,
) -> Vec<MlprofRow> {
    let shows_zeros =
        mlmon_counts.is_some_and(|mlmon_counts| mlmon_counts.quantity == Quantity::ENTRIES);
    let row = |&node: &usize| {
        let label = view.label_of_node(node);
        let numbers = view.numbers(node);
        let has_row = numbers.is_positive() || shows_zeros && labels.position(label).is_some();
        has_row.then_some(MlprofRow { label, numbers })
    };
    let mut rows: Vec<_> = nodes.iter().rev().filter_map(row).collect();
    order::sort(&mut rows, |row| row.numbers.percentages[0]);
    rows
}
