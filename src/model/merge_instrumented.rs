//! Sums of profiles of instrumented runs, and an order for them that does not hang on
//! the order of files.

use std::cmp::Ordering;

use super::merge_costs::CostIndices;
use super::recorded_calls::add_all;
use super::{
    Context, ContextId, Function, FunctionId, LocationId, MergeError, RecordedCalls, RecordedCosts,
    SampleKey, Samples, ValueMetric, callers_first,
};

/// Adds to a sum what a later file of the same program has.
///
/// # Errors
/// When it counts other events, or a sum does not fit.
pub(super) fn merge(
    indices: &mut CostIndices,
    costs: &mut RecordedCosts,
    other: RecordedCosts,
) -> Result<(), MergeError> {
    let n_columns = costs.samples.types().len();
    let n_found = other.samples.types().len();
    let list = |metrics: &[ValueMetric], n_columns| {
        let ids = metrics.iter().take(n_columns);
        let ids: Vec<_> = ids.map(|metric| &*metric.name.id).collect();
        String::from_utf8_lossy(&ids.join(&b' ')).into_owned()
    };
    let (first, found) = (
        list(&costs.metrics, n_columns),
        list(&other.metrics, n_found),
    );
    if first != found || n_columns != n_found {
        return Err(MergeError::Events { first, found });
    }
    indices.add(costs, &other, add_all)?;
    // What only some files say of the columns, the sum does not.
    let mut metrics = std::mem::take(&mut costs.metrics);
    let derived = metrics.split_off(n_columns);
    for (metric, other) in metrics.iter_mut().zip(&other.metrics) {
        if metric.name.title != other.name.title {
            metric.name.title = None;
        }
    }
    let others = &other.metrics[n_columns..];
    metrics.extend(derived.into_iter().filter(|metric| others.contains(metric)));
    costs.metrics = metrics;
    costs.event_totals = match (costs.event_totals.take(), other.event_totals) {
        (Some(mut sums), Some(totals)) => {
            add_all(&mut sums, &totals).ok_or(MergeError::Overflow)?;
            Some(sums)
        }
        _ => None,
    };
    costs.parts.extend(other.parts);
    Ok(())
}

/// Sorts all tables by what stands in them, and numbers it anew.
///
/// Costs the sorting of each, without the names: these are sorted as a part of the
/// smaller tables that have them.
pub(super) fn sort(costs: &mut RecordedCosts) {
    let locations = sorted(&mut costs.locations, Ord::cmp);
    let moved = |location: Option<LocationId>| location.map(|id| LocationId(locations[id.index()]));
    for function in &mut costs.functions {
        function.location = moved(function.location);
    }
    let functions = sorted(&mut costs.functions, |a, b| {
        let key = |f: &Function| (f.location, f.entry);
        let names = a.name.cmp(&b.name).then_with(|| a.object.cmp(&b.object));
        names.then_with(|| key(a).cmp(&key(b)))
    });
    for context in &mut costs.contexts {
        context.function = context.function.map(|id| FunctionId(functions[id.index()]));
        context.location = moved(context.location);
    }
    let contexts = sort_contexts(&mut costs.contexts);
    let site = |id: ContextId| ContextId(contexts[id.index()]);
    let callee = |id: FunctionId| FunctionId(functions[id.index()]);
    let mut rows: Vec<_> = costs.samples.rows().collect();
    for (key, _) in &mut rows {
        *key = match *key {
            SampleKey::Context(id) => SampleKey::Context(site(id)),
            SampleKey::ThreadContext(id, thread) => SampleKey::ThreadContext(site(id), thread),
            SampleKey::Function(id) => SampleKey::Function(callee(id)),
        };
    }
    rows.sort_by_key(|(key, _)| *key);
    let mut samples = Samples::new(costs.samples.types());
    for (key, values) in rows {
        samples.push(key, values);
    }
    costs.samples = samples;
    let mut rows: Vec<_> = costs.calls.iter().collect();
    for (call, _) in &mut rows {
        (call.site, call.callee) = (site(call.site), callee(call.callee));
    }
    rows.sort_by_key(|(call, _)| (call.site, call.callee));
    let mut calls = RecordedCalls::new(costs.samples.types().len());
    for (call, values) in rows {
        calls.push(call, values);
    }
    costs.calls = calls;
    costs.parts.sort();
}

/// Sorts contexts by how far they are from outside, the new number of their caller and what
/// is in them, and returns the new number of each by its old one.
fn sort_contexts(contexts: &mut Vec<Context>) -> Vec<u32> {
    let order = callers_first(contexts).expect("readers refuse rings of callers");
    let mut levels: Vec<Vec<u32>> = Vec::new();
    let mut level_of = vec![0; contexts.len()];
    for id in order {
        let caller = contexts[id.index()].caller;
        let level = caller.map_or(0, |caller| level_of[caller.index()] + 1);
        level_of[id.index()] = level;
        levels.resize_with(levels.len().max(level + 1), Vec::new);
        levels[level].push(id.0);
    }
    let mut numbers = vec![0; contexts.len()];
    let mut sorted = Vec::with_capacity(contexts.len());
    for mut level in levels {
        for &id in &level {
            let context = &mut contexts[id as usize];
            let number = |caller: ContextId| ContextId(numbers[caller.index()]);
            context.caller = context.caller.map(number);
        }
        let key = |c: &Context| (c.caller, c.function, c.location, c.address);
        level.sort_by_key(|&id| (key(&contexts[id as usize]), id));
        for id in level {
            numbers[id as usize] = u32::try_from(sorted.len()).expect("their numbers fit");
            sorted.push(contexts[id as usize]);
        }
    }
    *contexts = sorted;
    numbers
}

/// Sorts a table, and returns the new number of each row by its old one.
fn sorted<T>(table: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<u32> {
    let mut rows: Vec<_> = (0_u32..).zip(std::mem::take(table)).collect();
    rows.sort_by(|(_, a), (_, b)| compare(a, b));
    let mut numbers = vec![0; rows.len()];
    for (new, (old, row)) in (0_u32..).zip(rows) {
        numbers[old as usize] = new;
        table.push(row);
    }
    numbers
}
