//! What runs measure, and whether that can be compared.

use std::sync::Arc;

use crate::compare::costs::FunctionCosts;
use crate::report::{Basis, Metric, MetricIndex};

/// What all runs of a side measure.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    pub(super) metrics: Arc<[Metric]>,
    pub(super) primary: MetricIndex,
    pub(super) seconds_per_tick: Box<[Option<f64>]>,
}

/// Runs that cannot be added up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it measures {found}, the others {first}")]
pub struct UnlikeRun {
    /// What the runs before it measure.
    pub first: String,
    /// What this one does.
    pub found: String,
}

/// Sides that cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the old one measures {old}, the new one {new}")]
pub struct UnlikeSides {
    /// What the old side measures.
    pub old: String,
    /// What the new side does.
    pub new: String,
}

impl Measure {
    pub(super) fn of(tally: &FunctionCosts) -> Self {
        Self {
            metrics: Arc::clone(&tally.metrics),
            primary: tally.primary,
            seconds_per_tick: tally.seconds_per_tick.clone(),
        }
    }

    /// Whether both can be compared, number by number.
    ///
    /// # Errors
    /// When they cannot.
    pub(super) fn check(&self, other: &Self) -> Result<(), UnlikeRun> {
        let (first, found) = (self.said(), other.said());
        if first == found && self.primary == other.primary {
            return Ok(());
        }
        Err(UnlikeRun {
            first: first.join(", "),
            found: found.join(", "),
        })
    }

    /// What is measured, metric by metric, in words.
    pub(super) fn said(&self) -> Vec<String> {
        let metrics = self.metrics.iter();
        let said = metrics.map(|metric| format!("{} in {}", metric.quantity, metric.unit));
        said.collect()
    }

    /// Whether the primary metric comes by chance, as ticks do.
    pub(super) fn is_sampled(&self) -> bool {
        self.metrics[self.primary].basis == Basis::Sampled
    }

    /// The unit in which people read numbers of a metric.
    pub(super) fn unit(&self, metric: MetricIndex) -> &str {
        &self.metrics[metric].unit
    }
}
