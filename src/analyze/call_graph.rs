//! The call graph: arcs between symbols instead of addresses.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::adjacency::Adjacency;
use crate::model::CallArc;
use crate::symbols::{StaticCall, SymbolId, SymbolTable};
use crate::threads;

/// How to treat calls from addresses outside of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCallers {
    /// They count for the callee, which has a row for them.
    Counted,
    /// They are dropped, also from the count of the callee.
    Dropped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSites {
    /// The recorded return address, which may be on the next line.
    AsRecorded,
    /// The byte before it, within the call instruction.
    BeforeReturn,
}

#[derive(Clone, Copy, Debug)]
pub struct CallRules {
    pub unknown_callers: UnknownCallers,
    pub call_sites: CallSites,
}

#[derive(Clone, Copy, Debug)]
pub struct GraphArc {
    pub caller: SymbolId,
    pub callee: SymbolId,
    pub count: u64,
}

impl GraphArc {
    #[inline]
    pub fn is_self_call(&self) -> bool {
        self.caller == self.callee
    }
}

/// Arcs, by caller and by callee.
#[derive(Debug)]
pub struct CallGraph {
    arcs: Box<[GraphArc]>,
    by_caller: Adjacency,
    by_callee: Adjacency,
    /// Number of recorded arcs. Arcs found in code only follow them.
    pub n_recorded: usize,
    /// For each symbol, calls from outside of symbols.
    pub calls_from_outside: Box<[u64]>,
    /// For each symbol whose code has indirect calls, the number of arcs found before the first.
    pub calls_by_register: Box<[Option<u32>]>,
    pub n_lost_calls: u64,
    /// The callers and callees, in order, of calls that were jumps at the end of the caller.
    pub tail_calls: Box<[(SymbolId, SymbolId)]>,
    /// Inlined functions that count as functions, in order; their calls are not counted.
    pub inlined: Box<[SymbolId]>,
    /// The possible calls exceeded the maximum, so the graph omits them.
    pub is_cut: bool,
}

impl CallGraph {
    /// Finds the symbols of each arc and adds up equal arcs.
    ///
    /// Arcs are in order of first appearance. A callee without function type counts as the
    /// function before it. Arcs that `selects` excludes are omitted; calls found in code have a
    /// count of 0 unless they were recorded. One search for each end of an arc.
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
        let mut recorded: Vec<GraphArc> = Vec::with_capacity(arcs.len());
        for found in between_symbols(arcs, table, rules) {
            recorded.extend(found.arcs);
            for (callee, count) in found.from_outside {
                let calls = &mut calls_from_outside[callee.index()];
                *calls = count.wrapping_add(*calls);
            }
            n_lost_calls = n_lost_calls.saturating_add(found.n_lost_calls);
        }
        let mut summed = summed(recorded, n_symbols);
        // All calls of a copy come from the function that contains it, however many there are.
        let inlined = table.inlines().map_or(&[][..], |inlines| inlines.calls());
        summed.extend(inlined.iter().map(|call| GraphArc {
            caller: call.caller,
            callee: call.callee,
            count: 1,
        }));
        summed.retain(|arc| selects(arc.caller, arc.callee));
        let n_recorded = summed.len();
        let calls_by_register = add_static_calls(&mut summed, static_calls, n_symbols);
        Self {
            n_recorded,
            calls_from_outside: calls_from_outside.into(),
            calls_by_register: calls_by_register.into(),
            n_lost_calls,
            inlined: inlined.iter().map(|call| call.callee).collect(),
            ..Self::of_arcs(summed, n_symbols)
        }
    }

    /// A graph of distinct arcs between symbols.
    pub fn of_arcs(arcs: Vec<GraphArc>, n_symbols: usize) -> Self {
        let callers = arcs.iter().map(|arc| Some(arc.caller.index()));
        let callees = arcs.iter().map(|arc| Some(arc.callee.index()));
        Self {
            by_caller: Adjacency::new(n_symbols, callers),
            by_callee: Adjacency::new(n_symbols, callees),
            n_recorded: arcs.len(),
            calls_from_outside: vec![0; n_symbols].into(),
            calls_by_register: vec![None; n_symbols].into(),
            n_lost_calls: 0,
            tail_calls: Box::default(),
            inlined: Box::default(),
            is_cut: false,
            arcs: arcs.into(),
        }
    }

    pub fn n_symbols(&self) -> usize {
        self.calls_from_outside.len()
    }

    pub fn arcs(&self) -> &[GraphArc] {
        &self.arcs
    }

    /// Returns whether a function is inlined, so that its calls are not counted.
    pub fn is_inlined(&self, id: SymbolId) -> bool {
        self.inlined.binary_search(&id).is_ok()
    }

    /// Indices of the arcs that leave a symbol, in order of first appearance.
    #[inline]
    pub fn outgoing(&self, caller: SymbolId) -> &[u32] {
        self.by_caller.of(caller.index())
    }

    /// Indices of the arcs that enter a symbol, in order of first appearance.
    #[inline]
    pub fn incoming(&self, callee: SymbolId) -> &[u32] {
        self.by_callee.of(callee.index())
    }

    #[inline]
    pub fn arc(&self, index: u32) -> &GraphArc {
        &self.arcs[index as usize]
    }
}

#[derive(Default)]
struct FoundArcs {
    arcs: Vec<GraphArc>,
    /// Calls from outside of symbols.
    from_outside: Vec<(SymbolId, u64)>,
    n_lost_calls: u64,
}

/// The symbols of arcs, in parallel if there are many.
fn between_symbols(arcs: &[CallArc], table: &SymbolTable, rules: CallRules) -> Vec<FoundArcs> {
    let find = |arcs: &[CallArc]| {
        let mut found = FoundArcs { arcs: Vec::with_capacity(arcs.len()), ..FoundArcs::default() };
        arcs.iter().for_each(|arc| found.add(arc, table, rules));
        found
    };
    threads::pieces(arcs, threads::WORTH_ITEMS, find)
}

impl FoundArcs {
    fn add(&mut self, arc: &CallArc, table: &SymbolTable, rules: CallRules) {
        let callee =
            table.containing(arc.callee).and_then(|callee| table.function_at_or_before(callee));
        let Some(callee) = callee else {
            self.n_lost_calls = self.n_lost_calls.saturating_add(arc.count);
            return;
        };
        let call_site = match rules.call_sites {
            CallSites::AsRecorded => arc.call_site,
            CallSites::BeforeReturn => arc.call_site.before(),
        };
        match table.containing(call_site) {
            Some(caller) => {
                let (mut caller, callee) =
                    (table.enclosing_function(caller), table.enclosing_function(callee));
                // Recursion from inlined code is recursion, not a cycle.
                if table.compiled_function(caller) == callee {
                    caller = callee;
                }
                self.arcs.push(GraphArc { caller, callee, count: arc.count });
            }
            None if rules.unknown_callers == UnknownCallers::Counted => {
                self.from_outside.push((callee, arc.count));
            }
            None => {}
        }
    }
}

/// Adds up arcs with the same ends, in order of first appearance.
///
/// Arcs are grouped by caller. Within a group each callee remembers its first arc and the
/// caller, so nothing is searched or cleared.
fn summed(mut arcs: Vec<GraphArc>, n_symbols: usize) -> Vec<GraphArc> {
    let callers = arcs.iter().map(|arc| Some(arc.caller.index()));
    let by_caller = Adjacency::new(n_symbols, callers);
    let mut firsts: Vec<Option<(SymbolId, u32)>> = vec![None; n_symbols];
    let mut is_more = vec![false; arcs.len()];
    for caller in (0..).map(SymbolId).take(n_symbols) {
        for &index in by_caller.of(caller.index()) {
            let GraphArc { callee, count, .. } = arcs[index as usize];
            match &mut firsts[callee.index()] {
                Some((of, first)) if *of == caller => {
                    let sum = &mut arcs[*first as usize].count;
                    *sum = sum.wrapping_add(count);
                    is_more[index as usize] = true;
                }
                first => *first = Some((caller, index)),
            }
        }
    }
    let mut is_more = is_more.into_iter();
    arcs.retain(|_| is_more.next() == Some(false));
    arcs
}

/// Adds calls found in code that were not recorded. Returns, for each symbol with indirect
/// calls, the number of arcs found before the first.
fn add_static_calls(
    arcs: &mut Vec<GraphArc>,
    static_calls: &[StaticCall],
    n_symbols: usize,
) -> Vec<Option<u32>> {
    let mut calls_by_register = vec![None; n_symbols];
    if static_calls.is_empty() {
        return calls_by_register;
    }
    let ends = arcs.iter().map(|arc| (arc.caller, arc.callee));
    let mut known: HashSet<(SymbolId, SymbolId), RandomState> = ends.collect();
    for &StaticCall { caller, callee } in static_calls {
        let Some(callee) = callee else {
            let n_arcs = u32::try_from(arcs.len()).expect("arcs have 32-bit numbers");
            calls_by_register[caller.index()].get_or_insert(n_arcs);
            continue;
        };
        if known.insert((caller, callee)) {
            arcs.push(GraphArc { caller, callee, count: 0 });
        }
    }
    calls_by_register
}
