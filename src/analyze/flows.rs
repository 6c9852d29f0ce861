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

use super::super::numbers::Numbers;
use super::Amounts;
use crate::filter::ArcSet;
use crate::model::{Charges, Context, ContextId};
use crate::symbols::{NamedContexts, SymbolId};

/// What flows from a callee to a caller.
#[derive(Clone, Copy, Debug)]
pub(in crate::analyze) struct Flow {
    pub(in crate::analyze) caller: SymbolId,
    pub(in crate::analyze) callee: SymbolId,
    /// What was charged to the callee alone; `None` when it was not recorded.
    pub(in crate::analyze) own: Option<Amounts>,
    /// That and what was charged to all that the callee called.
    pub(in crate::analyze) total: Option<Amounts>,
}

/// All flows, by caller and callee.
#[derive(Debug, Default)]
pub(super) struct Flows {
    ends: Vec<(SymbolId, SymbolId)>,
    /// What flows along each, alone and in all; none where that was not recorded.
    amounts: Vec<(Amounts, Amounts)>,
    /// There are more calls than could be looked at.
    pub(super) are_too_many: bool,
}

impl Flows {
    pub(super) fn arcs(&self) -> impl Iterator<Item = Flow> + Clone {
        (0..).zip(&self.ends).map(|(index, &(caller, callee))| {
            let amounts: Option<&(Amounts, Amounts)> = self.amounts.get(index);
            Flow {
                caller,
                callee,
                own: amounts.map(|(own, _)| *own),
                total: amounts.map(|(_, total)| *total),
            }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Arcs by the symbols at their ends, in order of first appearance.
#[derive(Default)]
struct ArcNumbers {
    numbers: Numbers<(SymbolId, SymbolId)>,
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

/// Follows the values of contexts up their stacks, as far as `arcs` lets them.
/// Returns what flows along arcs, and the total of each symbol.
pub(super) fn along_stacks(
    charges: &Charges,
    values: &[(ContextId, Amounts)],
    names: &NamedContexts,
    arcs: &ArcSet,
) -> (Flows, Vec<Amounts>) {
    let contexts = &charges.contexts;
    let mut numbers = ArcNumbers::default();
    // For each context, the arc by which it was entered, if that counts.
    let arc_of: Vec<Option<u32>> = (0..)
        .zip(contexts)
        .map(|(id, context)| {
            let ends = (names.of(context.caller?), names.of(ContextId(id)));
            arcs.contains(ends.0, ends.1).then(|| numbers.number(ends))
        })
        .collect();
    // For each context its own, and from when it is left on what is below it too.
    let mut below = vec![Amounts::default(); contexts.len()];
    let mut own = vec![Amounts::default(); numbers.ends.len()];
    for (context, amounts) in values {
        below[context.index()].add(amounts);
        if let Some(arc) = arc_of[context.index()] {
            own[arc as usize].add(amounts);
        }
    }
    let mut total = vec![Amounts::default(); names.table.symbols().len()];
    let mut arc_total = vec![Amounts::default(); numbers.ends.len()];
    let mut symbols_on_path = vec![0u32; total.len()];
    let mut arcs_on_path = vec![0u32; arc_total.len()];
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
                let sum = below[id.index()];
                symbols_on_path[symbol] -= 1;
                if symbols_on_path[symbol] == 0 {
                    total[symbol].add(&sum);
                }
                let caller = contexts[id.index()].caller;
                if let (Some(arc), Some(caller)) = (arc, caller) {
                    arcs_on_path[arc] -= 1;
                    if arcs_on_path[arc] == 0 {
                        arc_total[arc].add(&sum);
                    }
                    below[caller.index()].add(&sum);
                }
            }
        }
    });
    let amounts = own.into_iter().zip(arc_total);
    let mut flows: Vec<_> = numbers.ends.into_iter().zip(amounts).collect();
    flows.sort_unstable_by_key(|&(ends, _)| ends);
    let (ends, amounts) = flows.into_iter().unzip();
    let flows = Flows {
        ends,
        amounts,
        are_too_many: false,
    };
    (flows, total)
}

/// Callers may share what they may call, so that a small table stands for more calls
/// than fit anywhere. No real program comes near this.
const MAX_POSSIBLE: usize = 1 << 22;

/// The calls that are possible, with nothing known of what flowed along them; none
/// where they are too many.
pub(super) fn possible(charges: &Charges, names: &NamedContexts, arcs: &ArcSet) -> Flows {
    if charges.possible_calls.len() > MAX_POSSIBLE {
        return Flows {
            are_too_many: true,
            ..Flows::default()
        };
    }
    let calls = charges.possible_calls.iter();
    let mut ends: Vec<_> = calls
        .map(|call| (names.of(call.caller), names.of(call.callee)))
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends.retain(|&(caller, callee)| arcs.contains(caller, callee));
    Flows {
        ends,
        ..Flows::default()
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
    // The children of a context in a row: a counting sort by caller.
    let mut starts = vec![0u32; contexts.len() + 1];
    let caller_of = |id: usize| contexts[id].caller.filter(|_| arc_of[id].is_some());
    for id in 0..contexts.len() {
        if let Some(caller) = caller_of(id) {
            starts[caller.index() + 1] += 1;
        }
    }
    for index in 0..contexts.len() {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut children = vec![ContextId(0); starts[contexts.len()] as usize];
    for id in 0..contexts.len() {
        if let Some(caller) = caller_of(id) {
            let place = &mut next[caller.index()];
            children[*place as usize] = ContextId(number_of(id));
            *place += 1;
        }
    }
    let mut path: Vec<(ContextId, u32)> = Vec::new();
    for root in (0..contexts.len()).filter(|&id| caller_of(id).is_none()) {
        let root = ContextId(number_of(root));
        visit(Step::Enter, root);
        path.push((root, starts[root.index()]));
        while let Some((id, child)) = path.last_mut() {
            if *child < starts[id.index() + 1] {
                let entered = children[*child as usize];
                *child += 1;
                visit(Step::Enter, entered);
                path.push((entered, starts[entered.index()]));
            } else {
                visit(Step::Leave, *id);
                path.pop();
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "contexts have numbers of four bytes"
)]
fn number_of(index: usize) -> u32 {
    index as u32
}
