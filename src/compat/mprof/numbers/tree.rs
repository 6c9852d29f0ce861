//! The tree of contexts, in an order in which what is near in it is near in memory.
//!
//! A file has contexts by address, which scatters the callers of each all over it. Here
//! every subtree is in one piece that starts with its context, so that walks over the
//! tree, down or up a stack, find the next context beside the last one.

use super::sites::{Sites, VertexId};
use crate::analyze::Adjacency;
use crate::model::{Context, ContextId};

/// No caller, no place.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// The place of the caller; [`NONE`] for an outermost context.
    pub(super) caller: u32,
    /// What the call graph takes the context to be in.
    pub(super) vertex: VertexId,
    pub(super) context: ContextId,
    /// Whether something was allocated in the context itself.
    pub(super) has_data: bool,
}

/// All contexts.
pub(super) struct Tree {
    /// Callers before what they call.
    pub(super) branches: Vec<Branch>,
    pub(super) places: Vec<u32>,
}

impl Tree {
    pub(super) fn new(levels: Levels, sites: &Sites<'_>) -> Self {
        let moved = levels.subtrees();
        let nowhere = Branch {
            caller: NONE,
            vertex: 0,
            context: ContextId(0),
            has_data: false,
        };
        let mut branches = vec![nowhere; moved.len()];
        let mut places = vec![NONE; moved.len()];
        for ((&context, &caller), &place) in levels.contexts.iter().zip(&levels.callers).zip(&moved)
        {
            places[context.index()] = place;
            branches[place as usize] = Branch {
                caller: moved.get(caller as usize).map_or(NONE, |&place| place),
                vertex: sites.node(context),
                context,
                has_data: sites.has_data(context),
            };
        }
        Self { branches, places }
    }
}

/// The contexts by the lengths of their stacks. What is called by neighbours are
/// neighbours, and none has to be waited for to find the next.
pub(super) struct Levels {
    contexts: Vec<ContextId>,
    callers: Vec<u32>,
}

impl Levels {
    pub(super) fn new(contexts: &[Context]) -> Self {
        let n_contexts = contexts.len();
        let callers = contexts.iter().map(|context| context.caller);
        let callees = Adjacency::new(n_contexts, callers.map(|id| id.map(ContextId::index)));
        let mut levels = Self {
            contexts: Vec::with_capacity(n_contexts),
            callers: Vec::with_capacity(n_contexts),
        };
        let all = (0..).map(ContextId).zip(contexts);
        for (id, _) in all.filter(|(_, context)| context.caller.is_none()) {
            levels.contexts.push(id);
            levels.callers.push(NONE);
        }
        let mut caller = 0;
        while let Some(&id) = levels.contexts.get(caller as usize) {
            for &callee in callees.of(id.index()) {
                levels.contexts.push(ContextId(callee));
                levels.callers.push(caller);
            }
            caller += 1;
        }
        levels
    }

    /// Where each stands when every subtree is in one piece.
    fn subtrees(&self) -> Vec<u32> {
        let mut sizes = vec![1_u32; self.callers.len()];
        for (index, &caller) in self.callers.iter().enumerate().rev() {
            let size = sizes[index];
            if let Some(above) = sizes.get_mut(caller as usize) {
                *above += size;
            }
        }
        // Where the next subtree within each begins, and the next of all.
        let mut next = vec![0; self.callers.len()];
        let mut next_root = 0;
        let mut places = Vec::with_capacity(self.callers.len());
        for (index, &caller) in self.callers.iter().enumerate() {
            let free = next.get_mut(caller as usize).unwrap_or(&mut next_root);
            let place = *free;
            *free += sizes[index];
            next[index] = place + 1;
            places.push(place);
        }
        places
    }
}
