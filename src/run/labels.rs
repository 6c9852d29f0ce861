//! Samples by their labels: `--label` and `--by-label`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnose::{RunError, RunResult};
use crate::model::{Label, LabelPart, MetricName, RecordedCosts, Samples, ValueMetric, values_of};
use crate::report::{LABEL_METRIC, escape_controls};
use crate::sorting::ColdSort;

/// Keeps the samples that have, of each key in `wanted`, one of the values.
///
/// # Errors
/// If no sample remains.
pub(super) fn keep(costs: &mut RecordedCosts, wanted: &[Label], path: &str) -> RunResult {
    let mut by_key: BTreeMap<&[u8], Vec<&Arc<[u8]>>> = BTreeMap::new();
    for label in wanted {
        by_key.entry(&label.key).or_default().push(&label.value);
    }
    if by_key.is_empty() {
        return Ok(());
    }
    for (key, wanted) in &by_key {
        let mut sets = costs.label_sets.iter();
        if !sets.any(|set| has(set, key, wanted)) {
            let wanted = wanted.iter().map(|value| shown(key, Some(value)));
            let wanted: Vec<_> = wanted.collect();
            return Err(without(costs, key, wanted.join(" or "), path));
        }
    }
    costs.retain_labelled(|set| by_key.iter().all(|(key, wanted)| has(set, key, wanted)));
    if costs.samples.is_empty() {
        let all = wanted.iter();
        let all: Vec<_> = all.map(|one| shown(&one.key, Some(&one.value))).collect();
        return Err(RunError::NoLabel {
            path: path.to_owned(),
            label: all.join(" and "),
            known: Vec::new(),
        });
    }
    Ok(())
}

fn has(set: &[Label], key: &[u8], wanted: &[&Arc<[u8]>]) -> bool {
    values_of(set, key).any(|value| wanted.contains(&value))
}

/// The costs of each value of a label, by value: numbers, text, then samples without the label.
///
/// # Errors
/// If no sample has the label.
pub(super) fn split(costs: &RecordedCosts, key: &str, path: &str) -> RunResult<Vec<LabelPart>> {
    check(costs, key, path)?;
    let mut parts = costs.by_label(key.as_bytes());
    parts.cold_sort_by_key(|(value, _)| {
        let number = value.as_deref().and_then(number);
        (value.is_none(), number.is_none(), number)
    });
    Ok(parts)
}

/// Maximum number of values of labels that have metrics.
const MOST_VALUES: usize = 32;

/// Maximum number of costs of samples by label: graphs have each of them several times.
const MOST_COSTS: usize = 1 << 21;

/// Adds a metric for each value of a label: the costs of its samples in the metric named `value`,
/// or else in the first one. Of more than 32 values, or fewer for many samples, these are the ones
/// with the largest costs.
pub(super) fn add_metrics(costs: &mut RecordedCosts, value: Option<&str>) {
    let is_asked = |metric: &&ValueMetric| value.is_none_or(|id| *metric.name.id == *id.as_bytes());
    let Some(measured) = costs.metrics.iter().find(is_asked).cloned() else { return };
    let [(factor, column)] = *measured.terms else { return };
    let n_values = MOST_VALUES.min(MOST_COSTS / costs.samples.len().max(1));
    let labels = labels_by_cost(costs, column, n_values);
    if labels.is_empty() || costs.event_totals.is_some() {
        return;
    }
    let types = costs.samples.types();
    let first = types.len();
    let types: Vec<_> = types.iter().copied().chain(labels.iter().map(|_| types[column])).collect();
    let mut samples = Samples::new(types);
    for (key, values) in costs.samples.rows() {
        let set = key.label_set().map_or(&[][..], |set| &costs.label_sets[set.index()]);
        let own = labels.iter().map(|label| if set.contains(label) { values[column] } else { 0 });
        samples.push(key, &values.iter().copied().chain(own).collect::<Vec<_>>());
    }
    costs.samples = samples;
    costs.metrics.extend(labels.iter().enumerate().map(|(index, label)| {
        let id = [LABEL_METRIC.as_bytes(), &label.key, b"=", &label.value].concat();
        let name = MetricName { id: id.into(), title: None };
        ValueMetric { name, terms: [(factor, first + index)].into(), ..measured.clone() }
    }));
}

/// Labels of samples by key, each key with its values by cost. A label that all samples have tells
/// nothing.
fn labels_by_cost(costs: &RecordedCosts, column: usize, n_values: usize) -> Vec<Label> {
    let mut sums: BTreeMap<&Label, u128> = BTreeMap::new();
    let mut all = 0;
    for (key, values) in costs.samples.rows() {
        let cost = u128::from(values[column]);
        all += cost;
        let set = key.label_set().map_or(&[][..], |set| &costs.label_sets[set.index()]);
        for label in set {
            *sums.entry(label).or_default() += cost;
        }
    }
    let mut found: Vec<(&Label, u128)> = sums.into_iter().collect();
    found.retain(|&(_, cost)| cost < all);
    found.cold_sort_by_key(|&(_, cost)| Reverse(cost));
    found.truncate(n_values);
    found.cold_sort_by_key(|&(label, cost)| (label.key.clone(), Reverse(cost)));
    found.into_iter().map(|(label, _)| label.clone()).collect()
}

/// Refuses a label that no sample has.
pub(super) fn check(costs: &RecordedCosts, key: &str, path: &str) -> RunResult {
    let mut sets = costs.label_sets.iter();
    if sets.any(|set| values_of(set, key.as_bytes()).next().is_some()) {
        return Ok(());
    }
    Err(not_found(costs, key, path))
}

/// The value of a label or rank that is a number.
pub(super) fn number(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// The error for a label that no sample has.
pub(super) fn not_found(costs: &RecordedCosts, key: &str, path: &str) -> RunError {
    without(costs, key.as_bytes(), key.to_owned(), path)
}

fn without(costs: &RecordedCosts, key: &[u8], label: String, path: &str) -> RunError {
    let values = costs.label_values();
    let known = match values.get(key) {
        Some(of_key) => of_key.iter().map(|value| shown(key, Some(value))).collect(),
        None => values.keys().map(|key| shown(key, None)).collect(),
    };
    RunError::NoLabel { path: path.to_owned(), label, known }
}

/// `KEY=VALUE`, or only the key.
pub(super) fn shown(key: &[u8], value: Option<&[u8]>) -> String {
    let mut text = key.to_vec();
    if let Some(value) = value {
        text.push(b'=');
        text.extend_from_slice(value);
    }
    String::from_utf8_lossy(&escape_controls(&text)).into_owned()
}
