//! Reasons to refuse a comparison (`--fail-on`).

use std::cmp::Ordering;

use super::change::{Change, in_percent};
use super::compared::{Compared, DifferenceOrder, Judgement, RowChange};
use crate::analyze::metric_named;
use crate::compare::difference::ChangeVerdict;
use crate::report::number::{fixed, general};
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
    /// The whole program got slower, or more.
    Program,
}

/// The most that a value of the whole program may grow.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The id of its metric.
    pub value: String,
    /// The largest permitted growth, as a share of the old value.
    pub growth: f64,
}

impl FailOn {
    pub fn id(self) -> &'static str {
        match self {
            Self::Verdict(verdict) => verdict.id(),
            Self::Calls => "calls",
            Self::Leaks => "leaks",
            Self::Program => "program",
        }
    }

    /// Returns whether this comparison can give the reason: samples have statistical
    /// verdicts, and only heaps have leaks.
    pub fn can_be_found(self, compared: &Compared) -> bool {
        match self {
            Self::Program
            | Self::Verdict(
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

/// The refusals of a comparison, by reason, then by row, the total first. A failed side is refused
/// for any reason.
pub fn failures(
    compared: &Compared,
    on: &[FailOn],
    limits: &[Limit],
    order: DifferenceOrder,
) -> Vec<Failure> {
    let of_program = |reason| Failure { row: compared.total.row, reason };
    if compared.failed.is_some() && !(on.is_empty() && limits.is_empty()) {
        return vec![of_program("nothing to compare: the program of a side failed".to_owned())];
    }
    let exceeded = limits.iter().filter_map(|limit| exceeded(limit, compared));
    let mut all: Vec<_> = exceeded.map(of_program).collect();
    for row in std::iter::once(&compared.total).chain(&compared.rows) {
        for &on in on {
            let reason = reason(row, on, compared, order);
            all.extend(reason.map(|reason| Failure { row: row.row, reason }));
        }
    }
    all
}

/// The reason if a value of the program certainly grew by more than its limit. Values that vary
/// are certain only by the limits of their change.
fn exceeded(limit: &Limit, compared: &Compared) -> Option<String> {
    let metric = metric_named(&compared.measure.metrics, &limit.value)?;
    let (_, change) = compared.total.self_costs.iter().find(|(of, _)| *of == metric)?;
    let growth = match change.interval {
        Some((low, _)) => low,
        None if compared.judgement == Judgement::Counted => change.change.as_f64(),
        None => return None,
    };
    let what = format!("above the limit of {} %", general(100.0 * limit.growth));
    let unit = unit(compared, metric);
    let decimals = if metric == compared.measure.primary { compared.decimals() } else { 2 };
    let is_above = growth > limit.growth * change.old.as_f64().abs();
    is_above.then(|| said(&what, change, (&unit, decimals)))
}

impl Limit {
    /// Returns whether this comparison has the value, and a verdict on it.
    pub fn can_be_exceeded(&self, compared: &Compared) -> bool {
        let metric = metric_named(&compared.measure.metrics, &self.value);
        let is_tested = metric == Some(compared.measure.primary) && compared.sampled.is_some();
        metric.is_some() && (is_tested || compared.judgement == Judgement::Counted)
    }
}

fn reason(
    row: &RowChange,
    on: FailOn,
    compared: &Compared,
    order: DifferenceOrder,
) -> Option<String> {
    match on {
        FailOn::Program => {
            let change = row.primary();
            let is_of_program = row.row == compared.total.row;
            let is_more = matches!(change.verdict, ChangeVerdict::Slower | ChangeVerdict::More);
            let unit = unit(compared, compared.measure.primary);
            let said = || said(change.verdict.id(), change, (&unit, compared.decimals()));
            (is_of_program && is_more).then(said)
        }
        FailOn::Calls => {
            let is_certain =
                |calls: &Change| matches!(calls.verdict, ChangeVerdict::More | ChangeVerdict::Less);
            let calls = row.calls.filter(is_certain)?;
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
    format!("{what}: {old} to {new} {unit}{}", in_percent(change.percent()))
}
