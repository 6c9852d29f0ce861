//! Costs of inlined functions, as parts of the functions that contain their code.
//!
//! Inlined functions have no calls: their time belongs to the enclosing function, and this
//! shows which part. Functions inlined into them are parts of them, so the parts of a
//! function form a tree.

use super::adjacency::Adjacency;
use crate::sorting::ColdSort;
use crate::symbols::{InlineId, SymbolId, SymbolTable};

#[derive(Clone, Copy, Debug)]
pub struct InlineCost {
    pub id: InlineId,
    /// How many others that are listed it is inlined into.
    pub depth: u32,
    pub is_listed: bool,
    pub self_ticks: f64,
    pub total_ticks: f64,
}

/// The parts of all functions.
#[derive(Debug)]
pub struct InlineCosts {
    costs: Box<[InlineCost]>,
    /// The function that contains each part.
    enclosing_functions: Box<[SymbolId]>,
    /// Outermost parts by function.
    by_enclosing: Adjacency,
    /// Other parts by the inlined function that contains them.
    by_outer: Adjacency,
}

impl InlineCosts {
    /// Adds up the ticks of inlined functions, and adds them to the functions that contain
    /// them. `None` without inlining information. Linear in symbols.
    pub(super) fn gather(ticks: &mut [f64], table: &SymbolTable) -> Option<Self> {
        let inlines = table.inlines()?;
        let mut costs: Vec<_> = inlines
            .iter()
            .map(|(id, _)| InlineCost {
                id,
                depth: 0,
                is_listed: true,
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
        // Nested inlined code comes after the code that contains it.
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

    /// Reduces each part to the selected share of its function.
    pub(super) fn scale(&mut self, share_of: impl Fn(SymbolId) -> f64) {
        for (cost, &enclosing) in self.costs.iter_mut().zip(&self.enclosing_functions) {
            let share = share_of(enclosing);
            cost.self_ticks *= share;
            cost.total_ticks *= share;
        }
    }

    /// The ticks of code inlined into a function.
    pub(super) fn ticks_within(&self, function: SymbolId) -> f64 {
        let outermost = self.by_enclosing.of(function.index()).iter();
        outermost.map(|&part| self.costs[part as usize].total_ticks).sum()
    }

    /// Lists no parts that cost less themselves, and only those of functions that `selects`
    /// selects by the ticks of their inlined code.
    pub(super) fn leave_out_below(
        &mut self,
        least_ticks: f64,
        table: &SymbolTable,
        selects: impl Fn(SymbolId, f64) -> bool,
    ) {
        let functions = self.enclosing_functions.iter();
        let has_rows: Vec<_> = functions.map(|&id| selects(id, self.ticks_within(id))).collect();
        for (id, inlined) in table.inlines().iter().flat_map(|inlines| inlines.iter()) {
            let outer = inlined.outer.map(|outer| self.costs[outer.index()]);
            let cost = &mut self.costs[id.index()];
            cost.is_listed = has_rows[id.index()] && cost.self_ticks >= least_ticks;
            cost.depth = outer.map_or(0, |outer| outer.depth + u32::from(outer.is_listed));
        }
    }

    /// All parts with costs, by number.
    pub fn all(&self) -> impl Iterator<Item = &InlineCost> {
        self.costs.iter().filter(|cost| cost.total_ticks > 0.0)
    }

    /// The parts of a function that are listed and cost anything, each followed by those
    /// inlined into it, the most expensive first.
    pub fn of(&self, function: SymbolId, table: &SymbolTable) -> Vec<InlineCost> {
        let mut listed = Vec::new();
        let mut pending = self.sorted(self.by_enclosing.of(function.index()), table);
        while let Some(cost) = pending.pop() {
            if cost.is_listed {
                listed.push(cost);
            }
            pending.extend(self.sorted(self.by_outer.of(cost.id.index()), table));
        }
        listed
    }

    /// Ascending by cost; equal ones in reverse order of name and location.
    fn sorted(&self, positions: &[u32], table: &SymbolTable) -> Vec<InlineCost> {
        let costs = positions.iter().map(|&position| self.costs[position as usize]);
        let mut sorted: Vec<_> = costs.filter(|cost| cost.total_ticks > 0.0).collect();
        let name = |cost: &InlineCost| Some(&table.inlines()?.get(cost.id).name);
        sorted.cold_sort_by(|a, b| {
            let by_ticks = a.total_ticks.total_cmp(&b.total_ticks);
            by_ticks.then_with(|| name(b).cmp(&name(a))).then(b.id.cmp(&a.id))
        });
        sorted
    }
}
