//! Samples by their labels and times: `--label`, `--by-label` and `--seconds`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnose::{RunError, RunResult};
use crate::model::{Label, LabelPart, RecordedCosts, values_of};
use crate::report::escape_controls;
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

/// Refuses a profile without times, or without samples in the requested time.
pub(super) fn check_times(costs: &RecordedCosts, path: &str) -> RunResult {
    let path = path.to_owned();
    match costs.slices {
        None => Err(RunError::NoTimes { path }),
        Some(slices) if costs.samples.is_empty() => {
            Err(RunError::NoSampleInTime { path, last: slices.last as f64 / 1e9 })
        }
        Some(_) => Ok(()),
    }
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
