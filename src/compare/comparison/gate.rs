//! What a comparison is to be refused for.

use super::change::{Change, Finding};
use super::compared::{Compared, RowChange};
use super::order::DifferenceOrder;
use crate::report::number::fixed;
use crate::report::{Cell, MetricIndex};

/// A reason to refuse what is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    /// Something was shown to take longer.
    Slower,
    /// Something was shown to take less time.
    Faster,
    /// More of what was counted.
    More,
    /// Less of it.
    Less,
    /// Something may have changed, or not.
    Unclear,
    /// A function that was not there.
    New,
    /// A function that is there no more.
    Gone,
    /// A function was called more or less often.
    Calls,
    /// More memory was never freed.
    Leaks,
}

impl FailOn {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Slower,
        Self::Faster,
        Self::More,
        Self::Less,
        Self::Unclear,
        Self::New,
        Self::Gone,
        Self::Calls,
        Self::Leaks,
    ];

    /// The word for it.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Leaks => "leaks",
            other => other.finding().map_or("", Finding::id),
        }
    }

    /// The finding that is such a reason.
    fn finding(self) -> Option<Finding> {
        Some(match self {
            Self::Slower => Finding::Slower,
            Self::Faster => Finding::Faster,
            Self::More => Finding::More,
            Self::Less => Finding::Less,
            Self::Unclear => Finding::Unclear,
            Self::New => Finding::New,
            Self::Gone => Finding::Gone,
            Self::Calls | Self::Leaks => return None,
        })
    }

    /// Whether what was compared can give such a reason at all: chance is judged of what
    /// was sampled, and only heaps leak.
    #[must_use]
    pub fn can_be_found(self, compared: &Compared) -> bool {
        let is_sampled = compared.own.is_some();
        match self {
            Self::Slower | Self::Faster | Self::Unclear => is_sampled,
            Self::More | Self::Less => !is_sampled,
            Self::New | Self::Gone => true,
            Self::Calls => compared.counts_calls,
            Self::Leaks => leak_metric(compared).is_some(),
        }
    }
}

/// Something that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The row that it is about; behind all rows what is in no function, and the whole.
    pub row: usize,
    /// What it is refused for.
    pub on: FailOn,
    /// Why, with the numbers, and without the name of what it is about.
    pub reason: String,
}

/// What is refused of a comparison: reason by reason, in the order of rows, the whole
/// first.
#[must_use]
pub fn failures(compared: &Compared, on: &[FailOn], order: DifferenceOrder) -> Vec<Failure> {
    let mut all = Vec::new();
    for row in std::iter::once(&compared.total).chain(&compared.rows) {
        for &on in on {
            let reason = reason(row, on, compared, order);
            all.extend(reason.map(|reason| Failure {
                row: row.row,
                on,
                reason,
            }));
        }
    }
    all
}

fn reason(
    row: &RowChange,
    on: FailOn,
    compared: &Compared,
    order: DifferenceOrder,
) -> Option<String> {
    let primary = compared.measure.primary;
    match on {
        FailOn::Calls => {
            let calls = row.calls.filter(|calls| !calls.is_none())?;
            let is_of_both = !matches!(row.primary().finding, Finding::New | Finding::Gone);
            is_of_both.then(|| said(on.id(), &calls, "calls"))
        }
        FailOn::Leaks => {
            let metric = leak_metric(compared)?;
            let (_, change) = row.own.iter().find(|(of, _)| *of == metric)?;
            let is_more = change.change.is_positive();
            is_more.then(|| said(on.id(), change, &unit(compared, metric)))
        }
        on => {
            let by_total = order == DifferenceOrder::Total;
            let wanted = on.finding()?;
            let is_found = |change: &&Change| {
                let is_minor = wanted == Finding::Unclear && change.is_minor;
                change.finding == wanted && !is_minor
            };
            let unit = unit(compared, primary);
            if let Some(own) = Some(row.primary()).filter(is_found) {
                return Some(said(on.id(), own, &unit));
            }
            let total = row.total.as_ref().filter(|_| by_total);
            let total = total.filter(is_found)?;
            Some(said(
                &format!("{} with what it calls", on.id()),
                total,
                &unit,
            ))
        }
    }
}

/// The metric of what was never freed.
fn leak_metric(compared: &Compared) -> Option<MetricIndex> {
    let mut metrics = compared.measure.metrics.iter();
    metrics.position(|metric| metric.id == "unfreed-bytes")
}

fn unit(compared: &Compared, metric: MetricIndex) -> String {
    match compared.is_normalized {
        true => "percent of all".to_owned(),
        false => compared.measure.unit(metric).to_owned(),
    }
}

/// A change in words: `slower: 0.910 to 1.250 seconds (+37.4 %)`.
fn said(what: &str, change: &Change, unit: &str) -> String {
    let number = |amount| match Cell::from(amount) {
        Cell::Real(number) => fixed(number, if unit == "seconds" { 3 } else { 2 }),
        Cell::Integer(number) => number.to_string(),
        _ => String::new(),
    };
    let (old, new) = (number(change.old), number(change.new));
    let percent = change.percent().map_or_else(String::new, |percent| {
        let sign = if percent > 0.0 { "+" } else { "" };
        format!(" ({sign}{} %)", fixed(percent, 1))
    });
    format!("{what}: {old} to {new} {unit}{percent}")
}
