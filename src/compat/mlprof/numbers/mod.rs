//! The numbers that MLton's `mlprof` prints, in its order.
//!
//! A row, and a node of its graph, is a function; or, where the user wants a function
//! split, one of the copies that the optimiser made of it.

mod dashed;
mod graph;
mod order;
mod view;

pub use graph::{DotGraph, DotNode};
pub use view::Labels;

use view::View;

use super::options::MlprofPlan;
use crate::model::{MlmonCounts, Quantity, RecordedCosts};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum MlprofError {
    /// A border would be lighter than white, or darker than black.
    #[error("`{label}` was on the stack for {percentage:.1}% of all, for which there is no gray")]
    Gray { label: String, percentage: f64 },
    /// A graph has too many edges.
    #[error("the graph has more than {limit} edges; `-keep` draws a part of it")]
    Edges {
        /// The most that it may have.
        limit: usize,
    },
}

/// The numbers of one row or node: its own, on the stack, of the collector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeAmounts {
    /// In the unit of the profile.
    pub values: [i128; 3],
    /// In percent of all that was counted, collector included.
    pub percentages: [f64; 3],
}

impl NodeAmounts {
    /// Whether anything was counted.
    pub fn is_positive(&self) -> bool {
        self.values.iter().any(|&value| value > 0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MlprofRow {
    pub label: usize,
    pub numbers: NodeAmounts,
}

/// What was counted in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headline {
    pub quantity: Quantity,
    pub program: i128,
    pub collector: i128,
}

/// A whole report, final.
#[derive(Debug)]
pub struct MlprofReport<'a> {
    /// Names and positions.
    pub labels: Labels<'a>,
    /// What was counted, if there is a profile.
    pub headline: Option<Headline>,
    /// How many of the numbers of a row the profile has.
    pub n_columns: usize,
    /// The rows, largest first.
    pub rows: Vec<MlprofRow>,
    pub graph: Option<DotGraph>,
}

impl<'a> MlprofReport<'a> {
    /// Counts, selects and sorts.
    ///
    /// # Errors
    /// When a node has no border.
    pub fn new(
        table: &'a RecordedCosts,
        mlmon_counts: Option<&MlmonCounts>,
        plan: &MlprofPlan,
    ) -> Result<Self, MlprofError> {
        let labels = Labels::new(table, plan.has_long_names);
        let view = View::new(table, mlmon_counts, &labels, &plan.splits);
        let nodes = view.kept_nodes(&plan.keep);
        let rows = rows(&view, &nodes, &labels, mlmon_counts);
        let grays = if plan.is_gray {
            Some(graph::grays(&view, &nodes)?)
        } else {
            None
        };
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

/// The rows of nodes with numbers. Where entries were counted, what stands in the
/// source and was never entered has a row too.
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
