//! The call graph: recorded arcs between symbols instead of addresses.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use super::AnalyzeOptions;
use crate::filter::ArcSelection;
use crate::model::CallArc;
use crate::symbols::{StaticCall, SymbolId, SymbolTable};

/// What to make of calls from addresses in no symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCallers {
    /// They count for the callee, whose callers then have a line for them.
    Counted,
    /// They are dropped, as gprof 2.40 does.
    Dropped,
}

/// Where a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSites {
    /// At the recorded address, as gprof 2.40 has it. That is where the call
    /// returns to, and may be the next line.
    AsRecorded,
    /// A byte before it, inside the call instruction.
    BeforeReturn,
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
    by_caller: Rows,
    by_callee: Rows,
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
    /// function type stands for the function before it. Arcs that `selection`
    /// leaves out are not there; calls that stand in the code are, with no calls
    /// along them unless some were recorded. Costs a search for each end.
    #[must_use]
    pub fn new(
        arcs: &[CallArc],
        table: &SymbolTable,
        selection: &ArcSelection,
        static_calls: &[StaticCall],
        options: &AnalyzeOptions,
    ) -> Self {
        let n_symbols = table.symbols().len();
        let mut calls_from_outside = vec![0; n_symbols];
        let mut n_lost_calls: u64 = 0;
        let mut summed: Vec<GraphArc> = Vec::new();
        // Where an arc stands; `None` for one that does not count.
        let mut places: HashMap<(SymbolId, SymbolId), Option<usize>, RandomState> =
            HashMap::default();
        for arc in arcs {
            let callee = table
                .containing(arc.callee)
                .and_then(|callee| table.function_at_or_before(callee));
            let Some(callee) = callee else {
                n_lost_calls = n_lost_calls.saturating_add(arc.count);
                continue;
            };
            let call_site = match options.call_sites {
                CallSites::AsRecorded => arc.call_site,
                CallSites::BeforeReturn => arc.call_site.before(),
            };
            let Some(caller) = table.containing(call_site) else {
                if options.unknown_callers == UnknownCallers::Counted {
                    let calls = &mut calls_from_outside[callee.index()];
                    *calls = arc.count.wrapping_add(*calls);
                }
                continue;
            };
            match places.entry((caller, callee)) {
                Entry::Occupied(place) => {
                    if let Some(place) = *place.get() {
                        let known = &mut summed[place].count;
                        *known = known.wrapping_add(arc.count);
                    }
                }
                Entry::Vacant(place) => {
                    let is_selected = selection.selects(table.get(caller), table.get(callee));
                    place.insert(is_selected.then_some(summed.len()));
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
        let mut calls_by_register = vec![false; n_symbols];
        for &StaticCall { caller, callee } in static_calls {
            let Some(callee) = callee else {
                calls_by_register[caller.index()] = true;
                continue;
            };
            let place = places.entry((caller, callee)).or_insert(None);
            if place.is_none() {
                *place = Some(summed.len());
                summed.push(GraphArc {
                    caller,
                    callee,
                    count: 0,
                });
            }
        }
        Self {
            calls_by_register: calls_by_register.into(),
            by_caller: Rows::new(n_symbols, summed.iter().map(|arc| arc.caller)),
            by_callee: Rows::new(n_symbols, summed.iter().map(|arc| arc.callee)),
            arcs: summed.into(),
            calls_from_outside: calls_from_outside.into(),
            n_lost_calls,
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
        self.by_caller.row(caller)
    }

    /// The numbers of the arcs that enter a symbol, in order of first appearance.
    #[must_use]
    pub fn incoming(&self, callee: SymbolId) -> &[u32] {
        self.by_callee.row(callee)
    }

    /// An arc by its number.
    #[must_use]
    pub fn arc(&self, index: u32) -> &GraphArc {
        &self.arcs[index as usize]
    }
}

/// Numbers of arcs, grouped by one of their ends.
#[derive(Debug)]
struct Rows {
    starts: Box<[u32]>,
    arcs: Box<[u32]>,
}

impl Rows {
    /// A counting sort: stable, and linear in arcs and symbols.
    fn new(n_symbols: usize, ends: impl ExactSizeIterator<Item = SymbolId> + Clone) -> Self {
        let mut starts = vec![0u32; n_symbols + 1];
        for end in ends.clone() {
            starts[end.index() + 1] += 1;
        }
        for index in 0..n_symbols {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut arcs = vec![0; ends.len()];
        for (arc, end) in (0..).zip(ends) {
            let place = &mut next[end.index()];
            arcs[*place as usize] = arc;
            *place += 1;
        }
        Self {
            starts: starts.into(),
            arcs: arcs.into(),
        }
    }

    fn row(&self, end: SymbolId) -> &[u32] {
        let (start, stop) = (self.starts[end.index()], self.starts[end.index() + 1]);
        &self.arcs[start as usize..stop as usize]
    }
}
