//! Code inlined into the most expensive functions, looked up when their costs are known.
//!
//! A table by inlined functions has names that symspecs find, but reads all debugging
//! information. A report by function needs neither to show where the time of its hottest
//! functions went: it looks up only these, and its own rows stay as they are.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::CostGraph;
use crate::analyze::attribution::attribute;
use crate::analyze::inline_costs::{InlineCost, InlineCosts};
use crate::model::Histogram;
use crate::report::{Cell, NameId};
use crate::symbols::{InlineId, SymbolId, SymbolTable};

/// The minimum share of all ticks for which a function is looked up.
const LEAST_FUNCTION: f64 = 0.05;

/// The minimum number of ticks for it, since few ticks carry little information.
const LEAST_TICKS: f64 = 5.0;

/// The share of all ticks from which a part of it is shown.
const LEAST_PART: f64 = 0.01;

/// The share of a function's ticks in inlined code above which its parts are shown.
const MOST: f64 = 0.5;

/// The inlined parts of functions, most of whose ticks are in such parts.
#[derive(Debug)]
pub struct InlinedParts {
    costs: InlineCosts,
    /// The functions that were looked at, and their inlined code.
    table: Arc<SymbolTable>,
    /// The index of each function of the report in that table.
    functions: BTreeMap<SymbolId, SymbolId>,
    largest: LargestInlined,
}

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

impl InlinedParts {
    /// The functions that are worth a look, in address order: at most twenty.
    pub fn worth_a_look<'a>(
        costs: &'a CostGraph,
        table: &'a SymbolTable,
    ) -> impl Iterator<Item = SymbolId> + 'a {
        let least = share_of_all(LEAST_FUNCTION, costs).max(LEAST_TICKS);
        let ids = table.iter().map(|(id, _)| id);
        ids.filter(move |&id| ticks_of(id, costs) >= least)
    }

    /// Distributes ticks to inlined code. `table` contains the inlined code of `functions`, in
    /// their order. `None` if no function has most of its ticks there.
    pub fn new(
        histograms: &[Histogram],
        functions: &[SymbolId],
        table: SymbolTable,
        costs: &CostGraph,
    ) -> Option<Self> {
        let mut ticks = attribute(histograms, &table).ticks;
        let mut parts = InlineCosts::gather(&mut ticks, &table)?;
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
        let shares =
            enclosing_functions.iter().zip(functions).filter_map(|(&enclosing, &function)| {
                let inlined = parts.ticks_within(enclosing);
                (inlined > 0.0 && inlined >= MOST * ticks_of(function, costs))
                    .then_some((inlined, function, enclosing))
            });
        let shares: Vec<_> = shares.collect();
        let (inlined, function, enclosing) =
            shares.iter().copied().min_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)))?;
        let (name, self_ticks) = largest_of(&parts.of(enclosing, &table), &table)?;
        let largest = LargestInlined {
            function,
            percent: 100.0 * inlined / ticks_of(function, costs),
            name,
            self_ticks,
        };
        parts.leave_out_below(share_of_all(LEAST_PART, costs), &table);
        Some(Self {
            functions: shares.into_iter().map(|(_, id, enclosing)| (id, enclosing)).collect(),
            costs: parts,
            table: Arc::new(table),
            largest,
        })
    }

    pub fn largest(&self) -> &LargestInlined {
        &self.largest
    }

    pub(in crate::analyze) fn table(&self) -> &Arc<SymbolTable> {
        &self.table
    }
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

/// The parts that a flat profile shows: from a table by inlined functions, or looked up.
#[derive(Clone, Copy)]
pub(in crate::analyze) struct ShownParts<'a> {
    costs: &'a InlineCosts,
    table: &'a SymbolTable,
    /// The indices of functions in the table, if it is not the table of the report.
    functions: Option<&'a BTreeMap<SymbolId, SymbolId>>,
    /// The number of the table's first name.
    first_name: usize,
}

impl<'a> ShownParts<'a> {
    pub(in crate::analyze) fn of_report(
        costs: &'a CostGraph,
        table: &'a SymbolTable,
    ) -> Option<Self> {
        if let Some(parts) = &costs.inlined_parts {
            return Some(Self {
                costs: &parts.costs,
                table: &parts.table,
                functions: Some(&parts.functions),
                first_name: table.symbols().len(),
            });
        }
        Some(Self { costs: costs.costs.inlines.as_ref()?, table, functions: None, first_name: 0 })
    }

    /// The parts of a function that cost anything, each followed by those inlined into it.
    pub(in crate::analyze) fn of(&self, function: SymbolId) -> Vec<InlineCost> {
        let enclosing = match self.functions {
            None => Some(&function),
            Some(functions) => functions.get(&function),
        };
        enclosing.map_or(Vec::new(), |&enclosing| self.costs.of(enclosing, self.table))
    }

    pub(in crate::analyze) fn name(&self, id: InlineId) -> Cell {
        let symbol = self.table.inlines().map(|inlines| inlines.get(id).symbol);
        let name = symbol.map(|symbol| self.first_name + symbol.index());
        let name = name.and_then(|name| u32::try_from(name).ok());
        name.map_or(Cell::Absent, |name| Cell::Name(NameId(name)))
    }

    /// The file and the line of the call that was inlined.
    pub(in crate::analyze) fn call(&self, id: InlineId) -> Option<(&'a [u8], u32)> {
        let call = self.table.inlines()?.get(id).call?;
        Some((self.table.files().name(call.file), call.line.get()))
    }
}
