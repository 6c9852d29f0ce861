//! What one profile says of each function: numbers, whatever kind of profile they are of.
//!
//! Many profiles are compared or looked at side by side through their tallies, which
//! have what is common to all: what functions cost themselves and with what they call,
//! how often they were called, and by whom.

mod kept;
mod of_costs;
mod reading;
mod runs;

use std::sync::Arc;

pub use kept::NotComparable;
pub use runs::runs_section;

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
    /// What they cost with all that they call; `None` where that is not known.
    pub totals: Option<Amounts>,
    /// Calls were counted.
    pub counts_calls: bool,
    /// It says who called whom.
    pub has_arcs: bool,
    /// Calls, in the order of callers and callees.
    pub arcs: Box<[CostArc]>,
}

impl FunctionCosts {
    /// The same with all that there is, and nothing of any function.
    #[must_use]
    pub fn without_rows(self) -> Self {
        let nothing = || Amounts::exact(0, self.measure.metrics.len());
        Self {
            totals: self.totals.as_ref().map(|_| nothing()),
            self_costs: nothing(),
            rows: Box::default(),
            ..self
        }
    }

    /// The same without any calls.
    #[must_use]
    pub fn without_arcs(self) -> Self {
        Self {
            arcs: Box::default(),
            ..self
        }
    }
}

/// The functions of a program, which the tallies of its profiles share.
#[derive(Clone, Debug)]
pub struct CostNames {
    /// All that are known.
    pub names: Arc<[FunctionName]>,
    /// The program is known to have no others.
    pub has_all: bool,
}

/// What is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostNaming {
    /// Functions.
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
    /// The callee.
    pub callee: u32,
    /// How many calls; `None` where they were not counted.
    pub calls: Option<u64>,
    /// What of the primary metric flowed along them, with all that the callee called;
    /// `None` where that is not known.
    pub total: Option<Amount>,
}
