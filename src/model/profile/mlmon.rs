//! Counters of MLton's profiles, and the table of functions that they belong to.

use super::Profile;
use crate::model::mlmon_counts::{check_build, cut};
use crate::model::{MergeError, MlmonCounts, RecordedCosts, Totals};

impl Profile {
    /// Adds the table, the counters, or both, of a later file.
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

    /// Charges the counters to the contexts and functions of the table. Does nothing without
    /// a table.
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
