//! What inlined functions cost, as parts of the functions that hold their code.
//!
//! A function that was inlined has no calls of its own: its time is that of the
//! function around it, and this says which part. What is inlined into it is a part of
//! it again, so the parts of a function are a tree.

use super::adjacency::Adjacency;
use crate::symbols::{InlineId, SymbolId, SymbolTable};

#[derive(Clone, Copy, Debug)]
pub struct InlineCost {
    pub id: InlineId,
    /// How many others it is inlined into.
    pub depth: u32,
    pub self_ticks: f64,
    pub total_ticks: f64,
}

/// The parts of all functions.
#[derive(Debug)]
pub struct InlineCosts {
    costs: Box<[InlineCost]>,
    /// The function that holds each in the end.
    enclosing_functions: Box<[SymbolId]>,
    /// The outermost ones by the function that holds them.
    by_enclosing: Adjacency,
    /// The others by what they were inlined into.
    by_outer: Adjacency,
}

impl InlineCosts {
    /// Takes the ticks of inlined code together, and gives them to the functions that
    /// hold it too. `None` where nothing is known of inlining. Costs symbols.
    pub(super) fn gather(ticks: &mut [f64], table: &SymbolTable) -> Option<Self> {
        let inlines = table.inlines()?;
        let mut costs: Vec<_> = inlines
            .iter()
            .map(|(id, _)| InlineCost {
                id,
                depth: 0,
                self_ticks: 0.0,
                total_ticks: 0.0,
            })
            .collect();
        for (symbol, _) in table.iter() {
            let enclosing = inlines.enclosing_function(symbol);
            let part = ticks[symbol.index()];
            if let Some(id) = inlines.of(symbol) {
                costs[id.index()].self_ticks += part;
            }
            if enclosing != symbol {
                ticks[symbol.index()] = 0.0;
                ticks[enclosing.index()] += part;
            }
        }
        // What is inlined into another stands behind it.
        for (id, inlined) in inlines.iter() {
            if let Some(outer) = inlined.outer {
                costs[id.index()].depth = costs[outer.index()].depth + 1;
            }
        }
        for index in (0..costs.len()).rev() {
            costs[index].total_ticks += costs[index].self_ticks;
            if let Some(outer) = inlines.get(costs[index].id).outer {
                costs[outer.index()].total_ticks += costs[index].total_ticks;
            }
        }
        let inlined = || inlines.iter().map(|(_, inlined)| inlined);
        let outermost = inlined().map(|one| match one.outer {
            None => Some(one.enclosing.index()),
            Some(_) => None,
        });
        let others = inlined().map(|one| one.outer.map(InlineId::index));
        Some(Self {
            by_enclosing: Adjacency::new(
                table.symbols().len(),
                outermost.collect::<Vec<_>>().into_iter(),
            ),
            by_outer: Adjacency::new(costs.len(), others.collect::<Vec<_>>().into_iter()),
            enclosing_functions: inlined().map(|one| one.enclosing).collect(),
            costs: costs.into(),
        })
    }

    /// Leaves the share of each part that is kept of the function which holds it.
    pub(super) fn scale(&mut self, share_of: impl Fn(SymbolId) -> f64) {
        for (cost, &enclosing) in self.costs.iter_mut().zip(&self.enclosing_functions) {
            let share = share_of(enclosing);
            cost.self_ticks *= share;
            cost.total_ticks *= share;
        }
    }

    /// All parts that cost anything, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &InlineCost> {
        self.costs.iter().filter(|cost| cost.total_ticks > 0.0)
    }

    /// The parts of a function that cost anything, each followed by those inlined into
    /// it, the most expensive first.
    pub fn of(&self, function: SymbolId, table: &SymbolTable) -> Vec<InlineCost> {
        let mut listed = Vec::new();
        let mut pending = self.sorted(self.by_enclosing.of(function.index()), table);
        while let Some(cost) = pending.pop() {
            listed.push(cost);
            pending.extend(self.sorted(self.by_outer.of(cost.id.index()), table));
        }
        listed
    }

    /// From least to most; equal ones against the order of their names and places.
    fn sorted(&self, positions: &[u32], table: &SymbolTable) -> Vec<InlineCost> {
        let costs = positions
            .iter()
            .map(|&position| self.costs[position as usize]);
        let mut sorted: Vec<_> = costs.filter(|cost| cost.total_ticks > 0.0).collect();
        let name = |cost: &InlineCost| Some(&table.inlines()?.get(cost.id).name);
        sorted.sort_by(|a, b| {
            let by_ticks = a.total_ticks.total_cmp(&b.total_ticks);
            by_ticks
                .then_with(|| name(b).cmp(&name(a)))
                .then(b.id.cmp(&a.id))
        });
        sorted
    }
}
