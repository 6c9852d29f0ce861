//! Computes the flow along calls from recorded stacks.
//!
//! Every value belongs to a context, which knows its callers. A value counts once for each
//! function on its stack, and once for each pair of caller and callee there, regardless of
//! recursion:
//!
//! ```text
//! main → walk → walk → new     8 bytes     walk has 8 in total, and so have the
//!                                          arcs main → walk, walk → walk, walk → new
//! ```
//!
//! The contexts form a tree. The cost below a context is the sum of its subtree. The total of a
//! function is the sum of the subtrees where it first occurs on the path from the root. One pass
//! over the tree counts the functions on the path, and adds up a subtree on leaving it. Linear in
//! contexts.

use super::adjacency::Adjacency;
use super::amount::{Amounts, add};
use super::call_graph::GraphArc;
use crate::filter::ArcSet;
use crate::model::{ContextId, Contexts, Interner, RecordedCosts};
use crate::symbols::NamedContexts;

/// The recorded costs of contexts.
#[derive(Debug, Default)]
pub(super) struct ContextCosts {
    pub contexts: Vec<ContextId>,
    /// Their amounts, a row each, for heap metrics with recorded stacks.
    pub amounts: Option<Amounts>,
}

/// The costs that follow from stacks.
pub(super) struct AlongStacks {
    /// By caller and callee.
    pub(super) arcs: Vec<GraphArc>,
    /// For each arc, the self cost of the callee.
    pub(super) arc_self_costs: Amounts,
    /// For each arc, the total cost of the callee.
    pub(super) arc_totals: Amounts,
    /// For each symbol, its total cost.
    pub(super) totals: Amounts,
}

/// Adds the values of contexts along their stacks, for contexts in `set`.
pub(super) fn along_stacks(
    costs: &RecordedCosts,
    values: &ContextCosts,
    names: &NamedContexts,
    set: &ArcSet,
    n_metrics: usize,
) -> AlongStacks {
    let contexts = &costs.contexts;
    // Arcs by their symbols, in order of first appearance.
    let (mut numbers, mut ends) = (Interner::default(), Vec::new());
    // For each context, the arc by which it was entered, if that counts.
    let arc_of: Vec<Option<u32>> = (0..)
        .zip(contexts.iter())
        .map(|(id, context)| {
            let (caller, callee) = (names.of(context.caller?), names.of(ContextId(id)));
            let arc = || (caller, callee);
            set.contains(caller, callee).then(|| numbers.find(arc(), &mut ends, arc))
        })
        .collect();
    let n_arcs = ends.len();
    let mut arc_self_costs = Amounts::exact(n_arcs, n_metrics);
    if let Some(amounts) = &values.amounts {
        for (row, context) in values.contexts.iter().enumerate() {
            if let Some(arc) = arc_of[context.index()] {
                arc_self_costs.add(arc as usize, amounts.row(row));
            }
        }
    }
    let key_of = |id| names.of(id).index();
    let keys = (names.table.symbols().len(), &key_of as _);
    let (arc_totals, totals) = totals(contexts, values, keys, (n_arcs, &arc_of), n_metrics);
    let mut order: Vec<u32> = (0..).take(n_arcs).collect();
    order.sort_unstable_by_key(|&arc| ends[arc as usize]);
    let arc = |&arc: &u32| {
        let (caller, callee) = ends[arc as usize];
        GraphArc { caller, callee, count: 0 }
    };
    AlongStacks {
        arcs: order.iter().map(arc).collect(),
        arc_self_costs: arc_self_costs.reordered(&order),
        arc_totals: arc_totals.reordered(&order),
        totals,
    }
}

/// The total cost of each key of contexts, such as source lines: a stack counts once for a key.
pub(super) fn totals_by_key(
    costs: &RecordedCosts,
    values: &ContextCosts,
    names: &NamedContexts,
    set: &ArcSet,
    keys: (usize, &dyn Fn(ContextId) -> usize),
    n_metrics: usize,
) -> Amounts {
    let contexts = &costs.contexts;
    let is_in_set = |id, caller| set.contains(names.of(caller), names.of(id));
    let arc_of = (0..).map(ContextId).zip(contexts.iter());
    let arc_of: Vec<_> =
        arc_of.map(|(id, context)| is_in_set(id, context.caller?).then_some(0)).collect();
    totals(contexts, values, keys, (1, &arc_of), n_metrics).1
}

/// The total cost of each arc and key: sums of subtrees of contexts, without recursion.
fn totals(
    contexts: &Contexts,
    values: &ContextCosts,
    (n_keys, key_of): (usize, &dyn Fn(ContextId) -> usize),
    (n_arcs, arc_of): (usize, &[Option<u32>]),
    n_metrics: usize,
) -> (Amounts, Amounts) {
    let callers = contexts.iter().zip(arc_of);
    let callers = callers.map(|(context, arc)| Some(arc.and(context.caller)?.index()));
    let callees = Adjacency::new(contexts.len(), callers.clone());
    let rows = values.contexts.iter().map(|context| Some(context.index()));
    let rows = Adjacency::new(contexts.len(), rows);
    let mut path = ContextPath {
        steps: Vec::new(),
        sums: Vec::new(),
        n_metrics,
        keys: vec![0; n_keys],
        arcs: vec![0; n_arcs],
        totals: Amounts::exact(n_keys, n_metrics),
        arc_totals: Amounts::exact(n_arcs, n_metrics),
    };
    let roots = (0..).map(ContextId).zip(callers);
    for (root, _) in roots.filter(|(_, caller)| caller.is_none()) {
        let mut next = Some(root);
        while let Some(id) = next {
            let index = id.index();
            path.enter(key_of(id), arc_of[index], callees.of(index));
            for &row in rows.of(index) {
                path.charge(values.amounts.iter().flat_map(|amounts| amounts.row(row as usize)));
            }
            next = path.next_callee();
        }
    }
    (path.arc_totals, path.totals)
}

/// The contexts from the outermost one to the current one.
struct ContextPath<'a> {
    steps: Vec<PathStep<'a>>,
    /// A row of sums for each: its own values, and the values of the callees already left.
    sums: Vec<i128>,
    n_metrics: usize,
    /// How often each key and each arc is on the path.
    keys: Vec<u32>,
    arcs: Vec<u32>,
    totals: Amounts,
    arc_totals: Amounts,
}

/// A context on the path.
struct PathStep<'a> {
    /// Its function, or its line.
    key: usize,
    /// The arc from its caller; `None` for an outermost context.
    arc: Option<u32>,
    /// Its callees that were not entered yet.
    callees: &'a [u32],
}

impl<'a> ContextPath<'a> {
    fn enter(&mut self, key: usize, arc: Option<u32>, callees: &'a [u32]) {
        self.keys[key] += 1;
        if let Some(arc) = arc {
            self.arcs[arc as usize] += 1;
        }
        self.steps.push(PathStep { key, arc, callees });
        self.sums.resize(self.steps.len() * self.n_metrics, 0);
    }

    /// Adds to the values of the last context.
    fn charge(&mut self, amounts: impl Iterator<Item = i128>) {
        let start = self.sums.len() - self.n_metrics;
        add(&mut self.sums[start..], amounts);
    }

    /// The next context to enter: a callee of the last context, or of one before it.
    fn next_callee(&mut self) -> Option<ContextId> {
        loop {
            let step = self.steps.last_mut()?;
            match step.callees.split_first() {
                Some((&callee, rest)) => {
                    step.callees = rest;
                    return Some(ContextId(callee));
                }
                None => self.leave(),
            }
        }
    }

    /// Leaves the last context, whose subtree is complete.
    fn leave(&mut self) {
        let Some(step) = self.steps.pop() else {
            return;
        };
        let start = self.steps.len() * self.n_metrics;
        let (outer, sum) = self.sums.split_at_mut(start);
        let n_left = &mut self.keys[step.key];
        *n_left -= 1;
        if *n_left == 0 {
            self.totals.add(step.key, &*sum);
        }
        if let Some(arc) = step.arc {
            let n_left = &mut self.arcs[arc as usize];
            *n_left -= 1;
            if *n_left == 0 {
                self.arc_totals.add(arc as usize, &*sum);
            }
            add(&mut outer[start - self.n_metrics..], &*sum);
        }
        self.sums.truncate(start);
    }
}
