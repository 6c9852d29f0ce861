//! Contexts by address, and their functions.

use super::amounts::{MeasureColumns, SizeAmounts, TableMeasure};
use crate::model::{Address, Context, ContextId, Contexts, FunctionId, RecordedCosts, SampleKey};

/// Rank of a symbol's number or of an address without symbol: to mprof, both are numbers, and
/// a small address, as of garbage on the stack, is the symbol of that number.
pub(super) type VertexId = u32;

const NONE: u32 = u32::MAX;

/// The contexts of a profile.
pub(super) struct ContextSites<'a> {
    pub(super) contexts: &'a Contexts,
    /// By address; those with the same address in file order.
    pub(super) by_address: Vec<ContextId>,
    /// The number of each context's symbol; 0 without a symbol, or if addresses matter.
    symbols: Vec<u64>,
    /// The call-graph vertex of each context.
    nodes: Vec<VertexId>,
    pub(super) n_vertices: usize,
    /// Some address has several symbols, so that contexts may agree with two that do not.
    pub(super) is_ambiguous: bool,
    costs: &'a RecordedCosts,
    /// The row of values of each context.
    rows: Vec<u32>,
}

impl<'a> ContextSites<'a> {
    /// Sites of a profile whose heap has these symbols beyond the table.
    pub(super) fn new(
        costs: &'a RecordedCosts,
        other_symbols: &[(ContextId, u64)],
        distinguishes_addresses: bool,
    ) -> Self {
        let contexts = &costs.contexts;
        let address = |id: &ContextId| address_of(contexts.get(*id));
        let mut by_address: Vec<_> = (0..).map(ContextId).take(contexts.len()).collect();
        if !by_address.is_sorted_by_key(address) {
            by_address.sort_by_key(address);
        }
        let mut rows = vec![NONE; contexts.len()];
        for (row, (key, _)) in (0..).zip(costs.samples.rows()) {
            if let SampleKey::Context(id) = key {
                rows[id.index()] = row;
            }
        }
        let symbols = if distinguishes_addresses {
            vec![0; contexts.len()]
        } else {
            symbols(costs, other_symbols)
        };
        let symbol = |id: &ContextId| symbols[id.index()];
        let is_ambiguous = by_address.windows(2).any(|pair| {
            address(&pair[0]) == address(&pair[1]) && symbol(&pair[0]) != symbol(&pair[1])
        });
        let (nodes, n_vertices) = nodes(contexts, &by_address, &symbols);
        Self { contexts, by_address, symbols, nodes, n_vertices, is_ambiguous, costs, rows }
    }

    /// The call-graph vertex of a context.
    pub(super) fn node(&self, id: ContextId) -> VertexId {
        self.nodes[id.index()]
    }

    /// A number for contexts with the same symbol, or with the same address and no symbol.
    pub(super) fn class(&self, id: ContextId) -> u32 {
        let has_symbol = self.symbols[id.index()] != 0;
        2 * self.node(id) + u32::from(has_symbol)
    }

    /// Returns whether contexts have the same address or the same symbol.
    pub(super) fn agree(&self, one: ContextId, other: ContextId) -> bool {
        let address = |id: ContextId| address_of(self.contexts.get(id));
        let symbol = |id: ContextId| self.symbols[id.index()];
        address(one) == address(other) || symbol(one) != 0 && symbol(one) == symbol(other)
    }

    /// Returns whether a context itself has allocations.
    pub(super) fn has_data(&self, id: ContextId) -> bool {
        self.rows[id.index()] != NONE
    }

    /// The nonzero amounts of each context.
    pub(super) fn amounts(
        &self,
        measure: TableMeasure,
    ) -> impl Fn(ContextId) -> Option<SizeAmounts> {
        let samples = &self.costs.samples;
        let columns = MeasureColumns::of(samples.types(), measure);
        move |id| {
            let row = self.rows[id.index()];
            let values = samples.row(usize::try_from(row).ok()?)?;
            Some(columns?.amounts(values))
        }
    }

    /// Groups of adjacent contexts with the function or the address of their first, which has
    /// allocations. Contexts before a first belong to no group.
    pub(super) fn runs(&self) -> impl Iterator<Item = &[ContextId]> {
        let mut rest = self.by_address.as_slice();
        std::iter::from_fn(move || {
            let start = rest.iter().position(|&id| self.has_data(id))?;
            let run = &rest[start..];
            let first = run[0];
            let length = run.iter().position(|&id| !self.agree(id, first));
            let (run, behind) = run.split_at(length.unwrap_or(run.len()));
            rest = behind;
            Some(run)
        })
    }
}

/// The number of each context's symbol, or 0.
fn symbols(costs: &RecordedCosts, other_symbols: &[(ContextId, u64)]) -> Vec<u64> {
    let has_entry = |id: &FunctionId| costs.functions[id.index()].entry.is_some();
    let symbol = |context: Context| {
        let function = context.function.filter(has_entry);
        function.map_or(0, |FunctionId(index)| u64::from(index) + 1)
    };
    let mut symbols: Vec<_> = costs.contexts.iter().map(symbol).collect();
    for &(id, symbol) in other_symbols {
        symbols[id.index()] = symbol;
    }
    symbols
}

/// The vertex of each context, and the number of vertices.
fn nodes(contexts: &Contexts, by_address: &[ContextId], symbols: &[u64]) -> (Vec<u32>, usize) {
    let key = |id: ContextId| match symbols[id.index()] {
        0 => address_of(contexts.get(id)).0,
        symbol => symbol,
    };
    let mut keys: Vec<_> = by_address.iter().map(|&id| key(id)).collect();
    keys.sort();
    keys.dedup();
    let rank = |key| keys.binary_search(&key).expect("all keys are there");
    let rank = |key| u32::try_from(rank(key)).expect("contexts have numbers");
    let ids = (0..).map(ContextId).take(contexts.len());
    (ids.map(|id| rank(key(id))).collect(), keys.len())
}

fn address_of(context: Context) -> Address {
    context.address.unwrap_or_default()
}
