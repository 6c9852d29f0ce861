//! Contexts with allocations by stack: contexts with the same stack count as the first of them.
//!
//! mprof compares a context with the later ones, by address, that have its address or its symbol,
//! up to the first that has neither. Frames agree in the same way. If each address has one
//! symbol, equal stacks have equal numbers. Otherwise, as in damaged files,
//! agreement is not transitive, and each pair is compared.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::sites::ContextSites;
use crate::analyze::EqualStacks;
use crate::limits::MOST_STEPS;
use crate::model::ContextId;

/// For each context with allocations, the first one of its stack, up to `depth` frames or
/// all; for other contexts `None`.
pub(super) fn leaders(sites: &ContextSites<'_>, depth: Option<u64>) -> Vec<Option<ContextId>> {
    let compared = sites.is_ambiguous.then(|| by_comparison(sites, depth, MOST_STEPS as u64));
    compared.flatten().unwrap_or_else(|| by_number(sites, depth))
}

/// The leaders of whole stacks, whose amounts flow along one path. If each address has one
/// symbol, all stacks of a leader take the same path anyway, and may lead themselves.
pub(super) fn leaders_of_flows(sites: &ContextSites<'_>) -> Vec<Option<ContextId>> {
    if sites.is_ambiguous {
        return leaders(sites, None);
    }
    let ids = (0..).map(ContextId).take(sites.contexts.len());
    ids.map(|id| Some(id).filter(|&id| sites.has_data(id))).collect()
}

fn by_number(sites: &ContextSites<'_>, depth: Option<u64>) -> Vec<Option<ContextId>> {
    let caller_stacks = caller_stacks(sites, depth);
    let mut leaders = vec![None; sites.contexts.len()];
    let mut known: HashMap<Option<u32>, ContextId, RandomState> = HashMap::default();
    for run in sites.runs() {
        known.clear();
        for &id in run.iter().filter(|&&id| sites.has_data(id)) {
            let leader = known.entry(caller_stacks(id)).or_insert(id);
            leaders[id.index()] = Some(*leader);
        }
    }
    leaders
}

/// `None` if the comparison would exceed the limit of frames.
fn by_comparison(
    sites: &ContextSites<'_>,
    depth: Option<u64>,
    mut n_left: u64,
) -> Option<Vec<Option<ContextId>>> {
    let mut leaders = vec![None; sites.contexts.len()];
    for (index, &leader) in sites.by_address.iter().enumerate() {
        if !sites.has_data(leader) || leaders[leader.index()].is_some() {
            continue;
        }
        leaders[leader.index()] = Some(leader);
        for &id in &sites.by_address[index + 1..] {
            n_left = n_left.checked_sub(1)?;
            if !sites.agree(leader, id) {
                break;
            }
            if sites.has_data(id)
                && leaders[id.index()].is_none()
                && have_same_callers(sites, [leader, id], depth, &mut n_left)?
            {
                leaders[id.index()] = Some(leader);
            }
        }
    }
    Some(leaders)
}

fn have_same_callers(
    sites: &ContextSites<'_>,
    [mut one, mut other]: [ContextId; 2],
    depth: Option<u64>,
    n_left: &mut u64,
) -> Option<bool> {
    let caller = |id: ContextId| sites.contexts.get(id).caller;
    for _ in 1..depth.unwrap_or(u64::MAX) {
        *n_left = n_left.checked_sub(1)?;
        (one, other) = match (caller(one), caller(other)) {
            (Some(one), Some(other)) if sites.agree(one, other) => (one, other),
            (one, other) => return Some(one.is_none() && other.is_none()),
        };
    }
    Some(true)
}

/// Numbers the stacks of callers of each context, up to `depth` frames including the context, or
/// all: equal if their frames are in the same functions or addresses. `None` if callers do not
/// matter.
pub(super) fn caller_stacks(
    sites: &ContextSites<'_>,
    depth: Option<u64>,
) -> impl Fn(ContextId) -> Option<u32> {
    let (contexts, class_of) = (sites.contexts, |id| sites.class(id));
    // No stack is longer than a number of this machine.
    let above = depth.map(|depth| usize::try_from(depth.saturating_sub(1)).unwrap_or(usize::MAX));
    let stacks = (above != Some(0)).then(|| EqualStacks::new(contexts, class_of, above));
    move |id| Some(stacks.as_ref()?.numbers[contexts.get(id).caller?.index()])
}
