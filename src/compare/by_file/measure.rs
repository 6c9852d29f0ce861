//! What the numbers of many files are of, and in which unit they are shown.

use crate::analyze::Amount;
use crate::compare::costs::FunctionCosts;
use crate::report::{Cell, Column, Metric, MetricIndex};

/// What the numbers of many files are of: the primary metric of the first one. Ticks of a
/// clock are shown in its unit, seconds as a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The metric, in the unit in which its numbers are shown.
    pub metric: Metric,
    /// Ticks in one unit; `None` for what is not counted in ticks.
    ticks_per_unit: Option<f64>,
}

/// A file cannot stand beside others, for something else was measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} cannot stand beside {first}")]
pub struct Unlike {
    /// What was measured in it.
    pub found: String,
    /// What was measured in the first file.
    pub first: String,
}

impl Measure {
    /// What a tally is of.
    #[must_use]
    pub fn of(tally: &FunctionCosts) -> Self {
        let mut metric = tally.metrics[tally.primary].clone();
        let ticks_per_unit = tally.seconds_per_tick[tally.primary].map(inverse);
        if ticks_per_unit.is_some() && metric.unit == "ticks" {
            metric.unit = "seconds".into();
        }
        Self {
            metric,
            ticks_per_unit,
        }
    }

    /// What numbers of another file are to be multiplied by.
    ///
    /// # Errors
    /// When they are of something else.
    pub(super) fn factor_of(&self, tally: &FunctionCosts) -> Result<f64, Unlike> {
        let other = Self::of(tally);
        let is_same = other.metric.id == self.metric.id && other.metric.unit == self.metric.unit;
        match (self.ticks_per_unit, other.ticks_per_unit) {
            (first, found) if is_same && first == found => Ok(1.0),
            (Some(first), Some(found)) if is_same => Ok(first / found),
            _ => Err(Unlike {
                found: other.spelled(),
                first: self.spelled(),
            }),
        }
    }

    /// The unit in which numbers are shown.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.metric.unit
    }

    /// Whether it is time, which has fractions.
    pub(super) fn is_time(&self) -> bool {
        self.ticks_per_unit.is_some()
    }

    /// An amount as it is shown.
    pub(super) fn cell(&self, amount: Amount) -> Cell {
        match self.ticks_per_unit {
            None => amount.into(),
            Some(_) => self.real(amount.as_f64()),
        }
    }

    /// A number of ticks, or of the unit itself, as it is shown.
    pub(super) fn real(&self, number: f64) -> Cell {
        Cell::Real(self.shown(number))
    }

    /// The same as a number.
    pub(super) fn shown(&self, number: f64) -> f64 {
        self.ticks_per_unit.map_or(number, |ticks| number / ticks)
    }

    /// The name of a column of such numbers, as other reports have it.
    pub(super) fn id(&self, id: &str) -> String {
        if !self.is_time() {
            return id.to_owned();
        }
        let letters = self.unit().chars().filter(char::is_ascii_alphanumeric);
        format!("{id}_{}", letters.collect::<String>().to_lowercase())
    }

    /// The column with such numbers.
    pub(super) fn column(&self, column: Column) -> Column {
        const ONLY: MetricIndex = 0;
        let is_shown = column.print.is_some();
        match column.of(ONLY) {
            column if is_shown && !self.is_time() => column.printed(0, 1),
            column => column,
        }
    }

    fn spelled(&self) -> String {
        format!("{} in {}", self.metric.quantity, self.metric.unit)
    }
}

/// One over it; the whole number that rounding has missed, where there is one.
fn inverse(each: f64) -> f64 {
    let number = 1.0 / each;
    let whole = number.round();
    if whole > 0.0 && (number - whole).abs() < 1e-9 * whole {
        whole
    } else {
        number
    }
}
