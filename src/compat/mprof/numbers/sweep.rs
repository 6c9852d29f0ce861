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
//!
//! Sums add up whatever their parts are, so the walk may be cut anywhere: who starts in
//! the middle goes down to there first, without what is allocated on the way, and what
//! it finds in the subtrees around it is its own part of them.

use std::ops::Range;

use rayon::prelude::*;

use super::amounts::{Amounts, Measure};
use super::edges::Edges;
use super::sites::{Sites, VertexId};
use super::tree::{Branch, NONE, Tree};
use crate::threads;

/// What an edge gets.
#[derive(Clone, Default)]
pub(super) struct Flow {
    pub(super) amounts: Amounts,
    pub(super) is_cyclic: bool,
}

/// Sums up all edges, and flags those of recursions.
pub(super) fn sweep(sites: &Sites<'_>, tree: &Tree, edges: &Edges, measure: Measure) -> Vec<Flow> {
    let n_pieces = n_pieces(tree.branches.len(), edges);
    sweep_in_pieces(n_pieces, sites, tree, edges, measure)
}

/// The same in so many walks side by side, or fewer.
pub(super) fn sweep_in_pieces(
    n_pieces: usize,
    sites: &Sites<'_>,
    tree: &Tree,
    edges: &Edges,
    measure: Measure,
) -> Vec<Flow> {
    let n_branches = tree.branches.len();
    let piece = n_branches.div_ceil(n_pieces).max(1);
    let starts: Vec<_> = (0..n_branches).step_by(piece).collect();
    let walk = |&start: &usize| {
        let end = n_branches.min(start + piece);
        walk(start..end, sites, tree, edges, measure)
    };
    let parts: Vec<_> = match &*starts {
        starts @ ([] | [_]) => starts.iter().map(walk).collect(),
        starts => starts.par_iter().with_max_len(1).map(walk).collect(),
    };
    let mut parts = parts.into_iter();
    let mut flows = parts.next().unwrap_or_default();
    for part in parts {
        for (flow, part) in flows.iter_mut().zip(&part) {
            flow.amounts.add(&part.amounts);
            flow.is_cyclic |= part.is_cyclic;
        }
    }
    flows
}

/// Fewer contexts are walked over by one thread.
const SIDE_BY_SIDE: usize = 1 << 15;

/// Each piece of the walk has a sum for each edge, so there are no more of them than
/// there are that many contexts for.
const CONTEXTS_PER_SUM: usize = 8;

/// In how many pieces the walk is cut.
fn n_pieces(n_branches: usize, edges: &Edges) -> usize {
    if n_branches < SIDE_BY_SIDE {
        return 1;
    }
    let n_sums = edges.ends.len() + edges.vertices.len();
    let most = n_branches / CONTEXTS_PER_SUM / n_sums.max(1);
    threads::start().min(most).max(1)
}

/// Walks over the contexts in some places, and finds their part of all sums.
fn walk(
    places: Range<usize>,
    sites: &Sites<'_>,
    tree: &Tree,
    edges: &Edges,
    measure: Measure,
) -> Vec<Flow> {
    let amounts_of = sites.amounts(measure);
    let mut path = Path {
        steps: Vec::new(),
        innermost: vec![NONE; sites.n_vertices],
        edges,
        flows: vec![Flow::default(); edges.ends.len()],
    };
    let first = u32::try_from(places.start).expect("contexts have numbers");
    let all = (first..).zip(&tree.branches[places]);
    let mut used = all.filter(|(place, _)| edges.is_used(*place)).peekable();
    if let Some((_, first)) = used.peek() {
        path.go_down_to(first.caller, tree);
    }
    for (place, branch) in used {
        while path
            .steps
            .last()
            .is_some_and(|step| step.place != branch.caller)
        {
            path.leave();
        }
        let mut own = Amounts::default();
        if branch.has_data {
            own = amounts_of(branch.context).unwrap_or_default();
            let edge = edges.of_allocation(branch.vertex);
            path.flows[edge].amounts.add(&own);
        }
        path.enter(place, branch, own);
    }
    while !path.steps.is_empty() {
        path.leave();
    }
    path.flows
}

/// The contexts from the outermost one to where the walk is.
struct Path<'a> {
    steps: Vec<Step>,
    /// Where on the path the innermost context of each vertex is.
    innermost: Vec<u32>,
    edges: &'a Edges,
    flows: Vec<Flow>,
}

impl Path<'_> {
    /// Enters the context in a place and all of its callers, the outermost first.
    fn go_down_to(&mut self, place: u32, tree: &Tree) {
        let branch = |place: u32| Some((place, tree.branches.get(place as usize)?));
        let callers = std::iter::successors(branch(place), |(_, inner)| branch(inner.caller));
        let callers: Vec<_> = callers.collect();
        for (place, branch) in callers.into_iter().rev() {
            self.enter(place, branch, Amounts::default());
        }
    }

    fn enter(&mut self, place: u32, branch: &Branch, own: Amounts) {
        let index = u32::try_from(self.steps.len()).expect("there are fewer contexts");
        self.steps.push(Step {
            place,
            vertex: branch.vertex,
            outer: std::mem::replace(&mut self.innermost[branch.vertex as usize], index),
            sum: own,
        });
    }

    /// Leaves the last context, whose subtree is summed up now.
    fn leave(&mut self) {
        let Some(done) = self.steps.pop() else {
            return;
        };
        self.innermost[done.vertex as usize] = done.outer;
        if let Some(caller) = self.steps.last_mut() {
            caller.sum.add(&done.sum);
        }
        self.flows[self.edges.above(done.place)]
            .amounts
            .add(&done.sum);
        if done.outer != NONE {
            let below = self.steps.get(done.outer as usize + 1);
            let edge = self
                .edges
                .above(below.map_or(done.place, |step| step.place));
            let flow = &mut self.flows[edge];
            flow.amounts.take_away(&done.sum);
            flow.is_cyclic = true;
        }
    }
}

/// A context on the path from the outermost one.
struct Step {
    place: u32,
    vertex: VertexId,
    /// Where on the path the next context outside is that has the same function.
    outer: u32,
    /// What was allocated here and below, so far.
    sum: Amounts,
}
