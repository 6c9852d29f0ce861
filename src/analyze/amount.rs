//! Amounts of a metric, exact or sampled.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::attribution::snapped;
use crate::integers::Integers;
use crate::report::Cell;

/// An amount of a metric. All amounts of a metric have the same variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// An exact amount. Signed, since a damaged file may free more than it allocated; 128
    /// bits, so that sums do not overflow. Sums of saved reports saturate.
    Exact(i128),
    /// Ticks; fractional if a bin spans several functions.
    Ticks(f64),
}

impl Amount {
    pub fn is_zero(self) -> bool {
        match self {
            Self::Exact(amount) => amount == 0,
            Self::Ticks(ticks) => ticks == 0.0,
        }
    }

    pub fn is_positive(self) -> bool {
        match self {
            Self::Exact(amount) => amount > 0,
            Self::Ticks(ticks) => ticks > 0.0,
        }
    }

    pub fn as_f64(self) -> f64 {
        match self {
            // The usual width is converted faster.
            Self::Exact(amount) => match i64::try_from(amount) {
                Ok(amount) => amount as f64,
                Err(_) => amount as f64,
            },
            Self::Ticks(ticks) => ticks,
        }
    }

    /// The amount; 0 for ticks.
    pub fn as_exact(self) -> i128 {
        match self {
            Self::Exact(amount) => amount,
            Self::Ticks(_) => 0,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => Self::Exact(left.saturating_add(right)),
            (left, right) => Self::Ticks(left.as_f64() + right.as_f64()),
        }
    }

    /// So many times the amount.
    pub fn times(self, n: u64) -> Self {
        match self {
            Self::Exact(amount) => Self::Exact(amount.saturating_mul(n.into())),
            Self::Ticks(ticks) => Self::Ticks(ticks * n as f64),
        }
    }

    /// The difference.
    pub fn less(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => Self::Exact(left.saturating_sub(right)),
            (left, right) => Self::Ticks(left.as_f64() - right.as_f64()),
        }
    }

    /// A part of the amount; of exact amounts, the nearest integer.
    pub fn divided_by(self, n_parts: usize) -> Self {
        match self {
            Self::Ticks(ticks) => Self::Ticks(ticks / n_parts as f64),
            Self::Exact(amount) => {
                let n_parts = (n_parts as i128).max(1);
                Self::Exact(amount.saturating_add(n_parts / 2).div_euclid(n_parts))
            }
        }
    }

    /// A share of the amount, from 0 to 1; of exact amounts, the nearest integer.
    pub(super) fn part(self, share: f64) -> Self {
        match self {
            whole if share >= 1.0 => whole,
            Self::Ticks(ticks) => Self::Ticks(ticks * share),
            #[expect(clippy::cast_possible_truncation, reason = "it is less than the whole")]
            Self::Exact(_) => Self::Exact((self.as_f64() * share).round() as i128),
        }
    }

    /// The amount without a share of it; both add up to the whole.
    pub(super) fn without_part(self, share: f64) -> Self {
        self.less(self.part(share))
    }

    /// Ticks without rounding errors of sums.
    pub(super) fn without_rounding(self) -> Self {
        match self {
            Self::Ticks(ticks) => Self::Ticks(snapped(ticks)),
            exact @ Self::Exact(_) => exact,
        }
    }

    /// Percentage of `whole`; 0 if that is not positive.
    pub fn percent_of(self, whole: Self) -> f64 {
        if whole.is_positive() { 100.0 * self.as_f64() / whole.as_f64() } else { 0.0 }
    }

    /// The quotient; `None` if that is not a number.
    pub(super) fn ratio_to(self, other: Self) -> Option<f64> {
        (!other.is_zero()).then(|| self.as_f64() / other.as_f64())
    }

    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => left.cmp(&right),
            (left, right) => left.as_f64().total_cmp(&right.as_f64()),
        }
    }
}

/// Percentage of an exact amount; 0 if the whole is 0.
pub(super) fn percent(part: impl Into<i128>, whole: impl Into<i128>) -> f64 {
    Amount::Exact(part.into()).percent_of(Amount::Exact(whole.into()))
}

impl From<Amount> for Cell {
    fn from(amount: Amount) -> Self {
        match amount {
            Amount::Exact(amount) => Self::Integer(amount),
            Amount::Ticks(ticks) => Self::Real(ticks),
        }
    }
}

/// A row of amounts for each function, line or arc, with a column for each metric.
#[derive(Clone, Debug)]
pub struct Amounts {
    n_metrics: usize,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    Exact(Integers),
    Ticks(Vec<f64>),
}

impl Amounts {
    /// Exact zeros.
    pub fn exact(n_rows: usize, n_metrics: usize) -> Self {
        Self { n_metrics, values: Values::Exact(Integers::zeros(n_rows * n_metrics)) }
    }

    /// A single column of ticks.
    pub fn of_ticks(ticks: Vec<f64>) -> Self {
        Self { n_metrics: 1, values: Values::Ticks(ticks) }
    }

    /// The amount of each row and metric; exact if all are. Calls `of` twice for each.
    pub fn of_cells(
        n_rows: usize,
        n_metrics: usize,
        of: impl Fn(usize, usize) -> Amount + Copy,
    ) -> Self {
        let cells =
            || (0..n_rows).flat_map(|row| (0..n_metrics).map(move |metric| of(row, metric)));
        // Collecting would take twice the memory, since the number of cells is not known to it.
        let n_cells = n_rows * n_metrics;
        let values = if cells().all(|amount| matches!(amount, Amount::Exact(_))) {
            let mut values = Integers::with_capacity(n_cells);
            values.extend(cells().map(exact));
            Values::Exact(values)
        } else {
            let mut values = Vec::with_capacity(n_cells);
            values.extend(cells().map(Amount::as_f64));
            Values::Ticks(values)
        };
        Self { n_metrics, values }
    }

    pub fn get(&self, row: usize, metric: usize) -> Amount {
        let index = row * self.n_metrics + metric;
        match &self.values {
            Values::Exact(values) => Amount::Exact(values.get(index)),
            Values::Ticks(values) => Amount::Ticks(values[index]),
        }
    }

    /// An exact amount.
    ///
    /// # Panics
    /// If it is in ticks.
    pub fn get_exact(&self, row: usize, metric: usize) -> i128 {
        self.all_exact().get(row * self.n_metrics + metric)
    }

    /// Replaces an exact amount.
    ///
    /// # Panics
    /// If it is in ticks.
    pub fn set(&mut self, row: usize, metric: usize, amount: i128) {
        let index = row * self.n_metrics + metric;
        self.all_exact_mut().set(index, amount);
    }

    /// The exact amounts of a row.
    ///
    /// # Panics
    /// If they are ticks.
    pub fn row(&self, row: usize) -> impl Iterator<Item = i128> {
        let values = self.all_exact();
        (row * self.n_metrics..(row + 1) * self.n_metrics).map(|index| values.get(index))
    }

    fn all_exact(&self) -> &Integers {
        match &self.values {
            Values::Exact(values) => values,
            Values::Ticks(_) => panic!("{NOT_EXACT}"),
        }
    }

    fn all_exact_mut(&mut self) -> &mut Integers {
        match &mut self.values {
            Values::Exact(values) => values,
            Values::Ticks(_) => panic!("{NOT_EXACT}"),
        }
    }

    /// Adds exact amounts to a row.
    ///
    /// # Panics
    /// If it is in ticks.
    pub fn add(&mut self, row: usize, amounts: impl IntoIterator<Item = impl Borrow<i128>>) {
        let start = row * self.n_metrics;
        let values = self.all_exact_mut();
        for (index, amount) in (start..).zip(amounts) {
            values.add(index, *amount.borrow());
        }
    }

    /// Subtracts the exact amounts of another table with as many rows.
    ///
    /// # Panics
    /// If they are ticks.
    pub fn subtract(&mut self, other: &Self) {
        for row in 0..other.all_exact().len() / self.n_metrics.max(1) {
            self.add(row, other.row(row).map(|amount| -amount));
        }
    }

    /// Exact rows in the given order.
    ///
    /// # Panics
    /// If they are ticks.
    pub fn reordered(&self, order: &[u32]) -> Self {
        let mut values = Integers::with_capacity(order.len() * self.n_metrics);
        order.iter().for_each(|&row| values.extend(self.row(row as usize)));
        Self { values: Values::Exact(values), ..*self }
    }

    /// Zeros of the same kind and number.
    pub(super) fn zeroed(&self) -> Self {
        let values = match &self.values {
            Values::Exact(values) => Values::Exact(Integers::zeros(values.len())),
            Values::Ticks(values) => Values::Ticks(vec![0.0; values.len()]),
        };
        Self { values, ..*self }
    }

    pub(super) fn plus(&mut self, row: usize, metric: usize, amount: Amount) {
        let index = row * self.n_metrics + metric;
        match (&mut self.values, amount) {
            (Values::Exact(values), Amount::Exact(amount)) => values.add(index, amount),
            (Values::Ticks(values), amount) => values[index] += amount.as_f64(),
            (Values::Exact(_), Amount::Ticks(_)) => panic!("{NOT_EXACT}"),
        }
    }

    /// Shares of some rows, each as a row.
    pub(super) fn parts_of(
        &self,
        rows: &[u32],
        part: impl Fn(Amount, u32, usize) -> Amount,
    ) -> Self {
        let cells =
            rows.iter().flat_map(|&row| (0..self.n_metrics).map(move |metric| (row, metric)));
        let parts = cells.map(|(row, metric)| {
            let whole = self.get(row as usize, metric);
            part(whole, row, metric)
        });
        let values = match &self.values {
            Values::Ticks(_) => Values::Ticks(parts.map(Amount::as_f64).collect()),
            Values::Exact(_) => Values::Exact(parts.map(exact).collect()),
        };
        Self { values, ..*self }
    }
}

fn exact(amount: Amount) -> i128 {
    match amount {
        Amount::Exact(amount) => amount,
        Amount::Ticks(_) => panic!("{NOT_EXACT}"),
    }
}

const NOT_EXACT: &str = "only exact amounts are added up by row";

pub(super) fn add(sum: &mut [i128], amounts: impl IntoIterator<Item = impl Borrow<i128>>) {
    for (sum, amount) in sum.iter_mut().zip(amounts) {
        *sum += amount.borrow();
    }
}
