//! Where the values of a profile come from, and how they are derived.

use super::{Finding, Status};
use crate::analyze::source_of;
use crate::model::{Profile, ValueMetric, ValueSource};

/// `profan -i` lists further values.
const MOST_VALUES: usize = 12;

/// A finding for each value: its unit, its source, and its derivation.
pub fn inspect_values(profile: &Profile) -> Vec<Finding> {
    let finding = |sentence: &str| Finding::new(Status::Good, "value", sentence);
    if profile.kind.is_some_and(|kind| kind.is_by_address) {
        if profile.arcs().is_empty() {
            return vec![finding("time: sampled by address; totals are unknown without calls")];
        }
        return vec![
            finding("time: sampled by address; totals are propagated along calls"),
            finding("calls: counted; in a program with threads some may be missing"),
        ];
    }
    let metrics = &profile.costs.metrics;
    let mut findings: Vec<_> = metrics.iter().take(MOST_VALUES).map(of_metric).collect();
    if metrics.len() > MOST_VALUES {
        let n_more = metrics.len() - MOST_VALUES;
        findings.push(finding(&format!("{n_more} more, which `profan -i` lists")));
    }
    findings
}

fn of_metric(metric: &ValueMetric) -> Finding {
    let id = String::from_utf8_lossy(&metric.name.id);
    let unit = metric.unit.filter(|unit| *unit != id);
    let unit = unit.map_or_else(String::new, |unit| format!(" in {unit}"));
    let source = source_of(metric.source).words();
    let level =
        if metric.is_level { "; in use at one time, so several times do not add up" } else { "" };
    let is_known = !matches!(metric.source, ValueSource::Unknown | ValueSource::Measured);
    let status = if is_known { Status::Good } else { Status::Note };
    Finding::new(status, "value", format!("{id}{unit}: {source}; recorded{level}"))
}
