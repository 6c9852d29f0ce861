//! The stacks of callers, numbered so that equal ones can be found without comparing
//! them.

use super::sites::Sites;
use crate::analyze::Stacks;
use crate::model::{Context, ContextId};

/// Numbers for the stacks of callers: two contexts have the same exactly when the
/// frames above them are in the same functions or addresses, as far as was asked.
pub(super) struct CallerStacks<'a> {
    contexts: &'a [Context],
    /// The stacks that start with each context; none when callers do not matter.
    stacks: Option<Stacks>,
}

impl CallerStacks<'_> {
    pub(super) fn of(&self, id: ContextId) -> Option<u32> {
        let caller = self.contexts[id.index()].caller?;
        Some(self.stacks.as_ref()?.numbers[caller.index()])
    }
}

/// Numbers the stacks of callers of all contexts, where `depth` frames matter, the
/// context itself included, or all.
pub(super) fn caller_stacks<'a>(sites: &Sites<'a>, depth: Option<u64>) -> CallerStacks<'a> {
    let vertex_of = |id| sites.vertex(id);
    // No stack is longer than a number of this machine.
    let above = depth.map(|depth| usize::try_from(depth.saturating_sub(1)).unwrap_or(usize::MAX));
    let stacks = (above != Some(0)).then(|| Stacks::new(sites.contexts, vertex_of, above));
    CallerStacks {
        contexts: sites.contexts,
        stacks,
    }
}
