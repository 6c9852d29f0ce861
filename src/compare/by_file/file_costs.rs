//! The costs of each function in one file, with the same function numbers for all files.

use crate::analyze::Amount;
use crate::compare::costs::{CostedFunction, FunctionCosts};
use crate::compare::{Measure, Unlike};

/// The costs of each function in a file, or in a group of files that count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCosts {
    pub all: Amount,
    /// Cost outside of functions.
    pub unattributed: Amount,
    /// Functions with costs or calls, by number.
    pub rows: Vec<FunctionInFile>,
    /// The position of its program among those given.
    pub program: usize,
}

/// The costs of one function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionInFile {
    pub function: u32,
    pub self_cost: Amount,
    /// Total cost; `None` if unknown.
    pub total: Option<Amount>,
    /// Number of calls; `None` if not counted.
    pub calls: Option<u64>,
}

impl FileCosts {
    /// The costs of the primary metric, for names with these numbers.
    ///
    /// # Errors
    /// If the metrics differ.
    pub fn of(costs: &FunctionCosts, numbers: &[u32], measure: &Measure) -> Result<Self, Unlike> {
        let primary = costs.measure.primary;
        let factor = measure.factor_of(&costs.measure)?;
        let times = |amount: Amount| match amount {
            amount if factor == 1.0 => amount,
            amount => Amount::Ticks(amount.as_f64() * factor),
        };
        let row = |(index, row): (usize, &CostedFunction)| {
            let total = costs.totals.as_ref();
            Some(FunctionInFile {
                function: *numbers.get(row.function as usize)?,
                self_cost: times(costs.self_costs.get(index, primary)),
                total: total.map(|totals| times(totals[index])),
                calls: row.calls,
            })
        };
        let rows = costs.rows.iter().enumerate().filter_map(row);
        Ok(Self {
            all: times(costs.all[primary]),
            unattributed: times(costs.unattributed[primary]),
            rows: in_order(rows.collect()),
            program: 0,
        })
    }

    /// Adds another file of the group.
    pub fn add(&mut self, other: &Self) {
        self.all = self.all.plus(other.all);
        self.unattributed = self.unattributed.plus(other.unattributed);
        self.rows.extend_from_slice(&other.rows);
        self.rows = in_order(std::mem::take(&mut self.rows));
    }

    /// The same with the costs of each function under another number, which several may share.
    pub fn joined(mut self, same: &[u32]) -> Self {
        for row in &mut self.rows {
            row.function = same.get(row.function as usize).copied().unwrap_or(row.function);
        }
        self.rows = in_order(self.rows);
        self
    }

    /// The mean of so many added files, such as the runs of a baseline.
    pub fn divided_by(mut self, n_files: usize) -> Self {
        if n_files > 1 {
            let mean = |amount: Amount| amount.divided_by(n_files);
            (self.all, self.unattributed) = (mean(self.all), mean(self.unattributed));
            for row in &mut self.rows {
                row.self_cost = mean(row.self_cost);
                row.total = row.total.map(mean);
                row.calls = row
                    .calls
                    .map(|calls| calls.saturating_add(n_files as u64 / 2) / n_files as u64);
            }
        }
        self
    }
}

/// Rows by function; adds up rows of the same function.
fn in_order(mut rows: Vec<FunctionInFile>) -> Vec<FunctionInFile> {
    if !rows.is_sorted_by(|a, b| a.function < b.function) {
        rows.sort_by_key(|row| row.function);
        rows.dedup_by(|next, sum| {
            let is_same = next.function == sum.function;
            if is_same {
                sum.self_cost = sum.self_cost.plus(next.self_cost);
                sum.total = sum.total.into_iter().chain(next.total).reduce(Amount::plus);
                sum.calls = sum.calls.into_iter().chain(next.calls).reduce(u64::saturating_add);
            }
            is_same
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(function: u32, ticks: f64, calls: Option<u64>) -> FunctionInFile {
        FunctionInFile { function, self_cost: Amount::Ticks(ticks), total: None, calls }
    }

    #[test]
    fn files_of_a_group_are_added_up_by_function() {
        let file = |rows: &[FunctionInFile]| FileCosts {
            all: Amount::Ticks(10.0),
            unattributed: Amount::Ticks(1.0),
            rows: rows.to_vec(),
            program: 0,
        };
        let mut sum = file(&[row(1, 2.0, Some(3)), row(4, 7.0, None)]);
        sum.add(&file(&[row(0, 1.0, Some(1)), row(4, 8.0, Some(5))]));
        assert_eq!(sum.all, Amount::Ticks(20.0));
        assert_eq!(sum.unattributed, Amount::Ticks(2.0));
        let expected = [row(0, 1.0, Some(1)), row(1, 2.0, Some(3)), row(4, 15.0, Some(5))];
        assert_eq!(sum.rows, expected);
    }
}
