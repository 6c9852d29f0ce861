//! What costs measure, in which units they are read, and whether others measure the same.

use std::sync::Arc;

use crate::analyze::Amount;
use crate::report::{Basis, Cell, Column, Metric, MetricIndex};

/// What the costs of a profile measure.
#[derive(Clone, Debug)]
pub struct Measure {
    /// In the units in which people read them.
    pub metrics: Arc<[Metric]>,
    /// The metric that rows are sorted by.
    pub primary: MetricIndex,
    /// How long a tick is in the unit of the metric, by metric; `None` for what is not
    /// counted in ticks.
    pub seconds_per_tick: Box<[Option<f64>]>,
}

/// Two profiles, or sides of them, measure different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    pub first: String,
    pub found: String,
}

impl Measure {
    /// Whether both can be compared, number by number.
    ///
    /// # Errors
    /// When they cannot.
    pub(super) fn check(&self, other: &Self) -> Result<(), Unlike> {
        let (first, found) = (self.words(), other.words());
        if first == found && self.primary == other.primary {
            Ok(())
        } else {
            Err(Unlike { first, found })
        }
    }

    /// What is measured, metric by metric.
    pub(super) fn words(&self) -> String {
        let words: Vec<_> = self.metrics.iter().map(words_of).collect();
        words.join(", ")
    }

    /// What ticks of the primary metric of others are to be multiplied by, to stand beside
    /// these.
    ///
    /// # Errors
    /// When they are of something else.
    pub(super) fn factor_of(&self, other: &Self) -> Result<f64, Unlike> {
        let (first, found) = (self.metric(), other.metric());
        let is_same = found.id == first.id && found.unit == first.unit;
        match (self.ticks_per_unit(), other.ticks_per_unit()) {
            (first, found) if is_same && first == found => Ok(1.0),
            (Some(first), Some(found)) if is_same => Ok(first / found),
            _ => Err(Unlike {
                first: words_of(first),
                found: words_of(found),
            }),
        }
    }

    /// The primary metric.
    pub fn metric(&self) -> &Metric {
        &self.metrics[self.primary]
    }

    /// Whether the primary metric comes by chance, as ticks do.
    pub(super) fn is_sampled(&self) -> bool {
        self.metric().basis == Basis::Sampled
    }

    /// Ticks of the primary metric in one unit; `None` for what is not counted in ticks.
    pub(super) fn ticks_per_unit(&self) -> Option<f64> {
        let number = 1.0 / self.seconds_per_tick[self.primary]?;
        // The whole number that rounding has missed, where there is one.
        let whole = number.round();
        let is_whole = whole > 0.0 && (number - whole).abs() < 1e-9 * whole;
        Some(if is_whole { whole } else { number })
    }

    /// A number of ticks of the primary metric, or of its unit, as people read it.
    pub(super) fn shown(&self, number: f64) -> f64 {
        self.ticks_per_unit().map_or(number, |ticks| number / ticks)
    }

    pub(super) fn cell(&self, amount: Amount) -> Cell {
        match self.ticks_per_unit() {
            None => amount.into(),
            Some(_) => Cell::Real(self.shown(amount.as_f64())),
        }
    }

    /// A shown column with numbers of the primary metric alone, called as other reports
    /// call it.
    pub(super) fn column(&self, id: &str, role: crate::report::Role, head: &str) -> Column {
        const ONLY: MetricIndex = 0;
        let unit = &self.metric().unit;
        let head = [head.to_owned(), unit.clone().into_owned()];
        if self.ticks_per_unit().is_none() {
            return Column::shown(id.to_owned(), role, head)
                .of(ONLY)
                .printed(0, 1);
        }
        let letters = unit.chars().filter(char::is_ascii_alphanumeric);
        let id = format!("{id}_{}", letters.collect::<String>().to_lowercase());
        Column::shown(id, role, head).of(ONLY)
    }
}

fn words_of(metric: &Metric) -> String {
    format!("{} in {}", metric.quantity, metric.unit)
}
