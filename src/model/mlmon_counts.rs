//! Counters by number, and joining them with the table of functions.
//!
//! A program built by MLton prints a table of its functions and of the copies that the
//! optimiser made. Its profiles are columns of counters, one row for each line of the table.
//! A table and any number of profiles make one [`Profile`], in any order.

use super::{
    BuildId, ContextId, Extent, FunctionId, MergeError, MlmonStyle, Quantity, RecordedCosts,
    SampleKey, Samples, Unit, ValueMetric, ValueType,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MlmonRows {
    values: Vec<i128>,
    n_columns: usize,
}

impl MlmonRows {
    pub fn new(style: MlmonStyle) -> Self {
        Self { values: Vec::new(), n_columns: style.n_columns() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the number of counters does not match the style.
    pub fn push(&mut self, row: &[i128]) {
        assert_eq!(row.len(), self.n_columns, "one number for each column");
        self.values.extend_from_slice(row);
    }

    pub fn len(&self) -> usize {
        self.values.len() / self.n_columns
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn row(&self, index: usize) -> &[i128] {
        &self.values[index * self.n_columns..][..self.n_columns]
    }

    fn rows(&self) -> impl Iterator<Item = &[i128]> {
        self.values.chunks_exact(self.n_columns)
    }

    /// Adds row by row. Missing rows count as 0.
    fn add(&mut self, other: &Self) {
        let n_values = self.values.len().max(other.values.len());
        self.values.resize(n_values, 0);
        for (sum, value) in self.values.iter_mut().zip(&other.values) {
            *sum = sum.saturating_add(*value);
        }
    }
}

/// The counters of one run, or the sum of several runs, by number. 128 bits, so that sums
/// fit; damaged files may have negative counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MlmonCounts {
    pub build: BuildId,
    pub quantity: Quantity,
    pub unit: Unit,
    /// The metric of self costs.
    pub metric: ValueMetric,
    /// Whether callers have costs too.
    pub style: MlmonStyle,
    pub program: i128,
    pub collector: i128,
    pub contexts: MlmonRows,
    pub functions: MlmonRows,
}

impl MlmonCounts {
    /// Adds the counters of another run.
    ///
    /// # Errors
    /// If the builds, the metrics or the numbers of rows differ.
    pub fn add(&mut self, other: &Self) -> Result<(), MergeError> {
        self.check_like(other)?;
        self.check_lengths(other.contexts.len(), other.functions.len())?;
        self.program = self.program.saturating_add(other.program);
        self.collector = self.collector.saturating_add(other.collector);
        self.contexts.add(&other.contexts);
        self.functions.add(&other.functions);
        Ok(())
    }

    /// Checks that the builds and the metrics are the same, for any number of rows.
    fn check_like(&self, other: &Self) -> Result<(), MergeError> {
        check_build(self.build, other.build)?;
        if self.style != other.style {
            return Err(MergeError::Style { found: other.style, first: self.style });
        }
        if self.quantity != other.quantity {
            return Err(MergeError::Quantity { found: other.quantity, first: self.quantity });
        }
        Ok(())
    }

    /// Checks that the counters belong to the table.
    ///
    /// # Errors
    /// If the build or the number of rows differs.
    pub fn check_fits(&self, table: &RecordedCosts) -> Result<(), MergeError> {
        check_build(table.build.unwrap_or(self.build), self.build)?;
        self.check_lengths(table.contexts.len(), table.functions.len())
    }

    fn check_lengths(&self, n_contexts: usize, n_functions: usize) -> Result<(), MergeError> {
        let pairs = [
            ("functions", self.functions.len(), n_functions),
            ("copies of functions", self.contexts.len(), n_contexts),
        ];
        match pairs.into_iter().find(|(_, one, other)| one != other) {
            None => Ok(()),
            Some((what, one, other)) => Err(MergeError::Lengths { what, one, other }),
        }
    }

    pub fn types(&self) -> Vec<ValueType> {
        let extents = [Extent::Exclusive, Extent::Inclusive, Extent::Collector];
        extents
            .into_iter()
            .take(self.style.n_columns())
            .map(|extent| ValueType {
                quantity: self.quantity,
                unit: self.unit,
                extent,
                class: None,
            })
            .collect()
    }

    /// Rows of contexts, then of functions. Values outside `u64` are clamped.
    pub(super) fn samples(&self) -> Samples {
        let mut samples = Samples::new(self.types());
        let contexts = (0..).map(|id| SampleKey::Context(ContextId(id)));
        let functions = (0..).map(|id| SampleKey::Function(FunctionId(id)));
        let mut values = Vec::new();
        let rows = contexts.zip(self.contexts.rows());
        for (key, row) in rows.chain(functions.zip(self.functions.rows())) {
            values.clear();
            values.extend(row.iter().copied().map(cut));
            samples.push(key, &values);
        }
        samples
    }
}

pub(super) fn cut(value: i128) -> u64 {
    u64::try_from(value.max(0)).unwrap_or(u64::MAX)
}

pub(super) fn check_build(first: BuildId, found: BuildId) -> Result<(), MergeError> {
    if first == found { Ok(()) } else { Err(MergeError::Build { first, found }) }
}

#[cfg(test)]
mod tests;
