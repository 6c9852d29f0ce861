//! The metrics of costs, and whether others are comparable.

use std::borrow::Cow;
use std::sync::Arc;

use crate::analyze::Amount;
use crate::report::{Cell, Column, Metric, MetricIndex, Source};

/// The metrics of a profile's costs.
#[derive(Clone, Debug)]
pub struct Measure {
    /// In units for people.
    pub metrics: Arc<[Metric]>,
    /// The metric to sort by.
    pub primary: MetricIndex,
    /// Length of a tick in the unit of each metric; `None` for metrics not in ticks.
    pub seconds_per_tick: Box<[Option<f64>]>,
}

/// Two profiles or sides have different metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    pub first: String,
    pub found: String,
}

impl Measure {
    /// The place of each metric in another list; `None` for one that it lacks.
    ///
    /// # Errors
    /// If one of them lacks the primary metric or a level of the other. An event that did not
    /// occur is 0, but a level that was not recorded is unknown.
    pub(super) fn places_in(&self, other: &Self) -> Result<Vec<Option<MetricIndex>>, Unlike> {
        let places: Vec<_> = self.metrics.iter().map(|one| other.place_of(one)).collect();
        let has_all = |of: &Self, there: &Self| {
            let mut metrics = of.metrics.iter().enumerate();
            metrics.all(|(at, one)| {
                !(at == of.primary || one.is_level) || there.place_of(one).is_some()
            })
        };
        if has_all(self, other) && has_all(other, self) {
            return Ok(places);
        }
        Err(Unlike { first: self.words(), found: other.words() })
    }

    /// These metrics, and then those that only another list has; `None` if it has no others.
    pub(super) fn with_those_of(&self, other: &Self) -> Option<Self> {
        let is_new = |(metric, _): &(&Metric, _)| self.place_of(metric).is_none();
        let others = other.metrics.iter().zip(other.seconds_per_tick.iter().copied());
        let (metrics, seconds): (Vec<_>, Vec<_>) = others.filter(is_new).unzip();
        (!metrics.is_empty()).then(|| Self {
            metrics: self.metrics.iter().chain(metrics).cloned().collect(),
            primary: self.primary,
            seconds_per_tick: self.seconds_per_tick.iter().copied().chain(seconds).collect(),
        })
    }

    fn place_of(&self, metric: &Metric) -> Option<MetricIndex> {
        let wanted = key(metric);
        self.metrics.iter().position(|one| key(one) == wanted && one.unit == metric.unit)
    }

    /// The quantities, for messages.
    pub(super) fn words(&self) -> String {
        let words: Vec<_> = self.metrics.iter().map(words_of).collect();
        words.join(", ")
    }

    /// The factor for ticks of another profile's primary metric, to convert them to these.
    ///
    /// # Errors
    /// If the metrics differ.
    pub fn factor_of(&self, other: &Self) -> Result<f64, Unlike> {
        let (first, found) = (self.metric(), other.metric());
        let is_same = found.id == first.id && found.unit == first.unit;
        match (self.ticks_per_unit(), other.ticks_per_unit()) {
            (first, found) if is_same && first == found => Ok(1.0),
            (Some(first), Some(found)) if is_same => Ok(first / found),
            _ => Err(Unlike { first: words_of(first), found: words_of(found) }),
        }
    }

    /// The primary metric.
    pub fn metric(&self) -> &Metric {
        &self.metrics[self.primary]
    }

    /// Where the values of the primary metric come from.
    pub(super) fn source(&self) -> Source {
        self.metric().source()
    }

    /// Ticks of the primary metric per unit; `None` for metrics not in ticks.
    pub(super) fn ticks_per_unit(&self) -> Option<f64> {
        let number = 1.0 / self.seconds_per_tick[self.primary]?;
        // The whole number that rounding errors hide, if any.
        let whole = number.round();
        let is_whole = whole > 0.0 && (number - whole).abs() < 1e-9 * whole;
        Some(if is_whole { whole } else { number })
    }

    /// A number of ticks of the primary metric, or of its unit, in units for people.
    pub(super) fn shown(&self, number: f64) -> f64 {
        self.ticks_per_unit().map_or(number, |ticks| number / ticks)
    }

    pub(super) fn cell(&self, amount: Amount) -> Cell {
        match self.ticks_per_unit() {
            None => amount.into(),
            Some(_) => Cell::Real(self.shown(amount.as_f64())),
        }
    }

    /// A shown column of the primary metric, named as in other reports.
    pub(super) fn column(&self, id: &str, role: crate::report::Role, head: &str) -> Column {
        const ONLY: MetricIndex = 0;
        let unit = &self.metric().unit;
        let head = [head.to_owned(), unit.clone().into_owned()];
        if self.ticks_per_unit().is_none() {
            return Column::shown(id.to_owned(), role, head).of(ONLY).printed(0, 1);
        }
        let letters = unit.chars().filter(char::is_ascii_alphanumeric);
        let id = format!("{id}_{}", letters.collect::<String>().to_lowercase());
        Column::shown(id, role, head).of(ONLY).printed(0, self.metric().decimals())
    }
}

/// The name by which metrics match: samples of a single event have no name of their own.
fn key(metric: &Metric) -> Cow<'_, str> {
    if metric.id == "samples" && metric.quantity != "samples" {
        format!("{}-samples", metric.quantity).into()
    } else {
        (&*metric.id).into()
    }
}

fn words_of(metric: &Metric) -> String {
    format!("{} in {}", metric.quantity, metric.unit)
}
