//! The call graph: recorded arcs between symbols instead of addresses.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use super::adjacency::Adjacency;
use crate::model::CallArc;
use crate::symbols::{StaticCall, SymbolId, SymbolTable};

/// What to make of calls from addresses in no symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCallers {
    /// They count for the callee, whose callers then have a line for them.
    Counted,
    /// They are dropped, and their counts are missing from the callee's.
    Dropped,
}

/// Where a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSites {
    /// At the recorded address. That is where the call returns to, and may be the
    /// next line.
    AsRecorded,
    /// A byte before it, inside the call instruction.
    BeforeReturn,
}

/// Which recorded calls count, and as whose.
#[derive(Clone, Copy, Debug)]
pub struct CallRules {
    /// What to make of calls from nowhere.
    pub unknown_callers: UnknownCallers,
    /// Where calls were made.
    pub call_sites: CallSites,
}

/// All calls from one symbol to another.
#[derive(Clone, Copy, Debug)]
pub struct GraphArc {
    /// Where the calls came from.
    pub caller: SymbolId,
    /// What was called.
    pub callee: SymbolId,
    /// How many calls.
    pub count: u64,
}

impl GraphArc {
    /// Whether a symbol calls itself.
    #[must_use]
    pub fn is_self_call(&self) -> bool {
        self.caller == self.callee
    }
}

/// Arcs by either end.
#[derive(Debug)]
pub struct CallGraph {
    arcs: Box<[GraphArc]>,
    by_caller: Adjacency,
    by_callee: Adjacency,
    /// How many of the arcs were recorded. Behind them stand those of the code alone.
    pub n_recorded: usize,
    /// For each symbol, the calls from addresses in no symbol.
    pub calls_from_outside: Box<[u64]>,
    /// For each symbol, whether it has calls in its code whose target is in a register.
    pub calls_by_register: Box<[bool]>,
    /// Calls of addresses in no symbol.
    pub n_lost_calls: u64,
}

impl CallGraph {
    /// Finds the symbols of both ends of each arc and sums what becomes equal.
    ///
    /// Arcs stand in the order in which they first appear. A callee that is not of
    /// function type stands for the function before it. Arcs that `selects` leaves
    /// out are not there; calls that stand in the code are, with no calls
    /// along them unless some were recorded. Costs a search for each end.
    #[must_use]
    pub fn new(
        arcs: &[CallArc],
        table: &SymbolTable,
        selects: impl Fn(SymbolId, SymbolId) -> bool,
        static_calls: &[StaticCall],
        rules: CallRules,
    ) -> Self {
        let n_symbols = table.symbols().len();
        let mut calls_from_outside = vec![0; n_symbols];
        let mut n_lost_calls: u64 = 0;
        let mut summed: Vec<GraphArc> = Vec::new();
        // Where an arc stands; `None` for one that does not count.
        let mut indices: HashMap<(SymbolId, SymbolId), Option<usize>, RandomState> =
            HashMap::default();
        for arc in arcs {
            let callee = table
                .containing(arc.callee)
                .and_then(|callee| table.function_at_or_before(callee));
            let Some(callee) = callee else {
                n_lost_calls = n_lost_calls.saturating_add(arc.count);
                continue;
            };
            let call_site = match rules.call_sites {
                CallSites::AsRecorded => arc.call_site,
                CallSites::BeforeReturn => arc.call_site.before(),
            };
            let Some(caller) = table.containing(call_site) else {
                if rules.unknown_callers == UnknownCallers::Counted {
                    let calls = &mut calls_from_outside[callee.index()];
                    *calls = arc.count.wrapping_add(*calls);
                }
                continue;
            };
            let (caller, callee) = (table.holder(caller), table.holder(callee));
            match indices.entry((caller, callee)) {
                Entry::Occupied(known) => {
                    if let Some(index) = *known.get() {
                        let known = &mut summed[index].count;
                        *known = known.wrapping_add(arc.count);
                    }
                }
                Entry::Vacant(new) => {
                    let is_selected = selects(caller, callee);
                    new.insert(is_selected.then_some(summed.len()));
                    if !is_selected {
                        continue;
                    }
                    summed.push(GraphArc {
                        caller,
                        callee,
                        count: arc.count,
                    });
                }
            }
        }
        let n_recorded = summed.len();
        let mut calls_by_register = vec![false; n_symbols];
        for &StaticCall { caller, callee } in static_calls {
            let Some(callee) = callee else {
                calls_by_register[caller.index()] = true;
                continue;
            };
            let index = indices.entry((caller, callee)).or_insert(None);
            if index.is_none() {
                *index = Some(summed.len());
                summed.push(GraphArc {
                    caller,
                    callee,
                    count: 0,
                });
            }
        }
        Self {
            n_recorded,
            calls_from_outside: calls_from_outside.into(),
            calls_by_register: calls_by_register.into(),
            n_lost_calls,
            ..Self::of_arcs(summed, n_symbols)
        }
    }

    /// The graph of arcs between symbols, none of them equal.
    #[must_use]
    pub fn of_arcs(arcs: Vec<GraphArc>, n_symbols: usize) -> Self {
        let callers = arcs.iter().map(|arc| Some(arc.caller.index()));
        let callees = arcs.iter().map(|arc| Some(arc.callee.index()));
        Self {
            by_caller: Adjacency::new(n_symbols, callers),
            by_callee: Adjacency::new(n_symbols, callees),
            n_recorded: arcs.len(),
            calls_from_outside: vec![0; n_symbols].into(),
            calls_by_register: vec![false; n_symbols].into(),
            n_lost_calls: 0,
            arcs: arcs.into(),
        }
    }

    /// The number of symbols, whether they have arcs or not.
    #[must_use]
    pub fn n_symbols(&self) -> usize {
        self.calls_from_outside.len()
    }

    /// Every arc, in order of first appearance.
    #[must_use]
    pub fn arcs(&self) -> &[GraphArc] {
        &self.arcs
    }

    /// The numbers of the arcs that leave a symbol, in order of first appearance.
    #[must_use]
    pub fn outgoing(&self, caller: SymbolId) -> &[u32] {
        self.by_caller.of(caller.index())
    }

    /// The numbers of the arcs that enter a symbol, in order of first appearance.
    #[must_use]
    pub fn incoming(&self, callee: SymbolId) -> &[u32] {
        self.by_callee.of(callee.index())
    }

    /// An arc by its number.
    #[must_use]
    pub fn arc(&self, index: u32) -> &GraphArc {
        &self.arcs[index as usize]
    }
}
