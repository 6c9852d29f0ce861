//! The call graph of exact charges.

use std::cmp::Reverse;

use super::flows::Flow;
use super::{Amounts, Ledger};
use crate::filter::FilterSets;
use crate::symbols::{SymbolId, SymbolTable};

/// A function with its callers and callees.
#[derive(Debug)]
pub struct ChargeEntry {
    /// The number by which other entries refer to it.
    pub number: usize,
    /// Which function.
    pub symbol: SymbolId,
    /// Its total in percent of everything.
    pub percent: f64,
    /// What was charged to it alone.
    pub own: i128,
    /// What was charged to all that it called.
    pub children: i128,
    /// All of that in the companion of the measure.
    pub companion: i128,
    /// It called itself.
    pub is_recursive: bool,
    /// Its callers, the heaviest last.
    pub callers: Vec<ChargeLine>,
    /// What it called, the heaviest first.
    pub callees: Vec<ChargeLine>,
}

/// A caller or callee in the entry of another function.
#[derive(Debug)]
pub struct ChargeLine {
    /// The number of its own entry, if it has one.
    pub number: Option<usize>,
    /// Which function.
    pub symbol: SymbolId,
    /// What flowed along the call; `None` when that was not recorded, which is so for
    /// all of the millions of lines that a table of possible calls may have.
    pub flow: Option<Box<LineFlow>>,
}

/// What flowed along a call.
#[derive(Clone, Copy, Debug)]
pub struct LineFlow {
    /// What was charged to the callee alone.
    pub own: i128,
    /// What was charged to all that the callee called.
    pub children: i128,
    /// All of that in the companion of the measure.
    pub companion: i128,
    /// What the callee has of that in all.
    pub companion_of_callee: i128,
}

/// The call graph.
#[derive(Debug)]
pub struct GraphCharges {
    /// From the largest total to the smallest; then by name.
    pub entries: Vec<ChargeEntry>,
    /// For each symbol, the number of its entry.
    numbers: Vec<Option<usize>>,
}

impl GraphCharges {
    /// The entries of all symbols that `filters` shows and that have a number or a
    /// call, or of all that it shows. Costs symbols and arcs, and sorting both.
    #[must_use]
    pub fn new(
        ledger: &Ledger,
        table: &SymbolTable,
        filters: &FilterSets,
        shows_idle: bool,
    ) -> Self {
        let mut has_call = vec![false; table.symbols().len()];
        for arc in ledger.arcs().filter(|arc| is_of_note(ledger, arc)) {
            has_call[arc.caller.index()] = true;
            has_call[arc.callee.index()] = true;
        }
        let is_shown = |id: SymbolId| {
            let total = ledger.total(id);
            let is_idle = ledger.own(id).lacks(ledger.measure) && total.lacks(ledger.measure);
            shows_idle || !is_idle || has_call[id.index()]
        };
        let ids = table.iter().map(|(id, _)| id);
        let mut order: Vec<_> = ids
            .filter(|&id| filters.graph.contains(id) && is_shown(id))
            .collect();
        let weight = |amounts: Amounts| amounts.get(ledger.measure);
        order.sort_by_key(|&id| {
            let own = weight(*ledger.own(id));
            (Reverse((weight(ledger.total(id)), own)), id)
        });
        let mut numbers = vec![None; table.symbols().len()];
        for (number, id) in (1..).zip(&order) {
            numbers[id.index()] = Some(number);
        }
        let mut entries: Vec<_> = order
            .iter()
            .map(|&id| entry(ledger, id, &numbers))
            .collect();
        let of_note = |arc: &Flow| shows_idle || is_of_note(ledger, arc);
        for arc in ledger.arcs().filter(of_note) {
            let of = |id: SymbolId| numbers[id.index()];
            if arc.caller == arc.callee {
                if let Some(number) = of(arc.caller) {
                    entries[number - 1].is_recursive = true;
                }
                continue;
            }
            if let Some(caller) = of(arc.caller) {
                let line = line(ledger, &arc, arc.callee, of(arc.callee));
                entries[caller - 1].callees.push(line);
            }
            if let Some(callee) = of(arc.callee) {
                let line = line(ledger, &arc, arc.caller, of(arc.caller));
                entries[callee - 1].callers.push(line);
            }
        }
        for entry in &mut entries {
            let weight = |line: &ChargeLine| line_weight(ledger, line);
            entry
                .callers
                .sort_by_key(|line| (weight(line), Reverse(line.symbol)));
            entry
                .callees
                .sort_by_key(|line| (Reverse(weight(line)), line.symbol));
        }
        Self { entries, numbers }
    }

    /// The number of the entry of a symbol.
    #[must_use]
    pub fn number(&self, id: SymbolId) -> Option<usize> {
        self.numbers[id.index()]
    }

    /// Every entry's symbol with its number, by name.
    pub fn index(&self) -> impl Iterator<Item = (SymbolId, usize)> {
        // Symbols are in the order of their names.
        let ids = (0..).map(SymbolId).zip(&self.numbers);
        ids.filter_map(|(id, number)| Some((id, (*number)?)))
    }
}

/// Whether something flowed along a call, or may have.
fn is_of_note(ledger: &Ledger, arc: &Flow) -> bool {
    arc.total.is_none_or(|total| !total.lacks(ledger.measure))
}

fn entry(ledger: &Ledger, symbol: SymbolId, numbers: &[Option<usize>]) -> ChargeEntry {
    let (own, total) = (ledger.own(symbol), ledger.total(symbol));
    ChargeEntry {
        number: numbers[symbol.index()].expect("what has an entry has a number"),
        symbol,
        percent: ledger.percent(total.get(ledger.measure)),
        own: own.get(ledger.measure),
        children: total.minus(own).get(ledger.measure),
        companion: total.get(ledger.measure.companion()),
        is_recursive: false,
        callers: Vec::new(),
        callees: Vec::new(),
    }
}

/// The line of `symbol`, one end of `arc`, in the entry of the other end.
fn line(ledger: &Ledger, arc: &Flow, symbol: SymbolId, number: Option<usize>) -> ChargeLine {
    let of_callee = ledger.total(arc.callee);
    let flow = arc.own.zip(arc.total).map(|(own, total)| {
        Box::new(LineFlow {
            own: own.get(ledger.measure),
            children: total.minus(&own).get(ledger.measure),
            companion: total.get(ledger.measure.companion()),
            companion_of_callee: of_callee.get(ledger.measure.companion()),
        })
    });
    ChargeLine {
        number,
        symbol,
        flow,
    }
}

/// What flowed along a call or, where that is not known, what its other end has.
fn line_weight(ledger: &Ledger, line: &ChargeLine) -> i128 {
    match &line.flow {
        Some(flow) => flow.own + flow.children,
        None => ledger.total(line.symbol).get(ledger.measure),
    }
}
