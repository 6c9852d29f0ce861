//! The tree of contexts, in depth-first order.
//!
//! A file has contexts by address, which scatters callers. Here every subtree is contiguous
//! and starts with its context, so that walks along a stack stay local in memory.

use super::sites::{ContextSites, VertexId};
use crate::analyze::Adjacency;
use crate::model::ContextId;

/// No caller.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// Index of the caller; [`NONE`] for an outermost context.
    pub(super) caller: u32,
    /// The vertex of the call graph.
    pub(super) vertex: VertexId,
    pub(super) context: ContextId,
    /// Whether the context itself allocated blocks, and is the first one of its stack.
    pub(super) leads: bool,
}

/// All contexts.
pub(super) struct ContextTree {
    /// Callers before callees.
    pub(super) branches: Vec<Branch>,
    pub(super) places: Vec<u32>,
}

impl ContextTree {
    /// The tree with these leaders of stacks.
    pub(super) fn new(sites: &ContextSites<'_>, leaders: &[Option<ContextId>]) -> Self {
        let contexts = sites.contexts;
        let callers = contexts.iter().map(|context| context.caller);
        let callees = Adjacency::new(
            contexts.len(),
            callers.clone().map(|caller| caller.map(ContextId::index)),
        );
        let roots = (0..).map(ContextId).zip(callers);
        let roots = roots.filter(|(_, caller)| caller.is_none());
        // The next context, and the index of its caller.
        let mut next: Vec<_> = roots.map(|(id, _)| (id, NONE)).collect();
        next.reverse();
        let mut branches = Vec::with_capacity(contexts.len());
        let mut places = vec![NONE; contexts.len()];
        while let Some((context, caller)) = next.pop() {
            let place = u32::try_from(branches.len()).expect("contexts have numbers");
            places[context.index()] = place;
            branches.push(Branch {
                caller,
                vertex: sites.node(context),
                context,
                leads: leaders[context.index()] == Some(context),
            });
            let callees = callees.of(context.index()).iter().rev();
            next.extend(callees.map(|&callee| (ContextId(callee), place)));
        }
        Self { branches, places }
    }
}
