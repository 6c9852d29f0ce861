//! The costs of each function in a profile of any kind.
//!
//! Comparisons use only numbers common to all kinds: self and total costs, numbers of calls,
//! and callers.

mod of_graph;
mod saved;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

pub use saved::{NotComparable, as_counted, runs_section};

use super::matching::FunctionName;
use super::{Measure, Unlike};
use crate::analyze::{Amount, Amounts};
use crate::report::Metric;

/// The costs of each function in a profile.
#[derive(Clone, Debug)]
pub struct FunctionCosts {
    pub measure: Measure,
    /// The name of the program, if the job has several.
    pub program: Option<Arc<str>>,
    /// Number of runs added up.
    pub n_runs: u32,
    /// 0 for a run to compare; *n* for one of the *n*th baseline before it, which shows only how
    /// runs vary.
    pub generation: u32,
    /// Total, by metric.
    pub all: Box<[Amount]>,
    /// Cost outside of functions, by metric.
    pub unattributed: Box<[Amount]>,
    /// The functions that rows and arcs refer to, including those without cost. Profiles of
    /// one program share them.
    pub names: Arc<[FunctionName]>,
    /// The program has no other functions.
    pub has_all_names: bool,
    /// The mean amount that a sample adds to the primary metric.
    pub amount: f64,
    /// The amounts of the samples of each row, self and total, if they differ.
    pub amounts: Option<Box<[[f64; 2]]>>,
    /// Functions with costs or calls, by number.
    pub rows: Box<[CostedFunction]>,
    /// Self costs: a row for each of `rows`, a column for each metric.
    pub self_costs: Amounts,
    /// Total costs in the primary metric, by row; `None` if unknown.
    pub totals: Option<Box<[Amount]>>,
    /// Calls were counted.
    pub counts_calls: bool,
    /// Callers are known.
    pub has_arcs: bool,
    /// Calls, by caller and callee.
    pub arcs: Box<[CostArc]>,
}

impl FunctionCosts {
    /// The same costs in whole units, if some were recorded in parts of them.
    fn without_parts(mut self) -> Self {
        let metrics = &self.measure.metrics;
        if metrics.iter().all(|metric| metric.parts.is_none()) {
            return self;
        }
        let whole = |(amount, metric): (Amount, &Metric)| match metric.parts {
            Some(parts) => Amount::Ticks(amount.as_f64() / f64::from(parts.max(1))),
            None => amount,
        };
        let of_metrics = |amounts: &[Amount]| -> Box<[Amount]> {
            amounts.iter().copied().zip(&**metrics).map(whole).collect()
        };
        let of_primary = |amount| whole((amount, &metrics[self.measure.primary]));
        let n_metrics = metrics.len();
        let whole_cell = |row, at| whole((self.self_costs.get(row, at), &metrics[at]));
        self.self_costs = Amounts::of_cells(self.rows.len(), n_metrics, whole_cell);
        self.all = of_metrics(&self.all);
        self.unattributed = of_metrics(&self.unattributed);
        let totals = self.totals.take();
        self.totals = totals.map(|totals| totals.iter().copied().map(of_primary).collect());
        self.arcs.iter_mut().for_each(|arc| arc.total = arc.total.map(of_primary));
        let seconds = metrics.iter().zip(&self.measure.seconds_per_tick);
        let seconds = seconds.map(|(metric, seconds)| seconds.filter(|_| metric.parts.is_none()));
        self.measure.seconds_per_tick = seconds.collect();
        let metrics = metrics.iter().map(|metric| Metric { parts: None, ..metric.clone() });
        self.measure.metrics = metrics.collect();
        self
    }

    /// The same costs with the metrics of another profile, of which this one may lack some. Totals
    /// are known for its own primary metric only.
    ///
    /// # Errors
    /// As of [`Measure::places_in`].
    pub(super) fn in_measure(&self, measure: &Measure) -> Result<Cow<'_, Self>, Unlike> {
        const NONE: Amount = Amount::Exact(0);
        let places = measure.places_in(&self.measure)?;
        if places.iter().copied().eq((0..self.measure.metrics.len()).map(Some))
            && measure.primary == self.measure.primary
        {
            return Ok(Cow::Borrowed(self));
        }
        let of = |amounts: &[Amount]| -> Box<[Amount]> {
            places.iter().map(|place| place.map_or(NONE, |at| amounts[at])).collect()
        };
        let seconds = |place: &Option<usize>| self.measure.seconds_per_tick[(*place)?];
        let cell =
            |row, at: usize| places[at].map_or(NONE, |place| self.self_costs.get(row, place));
        let is_primary = places[measure.primary] == Some(self.measure.primary);
        let arc = |arc: &CostArc| CostArc { total: arc.total.filter(|_| is_primary), ..*arc };
        Ok(Cow::Owned(Self {
            measure: Measure {
                metrics: Arc::clone(&measure.metrics),
                primary: measure.primary,
                seconds_per_tick: places.iter().map(seconds).collect(),
            },
            amount: if is_primary { self.amount } else { 1.0 },
            amounts: self.amounts.clone().filter(|_| is_primary),
            all: of(&self.all),
            unattributed: of(&self.unattributed),
            self_costs: Amounts::of_cells(self.rows.len(), places.len(), cell),
            totals: self.totals.clone().filter(|_| is_primary),
            arcs: self.arcs.iter().map(arc).collect(),
            ..self.clone()
        }))
    }

    /// The same with the names of its own functions only, of a list that other programs share.
    fn with_own_names(mut self) -> Self {
        let of_arcs = self.arcs.iter().flat_map(|arc| [arc.caller, Some(arc.callee)]);
        let of_rows = self.rows.iter().map(|row| row.function);
        let used: BTreeSet<u32> = of_rows.chain(of_arcs.flatten()).collect();
        let numbers: HashMap<u32, u32> = used.iter().copied().zip(0..).collect();
        self.names = used.iter().map(|&number| self.names[number as usize].clone()).collect();
        for row in &mut self.rows {
            row.function = numbers[&row.function];
        }
        for arc in &mut self.arcs {
            arc.caller = arc.caller.map(|caller| numbers[&caller]);
            arc.callee = numbers[&arc.callee];
        }
        self
    }

    /// Only the totals, without any function.
    pub fn without_rows(self) -> Self {
        Self {
            totals: self.totals.map(|_| Box::default()),
            amounts: None,
            self_costs: Amounts::exact(0, self.measure.metrics.len()),
            rows: Box::default(),
            ..self
        }
    }
}

/// The functions of a program, shared by its profiles.
#[derive(Clone, Debug)]
pub struct CostFunctions {
    pub names: Arc<[FunctionName]>,
    /// The program has no others.
    pub has_all: bool,
}

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostNaming {
    Functions,
    /// Lines, by their offset within the function.
    Lines,
    /// Lines, by number.
    NumberedLines,
}

/// A function with costs or calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostedFunction {
    /// Index of its name.
    pub function: u32,
    /// Number of calls; `None` if not counted.
    pub calls: Option<u64>,
}

/// The calls from one function to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostArc {
    /// The caller, as index of its name; `None` if unknown.
    pub caller: Option<u32>,
    pub callee: u32,
    /// Number of calls; `None` if not counted.
    pub calls: Option<u64>,
    /// Their total cost in the primary metric; `None` if unknown.
    pub total: Option<Amount>,
}
