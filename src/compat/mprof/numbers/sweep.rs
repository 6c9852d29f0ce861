//! Computes the amounts along the edges of the call graph.
//!
//! mprof follows each stack from the allocation outwards and marks the functions on it. An
//! edge to an unmarked caller gets the amount; one to a marked caller is a recursion, gets
//! nothing and is flagged.
//!
//! Following every stack takes the square of the depth. Instead, consider a step of the tree
//! of contexts, from `p` to its callee `c`. All stacks through `c` take this step, so the
//! edge gets all amounts in the subtree of `c`, without those below a `q` in it that is in
//! the same function as `p`:
//!
//! ```text
//! p: f ── c: g ── q: f ── h      what h allocates is not for the edge f → g at c
//! ```
//!
//! Only those `q` matter that have no other context of their function between them and `p`.
//! So one pass over the tree is enough: it adds the sum of each subtree to the edge above it,
//! and subtracts it from the edge below the nearest outer context of the same function.
//! Linear in contexts.

use std::collections::HashMap;

use super::amounts::{SizeAmounts, TableMeasure};
use super::edges::StackEdges;
use super::sites::{ContextSites, VertexId};
use super::tree::{Branch, ContextTree, NONE};
use crate::model::ContextId;

/// The amounts of an edge.
#[derive(Clone, Default)]
pub(super) struct EdgeFlow {
    pub(super) amounts: SizeAmounts,
    pub(super) is_cyclic: bool,
}

/// Adds up all edges, and marks recursive ones.
pub(super) fn sweep(
    sites: &ContextSites<'_>,
    tree: &ContextTree,
    edges: &StackEdges,
    leaders: &[Option<ContextId>],
    measure: TableMeasure,
) -> Vec<EdgeFlow> {
    let amounts_of = sites.amounts(measure);
    let mut of_others: HashMap<ContextId, SizeAmounts> = HashMap::new();
    for (id, leader) in (0..).map(ContextId).zip(leaders) {
        if let Some(leader) = leader.filter(|&leader| leader != id) {
            of_others.entry(leader).or_default().add(&amounts_of(id).unwrap_or_default());
        }
    }
    let mut path = SweepPath {
        steps: Vec::new(),
        innermost: vec![NONE; sites.n_vertices],
        edges,
        flows: vec![EdgeFlow::default(); edges.ends.len()],
    };
    let all = (0..).zip(&tree.branches);
    for (place, branch) in all.filter(|(place, _)| edges.is_used(*place)) {
        while path.steps.last().is_some_and(|step| step.place != branch.caller) {
            path.leave();
        }
        let mut own = SizeAmounts::default();
        if branch.leads {
            own = amounts_of(branch.context).unwrap_or_default();
            own.add(&of_others.remove(&branch.context).unwrap_or_default());
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

/// The contexts from the outermost one to the current one.
struct SweepPath<'a> {
    steps: Vec<SweepStep>,
    /// Index on the path of the innermost context of each vertex.
    innermost: Vec<u32>,
    edges: &'a StackEdges,
    flows: Vec<EdgeFlow>,
}

impl SweepPath<'_> {
    fn enter(&mut self, place: u32, branch: &Branch, own: SizeAmounts) {
        let index = u32::try_from(self.steps.len()).expect("there are fewer contexts");
        self.steps.push(SweepStep {
            place,
            vertex: branch.vertex,
            outer: std::mem::replace(&mut self.innermost[branch.vertex as usize], index),
            sum: own,
        });
    }

    /// Leaves the last context, whose subtree is complete.
    fn leave(&mut self) {
        let Some(done) = self.steps.pop() else {
            return;
        };
        self.innermost[done.vertex as usize] = done.outer;
        if let Some(caller) = self.steps.last_mut() {
            caller.sum.add(&done.sum);
        }
        self.flows[self.edges.above(done.place)].amounts.add(&done.sum);
        if done.outer != NONE {
            let below = self.steps.get(done.outer as usize + 1);
            let edge = self.edges.above(below.map_or(done.place, |step| step.place));
            let flow = &mut self.flows[edge];
            flow.amounts.take_away(&done.sum);
            flow.is_cyclic = true;
        }
    }
}

/// A context on the path.
struct SweepStep {
    place: u32,
    vertex: VertexId,
    /// Index on the path of the next outer context of the same function.
    outer: u32,
    /// Amounts of this context and those below, so far.
    sum: SizeAmounts,
}
