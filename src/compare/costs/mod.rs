//! What one profile says of each function: numbers, whatever kind of profile it is.
//!
//! Many profiles are compared or shown beside each other by what is common to all: what
//! functions cost themselves and with what they call, how often they were called, and by
//! whom.

mod of_graph;
mod saved;

use std::sync::Arc;

pub use saved::{NotComparable, as_counted, runs_section};

use super::Measure;
use super::matching::FunctionName;
use crate::analyze::{Amount, Amounts};

/// What one profile says of each function.
#[derive(Clone, Debug)]
pub struct FunctionCosts {
    pub measure: Measure,
    /// How many runs are added up in it.
    pub n_runs: u32,
    /// All that there is, by metric.
    pub all: Box<[Amount]>,
    /// What of it is in no function, by metric.
    pub unattributed: Box<[Amount]>,
    /// The functions that rows and arcs refer to: all that are known, also such as cost
    /// nothing. Profiles of one program share them.
    pub names: Arc<[FunctionName]>,
    /// It is known that the program has no other functions.
    pub has_all_names: bool,
    /// The functions of which there is something to say, in the order of their numbers.
    pub rows: Box<[CostRow]>,
    /// What functions cost themselves: a row for each row, a column for each metric.
    pub self_costs: Amounts,
    /// What they cost of the primary metric with all that they call, by row; `None` where
    /// that is not known.
    pub totals: Option<Box<[Amount]>>,
    /// Calls were counted.
    pub counts_calls: bool,
    /// It says who called whom.
    pub has_arcs: bool,
    /// Calls, in the order of callers and callees.
    pub arcs: Box<[CostArc]>,
}

impl FunctionCosts {
    /// The same with all that there is, and nothing of any function.
    pub fn without_rows(self) -> Self {
        Self {
            totals: self.totals.map(|_| Box::default()),
            self_costs: Amounts::exact(0, self.measure.metrics.len()),
            rows: Box::default(),
            ..self
        }
    }
}

/// The functions of a program, which the costs of its profiles share.
#[derive(Clone, Debug)]
pub struct CostNames {
    pub names: Arc<[FunctionName]>,
    /// The program is known to have no others.
    pub has_all: bool,
}

/// What is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostNaming {
    Functions,
    /// Lines, by where they are in their functions.
    Lines,
    /// Lines, by their numbers.
    NumberedLines,
}

/// A function of which there is something to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostRow {
    /// Its number among the names.
    pub function: u32,
    /// How often it was called; `None` where calls were not counted.
    pub calls: Option<u64>,
}

/// The calls from one function to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostArc {
    /// The caller, by its number among the names; `None` where nobody knows.
    pub caller: Option<u32>,
    pub callee: u32,
    /// How many calls; `None` where they were not counted.
    pub calls: Option<u64>,
    /// What of the primary metric flowed along them, with all that the callee called;
    /// `None` where that is not known.
    pub total: Option<Amount>,
}
