//! Which stacks run through what is asked for.

use super::stage::{Mark, Stage};
use crate::filter::FilterSets;
use crate::model::ContextId;
use crate::model::{Context, callers_first};
use crate::symbols::NamedContexts;

/// For each context whether its stack has a function that is asked for, and none that is
/// left out; `None` where all count. A stack ends where a call is left out. Costs
/// contexts.
pub(in crate::analyze) fn contexts_in(
    contexts: &[Context],
    names: &NamedContexts,
    filters: &FilterSets,
) -> Option<Box<[bool]>> {
    let focus = &filters.focus;
    if focus.is_all() {
        return None;
    }
    let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
    let mut stages = vec![Stage::first(focus); contexts.len()];
    for id in order {
        let symbol = names.of(id);
        let caller = contexts[id.index()].caller;
        let caller = caller.filter(|&caller| filters.arcs.contains(names.of(caller), symbol));
        let arriving = |caller: ContextId| stages[caller.index()];
        let arriving = caller.map_or(Stage::first(focus), arriving);
        stages[id.index()] = arriving.behind(Mark::of(focus, symbol));
    }
    Some(stages.iter().map(|&stage| stage == Stage::Within).collect())
}
