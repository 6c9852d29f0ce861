//! Sums of profiles of instrumented runs, and an order for them that does not hang on
//! the order of files.

use std::cmp::Ordering;

use super::merge_charges::ChargePlaces;
use super::recorded_calls::add_all;
use super::{
    Charges, Context, ContextId, EventName, Function, FunctionId, MergeError, PlaceId,
    RecordedCalls, Samples, Subject,
};

/// Adds to a sum what a later file of the same program has.
///
/// # Errors
/// When it counts other events, or a sum does not fit.
pub(super) fn merge(
    places: &mut ChargePlaces,
    charges: &mut Charges,
    other: Charges,
) -> Result<(), MergeError> {
    if charges.events.is_empty() {
        *charges = other;
        return Ok(());
    }
    let ids = |events: &[EventName]| events.iter().map(|event| event.id.clone()).collect();
    let (first, found): (Vec<_>, Vec<_>) = (ids(&charges.events), ids(&other.events));
    if first != found {
        let list = |ids: Vec<_>| String::from_utf8_lossy(&ids.join(&b' ')).into_owned();
        return Err(MergeError::Events {
            first: list(first),
            found: list(found),
        });
    }
    places.add(charges, &other, add_all)?;
    // What only some files say of the events, the sum does not.
    for (event, other) in charges.events.iter_mut().zip(other.events) {
        if event.title != other.title {
            event.title = None;
        }
    }
    let derived = std::mem::take(&mut charges.derived_events).into_iter();
    let in_both = derived.filter(|event| other.derived_events.contains(event));
    charges.derived_events = in_both.collect();
    charges.event_totals = match (charges.event_totals.take(), other.event_totals) {
        (Some(mut sums), Some(totals)) => {
            add_all(&mut sums, &totals).ok_or(MergeError::Overflow)?;
            Some(sums)
        }
        _ => None,
    };
    charges.parts.extend(other.parts);
    Ok(())
}

/// Sorts all tables by what stands in them, and numbers it anew.
///
/// Costs the sorting of each, without the names: these are sorted as a part of the
/// smaller tables that have them.
pub(super) fn sort(charges: &mut Charges) {
    let places = sorted(&mut charges.places, Ord::cmp);
    let moved = |place: Option<PlaceId>| place.map(|id| PlaceId(places[id.index()]));
    for function in &mut charges.functions {
        function.place = moved(function.place);
    }
    let functions = sorted(&mut charges.functions, |a, b| {
        let key = |f: &Function| (f.place, f.entry);
        let names = a.name.cmp(&b.name).then_with(|| a.object.cmp(&b.object));
        names.then_with(|| key(a).cmp(&key(b)))
    });
    for context in &mut charges.contexts {
        context.function = context.function.map(|id| FunctionId(functions[id.index()]));
        context.place = moved(context.place);
    }
    let contexts = sorted(&mut charges.contexts, |a, b| {
        let key = |c: &Context| (c.function, c.place, c.address);
        key(a).cmp(&key(b))
    });
    for context in &mut charges.contexts {
        context.caller = context.caller.map(|id| ContextId(contexts[id.index()]));
    }
    let site = |id: ContextId| ContextId(contexts[id.index()]);
    let callee = |id: FunctionId| FunctionId(functions[id.index()]);
    let mut rows: Vec<_> = charges.samples.rows().collect();
    for (subject, _) in &mut rows {
        *subject = match *subject {
            Subject::Context(id) => Subject::Context(site(id)),
            Subject::ThreadContext(id, thread) => Subject::ThreadContext(site(id), thread),
            Subject::Function(id) => Subject::Function(callee(id)),
        };
    }
    rows.sort_by_key(|(subject, _)| *subject);
    let mut samples = Samples::new(charges.samples.types());
    for (subject, values) in rows {
        samples.push(subject, values);
    }
    charges.samples = samples;
    let mut rows: Vec<_> = charges.calls.iter().collect();
    for (call, _) in &mut rows {
        (call.site, call.callee) = (site(call.site), callee(call.callee));
    }
    rows.sort_by_key(|(call, _)| (call.site, call.callee));
    let mut calls = RecordedCalls::new(charges.events.len());
    for (call, values) in rows {
        calls.push(call, values);
    }
    charges.calls = calls;
    charges.parts.sort();
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
