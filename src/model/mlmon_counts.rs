//! Values by number, and joining them with the table that says what has the numbers.
//!
//! A program built by MLton prints a table of its functions and of the copies that
//! the optimiser made of them; its profiles are columns of numbers, one row for each
//! line of the table. A table and any number of profiles make one [`Profile`], in
//! whatever order they come.

use std::fmt;

use super::{
    BuildId, ContextId, Extent, FunctionId, MergeError, Profile, Quantity, RecordedCosts,
    SampleKey, Samples, Totals, Unit, ValueMetric, ValueType,
};

/// What is counted for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MlmonStyle {
    /// What a function took itself.
    Current,
    /// That, what was taken while it was on the stack, and what the collector took
    /// meanwhile.
    Stack,
}

impl MlmonStyle {
    pub fn n_columns(self) -> usize {
        match self {
            Self::Current => 1,
            Self::Stack => 3,
        }
    }
}

impl fmt::Display for MlmonStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Current => "only what is on top of call stacks",
            Self::Stack => "whole call stacks",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MlmonRows {
    values: Vec<i128>,
    n_columns: usize,
}

impl MlmonRows {
    pub fn new(style: MlmonStyle) -> Self {
        Self {
            values: Vec::new(),
            n_columns: style.n_columns(),
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it has not as many numbers as the style demands.
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

    /// Adds row by row. Of rows that only one has, the other counts as 0.
    fn add(&mut self, other: &Self) {
        let n_values = self.values.len().max(other.values.len());
        self.values.resize(n_values, 0);
        for (sum, value) in self.values.iter_mut().zip(&other.values) {
            *sum = sum.saturating_add(*value);
        }
    }
}

/// What one run counted, or the sum of several, by numbers of contexts and functions.
/// Sums have room to spare, and may be negative where a file says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MlmonCounts {
    pub build: BuildId,
    pub quantity: Quantity,
    pub unit: Unit,
    /// What the values of functions alone are.
    pub metric: ValueMetric,
    /// Whether callers share in the values.
    pub style: MlmonStyle,
    pub program: i128,
    pub collector: i128,
    pub contexts: MlmonRows,
    pub functions: MlmonRows,
}

impl MlmonCounts {
    /// Adds those of another run.
    ///
    /// # Errors
    /// When it was of another build, or something else was counted.
    pub fn add(&mut self, other: &Self) -> Result<(), MergeError> {
        self.check_like(other)?;
        self.check_lengths(other.contexts.len(), other.functions.len())?;
        self.add_of_any_length(other)
    }

    /// Adds those of another run, also where it has more rows or fewer.
    ///
    /// # Errors
    /// When it is of another build or counts something else.
    pub fn add_of_any_length(&mut self, other: &Self) -> Result<(), MergeError> {
        self.check_like(other)?;
        self.program = self.program.saturating_add(other.program);
        self.collector = self.collector.saturating_add(other.collector);
        self.contexts.add(&other.contexts);
        self.functions.add(&other.functions);
        Ok(())
    }

    /// Whether these are of the same build and count the same, whatever the number
    /// of rows.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_like(&self, other: &Self) -> Result<(), MergeError> {
        check_build(self.build, other.build)?;
        if self.style != other.style {
            return Err(MergeError::Style {
                found: other.style,
                first: self.style,
            });
        }
        if self.quantity != other.quantity {
            return Err(MergeError::Quantity {
                found: other.quantity,
                first: self.quantity,
            });
        }
        Ok(())
    }

    /// Whether a table has what these count.
    ///
    /// # Errors
    /// When it is of another build, or of another length.
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

    /// Rows of contexts, then those of functions. What no number holds is cut to
    /// what one does.
    fn samples(&self) -> Samples {
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

fn cut(value: i128) -> u64 {
    u64::try_from(value.max(0)).unwrap_or(u64::MAX)
}

fn check_build(first: BuildId, found: BuildId) -> Result<(), MergeError> {
    if first == found {
        Ok(())
    } else {
        Err(MergeError::Build { first, found })
    }
}

impl Profile {
    /// Takes in a table, or counts, or both, that came later.
    pub(super) fn merge_mlmon_counts(
        &mut self,
        table: RecordedCosts,
        mlmon_counts: Option<MlmonCounts>,
    ) -> Result<(), MergeError> {
        let build_of = |table: &RecordedCosts, counts: &Option<MlmonCounts>| {
            table.build.or(counts.as_ref().map(|counts| counts.build))
        };
        let first = build_of(&self.costs, &self.mlmon_counts);
        if let Some((first, found)) = first.zip(build_of(&table, &mlmon_counts)) {
            check_build(first, found)?;
        }
        if let Some(found) = table.build {
            match self.costs.build {
                Some(_) if self.costs != table => {
                    return Err(MergeError::Tables { build: found });
                }
                Some(_) => {}
                None => self.costs = table,
            }
        }
        match (&mut self.mlmon_counts, mlmon_counts) {
            (Some(sum), Some(found)) => sum.add(&found)?,
            (sum @ None, found) => *sum = found,
            (_, None) => {}
        }
        match &self.mlmon_counts {
            Some(mlmon_counts) if self.costs.build.is_some() => {
                mlmon_counts.check_fits(&self.costs)
            }
            _ => Ok(()),
        }
    }

    /// Gives the counts to what the table says has their numbers. Without a table
    /// they stay what they are.
    pub fn join_mlmon_counts(&mut self) {
        if self.costs.build.is_none() {
            return;
        }
        if let Some(mlmon_counts) = self.mlmon_counts.take() {
            self.costs.samples = mlmon_counts.samples();
            self.costs.metrics = vec![mlmon_counts.metric.clone()];
            self.costs.totals = Some(Totals {
                program: cut(mlmon_counts.program),
                collector: cut(mlmon_counts.collector),
            });
        }
    }
}

#[cfg(test)]
mod tests;
