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
    /// If one of them lacks the primary metric of the other.
    pub(super) fn places_in(&self, other: &Self) -> Result<Vec<Option<MetricIndex>>, Unlike> {
        let places: Vec<_> = self.metrics.iter().map(|one| other.place_of(one)).collect();
        let is_other = self.place_of(other.metric()).is_none();
        if is_other || places[self.primary].is_none() {
            return Err(Unlike { first: self.words(), found: other.words() });
        }
        Ok(places)
    }

    /// The metrics to compare with another list, each with its place in this one: its own, and
    /// then those that only the other list has. An event that did not occur is 0, but memory that
    /// was not recorded is unknown, as any level is, so only one list having it omits it. `None`
    /// if these are the metrics of this list.
    pub(super) fn joined_with(&self, other: &Self) -> Option<(Self, Vec<Option<MetricIndex>>)> {
        let own = self.metrics.iter().enumerate().filter(|(at, metric)| {
            *at == self.primary || !may_be_unknown(metric) || other.place_of(metric).is_some()
        });
        let own = own.map(|(at, metric)| (metric, self.seconds_per_tick[at], Some(at)));
        let others = other.metrics.iter().zip(&other.seconds_per_tick);
        let others = others
            .filter(|(metric, _)| !may_be_unknown(metric) && self.place_of(metric).is_none())
            .map(|(metric, seconds)| (metric, *seconds, None));
        let all: Vec<_> = own.chain(others).collect();
        let places: Vec<_> = all.iter().map(|(_, _, place)| *place).collect();
        let is_same = places.iter().copied().eq((0..self.metrics.len()).map(Some));
        let primary = places.iter().position(|place| *place == Some(self.primary));
        (!is_same).then(|| {
            let joined = Self {
                metrics: all.iter().map(|(metric, ..)| (*metric).clone()).collect(),
                primary: primary.unwrap_or_default(),
                seconds_per_tick: all.iter().map(|(_, seconds, _)| *seconds).collect(),
            };
            (joined, places)
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

/// Returns whether the metric may be more than 0 although a profile lacks it.
fn may_be_unknown(metric: &Metric) -> bool {
    let is_of_memory = matches!(&*metric.unit, "bytes" | "blocks");
    metric.is_level || is_of_memory || metric.part_of_heap().is_some()
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
