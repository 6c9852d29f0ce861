//! Everything added up, for reports to take their numbers from.

use super::columns::Columns;
use super::flows::{self, Flow, Flows};
use super::{Amounts, Measure};
use crate::filter::FilterSets;
use crate::model::{ContextId, Profile, Samples, Subject};
use crate::symbols::{NamedContexts, SymbolId};

/// What is measured, and what in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heap profile: bytes and blocks, allocated and unfreed.
    Heap,
    /// Ticks of a clock, so many a second.
    Time(u32),
    /// Bytes that were allocated; what became of them is not known.
    Allocated,
    /// How often functions were entered.
    Entries,
    /// Events of an instrumented run: the first of those that were counted.
    Events,
    /// Nothing: only which calls are possible.
    Nothing,
}

/// Everything that reports of exact charges are made of.
#[derive(Debug)]
pub struct Ledger {
    /// What is measured.
    pub kind: Kind,
    /// Which totals of functions are known.
    pub totals_from: TotalsFrom,
    /// The measure by which rows are sorted, and that flows along arcs.
    pub measure: Measure,
    /// For each symbol, what was charged to it alone.
    own: Vec<Amounts>,
    /// For each symbol, what was charged to it and to all that it called.
    total: Vec<Amounts>,
    /// For each symbol, what the collector took while it was active.
    collector: Vec<i128>,
    flows: Flows,
    /// All that was charged.
    pub charged: Amounts,
    /// All that there is, charged to somebody or not.
    pub all: Amounts,
    /// What the garbage collector took of it.
    pub collected: Option<u64>,
    /// No filter took anything away.
    pub(super) is_complete: bool,
    /// What was charged to each context, as the file has it.
    pub(super) by_context: Vec<(ContextId, Amounts)>,
}

/// The most possible calls that a graph lists. They take a hundred megabytes.
const MAX_LISTED_CALLS: usize = 1 << 20;

/// Where the totals of functions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsFrom {
    /// The stacks that were recorded with each value.
    Stacks,
    /// The profile has them; along which calls they flowed is not known.
    Profile,
    /// They are not known.
    Nothing,
}

impl Ledger {
    /// Adds up everything. Costs contexts, values and possible calls. Only a heap
    /// profile has another `measure` than the value.
    #[must_use]
    pub fn new(
        profile: &Profile,
        names: &NamedContexts,
        filters: &FilterSets,
        measure: Measure,
    ) -> Self {
        let charges = &profile.charges;
        let columns = Columns::new(&charges.samples);
        let kind = columns.kind(profile);
        let n_symbols = names.table.symbols().len();
        let mut ledger = Self {
            kind,
            totals_from: TotalsFrom::Nothing,
            measure: match kind {
                Kind::Heap => measure,
                _ => Measure::Value,
            },
            own: vec![Amounts::default(); n_symbols],
            total: Vec::new(),
            collector: vec![0; n_symbols],
            flows: Flows::default(),
            charged: Amounts::default(),
            all: Amounts::default(),
            collected: charges.totals.map(|totals| totals.collector),
            is_complete: true,
            by_context: Vec::new(),
        };
        let counts = |id: SymbolId| filters.time.contains(id);
        if columns.inclusive.is_some() {
            ledger.take_recorded_totals(&charges.samples, &columns, names);
        }
        // Values of functions are sums of those of their contexts, so only the
        // latter are added up.
        let by_context = charges.samples.rows().filter_map(|(subject, values)| {
            let context = subject.context()?;
            Some((context, columns.amounts(values)))
        });
        let mut by_context: Vec<_> = by_context.collect();
        let mut recorded = Amounts::default();
        for (_, amounts) in &by_context {
            recorded.add(amounts);
        }
        let n_all = by_context.len();
        by_context.retain(|(context, _)| counts(names.of(*context)));
        ledger.is_complete = by_context.len() == n_all;
        for (context, amounts) in &by_context {
            ledger.own[names.of(*context).index()].add(amounts);
            ledger.charged.add(amounts);
        }
        let has_stacks = charges.contexts.iter().any(|c| c.caller.is_some());
        if has_stacks {
            let (flows, total) = flows::along_stacks(charges, &by_context, names, &filters.arcs);
            ledger.flows = flows;
            ledger.total = total;
            ledger.totals_from = TotalsFrom::Stacks;
        } else {
            ledger.flows = flows::possible(charges, names, &filters.arcs);
        }
        if ledger.total.is_empty() {
            ledger.total.clone_from(&ledger.own);
        }
        ledger.by_context = by_context;
        ledger.all = everything(profile, recorded);
        ledger
    }

    fn take_recorded_totals(
        &mut self,
        samples: &Samples,
        columns: &Columns,
        names: &NamedContexts,
    ) {
        self.total = vec![Amounts::default(); self.own.len()];
        self.totals_from = TotalsFrom::Profile;
        for (subject, values) in samples.rows() {
            let Subject::Function(function) = subject else {
                continue;
            };
            let symbol = names.of_function(function).index();
            let column = |place: Option<usize>| place.map_or(0, |place| i128::from(values[place]));
            let collector = column(columns.collector);
            self.collector[symbol] += collector;
            self.total[symbol].0[0] += column(columns.inclusive) + collector;
        }
    }

    /// What was charged to a symbol alone.
    #[must_use]
    pub fn own(&self, id: SymbolId) -> &Amounts {
        &self.own[id.index()]
    }

    /// What was charged to a symbol and to all that it called. Where the profile
    /// recorded that itself it may be a few ticks off: it is no less than the
    /// symbol's own here, and no more than everything.
    #[must_use]
    pub fn total(&self, id: SymbolId) -> Amounts {
        let (own, mut total) = (self.own[id.index()], self.total[id.index()]);
        if self.totals_from == TotalsFrom::Profile {
            // Totals of several functions of one name may overlap.
            total.0[0] = total.0[0].min(self.all.0[0]).max(own.0[0]);
        }
        total
    }

    /// What the collector took while a symbol was active.
    #[must_use]
    pub fn collector(&self, id: SymbolId) -> i128 {
        self.collector[id.index()]
    }

    /// What there is more than was charged to anybody: mpatrol counts allocations
    /// without a usable stack by size only. None where filters leave anything out.
    pub(super) fn unattributed(&self, filters: &FilterSets) -> Option<Amounts> {
        let rest = self.all.minus(&self.charged);
        // Ticks of time may be a few off; that is no loss.
        let is_whole = self.kind == Kind::Heap && self.is_complete && filters.flat.is_all();
        Some(rest).filter(|rest| is_whole && !rest.is_zero())
    }

    /// The arcs, by caller and callee.
    pub(in crate::analyze) fn arcs(&self) -> impl Iterator<Item = Flow> + Clone {
        self.flows.arcs()
    }

    /// Whether there are more possible calls than could be looked at, so that there
    /// are no arcs.
    #[must_use]
    pub fn lacks_calls(&self) -> bool {
        self.flows.are_too_many
    }

    /// Whether there are more possible calls than anybody reads.
    #[must_use]
    pub fn has_too_many_calls(&self) -> bool {
        let is_recorded = self.totals_from == TotalsFrom::Stacks;
        self.flows.are_too_many || !is_recorded && self.flows.len() > MAX_LISTED_CALLS
    }

    /// `part` in percent of all there is.
    #[must_use]
    pub fn percent(&self, part: i128) -> f64 {
        percent(part, self.all.get(self.measure))
    }
}

/// All that the file has a total for, or else all that it has `recorded` for somebody.
/// A trace is as good as that sum: every one of its events has a place.
fn everything(profile: &Profile, recorded: Amounts) -> Amounts {
    let heap = profile.heap.as_ref().filter(|heap| !heap.is_empty());
    if let Some(heap) = heap.filter(|_| profile.course.is_none()) {
        let (allocated, freed) = (&heap.allocated, &heap.freed);
        let (bytes, blocks) = (allocated.n_bytes(), allocated.n_blocks());
        let unfreed = [bytes - freed.n_bytes(), blocks - freed.n_blocks()];
        return Amounts([bytes, blocks, unfreed[0], unfreed[1]]);
    }
    match profile.charges.totals {
        Some(totals) => {
            let all = i128::from(totals.program) + i128::from(totals.collector);
            Amounts([all, 0, 0, 0])
        }
        None => recorded,
    }
}

/// `part` in percent of `whole`; 0 where there is nothing, or even less, to have a
/// part of.
pub(in crate::analyze) fn percent(part: i128, whole: i128) -> f64 {
    match whole {
        ..=0 => 0.0,
        _ => 100.0 * part as f64 / whole as f64,
    }
}
