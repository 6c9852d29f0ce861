//! What the numbers of many files are of, and in which unit they are shown.

use super::super::amount::Amount;
use crate::report::{Cell, Column, Metric, MetricIndex};

/// What the numbers of many files are of: the primary metric of the first one. Ticks of a
/// clock whose rate is known are shown in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The metric.
    pub metric: Metric,
}

/// A file cannot stand beside others, for something else was measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("has {found}, but the first file has {first}")]
pub struct Unlike {
    /// What was measured in it.
    pub found: String,
    /// What was measured in the first one.
    pub first: String,
}

impl Measure {
    /// What numbers of another file are to be multiplied by.
    ///
    /// # Errors
    /// When they are of something else.
    pub(super) fn factor(&self, metric: &Metric) -> Result<f64, Unlike> {
        let unlike = || Unlike {
            found: spelled(metric),
            first: spelled(&self.metric),
        };
        if metric.id != self.metric.id {
            return Err(unlike());
        }
        match (self.metric.rate, metric.rate) {
            (first, found) if first == found => Ok(1.0),
            (Some(first), Some(found)) if found > 0 => Ok(f64::from(first) / f64::from(found)),
            _ => Err(unlike()),
        }
    }

    /// Ticks in a second, where numbers are shown in seconds.
    fn rate(&self) -> Option<f64> {
        self.metric.rate.filter(|rate| *rate > 0).map(f64::from)
    }

    /// The unit in which they are shown.
    #[must_use]
    pub fn unit(&self) -> &str {
        match self.rate() {
            Some(_) => "seconds",
            None => &self.metric.unit,
        }
    }

    /// An amount as it is shown.
    #[must_use]
    pub fn cell(&self, amount: Amount) -> Cell {
        match (self.rate(), amount) {
            (None, amount) => amount.into(),
            (Some(_), amount) => self.real(amount.as_f64()),
        }
    }

    /// A number in the unit of the metric as it is shown.
    #[must_use]
    pub fn real(&self, number: f64) -> Cell {
        Cell::Real(self.shown(number))
    }

    /// The same as a number.
    #[must_use]
    pub fn shown(&self, number: f64) -> f64 {
        self.rate().map_or(number, |rate| number / rate)
    }

    /// The name of a column of such numbers.
    pub(super) fn id(&self, id: &str) -> String {
        match self.rate() {
            Some(_) => format!("{id}_seconds"),
            None => id.to_owned(),
        }
    }

    /// A column with such numbers. Those in seconds are not in the unit of the metric.
    pub(super) fn column(&self, column: Column) -> Column {
        const ONLY: MetricIndex = 0;
        match self.rate() {
            Some(_) => column,
            None => column.of(ONLY).printed(0, 1),
        }
    }
}

fn spelled(metric: &Metric) -> String {
    match metric.rate {
        Some(rate) => format!("{} in {} of 1/{rate} s", metric.quantity, metric.unit),
        None => format!("{} in {}", metric.quantity, metric.unit),
    }
}
