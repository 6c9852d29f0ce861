//! What flows along calls, read off the stacks.
//!
//! Every value belongs to a context, and the context knows its callers up to the
//! outermost one. A value counts once for each function on its stack, and once for
//! each pair of caller and callee there, however often recursion repeats them:
//!
//! ```text
//! main → walk → walk → new     8 bytes     walk has 8 in total, and so have the
//!                                          arcs main → walk, walk → walk, walk → new
//! ```
//!
//! The contexts are a tree. What is below a context is the sum of its subtree, and a
//! function's total is the sum of the subtrees at which it comes up first on the way
//! from the root: one walk over the tree, which counts what is on the path, and sums
//! up a subtree when it leaves it. Costs the number of contexts.

use super::adjacency::Adjacency;
use super::amount::Amounts;
use super::call_graph::GraphArc;
use super::cost_graph::ContextCosts;
use crate::filter::ArcSet;
use crate::model::{Context, ContextId, Interner, RecordedCosts};
use crate::symbols::{NamedContexts, SymbolId};

/// What follows from stacks.
pub(super) struct AlongStacks {
    /// The arcs, by caller and callee.
    pub(super) arcs: Vec<GraphArc>,
    /// For each arc, what was charged to the callee alone.
    pub(super) arc_self_costs: Amounts,
    /// For each arc, that and what was charged to all that the callee called.
    pub(super) arc_totals: Amounts,
    /// The same for each symbol.
    pub(super) totals: Amounts,
}

/// Arcs by the symbols at their ends, in order of first appearance.
#[derive(Default)]
struct ArcNumbers {
    numbers: Interner<(SymbolId, SymbolId)>,
    ends: Vec<(SymbolId, SymbolId)>,
}

impl ArcNumbers {
    fn number(&mut self, ends: (SymbolId, SymbolId)) -> u32 {
        let number = self.numbers.number(ends);
        if number as usize == self.ends.len() {
            self.ends.push(ends);
        }
        number
    }
}

/// Follows the values of contexts up their stacks, as far as `set` lets them.
pub(super) fn along_stacks(
    costs: &RecordedCosts,
    values: &ContextCosts,
    names: &NamedContexts,
    set: &ArcSet,
    n_metrics: usize,
) -> AlongStacks {
    let contexts = &costs.contexts;
    let mut numbers = ArcNumbers::default();
    // For each context, the arc by which it was entered, if that counts.
    let arc_of: Vec<Option<u32>> = (0..)
        .zip(contexts)
        .map(|(id, context)| {
            let ends = (names.of(context.caller?), names.of(ContextId(id)));
            set.contains(ends.0, ends.1).then(|| numbers.number(ends))
        })
        .collect();
    let n_arcs = numbers.ends.len();
    // For each context its own, and from when it is left on what is below it too.
    let mut below = Amounts::exact(contexts.len(), n_metrics);
    let mut arc_self_costs = Amounts::exact(n_arcs, n_metrics);
    if let Some(amounts) = &values.amounts {
        for (row, context) in values.contexts.iter().enumerate() {
            below.add(context.index(), amounts.row(row));
            if let Some(arc) = arc_of[context.index()] {
                arc_self_costs.add(arc as usize, amounts.row(row));
            }
        }
    }
    let n_symbols = names.table.symbols().len();
    let mut totals = Amounts::exact(n_symbols, n_metrics);
    let mut arc_totals = Amounts::exact(n_arcs, n_metrics);
    let mut symbols_on_path = vec![0u32; n_symbols];
    let mut arcs_on_path = vec![0u32; n_arcs];
    walk(contexts, &arc_of, |step, id| {
        let symbol = names.of(id).index();
        let arc = arc_of[id.index()].map(|arc| arc as usize);
        match step {
            Step::Enter => {
                symbols_on_path[symbol] += 1;
                if let Some(arc) = arc {
                    arcs_on_path[arc] += 1;
                }
            }
            Step::Leave => {
                symbols_on_path[symbol] -= 1;
                if symbols_on_path[symbol] == 0 {
                    totals.add(symbol, below.row(id.index()));
                }
                let caller = contexts[id.index()].caller;
                if let (Some(arc), Some(caller)) = (arc, caller) {
                    arcs_on_path[arc] -= 1;
                    if arcs_on_path[arc] == 0 {
                        arc_totals.add(arc, below.row(id.index()));
                    }
                    below.add_row(caller.index(), id.index());
                }
            }
        }
    });
    let ends = &numbers.ends;
    let mut order: Vec<u32> = (0..).take(n_arcs).collect();
    order.sort_unstable_by_key(|&arc| ends[arc as usize]);
    let arc = |&arc: &u32| {
        let (caller, callee) = ends[arc as usize];
        GraphArc {
            caller,
            callee,
            count: 0,
        }
    };
    AlongStacks {
        arcs: order.iter().map(arc).collect(),
        arc_self_costs: arc_self_costs.reordered(&order),
        arc_totals: arc_totals.reordered(&order),
        totals,
    }
}

#[derive(Clone, Copy)]
enum Step {
    Enter,
    Leave,
}

/// Walks over the trees that the counting arcs make of the contexts, without
/// recursion.
fn walk(contexts: &[Context], arc_of: &[Option<u32>], mut visit: impl FnMut(Step, ContextId)) {
    let callers = contexts.iter().zip(arc_of);
    let callers = callers.map(|(context, arc)| Some(arc.and(context.caller)?.index()));
    let callees = Adjacency::new(contexts.len(), callers.clone());
    let mut path: Vec<(ContextId, usize)> = Vec::new();
    let roots = (0..).map(ContextId).zip(callers);
    for (root, _) in roots.filter(|(_, caller)| caller.is_none()) {
        visit(Step::Enter, root);
        path.push((root, 0));
        while let Some((id, n_entered)) = path.last_mut() {
            match callees.of(id.index()).get(*n_entered) {
                Some(&callee) => {
                    *n_entered += 1;
                    visit(Step::Enter, ContextId(callee));
                    path.push((ContextId(callee), 0));
                }
                None => {
                    visit(Step::Leave, *id);
                    path.pop();
                }
            }
        }
    }
}
