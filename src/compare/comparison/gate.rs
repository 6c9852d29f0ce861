//! Reasons to refuse a comparison (`--fail-on`).

use std::cmp::Ordering;

use super::change::Change;
use super::compared::{Compared, DifferenceOrder, RowChange};
use crate::compare::difference::ChangeVerdict;
use crate::report::number::fixed;
use crate::report::{Cell, MetricIndex, NameId, NameTable};

/// A reason to refuse the new side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// A function has this verdict.
    Verdict(ChangeVerdict),
    /// A function has more or fewer calls.
    Calls,
    /// More memory was never freed.
    Leaks,
}

impl FailOn {
    pub fn id(self) -> &'static str {
        match self {
            Self::Verdict(verdict) => verdict.id(),
            Self::Calls => "calls",
            Self::Leaks => "leaks",
        }
    }

    /// Returns whether this comparison can give the reason: samples have statistical
    /// verdicts, and only heaps have leaks.
    pub fn can_be_found(self, compared: &Compared) -> bool {
        match self {
            Self::Verdict(
                ChangeVerdict::New
                | ChangeVerdict::Gone
                | ChangeVerdict::Slower
                | ChangeVerdict::Faster,
            ) => true,
            Self::Verdict(ChangeVerdict::More | ChangeVerdict::Less) => compared.is_of_amounts(),
            Self::Verdict(_) => compared.is_by_chance(),
            Self::Calls => compared.counts_calls && !compared.has_least_calls,
            Self::Leaks => leak_metric(compared).is_some(),
        }
    }
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its row; after all rows, costs outside of functions, and the total.
    pub row: usize,
    /// The reason with its numbers, without the name of the function.
    pub reason: String,
}

impl Failure {
    /// The reason with the name of its function, for a comparison of so many rows.
    pub fn named(&self, n_rows: usize, names: &dyn NameTable) -> String {
        let what = match self.row.cmp(&n_rows) {
            Ordering::Less => {
                let id = u32::try_from(self.row).unwrap_or(u32::MAX);
                format!("`{}`", String::from_utf8_lossy(names.name(NameId(id))))
            }
            Ordering::Equal => "time outside functions".to_owned(),
            Ordering::Greater => "the whole program".to_owned(),
        };
        format!("{what}: {}", self.reason)
    }
}

/// The refusals of a comparison, by reason, then by row, the total first.
pub fn failures(compared: &Compared, on: &[FailOn], order: DifferenceOrder) -> Vec<Failure> {
    let mut all = Vec::new();
    for row in std::iter::once(&compared.total).chain(&compared.rows) {
        for &on in on {
            let reason = reason(row, on, compared, order);
            all.extend(reason.map(|reason| Failure { row: row.row, reason }));
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
    match on {
        FailOn::Calls => {
            let is_certain = |calls: &Change| calls.verdict != ChangeVerdict::Unclear;
            let calls = row.calls.filter(|calls| !calls.is_none() && is_certain(calls))?;
            let is_of_both =
                !matches!(row.primary().verdict, ChangeVerdict::New | ChangeVerdict::Gone);
            is_of_both.then(|| said(on.id(), &calls, ("calls", 2)))
        }
        FailOn::Leaks => {
            let metric = leak_metric(compared)?;
            let (_, change) = row.self_costs.iter().find(|(of, _)| *of == metric)?;
            let is_more = change.change.is_positive();
            is_more.then(|| said(on.id(), change, (&unit(compared, metric), 2)))
        }
        FailOn::Verdict(wanted) => {
            let wanted = if compared.is_of_amounts() { wanted.of_amounts() } else { wanted };
            if !compared.is_by_chance() && !compared.has_share(row, order) {
                return None;
            }
            let on = FailOn::Verdict(wanted);
            let is_found = |change: &Change| {
                let is_minor = wanted == ChangeVerdict::Unclear && change.is_minor;
                change.verdict == wanted && !is_minor
            };
            let unit = unit(compared, compared.measure.primary);
            let unit = (&*unit, compared.decimals());
            if is_found(row.primary()) {
                return Some(said(on.id(), row.primary(), unit));
            }
            let total = row.total.filter(is_found)?;
            let with_calls = format!("{} including callees", on.id());
            (order == DifferenceOrder::Total).then(|| said(&with_calls, &total, unit))
        }
    }
}

/// The metric of unfreed memory.
fn leak_metric(compared: &Compared) -> Option<MetricIndex> {
    let mut metrics = compared.measure.metrics.iter();
    metrics.position(|metric| metric.id == "unfreed-bytes")
}

fn unit(compared: &Compared, metric: MetricIndex) -> String {
    if compared.is_normalized { "percent of the total".to_owned() } else { compared.unit(metric) }
}

/// A change in words: `slower: 0.910 to 1.250 seconds (+37.4 %)`.
fn said(what: &str, change: &Change, (unit, decimals): (&str, u8)) -> String {
    let number = |amount| match Cell::from(amount) {
        Cell::Real(number) => fixed(number, decimals.into()),
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
