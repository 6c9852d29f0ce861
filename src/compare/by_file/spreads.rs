//! Distributions of the costs of functions over many files.

use super::distribution::{Distribution, Summary};
use super::{FileCosts, FunctionInFile};
use crate::analyze::Amount;

/// Collects distributions: a few numbers for each function, independent of the number of
/// files.
#[derive(Clone, Debug, Default)]
pub struct Spreads {
    n_files: u32,
    all: Distribution,
    unattributed: Distribution,
    functions: Vec<FunctionSpread>,
    /// Number of files with totals, and with calls.
    n_with_totals: u32,
    n_with_calls: u32,
}

/// Distributions of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionSpread {
    n_files: u32,
    self_costs: Distribution,
    /// Of files that have them.
    totals: Option<Box<Distribution>>,
    calls: Option<Box<Distribution>>,
}

/// Summaries of one function.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionSummary {
    pub(super) function: u32,
    pub(super) n_files: u32,
    pub(super) self_cost: Summary,
    /// Total cost; `None` if a file lacks it.
    pub(super) total: Option<Summary>,
    /// Number of calls; `None` if no file has it.
    pub(super) calls: Option<Summary>,
}

impl Spreads {
    /// Adds the next file. Linear in its rows.
    pub fn add(&mut self, costs: &FileCosts) {
        let file = self.n_files;
        self.n_files = self.n_files.saturating_add(1);
        self.all.add(file, costs.all);
        self.unattributed.add(file, costs.unattributed);
        // Numbers are in order, so the last one is the largest.
        if let Some(last) = costs.rows.last() {
            let n_known = last.function as usize + 1;
            if self.functions.len() < n_known {
                self.functions.resize_with(n_known, Default::default);
            }
        }
        for row in &costs.rows {
            self.functions[row.function as usize].add(file, row);
        }
        let has_totals = costs.rows.iter().all(|row| row.total.is_some());
        self.n_with_totals += u32::from(has_totals);
        let has_calls = costs.rows.iter().any(|row| row.calls.is_some());
        self.n_with_calls += u32::from(has_calls);
    }

    pub fn n_files(&self) -> u32 {
        self.n_files
    }

    /// The total of each file.
    pub fn all(&self) -> Summary {
        self.all.of(self.n_files)
    }

    /// Cost outside of functions; `None` if 0 in all files.
    pub fn unattributed(&self) -> Option<Summary> {
        (!self.unattributed.is_nothing()).then(|| self.unattributed.of(self.n_files))
    }

    /// Number of rows by file and function.
    pub fn n_rows(&self) -> u64 {
        let functions = self.functions.iter();
        functions.map(|one| u64::from(one.n_files)).sum()
    }

    /// Returns whether all files have totals.
    pub fn has_totals(&self) -> bool {
        self.n_files > 0 && self.n_with_totals == self.n_files
    }

    /// Returns whether any file has calls.
    pub fn has_calls(&self) -> bool {
        self.n_with_calls > 0
    }

    /// The self cost of each function with costs or calls, by number.
    pub(super) fn self_costs(&self) -> impl Iterator<Item = (u32, Summary)> {
        let is_zero =
            |one: &Option<Box<Distribution>>| one.as_ref().is_none_or(|one| one.is_nothing());
        let is_zero_cost = move |one: &FunctionSpread| {
            one.self_costs.is_nothing() && is_zero(&one.totals) && is_zero(&one.calls)
        };
        let functions = (0..).zip(&self.functions);
        let functions = functions.filter(move |(_, one)| !is_zero_cost(one));
        functions.map(|(function, one)| (function, one.self_costs.of(self.n_files)))
    }

    /// The summaries of a function.
    pub(super) fn function(&self, function: u32) -> FunctionSummary {
        let one = &self.functions[function as usize];
        let of = |one: &Option<Box<Distribution>>| {
            one.as_deref().unwrap_or(&Distribution::default()).of(self.n_files)
        };
        FunctionSummary {
            function,
            n_files: one.n_files,
            self_cost: one.self_costs.of(self.n_files),
            total: self.has_totals().then(|| of(&one.totals)),
            calls: self.has_calls().then(|| of(&one.calls)),
        }
    }
}

impl FunctionSpread {
    fn add(&mut self, file: u32, row: &FunctionInFile) {
        self.n_files += 1;
        self.self_costs.add(file, row.self_cost);
        if let Some(total) = row.total {
            self.totals.get_or_insert_default().add(file, total);
        }
        if let Some(calls) = row.calls {
            let calls = Amount::Exact(calls.into());
            self.calls.get_or_insert_default().add(file, calls);
        }
    }
}
