//! What flows along the edges of the call graph.
//!
//! mprof follows each stack from the allocation outwards and marks the functions
//! that it meets. An edge to a caller that is not marked yet gets what was allocated;
//! one to a marked caller, a recursion, gets nothing and is flagged.
//!
//! Following every stack costs the square of their depth. Instead, look at one step
//! of the tree of contexts, from `p` to a `c` that it called. All stacks through `c`
//! take this step, so the edge gets all that was allocated in the subtree of `c`,
//! less what was allocated below a `q` in it that is in the same function as `p`:
//!
//! ```text
//! p: f ── c: g ── q: f ── h      what h allocates is not for the edge f → g at c
//! ```
//!
//! Only those `q` matter that have no other context of their function between them
//! and `p`. So one walk over the tree is enough, which gives the sum of each subtree
//! to the edge above it, and takes it away from the edge below the nearest context
//! of the same function outside. It costs the number of contexts.

use super::amounts::{Amounts, Measure};
use super::edges::Edges;
use super::graph::Node;
use super::sites::{Sites, VertexId};
use crate::analyze::Adjacency;
use crate::model::ContextId;

/// Nothing of the path is in this function.
const NOWHERE: u32 = u32::MAX;

/// Sums up all edges, and flags those of recursions.
pub(super) fn sweep(sites: &Sites<'_>, edges: &mut Edges, measure: Measure) {
    let amounts_of = sites.amounts(measure);
    let callees = Callees::new(sites, edges);
    let mut path = Path {
        steps: Vec::new(),
        innermost: vec![NOWHERE; sites.n_vertices],
    };
    for &root in &callees.roots {
        let mut next = Some(root);
        loop {
            if let Some(context) = next {
                let own = amounts_of(context).unwrap_or_default();
                if sites.has_data(context) {
                    let caller = Node::Vertex(sites.node(context));
                    edges.between(caller, Node::Allocation).amounts.add(&own);
                }
                path.enter(context, sites.node(context), own);
            }
            let Some(step) = path.steps.last_mut() else {
                break;
            };
            next = callees.nth(step.context, step.next_callee);
            step.next_callee += 1;
            if next.is_none() {
                path.leave(sites, edges);
            }
        }
    }
}

/// The contexts from the outermost one to where the walk is.
struct Path {
    steps: Vec<Step>,
    /// Where on the path the innermost context of each vertex is.
    innermost: Vec<u32>,
}

impl Path {
    fn enter(&mut self, context: ContextId, vertex: VertexId, own: Amounts) {
        let index = u32::try_from(self.steps.len()).expect("there are fewer contexts");
        self.steps.push(Step {
            context,
            outer: std::mem::replace(&mut self.innermost[vertex as usize], index),
            next_callee: 0,
            sum: own,
        });
    }

    /// Leaves the last context, whose subtree is summed up now.
    fn leave(&mut self, sites: &Sites<'_>, edges: &mut Edges) {
        let Some(done) = self.steps.pop() else {
            return;
        };
        self.innermost[sites.node(done.context) as usize] = done.outer;
        if let Some(caller) = self.steps.last_mut() {
            caller.sum.add(&done.sum);
        }
        edges.above(done.context).amounts.add(&done.sum);
        if done.outer != NOWHERE {
            let below = self.steps.get(done.outer as usize + 1);
            let edge = edges.above(below.map_or(done.context, |step| step.context));
            edge.amounts.take_away(&done.sum);
            edge.is_cyclic = true;
        }
    }
}

/// A context on the path from the outermost one.
struct Step {
    context: ContextId,
    /// Where on the path the next context outside is that has the same function.
    outer: u32,
    next_callee: usize,
    /// What was allocated here and below, so far.
    sum: Amounts,
}

/// What each context called, as far as something was allocated there.
struct Callees {
    roots: Vec<ContextId>,
    by_caller: Adjacency,
}

impl Callees {
    fn new(sites: &Sites<'_>, edges: &Edges) -> Self {
        let is_used = |id| edges.of_context(id).is_some();
        let all = (0..).map(ContextId).zip(sites.contexts);
        let callers = all.clone().map(|(id, context)| {
            let caller = context.caller.filter(|_| is_used(id));
            caller.map(ContextId::index)
        });
        let roots = all.filter(|(id, context)| context.caller.is_none() && is_used(*id));
        Self {
            by_caller: Adjacency::new(sites.contexts.len(), callers),
            roots: roots.map(|(id, _)| id).collect(),
        }
    }

    fn nth(&self, caller: ContextId, n: usize) -> Option<ContextId> {
        let callees = self.by_caller.of(caller.index());
        callees.get(n).copied().map(ContextId)
    }
}
