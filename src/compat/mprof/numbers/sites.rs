//! Contexts by address, and their functions.

use super::amounts::{MeasureColumns, SizeAmounts, TableMeasure};
use crate::model::{Address, Context, ContextId, FunctionId, RecordedCosts, SampleKey};

/// Rank of a function or address: the address 0, functions in file order, other addresses
/// ascending.
pub(super) type VertexId = u32;

const NONE: u32 = u32::MAX;

/// The contexts of a profile.
pub(super) struct ContextSites<'a> {
    pub(super) contexts: &'a [Context],
    /// By address; those with the same address in file order.
    pub(super) by_address: Vec<ContextId>,
    /// The function or address of each context.
    vertices: Vec<VertexId>,
    /// The call-graph vertex of each context. To mprof, a symbol and an address without
    /// symbol are the same if the symbol's number equals the address, as with garbage on the
    /// stack.
    nodes: Vec<VertexId>,
    pub(super) n_vertices: usize,
    costs: &'a RecordedCosts,
    /// The row of values of each context.
    rows: Vec<u32>,
}

impl<'a> ContextSites<'a> {
    pub(super) fn new(costs: &'a RecordedCosts, distinguishes_addresses: bool) -> Self {
        let contexts = costs.contexts.as_slice();
        let address = |id: &ContextId| address_of(&contexts[id.index()]);
        let mut by_address: Vec<_> = (0..).zip(contexts).map(|(n, _)| ContextId(n)).collect();
        if !by_address.is_sorted_by_key(address) {
            by_address.sort_by_key(address);
        }
        let mut rows = vec![NONE; contexts.len()];
        for (row, (key, _)) in (0..).zip(costs.samples.rows()) {
            if let SampleKey::Context(id) = key {
                rows[id.index()] = row;
            }
        }
        let mut sites = Self {
            contexts,
            vertices: vec![0; contexts.len()],
            nodes: Vec::new(),
            by_address,
            n_vertices: 0,
            costs,
            rows,
        };
        sites.find_vertices(distinguishes_addresses);
        sites
    }

    fn find_vertices(&mut self, distinguishes_addresses: bool) {
        let functions = if distinguishes_addresses { &[] } else { self.costs.functions.as_slice() };
        let has_entry = |id: &FunctionId| functions.get(id.index())?.entry;
        let n_symbols = functions.iter().filter(|f| f.entry.is_some()).count() as u64;
        let n_functions = u32::try_from(functions.len()).expect("functions have numbers");
        let mut last_vertex = n_functions;
        let mut last_address = Address(0);
        for id in &self.by_address {
            let context = &self.contexts[id.index()];
            let symbol = context.function.filter(|id| has_entry(id).is_some());
            self.vertices[id.index()] = match (symbol, address_of(context)) {
                (Some(function), _) => function.0 + 1,
                (None, Address(0)) => 0,
                (None, address) => {
                    last_vertex += u32::from(last_address != address);
                    last_address = address;
                    last_vertex
                }
            };
        }
        self.n_vertices = last_vertex as usize + 1;
        let node = |(&vertex, context): (&VertexId, &Context)| {
            let Address(address) = address_of(context);
            match u32::try_from(address) {
                Ok(symbol) if vertex > n_functions && address <= n_symbols => symbol,
                _ => vertex,
            }
        };
        self.nodes = self.vertices.iter().zip(self.contexts).map(node).collect();
    }

    /// The call-graph vertex of a context.
    pub(super) fn node(&self, id: ContextId) -> VertexId {
        self.nodes[id.index()]
    }

    pub(super) fn vertex(&self, id: ContextId) -> VertexId {
        self.vertices[id.index()]
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
            let address = |id: ContextId| address_of(&self.contexts[id.index()]);
            let agrees = |&id: &ContextId| {
                self.vertex(id) == self.vertex(first) || address(id) == address(first)
            };
            let length = run.iter().position(|id| !agrees(id));
            let (run, behind) = run.split_at(length.unwrap_or(run.len()));
            rest = behind;
            Some(run)
        })
    }
}

fn address_of(context: &Context) -> Address {
    context.address.unwrap_or_default()
}
