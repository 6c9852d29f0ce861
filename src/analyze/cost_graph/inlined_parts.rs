//! Code inlined into the most expensive functions, looked up when their costs are known.
//!
//! A table by inlined function reads all debugging information. A report by function shows where
//! the time of its most expensive functions went, so it looks up only these.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::CostGraph;
use crate::analyze::attribution::attribute;
use crate::analyze::inline_costs::{InlineCost, InlineCosts};
use crate::model::Histogram;
use crate::symbols::{SymbolId, SymbolTable};

/// The minimum share of all ticks for which a function is looked up.
const LEAST_FUNCTION: f64 = 0.05;

/// The minimum number of ticks for it, since few ticks carry little information.
const LEAST_TICKS: f64 = 5.0;

/// The share of all ticks from which a part of it is shown.
const LEAST_PART: f64 = 0.01;

/// The share of a function's ticks in inlined code above which its parts are shown.
const LARGE_PART: f64 = 0.5;

/// The function with the most ticks in inlined code, and the inlined function that has most of
/// these.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestInlined {
    pub function: SymbolId,
    /// The percentage of the function's own time in inlined code.
    pub percent: f64,
    /// The linkage name.
    pub name: Arc<[u8]>,
    /// The time of its own code in that function, wherever it was inlined there, in ticks of the
    /// first clock.
    pub self_ticks: f64,
}

impl LargestInlined {
    /// Looks at inlined code: `table` contains that of `functions`, in their order. `None` if no
    /// function has most of its ticks there.
    pub fn find(
        histograms: &[Histogram],
        functions: &[SymbolId],
        table: &SymbolTable,
        costs: &CostGraph,
    ) -> Option<Self> {
        let mut ticks = attribute(histograms, table).ticks;
        let mut parts = InlineCosts::gather(&mut ticks, table)?;
        let is_function = |&id: &SymbolId| table.enclosing_function(id) == id;
        let enclosing_functions: Vec<_> =
            table.iter().map(|(id, _)| id).filter(is_function).collect();
        debug_assert_eq!(
            enclosing_functions.len(),
            functions.len(),
            "each function holds its parts"
        );
        // Filters may select a part of a function, or exclude it.
        parts.scale(|enclosing| {
            let place = enclosing_functions.binary_search(&enclosing).ok();
            let function = place.and_then(|place| functions.get(place));
            let whole = ticks[enclosing.index()];
            function.map_or(0.0, |&id| ticks_of(id, costs) / whole.max(f64::MIN_POSITIVE))
        });
        let inlined = enclosing_functions.iter().zip(functions);
        let inlined = inlined.filter_map(|(&enclosing, &function)| {
            let inlined = parts.ticks_within(enclosing);
            is_most(inlined, ticks_of(function, costs)).then_some((inlined, function, enclosing))
        });
        let (inlined, function, enclosing) =
            inlined.min_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)))?;
        let (name, self_ticks) = largest_of(&parts.of(enclosing, table), table)?;
        let percent = 100.0 * inlined / ticks_of(function, costs);
        Some(Self { function, percent, name, self_ticks })
    }
}

impl CostGraph {
    /// The functions whose inlined code is worth a look, in address order: at most twenty.
    pub fn worth_a_look<'a>(
        &'a self,
        table: &'a SymbolTable,
    ) -> impl Iterator<Item = SymbolId> + 'a {
        let least = share_of_all(LEAST_FUNCTION, self).max(LEAST_TICKS);
        let ids = table.iter().map(|(id, _)| id);
        ids.filter(move |&id| ticks_of(id, self) >= least)
    }

    /// Lists only large parts of functions that are mostly inlined code.
    pub fn list_large_parts(&mut self, table: &SymbolTable) {
        let least = share_of_all(LEAST_PART, self);
        if let Some(mut parts) = self.costs.inlines.take() {
            parts.leave_out_below(least, table, |function, inlined| {
                is_most(inlined, ticks_of(function, self))
            });
            self.costs.inlines = Some(parts);
        }
    }

    /// The inlined parts of a function that are listed, each followed by those inlined into it.
    pub(in crate::analyze) fn parts_of(
        &self,
        function: SymbolId,
        table: &SymbolTable,
    ) -> Vec<InlineCost> {
        self.costs.inlines.as_ref().map_or(Vec::new(), |parts| parts.of(function, table))
    }
}

fn is_most(inlined: f64, ticks: f64) -> bool {
    inlined > 0.0 && inlined >= LARGE_PART * ticks
}

fn ticks_of(id: SymbolId, costs: &CostGraph) -> f64 {
    costs.self_cost(id, costs.shape.primary).as_f64()
}

fn share_of_all(share: f64, costs: &CostGraph) -> f64 {
    share * costs.all(costs.shape.primary).as_f64()
}

/// The inlined function whose copies took most themselves; of several, the first by name.
fn largest_of(parts: &[InlineCost], table: &SymbolTable) -> Option<(Arc<[u8]>, f64)> {
    let inlines = table.inlines()?;
    let mut by_name: HashMap<&Arc<[u8]>, f64, RandomState> = HashMap::default();
    for part in parts {
        *by_name.entry(&inlines.get(part.id).name).or_default() += part.self_ticks;
    }
    let rank = |a: &(&Arc<[u8]>, f64), b: &(&Arc<[u8]>, f64)| {
        b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0))
    };
    let (name, ticks) = by_name.into_iter().min_by(rank)?;
    Some((Arc::clone(name), ticks))
}
